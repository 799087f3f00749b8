"""Checks the figures in the prose of the manual: test_doc_figures.py WARPSTEP SOURCE_ROOT [--update]

tests/cli/doc_figures.py says how a figure is tied to a command. --update fills in what changed; what
is said of the figures ("twice as fast") is not mended by that, and fails until it is rewritten. With another clang than
the one that figures are of, those that differ are named, and fail only where they are far off.
"""
import pathlib
import sys
import unittest

import clangs
import doc_figures
import test_docs

# Pages on which every figure must be tied to a run, or say where it is from.
STRICT = ["README.md", "docs/learn/guide.md", "docs/understand/occupancy.md", "docs/use/policies.md", "docs/reference/cuda.md", "docs/reference/formats.md", "docs/understand/extending.md"]


def pages_of(root):
    return [root / "README.md", *sorted((root / "docs").rglob("*.md")), *sorted((root / "workloads").glob("*/*.md"))]


def pages_of_nothing(root):
    return [f"{path}: there is no {path.stem}.md" for folder in ("docs", "workloads")
            for path in sorted((root / folder).rglob("*.figures")) if not path.with_suffix(".md").exists()]


def check(program, root, update):
    commands = doc_figures.Commands(program, root)
    pages = [doc_figures.Page.read(path, commands) for path in pages_of(root)]
    for page in pages:
        page.start()
    problems = []
    for page in pages:
        if update and (text := page.updated()) != page.source:
            print(f"{page.path}: updated")
            page.path.write_text(text)
            page = doc_figures.Page.read(page.path, commands)
        page.check()
        problems += page.problems
        name = str(page.path.relative_to(root))
        if name in STRICT or name.startswith("workloads/"):
            problems += [
                f"{page.path}:{line}: {text} is tied to no run and not given in {page.sidecar.path.name} (tests/cli/doc_figures.py)"
                for line, text in page.loose()
            ]
    return problems + pages_of_nothing(root)


