"""Tests of `warpstep step --quiz`: test_cli_quiz.py WARPSTEP [unittest options]

What the questions say is right must be what `warpstep trace` tells of the same run.
"""
import bisect
import csv
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))


def warpstep(*arguments, text="", code=0):
    done = subprocess.run([PROGRAM, *arguments], input=text, capture_output=True, text=True, timeout=HANGS, check=False)
    if done.returncode != code:
        raise AssertionError(f"{arguments}: exit code {done.returncode}, not {code}\n{done.stderr}")
    return done.stdout if code in (0, 1) else done.stderr


class Quiz(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)

    def tearDown(self):
        self.scratch.cleanup()

    def answers(self, *target, right=None):
        """The document of a quiz in which nothing was answered, or these."""
        path = self.folder / "answers.json"
        warpstep("step", *target, "--quiz", "-o", str(path), text="".join(f"{number}\n" for number in right or []))
        return json.loads(path.read_text())

    def solve(self, *target):
        """Number of the right choice of each question, found by answering the first one, then the next."""
        out = warpstep("step", *target, "--quiz", text="1\n" * 20)
        questions = re.findall(r"^\d+ of \d+\. (.*?)\n((?:  \d  .*\n)+).*?\n(Right|Wrong)\. (.*)$", out, re.M)
        return out, questions

    def check_with_trace(self, *target):
        """Each explanation against the events of the run. Returns the kinds that were asked."""
        told = {}  # by block and warp; in order of cycles
        for row in csv.DictReader(io.StringIO(warpstep("trace", *target, "--format", "csv", "--events", "issue,stall,diverge"))):
            told.setdefault((row["block"], row["warp_in_block"]), []).append(row)
        out, questions = self.solve(*target)
        document = self.answers(*target, right=["1"] * 20)
        self.assertEqual(len(questions), len(document["answers"]))
        kinds = set()
        for (prompt, choices, verdict, explanation), answer in zip(questions, document["answers"]):
            kind, cycle, block, warp = re.match(r"(\w+)-(\d+)-b(\d+)-w(\d+)$", answer["question"]).groups()
            kinds.add(kind)
            own = told[(block, warp)]
            own = own[bisect.bisect_left(own, int(cycle), key=lambda row: int(row["cycle"])):]
            issues = [r for r in own if r["event"] == "issue"]
            self.assertEqual(int(issues[0]["cycle"]), int(cycle), prompt)
            self.assertEqual(answer["right"], verdict == "Right")
            if kind == "path":
                split = next(r for r in own if r["event"] == "diverge")
                sides = [int(split["mask"], 16), int(split["mask2"], 16)]
                taken = int(issues[1]["mask"], 16) & ~sides[0] == 0
                self.assertEqual("not take" not in explanation, taken, prompt)
                self.assertIn(f"at cycle {issues[1]['cycle']},", explanation)
            elif kind == "stall":
                spans, behind = {}, [r for r in own if r["event"] == "stall" or r is issues[1]]
                behind = behind[:behind.index(issues[1]) + 1]
                for row, after in zip(behind, behind[1:]):
                    spans[row["text"]] = spans.get(row["text"], 0) + int(after["cycle"]) - int(row["cycle"])
                longest = max(spans, key=spans.get)
                self.assertIn(f"It waits {spans[longest]} cycles for this. {longest}: ", explanation)
                self.assertEqual(len(choices.splitlines()), 4)
            else:
                self.assertEqual(explanation, f"The warp in slot {issues[0]['warp']} issues.")
        return kinds

    def test_answers_are_what_the_run_does(self):
        kinds = set()
        for target in (["with_without_divergence", "--sms", "1", "--launch", "n=2048"], ["loop_trips"], ["barrier_skew"], ["if_else/launch-bytecode.yaml"],
                       ["spin_lock/bytecode-naive.yaml", "--set", "divergence.model=none"]):
            kinds |= self.check_with_trace(*target)
        self.assertEqual(kinds, {"path", "stall", "warp"})

    def test_nothing_is_seen_before_it_is_asked(self):
        """Before a question is answered no later cycle is shown."""
        out, questions = self.solve("with_without_divergence")
        shown = [int(n) for n in re.findall(r"^cycle (\d+)", out, re.M)]
        self.assertEqual(shown, sorted(shown))
        self.assertEqual(len(shown), len(questions))

    def test_the_same_questions_each_time(self):
        first = self.answers("with_without_divergence")
        self.assertEqual(first, self.answers("with_without_divergence"))
        self.assertEqual((first["schema"], first["score"], first["of"]), ("warpstep-quiz-1", 0, len(first["answers"])))
        self.assertEqual({answer["given"] for answer in first["answers"]}, {None})

    def test_grading_believes_the_run_alone(self):
        target, path = "with_without_divergence", self.folder / "given.json"
        document = self.answers(target)
        _, questions = self.solve(target)
        for answer, (_, choices, verdict, explanation) in zip(document["answers"], questions):
            texts = [line[5:] for line in choices.splitlines()]
            wanted = next(i for i, text in enumerate(texts) if verdict == "Right" and i == 0 or verdict == "Wrong" and
                          explanation.lower().find(text.split(",")[0].split(":")[0].lower()) >= 0)
            answer["given"] = wanted
        document["score"] = 0
        path.write_text(json.dumps(document))
        count = len(document["answers"])
        self.assertIn(f"{count} of {count} right", warpstep("step", target, "--quiz", "--answers", str(path)))
        # What it claims counts for nothing, and what is left out is not right.
        for answer in document["answers"]:
            answer["right"], answer["given"] = True, 3 - answer["given"]
        del document["answers"][0]
        document["score"] = count
        path.write_text(json.dumps(document))
        out = warpstep("step", target, "--quiz", "--answers", str(path), code=1)
        self.assertIn("no answer", out.splitlines()[0])
        self.assertIn(f"0 of {count} right", out)

    def test_wrong_documents(self):
        for text in ("", "{", "[]", "{}", '{"schema": "x", "answers": []}', '{"schema": 1, "answers": []}', '{"schema": "warpstep-quiz-1"}'):
            path = self.folder / "given.json"
            path.write_text(text)
            self.assertIn("given.json: error: ", warpstep("step", "loop_trips", "--quiz", "--answers", str(path), code=3))
        path.write_text('{"schema": "warpstep-quiz-1", "answers": [1, {}, {"question": 1, "given": 0}, {"question": "x", "given": "y"}]}')
        self.assertRegex(warpstep("step", "loop_trips", "--quiz", "--answers", str(path), code=1), r"\n0 of \d+ right\n$")
        warpstep("step", "loop_trips", "--quiz", "--answers", str(self.folder / "none"), code=3)
        self.assertIn("only with --quiz", warpstep("step", "loop_trips", "--answers", "x", code=2))


if __name__ == "__main__":
    unittest.main()
