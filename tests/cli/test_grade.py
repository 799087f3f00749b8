"""Grading: test_grade.py WARPSTEP SOURCE_ROOT"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ElementTree

import browser
from grade_fixture import ANSWERS, ASSIGNMENT, HAS_CLANG, LAUNCH, REFERENCE, GradeCase

GradeCase.program = os.path.abspath(sys.argv.pop(1))
REPORTS = b"was built where esbuild" not in subprocess.run([GradeCase.program, "report", "vecadd", "-o", "/dev/null"],
                                                              capture_output=True, check=False).stderr
ROOT = pathlib.Path(sys.argv.pop(1))
PASSED = {"right", "right_hidden", "fast", "quick_hidden", "plain", "guess"}


def conforms(value, schema, at="result"):
    """The parts of JSON Schema that docs/reference/grade.schema.json uses. Returns what is wrong, or None."""
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
    types = schema.get("type")
    if types:
        types = [types] if isinstance(types, str) else types
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not any(number if t == "number" else isinstance(value, kinds[t]) for t in types):
            return f"{at}: {value!r} is not {types}"
    if "const" in schema and value != schema["const"] or "enum" in schema and value not in schema["enum"]:
        return f"{at}: {value!r}"
    if isinstance(value, dict) and "properties" in schema:
        missing = set(schema.get("required", [])) - value.keys()
        extra = value.keys() - schema["properties"].keys()
        if missing or extra and schema.get("additionalProperties") is False:
            return f"{at}: {missing} {extra}"
        for name, member in value.items():
            wrong = conforms(member, schema["properties"][name], f"{at}.{name}")
            if wrong:
                return wrong
    if isinstance(value, list):
        for i, item in enumerate(value):
            wrong = conforms(item, schema.get("items", {}), f"{at}[{i}]")
            if wrong:
                return wrong
    return None


@unittest.skipUnless(HAS_CLANG, "clang is not installed")
class Verdicts(GradeCase):
    def test_all_points(self):
        self.hand_in()
        grade = self.grade(code=0)
        self.assertEqual({c["name"] for c in grade["checks"] if c["passed"]}, PASSED)
        self.assertEqual((grade["score"], grade["max_score"], grade["error"]), (11, 11, None))
        self.assertEqual(grade["student"], "ann")
        self.assertGreater(grade["leaderboard"][0]["value"], 0)

    def test_schema(self):
        schema = json.loads((ROOT / "docs/reference/grade.schema.json").read_text())
        self.hand_in()
        self.assertIsNone(conforms(self.grade(), schema))
        self.hand_in("__global__ void scale(unsigned *out, const unsigned *in, int n) {}\n", None)
        self.assertIsNone(conforms(self.grade(), schema))
        self.assertIsNotNone(conforms({"schema": "warpstep-grade-1"}, schema))

    def test_wrong_result_names_element_writer_and_line(self):
        self.hand_in(REFERENCE.replace("3 * in[i]", "i == 70 ? 1 : 3 * in[i]"))
        right = self.grade(code=1)["checks"][0]
        self.assertEqual(right["cause"]["rationale"], "out: 1 of 100 elements are wrong")
        self.assertEqual(right["cause"]["actual"], "out[70] = 1")
        self.assertRegex(right["cause"]["expected"], r"out\[70\] = \d+")
        self.assertEqual(right["cause"]["help"], "Look at the border.")
        self.assertEqual(right["log"], ["out[70] was written last by block (1,0,0), thread (6,0,0) at "
                                        "scale.cu:5 (STG)"])
        self.hand_in(REFERENCE.replace("i < n", "i < n - 1"))
        self.assertEqual(self.grade()["checks"][0]["log"], ["out[99] was written last by nobody"])

    def test_wrong_result_where_a_block_waits_for_a_later_one(self):
        """Who wrote it is looked for without timing, which may not end: the result is wrong all the same."""
        self.hand_in("__device__ int flag;\n" + REFERENCE.replace("3 *", "2 *").replace(
            "if (i", "if (blockIdx.x == 1) atomicExch(&flag, 1);\n"
            "    else while (atomicAdd(&flag, 0) == 0) ;\n    if (i"))
        self.assertRegex(self.grade(code=1)["checks"][0]["cause"]["rationale"], "of 100 elements are wrong")

    RACE = REFERENCE.replace("    if (i", "    __shared__ volatile unsigned last;\n    if (threadIdx.x == 0) last = i;\n"
                             "    unsigned x = last;\n    if (i")

    def test_right_numbers_with_a_race(self):
        self.hand_in(self.RACE)
        checks = {check["name"]: check for check in self.grade(code=1)["checks"]}
        right = checks["right"]
        self.assertEqual("failed", right["outcome"])
        self.assertEqual("a race: two unordered accesses to one location",
                         right["cause"]["rationale"])
        self.assertEqual("shared last: no __syncwarp() or barrier between line 5 and line 6: lanes of a warp "
                         "need not run in lockstep", right["cause"]["hint"])
        self.assertEqual(["block (0,0,0), thread (0,0,0): write at scale.cu:5",
                          "block (0,0,0), thread (1,0,0): read at scale.cu:6"], right["log"][:2])
        self.assertEqual("skipped", checks["fast"]["outcome"])
        self.assertEqual("passed", checks["plain"]["outcome"])

    def test_hidden_tests_tell_the_kind_of_a_finding_only(self):
        self.put("lab/assignment.yaml", ASSIGNMENT.replace("needs: [right]}\n  - name", "}\n  - name"))
        self.hand_in(self.RACE)
        checks = {check["name"]: check for check in self.grade(code=1)["checks"]}
        hidden = checks["right_hidden"]
        self.assertEqual("a race: two unordered accesses to one location",
                         hidden["cause"]["rationale"])
        self.assertIsNone(hidden["cause"]["hint"])
        self.assertEqual([], hidden["log"])
        revealed = {check["name"]: check for check in self.grade("--reveal", code=1)["checks"]}
        self.assertIn("line 5 and line 6", revealed["right_hidden"]["cause"]["hint"])

    def test_what_is_looked_for_is_chosen(self):
        self.hand_in(self.RACE)
        for text in ("check: []", "check: [bounds, uninitialised]"):
            self.put("lab/assignment.yaml", text + "\n" + ASSIGNMENT)
            self.assertEqual("passed", self.outcomes()["right"], text)
        self.put("lab/assignment.yaml", "check: []\n" + ASSIGNMENT.replace("open: {", "open: {check: races, "))
        self.assertEqual("failed", self.outcomes()["right"])

    def test_skipped_because_of_another(self):
        self.hand_in(REFERENCE.replace("3 *", "2 *"))
        self.assertEqual(self.outcomes(), {"right": "failed", "right_hidden": "skipped",
                                           "fast": "skipped", "quick_hidden": "failed",
                                           "plain": "passed", "guess": "passed"})

    def test_partial_credit(self):
        slow = REFERENCE.replace("if (i < n)", "unsigned s = 0;\n"
                                 "    for (int k = 0; k < 64; k++) s += in[(i * 7 + k * 13) % n];\n"
                                 "    if (i < n && s != 12345)")
        self.hand_in(slow)
        fast = self.grade()["checks"][2]
        self.assertEqual((fast["passed"], fast["points"], fast["max_points"]), (False, 1, 3))
        self.assertIn("cycles <= 1.1 * reference does not hold", fast["cause"]["rationale"])
        self.assertTrue(any(line.startswith("holds: registers") for line in fast["log"]), fast)
        self.assertIsNotNone(fast["cause"]["hint"])

    def test_places_of_hints_and_faults(self):
        self.hand_in(REFERENCE.replace("in[i]", "in[i * 1000000]"))
        cause = self.grade()["checks"][0]["cause"]
        self.assertIn("out of bounds", cause["rationale"])
        self.assertEqual(cause["rationale"].count("scale.cu:5"), 1, cause)
        strided = REFERENCE.replace("i < n", "i < n && in[(i * 37) % n] < 5000 && in[(i * 53) % n] < 5000")
        self.hand_in(strided)
        hint = self.grade()["checks"][2]["cause"]["hint"]
        self.assertNotIn("line below", hint)
        self.assertRegex(hint, r"scale\.cu:\d")

    def test_hints_are_what_can_be_changed(self):
        """The grid is the test's; and an assignment says what else is no hint."""
        slow = REFERENCE.replace("if (i < n)", "unsigned s = 0;\n"
                                 "    for (int k = 0; k < 64; k++) s += in[(i * 7 + k * 13) % n];\n"
                                 "    if (i < n && s != 12345)")
        self.hand_in(slow)
        self.put("lab/public/launch.yaml", LAUNCH.replace("set: {sms: 1}\n", "").replace("n: 100", "n: 128"))
        told = json.loads(self.warpstep("run", "lab/public/launch.yaml", "-f", "json", code=3).stdout or "{}")
        self.assertEqual({}, told)  # the program lies elsewhere
        shutil.copy(self.submission / "scale.cu", self.lab)
        causes = [b["name"] for b in json.loads(
            self.warpstep("run", "lab/public/launch.yaml", "-f", "json", code=0).stdout)["bottlenecks"]]
        self.assertIn("small_grid", causes[:causes.index("wait")])
        wasted = ", ".join(causes[:causes.index("small_grid")])
        self.put("lab/assignment.yaml", ASSIGNMENT + f"no_hints: [{wasted}]\n")
        hint = self.grade()["checks"][2]["cause"]["hint"]
        self.assertRegex(hint, r"^(waiting|no single wait)")
        self.put("lab/assignment.yaml", ASSIGNMENT + f"no_hints: [{wasted}, wait]\n")
        hint = self.grade()["checks"][2]["cause"]["hint"]
        self.assertNotRegex(hint or "", r"waiting|no single wait|small grid|few warps")

    def test_gates_of_hidden_sizes(self):
        """They count where nobody knows the inputs; what students see is the same in a public test."""
        slow = REFERENCE.replace("if (i < n)", "unsigned s = 0;\n"
                                 "    for (int k = 0; k < 64; k++) s += in[(i * 7 + k * 13) % n];\n"
                                 "    if (i < n && s != 12345)")
        self.put("lab/assignment.yaml", ASSIGNMENT.replace(
            "    draw: seed\n", "    draw: {seed: any, n: [600, 900, 4]}\n    public: open\n").replace(
            "name: fast\n    test: open", "name: fast\n    test: secret"))
        self.hand_in(slow)
        fast = self.grade()["checks"][2]
        self.assertEqual((fast["passed"], fast["points"]), (False, 1))
        log = "\n".join(fast["log"])
        self.assertRegex(log, r"in the public test 'open' it does not hold either: cycles = \d+, reference = \d+")
        self.assertNotRegex(log, r"points\): cycles = \d+")
        self.assertIsNotNone(fast["cause"]["hint"])
        learnt = slow.replace("unsigned s = 0;", "if (n == 100) { if (i < n) out[i] = 3 * in[i]; return; }\n"
                                                 "unsigned s = 0;")
        self.hand_in(learnt)
        fast = self.grade()["checks"][2]
        self.assertEqual(fast["points"], 1)
        self.assertIn("in the public test 'open' it holds", "\n".join(fast["log"]))
        self.hand_in()
        self.assertEqual(self.grade(code=0)["checks"][2]["points"], 3)

    def test_sizes_are_drawn_for_each_student(self):
        """Each gets another size of the range, the same in all tests of the launch file."""
        self.put("lab/assignment.yaml", ASSIGNMENT.replace("    draw: seed\n", "    draw: {n: [500, 900, 100]}\n"))
        self.hand_in(REFERENCE.replace("in[i]", "in[i + n]"))
        sizes = set()
        for student in "abcdefgh":
            cause = self.grade("--student", student, "--reveal")["checks"][3]["cause"]
            sizes.add(int(re.search(r"\(u32\[(\d+)\]\)", cause["rationale"]).group(1)))
        self.assertLessEqual(sizes, {500, 600, 700, 800, 900})
        self.assertGreater(len(sizes), 2)
        for draw, message in (("{n: [5]}", "[LEAST, MOST]"), ("{n: [9, 5]}", "the most is less"),
                              ("{n: [5, 9, 0]}", "the step"), ("{n: all}", "'any', or [LEAST")):
            self.put("lab/assignment.yaml", ASSIGNMENT.replace("draw: seed", f"draw: {draw}"))
            self.assertIn(message, self.warpstep("assignment", "check", "lab", code=3).stderr)
        for public, message in (("secret", "not hidden and runs the same"), ("own", "not hidden and runs the same"),
                                ("opne", "did you mean 'open'?")):
            self.put("lab/assignment.yaml", ASSIGNMENT.replace("draw: seed", f"draw: seed\n    public: {public}"))
            self.assertIn(message, self.warpstep("assignment", "check", "lab", code=3).stderr)

    def test_credit_best_and_all(self):
        gates = "gates: {cycles < 1: 9, cycles < 1000000: 4, cycles < 2000000: 2}"
        for credit, points in (("sum", 6), ("best", 4), ("all", 0)):
            text = ASSIGNMENT.replace("gates: {cycles <= 1.1 * reference: 2, registers_per_thread <= 100: 1}",
                                      f"{gates}\n    credit: {credit}")
            self.put("lab/assignment.yaml", text)
            self.hand_in()
            self.assertEqual(self.grade(code=1)["checks"][2]["points"], points)

    def test_source_rules(self):
        self.hand_in(REFERENCE.replace("out[i] = 3 * in[i]", "atomicAdd(&out[i], 3 * in[i])"))
        plain = self.grade()["checks"][4]
        self.assertIn("RED is used", plain["cause"]["rationale"])
        self.hand_in(REFERENCE.replace("if (", '// asm\n    /* asm */ const char *t = "asm"; if (t && '))
        self.assertEqual(self.outcomes()["plain"], "passed")
        self.hand_in(REFERENCE.replace("if (", 'asm volatile(""); if ('))
        self.assertEqual(self.grade()["checks"][4]["cause"]["rationale"], "the name asm is used")
        self.hand_in(REFERENCE.replace("if (", 'a\\\nsm volatile(""); if ('))
        self.assertEqual(self.outcomes()["plain"], "failed")

    def test_predictions(self):
        self.hand_in(answers="loads: 9\n")
        guess = self.grade()["checks"][5]
        self.assertEqual(guess["cause"]["rationale"], "the prediction does not agree with the run")
        self.assertEqual(guess["cause"]["expected"], "memory.global_load_requests = 4")
        for answers, why in ((None, "answers.yaml is missing from the submission"), ("loads:\n", "no answer"),
                             ("loads: many\n", "is not a number"), ("other: 4\n", "no answer"),
                             ("[4]\n", "must be a mapping"), ("loads: [4]\n", "no answer"),
                             ("loads: \x00", "answers.yaml:1"), ("a: &x 1\nloads: *x\n", "anchors")):
            (self.submission / "answers.yaml").unlink()
            self.hand_in(answers=answers)
            guess = self.grade(code=1)["checks"][5]
            self.assertEqual(guess["outcome"], "failed")
            self.assertIn(why, guess["cause"]["rationale"])
            self.hand_in()

    def test_choices(self):
        text = ASSIGNMENT.replace("figure: memory.global_load_requests, rel: 0.1",
                                  "choices: {few: cycles < 2, many: cycles >= 2}")
        self.put("lab/assignment.yaml", text)
        for answer, outcome in (("many", "passed"), ("few", "failed"), ("some", "failed")):
            self.hand_in(answers=f"loads: {answer}\n")
            self.assertEqual(self.outcomes()["guess"], outcome)
        self.put("lab/assignment.yaml", text.replace("cycles >= 2", "cycles < 1"))
        self.hand_in(answers="loads: many\n")
        self.assertIn("none of the answers", self.grade(code=70)["error"])

    def test_one_check(self):
        self.hand_in(REFERENCE.replace("3 *", "2 *"))
        self.assertEqual(self.outcomes("--check", "guess", code=0), {"guess": "passed"})
        self.assertEqual(self.outcomes("--check", "fast", code=1), {"fast": "skipped"})
        done = self.warpstep("grade", self.lab, self.submission, "--check", "rihgt", code=2)
        self.assertIn("right", done.stderr)

    def test_numbers_are_drawn_for_each_student(self):
        self.put("lab/hidden/launch.yaml", LAUNCH.replace("n: 100", "n: 64"))
        self.put("lab/assignment.yaml", ASSIGNMENT.replace("    hidden: true\n", ""))
        wrong = REFERENCE.replace("3 * in[i]", "in[i] == 0 ? 3 : 1 + 3 * in[i]")
        seen = set()
        for student in ("ann", "ann", "bob"):
            self.submission = self.top / "in" / student
            self.hand_in(wrong.replace("if (i < n)", "if (n == 100) { if (i < n) out[i] = 3 * in[i]; }"
                                       " else"), student=student)
            seen.add(self.grade()["checks"][1]["cause"]["expected"])
        self.assertEqual(len(seen), 2, seen)

    def test_same_bytes(self):
        self.hand_in(REFERENCE.replace("i < n", "i <= n"))
        for format in ("text", "json", "html", "junit", "tap", "gradescope"):
            texts = {self.text("-f", format) for _ in range(2)}
            self.assertEqual(len(texts), 1)
            self.assertNotIn(str(self.top), texts.pop())

    def test_late(self):
        self.put("lab/assignment.yaml", ASSIGNMENT + "due: 2026-10-01T22:00:00Z\n"
                 "late: [{hours: 24, percent: 80}, {hours: 72, percent: 50}]\n")
        self.hand_in()
        for time, total in (("2026-10-01T22:00:00Z", 11), ("2026-10-02T00:30:00+02:00", 8.8),
                            ("2026-10-03T22:00:00Z", 5.5), ("2026-10-09T22:00:00Z", 0)):
            self.assertAlmostEqual(self.grade("--submitted", time)["total"], total)
        self.assertEqual(self.warpstep("grade", self.lab, self.submission, "--submitted", "soon").returncode, 2)


