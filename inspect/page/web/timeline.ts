// The timeline with all that belongs to it: buttons, keys, mouse, legend, details.
import { Theme } from "./colours";
import { Page } from "./data";
import { Detail } from "./detail";
import { byId, h, put } from "./dom";
import { countOf, grouped } from "./format";
import { Visit } from "./highlights";
import { Cover } from "./quiz";
import { TourPanel } from "./tour";
import { Tour } from "./tour_steps";
import { Opening, openingOf, placeOf } from "./opening";
import { Overview } from "./overview";
import { Cells, EMPTY, ISSUE, Row } from "./timeline_cells";
import { Colouring, Place, TimelineView } from "./timeline_view";
import { Histories } from "./warp_history";

const FRAME = 16; // milliseconds
const LEAST_SCALE = 6; // pixels a cycle, after going to one
const LEAST_ROW = 18; // pixels, at first

export interface Timeline extends Visit, Cover {
  setTheme(theme: Theme): void;
}

// Keys, with what they do; the list of help is made of it.
type Keys = { keys: string[]; shown: string; help: string; run: (event: KeyboardEvent) => void }[];

class Controls implements Timeline {
  private readonly cells: Cells;
  private readonly view: TimelineView;
  private readonly overview: Overview;
  private readonly detail: Detail;
  private playing = 0;
  private readonly keys: Keys;
  private readonly opening: Opening | null;
  private why: Opening | null; // of a cell that nobody has chosen by itself

  constructor(private readonly page: Page, private theme: Theme, showLine: (file: number, line: number) => void,
    private readonly showInstruction: (index: number) => void) {
    const { first, end } = page.data.timeline;
    const exits = new Set([...page.instructions.values()].filter((i) => /\bEXIT\b/.test(i.text)).map((i) => i.index));
    this.cells = new Cells(new Histories(page.timeline, first, end), exits);
    const canvas = byId("timeline-canvas") as HTMLCanvasElement;
    this.view = new TimelineView(canvas, this.cells, page, theme);
    this.overview = new Overview(byId("overview-canvas") as HTMLCanvasElement, byId("overview-frame"), this.view, this.cells, theme);
    this.view.onView = () => this.overview.follow();
    this.detail = new Detail(byId("detail"), byId("spoken"), page, this.cells, exits, theme, showLine);
    this.keys = this.makeKeys();
    this.describe();
    this.listen(canvas);
    this.buttons();
    this.legend();
    this.opening = this.why = openingOf(page, this.cells);
    this.view.selected = this.opening && this.opening.place;
    this.showDetail();
    new TourPanel(() => new Tour(page, this.cells).steps(), this);
    const rows = Math.max(this.cells.rows.length, 1);
    this.view.rowHeight = Math.min(Math.max(Math.floor(320 / rows), LEAST_ROW), 64);
    canvas.parentElement!.style.height = Math.min(rows * this.view.rowHeight, 520) + 24 + "px";
    new ResizeObserver(() => {
      this.view.resize();
      if (this.isUntouched()) this.showOpening();
      this.overview.count();
    }).observe(canvas);
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.view.setTheme(theme);
    this.overview.setTheme(theme);
    this.detail.setTheme(theme);
    this.showDetail();
    this.legend();
  }

  // Nothing is chosen but what the page opened with.
  private isUntouched(): boolean {
    return this.view.selected === null || this.view.selected === this.opening?.place;
  }

  private showDetail(): void {
    const place = this.view.selected;
    this.detail.show(place, place && place === this.why?.place ? this.why.why : undefined);
    const cell = place && place.cycle < this.view.covered ? this.cells.at(this.cells.rows[place.row], place.cycle) : -1;
    if (cell >= 0 && this.cells.state[cell] !== EMPTY) this.showInstruction(this.cells.instruction[cell]);
  }

  private showOpening(): void {
    if (this.opening) this.view.show(this.opening.place, this.opening.cycles);
    else this.view.fit();
  }

  // ---- for the rest of the page ----------------------------------------------------------------

  has(sm: number, slot: number, cycle: number): boolean {
    return placeOf(this.cells, sm, slot, cycle) !== null;
  }

  cover(cycle: number | null): void {
    this.view.covered = this.detail.covered = cycle === null ? Infinity : cycle - this.cells.histories.first;
    this.view.draw();
    this.showDetail();
  }

