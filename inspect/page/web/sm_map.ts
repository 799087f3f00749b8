// All SMs over the time of the run: a map to choose from, and the same as a table.
import { Theme, blend, pixel } from "./colours";
import { Page, SmRow } from "./data";
import { byId, h, put, table } from "./dom";
import { countOf, grouped, percent, ratio } from "./format";
import { Visit } from "./highlights";

const LEAST = 4, MOST = 16, HEIGHT = 360; // CSS pixels: of a row, and of all of them about

const enum Column { number, blocks, warps, first, end, splits, waiting, stalls, warpCycles, issues, lanes }

interface Measure {
  title: string;
  value: (page: Page, row: SmRow, span: number) => number; // 0 to 1, NaN: nothing was there
  text: (page: Page, row: SmRow, span: number) => string;
}

const MEASURES: { [name: string]: Measure } = {
  issues: {
    title: "instructions a cycle",
    value: (page, row, span) => row[Column.issues][span] / (page.data.sms.width * page.data.timeline.sub_cores),
    text: (page, row, span) => ratio(row[Column.issues][span], page.data.sms.width, 2) + " instructions a cycle",
  },
  lanes: {
    title: "active lanes",
    value: (page, row, span) => row[Column.lanes][span] / (row[Column.issues][span] * page.data.timeline.warp_size),
    text: (_page, row, span) => ratio(row[Column.lanes][span], row[Column.issues][span], 1) + " lanes an instruction",
  },
  warps: {
    title: "resident warps",
    value: (page, row, span) => row[Column.warpCycles][span] / (page.data.sms.width * page.data.timeline.warp_slots),
    text: (page, row, span) => ratio(row[Column.warpCycles][span], page.data.sms.width, 1) + " warps",
  },
};

const ORDERS: { [name: string]: (a: SmRow, b: SmRow) => number } = {
  number: (a, b) => a[Column.number] - b[Column.number],
  waiting: (a, b) => b[Column.waiting] - a[Column.waiting],
  barrier: (a, b) => b[Column.stalls][SmMap.barrier] - a[Column.stalls][SmMap.barrier],
  end: (a, b) => b[Column.end] - a[Column.end],
};

export class SmMap {
  static barrier = 0; // number of the stall reason
  private rows: SmRow[];
  private readonly canvas = byId("sm-canvas") as HTMLCanvasElement;

  constructor(private readonly page: Page, private theme: Theme, private readonly visit: Visit) {
    SmMap.barrier = page.data.stalls.findIndex((stall) => stall.name === "barrier");
    this.rows = page.data.sms.rows.slice();
    byId("sm-order").addEventListener("change", () => this.draw());
    byId("sm-measure").addEventListener("change", () => this.draw());
    this.canvas.addEventListener("pointermove", (event) => this.hover(event));
    this.canvas.addEventListener("click", (event) => this.choose(event));
    new ResizeObserver(() => this.paint()).observe(this.canvas);
    this.draw();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.paint();
  }

  private value(id: string): string {
    return (byId(id) as HTMLSelectElement).value;
  }

  private draw(): void {
    const order = ORDERS[this.value("sm-order")];
    this.rows.sort((a, b) => order(a, b) || ORDERS.number(a, b));
    const height = Math.min(Math.max(Math.floor(HEIGHT / Math.max(this.rows.length, 1)), LEAST), MOST);
    this.canvas.style.height = Math.max(this.rows.length * height, 1) + "px";
    put(byId("sm-table"), this.table());
    this.paint();
  }

  private mostly(row: SmRow): string {
    const stalls = row[Column.stalls];
    let most = 1;
    for (let i = 2; i < stalls.length; i++) if (stalls[i] > stalls[most]) most = i;
    return stalls[most] > 0 ? this.page.data.stalls[most].name : "";
  }

  private table(): HTMLElement {
    const rows = this.rows.map((row) => {
      const issued = row[Column.stalls][0], lanes = row[Column.lanes].reduce((a, b) => a + b, 0);
      return [this.link(row), grouped(row[Column.blocks]), grouped(row[Column.warps]), grouped(row[Column.first]), grouped(row[Column.end] - 1),
        grouped(issued), ratio(lanes, issued, 1), grouped(row[Column.splits]), grouped(row[Column.waiting]),
        percent(row[Column.stalls][SmMap.barrier], row[Column.stalls].reduce((a, b) => a + b, 0)), this.mostly(row)];
    });
    return table("SMs that had a warp", [{ title: "SM", text: true }, { title: "Blocks" }, { title: "Warps" }, { title: "First cycle" }, { title: "Last cycle" },
      { title: "Instr.", help: "warp instructions issued" }, { title: "Lanes", help: "active lanes per instruction" }, { title: "Splits" },
      { title: "Waiting", help: "lanes that wait for another path, summed over instructions" }, { title: "Barrier", help: "share of warp-cycles at block barriers" },
      { title: "Mostly", text: true, help: "main stall reason" }], rows);
  }

