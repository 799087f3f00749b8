// The steps of a tour through the run: what split, who waits, where the lanes meet, what it costs, and the
// longest waits. All of it is read from the timeline.
import { Highlight, Instruction, Page, placeOf, sourceLine } from "./data";
import { countOf, grouped, percent, ratio } from "./format";
import * as lanes from "./lanes";
import { cyclesOf } from "./opening";
import { Cells, EMPTY, ISSUE, Row } from "./timeline_cells";
import { Kind, Mask, Path, Warp } from "./warp_history";

export interface Step {
  title: string;
  text: string;
  sm: number;
  slot: number;
  cycle: number; // of the run
  cycles: number; // that are shown, 0: all
}

// As in "1 lane waits", "2 lanes wait".
function verb(count: number, plural: string): string {
  if (count !== 1) return plural;
  return { are: "is", have: "has", do: "does", go: "goes", reach: "reaches" }[plural] ?? plural + "s";
}

interface Issue {
  cycle: number;
  instruction: number;
  active: Mask;
}

// What one warp did from a cycle on: issues, joins, arrivals and answers. Cycles of the run.
export class WarpStory {
  readonly issues: Issue[] = [];
  readonly events: { cycle: number; kind: Kind; instruction: number; values: number[] }[] = [];

  constructor(private readonly cells: Cells, readonly warp: Warp, private readonly from: number, until: number) {
    cells.histories.tell(warp, until - cells.histories.first, this);
  }

  private at(cycle: number): number {
    return cycle + this.cells.histories.first;
  }

  issue(cycle: number, instruction: number, active: number): void {
    if (this.at(cycle) >= this.from) this.issues.push({ cycle: this.at(cycle), instruction, active: this.cells.histories.masks[active] });
  }

  stall(): void { /* cells have it */ }

  paths(_cycle: number, _paths: Path[]): void { /* issues tell which one runs */ }

  other(cycle: number, kind: Kind, instruction: number, values: number[]): void {
    if (this.at(cycle) >= this.from) this.events.push({ cycle: this.at(cycle), kind, instruction, values });
  }
}

export class Tour {
  constructor(private readonly page: Page, private readonly cells: Cells) {}

  steps(): Step[] {
    const list: (Step | null)[] = [this.begin()];
    const failure = this.find("failure"), first = this.find("first-split") ?? this.find("worst-divergence");
    if (first) list.push(...this.split(first));
    const worst = this.find("worst-divergence");
    if (worst && first && (worst.cycle !== first.cycle || worst.block !== first.block || worst.warp !== first.warp)) list.push(this.worst(worst));
    list.push(this.barrier(this.find("longest-barrier-wait")), this.memory(this.find("longest-memory-wait")));
    if (failure) list.push(this.failure(failure));
    list.push(this.end());
    return list.filter((step): step is Step => step !== null);
  }

  // ---- words -----------------------------------------------------------------------------------

  private find(name: string): Highlight | null {
    const found = this.page.data.highlights.find((h) => h.name === name);
    return found && this.rowOf(found.sm, found.slot) && found.cycle >= this.cells.histories.first && found.cycle < this.cells.histories.end ? found : null;
  }

  private rowOf(sm: number, slot: number): Row | null {
    return this.cells.rows.find((row) => row.sm === sm && row.slot === slot) ?? null;
  }

  private warpOf(h: Highlight): Warp | null {
    const row = this.rowOf(h.sm, h.slot);
    return row && this.cells.warpAt(row, h.cycle - this.cells.histories.first);
  }

  // "kernel.cu:8, \u201cif (x > threshold) {\u201d"
  private place(index: number | null): string {
    const instruction: Instruction | undefined = index === null ? undefined : this.page.instructions.get(index);
    if (!instruction) return "an unknown instruction";
    const place = placeOf(this.page, instruction);
    return place === "" ? instruction.text : `${place}, \u201c${sourceLine(this.page, instruction.file, instruction.line)}\u201d`;
  }

  private name(h: Highlight): string {
    return `warp ${h.warp} of block ${h.block}`;
  }

  private step(h: Highlight, title: string, text: string, cycle = h.cycle, cycles = cyclesOf(h)): Step {
    return { title, text, sm: h.sm, slot: h.slot, cycle, cycles };
  }

  // ---- steps -----------------------------------------------------------------------------------

