// Curves over the time of the run, as drawings that also have a table.
import { Page } from "./data";
import { byId, h, put, svg, table } from "./dom";
import { decimal, grouped } from "./format";

interface Curve {
  name: string;
  help: string;
  most: number;
  values: number[];
  text: (value: number) => string;
  mark?: { value: number; name: string };
}

const WIDTH = 900, HEIGHT = 120, LEFT = 54, BOTTOM = 18, TOP = 8;
const TABLE_ROWS = 16;

function curves(page: Page): Curve[] {
  const { width, warp_cycles, issues, lanes } = page.data.usage;
  const { warp_slots, device_sms, sub_cores, warp_size } = page.data.timeline;
  const end = page.data.launches.reduce((last, launch) => Math.max(last, launch.end), 0);
  const cycles = warp_cycles.map((_, i) => Math.min(width, Math.max(end - i * width, 1)));
  const occupancy = page.run.occupancy;
  const possible = occupancy && occupancy.theoretical !== null && occupancy.idle_sms === 0 ? occupancy.theoretical : 0;
  const resident = warp_cycles.map((n, i) => n / (cycles[i] * warp_slots * device_sms));
  const list: Curve[] = [
    { name: "Occupancy", help: "resident warps of all places for warps, on all SMs",
      most: Math.min(1, Math.ceil(10 * Math.max(possible, ...resident)) / 10 || 1), values: resident,
      text: (v) => (100 * v).toFixed(1) + " %" },
    { name: "Instructions per cycle", help: "of the whole GPU; the most is one for each sub-core",
      most: Math.max(...issues.map((n, i) => n / cycles[i]), 1e-9),
      values: issues.map((n, i) => n / cycles[i]), text: (v) => decimal(v, 2) },
    { name: "Lanes", help: "active lanes per instruction", most: warp_size,
      values: issues.map((n, i) => (n === 0 ? 0 : lanes[i] / n)), text: (v) => decimal(v, 1) },
  ];
  if (possible > 0) list[0].mark = { value: possible, name: "possible" };
  list[1].help += `, ${grouped(device_sms * sub_cores)}`;
  return list;
}

function drawing(curve: Curve, end: number, width: number): SVGElement {
  const n = curve.values.length, plot = WIDTH - LEFT - 4, high = HEIGHT - BOTTOM - TOP;
  const x = (i: number): number => LEFT + (Math.min(i * width, end) / end) * plot;
  const y = (v: number): number => TOP + high - Math.min(v / curve.most, 1) * high;
  let line = "";
  for (let i = 0; i < n; i++) line += `${i === 0 ? "M" : "L"}${x(i).toFixed(1)} ${y(curve.values[i]).toFixed(1)}H${x(i + 1).toFixed(1)}`;
  const base = (TOP + high).toFixed(1);
  const parts: SVGElement[] = [
    svg("path", { d: `${line}V${base}H${LEFT}Z`, class: "area" }),
    svg("path", { d: line, class: "curve" }),
    svg("path", { d: `M${LEFT} ${TOP}V${base}H${WIDTH - 4}`, class: "axis" }),
    svg("text", { x: LEFT - 5, y: TOP + 8, class: "tick end" }, curve.text(curve.most)),
    svg("text", { x: LEFT - 5, y: TOP + high, class: "tick end" }, "0"),
    svg("text", { x: LEFT, y: HEIGHT - 4, class: "tick" }, "cycle 0"),
    svg("text", { x: WIDTH - 4, y: HEIGHT - 4, class: "tick end" }, grouped(end)),
  ];
  if (curve.mark) {
    const at = y(curve.mark.value).toFixed(1);
    parts.push(svg("path", { d: `M${LEFT} ${at}H${WIDTH - 4}`, class: "mark" }),
      svg("text", { x: WIDTH - 8, y: Number(at) + 12, class: "tick end" }, curve.mark.name));
  }
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${curve.name} over time, ${curve.help}` }, ...parts);
}

export function drawCharts(page: Page): void {
  const list = curves(page), { width } = page.data.usage;
  const end = page.data.launches.reduce((last, launch) => Math.max(last, launch.end), 0);
  if (end === 0 || list[0].values.length === 0) {
    put(byId("charts"), h("p", {}, "Nothing ran."));
    return;
  }
  const figures = list.map((curve) => {
    const figure = h("figure", {}, h("figcaption", {}, h("b", {}, curve.name), " ", h("span", { class: "faint" }, curve.help)));
    figure.append(drawing(curve, end, width));
    return figure;
  });
  // The same in a table, of fewer and longer spans.
  const step = Math.ceil(list[0].values.length / TABLE_ROWS);
  const rows: string[][] = [];
  for (let i = 0; i < list[0].values.length; i += step) {
    const mean = (values: number[]): number => {
      const part = values.slice(i, i + step);
      return part.reduce((a, b) => a + b, 0) / part.length;
    };
    rows.push([grouped(i * width), ...list.map((curve) => curve.text(mean(curve.values)))]);
  }
  const details = h("details", {}, h("summary", {}, "As a table"),
    table("Means of spans of time", [{ title: "From cycle", text: true }, ...list.map((curve) => ({ title: curve.name }))], rows));
  put(byId("charts"), ...figures, details);
}
