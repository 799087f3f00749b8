// The timeline on its canvas: rows are warp slots, columns are cycles. It draws into the memory of
// the canvas, in slices of time, so that a page with millions of cells stays quick.
import { blend, letterColour, pixel, Theme } from "./colours";
import { EMPTY, ISSUE, Cells, Row } from "./timeline_cells";
import { Page } from "./data";
import { grouped } from "./format";

export type Colouring = "stall" | "pipe";

export interface Place {
  row: number;
  cycle: number; // of the window
}

const AXIS = 22, LABELS = 84, SLICE = 8; // CSS pixels; milliseconds
const WIDEST = 48; // CSS pixels a cycle
const STATES = 17; // stall reasons, and no warp

export class TimelineView {
  scale = 1; // CSS pixels a cycle
  left = 0; // cycle at the left edge
  top = 0; // CSS pixels scrolled down
  rowHeight = 18;
  colouring: Colouring = "stall";
  selected: Place | null = null;
  covered = Infinity; // from this cycle on nothing is shown
  onView: () => void = () => undefined;
  private width = 0;
  private height = 0;
  private ratio = 1;
  private pending = 0;
  private nextRow = 0;
  private plot: ImageData | null = null;
  private readonly context: CanvasRenderingContext2D;
  private stallPixels: number[] = [];
  private pipePixels: number[] = [];
  private readonly share = new Float64Array(64);

  constructor(readonly canvas: HTMLCanvasElement, readonly cells: Cells, readonly page: Page, private theme: Theme) {
    this.context = canvas.getContext("2d", { alpha: false }) as CanvasRenderingContext2D;
    this.setTheme(theme);
  }

  get cycles(): number {
    return Math.max(this.cells.histories.end - this.cells.histories.first, 1);
  }

  get plotWidth(): number {
    return Math.max(this.width - LABELS, 1);
  }

  get plotHeight(): number {
    return Math.max(this.height - AXIS, 1);
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.stallPixels = theme.stalls.map(pixel);
    this.pipePixels = theme.pipes.map(pixel);
    this.draw();
  }

  resize(): void {
    this.ratio = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.canvas.width = Math.max(Math.round(this.width * this.ratio), 1);
    this.canvas.height = Math.max(Math.round(this.height * this.ratio), 1);
    this.move(this.left, this.top);
  }

  fit(): void {
    this.scale = this.plotWidth / this.cycles;
    this.move(0, this.top);
  }

  move(left: number, top: number): void {
    this.scale = this.allowed(this.scale);
    this.left = Math.min(Math.max(left, 0), Math.max(this.cycles - this.plotWidth / this.scale, 0));
    this.top = Math.min(Math.max(top, 0), Math.max(this.cells.rows.length * this.rowHeight - this.plotHeight, 0));
    this.onView();
    this.draw();
  }

  // No cell is wider than it need be, but the window fills the canvas.
  private allowed(scale: number): number {
    return Math.max(Math.min(scale, WIDEST), this.plotWidth / this.cycles);
  }

  // Zooms so that the cycle under `x`, in CSS pixels of the canvas, stays where it is.
  zoom(factor: number, x = LABELS + this.plotWidth / 2): void {
    const under = this.left + (x - LABELS) / this.scale;
    this.scale = this.allowed(this.scale * factor);
    this.move(under - (x - LABELS) / this.scale, this.top);
  }

  setRowHeight(height: number): void {
    this.rowHeight = Math.min(Math.max(height, 6), 96);
    this.move(this.left, this.top);
  }

  placeAt(x: number, y: number): Place | null {
    const row = Math.floor((y - AXIS + this.top) / this.rowHeight);
    const cycle = Math.floor(this.left + (x - LABELS) / this.scale);
    if (x < LABELS || y < AXIS || row < 0 || row >= this.cells.rows.length) return null;
    return { row, cycle: Math.min(Math.max(cycle, 0), this.cycles - 1) };
  }

  // Moves no more than is needed to see the place.
  reveal(place: Place): void {
    const span = this.plotWidth / this.scale;
    let left = this.left, top = this.top;
    const margin = Math.min(span / 4, 40 / this.scale + 2);
    if (place.cycle < left + margin) left = place.cycle - margin;
    else if (place.cycle + 1 > left + span - margin) left = place.cycle + 1 - span + margin;
    if (place.row * this.rowHeight < top) top = place.row * this.rowHeight;
    else if ((place.row + 1) * this.rowHeight > top + this.plotHeight)
      top = (place.row + 1) * this.rowHeight - this.plotHeight;
    this.move(left, top);
  }