  // A slot of -1 is the first one of the SM that has a warp then.
  go(sm: number, slot: number, cycle: number, cycles: number, why: string): void {
    const at = cycle - this.cells.histories.first;
    const row = this.cells.rows.find((r) => r.sm === sm && (slot < 0 ? this.isTaken(r, at) : r.slot === slot)) ??
      this.cells.rows.find((r) => r.sm === sm);
    if (!row) return;
    const place = { row: this.cells.rows.indexOf(row), cycle: Math.min(Math.max(at, 0), this.view.cycles - 1) };
    this.why = { place, cycles, why: why.charAt(0).toUpperCase() + why.slice(1) + "." };
    this.view.selected = place;
    this.view.show(place, cycles);
    this.showDetail();
    byId("timeline-part").scrollIntoView();
    byId("timeline-canvas").focus({ preventScroll: true });
  }

  private isTaken(row: Row, cycle: number): boolean {
    const cell = this.cells.at(row, cycle);
    return cell >= 0 && this.cells.state[cell] !== EMPTY;
  }

  // ---- what is shown ---------------------------------------------------------------------------

  private describe(): void {
    const t = this.page.data.timeline;
    const last = this.page.data.launches.reduce((n, launch) => Math.max(n, launch.end), 0);
    const sms = t.sms.length === 1 ? `SM ${t.sms[0]}` : `${t.sms.length} SMs (${t.sms.slice(0, 8).join(", ")}${t.sms.length > 8 ? ", ..." : ""})`;
    let text = `${sms} of ${t.device_sms}, cycles ${grouped(t.first)} to ${grouped(Math.max(t.end - 1, t.first))} of ${grouped(last)}, ` +
      `${countOf(t.issues, "instruction")} in ${countOf(this.cells.rows.length, "warp slot")}.`;
    if (t.cut) text += " The timeline was full then: --from, --to and --sm choose others, --max-issues how many.";
    if (this.cells.rows.length === 0) text += " No warp was on these SMs then; --sm and --from choose others.";
    byId("shown").textContent = text;
  }

  private legend(): void {
    const stalls = this.view.colouring === "stall";
    const used = new Set<number>();
    if (stalls) for (let i = 0; i < this.cells.size; i++) used.add(this.cells.state[i]);
    else for (const i of this.page.instructions.values()) if (i.issued > 0) used.add(i.pipe);
    const names = stalls
      ? this.page.data.stalls.map((s) => ({ name: s.name === "selected" ? "issues" : s.name, letter: s.letter, help: s.help }))
      : this.page.data.pipes.map((name) => ({ name, letter: name.charAt(0).toUpperCase(), help: "pipe " + name }));
    const colours = stalls ? this.theme.stalls : this.theme.pipes;
    const items = names.map((entry, i) => (!used.has(i) ? null
      : h("li", { title: entry.help }, h("span", { class: "chip", style: "background:" + colours[i] }), h("b", {}, entry.letter), " " + entry.name)));
    if (!stalls) items.push(h("li", {}, h("span", { class: "chip", style: "background:" + this.theme.idle }), "the warp does not issue"));
    items.push(h("li", { title: "in a divided row, the lanes of waiting paths" },
      h("span", { class: "chip", style: "background:" + this.theme.waiting }), "lanes that wait for another path"));
    put(byId("legend"), ...items);
  }

  private select(place: Place | null, reveal = true): void {
    this.view.selected = place;
    if (place && reveal) this.view.reveal(place);
    else this.view.draw();
    this.showDetail();
  }

  // ---- moves -----------------------------------------------------------------------------------

  // Where keys begin: what is chosen, or the first cell in view.
  private from(): Place {
    return this.view.selected ?? { row: Math.max(Math.ceil(this.view.top / this.view.rowHeight), 0), cycle: Math.ceil(this.view.left) };
  }

  private moveBy(cycles: number, rows: number): void {
    const at = this.from();
    if (this.cells.rows.length === 0) return;
    if (!this.view.selected) {
      this.select(at);
      return;
    }
    this.select({ row: Math.min(Math.max(at.row + rows, 0), this.cells.rows.length - 1),
      cycle: Math.min(Math.max(at.cycle + cycles, 0), this.view.cycles - 1) });
  }

  private moveTo(cycle: number): void {
    if (this.cells.rows.length > 0 && Number.isFinite(cycle))
      this.select({ row: this.from().row, cycle: Math.min(Math.max(Math.round(cycle), 0), this.view.cycles - 1) });
  }

