// What a warp does at the cycle that was chosen: line, lanes, paths, registers of convergence
// barriers, memory on its way, and who issued in its place.
import { Theme } from "./colours";
import { Page, lineOf, sourceLine } from "./data";
import { h, put, table } from "./dom";
import { countOf, grouped } from "./format";
import * as lanes from "./lanes";
import { Cells, EMPTY, ISSUE } from "./timeline_cells";
import { Place } from "./timeline_view";
import { Kind, Mask } from "./warp_history";
import { WarpState } from "./warp_state";

const AT_JOIN = "wait for other lanes, to resume at"; // sim/divergence/its.c
const KIND_TEXTS: { [kind: number]: string } = {
  [Kind.diverge]: "lanes diverge",
  [Kind.reconverge]: "paths join",
  [Kind.arrive]: "arrives at a block barrier",
  [Kind.release]: "the block barrier releases it",
  [Kind.request]: "memory request",
  [Kind.response]: "memory response",
  [Kind.exit]: "its last lane has exited",
  [Kind.stop]: "the run stops",
};

const COVERED = "Covered until the question is answered.";

export class Detail {
  covered = Infinity; // from this cycle of the window on nothing is told
  private readonly answered: Set<number>;

  constructor(private readonly parent: HTMLElement, private readonly spoken: HTMLElement, private readonly page: Page,
    private readonly cells: Cells, private readonly exits: Set<number>, private theme: Theme,
    private readonly showLine: (file: number, line: number) => void) {
    this.answered = new Set(page.data.answered);
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
  }

  // `why`: why this cell is shown, where nobody has chosen it.
  show(place: Place | null, why?: string): void {
    const help = "Click a cell of the timeline, or focus it and use the arrow keys.";
    if (!place) {
      put(this.parent, h("p", { class: "faint" }, help));
      return;
    }
    if (place.cycle >= this.covered) {
      put(this.parent, h("p", { class: "faint" }, COVERED));
      this.spoken.textContent = COVERED;
      return;
    }
    const row = this.cells.rows[place.row];
    const warp = this.cells.warpAt(row, place.cycle), cell = this.cells.at(row, place.cycle);
    const cycle = place.cycle + this.cells.histories.first;
    const where = `cycle ${grouped(cycle)}, SM ${row.sm}, warp slot ${row.slot}`;
    if (!warp || cell < 0 || this.cells.state[cell] === EMPTY) {
      put(this.parent, h("h3", {}, where), h("p", {}, "No warp is in this slot."));
      this.spoken.textContent = where + ": no warp";
      return;
    }
    const state = new WarpState(this.cells.histories, warp, place.cycle, this.exits, this.answered);
    const what = this.what(state);
    put(this.parent,
      why ? h("p", { class: "faint" }, why + " " + help) : null,
      h("h3", {}, "Cycle " + grouped(cycle)),
      h("p", { class: "where" }, `SM ${row.sm}, sub-core ${warp.subCore}, warp slot ${row.slot}: warp ${warp.warpInBlock} of block ${warp.block}` +
        (this.page.data.launches.length > 1 ? `, launch ${warp.launch}` : "")),
      what.element, this.instruction(state), this.lanes(state), this.paths(state), this.barriers(state),
      this.requests(state), this.events(state), this.others(place, warp.subCore));
    this.spoken.textContent = where + ": " + what.text;
  }

  // A cell in a few words.
  brief(place: Place): string {
    if (place.cycle >= this.covered) return COVERED;
    const row = this.cells.rows[place.row], cell = this.cells.at(row, place.cycle);
    const where = `cycle ${grouped(place.cycle + this.cells.histories.first)}, SM ${row.sm}, warp slot ${row.slot}`;
    if (cell < 0 || this.cells.state[cell] === EMPTY) return where + ": no warp";
    const state = this.cells.state[cell];
    const bands = this.cells.partitions[this.cells.partition[cell]].bands.filter((band) => band.runs);
    const running = bands.reduce((sum, band) => sum + band.lanes, 0);
    return `${where}: ${state === ISSUE ? "issues" : this.page.data.stalls[state].name}, ${countOf(running, "lane")}: ` +
      (this.page.instructions.get(this.cells.instruction[cell])?.text ?? "");
  }

