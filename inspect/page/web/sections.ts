// The parts of the page that are tables: summary, stalls, branches, memory, configuration.
import { Theme } from "./colours";
import { Instruction, Page, baseName, lineOf, sourceLine } from "./data";
import { byId, h, put, table } from "./dom";
import { countOf, decimal, grouped, percent, ratio } from "./format";

const BRANCH = /\b(BRA|BRX|CALL|RET|EXIT|BREAK)\b/;
const MOST_BRANCHES = 200, QUIET_BRANCHES = 8;
const LOSS = "occupancy, lost";

export type ShowLine = (file: number, line: number) => void;

export function lineLink(page: Page, name: string | null, line: number, show: ShowLine): Node {
  const file = name === null ? -1 : page.data.files.findIndex((f) => f.name === name);
  if (file < 0 || name === null) return document.createTextNode("");
  if (page.data.files[file].parts.length === 0) return document.createTextNode(`${baseName(name)}:${line}`);
  const button = h("button", { type: "button", class: "link" }, `${baseName(name)}:${line}`);
  button.addEventListener("click", () => show(file, line));
  return button;
}

// Where an instruction stands, its line a link; null if that is not known.
export function instructionLink(page: Page, instruction: Instruction | undefined, show: ShowLine): Node | null {
  if (!instruction || lineOf(page, instruction) === "") return null;
  const link = lineLink(page, page.data.files[instruction.file].name, instruction.line, show);
  return h("span", {}, instruction.before, link, instruction.behind);
}

// The line that a text calls the line below.
function placed(page: Page, name: string | null, line: number, show: ShowLine): Node[] {
  const file = name === null ? -1 : page.data.files.findIndex((f) => f.name === name);
  if (file < 0) return [];
  return [h("div", {}, lineLink(page, name, line, show), " ", h("code", {}, sourceLine(page, file, line)))];
}

function sizes(values: number[]): string {
  return values.join(" x ");
}

/** Whose L2 and DRAM the run had. */
function shareOf(page: Page): string {
  const share = page.run.memory_share;
  if (!share) return "";
  return share.sms >= share.of_sms ? "L2 and DRAM: whole. " : `L2 and DRAM: ${share.kind} (${share.sms} of ${share.of_sms} SMs). `;
}

export function drawHead(page: Page): void {
  const { run, data } = page;
  byId("kernel").textContent = `${run.kernel ?? data.launches.map((l) => l.kernel).join(", ")} on ${run.device}`;
  const launch = data.launches[0];
  const size = !launch ? "nothing was launched" : data.launches.length > 1 ? `${data.launches.length} launches`
    : `grid ${sizes(launch.grid)}, block ${sizes(launch.block)}`;
  byId("target").textContent = `${data.target}: ${size}, ${countOf(run.warps.launched, "warp")}, ${countOf(run.cycles, "cycle")}. ` +
    `${shareOf(page)}Warpstep ${run.version}${run.compiler ? `, compiled by ${run.compiler}` : ""}`;
}

export function drawSummary(page: Page, show: ShowLine): void {
  const { run } = page;
  const parts: Node[] = [];
  if (run.error) {
    parts.push(h("div", { class: "error", role: "alert" }, h("b", {}, run.status + ": " + run.error.message),
      run.error.details ? h("pre", {}, run.error.details) : null));
  }
  for (const check of run.checks.filter((c) => !c.passed))
    parts.push(h("div", { class: "error" }, h("b", {}, `check failed: ${check.buffer}`),
      ` ${grouped(check.mismatches)} of ${grouped(check.elements)} elements; at ${check.first_index}: expected ${check.expected}, is ${check.actual}`));
  if (run.memory_share && run.memory_share.warning) parts.push(h("p", { class: "warning" }, "note: " + run.memory_share.warning));
  for (const warning of run.warnings) parts.push(h("p", { class: "warning" }, "warning: " + warning));
  const items = run.bottlenecks.map((cause) =>
    h("li", {}, cause.text, ...placed(page, cause.file, cause.line, show)));
  parts.push(items.length > 0 ? h("ol", { class: "causes" }, ...items) : h("p", {}, "No cause stands out."));
  put(byId("causes"), ...parts);
  put(byId("figures"), ...figures(page));
}

function figures(page: Page): HTMLElement[] {
  const { run } = page, size = page.data.timeline.warp_size;
  const occupancy = run.occupancy;
  const list: [string, string, string][] = [
    ["Cycles", grouped(run.cycles), "the longest time that any SM had a warp"],
    ["Warp instructions", grouped(run.warp_instructions), "issued"],
    ["IPC", decimal(run.ipc, 3), `per active SM cycle, of at most ${page.data.timeline.sub_cores}`],
    ["Lane efficiency", run.lane_efficiency === null ? "-" : percent(run.lane_efficiency, 1),
      `${ratio(run.thread_instructions, run.warp_instructions, 1)} of ${size} lanes per instruction`],
    ["Diverged warps", percent(run.warps.diverged, run.warps.launched), `${grouped(run.warps.diverged)} of ${grouped(run.warps.launched)}`],
    ["Divergent branches", percent(run.branches.divergent, run.branches.executed),
      `${grouped(run.branches.divergent)} of ${grouped(run.branches.executed)}`],
    ["Occupancy", occupancy && occupancy.achieved !== null ? percent(occupancy.achieved, 1) : "-",
      occupancy && occupancy.theoretical !== null ? `of ${percent(occupancy.theoretical, 1)} possible; limit: ${occupancy.limiters.join(", ")}` : "achieved"],
    ["Checks", run.checks.length === 0 ? "none" : `${run.checks.filter((c) => c.passed).length} of ${run.checks.length}`,
      run.checks.length === 0 ? "the launch file expects nothing" : "passed"],
  ];
  return list.map(([name, value, help]) => h("div", { class: "figure" }, h("dt", {}, name), h("dd", {}, h("b", {}, value), h("span", {}, help))));
}

