// The page of a table: its chart, in panels, and all rows that are drawn.
import { Curve, drawCurves, plain } from "../../../inspect/page/web/curves";
import { byId, h, put } from "../../../inspect/page/web/dom";
import { Figure, drawFigure } from "./figure";

interface Data {
  x: string;
  y: string;
  by: string;
  note: string;
  logX: boolean;
  logY: boolean;
  steps: boolean;
  stacked: boolean;
  categories: string[] | null;
  figure?: Figure; // else curves:
  marks?: { value: number; name: string }[];
  panels?: { name: string; curves: Curve[] }[];
  columns: string[];
  rows: string[][];
}

const data: Data = JSON.parse(byId("data").textContent || "");
let sorted = -1, upwards = true;

function order(a: string, b: string): number {
  const x = Number(a), y = Number(b);
  return a === "" || b === "" || Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b) : x - y;
}

// A number of many digits is rounded; all of it shows where the pointer rests.
function shown(cell: string): HTMLElement {
  return /^-?\d+\.\d{5,}$/.test(cell) ? h("td", { title: cell }, plain(Number(cell))) : h("td", {}, cell);
}

function fill(): void {
  const heads = data.columns.map((name, i) => {
    const button = h("button", { type: "button" }, name);
    button.addEventListener("click", () => {
      upwards = sorted === i ? !upwards : true;
      sorted = i;
      fill();
      byId("table").querySelectorAll("button")[i].focus();
    });
    const direction = sorted !== i ? "none" : upwards ? "ascending" : "descending";
    return h("th", { scope: "col", "aria-sort": direction }, button);
  });
  const rows = sorted < 0 ? data.rows : [...data.rows].sort((a, b) => (upwards ? 1 : -1) * order(a[sorted], b[sorted]));
  put(byId("table"), h("caption", { class: "hidden" }, "Rows of the chart"), h("thead", {}, h("tr", {}, ...heads)),
    h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map(shown)))));
}

function drawPanels(): HTMLElement[] {
  const panels = data.panels || [], one = panels.length === 1;
  return panels.map((panel) => drawCurves({
    title: panel.name || `${data.y} by ${data.x}`, xLabel: data.x, yLabel: data.y, curvesLabel: data.by, curves: panel.curves,
    beside: panels.flatMap((other) => other.curves),
    width: one ? 960 : 520, height: one ? 440 : 320, logX: data.logX, logY: data.logY,
    steps: data.steps || data.stacked, stacked: data.stacked,
    xMarks: data.marks, xNames: data.categories || undefined,
  }));
}

const { figure } = data;
if (figure) figure.panels.forEach((panel) => {
  const part = drawFigure(figure, panel);
  byId("charts").append(part.element);
  part.start();
});
else put(byId("charts"), ...drawPanels());
byId("note").textContent = data.note;
fill();