@unittest.skipUnless(HAS_CLANG, "clang is not installed")
class Formats(GradeCase):
    def setUp(self):
        super().setUp()
        self.hand_in(REFERENCE.replace("i < n", "i < n - 1"), "loads: 4\n")

    def test_text(self):
        text = self.text(code=1)
        self.assertIn("  failed     0/3  right\n", text)
        self.assertIn("help: Look at the border.", text)
        self.assertIn("\n2 of 11 points\n", text)

    def test_junit(self):
        suite = ElementTree.fromstring(self.text("-f", "junit", code=1))
        self.assertEqual((suite.get("tests"), suite.get("failures"), suite.get("skipped")), ("6", "2", "2"))
        self.assertIn("out: 1 of 100", suite.find("testcase/failure").get("message"))

    def test_tap(self):
        lines = self.text("-f", "tap", code=1).splitlines()
        self.assertEqual(lines[1:3], ["1..6", "not ok 1 - right"])
        self.assertTrue(any("# SKIP 'right' must pass first" in line for line in lines))

    def test_gradescope(self):
        result = json.loads(self.text("-f", "gradescope", code=1))
        protection = result["tests"].pop()  # which is no check, and for teachers
        self.assertEqual((protection["name"], protection["visibility"]), ("protection of the compiler", "hidden"))
        self.assertEqual((result["score"], len(result["tests"])), (2, 6))
        self.assertEqual(result["leaderboard"], [{"name": "cycles", "value": "-", "order": "asc"}])
        self.assertEqual({t["status"] for t in result["tests"]}, {"passed", "failed"})

    def test_html(self):
        self.put("lab/assignment.yaml", ASSIGNMENT.replace("title: Scaling", "title: <b>S</b>"))
        page = self.text("-f", "html", code=1)
        self.assertIn("&lt;b&gt;S", page)
        self.assertNotIn("<b>", page)
        self.assertNotIn("src=", page)

    def test_help_is_for_what_the_check_is_about(self):
        for source, shown in (("int int;\n", False), (REFERENCE.replace("scale(", "other("), False),
                              (REFERENCE.replace("in[i]", "in[i * 1000000]"), True)):
            self.hand_in(source)
            right = self.grade(code=1)["checks"][0]
            self.assertEqual((right["outcome"], right["cause"]["help"]),
                             ("failed", "Look at the border." if shown else None))
            self.assertEqual("help:" in self.text(code=1), shown)

    def test_output_file(self):
        self.assertEqual(self.text("-f", "tap", "-o", self.top / "x.tap", code=1), "")
        self.assertTrue((self.top / "x.tap").read_text().startswith("TAP"))


