// Curves over the time of the run, as drawings that also have a table.
import { drawCurves } from "./curves";
import { Page } from "./data";
import { byId, h, put, table } from "./dom";
import { decimal, grouped } from "./format";

interface Measure {
  name: string;
  help: string;
  most: number;
  values: number[];
  text: (value: number) => string;
  mark?: { value: number; name: string };
}

const WIDTH = 900, HEIGHT = 150;
const TABLE_ROWS = 16;

function measures(page: Page): Measure[] {
  const { width, warp_cycles, issues, lanes } = page.data.usage;
  const { warp_slots, device_sms, sub_cores, warp_size } = page.data.timeline;
  const end = page.data.launches.reduce((last, launch) => Math.max(last, launch.end), 0);
  const cycles = warp_cycles.map((_, i) => Math.min(width, Math.max(end - i * width, 1)));
  const occupancy = page.run.occupancy;
  const possible = occupancy && occupancy.theoretical !== null && occupancy.idle_sms === 0 ? occupancy.theoretical : 0;
  const resident = warp_cycles.map((n, i) => n / (cycles[i] * warp_slots * device_sms));
  const list: Measure[] = [
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

export function drawCharts(page: Page): void {
  const list = measures(page), { width } = page.data.usage;
  const end = page.data.launches.reduce((last, launch) => Math.max(last, launch.end), 0);
  if (end === 0 || list[0].values.length === 0) {
    put(byId("charts"), h("p", {}, "Nothing ran."));
    return;
  }
  const starts = list[0].values.map((_, i) => i * width);
  const figures = list.map((measure) => drawCurves({
    title: measure.name, help: measure.help, xLabel: "cycle", yLabel: measure.name, width: WIDTH, height: HEIGHT,
    curves: [{ name: "", x: starts, y: measure.values }], steps: true, xEnd: end, yEnd: measure.most,
    xText: grouped, yText: measure.text, mark: measure.mark,
  }));
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
