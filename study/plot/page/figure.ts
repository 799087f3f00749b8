// A figure of shapes in the units of its axes, as study/plot/figure.h describes it, drawn at the width that there is.
import { axisOf, COLOURS, plain } from "../../../inspect/page/web/curves";
import { h, svg } from "../../../inspect/page/web/dom";

interface FigureAxis {
  label: string;
  names?: string[]; // the place i is that of names[i]
  low: number;
  high: number;
  log: boolean;
}

interface Mark {
  shape: "rectangle" | "line" | "dot" | "text";
  x: number;
  y: number;
  x2: number; // of rectangles and lines
  y2: number;
  colour?: number; // place in the palette; -1: ink, -3: missing
  fill?: string; // of a scale
  pale?: boolean;
  side?: number; // of a text: -1 ends, 0 has its middle, 1 begins at the place
  room?: number; // of a text: left out where wider than this; 0: never
  text?: string; // of a text; else what it is, for who points at it
}

interface Panel {
  name: string;
  marks: Mark[];
}

export interface Figure {
  x: FigureAxis;
  y: FigureAxis; // its first name is on top
  secondLabel?: string; // of an axis in per cent of secondWhole
  secondWhole?: number;
  legendLabel: string;
  legend: string[];
  scale?: FigureAxis;
  scaleColours?: string[];
  hasMissing: boolean;
  panels: Panel[];
}

const DIGIT = 6.6, MISSING = -3, ROW = 28, NARROWEST = 280, TOP = 10, LINE = 18;
const ORDER = ["rectangle", "line", "dot", "text"];

function shorten(text: string, characters: number): string {
  return text.length <= characters ? text : text.slice(0, Math.max(1, characters - 1)) + "\u2026";
}

function longest(names: string[]): number {
  return Math.max(0, ...names.map((name) => name.length));
}

class Drawing {
  readonly element: HTMLElement;
  private readonly holder = h("div", {});
  private readonly spoken = h("p", { class: "values", "aria-live": "polite" });
  private readonly told: Mark[]; // what can be pointed at
  private readonly hidden = new Set<number>(); // colours
  private width = 0;
  private chosen = -1; // index into told
  private left = 0;
  private right = 0;
  private bottom = 0;
  private height = 0;
  private top = TOP;
  private ring: SVGElement | null = null;

  constructor(private readonly figure: Figure, private readonly panel: Panel) {
    this.told = panel.marks.filter((mark) => mark.shape !== "text" && mark.text);
    this.element = h("figure", { class: "figure" }, panel.name ? h("figcaption", {}, h("b", {}, panel.name)) : null,
      this.holder, this.legend(), this.spoken);
  }

  start(): void {
    new ResizeObserver(() => this.draw()).observe(this.holder);
    this.draw();
  }

  private px(x: number): number { return this.left + share(this.figure.x, x) * (this.width - this.left - this.right); }
  private py(y: number): number {
    const at = share(this.figure.y, y);
    return this.top + (this.figure.y.names ? at : 1 - at) * (this.height - this.top - this.bottom);
  }

  // Space for names and numbers around the field.
  private measure(): void {
    const { x, y } = this.figure;
    const names = y.names ? Math.min(longest(y.names) * DIGIT, this.width * 0.38) : 44;
    this.left = names + (y.label ? 30 : 14);
    this.right = this.figure.secondLabel ? 62 : 14;
    this.bottom = 40;
    if (x.names && this.slanted()) {
      const length = Math.min(longest(x.names), this.most()) * DIGIT;
      this.bottom += length * 0.6;
      this.left = Math.max(this.left, length * 0.8 - this.columnWidth() / 2 + 8);
    }
    const rows = y.names ? Math.max(90, y.names.length * ROW) : 0, { label } = y;
    this.top = y.names && label.length * DIGIT > rows ? TOP + LINE : TOP; // a label that is too long for the side stands on top
    if (this.top > TOP) this.left -= 16;
    this.height = y.names ? rows + this.top + this.bottom : Math.min(440, Math.max(280, this.width * 0.5)) + this.bottom - 40;
  }
  private columnWidth(): number { return (this.width - this.left - this.right) / Math.max(1, (this.figure.x.names || []).length); }
  private slanted(): boolean { return (longest(this.figure.x.names || []) + 1) * DIGIT > this.columnWidth(); }
  // Characters of a slanted name.
  private most(): number { return Math.round(Math.min(40, this.width / 20)); }

