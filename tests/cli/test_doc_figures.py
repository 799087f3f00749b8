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


def check(program, root, update):
    commands = doc_figures.Commands(program, root)
    pages = [doc_figures.Page(path, commands) for path in pages_of(root)]
    for page in pages:
        page.start()
    problems = []
    for page in pages:
        if update and (text := page.updated()) != page.source:
            print(f"{page.path}: updated")
            page.path.write_text(text)
            page = doc_figures.Page(page.path, commands)
        page.check()
        problems += page.problems
        name = str(page.path.relative_to(root))
        if name in STRICT or name.startswith("workloads/"):
            problems += [
                f"{page.path}:{line}: {text} is tied to no run and not given (tests/cli/doc_figures.py)"
                for line, text in page.loose()
            ]
    return problems


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
<!-- runs
a: warpstep run a
b: warpstep run b
c(sms): warpstep run b --sms {sms}
text: warpstep check a
-->
"""

    def page(self, text):
        class Path(type(pathlib.Path())):
            def read_text(self):
                return Mechanism.RUNS + text

        page = doc_figures.Page(Path("page.md"), self.Fixed())
        page.start()
        page.check()
        return page

    def problems(self, text):
        return self.page(text).problems

    def test_right_figures(self):
        for text in [
            "x <!--=a.cycles-->151,248<!--/--> and <!--=b.cycles-->80395<!--/-->",
            "x <!--=a.cycles / b.cycles-->1.9<!--/-->, <!--=round(a.cycles, -3)-->151,000<!--/-->",
            "x <!--=stall(a, 'wait')-->25<!--/--> %, <!--=main_stall(a)-->wait<!--/-->",
            "x <!--=c(2).cycles-->7<!--/-->",
            "```\n<!--=a.cycles-->1<!--/-->\n```",
            "x <!--=count(text, 'may diverge')-->2<!--/-->",
            "x <!--? 1.8 < a.cycles / b.cycles < 2 -->nearly twice",
        ]:
            self.assertEqual(self.problems(text), [], text)

    def test_wrong_figures(self):
        for text, part in [
            ("x <!--=a.cycles-->315,000<!--/-->", "a.cycles is 151,248, not 315,000"),
            ("x <!--=a.cycles / b.cycles-->1.8<!--/-->", "is 1.9, not 1.8"),
            ("x <!--=a.cycles / b.cycles-->1.90<!--/-->", "is 1.88, not 1.90"),
            ("x <!--=a.cycle-->1<!--/-->", "there is no cycle"),
            ("x <!--=main_stall(a)-->barrier<!--/-->", "is wait, not barrier"),
            ("x <!--? a.cycles < b.cycles -->less", "no longer holds: a.cycles < b.cycles (151248, 80395)"),
            ("x <!--=nothing.cycles-->1<!--/-->", "nothing"),
            ("<!--=b.cycles-->80395<!--/--> begins a line", "must not begin"),
            ("- <!--=b.cycles-->80395<!--/--> begins an item", "must not begin"),
            ("x <!--? a.cycles -->holds", "no longer holds: a.cycles (151248)"),
            ("<!-- given: by hand --> begins a line", "at the end"),
            ("x <!--=b.cycles - -1-->80396<!--/--> <!--=b.cycles --1-->80396<!--/-->", "'--' and '|'"),
        ]:
            problems = self.problems(text)
            self.assertEqual(len(problems), 1, (text, problems))
            self.assertIn(part, problems[0])
            self.assertIn("page.md:7:", problems[0])

    def test_update(self):
        for before, after in [
            ("x <!--=a.cycles-->315,000<!--/-->", "x <!--=a.cycles-->151,248<!--/-->"),
            ("x <!--=b.cycles-->1<!--/--> <!--=b.cycles-->?<!--/-->", "x <!--=b.cycles-->80,395<!--/--> <!--=b.cycles-->80,395<!--/-->"),
            ("x <!--=a.cycles / b.cycles-->1.98<!--/-->", "x <!--=a.cycles / b.cycles-->1.88<!--/-->"),
            ("x <!--=main_stall(a)-->none<!--/-->", "x <!--=main_stall(a)-->wait<!--/-->"),
            ("x <!--=b.cycles-->80395<!--/-->", "x <!--=b.cycles-->80395<!--/-->"),
        ]:
            page = self.page(before)
            self.assertEqual(page.updated(), Mechanism.RUNS + after)

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
        for text, loose in [
            ("takes 315,000 cycles", ["315,000"]),
            ("some text\nis 1.9 times, 45 % and 3 times", ["1.9", "45 %", "3 times"]),
            ("takes <!--=a.cycles-->151,248<!--/--> cycles of 8 warps in `1.5`", []),
            ("50.5 us\nand 45 % <!-- given: measured on an H200 -->", []),
            ("- 50.5 <!-- given: by counting -->\n- 28.3", ["28.3"]),
            ("<!-- given: measured -->\n| a | 1.5 |\n| b | 2.5 |\n\n4.5", ["4.5"]),
            ("| a | 1.5 |\n", ["1.5"]),
            ("```console\n1.5\n```\n", []),
            ("text\n\n    1.5 code\n\n2.5", ["2.5"]),
        ]:
            self.assertEqual([found for _, found in self.page(text).loose()], loose, text)


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
