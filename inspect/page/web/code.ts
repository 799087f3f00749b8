// Source, PTX and bytecode side by side: what is chosen in one of them, or in the timeline, is marked in all.
import { Instruction, Page, SourceFile, baseName } from "./data";
import { byId, h, put } from "./dom";
import { percent } from "./format";

type Kind = "source" | "ptx" | "bytecode";

interface Row {
  kind: Kind;
  element: HTMLElement;
  instructions: number[]; // that come from it
}

const ADDRESS = 16, MOST_ROWS = 6000;

export class Code {
  private file = -1;
  private readonly rows: { [kind in Kind]: Map<number, Row> } = { source: new Map(), ptx: new Map(), bytecode: new Map() };
  private readonly byFile = new Map<number, Map<number, Instruction[]>>();

  constructor(private readonly page: Page) {
    for (const instruction of page.instructions.values()) {
      if (instruction.file === 0 || instruction.line === 0) continue;
      let lines = this.byFile.get(instruction.file);
      if (!lines) this.byFile.set(instruction.file, (lines = new Map()));
      lines.set(instruction.line, [...(lines.get(instruction.line) ?? []), instruction]);
    }
    this.drawBytecode();
    this.drawPtx();
    this.showFile(this.mostCostly());
  }

  private mostCostly(): number {
    let best = -1, most = -1;
    for (const [file, lines] of this.byFile) {
      let time = 0;
      for (const list of lines.values()) for (const i of list) time += i.time;
      if (time > most && this.page.data.files[file].parts.length > 0) [best, most] = [file, time];
    }
    return best;
  }

  // Marks an instruction, its line of PTX and its line of source; `scroll`: brings them into view.
  mark(index: number): void {
    const instruction = this.page.instructions.get(index);
    if (!instruction) return;
    if (instruction.file !== this.file && this.page.data.files[instruction.file]?.parts.length) this.showFile(instruction.file);
    this.markAll([index], index);
  }

  // ---- rows ------------------------------------------------------------------------------------

  private row(kind: Kind, number: number, label: string, text: string, instructions: Instruction[]): HTMLElement {
    const time = instructions.reduce((sum, i) => sum + i.time, 0), all = this.page.run.warp_cycles;
    const share = all === 0 ? 0 : time / all;
    const attributes: { [name: string]: string } = { class: "code-row", "data-row": String(number) };
    if (instructions.length > 0) attributes.tabindex = "-1";
    const element = h("div", attributes, h("span", { class: "code-number" }, label),
      h("span", { class: "code-time", style: `background:linear-gradient(to right,var(--heat) ${(100 * share).toFixed(1)}%,transparent 0)` },
        time > 0 ? percent(time, all) : ""), h("code", {}, text));
    if (instructions.length === 0) element.classList.add("quiet");
    this.rows[kind].set(number, { kind, element, instructions: instructions.map((i) => i.index) });
    return element;
  }

  private drawBytecode(): void {
    const list = [...this.page.instructions.values()].slice(0, MOST_ROWS);
    this.fill("bytecode", "Bytecode", list.map((i) => this.row("bytecode", i.index, (i.index * ADDRESS).toString(16).padStart(4, "0"), i.text, [i])));
  }

  private drawPtx(): void {
    const file = this.page.data.ptx;
    byId("code-ptx").hidden = file === null;
    if (!file) return;
    const byLine = new Map<number, Instruction[]>();
    for (const i of this.page.instructions.values())
      if (i.ptxLine > 0) byLine.set(i.ptxLine, [...(byLine.get(i.ptxLine) ?? []), i]);
    this.fill("ptx", "PTX", this.lines("ptx", file, byLine));
  }

  private showFile(number: number): void {
    const file = this.page.data.files[number];
    this.file = number;
    this.rows.source.clear();
    byId("code-source").hidden = !file;
    if (file) this.fill("source", baseName(file.name), this.lines("source", file, this.byFile.get(number) ?? new Map()));
  }

  private lines(kind: Kind, file: SourceFile, byLine: Map<number, Instruction[]>): HTMLElement[] {
    const rows: HTMLElement[] = [];
    for (const part of file.parts) {
      if (rows.length > 0) rows.push(h("div", { class: "code-row faint" }, "..."));
      part.lines.forEach((text, i) => rows.push(this.row(kind, part.first + i, String(part.first + i), text, byLine.get(part.first + i) ?? [])));
    }
    return rows;
  }

  private fill(kind: Kind, title: string, rows: HTMLElement[]): void {
    const list = h("div", { class: "code-list", tabindex: "0", role: "region", "aria-label": title }, ...rows);
    list.addEventListener("click", (event) => this.choose(kind, event.target as HTMLElement));
    list.addEventListener("keydown", (event) => this.key(kind, event));
    put(byId("code-" + kind), h("h3", {}, title), list);
  }

  // ---- choosing --------------------------------------------------------------------------------

  private choose(kind: Kind, target: HTMLElement): void {
    const element = target.closest<HTMLElement>(".code-row[data-row]");
    const row = element && this.rows[kind].get(Number(element.dataset.row));
    if (row && row.instructions.length > 0) this.markAll(row.instructions, row.instructions[0], kind);
  }

  // The next row of code above or below the one that is marked.
  private key(kind: Kind, event: KeyboardEvent): void {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    const rows = [...this.rows[kind].values()].filter((row) => row.instructions.length > 0);
    const at = rows.findIndex((row) => row.element.classList.contains("code-found"));
    const row = rows[Math.min(Math.max(at + (event.key === "ArrowDown" ? 1 : -1), 0), rows.length - 1)];
    if (row) this.markAll(row.instructions, row.instructions[0]);
  }

  // `from`: the pane that need not scroll.
  private markAll(instructions: number[], first: number, from?: Kind): void {
    const wanted = new Set(instructions);
    const source = this.page.instructions.get(first);
    if (from !== "source" && source && source.file !== this.file && this.page.data.files[source.file]?.parts.length) this.showFile(source.file);
    for (const kind of ["source", "ptx", "bytecode"] as Kind[]) {
      let top: HTMLElement | null = null;
      for (const row of this.rows[kind].values()) {
        const found = row.instructions.some((i) => wanted.has(i));
        row.element.classList.toggle("code-found", found);
        if (found && (!top || row.instructions.includes(first))) top = row.element;
      }
      if (top && kind !== from) this.scroll(top);
    }
  }

  // In its list alone: the page stays where it is.
  private scroll(element: HTMLElement): void {
    const list = element.parentElement!, top = element.offsetTop;
    if (top < list.scrollTop || top + element.offsetHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = top - list.clientHeight / 3;
  }
}
