// Curves over the time of the run, as drawings that also have a table.
import { theme } from "./colours";
import { Curve, drawCurves } from "./curves";
import { Page, Samples } from "./data";
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

const SECTOR_BYTES = 32;

// A curve of the spans that have a value.
function curveOf(name: string, samples: Samples, value: (i: number) => number): Curve {
  const places = samples.l1_lookups.map((_, i) => i).filter((i) => Number.isFinite(value(i)));
  return { name, x: places.map((i) => i * samples.width), y: places.map(value) };
}

// What resident warps do, hit rates and bandwidths.
function sampleCharts(page: Page, samples: Samples, end: number): HTMLElement[] {
  const cycles = (i: number): number => Math.min(samples.width, Math.max(end - i * samples.width, 1));
  const starts = samples.l1_lookups.map((_, i) => i * samples.width), sums = starts.map(() => 0);
  const colours = theme().stalls, stalls: Curve[] = [];
  samples.stalls.forEach((values, reason) => {
    if (values.every((n) => n === 0)) return;
    values.forEach((n, i) => { sums[i] += n / cycles(i); });
    stalls.push({ name: page.data.stalls[reason].name, x: starts, y: [...sums], colour: colours[reason] });
  });
  const common = { xLabel: "cycle", width: WIDTH, steps: true, xEnd: end, xText: grouped };
  const rates = [
    curveOf("L1", samples, (i) => samples.l1_hits[i] / samples.l1_lookups[i]),
    curveOf("L2", samples, (i) => samples.l2_hits[i] / samples.l2_lookups[i]),
  ].filter((curve) => curve.x.length > 0);
  const bandwidths = [
    curveOf("L2", samples, (i) => (samples.l2_lookups[i] * SECTOR_BYTES) / cycles(i)),
    curveOf("DRAM", samples, (i) => samples.dram_bytes[i] / cycles(i)),
  ];
  const figures = [drawCurves({ ...common, title: "Stall reasons", help: "resident warps on all SMs by what they do, on average",
    yLabel: "Warps", height: 2 * HEIGHT, curves: stalls, stacked: true, yText: (v) => decimal(v, 1) })];
  if (rates.length > 0)
    figures.push(drawCurves({ ...common, title: "Hit rates", help: "sectors found, of those looked up; without accesses the last value stays", yLabel: "Hit rate", height: HEIGHT, curves: rates,
      yEnd: 1, yText: (v) => (100 * v).toFixed(1) + " %" }),
    drawCurves({ ...common, title: "Bytes per cycle", help: "requests that arrive at L2, and transfers of DRAM", yLabel: "Bytes per cycle",
      height: HEIGHT, curves: bandwidths, yText: (v) => decimal(v, 1) }));
  return figures;
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
  const more = page.data.samples ? sampleCharts(page, page.data.samples, end) : [];
  put(byId("charts"), ...figures, ...more, details);
}
