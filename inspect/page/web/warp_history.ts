// What a warp did, out of the bytes of warp_stream.h: a reader that hands on records one by one.

export const enum Kind {
  issueNext, issueNear, issue, stall, paths, diverge, reconverge, convergence,
  arrive, release, request, response, exit, end, stop, back,
}

export class Reader {
  at: number;
  constructor(readonly bytes: Uint8Array, at: number) {
    this.at = at;
  }
  number(): number {
    let value = 0, scale = 1;
    for (;;) {
      const byte = this.bytes[this.at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  }
  difference(): number {
    const value = this.number();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }
}

// Lanes as two halves of 32.
export interface Mask {
  low: number;
  high: number;
}

export interface Warp {
  launch: number;
  sm: number;
  slot: number;
  subCore: number;
  block: number;
  warpInBlock: number;
  begin: number; // cycle of the run
  launched: number; // number of its mask
  entry: number; // the same of lanes alive where its records begin
  from: number; // bytes
  to: number;
}

export interface Path {
  lanes: number; // number of its mask
  instruction: number;
  text: number;
}

// Who is told what a warp did. Cycles count from the first one of the window.
export interface Listener {
  issue(cycle: number, instruction: number, active: number, executed: number, alive: number): void;
  stall(cycle: number, reason: number, instruction: number): void;
  paths(cycle: number, paths: Path[]): void;
  other(cycle: number, kind: Kind, instruction: number, values: number[]): void;
}

// Numbers behind a record that is not read one by one.
const COUNTS: { [kind: number]: number } = {
  [Kind.diverge]: 2, [Kind.reconverge]: 1, [Kind.convergence]: 2, [Kind.arrive]: 1, [Kind.release]: 1,
  [Kind.request]: 3, [Kind.response]: 2, [Kind.exit]: 0, [Kind.end]: 0, [Kind.stop]: 2,
};

// The stalls of a warp, which may go to and fro between two reasons.
class Stalls {
  last = 0;
  instruction = 0;
  private before = 0;
  private readonly since = [0, 0]; // cycles of the last two changes back

  set(reason: number, instruction: number): void {
    this.before = this.last;
    this.last = reason;
    this.instruction = instruction;
  }

  // To the reason before the last one.
  back(cycle: number, since: number, listener: Listener): void {
    this.since[0] = this.since[1];
    this.since[1] = since;
    this.turn(cycle, listener);
  }

  // The last two changes back, `count` times more, but none behind `end`; returns the cycle they lead to.
  repeat(cycle: number, count: number, end: number, listener: Listener): number {
    for (let i = 0; i < 2 * count; i++) {
      cycle += this.since[i % 2];
      if (cycle > end) return cycle;
      this.turn(cycle, listener);
    }
    return cycle;
  }

  private turn(cycle: number, listener: Listener): void {
    [this.last, this.before] = [this.before, this.last];
    listener.stall(cycle, this.last, this.instruction);
  }
}

export class Histories {
  readonly masks: Mask[] = [];
  readonly warps: Warp[] = [];

  constructor(readonly bytes: Uint8Array, readonly first: number, readonly end: number) {
    if (bytes.length === 0) return;
    const reader = new Reader(bytes, 0);
    const view = new DataView(bytes.buffer);
    for (let left = reader.number(); left > 0; left--) {
      this.masks.push({ low: view.getUint32(reader.at, true), high: view.getUint32(reader.at + 4, true) });
      reader.at += 8;
    }
    for (let left = reader.number(); left > 0; left--) {
      const n: number[] = [];
      for (let i = 0; i < 10; i++) n.push(reader.number());
      this.warps.push({ launch: n[0], sm: n[1], slot: n[2], subCore: n[3], block: n[4], warpInBlock: n[5],
        begin: n[6], launched: n[7], entry: n[8], from: reader.at, to: reader.at + n[9] });
      reader.at += n[9];
    }
  }

  // Tells everything of a warp up to and with a cycle of the window.
  tell(warp: Warp, until: number, listener: Listener): void {
    const reader = new Reader(this.bytes, warp.from);
    const bytes = this.bytes;
    const last = Math.min(until, this.end - this.first - 1);
    let cycle = Math.max(warp.begin - this.first, 0);
    const stalls = new Stalls();
    let next = 0, active = warp.entry, executed = warp.entry, alive = warp.entry;
    while (reader.at < warp.to) {
      const head = bytes[reader.at++], kind = head & 15, since = head >> 4;
      const before = cycle;
      cycle += since < 15 ? since : 15 + reader.number();
      if (cycle > last) return;
      if (kind <= Kind.issue) {
        const instruction = kind === Kind.issueNext ? next : next + reader.difference();
        if (kind === Kind.issue) {
          active = reader.number();
          executed = reader.number();
          alive = reader.number();
        } else executed = active;
        next = instruction + 1;
        listener.issue(cycle, instruction, active, executed, alive);
      } else if (kind === Kind.stall) {
        const reason = bytes[reader.at++];
        stalls.set(reason & 127, reason > 127 ? next + reader.difference() : next);
        listener.stall(cycle, stalls.last, stalls.instruction);
      } else if (kind === Kind.back) {
        if (since === 0) cycle = stalls.repeat(cycle, reader.number(), last, listener);
        else stalls.back(cycle, cycle - before, listener);
      } else if (kind === Kind.paths) {
        const paths: Path[] = [];
        for (let left = reader.number(); left > 0; left--)
          paths.push({ lanes: reader.number(), instruction: reader.number(), text: reader.number() });
        listener.paths(cycle, paths);
      } else {
        const instruction = kind === Kind.request || kind === Kind.response ? next + reader.difference() : next - 1;
        const values: number[] = [];
        for (let left = COUNTS[kind]; left > 0; left--) values.push(reader.number());
        listener.other(cycle, kind, instruction, values);
      }
    }
  }
}