export function drawStalls(page: Page, theme: Theme): void {
  const { run, data } = page;
  const order = data.stalls.map((stall, i) => ({ stall, i, cycles: run.stalls[stall.name] || 0 }))
    .filter((entry) => entry.cycles > 0).sort((a, b) => b.cycles - a.cycles);
  const most = order.length > 0 ? order[0].cycles : 1;
  put(byId("stalls"), table(`Where the ${grouped(run.warp_cycles)} warp-cycles went: one reason for each warp and cycle`,
    [{ title: "Reason", text: true }, { title: "Share" }, { title: "", text: true }, { title: "State", text: true }, { title: "What it means", text: true }],
    order.map((entry) => [
      h("span", { class: "whole" }, h("span", { class: "chip", style: `background:${theme.stalls[entry.i]}` }, ""), entry.stall.name),
      percent(entry.cycles, run.warp_cycles),
      h("span", { class: "bar", style: `width:${((100 * entry.cycles) / most).toFixed(1)}px;background:${theme.stalls[entry.i]}` }),
      entry.stall.state,
      entry.stall.help])));
}

export function drawBranches(page: Page, show: ShowLine): void {
  const all = [...page.instructions.values()].filter((i) => i.divergent > 0 || (i.issued > 0 && BRANCH.test(i.text)))
    .sort((a, b) => b.divergent - a.divergent || b.issued - a.issued);
  const rows = all.filter((i) => i.divergent > 0).slice(0, MOST_BRANCHES);
  const others = all.length - rows.length;
  // Of those that keep their warps together, the ones that take most time.
  rows.push(...all.filter((i) => i.divergent === 0).sort((a, b) => b.time - a.time).slice(0, QUIET_BRANCHES));
  if (all.length === 0) {
    put(byId("branches"), h("p", {}, "No branch was executed."));
    return;
  }
  put(byId("branches"), table("Branches and exits, most often divergent first",
    [{ title: "Line", text: true }, { title: "Split" }, { title: "Executed" }, { title: "Share" }, { title: "Lanes", help: "active lanes when it issues" },
      { title: "Time", help: "warp-cycles spent at it, of all" }, { title: "Instruction", text: true }, { title: "Source", text: true }],
    rows.map((i) => [
      instructionLink(page, i, show) ?? "-",
      grouped(i.divergent), grouped(i.issued), percent(i.divergent, i.issued), ratio(i.lanes, i.issued, 1), percent(i.time, page.run.warp_cycles),
      h("code", {}, i.text), h("code", {}, sourceLine(page, i.file, i.line))])),
    others > QUIET_BRANCHES ? h("p", { class: "faint" }, `${others - QUIET_BRANCHES} more that did not diverge; Source, bytecode lists all.`) : null);
}

export function drawOccupancy(page: Page): void {
  const occupancy = page.run.occupancy;
  if (!occupancy) return;
  const rows: string[][] = [
    ["occupancy, possible", occupancy.theoretical === null ? "differs" : percent(occupancy.theoretical, 1), occupancy.limiters.length > 0 ? "limit: " + occupancy.limiters.join(", ") : ""],
    ["occupancy, achieved", occupancy.achieved === null ? "-" : percent(occupancy.achieved, 1), "resident warps over active SM cycles"],
    ["blocks of an SM", occupancy.blocks_per_sm === null ? "differs" : String(occupancy.blocks_per_sm), "at most"],
    ["SMs without a block", String(occupancy.idle_sms), `of ${page.data.timeline.device_sms}`],
  ];
  for (const name of Object.keys(occupancy.losses))
    if (occupancy.losses[name] > 0) rows.push([LOSS, percent(occupancy.losses[name], occupancy.possible_warp_cycles), name.replace(/_/g, " ")]);
  put(byId("occupancy-figures"), table("Occupancy", [{ title: "Figure", text: true }, { title: "Value" }, { title: "", text: true }], rows, true));
}

export function drawMemory(page: Page): void {
  const memory = page.run.memory;
  const rows = Object.keys(memory).filter((name) => memory[name] !== 0 && memory[name] !== null).map((name) => [
    name.replace(/_/g, " "), name.endsWith("_rate") ? percent(memory[name] as number, 1) : grouped(memory[name] as number)]);
  put(byId("memory"), rows.length === 0 ? h("p", {}, "No memory was accessed.")
    : table("Memory", [{ title: "Figure", text: true }, { title: "Value" }], rows, true));
}

export function drawConfiguration(page: Page): void {
  const { data, run } = page;
  put(byId("launches"), table("Launches", [{ title: "Launch" }, { title: "Kernel", text: true }, { title: "Grid", text: true }, { title: "Block", text: true },
    { title: "Registers" }, { title: "From cycle" }, { title: "To cycle" }],
    data.launches.map((launch, i) => [String(i), launch.kernel, sizes(launch.grid), sizes(launch.block),
      run.launches[i] ? String(run.launches[i].registers_per_thread) : "-", grouped(launch.begin), grouped(launch.end)])));
  const filter = byId("settings-filter") as HTMLInputElement;
  const draw = (): void => {
    const word = filter.value.trim().toLowerCase();
    put(byId("settings"), table("Settings of the device", [{ title: "Setting", text: true }, { title: "Value", text: true }, { title: "Unit", text: true }],
      data.settings.filter(([path]) => path.toLowerCase().includes(word)).map((row) => [...row]), true));
  };
  filter.addEventListener("input", draw);
  draw();
}
