// Source lines and bytecode with what each cost: one row a line, with a bar of its share of the time.
import { Instruction, Page, RunLine, baseName } from "./data";
import { Theme } from "./colours";
import { byId, h, put } from "./dom";
import { grouped, percent, ratio } from "./format";

const FOLD = 24; // lines without figures in a row, of which more than this are folded
const MOST_ROWS = 3000;

interface Cost {
  time: number;
  issued: number;
  lanes: number;
  lanesOn: number;
  sectors: number;
  divergent: number;
  mostly: number; // a stall reason, or -1
  stalls: number[];
}

export class Source {
  private readonly costs: Map<string, Cost> = new Map();

  constructor(private readonly page: Page, private theme: Theme) {
    for (const line of page.run.lines) this.costs.set(line.file + ":" + line.line, this.costOfLine(line));
    const select = byId("source-file") as HTMLSelectElement;
    page.data.files.forEach((file, i) => {
      if (file.parts.length > 0) select.append(h("option", { value: String(i) }, baseName(file.name)));
    });
    select.append(h("option", { value: "bytecode" }, "bytecode"));
    select.addEventListener("change", () => this.draw());
    const hottest = page.run.lines.slice().sort((a, b) => sum(b) - sum(a)).find((line) => line.file !== null);
    const file = hottest ? page.data.files.findIndex((f) => f.name === hottest.file && f.parts.length > 0) : -1;
    if (file >= 0) select.value = String(file);
    this.draw();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.draw();
  }

  // Shows a line, and puts the focus on it.
  reveal(file: number, line: number): void {
    const select = byId("source-file") as HTMLSelectElement;
    if (!this.page.data.files[file] || this.page.data.files[file].parts.length === 0) return;
    select.value = String(file);
    this.draw(line);
    const row = document.getElementById("line-" + line);
    if (!row) return;
    row.scrollIntoView({ block: "center" });
    row.focus({ preventScroll: true });
    row.classList.add("found");
  }

  private costOfLine(line: RunLine): Cost {
    const stalls = this.page.data.stalls.map((stall) => line.stalls[stall.name] || 0);
    return cost(stalls, line.instructions, line.lanes, line.lanes_pred_on, line.sectors, line.divergent);
  }

  private costOf(instruction: Instruction): Cost {
    const i = instruction;
    return cost(i.stalls, i.issued, i.lanes, i.lanesOn, i.sectors, i.divergent);
  }

