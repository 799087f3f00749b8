// The cell that a page opens at: one that says something before anything is clicked.
import { Cells, EMPTY, ISSUE } from "./timeline_cells";
import { Place } from "./timeline_view";

export interface Opening {
  place: Place;
  why: string;
}

// The first split of the timeline; without one the longest wait; null where no warp is shown.
export function openingOf(cells: Cells): Opening | null {
  let first: Place | null = null;
  for (const split of cells.splits) {
    const place = { row: cells.rows.indexOf(split.row), cycle: split.cycle };
    if (!first || place.cycle < first.cycle || (place.cycle === first.cycle && place.row < first.row)) first = place;
  }
  if (first) return { place: first, why: "The first split of the timeline." };
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
  return place && { place, why: longest > 0 ? "The longest wait of the timeline." : "The first issue of the timeline." };
}