def timelines(page):
    """What a page holds of runs: head -> (run, data)."""
    found = {}
    for head, body in re.findall(r'<details class="run-page" id="run-\d+"><summary>(.*?)</summary>(.*?)</details>', page, re.S):
        parts = re.findall(r'<script type="text/plain">(.*?)</script>', body, re.S)
        assert len(parts) == 4
        found[head.replace("&apos;", "'")] = (json.loads(parts[1]), json.loads(parts[2]))
    return found


@unittest.skipUnless(HAS_CLANG and REPORTS, "clang or esbuild is not installed")
class Timelines(GradeCase):
    SLOW = REFERENCE.replace("if (i < n)", "unsigned s = 0;\n"
                             "    for (int k = 0; k < 64; k++) s += in[(i * 7 + k * 13) % n];\n"
                             "    if (i < n && s != 12345)")

    def page(self, *options, code=1):
        page = self.text("-f", "html", *options, code=code)
        self.assertNotIn(str(self.top), page)
        return page

    def test_wrong_result(self):
        self.hand_in(REFERENCE.replace("3 *", "2 *").replace("{", "{ // </script><img src=x onerror=1>", 1))
        page = self.page()
        self.assertEqual(page, self.page())
        self.assertEqual(["Test 'open'"], list(timelines(page)))
        run, data = timelines(page)["Test 'open'"]
        self.assertEqual(("check_failed", "public/launch.yaml"), (run["status"], data["target"]))
        self.assertIn("out[i] = 2 * in[i]", str(data["files"]))
        self.assertGreater(data["timeline"]["issues"], 0)
        self.assertNotIn("<img", page)
        self.assertLess(len(page), 400000)

    def test_hidden_tests_have_none(self):
        self.put("lab/assignment.yaml", ASSIGNMENT.replace("needs: [right]}\n  - name", "}\n  - name")
                 .replace("hidden: true", "hidden: true\n    show_figures: true"))
        self.hand_in(REFERENCE.replace("i < n", "i < n && n < 700"))  # right where it is open
        page = self.page()
        self.assertEqual({}, timelines(page))
        for secret in ("hidden/launch.yaml", "warpstep-page", "<script", "n &lt; 700"):
            self.assertNotIn(secret, page)
        revealed = timelines(self.page("--reveal"))
        self.assertEqual(["Test 'secret'"], list(revealed))
        self.assertEqual("hidden/launch.yaml", revealed["Test 'secret'"][1]["target"])

    def test_all_is_right(self):
        self.hand_in()
        self.assertNotIn("<script", self.page(code=0))

    def test_too_slow(self):
        self.hand_in(self.SLOW)
        page = self.page()
        self.assertEqual(["ok"], [run["status"] for run, _ in timelines(page).values()])
        self.assertIn('<a href="#run-1">Timeline</a>', page)

    def test_stopped_late(self):
        """A long run is shown up to where it stops."""
        # Time enough for a build with sanitizers.
        self.put("lab/assignment.yaml", ASSIGNMENT.replace("cycles: 200000, seconds: 5", "cycles: 50000, seconds: 60"))
        self.hand_in(REFERENCE.replace("if (i", "volatile unsigned *at = out; while (at[0] != 1) ;\n    if (i"))
        run, data = timelines(self.page())["Test 'open'"]
        self.assertEqual(("limit", 50000), (run["status"], run["error"]["cycle"]))
        self.assertEqual((40000, 50000, False), tuple(data["timeline"][key] for key in ("first", "end", "cut")))
        self.assertGreater(data["timeline"]["issues"], 100)

    def test_fault_is_shown_on_its_sm(self):
        self.put("lab/public/launch.yaml", LAUNCH.replace("set: {sms: 1}\n", ""))
        self.hand_in(REFERENCE.replace("in[i]", "in[blockIdx.x == 1 ? 1 << 28 : i]"))
        run, data = timelines(self.page())["Test 'open'"]
        self.assertNotEqual(0, run["error"]["sm"])
        self.assertEqual([run["error"]["sm"]], data["timeline"]["sms"])

    def issue(self, shown, key):
        """Cycle, SM and warp slot of the issue to which a key leads."""
        shown.key("#timeline-canvas", key)
        spoken = shown.text("#spoken")
        found = re.match(r"cycle ([\d,]+), SM (\d+), warp slot (\d+): issues with \d+ lanes$", spoken)
        self.assertTrue(found, spoken)
        return [int(number.replace(",", "")) for number in found.groups()]

    @unittest.skipIf(browser.missing(), "no browser")
    def test_in_a_browser(self):
        self.hand_in(self.SLOW.replace("3 *", "2 *"))
        path = self.top / "page.html"
        self.text("-f", "html", "-o", path, code=1)
        with browser.Browser(1300, 900) as shown:
            shown.open(path)
            shown.requests()
            self.assertEqual(0, shown.run("return document.querySelectorAll('iframe').length"))
            shown.click("td a")
            shown.wait("return document.querySelector('#run-1[open] iframe')", "the frame")
            shown.enter_frame("#run-1 iframe")
            shown.wait("return document.getElementById('main')?.getAttribute('aria-busy') === 'false'", "the page")
            first, then = (self.issue(shown, key) for key in ("n", "n"))
            self.assertEqual(first[1:], then[1:])  # n: the next issue of the same warp
            self.assertLess(first[0], then[0])
            shown.run("scrollTo(0, 0); document.querySelector('nav a[href=\"#source-part\"]').click()")
            self.assertGreater(shown.run("return scrollY"), 100)
            self.assertIn("out[i] = 2 * in[i]", shown.text("#source"))
            self.assertEqual(([], []), (shown.messages(), shown.requests()))


