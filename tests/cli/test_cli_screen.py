"""The full screen of `warpstep step`, on a terminal by tmux: test_cli_screen.py WARPSTEP SOURCE_ROOT [--update]

Blocks of docs/use/step.md that follow a line `<!-- screen COLUMNSxROWS ARGUMENTS | KEYS -->` are what
the screen shows after these keys; --update writes them anew.
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from long_loop import write_long_loop
from terminal_session import COLOUR, Terminal, missing

UPDATE = "--update" in sys.argv
if UPDATE:
    sys.argv.remove("--update")
ROOT = pathlib.Path(sys.argv.pop(2))
PROGRAM = os.path.abspath(sys.argv.pop(1))
NO_TERMINAL = missing()

CAPTURE = re.compile(r"^(<!-- screen (\d+)x(\d+) (.*?) \| (.*?) -->\n```text\n)(.*?)^```$", re.M | re.S)


def screen(*arguments, **options):
    return Terminal([PROGRAM, "step", *arguments], **options)


def named(key):
    """A key as the page writes it: letters by themselves, others by their names for tmux."""
    return {"space": "Space"}.get(key, key)


@unittest.skipIf(NO_TERMINAL, NO_TERMINAL)
class Sizes(unittest.TestCase):
    def test_80x24(self):
        with screen("if_else") as terminal:
            terminal.wait("cycle 0  if_else  block 0 warp 0 lane 0", "? help  q quit", "[PTX]")
            terminal.press("d", "s")
            shown = terminal.wait("issue at cycle")
            self.assertIn(" >  15             x = x + 3.0f;", shown)
            self.assertIn(" d  11             x = x * 0.5f;", shown)
            self.assertIn("dddddddddddddddddddddddd######## 00a0", shown)
            self.assertIn("B0  dddddddddddddddddddddddd########", shown)
            self.assertEqual(len(shown.split("\n")), 24)

    def test_larger(self):
        for columns, rows in ((120, 40), (200, 60)):
            with self.subTest(columns=columns), screen("if_else", columns=columns, rows=rows) as terminal:
                terminal.wait("no_instruction")
                terminal.press("d")
                shown = terminal.wait("diverge at cycle")
                for text in ("Source kernel.cu", "PTX", "Bytecode", "Last cycles", "I selected", "branch_resolving"):
                    self.assertIn(text, shown)
                self.assertEqual(len(shown.split("\n")), rows)
                self.assertLessEqual(max(map(len, shown.split("\n"))), columns)

    def test_resize(self):
        with screen("if_else") as terminal:
            terminal.wait("[PTX]", "? help")
            terminal.resize(130, 40)
            terminal.wait("Last cycles", "? help", without=["[PTX]"])
            terminal.resize(40, 10)
            terminal.wait("is too small")
            terminal.resize(80, 24)
            terminal.wait("[PTX]", "? help", without=["too small"])
            terminal.press("s")
            terminal.wait("issue at cycle")


@unittest.skipIf(NO_TERMINAL, NO_TERMINAL)
class Terminals(unittest.TestCase):
    def test_kinds(self):
        for term in ("xterm-256color", "screen", "linux", "vt100"):
            with self.subTest(term=term), screen("if_else", term=term) as terminal:
                terminal.wait("no_instruction", "? help")
                terminal.press("q")
                terminal.wait("left with 0")

    def test_one_that_cannot(self):
        with screen("if_else", term="dumb") as terminal:
            terminal.wait("the terminal dumb cannot place text", "cycle 0")
            terminal.write("quit")
            terminal.press("Enter")
            terminal.wait("left with 0")

    def test_colour(self):
        for changes, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
            with self.subTest(changes=changes), screen("if_else", **changes) as terminal:
                terminal.wait("no_instruction", "? help")
                self.assertEqual(bool(COLOUR.search(terminal.shown(attributes=True))), coloured)
        with screen("if_else", "--color=never") as terminal:
            terminal.wait("no_instruction", "? help")
            self.assertIsNone(COLOUR.search(terminal.shown(attributes=True)))

    def test_prompt_instead(self):
        with screen("if_else", "--no-screen") as terminal:
            terminal.wait("help lists the commands")
            self.assertEqual(terminal.state("alternate_on"), "0")

    def test_no_screen_on_a_pipe(self):
        done = subprocess.run([PROGRAM, "step", "if_else"], input="diverge\n", capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 0)
        self.assertIn("The warp diverged", done.stdout)
        self.assertNotIn("\033", done.stdout)


@unittest.skipIf(NO_TERMINAL, NO_TERMINAL)
class Leaving(unittest.TestCase):
    def check_left(self, terminal, code):
        shown = terminal.wait(f"left with {code}", "ended")
        self.assertEqual(terminal.state("alternate_on"), "0")
        self.assertEqual(terminal.state("cursor_flag"), "1")
        self.assertEqual(terminal.state("keypad_flag"), "0")
        modes = re.findall(r"^modes (\S+)$", shown, re.M)
        self.assertEqual(len(modes), 2, shown)
        self.assertEqual(modes[0], modes[1])

    def test_q(self):
        with screen("if_else", columns=200) as terminal:
            terminal.wait("no_instruction", "? help")
            terminal.press("d", "q")
            self.check_left(terminal, 0)

    def test_signals(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGSEGV):
            with self.subTest(signal=number), screen("if_else", columns=200) as terminal:
                terminal.wait("no_instruction", "? help")
                os.kill(terminal.process(), number)
                self.check_left(terminal, 128 + number)

    def test_control_c(self):
        with screen("if_else", columns=200) as terminal:
            terminal.wait("no_instruction", "? help")
            terminal.press("C-c")
            self.check_left(terminal, 130)


@unittest.skipIf(NO_TERMINAL, NO_TERMINAL)
class Using(unittest.TestCase):
    def test_models(self):
        for model, text in (("its", "Convergence barrier registers"), ("stack", "Reconvergence stack, top first"),
                            ("none", "No convergence barriers in this model")):
            with self.subTest(model=model), screen("spin_lock", "--set", f"divergence.model={model}") as terminal:
                terminal.wait("no_instruction", "? help")
                terminal.press("d")
                terminal.wait("diverge at cycle", text, "d######" if model == "stack" else "#dddddd")

    def test_back_and_forth(self):
        with screen("latency_hiding", columns=120, rows=40) as terminal:
            terminal.wait("no_instruction", "? help")
            terminal.write("500.")
            terminal.wait("cycle 500  walk")
            before = terminal.still("S short_scoreboard")
            terminal.write("3t3T")
            self.assertNotEqual(terminal.still("at cycle"), before)
            terminal.write("g500")
            terminal.press("Enter")
            self.assertEqual(terminal.still("cycle 500  walk", without=["goto"]), before)

    def test_a_key_ends_a_long_way(self):
        with tempfile.TemporaryDirectory() as folder:
            write_long_loop(folder)
            for begin in (">", "c", ":goto end\n", ":step 1000000000\n"):
                with self.subTest(begin=begin), screen(folder + "/k.yaml") as terminal:
                    terminal.wait("no_instruction", "? help")
                    terminal.write(begin.rstrip("\n"))
                    if begin.endswith("\n"):
                        terminal.press("Enter")
                    terminal.wait("searching; any key stops")
                    terminal.press("x")
                    shown = terminal.wait("Interrupted at cycle", without=["searching"])
                    cycle = int(re.search(r"Interrupted at cycle (\d+)", shown).group(1))
                    self.assertIn(f"cycle {cycle}  k", shown)
                    terminal.press("S")
                    terminal.wait("issue at cycle")

    def test_control_c_at_the_prompt(self):
        with tempfile.TemporaryDirectory() as folder, \
                screen(write_long_loop(folder), "--no-screen", columns=120, rows=50) as terminal:
            terminal.wait("help lists the commands")
            for number, command in enumerate(("goto end", "continue", "step 1000000000", "goto +900000000000")):
                terminal.write(command)
                terminal.press("Enter")
                terminal.wait_for_work()
                terminal.press("C-c")
                self.wait_for_count(terminal, "Interrupted at cycle", number + 1)
            terminal.write("back")
            terminal.press("Enter")
            terminal.write("quit")
            terminal.press("Enter")
            shown = terminal.wait("left with 0")
            told = re.findall(r"Interrupted at cycle (\d+).*\n(?:cycle (\d+) )", shown)
            self.assertEqual(len(told), 4, shown)
            cycles = [int(cycle) for cycle, there in told if cycle == there]
            self.assertEqual(len(cycles), 4, shown)
            self.assertEqual(cycles, sorted(set(cycles)))
            self.assertIn("moves left", shown)

    def wait_for_count(self, terminal, text, count):
        while terminal.wait(text).count(text) < count:
            time.sleep(0.05)

    def test_command_line(self):
        with screen("if_else") as terminal:
            terminal.wait("no_instruction", "? help")
            terminal.write(":div")
            terminal.press("Enter")
            terminal.wait("The warp diverged", "d########")
            terminal.write(":info stack")
            terminal.press("Enter")
            terminal.wait("any other key goes back", "inactive, to resume")
            terminal.press("Escape")
            terminal.wait("Warps of SM")
            terminal.write(":nonsense")
            terminal.press("Enter")
            terminal.wait("nonsense", "Warps of SM")
            terminal.write(":quit")
            terminal.press("Enter")
            terminal.wait("left with 0")

    def test_functions(self):
        """The title of the source has the calls; `up` looks at the caller, a move at where the warp is."""
        with screen("matmul", "--sms", "1", columns=120) as terminal:
            terminal.wait("no_instruction", "? help")
            terminal.write("900.")
            terminal.wait("Source multiply_tiled<16, 0>() at kernel.cu:22 (STS), called at kernel.cu:34")
            terminal.write(":up")
            terminal.press("Enter")
            terminal.wait("Source #1 tile_16() at kernel.cu:34", "   34     multiply_tiled<16, 0>(c, a, b, n);")
            terminal.write("s")
            terminal.wait("Source multiply_tiled<16, 0>() at kernel.cu:", without=("Source #1",))

    def test_watched(self):
        """What :display shows has a pane of its own, which follows moves and sizes, and goes with the last of them."""
        with screen("if_else", columns=110) as terminal:
            terminal.wait("no_instruction", "? help", without=("Watched",))
            for command in ":display laneId * 2", ":display cycle":
                terminal.write(command)
                terminal.press("Enter")
                terminal.wait("Watched of block 0 warp 0", without=(command,))
            terminal.wait("1: laneId * 2 = 0", "2: cycle = 0")
            terminal.write(")")
            terminal.wait("1: laneId * 2 = 2", "Watched of block 0 warp 0 lane 1")
            terminal.write("20.")
            terminal.wait("2: cycle = 20")
            terminal.resize(130, 30)
            terminal.wait("2: cycle = 20")
            terminal.write(":undisplay 1")
            terminal.press("Enter")
            terminal.wait("2: cycle = 20", without=("1: ",))
            terminal.write(":undisplay")
            terminal.press("Enter")
            terminal.wait("Paths of block 0 warp 0", without=("Watched",))

    def test_why(self):
        with screen("vecadd", "--sms", "1", columns=100) as terminal:
            terminal.wait("no_instruction", "? help")
            terminal.write("600.w")
            terminal.wait("waits, ", "issued at", "It issues in")

    def test_deadlock(self):
        with screen("barrier_divergence/one_side.yaml") as terminal:
            terminal.wait("no_instruction", "? help")
            terminal.press("c")
            shown = terminal.wait("The run stops here: deadlock", "(__syncthreads)", "any other key goes back")
            self.assertIn("\n   workloads/barrier_divergence/kernel.cu:14 (__syncwarp)", shown)  # wrapped
            terminal.press("Escape")
            terminal.wait("The run stops here: deadlock", "> 0 0 b0.0    B barrier")

    def test_mouse(self):
        with screen("scheduling_example", "--mouse", term="xterm-256color") as terminal:
            shown = terminal.wait("? help", "b0.3")
            row = next(i for i, line in enumerate(shown.splitlines(), 1) if "b0.3" in line)
            terminal.write(f"\033[<0;12;{row}M")
            terminal.wait("block 0 warp 3 lane 0")

    def test_split_of_another_warp(self):
        with screen("vecadd/n1003.yaml") as terminal:
            terminal.wait("no_instruction", "? help")
            terminal.press("d")
            terminal.wait("Block 0 warp 0 does not diverge again; < a: first divergence of any warp")
            terminal.write("<a")
            terminal.wait("block 15 warp 1", "###########xxxxxxxxxxxxxxxxxxxxx", "diverge at cycle")

    def test_warp_of_a_fault(self):
        with screen("barrier_divergence/one_side.yaml") as terminal:
            terminal.wait("no_instruction", "? help")
            terminal.press("f")
            terminal.wait("The run stops here: deadlock", "any other key goes back")

    def test_help(self):
        with screen("if_else") as terminal:
            terminal.wait("no_instruction", "? help")
            terminal.press("?")
            terminal.wait("past its next instruction", "any other key goes back")
            terminal.press("PageDown", "PageDown", "PageDown")
            terminal.wait("long_scoreboard")
            terminal.press("x")
            terminal.wait("Warps of SM", without=["any other key"])

    def test_characters_of_any_width(self):
        with tempfile.TemporaryDirectory() as folder:
            kernel = pathlib.Path(folder, "wide.cu")
            kernel.write_text("// \u6f22\u5b57\u6f22\u5b57 e\u0301 \u00fc \U0001f600 \u202e \u001b[2J wide\n"
                              "__global__ void wide(int *out)\n{\n\tout[threadIdx.x] = 1; // \u6f22\u5b57\n}\n")
            pathlib.Path(folder, "launch.yaml").write_text(
                "version: 1\nprogram: wide.cu\nbuffers:\n  out: {type: s32, count: 32}\nkernel: wide\n"
                "grid: 1\nblock: 32\nparams: [{ref: out}]\n")
            with screen(folder) as terminal:
                shown = terminal.wait("\u6f22\u5b57", "? help")
                self.assertIn("wide", shown)
                # Rows with wide characters end in the same column: they are one character short for each.
                rows = shown.split("\n")[2:8]
                wide = [sum(1 for letter in row if letter in "\u6f22\u5b57") for row in rows]
                places = {row.index("|") + count for row, count in zip(rows, wide) if "|" in row and count % 2 == 0}
                self.assertLessEqual(len(places), 2, rows)
                self.assertIn("Warps of SM", shown)


def capture(columns, rows, arguments, keys):
    with screen(*arguments.split(), columns=int(columns), rows=int(rows)) as terminal:
        before = terminal.still("? help")
        for key in keys.split():
            terminal.press(named(key))
            before = settled(terminal, before)
        return "\n".join(line.rstrip() for line in terminal.shown().split("\n"))


def settled(terminal, before):
    """What is shown after a key, once the program sleeps again; a key may change nothing."""
    end = time.monotonic() + 3
    while (shown := terminal.still("")) == before and time.monotonic() < end:
        time.sleep(0.05)
    return shown


@unittest.skipIf(NO_TERMINAL, NO_TERMINAL)
class Page(unittest.TestCase):
    def test_captures(self):
        page = ROOT / "docs" / "use" / "step.md"
        text = page.read_text()
        self.assertTrue(CAPTURE.search(text))
        for match in CAPTURE.finditer(text):
            shown = capture(*match.groups()[1:5])
            if UPDATE:
                text = text.replace(match.group(0), f"{match.group(1)}{shown}\n```")
                continue
            with self.subTest(capture=match.group(1)):
                self.assertEqual(shown + "\n", match.group(6))
        if UPDATE:
            page.write_text(text)


if __name__ == "__main__":
    unittest.main(verbosity=2)
