// The guided tour: a step after the other, by hand or by itself, each at its cell of the timeline.
import { byId, h, put } from "./dom";
import { Visit } from "./highlights";
import { Step } from "./tour_steps";

const SECONDS_A_WORD = 0.4, LEAST_SECONDS = 5; // that people need to read

export class TourPanel {
  private at = -1;
  private playing = 0;

  private steps: Step[] = [];

  constructor(make: () => Step[], private readonly visit: Visit) {
    byId("tour-begin").addEventListener("click", () => {
      this.steps = make();
      this.show(0);
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.at >= 0) this.close();
    });
  }

  private show(at: number): void {
    const step = this.steps[at], focused = document.activeElement?.id ?? "";
    if (!step) {
      this.close();
      return;
    }
    this.at = at;
    this.visit.go(step.sm, step.slot, step.cycle, step.cycles, step.title);
    clearTimeout(this.playing);
    if (this.playing !== 0) this.wait(step);
    this.draw(step, focused);
  }

  private wait(step: Step): void {
    const seconds = Math.max(SECONDS_A_WORD * step.text.split(" ").length, LEAST_SECONDS);
    this.playing = window.setTimeout(() => this.show(this.at + 1), 1000 * seconds);
  }

  private button(id: string, text: string, run: () => void, off = false): HTMLElement {
    const button = h("button", { type: "button", id, ...(off ? { disabled: "" } : {}) }, text);
    button.addEventListener("click", run);
    return button;
  }

  // `focused`: the button that had the focus.
  private draw(step: Step, focused: string): void {
    const last = this.at + 1 === this.steps.length;
    byId("tour").hidden = false;
    put(byId("tour"), h("h3", {}, `${this.at + 1} of ${this.steps.length}: ${step.title}`), h("p", { "aria-live": "polite" }, step.text),
      h("div", { class: "tools" },
        h("span", { class: "group" }, this.button("tour-back", "Back", () => this.show(this.at - 1), this.at === 0),
          this.button("tour-next", last ? "End" : "Next", () => this.show(this.at + 1))),
        this.button("tour-play", this.playing !== 0 ? "Pause" : "Play", () => this.play()),
        this.button("tour-close", "Close", () => this.close())));
    const again = document.getElementById(focused) as HTMLButtonElement | null;
    (again && byId("tour").contains(again) && !again.disabled ? again : byId("tour-next")).focus({ preventScroll: true });
  }

  private play(): void {
    const playing = this.playing !== 0;
    clearTimeout(this.playing);
    this.playing = 0;
    if (!playing) this.wait(this.steps[this.at]);
    this.draw(this.steps[this.at], "tour-play");
  }

  private close(): void {
    clearTimeout(this.playing);
    this.playing = 0;
    this.at = -1;
    byId("tour").hidden = true;
    byId("tour-begin").focus({ preventScroll: true });
  }
}
