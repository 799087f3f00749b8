// What `--check` found: races, reads of nothing, accesses to the wrong array.
import { Access, Page, sourceLine } from "./data";
import { byId, h, put, table } from "./dom";
import { countOf, grouped } from "./format";
import { ShowLine, lineLink } from "./sections";

const ACTIONS = { read: "reads", write: "writes", atomic: "changes with an atomic", index: "uses the index", wait: "waits" };

function instructionText(page: Page, instruction: number | null): string {
  if (instruction === null) return "an unknown line";
  return page.instructions.get(instruction)?.text ?? `0x${(instruction * 16).toString(16)}`;
}

function access(page: Page, touch: Access, show: ShowLine): HTMLElement {
  const file = page.data.files.findIndex((f) => f.name === touch.file);
  const who = `block (${touch.block.join(",")}) thread (${touch.thread.join(",")}), warp ${touch.warp} lane ${touch.lane}, ${ACTIONS[touch.action]} at `;
  if (file < 0) return h("div", {}, who, h("code", {}, instructionText(page, touch.instruction)));
  return h("div", {}, who, lineLink(page, touch.file, touch.line, show), " ", h("code", {}, sourceLine(page, file, touch.line)));
}

export function drawFindings(page: Page, show: ShowLine): void {
  const findings = page.run.findings;
  if (findings === null) return;
  byId("findings-part").hidden = byId("findings-link").hidden = false;
  if (findings.length === 0) {
    put(byId("findings"), h("p", {}, "The checks found nothing."));
    return;
  }
  const many = page.run.launches.length > 1;
  put(byId("findings"), table(`${countOf(findings.length, "finding")}, one for each pair of lines, with the first instance`,
    [{ title: "Check", text: true }, { title: "Where", text: true }, { title: "Times" }, { title: "Accesses", text: true }, { title: "What is wrong", text: true }],
    findings.map((finding) => [
      finding.check, finding.place + (many ? `, launch ${finding.launch} (${finding.kernel})` : ""), grouped(finding.count),
      h("div", {}, ...finding.accesses.map((touch) => access(page, touch, show))), finding.missing])));
}
