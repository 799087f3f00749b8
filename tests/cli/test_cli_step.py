"""Tests of `warpstep step`: test_cli_step.py WARPSTEP SOURCE_ROOT [--update | unittest options]

Sessions with small workloads are golden (tests/golden/step_*.txt, written anew by --update).
"""
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
ROOT = pathlib.Path(sys.argv.pop(1)).resolve()

# Workloads of bytecode: what they do does not depend on a compiler. {model} is filled in.
GOLDEN = {
    "if_else": (["if_else/launch-bytecode.yaml"],
                ["info launch", "diverge", "info stack", "info lanes", "reconverge", "back diverge", "step 3",
                 "info warps", "print R4", "disassemble 2", "goto end", "back", "info run"]),
    "if_else_its": (["if_else/launch-bytecode.yaml", "--set", "divergence.model=its"],
                    ["diverge", "info stack", "info barriers", "reconverge", "info barriers"]),
    "nested": (["if_else/bytecode-nested.yaml"],
               ["diverge", "diverge", "info stack", "back diverge", "reconverge 2", "info stack"]),
    "early_exit": (["if_else/bytecode-early_exit.yaml"],
                   ["diverge", "info lanes", "step 2", "info lanes", "exit"]),
    "loop": (["loop_trips/launch-bytecode.yaml"],
             ["diverge 2", "info stack", "list", "goto end", "back line 3"]),
    "vecadd": (["vecadd/launch-bytecode.yaml", "--device", "h200", "--sms", "1"],
               ["step 2", "stall", "info requests", "step", "why", "info scoreboard", "info sub-cores", "response",
                "info registers R2", "print data[16:24]", "watch data[19]", "goto 1000", "continue", "reverse-continue", "exit",
                "why", "goto end", "why", "back exit"]),
    "scheduling": (["scheduling_example"],
                   ["info warps", "why", "focus slot 1", "why", "cycle 3", "info warps", "info sub-cores", "why 2"]),
    "spin_lock": (["spin_lock/bytecode-naive.yaml", "--set", "divergence.model=stack"],
                  ["goto 2000", "info stack", "why", "goto end"]),
    "expressions": (["loop_trips/launch-bytecode.yaml", "--device", "h200", "--sms", "1"],
                    ["step 7", "print R1", "print/x R1 + 16, threadIdx.x * 2", "print -lane 5 R1 * 2.5f", "print -row R1 & 3",
                     "print -lanes 0-2,31 laneId, R0, 12 / (lane - 2)", "print -lanes active warpId", "print blockDim",
                     "print threadIdx.x == 3 ? -1 : (char)65", "print out[3], &out[3], *(&out[3] + 1)",
                     "print out[laneId + 2]", "print/t lane", "print/f 0x3f800000", "print/d (short)65535",
                     "display/x lane + 16", "display -lane 3 R2", "step", "undisplay 1", "step", "undisplay 7", "undisplay",
                     "step", "goto 0", "watch R2 if threadIdx.x == 13 && R2 > 2", "continue", "continue", "reverse-continue",
                     "delete", "watch R2 * 2 + 1", "continue", "reverse-continue", "delete", "goto 0",
                     "break *6 if 10 / (lane - 3) == 5 and R2 < 2", "continue", "continue", "delete", "goto 0",
                     "break *7 if out[laneId] == R2 - 1 && not blockIdx.x", "continue", "print out[laneId], R2", "continue", "info breakpoints"]),
    "set": (["loop_trips/launch-bytecode.yaml", "--device", "h200", "--sms", "1"],
            ["goto end", "info run", "goto 300", "info run", "goto 320", "info run", "set -lanes 0-3,31 R1 = R1 * 2 + 1", "print R1",
             "goto end", "info run", "print out[0:32]", "goto 300", "info run", "print R1", "step 20", "back 20", "info run",
             "goto 320", "print R1", "goto end", "info run", "goto 310", "set R2 = -1", "print R2.s32", "goto end", "print out[0:32]",
             "goto 600", "set out[5] = 2.9", "set var P0 = 1", "print out[5], P0", "goto 601", "print out[5], P0", "goto 599", "print out[5], P0",
             "reverse-continue", "goto 0", "set -lanes all R1.f32 = 0.5f", "print R1.f32", "goto 1", "goto 0", "print R1.f32"]),
    "breakpoints": (["loop_trips/launch-bytecode.yaml", "--device", "h200", "--sms", "1"],
                    ["break *4 if thread.x == 31", "tbreak *6 if lane < 2 && R0 >= 0", "info breakpoints",
                     "continue", "continue", "continue 100000", "back 3", "disable 1", "reverse-continue", "enable 1",
                     "reverse-continue", "delete 1", "info breakpoints", "mark here", "goto 0", "goto here",
                     "info marks"]),
}


