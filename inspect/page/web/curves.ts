// A chart of curves for every page: axes, marks, a legend, and values by pointer and by keys.
import { h, svg } from "./dom";

export interface Curve {
  name: string;
  x: number[]; // rising
  y: number[];
  place?: number; // of its colour, where several charts stand together
  colour?: string; // in place of one by its place
  reference?: boolean; // measured: points, with a bar to the curve before
}

export interface Chart {
  title: string;
  help?: string;
  xLabel: string;
  yLabel: string;
  width: number;
  height: number;
  curves: Curve[];
  curvesLabel?: string; // what their names are values of
  beside?: Curve[]; // of all panels, which have the same axes
  logX?: boolean;
  logY?: boolean;
  steps?: boolean; // each value holds to the next x
  stacked?: boolean; // with steps: each curve is the upper edge of its band
  xEnd?: number; // of the axis; the last x if not given
  yEnd?: number;
  xText?: (x: number) => string;
  yText?: (y: number) => string;
  xNames?: string[]; // x is a place in this list
  mark?: { value: number; name: string };
  xMarks?: { value: number; name: string }[]; // lines upwards
}

interface Axis {
  low: number;
  high: number;
  ticks: number[];
  at: (value: number) => number; // 0..1
}

export const COLOURS = 16; // of names, in curves.css
const LEFT = 62, RIGHT = 12, TOP = 10, DIGIT = 7;
const LOWEST = 38, DEEPEST = 130; // below the x axis: its name; slanted names of places above it
const GROUP = 0.8; // of the distance between two places: the bars of one of them
const TALL = 200; // lower ones have no room for a label at the side: the title says it

export function plain(value: number): string {
  return value === 0 ? "0" : String(Number(value.toPrecision(Math.abs(value) >= 1e4 ? 7 : 4)));
}

function linear(low: number, high: number, wanted: number): Axis {
  const rough = (high - low || 1) / wanted, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((n) => n * power >= rough) || 10);
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) ticks.push(Number((i * step).toPrecision(12)));
  return { low, high, ticks, at: (value) => (value - low) / (high - low || 1) };
}

// Powers of two where that gives few ticks, else of ten.
function logarithmic(low: number, high: number): Axis {
  const base = Math.log2(high / low) <= 10 ? 2 : 10, span = Math.log(high / low) || 1;
  const ticks: number[] = [];
  const from = Math.ceil(Math.log(low) / Math.log(base) - 1e-9), to = Math.floor(Math.log(high) / Math.log(base) + 1e-9);
  const every = Math.max(1, Math.ceil((to - from) / 12));
  for (let i = from; i <= to; i += every) ticks.push(base ** i);
  if (ticks.length < 3 && high > low) ticks.splice(0, ticks.length, ...linear(low, high, 4).ticks);
  return { low, high, ticks, at: (value) => Math.log(value / low) / span };
}

export function axisOf(low: number, high: number, log: boolean, wanted: number): Axis {
  return log ? logarithmic(low, high) : linear(low, high, wanted);
}

function axes(chart: Chart): { x: Axis; y: Axis } {
  const all = (pick: (curve: Curve) => number[]): [number, number] => {
    let low = Infinity, high = -Infinity;
    for (const curve of chart.beside || chart.curves) for (const value of pick(curve)) { low = Math.min(low, value); high = Math.max(high, value); }
    return low > high ? [0, 1] : [low, high];
  };
  let [xLow, xHigh] = all((curve) => curve.x), [yLow, yHigh] = all((curve) => curve.y);
  xHigh = chart.xEnd !== undefined ? chart.xEnd : xHigh;
  yHigh = chart.yEnd !== undefined ? chart.yEnd : yHigh;
  const wanted = Math.max(2, Math.round(chart.height / 60));
  const x = chart.xNames
    ? { ...linear(-0.5, chart.xNames.length - 0.5, 1), ticks: chart.xNames.map((_, i) => i) }
    : chart.logX ? logarithmic(xLow, xHigh) : linear(xLow, xHigh, chart.width / 90);
  const space = chart.yEnd === undefined && yHigh > 0 ? 1.05 : 1;
  const y = chart.logY ? logarithmic(yLow, yHigh) : linear(Math.min(0, yLow), yHigh * space || (yLow < 0 ? 0 : 1), wanted);
  if (chart.yEnd !== undefined) y.ticks = [...y.ticks.filter((tick) => y.at(tick) < 0.85), chart.yEnd]; // the most is what it is read against
  return { x, y };
}

