// The page: reads its data, draws its parts, and listens to mouse and keys.
import { theme } from "./colours";
import { drawCharts } from "./charts";
import { readPage } from "./data";
import { byId } from "./dom";
import { drawBranches, drawConfiguration, drawHead, drawMemory, drawOccupancy, drawStalls, drawSummary } from "./sections";
import { Source } from "./source";
import { startTimeline } from "./timeline";

function start(): void {
  const page = readPage();
  let colours = theme();
  drawHead(page);
  const source = new Source(page, colours);
  const show = (file: number, line: number): void => source.reveal(file, line);
  drawSummary(page, show);
  drawStalls(page, colours);
  drawBranches(page, show);
  drawOccupancy(page);
  drawCharts(page);
  drawMemory(page);
  drawConfiguration(page);
  const timeline = startTimeline(page, colours, show);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    colours = theme();
    source.setTheme(colours);
    drawStalls(page, colours);
    timeline.setTheme(colours);
  });
  byId("main").setAttribute("aria-busy", "false");
}

start();
