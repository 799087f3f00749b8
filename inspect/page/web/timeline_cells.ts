// The cells of the timeline: by row, from which cycle on a warp was in which state, with the lanes
// of its paths. Columns of numbers, since there are millions.
import * as lanes from "./lanes";
import { Histories, Kind, Listener, Mask, Path, Warp } from "./warp_history";

export const ISSUE = 0; // as the reason `selected`
export const EMPTY = 255; // no warp

// The lanes of a warp by path: bands from top to bottom, ordered by their lowest lanes.
export interface Partition {
  bands: { mask: Mask; lanes: number; runs: boolean }[];
  split: boolean;
}

export interface Row {
  sm: number;
  slot: number;
  warps: Warp[]; // one after the other
  from: number; // cells
  to: number;
}

class Growing {
  size = 0;
  cycle = new Uint32Array(1 << 16);
  state = new Uint8Array(1 << 16);
  instruction = new Uint32Array(1 << 16);
  partition = new Uint32Array(1 << 16);

  add(cycle: number, state: number, instruction: number, partition: number): void {
    if (this.size === this.cycle.length) this.grow();
    this.cycle[this.size] = cycle;
    this.state[this.size] = state;
    this.instruction[this.size] = instruction;
    this.partition[this.size++] = partition;
  }

  private grow(): void {
    const copy = <T extends Uint8Array | Uint32Array>(old: T, fresh: T): T => {
      fresh.set(old);
      return fresh;
    };
    const size = 2 * this.size;
    this.cycle = copy(this.cycle, new Uint32Array(size));
    this.state = copy(this.state, new Uint8Array(size));
    this.instruction = copy(this.instruction, new Uint32Array(size));
    this.partition = copy(this.partition, new Uint32Array(size));
  }
}

export class Cells implements Listener {
  readonly rows: Row[] = [];
  readonly partitions: Partition[] = [];
  readonly splits: { row: Row; cycle: number }[] = [];
  private readonly out = new Growing();
  private readonly numbers = new Map<string, number>();
  private row!: Row;
  private launched = lanes.NONE;
  private alive = lanes.NONE;
  private waiting: Path[] = [];
  private current = 0; // number of the partition while nothing issues

  // `exits`: instructions that end lanes.
  constructor(readonly histories: Histories, private readonly exits: Set<number>) {
    const byPlace = new Map<number, Row>();
    for (const warp of histories.warps) {
      const place = warp.sm * 64 + warp.slot;
      let row = byPlace.get(place);
      if (!row) byPlace.set(place, (row = { sm: warp.sm, slot: warp.slot, warps: [], from: 0, to: 0 }));
      row.warps.push(warp);
    }
    this.rows = [...byPlace.values()].sort((a, b) => a.sm - b.sm || a.slot - b.slot);
    for (const row of this.rows) this.addRow(row);
  }

  get cycle(): Uint32Array { return this.out.cycle; }
  get state(): Uint8Array { return this.out.state; }
  get instruction(): Uint32Array { return this.out.instruction; }
  get partition(): Uint32Array { return this.out.partition; }
  get size(): number { return this.out.size; }

  // The cell of a row at a cycle, or -1.
  at(row: Row, cycle: number): number {
    let low = row.from, high = row.to; // the first cell behind the cycle
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.cycle[middle] <= cycle) low = middle + 1;
      else high = middle;
    }
    return low - 1 < row.from ? -1 : low - 1;
  }

  // The cycle behind a cell.
  endOf(row: Row, cell: number): number {
    return cell + 1 < row.to ? this.cycle[cell + 1] : this.histories.end - this.histories.first;
  }

  // The warp of a row at a cycle.
  warpAt(row: Row, cycle: number): Warp | null {
    let found: Warp | null = null;
    for (let low = 0, high = row.warps.length; low < high;) {
      const middle = (low + high) >>> 1;
      if (row.warps[middle].begin - this.histories.first <= cycle) {
        found = row.warps[middle];
        low = middle + 1;
      } else high = middle;
    }
    return found;
  }

  private addRow(row: Row): void {
    this.row = row;
    row.warps.sort((a, b) => a.begin - b.begin);
    row.from = this.out.size;
    for (const warp of row.warps) {
      this.launched = this.histories.masks[warp.launched];
      this.alive = this.histories.masks[warp.entry];
      this.waiting = [];
      this.current = this.partitionOf(this.alive);
      this.histories.tell(warp, Infinity, this);
    }
    row.to = this.out.size;
  }

  // `running`: lanes of the path that runs, all others that wait being known.
  private partitionOf(running: Mask): number {
    const masks = this.histories.masks;
    const bands = this.waiting.map((path) => lanes.minus(masks[path.lanes], running)).filter((m) => !lanes.isEmpty(m));
    let key = running.low + "." + running.high;
    for (const band of bands) key += "," + band.low + "." + band.high;
    const known = this.numbers.get(key + "/" + this.launched.low + "." + this.launched.high);
    if (known !== undefined) return known;
    const runs = !lanes.isEmpty(running);
    const all = bands.map((mask) => ({ mask, lanes: lanes.count(mask), runs: !runs }));
    if (runs) all.push({ mask: running, lanes: lanes.count(running), runs: true });
    if (all.length === 0) all.push({ mask: this.launched, lanes: lanes.count(this.launched), runs: true });
    all.sort((a, b) => lanes.lowest(a.mask) - lanes.lowest(b.mask));
    this.numbers.set(key + "/" + this.launched.low + "." + this.launched.high, this.partitions.length);
    return this.partitions.push({ bands: all, split: all.length > 1 }) - 1;
  }

  private idle(): number {
    let running = this.alive;
    for (const path of this.waiting) running = lanes.minus(running, this.histories.masks[path.lanes]);
    return this.partitionOf(running);
  }

  issue(cycle: number, instruction: number, active: number, executed: number, alive: number): void {
    const masks = this.histories.masks;
    this.alive = masks[alive];
    this.out.add(cycle, ISSUE, instruction, this.partitionOf(masks[active]));
    if (this.exits.has(instruction)) this.alive = lanes.minus(this.alive, masks[executed]);
    this.current = this.idle();
  }

  stall(cycle: number, reason: number, instruction: number): void {
    this.out.add(cycle, reason, instruction, this.current);
  }

  paths(cycle: number, paths: Path[]): void {
    this.waiting = paths;
    this.current = this.idle();
    const last = this.out.size - 1;
    if (last < this.row.from || this.out.state[last] === ISSUE || this.out.state[last] === EMPTY) return;
    if (this.out.cycle[last] === cycle) this.out.partition[last] = this.current;
    else this.out.add(cycle, this.out.state[last], this.out.instruction[last], this.current);
  }

  other(cycle: number, kind: Kind): void {
    if (kind === Kind.end) this.out.add(cycle, EMPTY, 0, 0);
    else if (kind === Kind.diverge) this.splits.push({ row: this.row, cycle });
  }
}