// Index of the nearest x.
function nearest(xs: number[], x: number, at: (value: number) => number): number {
  let low = 0, high = xs.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (xs[middle] < x) low = middle + 1;
    else high = middle;
  }
  return low > 0 && at(x) - at(xs[low - 1]) <= at(xs[low]) - at(x) ? low - 1 : low;
}

const SHAPES = ["M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z", "M-3.5-3.5H3.5V3.5H-3.5Z", "M0-5L5 4H-5Z", "M0-5L5 0L0 5L-5 0Z"];
const CROSS = "M-5-5L5 5M-5 5L5-5";

// Colour and shape of each curve; a reference has the colour of the curve before.
function styles(curves: Curve[]): { colour: string; shape: string }[] {
  let n = -1;
  return curves.map((curve) => {
    n = curve.place !== undefined ? curve.place : n + (curve.reference && n >= 0 ? 0 : 1);
    return { colour: `c${n % COLOURS}`, shape: curve.reference ? CROSS : SHAPES[n % SHAPES.length] };
  });
}

class Drawing {
  readonly figure: HTMLElement;
  private readonly x: Axis;
  private readonly y: Axis;
  private readonly xs: number[];
  private readonly look: { colour: string; shape: string }[];
  private readonly groups: SVGElement[] = [];
  private readonly cursor = svg("g", { class: "cursor" });
  private readonly spoken = h("p", { class: "values", "aria-live": "polite" });
  private readonly picture: SVGElement;
  private readonly hidden = new Set<number>();
  private chosen = -1; // index into xs
  private readonly bars: number; // beside each other at a place; 0: curves
  private readonly bottom: number;

  constructor(private readonly chart: Chart) {
    ({ x: this.x, y: this.y } = axes(chart));
    this.look = styles(chart.curves);
    this.bars = chart.xNames && !chart.logY ? 1 + Math.max(0, ...(chart.beside || chart.curves).map((curve) => curve.place || 0)) : 0;
    this.bottom = this.slanted() ? Math.min(LOWEST + DIGIT * 0.6 * Math.max(...(chart.xNames || []).map((name) => name.length)), DEEPEST) : LOWEST;
    this.xs = [...new Set(chart.curves.flatMap((curve) => curve.x))].sort((a, b) => a - b);
    this.picture = svg("svg", {
      viewBox: `0 0 ${chart.width} ${chart.height}`, class: "chart", tabindex: 0, role: "img",
      "aria-label": `${chart.title}: ${chart.yLabel} by ${chart.xLabel}. Arrow keys read the values.`,
    }, ...this.frame(), ...chart.curves.map((curve, i) => this.curve(curve, i)), this.cursor);
    this.figure = h("figure", { class: "curves" },
      h("figcaption", {}, h("b", {}, chart.title), chart.help ? h("span", { class: "faint" }, " " + chart.help) : null),
      this.picture, this.legend(), this.spoken);
    this.listen();
  }

  private px(x: number): number { return LEFT + this.x.at(x) * (this.chart.width - LEFT - RIGHT); }
  private py(y: number): number { return TOP + (1 - Math.max(0, Math.min(this.y.at(y), 1))) * (this.chart.height - TOP - this.bottom); }
  // Names of places that do not fit beside each other.
  private slanted(): boolean {
    const names = this.chart.xNames || [];
    return Math.max(0, ...names.map((name) => name.length)) * DIGIT > (this.chart.width - LEFT - RIGHT) / Math.max(names.length, 1);
  }
  // Where the middle of a curve's bar is.
  private barX(curve: Curve, x: number): number {
    return this.px(this.bars === 0 ? x : x + ((curve.place || 0) - (this.bars - 1) / 2) * GROUP / this.bars);
  }
  private xText(x: number): string { return this.chart.xNames ? this.chart.xNames[x] || "" : (this.chart.xText || plain)(x); }
  private yText(y: number): string { return (this.chart.yText || plain)(y); }