@unittest.skipUnless(HAS_CLANG, "clang is not installed")
class Errors(GradeCase):
    """What is the assignment's or the grader's fault costs nobody a point."""

    def broken(self, *expected):
        grade = self.grade(code=70)
        self.assertIsNone(grade["score"])
        self.assertIsNone(grade["total"])
        for text in expected:
            self.assertIn(text, grade["error"])
        result = json.loads(self.text("-f", "gradescope", code=70))
        self.assertNotIn("score", result)
        self.assertNotIn("tests", result)
        self.assertIn("Bail out!", self.text("-f", "tap", code=70))

    def test_launch_file_is_wrong(self):
        self.hand_in()
        self.put("lab/public/launch.yaml", LAUNCH.replace("kernel: scale", "kernel: scael"))
        self.broken("test 'open' of the assignment", "scael")

    def test_reference_does_not_compile(self):
        self.hand_in("int int;\n")
        self.put("lab/reference/scale.cu", "int int;\n")
        self.broken("not even with its reference")

    def test_names_that_are_not_there(self):
        """Nobody loses points, or gets some, by a name that is misspelt: whatever reads it says where."""
        self.hand_in()
        for old, new, message in (
                ("{buffer: out}", "{buffer: oot}", "the launch file has no buffer 'oot'; did you mean 'out'?"),
                ("draw: seed", "draw: sed", "the launch file has no value of let 'sed'; did you mean 'seed'?"),
                ("draw: seed", "draw: {sed: any}", "no value of let 'sed'"),
                ("hidden: true", "hidden: true\n    with: {nn: 3}", "no value of let 'nn'"),
                ("registers_per_thread", "cylces", "a run has no figure 'cylces'; did you mean 'cycles'?"),
                ("figure: cycles", "figure: cylces", "a run has no figure 'cylces'; did you mean 'cycles'?"),
                ("registers_per_thread", "executed.LDGX", "a run has no figure 'executed.LDGX'"),
                ("registers_per_thread", "at('scale').divergnt", "did you mean 'divergent'?"),
                ("[ATOMG, RED]", "[ATOMX, RED]", "there is no instruction 'ATOMX'"),
                ("include: [public]", "include: [public]\npublish: [pubilc]", "publish 'pubilc': no such file"),
                ("include: [public]", "include: [public]\nno_hints: few_wraps", "did you mean 'few_warps'?")):
            self.assertIn(old, ASSIGNMENT)
            self.put("lab/assignment.yaml", ASSIGNMENT.replace(old, new, 1))
            for command in (("grade", "lab", "in/ann"), ("assignment", "check", "lab"),
                            ("grade", "lab", "--all", "in", "--out", "out")):
                done = self.warpstep(*command, code=3)
                self.assertRegex(done.stderr, r"^lab/assignment\.yaml:\d+:\d+: error: ")
                self.assertIn(message, done.stderr)
                self.assertEqual("", done.stdout if command[0] == "grade" else "")

    def test_own_program_faults(self):
        self.hand_in()
        self.put("lab/public/plain.cu", REFERENCE.replace("if (i < n)", "i += 1 << 20;"))
        self.broken("fails with its own program")

    def test_no_submission(self):
        done = self.warpstep("grade", self.lab, self.top / "in/nobody", code=3)
        self.assertIn("nobody: error: a submission is a folder", done.stderr)

    def test_what_an_assignment_file_says(self):
        wrong = {
            "program: scale.cu": ("program: a/scale.cu", "without a folder"),
            "reference: reference": ("reference: ../in", "outside of the assignment's folder"),
            "launch: hidden/launch.yaml": ("launch: hidden/lunch.yaml", "no such file"),
            "include: [public]": ("include: [.]", "submissions could read 'assignment.yaml' there"),
            "include: [public": ("include: [reference", "submissions could read 'reference' there"),
            "needs: [right]": ("needs: [rihgt]", "did you mean 'right'?"),
            "test: secret, points": ("test: sercet, points", "did you mean 'secret'?"),
            "cycles <= 4 * reference": ("cycles <= 4 * * 2", "a number, a name or ( is expected"),
            "cycles <= 1.1 * reference": ("1.1 * reference", "'reference' needs a figure"),
            "draw: seed": ("draws: seed", "did you mean 'draw'?"),
            "answer: loads, figure: memory.global_load_requests": ("answer: loads", "either a 'figure' or"),
            "seconds: 5": ("seconds: 0", "seconds must be from 1"),
            "points: 3": ("points: -3", "from 0 up"),
            "memory: 256M": ("memory: lots", "number of bytes"),
            "open: {launch": ("open: {check: [race], launch", "'race' is none of all, races"),
            "own: {launch": ("own: {check: all, launch", "'check' is for tests that run the submission"),
            "test: own,": ("test: own, gates: {cycles < 5: 1},", "one of 'gates', 'source'"),
            "figure: cycles, needs": ("figure: cycles, order: up, needs", "order"),
            "name: cycles, test: open": ("name: cycles, test: secret", "show_figures"),
        }
        for old, (new, message) in wrong.items():
            self.assertIn(old, ASSIGNMENT)
            self.put("lab/assignment.yaml", ASSIGNMENT.replace(old, new, 1))
            done = self.warpstep("assignment", "check", "lab", code=3)
            self.assertRegex(done.stderr, r"^lab/assignment\.yaml:\d+:\d+: error: ")
            self.assertIn(message, done.stderr)
        self.put("lab/assignment.yaml", ASSIGNMENT.replace("points: 3,", "points: 3, needs: [fast],"))
        self.assertIn("needs itself", self.warpstep("assignment", "check", "lab", code=3).stderr)