  private begin(): Step | null {
    const row = this.cells.rows[0];
    if (!row) return null;
    const { run, data } = this.page, launch = data.launches[0];
    const issues = run.lane_efficiency === null ? "" : ` On average ${ratio(run.thread_instructions, run.warp_instructions, 1)} of ${data.timeline.warp_size} lanes are active.`;
    return { title: "The run", sm: row.sm, slot: row.slot, cycle: Math.max(row.warps[0].begin, this.cells.histories.first), cycles: 0,
      text: `${launch ? launch.kernel : ""} runs ${countOf(run.blocks.launched, "block")} in ${countOf(run.warps.launched, "warp")} and takes ${countOf(run.cycles, "cycle")}. ` +
        `Each row is a warp slot of an SM, each column a cycle: green where the warp issues, else the colour of the reason why it does not.${issues}` };
  }

  private split(h: Highlight): (Step | null)[] {
    const warp = this.warpOf(h);
    if (!warp) return [];
    const story = new WarpStory(this.cells, warp, h.cycle, Math.min(h.end, this.cells.histories.end));
    const told = story.events.find((event) => event.kind === Kind.diverge && event.cycle === h.cycle);
    const next = story.issues.find((issue) => issue.cycle > h.cycle);
    if (!told || !next) return [];
    const masks = this.cells.histories.masks, sides = told.values.map((value) => masks[value]);
    const running = sides.find((side) => lanes.count(lanes.minus(next.active, side)) === 0) ?? next.active;
    const waiting = sides.find((side) => side !== running) ?? lanes.NONE;
    const branch = this.page.instructions.get(h.instruction ?? -1);
    const n = (mask: Mask): string => countOf(lanes.count(mask), "lane"), is = lanes.count;
    const joins = /\b(BSYNC|WARPSYNC)\b/.test(this.page.instructions.get(next.instruction)?.text ?? "");
    const go = joins ? `${n(running)} ${verb(is(running), "have")} no work on their side, and ${verb(is(running), "reach")} the reconvergence point immediately`
      : `${n(running)} ${verb(is(running), "continue")} at ${this.place(next.instruction)}`;
    return [
      this.step(h, "What diverges", `At ${this.place(h.instruction)} ${this.name(h)} diverges: ${n(sides[0])} ${verb(is(sides[0]), "take")} the branch, ${is(sides[1])} ${verb(is(sides[1]), "do")} not.` +
        (branch && branch.divergent > 1 ? ` This branch diverges ${grouped(branch.divergent)} of ${grouped(branch.issued)} times in this run.` : "")),
      this.step(h, "Which lanes run first", `A warp issues for one path at a time. ${go}; ` +
        `${n(waiting)} ${verb(is(waiting), "wait")}: the grey band in the row.`, next.cycle),
      this.turn(h, story, waiting), this.meeting(h, story), this.cost(h),
    ];
  }

  // When the lanes that waited at first run.
  private turn(h: Highlight, story: WarpStory, waiting: Mask): Step | null {
    const turn = story.issues.find((issue) => issue.cycle > h.cycle && lanes.count(lanes.minus(issue.active, waiting)) === 0);
    if (!turn || lanes.isEmpty(waiting)) return null;
    return this.step(h, "The other lanes", `After ${countOf(turn.cycle - h.cycle, "cycle")} the ${countOf(lanes.count(waiting), "lane")} that waited ${verb(lanes.count(waiting), "run")}, at ${this.place(turn.instruction)}; ` +
      "now the others wait.", turn.cycle);
  }

  private meeting(h: Highlight, story: WarpStory): Step | null {
    const last = story.events.filter((event) => event.kind === Kind.reconverge && event.cycle <= h.end).pop();
    if (!last) return null;
    const mask = this.cells.histories.masks[last.values[0]], after = story.issues.find((issue) => issue.cycle > last.cycle);
    return this.step(h, "Where they reconverge", `At cycle ${grouped(last.cycle)} the paths reconverge: ${countOf(lanes.count(mask), "lane")} ${verb(lanes.count(mask), "are")} together again` +
      (after ? `, and continue at ${this.place(after.instruction)}.` : "."), last.cycle);
  }

