// Numbers as texts.

export function grouped(value: number): string {
  return Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, ",");
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? "-" : ((100 * part) / whole).toFixed(1) + " %";
}

// "1 lane", "2 lanes"
export function countOf(value: number, what: string): string {
  return `${grouped(value)} ${what}${value === 1 ? "" : "s"}`;
}

export function decimal(value: number | null, digits: number): string {
  return value === null || Number.isNaN(value) ? "-" : value.toFixed(digits);
}

export function ratio(part: number, whole: number, digits: number): string {
  return whole === 0 ? "-" : (part / whole).toFixed(digits);
}
