// Predict, then look: questions about what comes next, with the timeline covered from there on until they
// are answered. The score and the answers can be saved as JSON, which `step --quiz --answers` grades.
import { Page, Question } from "./data";
import { byId, h, put } from "./dom";
import { countOf } from "./format";
import { Visit } from "./highlights";

export interface Cover {
  // Nothing from this cycle of the run on is shown; null: all is.
  cover(cycle: number | null): void;
}

const CYCLES = 48; // that are shown around a question

export class Quiz {
  private readonly given: (number | null)[];
  private at = -1;

  constructor(private readonly page: Page, private readonly questions: Question[], private readonly timeline: Visit & Cover) {
    this.given = questions.map(() => null);
    document.body.classList.add("quiz");
    byId("quiz").hidden = false;
    timeline.cover(questions.length > 0 ? questions[0].cycle : null);
    this.panel("Predict, then look", h("p", {}, `${countOf(questions.length, "question")} on what the machine does next. The timeline is covered from there on until you have answered; ` +
      "the rest of the report follows when all are answered."), this.button("quiz-next", "Begin", () => this.ask(0)));
  }

  private panel(title: string, ...children: (HTMLElement | null)[]): void {
    put(byId("quiz"), h("h3", {}, title), ...children);
    (byId("quiz").querySelector("button") as HTMLElement | null)?.focus({ preventScroll: true });
  }

  private button(id: string, text: string, run: () => void): HTMLElement {
    const button = h("button", { type: "button", id }, text);
    button.addEventListener("click", run);
    return h("div", { class: "tools" }, button);
  }

  private ask(at: number): void {
    const question = this.questions[at];
    if (!question) {
      this.end();
      return;
    }
    this.at = at;
    this.timeline.cover(question.cycle);
    this.timeline.go(question.sm, question.slot, question.cycle - 1, CYCLES, "The cycle before the question");
    const choices = question.choices.map((text, i) => {
      const button = h("button", { type: "button", class: "choice" }, text);
      button.addEventListener("click", () => this.answer(i));
      return button;
    });
    this.panel(`Question ${at + 1} of ${this.questions.length}, at cycle ${question.cycle.toLocaleString("en")}`,
      h("p", { id: "quiz-prompt" }, question.prompt), h("div", { class: "choices", role: "group", "aria-labelledby": "quiz-prompt" }, ...choices));
  }

  private answer(choice: number): void {
    const question = this.questions[this.at], right = choice === question.answer;
    const next = this.questions[this.at + 1];
    this.given[this.at] = choice;
    this.timeline.cover(question.answered + 1);
    this.timeline.go(question.sm, question.slot, question.answered, CYCLES, "The answer");
    this.panel(right ? "Right" : "Wrong", h("p", {}, question.prompt),
      h("p", { id: "quiz-answer", "aria-live": "polite" }, (right ? "" : `You said: ${question.choices[choice]}. `) + question.explanation),
      this.button("quiz-next", next ? "Next" : "Score", () => this.ask(this.at + 1)));
  }

  private json(): string {
    const { run, data } = this.page;
    const answers = this.questions.map((question, i) => ({ question: question.id, given: this.given[i], right: this.given[i] === question.answer }));
    return JSON.stringify({ schema: "warpstep-quiz-1", target: data.target, device: run.device, answers,
      score: answers.filter((answer) => answer.right).length, of: answers.length }, null, 2) + "\n";
  }

  private end(): void {
    const score = this.questions.filter((question, i) => this.given[i] === question.answer).length;
    const text = this.json();
    document.body.classList.remove("quiz");
    this.timeline.cover(null);
    const area = h("textarea", { id: "quiz-json", readonly: "", rows: "6", "aria-label": "Answers as JSON" }) as HTMLTextAreaElement;
    area.value = text;
    const link = h("a", { id: "quiz-save", download: "answers.json", href: "data:application/json;charset=utf-8," + encodeURIComponent(text) }, "Save the answers");
    this.panel(`${score} of ${this.questions.length} right`, h("p", {}, link), area);
  }
}