  private cost(h: Highlight): Step {
    const size = this.page.data.timeline.warp_size;
    const text = `The warp was diverged for ${countOf(h.end - h.cycle, "cycle")}. In them it issued ${countOf(h.instructions, "instruction")} with ` +
      `${ratio(h.lanes, h.instructions, 1)} of ${size} lanes on average, while ${ratio(h.waiting, h.instructions, 1)} waited. The two paths run one after the other.`;
    return this.step(h, "What it costs", text, h.cycle, Math.round(1.4 * (h.end - h.cycle)));
  }

  private worst(h: Highlight): Step {
    return this.step(h, "The worst divergence", `Most lanes wait in ${this.name(h)} on SM ${h.sm}, split at ${this.place(h.instruction)}: ` +
      `${countOf(h.instructions, "instruction")} with ${ratio(h.lanes, h.instructions, 1)} lanes on average, while ${ratio(h.waiting, h.instructions, 1)} wait.`);
  }

  // Whom a warp waited for: the warp of its block that came last.
  private barrier(h: Highlight | null): Step | null {
    if (!h) return null;
    let last: { cycle: number; warp: Warp } | null = null;
    for (const warp of this.cells.histories.warps) {
      if (warp.sm !== h.sm || warp.block !== h.block || warp.launch !== h.launch || warp.warpInBlock === h.warp) continue;
      const story = new WarpStory(this.cells, warp, h.cycle - this.page.data.timeline.warp_slots, Math.min(h.end, this.cells.histories.end));
      for (const event of story.events)
        if (event.kind === Kind.arrive && event.cycle <= h.end && (!last || event.cycle > last.cycle)) last = { cycle: event.cycle, warp };
    }
    const whom = last && last.cycle >= h.cycle ? ` Warp ${last.warp.warpInBlock} of the block arrives last, at cycle ${grouped(last.cycle)}.` : "";
    return this.step(h, "The longest wait at a barrier",
      `${this.name(h).replace(/^w/, "W")} waits ${countOf(h.end - h.cycle, "cycle")} for the other warps of its block.${whom}`);
  }

  // Which level answered, and what the others of the sub-core issued meanwhile.
  private memory(h: Highlight | null): Step | null {
    const warp = h && this.warpOf(h);
    if (!h || !warp) return null;
    const story = new WarpStory(this.cells, warp, h.cycle, Math.min(h.end, this.cells.histories.end));
    const answer = story.events.filter((event) => event.kind === Kind.response).pop();
    const level = answer ? ` The response comes from ${this.page.data.levels[answer.values[1]]}, ${countOf(answer.values[0], "cycle")} after the request.` : "";
    const issued = this.issuedMeanwhile(h, warp);
    return this.step(h, "The longest wait for memory", `${this.name(h).replace(/^w/, "W")} waits ${countOf(h.end - h.cycle, "cycle")} for a value, at ${this.place(h.instruction)}.${level} ` +
      `Meanwhile its sub-core issues ${countOf(issued, "instruction")} of other warps: ${percent(issued, h.end - h.cycle)} of its issue slots.`);
  }

  private issuedMeanwhile(h: Highlight, warp: Warp): number {
    const first = this.cells.histories.first;
    let count = 0;
    for (const row of this.cells.rows) {
      if (row.sm !== h.sm || row.slot === h.slot) continue;
      for (let cell = Math.max(this.cells.at(row, h.cycle - first), row.from); cell < row.to && this.cells.cycle[cell] < h.end - first; cell++)
        if (this.cells.state[cell] === ISSUE && this.cells.cycle[cell] >= h.cycle - first && this.cells.warpAt(row, this.cells.cycle[cell])?.subCore === warp.subCore) count++;
    }
    return count;
  }

  private failure(h: Highlight): Step {
    const error = this.page.run.error;
    return this.step(h, "Where it fails", `${this.page.run.status}: ${error ? error.message : ""}. ${this.name(h).replace(/^w/, "W")} is at ${this.place(h.instruction)}.`);
  }

  private end(): Step | null {
    const cause = this.page.run.bottlenecks[0], row = this.cells.rows[0];
    if (!cause || !row) return null;
    let cell = row.to - 1;
    while (cell > row.from && this.cells.state[cell] === EMPTY) cell--;
    return { title: "In short", text: cause.text, sm: row.sm, slot: row.slot, cycle: this.cells.cycle[cell] + this.cells.histories.first, cycles: 0 };
  }
}