def step(*arguments, text=None, code=0):
    done = subprocess.run([PROGRAM, "step", *arguments], input=text, capture_output=True, text=True,
                          timeout=HANGS, cwd="/")
    if done.returncode != code:
        raise AssertionError(f"{arguments}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout if code == 0 else done.stderr


def session(target, commands):
    """What each command says, under it, messages of wrong ones among it."""
    whole = ""
    said = 0
    for i, command in enumerate(commands):
        text = subprocess.run([PROGRAM, "step", *target], input="\n".join(commands[:i + 1]) + "\n",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=HANGS,
                              cwd="/").stdout
        whole += f"> {command}\n{text[said:]}"
        said = len(text)
    return whole


def golden_path(name):
    return ROOT / "tests/golden" / f"step_{name}.txt"


class Sessions(unittest.TestCase):
    def test_golden(self):
        for name, (target, commands) in GOLDEN.items():
            with self.subTest(name):
                self.assertEqual(session(target, commands), golden_path(name).read_text())

    def test_from_a_pipe_and_a_file(self):
        target, commands = GOLDEN["if_else"]
        text = "\n".join(commands) + "\n"
        given = [part for command in commands for part in ("-e", command)]
        expected = step(*target, "--batch", *given)
        self.assertEqual(step(*target, text=text), expected)
        with tempfile.NamedTemporaryFile("w", suffix=".ws") as script:
            script.write("# comment\n\n" + text)
            script.flush()
            self.assertEqual(step(*target, "--batch", "-x", script.name), expected)

    def test_cycles_up_to_a_limit(self):
        """Nothing happens in the last ones: the next answer of memory would come behind the limit."""
        said = step("spin_lock/bytecode-naive.yaml", "--set", "divergence.model=none", "--max-cycles", "5000", "--batch",
                    *(part for cycle in (4980, 4995, "end", 4980) for part in ("-e", f"goto {cycle}", "-e", "info run")))
        runs = [line for line in said.splitlines() if "digest" in line]
        self.assertEqual([line.split(",")[0] for line in runs],
                         ["cycle 4980", "cycle 4995", "cycle 5000 of 5000", "cycle 4980 of 5000"])
        self.assertEqual(runs[0].split()[-1], runs[3].split()[-1])

    def test_fault_is_found(self):
        source = ("__global__ void far(int n, int *y)\n{\n    int i = threadIdx.x;\n"
                  "    if (i == 100)\n        y[1 << 28] = i;\n    else\n        y[i] = i;\n}\n")
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "far.cu").write_text(source)
            subprocess.run([PROGRAM, "init", "far.cu"], cwd=folder, check=True, capture_output=True)
            said = step(f"{folder}/far.yaml", "--sms", "1", "--batch", "-e", "fault", "-e", "why", "-e", "back")
        self.assertRegex(said, r"^cycle \d+  block \(0,0,0\) warp 3, .*, lane 4 thread \(100,0,0\)\n")
        self.assertIn("The run ends here: out of bounds", said)
        self.assertIn("It does not issue, and ends the run: out of bounds", said)
        self.assertEqual(said.count("cycle "), 2)

    def test_sub_core_of_a_warp_that_is_not_there(self):
        """It is the same before the warp begins, while it is there, and when it has left."""
        said = step("reduction/large_shared.yaml", "--sms", "2", "--batch", "-e", "focus block 9 warp 1", "-e", "issue",
                    "-e", "issue 3", "-e", "back issue 3", "-e", "goto end", "-e", "back issue 2", "-e", "issue")
        cycles = [int(line.split()[1]) for line in said.splitlines() if line.startswith("cycle ")]
        self.assertEqual(cycles[1], cycles[3], cycles)
        self.assertLess(cycles[5], cycles[6])
        self.assertIn("on sm 1 sub-core 1", said)
        said = step("if_else/launch-bytecode.yaml", "--batch", "-e", "goto end", "-e", "back issue 2")  # begins at cycle 0
        self.assertIn("cycle 11  block (0,0,0) warp 0,", said)

    def test_no_fault(self):
        said = step("vecadd/launch-bytecode.yaml", "--batch", "-e", "fault")
        self.assertIn("The run is over", said)

    def test_highlights_lead_to_where_it_happened(self):
        out = step("barrier_divergence/one_side.yaml", "--batch", "-e", "info highlights", "-e", "goto failure")
        rows = {line.split()[0]: line for line in re.split(r"(?m)^cycle \d+  ", out)[0].splitlines()}
        self.assertRegex(rows["failure"], r"kernel\.cu:\d+: block 0 warp 0 on SM 124, cycle 160[45]$")
        self.assertEqual(set(rows), {"failure", "first-split", "worst-divergence", "longest-barrier-wait",
                                     "longest-memory-wait", "last-warp"})
        self.assertIn("The run ends here: lanes wait for each other", out)
        # The same as the report's: the first split of all warps, behind the branch.
        out = step("with_without_divergence", "--batch", "-e", "goto first-split", "-e", "info highlights")
        split = next(line for line in out.splitlines() if line.startswith("first-split"))
        begin, block, sm = (int(re.search(pattern, split).group(1)) for pattern in (r"cycles, (\d+) to", r"block (\d+)", r"on SM (\d+)"))
        self.assertTrue(out.startswith(f"cycle {begin + 1}  block ({block},0,0) warp 0, on sm {sm} "), out)
        self.assertIn("there is no such event", step("vecadd", "--sms", "1", "--batch", "-e", "goto first-split", code=2))

    def test_another_warp_than_the_focused_one(self):
        """Only the last warp of the last block splits."""
        said = step("vecadd/n1003.yaml", "--batch", "-e", "diverge", "-e", "goto 0", "-e", "diverge any", "-e", "back diverge any")
        self.assertIn("No further event of this kind before the end. 'diverge any' searches all warps.\n", said)
        self.assertIn("\n###########xxxxxxxxxxxxxxxxxxxxx ", said)
        self.assertIn("  block (15,0,0) warp 1,", said)
        self.assertIn("No earlier event of this kind.", said)

    def test_quit_ends_it(self):
        self.assertEqual(step("vecadd", "--batch", "-e", "quit", "-e", "nonsense"), "")
        self.assertEqual(step("vecadd", text="quit\nnonsense\n"), "")

    def test_width_of_rows(self):
        for line in step("matmul", "--sms", "1", "--batch", "-e", "goto 900", "-e", "info warps").splitlines():
            self.assertLessEqual(len(line), 100)

    def test_no_control_character_gets_out(self):
        source = ('__global__ void red(int n, int *y)\n{\n#line 3 "red\\033[31m.cu"\n'
                  "    int i = threadIdx.x;\n    if (i < n)\n        y[i] = i;\n}\n")
        commands = ["step 3", "why", "info warps", "list", "info lanes", "goto end", "back 3"]
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "red.cu").write_text(source)
            subprocess.run([PROGRAM, "init", "red.cu"], cwd=folder, check=True, capture_output=True)
            target = f"{folder}/red.yaml"
            said = step(target, "--batch", *(word for command in commands for word in ("-e", command)))
            said += step(target, text="\n".join(commands))
        self.assertIn(r"red\x1b[31m.cu", said)
        self.assertEqual([c for c in said if c != "\n" and c != "\t" and not c.isprintable()], [])


