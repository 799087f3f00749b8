// The cell that a page opens at: one that says something before anything is clicked.
import { Highlight, Page } from "./data";
import { Cells, EMPTY, ISSUE } from "./timeline_cells";
import { Place } from "./timeline_view";

export interface Opening {
  place: Place;
  cycles: number; // that the view shows with it; 0: all
  why: string;
}

// The cell of a cycle of the run, or null where the timeline does not show it.
export function placeOf(cells: Cells, sm: number, slot: number, cycle: number): Place | null {
  const row = cells.rows.findIndex((r) => r.sm === sm && r.slot === slot);
  const { first, end } = cells.histories;
  return row < 0 || cycle < first || cycle >= end ? null : { row, cycle: cycle - first };
}

// Cycles that a highlight is looked at with: a wait as a whole, of a split its begin.
export function cyclesOf(highlight: Highlight): number {
  if (highlight.name === "last-warp") return 0;
  return highlight.name.endsWith("-wait") ? Math.round(1.6 * (highlight.end - highlight.cycle)) : SPLIT_CYCLES;
}

const SPLIT_CYCLES = 64;

// What the run opens at, else the first split of the timeline, else the longest wait; null where no warp is shown.
export function openingOf(page: Page, cells: Cells): Opening | null {
  const highlight = page.data.highlights[page.data.opening];
  const place = highlight ? placeOf(cells, highlight.sm, highlight.slot, highlight.cycle) : null;
  if (place) return { place, cycles: cyclesOf(highlight), why: capital(highlight.title) + ": " + highlight.help + "." };
  return firstSplit(cells) ?? longestWait(cells);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function firstSplit(cells: Cells): Opening | null {
  let first: Place | null = null;
  for (const split of cells.splits) {
    const place = { row: cells.rows.indexOf(split.row), cycle: split.cycle };
    if (!first || place.cycle < first.cycle || (place.cycle === first.cycle && place.row < first.row)) first = place;
  }
  return first && { place: first, cycles: SPLIT_CYCLES, why: "The first divergence of the timeline." };
}

function longestWait(cells: Cells): Opening | null {
  let longest = -1, place: Place | null = null;
  cells.rows.forEach((row, i) => {
    for (let cell = row.from; cell < row.to; cell++) {
      if (cells.state[cell] === EMPTY) continue;
      const cycles = cells.state[cell] === ISSUE ? 0 : cells.endOf(row, cell) - cells.cycle[cell];
      if (cycles > longest) {
        longest = cycles;
        place = { row: i, cycle: cells.cycle[cell] };
      }
    }
  });
  return place && { place, cycles: Math.round(1.6 * longest), why: longest > 0 ? "The longest wait of the timeline." : "The first issue of the timeline." };
}