  private frame(): SVGElement[] {
    const { width, height, mark } = this.chart, right = width - RIGHT, base = height - this.bottom;
    const parts: SVGElement[] = [];
    for (const tick of this.y.ticks) parts.push(svg("path", { d: `M${LEFT} ${this.py(tick)}H${right}`, class: "grid" }),
      svg("text", { x: LEFT - 6, y: this.py(tick) + 4, class: "tick end" }, this.yText(tick)));
    for (const tick of this.x.ticks) {
      const x = this.px(tick), text = this.xText(tick), cut = x + text.length * DIGIT / 2 > width; // at the right edge
      parts.push(svg("path", { d: `M${x} ${base}v4`, class: "axis" }),
        this.slanted()
          ? svg("text", { x, y: base + 14, class: "tick end", transform: `rotate(-30 ${x} ${base + 14})` }, text)
          : svg("text", { x: cut ? width : x, y: base + 16, class: cut ? "tick end" : "tick middle" }, text));
    }
    parts.push(svg("path", { d: `M${LEFT} ${TOP}V${base}H${right}`, class: "axis" }),
      svg("text", { x: (LEFT + right) / 2, y: height - 6, class: "tick middle" }, this.chart.xLabel));
    if (height >= TALL) parts.push(svg("text", { x: 12, y: (TOP + base) / 2, class: "tick middle", transform: `rotate(-90 12 ${(TOP + base) / 2})` }, this.chart.yLabel));
    if (mark) parts.push(svg("path", { d: `M${LEFT} ${this.py(mark.value)}H${right}`, class: "mark" }),
      svg("text", { x: right - 4, y: this.py(mark.value) + 12, class: "tick end" }, mark.name));
    (this.chart.xMarks || []).forEach(({ value, name }, i) => {
      const x = this.px(value), side = x > width - 90 ? -5 : 13; // right of the line there is no room at the end
      const y = base - 6 - (i % 3) * 0.32 * (base - TOP); // neighbours at different heights
      parts.push(svg("path", { d: `M${x} ${TOP}V${base}`, class: "mark" }),
        svg("text", { x: x + side, y, class: "tick", transform: `rotate(-90 ${x + side} ${y})` }, name));
    });
    return parts;
  }

  private curve(curve: Curve, i: number): SVGElement {
    const { shape } = this.look[i], group = svg("g", this.coloured(i));
    const at = curve.x.map((x, p): [string, string] => [this.barX(curve, x).toFixed(1), this.py(curve.y[p]).toFixed(1)]);
    if (!curve.reference && this.bars > 0) {
      const width = (this.px(1) - this.px(0)) * GROUP / this.bars, foot = this.py(0);
      at.forEach(([x], p) => {
        const top = this.py(curve.y[p]);
        group.append(svg("rect", { x: (Number(x) - width / 2).toFixed(1), width: Math.max(1, width - 1).toFixed(1),
          y: Math.min(top, foot).toFixed(1), height: Math.abs(foot - top).toFixed(1), class: "bar" }));
      });
    } else if (!curve.reference && !this.chart.xNames) {
      let d = "";
      at.forEach(([x, y], p) => { d += p === 0 ? `M${x} ${y}` : this.chart.steps ? `H${x}V${y}` : `L${x} ${y}`; });
      if (this.chart.stacked && at.length > 0) {
        group.append(svg("path", { d: d + this.lowerEdge(i), class: "band" }));
        this.groups.push(group);
        return group;
      }
      if (this.chart.steps && at.length > 0) {
        d += `H${this.chart.width - RIGHT}`;
        if (this.chart.curves.length === 1) group.append(svg("path", { d: `${d}V${this.chart.height - this.bottom}H${at[0][0]}Z`, class: "area" }));
      }
      group.append(svg("path", { d, class: "curve" }));
    }
    if (!this.chart.steps && (this.bars === 0 || curve.reference)) {
      const own = curve.reference ? this.chart.curves.slice(0, i).reverse().find((other) => !other.reference) : undefined;
      at.forEach(([x, y], p) => {
        const place = own ? own.x.indexOf(curve.x[p]) : -1;
        if (own && place >= 0) group.append(svg("path", { d: `M${x} ${y}V${this.py(own.y[place]).toFixed(1)}`, class: "error-bar" }));
        group.append(svg("path", { d: shape, class: curve.reference ? "cross" : "point", transform: `translate(${x} ${y})` }));
      });
    }
    this.groups.push(group);
    return group;
  }

