// Sets of lanes.
import { Mask } from "./warp_history";

export const NONE: Mask = { low: 0, high: 0 };

export function minus(a: Mask, b: Mask): Mask {
  return { low: (a.low & ~b.low) >>> 0, high: (a.high & ~b.high) >>> 0 };
}

export function join(a: Mask, b: Mask): Mask {
  return { low: (a.low | b.low) >>> 0, high: (a.high | b.high) >>> 0 };
}

export function isEmpty(mask: Mask): boolean {
  return mask.low === 0 && mask.high === 0;
}

export function has(mask: Mask, lane: number): boolean {
  return ((lane < 32 ? mask.low >>> lane : mask.high >>> (lane - 32)) & 1) === 1;
}

export function lowest(mask: Mask): number {
  return mask.low !== 0 ? 31 - Math.clz32(mask.low & -mask.low) : 63 - Math.clz32(mask.high & -mask.high);
}

function bits(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return (((n + (n >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

export function count(mask: Mask): number {
  return bits(mask.low) + bits(mask.high);
}

// "0xff00ff00"
export function hex(mask: Mask, warpSize: number): string {
  const low = mask.low.toString(16).padStart(Math.min(warpSize, 32) / 4, "0");
  return "0x" + (warpSize > 32 ? mask.high.toString(16).padStart((warpSize - 32) / 4, "0") : "") + low;
}

// Why a lane is on or off, as everywhere in warpstep.
export const GLYPHS: { [glyph: string]: string } = {
  "#": "active",
  p: "predicated off",
  d: "waits on another path",
  x: "exited",
  ".": "never launched",
};

export function glyphOf(lane: number, active: Mask, executed: Mask, alive: Mask, launched: Mask): string {
  if (!has(launched, lane)) return ".";
  if (!has(alive, lane)) return "x";
  if (!has(active, lane)) return "d";
  return has(executed, lane) ? "#" : "p";
}

export function glyphs(warpSize: number, active: Mask, executed: Mask, alive: Mask, launched: Mask): string {
  let text = "";
  for (let lane = 0; lane < warpSize; lane++) text += glyphOf(lane, active, executed, alive, launched);
  return text;
}