  // So many cycles (0: all) with the place a quarter from the left, and its SM on top.
  show(place: Place, cycles: number): void {
    if (cycles === 0) this.scale = 0;
    else this.scale = Math.min(Math.max(this.plotWidth / Math.max(cycles, 1), this.plotWidth / this.cycles), WIDEST);
    this.scale = this.allowed(this.scale);
    const sm = this.cells.rows[place.row]?.sm, first = this.cells.rows.findIndex((row) => row.sm === sm);
    this.move(place.cycle - this.plotWidth / this.scale / 4, first * this.rowHeight);
    this.reveal(place);
  }

  draw(): void {
    this.nextRow = -1;
    if (this.pending === 0) this.pending = requestAnimationFrame(() => this.paint());
  }

  // ---- painting --------------------------------------------------------------------------------

  private paint(): void {
    const begin = performance.now();
    this.pending = 0;
    const width = Math.round(this.plotWidth * this.ratio), height = Math.round(this.plotHeight * this.ratio);
    if (this.width === 0) return;
    if (!this.plot || this.plot.width !== width || this.plot.height !== height)
      this.plot = this.context.createImageData(width, height);
    const memory = new Uint32Array(this.plot.data.buffer);
    const firstRow = Math.floor(this.top / this.rowHeight);
    if (this.nextRow < 0) {
      this.nextRow = firstRow;
      memory.fill(pixel(this.theme.background));
    }
    const paintedRow = this.nextRow;
    while (this.nextRow < this.cells.rows.length && this.rowTop(this.nextRow) < height) {
      this.paintRow(memory, width, height, this.nextRow++);
      if (performance.now() - begin > SLICE) {
        this.pending = requestAnimationFrame(() => this.paint());
        break;
      }
    }
    // Only the rows of this slice: those below stay as they were until their turn comes.
    const from = Math.max(this.rowTop(paintedRow), 0), to = this.pending === 0 ? height : Math.min(this.rowTop(this.nextRow), height);
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    this.context.putImageData(this.plot, Math.round(LABELS * this.ratio), Math.round(AXIS * this.ratio), 0, from, width, to - from);
    this.context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    if (this.pending === 0) this.paintLetters();
    this.paintCover();
    this.paintLabels(firstRow);
    this.paintAxis();
    this.paintSelected();
  }

  // In pixels of the plot.
  private rowTop(row: number): number {
    return Math.round((row * this.rowHeight - this.top) * this.ratio);
  }

  private paintRow(memory: Uint32Array, width: number, height: number, index: number): void {
    const row = this.cells.rows[index];
    const scale = this.scale * this.ratio;
    const top = this.rowTop(index), bottom = this.rowTop(index + 1) - Math.max(1, Math.round(this.ratio));
    let cell = this.cells.at(row, Math.floor(this.left));
    if (cell < 0) cell = row.from;
    const pieces = { memory, width, height, top, bottom };
    if (scale >= 1) this.paintCells(pieces, row, cell, scale);
    else this.paintColumns(pieces, row, cell, scale);
  }

  private paintCells(pieces: Pieces, row: Row, cell: number, scale: number): void {
    const { cycle, state } = this.cells;
    for (; cell < row.to; cell++) {
      const from = Math.max(Math.round((cycle[cell] - this.left) * scale), 0);
      if (from >= pieces.width) break;
      if (state[cell] === EMPTY) continue;
      const to = Math.min(Math.round((this.cells.endOf(row, cell) - this.left) * scale), pieces.width);
      // A gap between cells, once they are wide enough to be told apart.
      const gap = scale >= 6 * this.ratio ? 1 : 0;
      this.paintBands(pieces, from, Math.max(to - gap, from), this.cells.partition[cell], this.colourOf(cell));
    }
  }

  private colourOf(cell: number): number {
    const state = this.cells.state[cell];
    if (this.colouring === "stall") return this.stallPixels[state];
    if (state !== ISSUE) return pixel(this.theme.idle);
    return this.pipePixels[this.pipeOf(cell)];
  }

  private pipeOf(cell: number): number {
    const instruction = this.page.instructions.get(this.cells.instruction[cell]);
    return instruction ? instruction.pipe : 0;
  }

