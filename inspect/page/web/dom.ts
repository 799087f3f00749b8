// Elements. Texts are always texts: nothing of a run becomes markup.

type Child = Node | string | null;

export function h(name: string, attributes: { [name: string]: string } = {}, ...children: Child[]): HTMLElement {
  const element = document.createElement(name);
  for (const key of Object.keys(attributes)) element.setAttribute(key, attributes[key]);
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

export function svg(name: string, attributes: { [name: string]: string | number } = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const key of Object.keys(attributes)) element.setAttribute(key, String(attributes[key]));
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error("the page has no " + id);
  return element;
}

export function put(parent: HTMLElement, ...children: Child[]): void {
  parent.replaceChildren(...children.filter((child): child is Node | string => child !== null));
}

export interface Column {
  title: string;
  text?: boolean; // left-aligned
  help?: string;
}

// A table with a caption, which may be hidden from eyes, and headings; the first cell of a row is its heading.
export function table(caption: string, columns: Column[], rows: Child[][], hideCaption = false): HTMLElement {
  const align = (i: number): string => (columns[i].text ? "text" : "number");
  const heads = columns.map((column, i) =>
    h("th", { scope: "col", class: align(i), ...(column.help ? { title: column.help } : {}) }, column.title));
  const body = rows.map((row) =>
    h("tr", {}, ...row.map((cell, i) => h(i === 0 ? "th" : "td", { class: align(i), ...(i === 0 ? { scope: "row" } : {}) }, cell))));
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    h("table", {}, h("caption", hideCaption ? { class: "hidden" } : {}, caption),
      h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...body)));
}