  private isShown(row: SmRow): boolean {
    return this.page.data.timeline.sms.includes(row[Column.number]);
  }

  private link(row: SmRow): Node {
    const name = "SM " + row[Column.number];
    if (!this.isShown(row)) return document.createTextNode(name);
    const button = h("button", { type: "button", class: "link" }, name);
    button.addEventListener("click", () => this.go(row, Math.max(row[Column.first], this.page.data.timeline.first)));
    return button;
  }

  private go(row: SmRow, cycle: number): void {
    this.visit.go(row[Column.number], -1, cycle, this.page.data.sms.width, "SM " + row[Column.number]);
  }

  // ---- the map ---------------------------------------------------------------------------------

  private at(event: MouseEvent): { row: SmRow; span: number } | null {
    const row = this.rows[Math.floor((event.offsetY / this.canvas.clientHeight) * this.rows.length)];
    const span = Math.floor((event.offsetX / this.canvas.clientWidth) * this.spans());
    return row && span >= 0 && span < row[Column.issues].length ? { row, span } : null;
  }

  private spans(): number {
    return this.rows.reduce((most, row) => Math.max(most, row[Column.issues].length), 1);
  }

  private describe(row: SmRow, span: number): string {
    const from = span * this.page.data.sms.width;
    const texts = Object.values(MEASURES).map((measure) => measure.text(this.page, row, span));
    return `SM ${row[Column.number]}, cycles ${grouped(from)} to ${grouped(from + this.page.data.sms.width - 1)}: ${texts.join(", ")}`;
  }

  private hover(event: MouseEvent): void {
    const found = this.at(event);
    byId("sm-hover").textContent = found ? this.describe(found.row, found.span) + (this.isShown(found.row) ? "" : " (not in the timeline)") : "";
  }

  private choose(event: MouseEvent): void {
    const found = this.at(event);
    if (!found) return;
    const { row, span } = found, from = span * this.page.data.sms.width;
    if (this.isShown(row)) {
      this.go(row, from);
      return;
    }
    put(byId("sm-chosen"), `SM ${row[Column.number]}: ${countOf(row[Column.blocks], "block")}, ${countOf(row[Column.warps], "warp")}, mostly ${this.mostly(row)}. ` +
      "This page has no timeline of it; make one with ", h("code", {}, `--sm ${row[Column.number]}`), ".");
  }

  private paint(): void {
    const ratioOfPixels = window.devicePixelRatio || 1, canvas = this.canvas;
    if (canvas.clientWidth === 0) return;
    canvas.width = Math.max(Math.round(canvas.clientWidth * ratioOfPixels), 1);
    canvas.height = Math.max(Math.round(canvas.clientHeight * ratioOfPixels), 1);
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    const image = context.createImageData(canvas.width, canvas.height), memory = new Uint32Array(image.data.buffer);
    const empty = pixel(this.theme.background), none = pixel(this.theme.idle), full = pixel(this.theme.accent);
    const measure = MEASURES[this.value("sm-measure")], spans = this.spans();
    memory.fill(empty);
    this.rows.forEach((row, index) => {
      const top = Math.round((index * canvas.height) / this.rows.length);
      const bottom = Math.round(((index + 1) * canvas.height) / this.rows.length) - (canvas.height / this.rows.length >= 4 ? 1 : 0);
      for (let span = 0; span < row[Column.issues].length; span++) {
        if (row[Column.warpCycles][span] === 0) continue;
        const value = measure.value(this.page, row, span);
        const colour = Number.isNaN(value) ? none : blend(none, full, Math.min(Math.sqrt(value), 1));
        const from = Math.round((span * canvas.width) / spans), to = Math.round(((span + 1) * canvas.width) / spans);
        for (let line = top; line < bottom; line++) memory.fill(colour, line * canvas.width + from, line * canvas.width + to);
      }
    });
    context.putImageData(image, 0, 0);
  }
}
