// Colours of stall reasons and pipes, for light and dark pages. Each also has a letter or a name:
// nothing is told by colour alone.

// In the order of stall.def: what can go on is green, memory is red, control flow orange, fetch
// violet, pipes yellow, fixed waits blue, ends and sleep grey.
const LIGHT_STALLS = [
  "#159447", "#9aa0a6", "#b9b2a6", "#8d6e63", "#7b3fa0", "#f08a24", "#c77dd6", "#e0a8e8", "#d0342c", "#f0786d",
  "#7fb2e5", "#3b78c2", "#8e1b1b", "#b8893b", "#e3c22f", "#a5dba8",
];
const DARK_STALLS = [
  "#3ddc84", "#6b7178", "#7d766b", "#a1887f", "#b07be0", "#ff9f43", "#d48be4", "#8e5c99", "#ff5c52", "#c9564d",
  "#3f6fa3", "#6ea8ff", "#a83232", "#c79a4b", "#f2d544", "#4f8a57",
];
// In the order of WsPipe.
const LIGHT_PIPES = [
  "#1f77b4", "#ff7f0e", "#17becf", "#0f8f9c", "#9467bd", "#d62728", "#bcbd22", "#2ca02c", "#8c564b", "#e377c2",
];
const DARK_PIPES = [
  "#5aa9e6", "#ffa14d", "#4dd8e6", "#2fb3c0", "#b99be0", "#ff6b6b", "#d9da5b", "#5fd068", "#b98a7d", "#f0a3d6",
];

export interface Theme {
  dark: boolean;
  stalls: string[];
  pipes: string[];
  background: string;
  text: string;
  faint: string;
  line: string;
  waiting: string; // lanes that wait on another path
  idle: string; // a warp that does not issue, by pipe
  accent: string;
}

export function theme(): Theme {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const style = getComputedStyle(document.documentElement);
  const value = (name: string): string => style.getPropertyValue(name).trim();
  return {
    dark,
    stalls: dark ? DARK_STALLS : LIGHT_STALLS,
    pipes: dark ? DARK_PIPES : LIGHT_PIPES,
    background: value("--sunk"),
    text: value("--text"),
    faint: value("--faint"),
    line: value("--line"),
    waiting: value("--waiting"),
    idle: value("--idle"),
    accent: value("--accent"),
  };
}

// "#rrggbb" as canvas memory has it.
export function pixel(colour: string): number {
  const n = parseInt(colour.slice(1), 16);
  return (0xff000000 | ((n & 255) << 16) | (n & 0xff00) | (n >> 16)) >>> 0;
}

export function blend(a: number, b: number, share: number): number {
  let sum = 0;
  for (let shift = 0; shift < 24; shift += 8) {
    const x = (a >>> shift) & 255, y = (b >>> shift) & 255;
    sum |= Math.round(x + (y - x) * share) << shift;
  }
  return (0xff000000 | sum) >>> 0;
}

// Whether black or white letters are read better on it.
export function letterColour(colour: string): string {
  const n = parseInt(colour.slice(1), 16);
  const light = 0.299 * (n >> 16) + 0.587 * ((n >> 8) & 255) + 0.114 * (n & 255);
  return light > 140 ? "#111111" : "#ffffff";
}