@unittest.skipUnless(HAS_CLANG, "clang is not installed")
class Check(GradeCase):
    def test_reference_starter_and_mutants(self):
        self.put("lab/mutants/double.cu", "// loses: right, quick_hidden\n" + REFERENCE.replace("3", "2"))
        self.put("lab/mutants/guess.yaml", "# loses: guess\nloads: 40\n")
        text = self.warpstep("assignment", "check", "lab", code=0).stdout
        self.assertIn("good   reference: 11 of 11 points", text)
        self.assertIn("good   starter:", text)
        self.assertIn("good   mutant double.cu: loses right, quick_hidden", text)

    def test_the_assignments_own_programs_are_compiled_once(self):
        """What is tried by `check` stays in the cache, and what is handed in does not come there."""
        self.put("lab/mutants/double.cu", "// loses: right, quick_hidden\n" + REFERENCE.replace("3", "2 + 0"))
        given = {"env": dict(os.environ, XDG_CACHE_HOME=str(self.top / "cache"))}
        first = self.warpstep("assignment", "check", "lab", code=0, **given).stdout
        kept = self.top / "cache/warpstep/ptx"
        texts = [path.read_bytes() for path in kept.iterdir() if path.suffix != ".pch"]
        self.assertGreaterEqual(len(texts), 4)  # reference, starter, mutant, table
        self.assertEqual(first, self.warpstep("assignment", "check", "lab", code=0, **given).stdout)
        self.hand_in(REFERENCE.replace("3 *", "4 *"))
        self.warpstep("grade", "lab", "in/ann", code=1, **given)
        self.assertEqual(len(texts), len([path for path in kept.iterdir() if path.suffix != ".pch"]))

    def test_what_is_handed_in_uses_precompiled_headers(self):
        """They are the assignment's, come to the cache without anything of a student's, and save clang's time."""
        given = {"env": dict(os.environ, XDG_CACHE_HOME=str(self.top / "cache"))}
        self.warpstep("assignment", "check", "lab", code=0, **given)
        kept = self.top / "cache/warpstep/ptx"
        for path in kept.glob("*.pch"):
            path.unlink()
        self.hand_in(REFERENCE)
        first = self.warpstep("grade", "lab", "in/ann", "-f", "json", code=0, **given).stdout
        self.assertTrue(list(kept.glob("*.pch")))
        before = {path: path.read_bytes() for path in kept.iterdir()}
        self.assertEqual(first, self.warpstep("grade", "lab", "in/ann", "-f", "json", code=0, **given).stdout)
        given["env"]["WARPSTEP_CACHE"] = "off"
        self.assertEqual(first, self.warpstep("grade", "lab", "in/ann", "-f", "json", code=0, **given).stdout)
        self.assertEqual(before, {path: path.read_bytes() for path in kept.iterdir()})

    def test_mutant_that_loses_something_else(self):
        self.put("lab/mutants/same.cu", "// loses: right\n" + REFERENCE)
        self.assertIn("wrong  mutant same.cu: loses nothing",
                      self.warpstep("assignment", "check", "lab", code=1).stdout)
        self.put("lab/mutants/same.cu", "// loses: rihgt\n" + REFERENCE)
        self.assertIn("same.cu:1: error: there is no check 'rihgt'",
                      self.warpstep("assignment", "check", "lab", code=3).stderr)
        self.put("lab/mutants/same.cu", REFERENCE)
        self.assertIn("loses: CHECK", self.warpstep("assignment", "check", "lab", code=3).stderr)

    def test_reference_without_all_points(self):
        self.put("lab/reference/answers.yaml", "loads: 77\n")
        text = self.warpstep("assignment", "check", "lab", code=1).stdout
        self.assertIn("wrong  reference: 10 of 11 points", text)
        self.assertIn("the prediction does not agree with the run", text)

    def test_a_table_of_the_public_results(self):
        """It gets what the same program without tables gets, or the assignment is wrong."""
        slow = REFERENCE.replace("if (i < n)", "unsigned s = 0;\n"
                                 "    for (int k = 0; k < 64; k++) s += in[(i * 7 + k * 13) % n];\n"
                                 "    if (i < n && s != 12345)")
        given_away = ASSIGNMENT.replace("fixed_inputs: true\n", "")
        drawn = given_away.replace("    draw: seed\n", "    draw: {seed: any, n: [600, 900]}\n    show_figures: true\n")
        drawn = drawn.replace("name: fast\n    test: open", "name: fast\n    test: secret")
        drawn = drawn.replace("{name: cycles, test: open", "{name: cycles, test: secret")
        for starter in (slow, "__global__ void scale(unsigned *out, const unsigned *in, int n) { }\n"):
            self.put("lab/starter/scale.cu", starter)
            self.put("lab/assignment.yaml", given_away)
            text = self.warpstep("assignment", "check", "lab", code=1).stdout
            self.assertIn("wrong  gates of fast: the inputs of test 'open' are known or the same for all", text)
            self.assertIn("wrong  leaderboard cycles: the inputs of test 'open'", text)
            self.assertRegex(text, r"wrong  table of the public results: gains 2 of 3 points of fast, .* in cycles")
            self.put("lab/assignment.yaml", drawn)
            text = self.warpstep("assignment", "check", "lab", code=0).stdout
            self.assertIn("good   table of the public results: gains nothing", text)
            self.assertNotIn("inputs of test", text)
            self.put("lab/assignment.yaml", ASSIGNMENT)
            text = self.warpstep("assignment", "check", "lab", code=0).stdout
            self.assertIn("note   gates of fast: the inputs", text)
            self.assertRegex(text, r"note   table of the public results: gains 2 of 3 points of fast")

    def test_figures_that_are_not_there(self):
        for figure, nearest in (("cylces", "cycles"), ("memory.l1_hit_rat", "l1_hit_rate")):
            self.put("lab/assignment.yaml", ASSIGNMENT.replace("registers_per_thread", figure))
            done = self.warpstep("assignment", "check", "lab", code=3)
            self.assertIn(f"a run has no figure '{figure}'; did you mean '{nearest}'?", done.stderr)
            self.assertRegex(done.stderr, r"assignment\.yaml:\d+:\d+")


if __name__ == "__main__":
    unittest.main(verbosity=1)