class Mechanism(unittest.TestCase):
    """What the checks can and cannot see, on pages made up here."""

    class Fixed:
        """Commands whose results are known."""

        RESULTS = {
            "warpstep run a": doc_figures.Figures(
                cycles=151248, stalls={"wait": 3, "selected": 9}, warp_cycles=12
            ),
            "warpstep run b": doc_figures.Figures(cycles=80395),
            "warpstep run b --sms 2": doc_figures.Figures(cycles=7),
            "warpstep check a": "x may diverge\ny may diverge\n",
        }

        def start(self, command):
            result = self.RESULTS[command]
            return type("Done", (), {"result": lambda self: result})()

    RUNS = """\
# What follows is made up.
[runs]
a: warpstep run a
b: warpstep run b
c(sms): warpstep run b --sms {sms}
text: warpstep check a
"""

    def page(self, text, figures="", given=""):
        sidecar = f"{Mechanism.RUNS}\n[figures]\n{figures}\n\n[given]\n{given}\n"
        page = doc_figures.Page(pathlib.Path("page.md"), text, sidecar, self.Fixed())
        page.start()
        page.check()
        return page

    def test_right_figures(self):
        for text, figures in [
            ("x 151,248 and 80395", "x {a.cycles} and {b.cycles}"),
            ("x 151,248\nand 80395", "x {a.cycles} and  {b.cycles}"),
            ("x 1.9, 151,000", "x {a.cycles / b.cycles}, {round(a.cycles, -3)}"),
            ("x 25 %, wait", "x {stall(a, 'wait')} %, {main_stall(a)}"),
            ("x 7", "x {c(2).cycles}"),
            ("x 7 in {braces}", "x {{2: c(2).cycles}[2]} in"),
            ("x 2", "x {count(text, 'may diverge')}"),
            ("nearly twice\nas much", "{? 1.8 < a.cycles / b.cycles < 2} nearly twice as"),
            ("| 8 | 7 |\n| 9 | 80395 |", "| 8 | {c(2).cycles} | | 9 | {b.cycles} |"),
            ("```\nx 1\n```\nx 7", "x {c(2).cycles}"),
        ]:
            self.assertEqual(self.page(text, figures).problems, [], text)

    def test_wrong_figures(self):
        for text, figures, part in [
            ("\nx 315,000", "x {a.cycles}", "page.md:2: a.cycles is 151,248, not 315,000"),
            ("x 1.8", "x {a.cycles / b.cycles}", "is 1.9, not 1.8"),
            ("x 1.90", "x {a.cycles / b.cycles}", "is 1.88, not 1.90"),
            ("x 1", "x {a.cycle}", "there is no cycle"),
            ("x barrier", "x {main_stall(a)}", "is wait, not barrier"),
            ("x is\nless", "is {? a.cycles < b.cycles} less", "page.md:2: this no longer holds: a.cycles < b.cycles (151248, 80395)"),
            ("x 1", "x {nothing.cycles}", "nothing"),
            ("x holds", "x {? a.cycles} holds", "no longer holds: a.cycles (151248)"),
        ]:
            problems = self.page(text, figures).problems
            self.assertEqual(len(problems), 1, (text, problems))
            self.assertIn(part, problems[0])
            self.assertIn("page.md:", problems[0])

    def test_wrong_sidecars(self):
        for text, figures, given, part in [
            ("x is 7", "y is {c(2).cycles}", "", "page.figures:9: 0 places of page.md have this text: y is {c(2).cycles}"),
            ("x is 7. x is 7", "x is {c(2).cycles}", "", "page.figures:9: 2 places"),
            ("```\nx is 7\n```", "x is {c(2).cycles}", "", "0 places"),
            ("x is 80395", "{c(2).cycles} and", "", "0 places"),
            ("12,007 x", "{c(2).cycles} x", "", "page.md:1: c(2).cycles is 7, not 12,007"),
            ("the x is 7", "the x is {c(2).cycles}\nx is {c(2).cycles}", "", "page.figures:10: line 9 has 7 too"),
            ("x is 7", "x is 7", "", "page.figures:9: there is no {expression} in it"),
            ("x is 7 times", "", "x is 7 times", "page.figures:12: 'TEXT <= SOURCE' is expected"),
            ("x is 7 times", "", "x is 8 times <= a paper", "page.figures:12: 0 places"),
            ("a\n\na", "", "a <= a paper", "page.figures:12: 2 places"),
        ]:
            problems = self.page(text, figures, given).problems
            self.assertEqual(len(problems), 1, (text, problems))
            self.assertIn(part, problems[0])
        page = doc_figures.Page(pathlib.Path("page.md"), "", "x\n[run]\n[runs]\na warpstep run a\n", self.Fixed())
        self.assertEqual([problem.partition(", not")[0] for problem in page.problems], [
            "page.figures:1: one of [runs], [figures], [given] is expected",
            "page.figures:2: one of [runs], [figures], [given] is expected", "page.figures:4: 'NAME: COMMAND' is expected"])

    def test_update(self):
        for before, figures, after in [
            ("x 315,000", "x {a.cycles}", "x 151,248"),
            ("x 1 and ?", "x {b.cycles} and {b.cycles}", "x 80,395 and 80,395"),
            ("x 1.98 {", "x {a.cycles / b.cycles}", "x 1.88 {"),
            ("x none", "x {main_stall(a)}", "x wait"),
            ("x 80395\nand 1", "x {b.cycles}", "x 80395\nand 1"),
            ("y 5 x 2", "x {c(2).cycles}\ny {c(2).cycles} x", "y 7 x 7"),
        ]:
            self.assertEqual(self.page(before, figures).updated(), after)

    def test_console_blocks_are_refilled(self):
        actual = ["vecadd: 41 blocks", "", "cycles   9,000", "ipc   2", "end"]
        for expected, wanted in [
            (["vecadd: 40 blocks", "...", "cycles   7,497", "..."], ["vecadd: 41 blocks", "...", "cycles   9,000", "..."]),
            (["...", "ipc   1", "end"], ["...", "ipc   2", "end"]),
            (["...", "what is gone", "...", "end"], ["...", "end"]),
            (["vecadd: 40 blocks", "cycles  1", "..."], ["vecadd: 41 blocks", "", "..."]),
            (["...", "cycles 1", "ipc  2.5", "..."], ["...", "cycles   9,000", "ipc   2", "..."]),
            (["one line"], actual),
        ]:
            refilled = test_docs.refilled(expected, actual)
            self.assertEqual(refilled, wanted)
            self.assertTrue(test_docs.output_agrees(refilled, actual))

    def test_loose_figures(self):
        for text, figures, given, loose in [
            ("takes 315,000 cycles", "", "", ["315,000"]),
            ("some text\nis 1.9 times, 45 % and 3 times", "", "", ["1.9", "45 %", "3 times"]),
            ("takes 151,248 cycles of 8 warps in `1.5`", "takes {a.cycles} cycles", "", []),
            ("takes 151,248 cycles, twice 75,624", "takes {a.cycles} cycles", "", ["75,624"]),
            ("50.5 us\nand 45 %", "", "us and <= measured on an H200", []),
            ("- 50.5\n- 28.3", "", "50.5 <= by counting", ["28.3"]),
            ("# 5.5\n\nx 50.5\n\n28.3", "", "x 50.5 <= by counting", ["5.5", "28.3"]),
            ("| x | y |\n| --- | --- |\n| a | 1.5 |\n| b | 2.5 |\n\n4.5", "", "| x | y | <= measured", ["4.5"]),
            ("| x | y |\n| --- | --- |\n| a | 1.5 |\n| b | 2.5 |", "", "| a | 1.5 | <= measured", ["2.5"]),
            ("| a | 1.5 |\n", "", "", ["1.5"]),
            ("```console\n1.5\n```\n", "", "", []),
            ("text\n\n    1.5 code\n\n2.5", "", "", ["2.5"]),
        ]:
            self.assertEqual([found for _, found in self.page(text, figures, given).loose()], loose, text)
        self.assertEqual(list(self.page("a\n\nb\nis 1.5").loose()), [(4, "1.5")])


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--update"]
    program, root = arguments[0], pathlib.Path(arguments[1])
    tests = unittest.defaultTestLoader.loadTestsFromTestCase(Mechanism)
    passed = unittest.TextTestRunner().run(tests).wasSuccessful()
    problems = check(program, root, update="--update" in sys.argv)
    near = [problem for problem in problems if clangs.OTHER and getattr(problem, "is_near", False)]
    if near:
        print(f"{len(near)} figures are of clang {clangs.PUBLISHED} and others with {clangs.OTHER}:", *near, sep="\n  ")
    problems = [problem for problem in problems if problem not in near]
    print("\n".join(problems))
    return 0 if passed and not problems else 1


if __name__ == "__main__":
    sys.exit(main())
