// The data of a page: what page_data.c and `run --format json` write.

export type Stalls = { [name: string]: number };

export interface RunLine {
  file: string | null;
  line: number;
  instructions: number;
  lanes: number;
  lanes_pred_on: number;
  divergent: number;
  extra_wavefronts: number;
  sectors: number;
  extra_sectors: number;
  stalls: Stalls;
}

export interface Occupancy {
  theoretical: number | null;
  achieved: number | null;
  blocks_per_sm: number | null;
  limiters: string[];
  possible_warp_cycles: number;
  losses: { [name: string]: number };
  idle_sms: number;
}

export interface Run {
  version: string;
  compiler: string | null;
  status: string;
  error: null | { message: string; details: string | null; cycle: number; file: string | null; line?: number };
  warnings: string[];
  bottlenecks: {
    name: string;
    kind: string;
    text: string;
    bound: number;
    bound_of: string;
    file: string | null;
    line: number;
  }[];
  device: string;
  kernel: string | null;
  registers_per_thread: number;
  cycles: number;
  elapsed_cycles: number;
  active_sm_cycles: number;
  warp_instructions: number;
  thread_instructions: number;
  thread_instructions_pred_on: number;
  ipc: number | null;
  lane_efficiency: number | null;
  branches: { executed: number; divergent: number };
  warps: { launched: number; diverged: number };
  blocks: { launched: number };
  warp_cycles: number;
  stalls: Stalls;
  memory: { [name: string]: number | null };
  memory_share: null | { kind: string; sms: number; of_sms: number; warning: string | null };
  occupancy: Occupancy | null;
  lines: RunLine[];
  launches: { kernel: string; registers_per_thread: number; dynamic_shared_bytes: number; occupancy: Occupancy }[];
  checks: {
    buffer: string;
    passed: boolean;
    elements: number;
    mismatches: number;
    largest_error: number | null;
    first_index?: number;
    expected?: string;
    actual?: string;
  }[];
  findings: null | Finding[]; // null: nothing was looked for
}

export interface Access {
  action: "read" | "write" | "atomic" | "index" | "wait";
  block: number[];
  thread: number[];
  warp: number;
  lane: number;
  file: string | null;
  line: number;
  instruction: number | null; // null: of the program that was not optimised
}

export interface Finding {
  check: string;
  count: number;
  launch: number;
  kernel: string;
  place: string;
  missing: string;
  accesses: Access[];
}

export interface SourceFile {
  name: string;
  parts: { first: number; lines: string[] }[];
}

// An SM over the whole run: number, blocks, warps, first cycle, cycle behind the last one, splits, lanes that
// waited for other paths, warp-cycles by stall reason; and by span warp-cycles, instructions, lanes.
export type SmRow = [number, number, number, number, number, number, number, number[], number[], number[], number[]];

// What happened where (inspect/highlights/highlights.def).
export interface Highlight {
  name: string;
  title: string;
  help: string;
  cycle: number;
  end: number; // cycle behind its last one
  launch: number;
  sm: number;
  slot: number;
  block: number;
  warp: number;
  instruction: number | null;
  instructions: number; // while the warp is split
  lanes: number;
  waiting: number;
}

// What is asked about the run (inspect/quiz/quiz.h).
export interface Question {
  id: string;
  cycle: number; // before which it is asked
  answered: number; // that shows the answer
  sm: number;
  slot: number;
  prompt: string;
  choices: string[];
  answer: number;
  explanation: string;
}

export interface PageData {
  target: string;
  timeline: {
    first: number;
    end: number;
    cut: boolean;
    issues: number;
    sms: number[];
    sub_cores: number;
    warp_slots: number;
    warp_size: number;
    device_sms: number;
  };
  stalls: { name: string; letter: string; help: string; state: string }[];
  pipes: string[];
  levels: string[];
  texts: string[];
  launches: { kernel: string; grid: number[]; block: number[]; begin: number; end: number }[];
  usage: { width: number; warp_cycles: number[]; issues: number[]; lanes: number[] };
  samples: Samples | null;
  files: SourceFile[];
  ptx: SourceFile | null;
  sms: { width: number; rows: SmRow[] };
  highlights: Highlight[];
  opening: number; // of these, or -1
  quiz: Question[] | null;
  instructions: (string | number)[][];
  calls: { before: string; behind: string; instructions: number[] }[]; // of those in inlined functions
  answered: number[]; // instructions whose memory requests are answered
  settings: [string, string, string][];
}

// Figures over time, a number for each span; stalls by reason.
export interface Samples {
  width: number;
  l1_lookups: number[];
  l1_hits: number[];
  l2_lookups: number[];
  l2_hits: number[];
  dram_bytes: number[];
  stalls: number[][];
}

// An instruction of a launched kernel, out of a row of PageData.instructions.
export interface Instruction {
  index: number;
  text: string;
  file: number;
  line: number;
  ptxLine: number;
  pipe: number;
  issued: number;
  lanes: number;
  lanesOn: number;
  divergent: number;
  sectors: number;
  extraSectors: number;
  extraWavefronts: number;
  stalls: number[];
  time: number; // warp-cycles, issues among them
  before: string; // in front of its line and behind: "f() at ", ", called at k.cu:30"
  behind: string;
}

export interface Page {
  run: Run;
  data: PageData;
  instructions: Map<number, Instruction>;
  timeline: Uint8Array;
}

function textOf(id: string): string {
  const element = document.getElementById(id);
  const text = element && element.textContent ? element.textContent : "";
  if (element) element.remove(); // what is read is not kept twice
  return text;
}

function instructionOf(row: (string | number)[]): Instruction {
  const stalls = row.slice(13) as number[];
  const [index, text, file, line, ptxLine, pipe] = row as [number, string, number, number, number, number];
  const counters = row.slice(6, 13) as number[];
  return {
    index, text, file, line, ptxLine, pipe,
    issued: counters[0],
    lanes: counters[1],
    lanesOn: counters[2],
    divergent: counters[3],
    sectors: counters[4],
    extraSectors: counters[5],
    extraWavefronts: counters[6],
    stalls,
    time: stalls.reduce((sum, n) => sum + n, 0),
    before: "",
    behind: "",
  };
}

function bytesOf(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

export function readPage(): Page {
  const run = JSON.parse(textOf("run")) as Run;
  const data = JSON.parse(textOf("data")) as PageData;
  const instructions = new Map<number, Instruction>();
  for (const row of data.instructions) instructions.set(row[0] as number, instructionOf(row));
  for (const { before, behind, instructions: at } of data.calls)
    for (const index of at) Object.assign(instructions.get(index) as Instruction, { before, behind });
  return { run, data, instructions, timeline: bytesOf(textOf("timeline").trim()) };
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

// "kernel.cu:12", or "".
export function lineOf(page: Page, instruction: Instruction | undefined): string {
  if (!instruction || instruction.file === 0 || instruction.line === 0) return "";
  return baseName(page.data.files[instruction.file].name) + ":" + instruction.line;
}

// The same with the calls that it was inlined by: "f() at a.cuh:12, called at k.cu:30".
export function placeOf(page: Page, instruction: Instruction | undefined): string {
  const line = lineOf(page, instruction);
  return line === "" ? "" : (instruction as Instruction).before + line + (instruction as Instruction).behind;
}

// A source line without the blanks around it, or "".
export function sourceLine(page: Page, file: number, line: number): string {
  for (const part of page.data.files[file] ? page.data.files[file].parts : [])
    if (line >= part.first && line < part.first + part.lines.length) return part.lines[line - part.first].trim();
  return "";
}