  // Several cycles a column: the state that most of it was in.
  private paintColumns(pieces: Pieces, row: Row, cell: number, scale: number): void {
    const { cycle, state } = this.cells;
    let column = 0, edge = this.left + 1 / scale, longest = 0, partition = 0, any = false;
    const share = this.share.fill(0);
    const flush = (): void => {
      if (any) this.paintBands(pieces, column, column + 1, partition, this.columnColour(share));
      share.fill(0);
      any = false;
      longest = 0;
    };
    for (; cell < row.to && column < pieces.width; cell++) {
      let from = Math.max(cycle[cell], this.left);
      const end = this.cells.endOf(row, cell);
      while (from < end && column < pieces.width) {
        const until = Math.min(end, edge), part = until - from;
        const value = state[cell];
        if (value !== EMPTY) {
          any = true;
          share[this.colouring === "pipe" && value === ISSUE ? STATES + this.pipeOf(cell) : value] += part;
          if (part >= longest || this.cells.partitions[this.cells.partition[cell]].split) partition = this.cells.partition[cell];
          longest = Math.max(longest, part);
        }
        from = until;
        if (until === edge || until >= edge) {
          flush();
          column++;
          edge = this.left + (column + 1) / scale;
        }
      }
    }
    if (column < pieces.width) flush();
  }

  private columnColour(share: Float64Array): number {
    let best = 0, sum = 0, pipe = STATES, issued = 0;
    for (let i = 0; i < STATES; i++) {
      sum += share[i];
      if (share[i] > share[best]) best = i;
    }
    if (this.colouring === "stall") return this.stallPixels[best];
    for (let i = STATES; i < STATES + this.pipePixels.length; i++) {
      issued += share[i];
      if (share[i] > share[pipe]) pipe = i;
    }
    return blend(pixel(this.theme.idle), this.pipePixels[pipe - STATES], Math.sqrt(issued / (sum + issued || 1)));
  }

  // A warp's lanes from top to bottom, by path; lanes that have exited leave their place empty.
  private paintBands(pieces: Pieces, from: number, to: number, number: number, colour: number): void {
    const { memory, width, height } = pieces;
    const partition = this.cells.partitions[number];
    const whole = pieces.bottom - pieces.top;
    let lanes = 0, y = pieces.top;
    for (const band of partition.bands) {
      lanes += band.lanes;
      let end = pieces.top + Math.round((whole * lanes) / this.page.data.timeline.warp_size);
      if (partition.bands.length === 1 && partition.bands[0].lanes === 0) end = pieces.bottom;
      end = Math.min(Math.max(end, y + 1), pieces.bottom);
      const value = band.runs ? colour : pixel(this.theme.waiting);
      for (let line = Math.max(y, 0); line < Math.min(end, height); line++)
        if (to - from === 1) memory[line * width + from] = value;
        else memory.fill(value, line * width + from, line * width + to);
      y = end;
    }
  }

  // ---- texts -----------------------------------------------------------------------------------

  private paintLetters(): void {
    if (this.scale < 10 || this.rowHeight < 12) return;
    const c = this.context, cells = this.cells;
    c.save();
    c.beginPath();
    c.rect(LABELS, AXIS, this.plotWidth, this.plotHeight);
    c.clip();
    c.font = "bold 9px ui-monospace, monospace";
    c.textAlign = "center";
    c.textBaseline = "middle";
    const lastRow = Math.min(cells.rows.length, Math.ceil((this.top + this.plotHeight) / this.rowHeight));
    for (let index = Math.floor(this.top / this.rowHeight); index < lastRow; index++) {
      const row = cells.rows[index], y = AXIS + index * this.rowHeight - this.top;
      for (let cell = Math.max(cells.at(row, Math.floor(this.left)), row.from); cell < row.to; cell++) {
        const x = LABELS + (cells.cycle[cell] - this.left) * this.scale;
        if (x > this.width) break;
        if (cells.state[cell] !== EMPTY && x >= LABELS - this.scale) this.paintLetter(cell, x, y);
      }
    }
    c.restore();
  }

  private paintLetter(cell: number, x: number, y: number): void {
    const state = this.cells.state[cell];
    let colour = this.theme.stalls[state], letter = this.page.data.stalls[state].letter;
    if (this.colouring === "pipe") {
      if (state !== ISSUE) return;
      const pipe = this.pipeOf(cell);
      colour = this.theme.pipes[pipe];
      letter = this.page.data.pipes[pipe].charAt(0).toUpperCase();
    }
    // In the middle of the lanes that run.
    const size = this.page.data.timeline.warp_size;
    let before = 0, middle = this.rowHeight / 2;
    for (const band of this.cells.partitions[this.cells.partition[cell]].bands) {
      if (band.runs) {
        middle = ((before + band.lanes / 2) / size) * (this.rowHeight - 1);
        if ((band.lanes / size) * this.rowHeight < 8) return;
        break;
      }
      before += band.lanes;
    }
    this.context.fillStyle = letterColour(colour);
    this.context.fillText(letter, x + this.scale / 2, y + middle + 0.5);
  }