class WrongCommands(unittest.TestCase):
    WRONG = {
        "foo": "unknown command", "i": None, "step x": "whole number", "step 1 2": "too much",
        "goto": "a cycle", "goto somewhere": "a mark", "goto 99999999999999999999": "a mark",
        "break": "a line", "break 9999": "a line", "break 1": "the next one with any",
        "break *99999": "a line", "break *4 if": "", "break *4 if R400": "registers",
        "break *4 if foo == 1": "not known", "break *4 if R1 == ": "", "break *4 if R1.f65 > 1": "parts of structs",
        "watch": "an expression", "watch q[1]": "'q' is not known", "watch data[99999999]": "elements",
        "delete 7": "no breakpoint", "focus block 99": "no block", "focus lane 40": "lanes",
        "focus warp": "what number", "focus nose 3": "not one of", "focus sm 77": "no warps",
        "info": None, "info nose": "not one of", "info warps sm": "what number", "print": "of what",
        "print nose": "not known", "print c[9:5]": "", "print shared[0:4]": "shared memory",
        "line any": "not supported here", "diverge any x": "whole number", "back issue any": "not supported here",
        "fault 1": "too much", "mark": "a name", "mark 7": "a name", "back nose": "not one of", "why x": "whole number",
        "why 50": "not resident", "print -lane R0": "is not a lane from 0", "print -lanes 3-40 R0": "is not a lane from 0",
        "print -lane 1": "a value is missing", "print -all R0": "not one of -lane", "print/q R0": "/d /u /x /t /f /c",
        "step/x": "only print and display", "print R0, ": "a value is missing", "print R0 < 1 < 2": "no comparison",
        "print thredIdx.x": "did you mean 'threadIdx'?", "display": None, "display R0 +": "column 5", "undisplay 3": "no display 3",
        "set": "PLACE = EXPRESSION", "set R0": "PLACE = EXPRESSION", "set R0 == 3": "PLACE = EXPRESSION",
        "set threadIdx.x = 3": "cannot be changed", "set R0 + 1 = 3": "not a location", "set R99 = 1": "5 registers",
        "set data = 3": "at a time", "set R1 = 1 / 0": "division by zero", "set -lane 40 R1 = 2": "is not a lane from 0",
        "set data[1 << 20] = 1": "outside of its array", "set *(int *)0 = 1": "no memory at this place", "set R1 = data": "not one of type",
        "watch data": "not one of type", "watch R0 if": "an operator is expected", "watch data[1] if lane == 3": "belongs to no lane",
        "break *4 if data": "not one of type", "break *4 if lane = 3": "== compares", "break *4 if threadIdx": "not one of type", "st": "may be", "info registers R999": "the kernel has 5 registers",
    }

    def test_each_has_a_message_and_exit_code(self):
        for command, message in self.WRONG.items():
            with self.subTest(command):
                if message is None:
                    step("vecadd/launch-bytecode.yaml", "--batch", "-e", command)
                    continue
                said = step("vecadd/launch-bytecode.yaml", "--batch", "-e", command, code=2)
                self.assertIn(message, said)
                self.assertEqual(said.count("\n"), 1)

    def test_a_wrong_line_of_a_file_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder, "moves.ws")
            script.write_text("step\nnonsense\nstep\n")
            said = step("vecadd", "--batch", "-x", str(script), code=2)
            self.assertIn("moves.ws:2: error: unknown command 'nonsense'", said)
            self.assertIn("No such file", step("vecadd", "--batch", "-x", folder + "/none", code=3))

    def test_wrong_targets(self):
        self.assertIn("error", step("no_such_workload", "--batch", code=3))
        self.assertIn("error", step(code=2))
        self.assertIn("error", step("vecadd", "--policy", "none", "--batch", code=3))