  // The next cell of this warp slot, or the one before, that `wanted` likes.
  private moveToCell(step: 1 | -1, wanted: (cell: number) => boolean): void {
    const at = this.from(), row = this.cells.rows[at.row];
    if (!row) return;
    for (let cell = this.cells.at(row, at.cycle) + step; cell >= row.from && cell < row.to; cell += step)
      if (wanted(cell)) {
        this.select({ row: at.row, cycle: this.cells.cycle[cell] });
        return;
      }
    byId("spoken").textContent = step > 0 ? "none after this" : "none before";
  }

  // Of this warp slot.
  private moveToSplit(step: 1 | -1): void {
    const at = this.from(), row = this.cells.rows[at.row];
    const cycles = this.cells.splits.filter((s) => s.row === row && (step > 0 ? s.cycle > at.cycle : s.cycle < at.cycle)).map((s) => s.cycle);
    if (cycles.length > 0) this.moveTo(step > 0 ? Math.min(...cycles) : Math.max(...cycles));
    else byId("spoken").textContent = step > 0 ? "no further divergence" : "no earlier divergence";
  }

  private ends(last: boolean): void {
    const row = this.cells.rows[this.from().row];
    if (!row || row.to === row.from) return;
    let cell = last ? row.to - 1 : row.from;
    if (this.cells.state[cell] === EMPTY && cell > row.from) cell--;
    this.moveTo(last ? this.cells.endOf(row, cell) - 1 : this.cells.cycle[cell]);
  }

  private play(): void {
    const button = byId("play");
    if (this.playing !== 0) {
      clearInterval(this.playing);
      this.playing = 0;
    } else {
      let due = performance.now();
      this.playing = window.setInterval(() => {
        const each = 1000 / Number((byId("speed") as HTMLSelectElement).value), now = performance.now();
        if (now < due) return;
        const cycles = Math.max(1, Math.floor((now - due) / each));
        due = Math.max(due + cycles * each, now - each);
        if (this.from().cycle + 1 >= this.view.cycles) this.play();
        else this.moveBy(cycles, 0);
      }, FRAME);
    }
    button.textContent = this.playing !== 0 ? "Pause" : "Play";
    button.setAttribute("aria-pressed", String(this.playing !== 0));
  }

  private colour(colouring: Colouring): void {
    this.view.colouring = colouring;
    (byId("colouring") as HTMLSelectElement).value = colouring;
    this.view.draw();
    this.legend();
  }

  // Zooms around what is chosen, where that is in view.
  private zoom(factor: number): void {
    this.view.zoom(factor);
    if (this.view.selected) this.view.reveal(this.view.selected);
  }

  // ---- mouse and keys --------------------------------------------------------------------------

  private makeKeys(): Keys {
    const step = (event: KeyboardEvent): number => (event.shiftKey ? 10 : 1);
    const isIssue = (cell: number): boolean => this.cells.state[cell] === ISSUE;
    return [
      { keys: ["ArrowLeft"], shown: "Left", help: "a cycle back; with Shift ten", run: (e) => this.moveBy(-step(e), 0) },
      { keys: ["ArrowRight"], shown: "Right", help: "a cycle on; with Shift ten", run: (e) => this.moveBy(step(e), 0) },
      { keys: ["ArrowUp"], shown: "Up", help: "the warp above", run: () => this.moveBy(0, -1) },
      { keys: ["ArrowDown"], shown: "Down", help: "the warp below", run: () => this.moveBy(0, 1) },
      { keys: ["n"], shown: "n", help: "the next instruction that this warp issues", run: () => this.moveToCell(1, isIssue) },
      { keys: ["p"], shown: "p", help: "the one before", run: () => this.moveToCell(-1, isIssue) },
      { keys: ["d"], shown: "d", help: "the next divergence", run: () => this.moveToSplit(1) },
      { keys: ["D"], shown: "D", help: "the previous one", run: () => this.moveToSplit(-1) },
      { keys: ["Home"], shown: "Home", help: "the first cycle of the slot's warps", run: () => this.ends(false) },
      { keys: ["End"], shown: "End", help: "their last one", run: () => this.ends(true) },
      { keys: [" "], shown: "Space", help: "play, or stop playing", run: () => this.play() },
      { keys: ["+", "="], shown: "+", help: "zoom in", run: () => this.zoom(1.6) },
      { keys: ["-"], shown: "-", help: "zoom out", run: () => this.zoom(1 / 1.6) },
      { keys: ["0"], shown: "0", help: "show all cycles", run: () => this.view.fit() },
      { keys: ["]"], shown: "]", help: "taller rows", run: () => this.view.setRowHeight(this.view.rowHeight * 1.3) },
      { keys: ["["], shown: "[", help: "lower rows", run: () => this.view.setRowHeight(this.view.rowHeight / 1.3) },
      { keys: ["c"], shown: "c", help: "colour by stall reason or by pipe", run: () => this.colour(this.view.colouring === "stall" ? "pipe" : "stall") },
      { keys: ["g"], shown: "g", help: "go to a cycle", run: () => byId("goto").focus() },
      { keys: ["Escape"], shown: "Esc", help: "choose nothing", run: () => this.select(null) },
    ];
  }

