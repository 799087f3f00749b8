// The page: reads its data, draws its parts, and listens to mouse and keys.
import { theme } from "./colours";
import { drawCharts } from "./charts";
import { Code } from "./code";
import { readPage } from "./data";
import { byId } from "./dom";
import { drawFindings } from "./findings";
import { drawHighlights } from "./highlights";
import { cyclesOf } from "./opening";
import { Quiz } from "./quiz";
import { drawBranches, drawConfiguration, drawHead, drawMemory, drawOccupancy, drawStalls, drawSummary } from "./sections";
import { SmMap } from "./sm_map";
import { Source } from "./source";
import { startTimeline } from "./timeline";

// Inside of another page, an address behind # would be one of that page.
function followLinksHere(): void {
  document.querySelectorAll<HTMLAnchorElement>('a[href^="#"]').forEach((link) =>
    link.addEventListener("click", (event) => {
      const target = byId(link.getAttribute("href")!.slice(1));
      event.preventDefault();
      target.scrollIntoView();
      target.focus({ preventScroll: true });
    }));
}

function start(): void {
  const page = readPage();
  let colours = theme();
  drawHead(page);
  const source = new Source(page, colours);
  const show = (file: number, line: number): void => source.reveal(file, line);
  drawSummary(page, show);
  drawFindings(page, show);
  drawStalls(page, colours);
  drawBranches(page, show);
  drawOccupancy(page);
  drawCharts(page);
  drawMemory(page);
  drawConfiguration(page);
  const code = new Code(page);
  const timeline = startTimeline(page, colours, show, (index) => code.mark(index));
  drawHighlights(page, timeline, cyclesOf, show);
  if (page.data.quiz) new Quiz(page, page.data.quiz, timeline);
  const map = new SmMap(page, colours, timeline);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    colours = theme();
    source.setTheme(colours);
    drawStalls(page, colours);
    timeline.setTheme(colours);
    map.setTheme(colours);
  });
  if (window.parent !== window) followLinksHere();
  byId("main").setAttribute("aria-busy", "false");
}

start();
