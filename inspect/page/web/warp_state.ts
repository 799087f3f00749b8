// All that is known of a warp at a cycle: told from its begin up to there.
import * as lanes from "./lanes";
import { Histories, Kind, Listener, Mask, Path, Warp } from "./warp_history";

export interface Request {
  instruction: number;
  cycle: number;
  sectors: number;
  wavefronts: number;
  lanes: Mask;
}

export class WarpState implements Listener {
  active: Mask; // of the path that runs or issues
  executed: Mask;
  alive: Mask;
  launched: Mask;
  instruction = -1; // that issues, or waits to
  reason = 0; // 0: it issues
  since = 0;
  waiting: Path[] = [];
  convergence = new Map<number, Mask>();
  opened = new Map<number, number>(); // by convergence barrier: the BSSY or BSYNC that changed it last
  requests: Request[] = []; // that wait for an answer
  barrier = -1;
  happened: { kind: Kind; cycle: number; instruction: number; values: number[] }[] = []; // in this very cycle
  issued = 0; // instructions in the window so far
  exited = false;
  private before: { paths: Path[]; alive: Mask } | null = null; // in front of the instruction of this cycle

  constructor(readonly histories: Histories, readonly warp: Warp, readonly cycle: number, private readonly exits: Set<number>,
    private readonly answered: Set<number>) {
    this.launched = histories.masks[warp.launched];
    this.alive = this.active = this.executed = histories.masks[warp.entry];
    histories.tell(warp, cycle, this);
    if (this.before) {
      this.waiting = this.before.paths;
      this.alive = this.before.alive;
    }
  }

  private running(): Mask {
    let mask = this.alive;
    for (const path of this.waiting) mask = lanes.minus(mask, this.histories.masks[path.lanes]);
    return mask;
  }

  issue(cycle: number, instruction: number, active: number, executed: number, alive: number): void {
    const masks = this.histories.masks;
    this.active = masks[active];
    this.executed = masks[executed];
    this.alive = masks[alive];
    this.instruction = instruction;
    this.reason = 0;
    this.since = cycle;
    this.issued++;
    if (cycle === this.cycle) this.before = { paths: this.waiting, alive: this.alive };
    if (this.exits.has(instruction)) this.alive = lanes.minus(this.alive, this.executed);
  }

  stall(cycle: number, reason: number, instruction: number): void {
    this.reason = reason;
    this.instruction = instruction;
    this.since = cycle;
    this.active = this.executed = this.running();
  }

  paths(_cycle: number, paths: Path[]): void {
    this.waiting = paths;
    if (this.reason !== 0) this.active = this.executed = this.running();
  }

  other(cycle: number, kind: Kind, instruction: number, values: number[]): void {
    const masks = this.histories.masks;
    if (kind === Kind.convergence) {
      this.convergence.set(values[0], masks[values[1]]);
      this.opened.set(values[0], instruction);
    } else if (kind === Kind.arrive) this.barrier = values[0];
    else if (kind === Kind.release) this.barrier = -1;
    else if (kind === Kind.request) {
      if (this.answered.has(instruction)) // of others it is not known when they come to memory
        this.requests.push({ instruction, cycle, sectors: values[0], wavefronts: values[1], lanes: masks[values[2]] });
    } else if (kind === Kind.response) {
      const at = this.requests.findIndex((r) => r.instruction === instruction);
      if (at >= 0) this.requests.splice(at, 1);
    } else if (kind === Kind.exit) this.exited = true;
    if (cycle === this.cycle) this.happened.push({ kind, cycle, instruction, values });
  }
}