  private what(state: WarpState): { element: HTMLElement; text: string } {
    const stall = this.page.data.stalls[state.reason];
    const chip = h("span", { class: "chip", style: "background:" + this.theme.stalls[state.reason] });
    const count = lanes.count(state.active);
    if (state.reason === ISSUE) {
      const text = `issues with ${countOf(count, "lane")}`;
      return { element: h("p", { class: "what" }, chip, `${text} (${stall.state})`), text };
    }
    const end = this.cells.endOf(this.rowOf(state), this.cells.at(this.rowOf(state), state.cycle));
    const since = state.cycle - state.since;
    const text = `${stall.name} (${stall.state}): ${stall.help}`;
    const time = `since ${countOf(since, "cycle")}, ${end - state.cycle} more`;
    return { element: h("p", { class: "what" }, chip, h("b", {}, stall.name), ` (${stall.state}) ${time}`, h("br"), stall.help), text };
  }

  private rowOf(state: WarpState): Cells["rows"][number] {
    return this.cells.rows.find((row) => row.sm === state.warp.sm && row.slot === state.warp.slot) as Cells["rows"][number];
  }

  private link(index: number): HTMLElement | null {
    const instruction = this.page.instructions.get(index);
    const line = lineOf(this.page, instruction);
    if (!instruction || line === "") return null;
    const button = h("button", { class: "link", type: "button" }, line);
    button.addEventListener("click", () => this.showLine(instruction.file, instruction.line));
    return h("span", {}, instruction.before, button, instruction.behind);
  }

  private instruction(state: WarpState): HTMLElement {
    const instruction = this.page.instructions.get(state.instruction);
    if (!instruction) return h("p", {}, "No instruction is known.");
    const link = this.link(state.instruction);
    const source = sourceLine(this.page, instruction.file, instruction.line);
    const statement = h("code", {}, source);
    return h("div", { class: "code" },
      h("div", {}, (state.reason === ISSUE ? "" : "next: ") + instruction.text),
      link ? h("div", {}, link, ...(instruction.behind === "" ? [" ", statement] : [])) : null,
      link && instruction.behind !== "" ? h("div", {}, statement) : null);
  }

  private lanes(state: WarpState): HTMLElement {
    const size = this.page.data.timeline.warp_size;
    const text = lanes.glyphs(size, state.active, state.executed, state.alive, state.launched);
    const cells = [...text].map((glyph, lane) =>
      h("span", { class: "lane lane-" + (glyph === "#" ? "on" : glyph === "." ? "none" : glyph), title: `lane ${lane}: ${lanes.GLYPHS[glyph]}` }, glyph));
    const counts = Object.keys(lanes.GLYPHS)
      .map((glyph) => ({ glyph, n: [...text].filter((c) => c === glyph).length }))
      .filter((entry) => entry.n > 0)
      .map((entry) => `${entry.n} ${lanes.GLYPHS[entry.glyph]} ${entry.glyph}`);
    return h("div", {},
      h("h4", {}, "Lanes"),
      h("div", { class: "lanes", role: "img", "aria-label": "lanes from 0: " + text }, ...cells),
      h("p", { class: "faint" }, counts.join(", ") + "; mask " + lanes.hex(state.active, size)));
  }

  private glyphs(mask: Mask): HTMLElement {
    const size = this.page.data.timeline.warp_size;
    let text = "";
    for (let lane = 0; lane < size; lane++) text += lanes.has(mask, lane) ? "#" : "-";
    return h("code", {}, text);
  }

  // What a BSSY or BSYNC is of: "while (line 10)", "end of the while (line 10)", or "".
  private construct(index: number | undefined): string {
    const text = index === undefined ? "" : this.page.instructions.get(index)?.text ?? "";
    return text.startsWith("BS") && text.includes(" // ") ? text.slice(text.indexOf(" // ") + 4) : "";
  }

  // Lanes at a join are in the BSYNC in front of where they go on.
  private how(path: { instruction: number; text: number }): string {
    const text = this.page.data.texts[path.text], construct = this.construct(path.instruction - 1);
    return text === AT_JOIN && construct !== "" ? `wait at the ${construct}, to resume at` : text;
  }

