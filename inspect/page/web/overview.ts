// The whole window in one strip: which share of the warps was in which state, and the part that the
// timeline shows.
import { pixel, Theme } from "./colours";
import { EMPTY, Cells } from "./timeline_cells";
import { LABEL_WIDTH, TimelineView } from "./timeline_view";

const STATES = 16, SLICE = 16; // milliseconds

export class Overview {
  private shares = new Float64Array(0);
  private row = 0;

  constructor(readonly canvas: HTMLCanvasElement, readonly frame: HTMLElement, readonly view: TimelineView,
    readonly cells: Cells, private theme: Theme) {
    let held = false;
    const go = (event: PointerEvent): void => {
      const share = event.offsetX / this.canvas.clientWidth;
      view.move(share * view.cycles - view.plotWidth / view.scale / 2, view.top);
    };
    canvas.addEventListener("pointerdown", (event) => {
      held = true;
      canvas.setPointerCapture(event.pointerId);
      go(event);
    });
    canvas.addEventListener("pointermove", (event) => held && go(event));
    canvas.addEventListener("pointerup", () => (held = false));
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.paint();
  }

  // Counts, in slices of time, then paints.
  count(): void {
    this.canvas.style.marginLeft = LABEL_WIDTH + "px";
    this.canvas.width = Math.max(Math.round(this.canvas.clientWidth * (devicePixelRatio || 1)), 1);
    this.canvas.height = Math.max(Math.round(this.canvas.clientHeight * (devicePixelRatio || 1)), 1);
    this.shares = new Float64Array(this.canvas.width * STATES);
    this.row = 0;
    this.go(this.shares);
  }

  private go(shares: Float64Array): void {
    const begin = performance.now();
    if (shares !== this.shares) return; // counted anew since
    while (this.row < this.cells.rows.length && performance.now() - begin < SLICE) this.countRow(this.row++);
    if (this.row < this.cells.rows.length) setTimeout(() => this.go(shares), 0);
    else this.paint();
  }

  private countRow(index: number): void {
    const row = this.cells.rows[index], { cycle, state } = this.cells;
    const scale = this.canvas.width / this.view.cycles;
    for (let cell = row.from; cell < row.to; cell++) {
      if (state[cell] === EMPTY) continue;
      const from = cycle[cell] * scale, to = this.cells.endOf(row, cell) * scale;
      for (let x = Math.floor(from); x < to && x < this.canvas.width; x++)
        this.shares[x * STATES + state[cell]] += Math.min(to, x + 1) - Math.max(from, x);
    }
  }

  private paint(): void {
    const context = this.canvas.getContext("2d") as CanvasRenderingContext2D;
    const { width, height } = this.canvas;
    const image = context.createImageData(width, height);
    const memory = new Uint32Array(image.data.buffer).fill(pixel(this.theme.background));
    const colours = this.theme.stalls.map(pixel), warps = Math.max(this.cells.rows.length, 1);
    for (let x = 0; x < width; x++) {
      let y = height;
      for (let state = 0; state < STATES; state++) {
        const end = Math.max(y - (this.shares[x * STATES + state] / warps) * height, 0);
        for (let line = Math.round(end); line < Math.round(y); line++) memory[line * width + x] = colours[state];
        y = end;
      }
    }
    context.putImageData(image, 0, 0);
    this.follow();
  }

  // Puts the frame around what the timeline shows.
  follow(): void {
    const view = this.view, width = this.canvas.clientWidth;
    const shown = view.plotWidth / view.scale / view.cycles;
    this.frame.style.left = LABEL_WIDTH + (view.left / view.cycles) * width + "px";
    this.frame.style.width = Math.max(Math.min(shown, 1) * width, 3) + "px";
  }
}