  private listen(canvas: HTMLCanvasElement): void {
    let drag: { x: number; y: number; left: number; top: number; moved: boolean } | null = null;
    canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const key = this.keys.find((k) => k.keys.includes(event.key));
      if (!key) return;
      event.preventDefault();
      key.run(event);
    });
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      drag = { x: event.offsetX, y: event.offsetY, left: this.view.left, top: this.view.top, moved: false };
    });
    canvas.addEventListener("pointermove", (event) => {
      const place = this.view.placeAt(event.offsetX, event.offsetY);
      byId("hover").textContent = place ? this.detail.brief(place) : "";
      if (!drag) return;
      const dx = event.offsetX - drag.x, dy = event.offsetY - drag.y;
      drag.moved = drag.moved || Math.abs(dx) + Math.abs(dy) > 4;
      if (drag.moved) this.view.move(drag.left - dx / this.view.scale, drag.top - dy);
    });
    canvas.addEventListener("pointerup", (event) => {
      if (drag && !drag.moved) this.select(this.view.placeAt(event.offsetX, event.offsetY), false);
      drag = null;
    });
    canvas.addEventListener("dblclick", (event) => this.view.zoom(4, event.offsetX));
    canvas.addEventListener("wheel", (event) => {
      const view = this.view;
      if (event.ctrlKey || event.altKey) {
        event.preventDefault();
        view.zoom(Math.exp(-event.deltaY / 300), event.offsetX);
        return;
      }
      const sideways = event.shiftKey ? event.deltaY : event.deltaX, down = event.shiftKey ? 0 : event.deltaY;
      const before = view.left + view.top;
      view.move(view.left + sideways / view.scale, view.top + down);
      if (view.left + view.top !== before) event.preventDefault(); // else the page scrolls
    }, { passive: false });
  }

  private buttons(): void {
    const on = (id: string, run: () => void): void => byId(id).addEventListener("click", run);
    on("zoom-in", () => this.zoom(1.6));
    on("zoom-out", () => this.zoom(1 / 1.6));
    on("zoom-all", () => this.view.fit());
    on("taller", () => this.view.setRowHeight(this.view.rowHeight * 1.3));
    on("lower", () => this.view.setRowHeight(this.view.rowHeight / 1.3));
    on("step-back", () => this.moveBy(-1, 0));
    on("step", () => this.moveBy(1, 0));
    on("next-issue", () => this.moveToCell(1, (cell) => this.cells.state[cell] === ISSUE));
    on("next-split", () => this.moveToSplit(1));
    on("play", () => this.play());
    byId("colouring").addEventListener("change", (event) => this.colour((event.target as HTMLSelectElement).value as Colouring));
    byId("goto-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const text = (byId("goto") as HTMLInputElement).value.replace(/[ ,]/g, "");
      if (this.view.scale < LEAST_SCALE) this.view.scale = LEAST_SCALE;
      if (text !== "") this.moveTo(Number(text) - this.cells.histories.first);
      byId("timeline-canvas").focus();
    });
    put(byId("keys"), ...this.keys.map((key) => h("div", {}, h("dt", {}, h("kbd", {}, key.shown)), h("dd", {}, key.help))));
  }
}

// `showInstruction` is told of the instruction of the cell that is chosen.
export function startTimeline(page: Page, theme: Theme, showLine: (file: number, line: number) => void,
  showInstruction: (index: number) => void): Timeline {
  return new Controls(page, theme, showLine, showInstruction);
}
