// What happened where: a list that leads into the timeline.
import { Highlight, Page } from "./data";
import { byId, h, put } from "./dom";
import { countOf, grouped, ratio } from "./format";
import { ShowLine, instructionLink } from "./sections";

export interface Visit {
  // Whether the timeline shows the cycle there.
  has(sm: number, slot: number, cycle: number): boolean;
  go(sm: number, slot: number, cycle: number, cycles: number, why: string): void;
}

// "6,245 cycles, from cycle 1,154", and what lanes did while the warp was split.
export function describe(highlight: Highlight): string {
  const cycles = highlight.end - highlight.cycle;
  const when = cycles === 1 ? `cycle ${grouped(highlight.cycle)}` : `${countOf(cycles, "cycle")} from cycle ${grouped(highlight.cycle)}`;
  const split = highlight.instructions === 0 ? ""
    : `: ${countOf(highlight.instructions, "instruction")} with ${ratio(highlight.lanes, highlight.instructions, 1)} lanes on average, ` +
      `while ${ratio(highlight.waiting, highlight.instructions, 1)} wait`;
  return `block ${highlight.block} warp ${highlight.warp} on SM ${highlight.sm}, ${when}${split}`;
}

export function drawHighlights(page: Page, visit: Visit, cyclesOf: (highlight: Highlight) => number, show: ShowLine): void {
  const items = page.data.highlights.map((highlight) => {
    const instruction = highlight.instruction === null ? undefined : page.instructions.get(highlight.instruction);
    const there = visit.has(highlight.sm, highlight.slot, highlight.cycle);
    const button = h("button", { type: "button", class: "link", title: highlight.help }, highlight.title);
    button.addEventListener("click", () =>
      visit.go(highlight.sm, highlight.slot, highlight.cycle, cyclesOf(highlight), highlight.title));
    return h("li", {}, there ? button : h("b", { title: highlight.help }, highlight.title), ": " + describe(highlight) + (instruction && instruction.before !== "" ? " in " : " "),
      instructionLink(page, instruction, show),
      there ? null : h("span", { class: "faint" }, ` (not in this timeline: --at ${highlight.name} shows it)`));
  });
  put(byId("highlights"), ...items);
  byId("highlights").hidden = items.length === 0;
}