  private draw(): void {
    const width = Math.max(NARROWEST, Math.round(this.holder.clientWidth));
    if (width === this.width) return;
    this.width = width;
    this.measure();
    const { width: w, height } = this, { x, y } = this.figure;
    const marks = ORDER.map((shape) => svg("g", {}, ...this.panel.marks.filter((mark) => mark.shape === shape).map((mark) => this.mark(mark)).filter((part): part is SVGElement => part !== null)));
    this.ring = svg("g", {});
    const picture = svg("svg", { viewBox: `0 0 ${w} ${height}`, width: w, height, class: "chart", tabindex: 0, role: "img",
      "aria-label": `${this.panel.name || y.label || x.label}. Arrow keys read the values.` }, ...this.frame(), ...marks, this.ring);
    picture.addEventListener("blur", () => this.choose(-1));
    picture.addEventListener("pointerleave", () => this.choose(-1));
    picture.addEventListener("keydown", (event) => this.key(event as KeyboardEvent));
    this.holder.replaceChildren(picture);
    this.show();
    this.choose(this.chosen);
  }

  // ---- axes

  private frame(): SVGElement[] {
    const { x, y } = this.figure, base = this.height - this.bottom, end = this.width - this.right;
    const parts: SVGElement[] = [];
    if (x.names) parts.push(...this.columnNames(x.names, base));
    else for (const tick of axisOf(x.low, x.high, x.log, (end - this.left) / 80).ticks) parts.push(svg("path", { d: `M${this.px(tick)} ${this.top}V${base}`, class: "grid" }),
      svg("text", { x: this.px(tick), y: base + 16, class: "tick middle" }, plain(tick)));
    if (y.names) parts.push(...y.names.map((name, i) => this.named(svg("text", { x: this.left - 6, y: this.py(i) + 4, class: "tick end" }, shorten(name, Math.floor(this.width * 0.38 / DIGIT))), name)));
    else for (const tick of axisOf(y.low, y.high, y.log, 6).ticks) parts.push(svg("path", { d: `M${this.left} ${this.py(tick)}H${end}`, class: "grid" }),
      svg("text", { x: this.left - 6, y: this.py(tick) + 4, class: "tick end" }, plain(tick)));
    const middle = (this.top + base) / 2;
    parts.push(svg("text", { x: (this.left + end) / 2, y: this.height - 6, class: "tick middle" }, x.label),
      this.top > TOP ? svg("text", { x: 4, y: 14, class: "tick" }, shorten(y.label, Math.floor(this.width / DIGIT)))
        : svg("text", { x: 12, y: middle, class: "tick middle", transform: `rotate(-90 12 ${middle})` }, shorten(y.label, Math.floor((base - TOP + 30) / DIGIT))));
    if (!x.names || !y.names) parts.push(svg("path", { d: y.names ? `M${this.left} ${base}H${end}` : `M${this.left} ${TOP}V${base}H${end}`, class: "axis" }));
    return parts.concat(this.second(end, base));
  }

  private second(end: number, base: number): SVGElement[] {
    const { secondLabel, secondWhole = 1 } = this.figure, x = this.width - 12, middle = (TOP + base) / 2;
    if (!secondLabel) return [];
    return [svg("path", { d: `M${end} ${TOP}V${base}`, class: "axis" }),
      ...[0, 20, 40, 60, 80, 100].map((tick) => svg("text", { x: end + 6, y: this.py(tick / 100 * secondWhole) + 4, class: "tick" }, `${tick} %`)),
      svg("text", { x, y: middle, class: "tick middle", transform: `rotate(-90 ${x} ${middle})` }, secondLabel)];
  }

  private columnNames(names: string[], base: number): SVGElement[] {
    const slanted = this.slanted(), every = slanted ? Math.max(1, Math.ceil(15 / this.columnWidth())) : 1;
    return names.map((name, i) => {
      const x = this.px(i);
      if (i % every !== 0) return svg("g");
      return this.named(slanted ? svg("text", { x, y: base + 12, class: "tick end", transform: `rotate(-36 ${x} ${base + 12})` }, shorten(name, this.most()))
        : svg("text", { x, y: base + 16, class: "tick middle" }, name), name);
    });
  }

  private named(element: SVGElement, name: string): SVGElement {
    if (element.textContent !== name) element.append(svg("title", {}, name));
    return element;
  }

  // ---- marks

  private classOf(mark: Mark, words: string): string {
    const { colour } = mark;
    return colour === undefined ? "cell" : colour === MISSING ? "missing" : colour < 0 ? "ink" : `${words} c${colour % COLOURS}`;
  }

  private mark(mark: Mark): SVGElement | null {
    const part = this.shape(mark);
    if (part === null) return null;
    if (mark.colour !== undefined && mark.colour >= 0) part.setAttribute("data-colour", String(mark.colour));
    const index = this.told.indexOf(mark);
    if (index >= 0) {
      part.setAttribute("data-told", String(index));
      part.addEventListener("pointerenter", () => this.choose(index));
    }
    return part;
  }