  private paintCover(): void {
    const c = this.context, x = Math.max(LABELS + (this.covered - this.left) * this.scale, LABELS);
    if (x >= this.width) return;
    c.fillStyle = this.theme.idle;
    c.fillRect(x, AXIS, this.width - x, this.plotHeight);
    c.fillStyle = this.theme.faint;
    c.font = "24px ui-monospace, monospace";
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.fillText("?", (x + this.width) / 2, AXIS + this.plotHeight / 2);
  }

  private paintLabels(firstRow: number): void {
    const c = this.context, rows = this.cells.rows;
    c.fillStyle = this.theme.background;
    c.fillRect(0, AXIS, LABELS, this.height - AXIS);
    c.font = "11px ui-monospace, monospace";
    c.textAlign = "left";
    c.textBaseline = "middle";
    const several = this.page.data.timeline.sms.length > 1;
    const each = Math.max(1, Math.ceil(12 / this.rowHeight));
    for (let i = firstRow; i < rows.length; i++) {
      const y = AXIS + i * this.rowHeight - this.top;
      if (y > this.height) break;
      const first = i === 0 || rows[i - 1].sm !== rows[i].sm;
      if (several && first && i > 0) {
        c.fillStyle = this.theme.line;
        c.fillRect(0, y - 1, this.width, 1);
      }
      if (i % each !== 0 || y + this.rowHeight / 2 < AXIS + 5) continue;
      const chosen = this.selected !== null && this.selected.row === i;
      c.fillStyle = chosen ? this.theme.accent : this.theme.text;
      c.fillText((several ? "sm" + rows[i].sm + " " : "warp ") + (several ? "w" : "") + rows[i].slot, 4, y + this.rowHeight / 2);
    }
  }

  private paintAxis(): void {
    const c = this.context;
    c.fillStyle = this.theme.background;
    c.fillRect(0, 0, this.width, AXIS);
    let step = 1;
    for (let i = 0; step * this.scale < 90; i++) step *= i % 3 === 1 ? 2.5 : 2;
    step = Math.round(step);
    const first = this.cells.histories.first;
    c.font = "11px ui-monospace, monospace";
    c.textBaseline = "middle";
    c.textAlign = "left";
    for (let at = Math.ceil((first + this.left) / step) * step; ; at += step) {
      const x = LABELS + (at - first - this.left) * this.scale;
      if (x > this.width - 4) break;
      c.fillStyle = this.theme.line;
      c.fillRect(x, AXIS - 6, 1, 6);
      c.fillStyle = this.theme.faint;
      const text = grouped(at);
      if (x + 3 + c.measureText(text).width <= this.width) c.fillText(text, x + 3, AXIS / 2 - 1);
    }
    c.fillStyle = this.theme.faint;
    c.fillText("cycle", 4, AXIS / 2 - 1);
    c.fillStyle = this.theme.line;
    c.fillRect(LABELS, AXIS - 1, this.plotWidth, 1);
  }

  private paintSelected(): void {
    if (!this.selected) return;
    const c = this.context, x = LABELS + (this.selected.cycle - this.left) * this.scale;
    const y = AXIS + this.selected.row * this.rowHeight - this.top;
    if (x + this.scale < LABELS || x > this.width) return;
    c.save();
    c.beginPath();
    c.rect(LABELS, AXIS, this.plotWidth, this.plotHeight);
    c.clip();
    c.fillStyle = this.theme.accent;
    c.globalAlpha = 0.2;
    c.fillRect(x, AXIS, Math.max(this.scale, 1), this.plotHeight);
    c.globalAlpha = 1;
    c.strokeStyle = this.theme.accent;
    c.lineWidth = 2;
    c.strokeRect(x - 1, y, Math.max(this.scale, 3) + 1, this.rowHeight - 1);
    c.restore();
  }
}

interface Pieces {
  memory: Uint32Array;
  width: number;
  height: number;
  top: number;
  bottom: number;
}

export const LABEL_WIDTH = LABELS;