  // What stands below a curve of a stack.
  private below(i: number, p: number): number { return this.chart.stacked && i > 0 ? this.chart.curves[i - 1].y[p] : 0; }
  // From the end of a band's upper edge back to its beginning.
  private lowerEdge(i: number): string {
    const xs = this.chart.curves[i].x;
    let d = `H${this.chart.width - RIGHT}`;
    for (let p = xs.length - 1; p >= 0; p--) d += `V${this.py(this.below(i, p)).toFixed(1)}H${this.px(xs[p]).toFixed(1)}`;
    return d + "Z";
  }
  private coloured(i: number): { [name: string]: string } {
    const own = this.chart.curves[i].colour;
    return own ? { style: `color:${own}` } : { class: this.look[i].colour };
  }

  private legend(): HTMLElement | null {
    if (this.chart.curves.length < 2) return null;
    return h("div", { class: "legend", role: "group", "aria-label": "Curves" },
      this.chart.curvesLabel ? h("span", { class: "faint" }, this.chart.curvesLabel) : null, ...this.chart.curves.map((curve, i) => {
      const { shape } = this.look[i];
      const button = h("button", { type: "button", "aria-pressed": "true", ...this.coloured(i) },
        svg("svg", { viewBox: "-6 -6 12 12", "aria-hidden": "true", "aria-label": "" }, svg("path", { d: shape, class: curve.reference ? "cross" : "point" })),
        " " + (curve.name || this.chart.yLabel));
      button.addEventListener("click", () => {
        if (!this.hidden.delete(i)) this.hidden.add(i);
        button.setAttribute("aria-pressed", String(!this.hidden.has(i)));
        this.groups[i].setAttribute("visibility", this.hidden.has(i) ? "hidden" : "visible");
        this.choose(this.chosen);
      });
      return button;
    }));
  }

  private choose(index: number): void {
    this.chosen = Math.max(-1, Math.min(index, this.xs.length - 1));
    this.cursor.replaceChildren();
    this.spoken.textContent = "";
    if (this.chosen < 0) return;
    const x = this.xs[this.chosen], words: string[] = [];
    this.cursor.append(svg("path", { d: `M${this.px(x)} ${TOP}V${this.chart.height - this.bottom}`, class: "hair" }));
    this.chart.curves.forEach((curve, i) => {
      const p = this.hidden.has(i) ? -1 : curve.x.indexOf(x);
      if (p < 0) return;
      words.push(`${curve.name || this.chart.yLabel} ${this.yText(curve.y[p] - this.below(i, p))}`);
      if (this.chart.stacked) return;
      this.cursor.append(svg("circle", { cx: this.barX(curve, x), cy: this.py(curve.y[p]), r: 6, class: `ring ${this.look[i].colour}` }));
    });
    this.spoken.textContent = `${this.chart.xLabel} ${this.xText(x)}: ${words.join(", ") || "no value"}`;
  }

  private listen(): void {
    this.picture.addEventListener("pointermove", (event) => {
      if (this.xs.length === 0) return;
      const box = this.picture.getBoundingClientRect(), { width } = this.chart;
      const share = (((event.clientX - box.left) / box.width) * width - LEFT) / (width - LEFT - RIGHT);
      const { low, high } = this.x;
      const x = this.chart.logX ? low * (high / low) ** share : low + share * (high - low);
      this.choose(nearest(this.xs, x, this.x.at));
    });
    this.picture.addEventListener("pointerleave", () => this.choose(-1));
    this.picture.addEventListener("blur", () => this.choose(-1));
    this.picture.addEventListener("keydown", (event) => {
      const last = this.xs.length - 1;
      const to: { [key: string]: number } = { ArrowLeft: Math.max(this.chosen - 1, 0), ArrowRight: this.chosen + 1, Home: 0, End: last, Escape: -1 };
      if (!(event.key in to)) return;
      event.preventDefault();
      this.choose(to[event.key]);
    });
  }
}

export function drawCurves(chart: Chart): HTMLElement {
  return new Drawing(chart).figure;
}