class Prompt(unittest.TestCase):
    def setUp(self):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "dumb"
            os.environ["ASAN_OPTIONS"] = "detect_leaks=0"  # libedit keeps the names of EL_ADDFN
            os.execv(PROGRAM, [PROGRAM, "step", *self.options()])
        self.left = ""
        self.read_until("(warpstep) ")

    def options(self):
        return ["policies", "--sms", "1"]

    def tearDown(self):
        os.close(self.terminal)
        if self.pid is not None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)

    def read_until(self, text, seconds=HANGS):
        said, end = self.left, time.time() + seconds
        while text not in said:
            ready, _, _ = select.select([self.terminal], [], [], max(0, end - time.time()))
            self.assertTrue(ready, f"'{text}' has not come: {said}")
            said += os.read(self.terminal, 4096).decode(errors="replace")
        at = said.index(text) + len(text)
        self.left = said[at:]
        return said[:at]

    def say(self, line):
        os.write(self.terminal, line.encode())

    def test_commands_and_repetition(self):
        self.say("step\n")
        first = self.read_until("(warpstep) ")
        self.say("\n")
        second = self.read_until("(warpstep) ")
        self.assertNotEqual(first.split("cycle ")[-1], second.split("cycle ")[-1])
        self.say("info sc\t\n")
        self.read_until("scoreboard")
        self.read_until("(warpstep) ")
        self.say("wrong\n")
        self.assertIn("unknown command", self.read_until("(warpstep) "))
        self.say("quit\n")
        self.assertEqual(os.waitpid(self.pid, 0)[1], 0)
        self.pid = None

    def test_completion(self):
        for typed, rest in (("print threadI\t", "threadIdx "), ("print 2*blockD\t", "2*blockDim "), ("watch gri\t", "gridDim "),
                            ("break *3 if laneI\t", "laneId "), ("undisp\t", "undisplay "), ("help undis\t", "undisplay ")):
            self.say(typed)
            self.read_until(rest)
            self.say("\x15")
        self.say("print warp\t")
        self.read_until("warpSize  warpId  warp")
        self.say("Size\n")
        self.read_until("warpSize = 32")

    def test_interrupt_ends_a_move(self):
        self.say("break *3 if R0 == 4294967295 && cycle < 0\n")
        self.read_until("(warpstep) ")
        self.say("continue\n")
        time.sleep(0.2)
        os.kill(self.pid, signal.SIGINT)
        self.assertIn("cycle ", self.read_until("(warpstep) "))
        self.say("info run\n")
        self.assertIn("digest", self.read_until("(warpstep) "))


def update():
    for name, (target, commands) in GOLDEN.items():
        golden_path(name).write_text(session(target, commands))


if __name__ == "__main__":
    if "--update" in sys.argv:
        update()
    else:
        unittest.main()