  private draw(found = 0): void {
    const value = (byId("source-file") as HTMLSelectElement).value;
    const rows = value === "bytecode" ? this.bytecode() : this.lines(Number(value), found);
    const heads = ["Line", "Time", "Instr.", "Lanes", "True", "Sectors", "Mostly", value === "bytecode" ? "Instruction" : "Source"];
    const helps = ["", "warp-cycles that warps spent at it, of all", "warp instructions issued",
      "active lanes per instruction", "of these, lanes with a true guard", "32-byte sectors of global memory",
      "main stall reason, coloured by the share of all its reasons", ""];
    put(byId("source"), h("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-label": "source by cost" },
      h("table", { class: "source" }, h("caption", { class: "hidden" }, "Source lines with their cost over the whole run"),
        h("thead", {}, h("tr", {}, ...heads.map((head, i) => h("th", { scope: "col", title: helps[i], class: i > 0 && i < 6 ? "number" : "text" }, head)))),
        h("tbody", {}, ...rows))));
  }

  private lines(file: number, found: number): HTMLElement[] {
    const rows: HTMLElement[] = [];
    const source = this.page.data.files[file];
    if (!source) return rows;
    for (const part of source.parts) {
      const costs = part.lines.map((_, i) => this.costs.get(source.name + ":" + (part.first + i)));
      let quiet = 0; // lines without figures up to here
      for (let i = 0; i < part.lines.length; i++) {
        const line = part.first + i;
        let ahead = 0;
        while (i + ahead < part.lines.length && !costs[i + ahead]) ahead++;
        const near = found > 0 && Math.abs(found - line) < FOLD;
        if (!costs[i] && !near && quiet >= 4 && ahead > FOLD) {
          rows.push(this.fold(part.lines.slice(i, i + ahead - 4), line));
          i += ahead - 5;
          quiet = 0;
          continue;
        }
        quiet = costs[i] ? 0 : quiet + 1;
        rows.push(this.row(String(line), costs[i], part.lines[i], "line-" + line));
      }
    }
    return rows;
  }

  private fold(lines: string[], first: number): HTMLElement {
    const button = h("button", { type: "button", class: "link" }, `${lines.length} lines without instructions`);
    const row = h("tr", { class: "fold" }, h("td", { colspan: "8" }, button));
    button.addEventListener("click", () => {
      row.replaceWith(...lines.map((text, i) => this.row(String(first + i), undefined, text, "line-" + (first + i))));
    });
    return row;
  }

  private bytecode(): HTMLElement[] {
    const all = [...this.page.instructions.values()];
    const shown = all.length > MOST_ROWS ? all.filter((i) => i.time > 0).slice(0, MOST_ROWS) : all;
    const rows = shown.map((i) => this.row("0x" + (i.index * 16).toString(16), i.time > 0 ? this.costOf(i) : undefined, i.text, "at-" + i.index));
    if (shown.length < all.length)
      rows.push(h("tr", {}, h("td", { colspan: "8" }, `${all.length - shown.length} more instructions are not shown; warpstep disasm lists all.`)));
    return rows;
  }

  private row(number: string, cost: Cost | undefined, text: string, id: string): HTMLElement {
    const code = h("td", { class: "text" }, h("code", {}, text));
    if (!cost) return h("tr", { id, tabindex: "-1", class: "quiet" }, h("th", { scope: "row", class: "text" }, number),
      ...Array.from({ length: 6 }, () => h("td")), code);
    const all = this.page.run.warp_cycles;
    const share = all === 0 ? 0 : cost.time / all;
    const heat = `background:linear-gradient(to right,var(--heat) ${(100 * share).toFixed(1)}%,transparent 0)`;
    const mostly = cost.mostly < 0 ? "" : this.page.data.stalls[cost.mostly].name;
    return h("tr", { id, tabindex: "-1" }, h("th", { scope: "row", class: "text" }, number),
      h("td", { class: "number", style: heat }, percent(cost.time, all)),
      h("td", { class: "number" }, grouped(cost.issued)),
      h("td", { class: "number" }, ratio(cost.lanes, cost.issued, 1)),
      h("td", { class: "number" }, ratio(cost.lanesOn, cost.issued, 1)),
      h("td", { class: "number" }, cost.sectors > 0 ? grouped(cost.sectors) : ""),
      h("td", { class: "text mostly" }, this.mix(cost), h("span", { class: "reason" }, mostly), cost.divergent > 0 ? h("span", { class: "split", title: grouped(cost.divergent) + " times it diverged" }, " splits") : null),
      code);
  }

  // A bar of the reasons that warps were here for.
  private mix(cost: Cost): HTMLElement {
    let at = 0;
    const stops: string[] = [], texts: string[] = [];
    cost.stalls.forEach((cycles, i) => {
      if (cycles === 0) return;
      const to = at + (100 * cycles) / cost.time;
      stops.push(`${this.theme.stalls[i]} ${at.toFixed(1)}% ${to.toFixed(1)}%`);
      texts.push(this.page.data.stalls[i].name + " " + percent(cycles, cost.time));
      at = to;
    });
    return h("span", { class: "mix", role: "img", "aria-label": texts.join(", "), title: texts.join("\n"),
      style: `background:linear-gradient(to right,${stops.join(",")})` });
  }
}

function sum(line: RunLine): number {
  return Object.values(line.stalls).reduce((a, b) => a + b, 0);
}

function cost(stalls: number[], issued: number, lanes: number, lanesOn: number, sectors: number, divergent: number): Cost {
  const time = stalls.reduce((a, b) => a + b, 0);
  let mostly = -1;
  for (let i = 1; i < stalls.length; i++) if (stalls[i] > 0 && (mostly < 0 || stalls[i] > stalls[mostly])) mostly = i;
  return { time, issued, lanes, lanesOn, sectors, divergent, mostly, stalls };
}