  private shape(mark: Mark): SVGElement | null {
    const x = this.px(mark.x), y = this.py(mark.y), fill: { [name: string]: string } = mark.fill ? { fill: mark.fill } : {};
    if (mark.shape === "text") {
      const room = (mark.room || 0) / (this.figure.x.high - this.figure.x.low) * (this.width - this.left - this.right), text = mark.text || "";
      if (room > 0 && text.length * DIGIT > room) return null;
      const side = mark.side || 0, anchor = side < 0 ? "end" : side > 0 ? "" : "middle";
      return svg("text", { x: x + 5 * side, y: y + 4, class: mark.fill ? `cell-text ${anchor}` : `tick label ${anchor}`, ...fill }, text);
    }
    if (mark.shape === "dot") return svg("circle", { cx: x, cy: y, r: 4, class: this.classOf(mark, "solid"), ...fill });
    const x2 = this.px(mark.x2), y2 = this.py(mark.y2);
    if (mark.shape === "line") return svg("path", { d: `M${x} ${y}L${x2} ${y2}`, class: this.classOf(mark, "stroke") });
    return svg("rect", { x: Math.min(x, x2), y: Math.min(y, y2), width: Math.abs(x2 - x), height: Math.abs(y2 - y),
      class: this.classOf(mark, mark.pale ? "pale" : "solid"), ...fill });
  }

  // ---- values by pointer and keys

  private isShown(mark: Mark): boolean { return mark.colour === undefined || !this.hidden.has(mark.colour); }

  private choose(index: number): void {
    const mark = this.told[index];
    this.chosen = mark ? index : -1;
    this.spoken.textContent = mark ? mark.text || "" : "";
    if (!this.ring) return;
    this.ring.replaceChildren();
    if (!mark) return;
    const x = this.px(mark.x), y = this.py(mark.y);
    if (mark.shape === "dot") this.ring.append(svg("circle", { cx: x, cy: y, r: 7, class: "chosen" }));
    else {
      const x2 = this.px(mark.x2), y2 = this.py(mark.y2);
      this.ring.append(svg("rect", { x: Math.min(x, x2), y: Math.min(y, y2), width: Math.abs(x2 - x), height: Math.abs(y2 - y), class: "chosen" }));
    }
  }

  private key(event: KeyboardEvent): void {
    const shown = this.told.map((mark, i) => (this.isShown(mark) ? i : -1)).filter((i) => i >= 0);
    const at = shown.indexOf(this.chosen), last = shown.length - 1;
    const next = Math.min(at + 1, last), before = Math.max(at - 1, 0);
    const to: { [key: string]: number } = { ArrowRight: next, ArrowDown: next, ArrowLeft: before, ArrowUp: before, Home: 0, End: last };
    if (event.key === "Escape") this.choose(-1);
    else if (event.key in to) this.choose(shown[to[event.key]]);
    else return;
    event.preventDefault();
  }

  // ---- the legend

  private show(): void {
    this.holder.querySelectorAll("[data-colour]").forEach((part) =>
      part.setAttribute("visibility", this.hidden.has(Number(part.getAttribute("data-colour"))) ? "hidden" : "visible"));
  }

  private legend(): HTMLElement | null {
    const { legend, legendLabel, scale, hasMissing } = this.figure;
    if (legend.length === 0 && !scale) return null;
    return h("div", { class: "legend", role: "group", "aria-label": "Legend" },
      legendLabel ? h("span", { class: "faint" }, legendLabel) : null,
      ...legend.map((name, i) => {
        const button = h("button", { type: "button", "aria-pressed": "true", class: `c${i % COLOURS}` }, h("span", { class: "swatch" }), " " + name);
        button.addEventListener("click", () => {
          if (!this.hidden.delete(i)) this.hidden.add(i);
          button.setAttribute("aria-pressed", String(!this.hidden.has(i)));
          this.show();
        });
        return button;
      }),
      scale ? this.scale(scale) : null,
      hasMissing ? h("span", { class: "key" }, h("span", { class: "swatch" }), " no value") : null);
  }

  private scale(scale: FigureAxis): HTMLElement {
    const colours = (this.figure.scaleColours || []).join(",");
    return h("span", { class: "scale" }, h("span", { class: "faint" }, scale.label + (scale.log ? " (logarithmic)" : "")), plain(scale.low),
      h("span", { class: "ramp", style: `background:linear-gradient(90deg,${colours})` }), plain(scale.high));
  }
}

function share(axis: FigureAxis, value: number): number {
  return axis.log ? Math.log(value / axis.low) / Math.log(axis.high / axis.low) : (value - axis.low) / (axis.high - axis.low);
}

export function drawFigure(figure: Figure, panel: Panel): { element: HTMLElement; start: () => void } {
  const drawing = new Drawing(figure, panel);
  return { element: drawing.element, start: () => drawing.start() };
}
