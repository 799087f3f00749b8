"""Tests of what a newcomer does first: test_cli_newcomer.py WARPSTEP [unittest options]"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))

KERNEL = """\
.kernel numbers
.param u64 y
    S2R R0, SR_TID.X ;
    LDC.64 R2, c[y] ;
    IMAD.WIDE.U32 R2, R0, 4, R2 ;
    STG [R2], R0 ;
    EXIT ;
"""

LAUNCH = """\
version: 1
program: kernel.wsasm
buffers:
  y: {type: u32, count: 32}
kernel: numbers
grid: 1
block: 32
params: [{ref: y}]
"""


class Case(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        self.write("kernel.wsasm", KERNEL)
        self.write("launch.yaml", LAUNCH)

    def tearDown(self):
        self.scratch.cleanup()

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def run_program(self, *arguments):
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=120)

    def expect(self, code, message, *arguments):
        done = self.run_program(*arguments)
        text = f"{arguments}\n{done.stdout[-2000:]}\n{done.stderr}"
        self.assertEqual(done.returncode, code, text)
        self.assertIn(message, done.stderr, text)
        if code in (2, 3):
            self.assertEqual(done.stdout, "", text)
        return done


class DidYouMean(Case):
    def changed(self, old, new, meant):
        self.assertIn(old, LAUNCH)
        self.write("wrong.yaml", LAUNCH.replace(old, new))
        self.expect(3, f"did you mean '{meant}'?", "run", "wrong.yaml")

    def test_launch_file(self):
        self.changed("type: u32", "type: float", "f32")
        self.changed("type: u32", "type: unsigned int", "u32")
        self.changed("grid:", "blocks:", "grid")
        self.changed("block:", "threads:", "block")
        self.changed("params:", "args:", "params")
        self.changed("count: 32", "size: 32", "count")
        self.changed("{ref: y}", "{int: 1}", "s32")
        self.changed("{ref: y}", "{pointer: y}", "ref")
        self.changed("{ref: y}", "{ref: Y}", "y")
        self.changed("kernel: numbers", "kernel: number", "numbers")
        self.changed("version: 1", "version: 1\ndevice: hopper", "h200")

    def test_command_line(self):
        for code, meant, arguments in (
                (2, "run", ["simulate"]),
                (2, "disasm", ["disasemble"]),
                (2, "json", ["run", "launch.yaml", "--format", "jsno"]),
                (3, "lrr", ["run", "launch.yaml", "--policy", "round_robin"]),
                (3, "sms", ["run", "launch.yaml", "--set", "num_sms=1"]),
                (3, "policy", ["run", "launch.yaml", "--set", "scheduler=lrr"]),
                (3, "a100", ["run", "launch.yaml", "--device", "ampere"]),
                (3, "grid", ["run", "launch.yaml", "--launch", "blocks=2"]),
                (3, "vecadd", ["run", "saxpy"])):
            self.expect(code, f"did you mean '{meant}'?", *arguments)


if __name__ == "__main__":
    unittest.main()