  private paths(state: WarpState): HTMLElement {
    const masks = this.cells.histories.masks;
    if (state.waiting.length === 0) return h("p", { class: "faint" }, "No path of the warp waits: its lanes are together.");
    const at = (index: number): HTMLElement => h("div", {}, h("code", {}, this.page.instructions.get(index)?.text ?? ""), " ", this.link(index));
    const rows: (Node | string | null)[][] = lanes.isEmpty(state.active) ? []
      : [[this.glyphs(state.active), h("div", {}, "runs", at(state.instruction))]];
    for (const path of state.waiting)
      rows.push([this.glyphs(masks[path.lanes]), h("div", {}, this.how(path), at(path.instruction))]);
    return h("div", {}, h("h4", {}, "Paths of the warp"),
      table("Paths of the warp", [{ title: "Lanes", text: true }, { title: "What they do", text: true }], rows, true));
  }

  private barriers(state: WarpState): HTMLElement | null {
    const rows = [...state.convergence].filter(([, mask]) => !lanes.isEmpty(mask)).sort((a, b) => a[0] - b[0])
      .map(([number, mask]) => ["B" + number, this.construct(state.opened.get(number)).replace(/^end of (the )?/, ""), this.glyphs(mask)]);
    const waits = state.barrier < 0 ? null : h("p", {}, `Waits at block barrier ${state.barrier}.`);
    if (rows.length === 0) return waits;
    return h("div", {}, waits, h("h4", {}, "Convergence barriers"),
      table("Convergence barriers", [{ title: "Register", text: true }, { title: "Of", text: true }, { title: "Lanes that take part", text: true }], rows, true));
  }

  private requests(state: WarpState): HTMLElement | null {
    if (state.requests.length === 0) return null;
    const rows = state.requests.map((request) => [
      h("div", {}, h("code", {}, this.page.instructions.get(request.instruction)?.text ?? ""), " ", this.link(request.instruction)),
      `${countOf(state.cycle - request.cycle, "cycle")} ago`,
      request.sectors > 0 ? countOf(request.sectors, "sector") : request.wavefronts > 0 ? countOf(request.wavefronts, "wavefront") : ""]);
    return h("div", {}, h("h4", {}, "Memory in flight"),
      table("Memory in flight", [{ title: "Instruction", text: true },
        { title: "Sent", text: true }, { title: "Size", text: true }], rows, true));
  }

  private events(state: WarpState): HTMLElement | null {
    const masks = this.cells.histories.masks;
    const items = state.happened.filter((event) => KIND_TEXTS[event.kind]).map((event) => {
      let text = KIND_TEXTS[event.kind];
      if (event.kind === Kind.diverge)
        text += `: ${countOf(lanes.count(masks[event.values[0]]), "lane")} on one side, ${lanes.count(masks[event.values[1]])} on the other`;
      if (event.kind === Kind.reconverge) text += `: ${countOf(lanes.count(masks[event.values[0]]), "lane")} together`;
      if (event.kind === Kind.response)
        text += ` after ${countOf(event.values[0], "cycle")}, level ${this.page.data.levels[event.values[1]]}`;
      if (event.kind === Kind.request) text += ": " + (event.values[0] > 0 ? countOf(event.values[0], "sector") : countOf(event.values[1], "wavefront"));
      if (event.kind === Kind.stop) text += ": " + this.page.data.texts[event.values[0]];
      return h("li", {}, text);
    });
    return items.length === 0 ? null : h("div", {}, h("h4", {}, "In this cycle"), h("ul", {}, ...items));
  }

  // Warps of the sub-core: which one issued, and who could have.
  private others(place: Place, subCore: number): HTMLElement {
    let issued = "none";
    const eligible: string[] = [];
    let resident = 0;
    for (const row of this.cells.rows) {
      if (row.sm !== this.cells.rows[place.row].sm) continue;
      const cell = this.cells.at(row, place.cycle);
      if (cell < 0 || this.cells.state[cell] === EMPTY) continue;
      if (this.cells.warpAt(row, place.cycle)?.subCore !== subCore) continue;
      resident++;
      if (this.cells.state[cell] === ISSUE) issued = "warp slot " + row.slot;
      else if (this.page.data.stalls[this.cells.state[cell]].name === "not_selected") eligible.push(String(row.slot));
    }
    return h("p", { class: "faint" }, `Scheduler of sub-core ${subCore}: issued ${issued}; could have issued as well: ` +
      `${eligible.length > 0 ? "warp slots " + eligible.join(", ") : "none"}; ${countOf(resident, "warp")} there.`);
  }
}
