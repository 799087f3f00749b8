"""test_warp_width.py WARPSTEP: warps of other sizes on pipes of the same width."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))
COUNT = 400
LAUNCH = "version: 1\nprogram: k.wsasm\nkernel: k\ngrid: 1\nblock: {}\ndynamic_shared_bytes: 1024\n"


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def cycles(self, lines, threads, *settings):
        """Cycles that COUNT times the lines take, start and end left out."""
        return self.whole(lines * COUNT, threads, settings) - self.whole([], threads, settings)

    def whole(self, lines, threads, settings):
        (self.folder / "k.wsasm").write_text(".kernel k\n" + "".join(f" {line}\n" for line in lines) + " EXIT\n")
        (self.folder / "l.yaml").write_text(LAUNCH.format(threads))
        options = [f"--set={text}" for text in ("fetch.model=ideal", "sms=1", *settings)]
        done = subprocess.run([PROGRAM, "run", "l.yaml", "--format", "json", *options], text=True,
                              cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["cycles"]

    def per_line(self, line, size, lanes, threads=1024, device="h200"):
        settings = [f"warp_size={size}", f"pipe_lanes={lanes}", "limits.warps_per_sm=64"]
        return self.cycles([line], threads, *settings) / COUNT

    def test_lanes_a_cycle(self):
        """1024 threads on four sub-cores: FP32 has 32 lanes a sub-core and cycle, INT 16."""
        for line, lanes in (("FADD R1, R2, R3", 32), ("LOP3.LUT R1, R2, R3, RZ, 0x3c", 16)):
            for size in (32, 64):
                self.near(self.per_line(line, size, 32), 1024 / 4 / lanes)
        # Warps of 16 do not fill the lanes of FP32, of which a warp has all in each of its cycles.
        self.near(self.per_line("FADD R1, R2, R3", 16, 32), 1024 / 4 / 16)
        self.near(self.per_line("LOP3.LUT R1, R2, R3, RZ, 0x3c", 16, 32), 1024 / 4 / 16)
        # The machine that is as wide as its warps does twice as much with 64.
        self.near(self.per_line("FADD R1, R2, R3", 64, 0), 1024 / 4 / 64)

    def near(self, measured, wanted):
        """Warps start one after the other: some of the work is done before all are there."""
        self.assertAlmostEqual(measured / wanted, 1, delta=0.04)

    def test_parts_follow_each_other(self):
        """A chain of one warp takes the latency for each step, however many parts it has."""
        for size in (8, 16, 32, 64):
            settings = [f"warp_size={size}", "pipe_lanes=32"]
            self.assertAlmostEqual(self.cycles(["FADD R1, R1, R2"], size, *settings) / COUNT, 4, delta=0.05)

    def test_a_branch_waits_for_all_parts(self):
        lines = ["ISETP.LT P0, R1, 0x1", "@!P0 EXIT"]
        wide, fixed = (self.cycles(lines, 64, "warp_size=64", f"pipe_lanes={lanes}") for lanes in (0, 32))
        self.assertAlmostEqual((fixed - wide) / COUNT, 2, delta=0.3)

    def test_register_ports(self):
        """Two operands of a bank cost a warp of two parts two cycles more."""
        line = "FFMA R1, R2, R4, R6"
        one = self.cycles([line], 128, "warp_size=32", "pipe_lanes=32") / COUNT
        two = self.cycles([line], 256, "warp_size=64", "pipe_lanes=32") / COUNT
        self.assertAlmostEqual(two, 2 * one, delta=0.1)

    def test_loads(self):
        """The way to the load-store unit takes as long for a thread."""
        line = "STS.128 [R4], R8"
        one = self.cycles([line], 512, "warp_size=32", "pipe_lanes=32") / COUNT
        two = self.cycles([line], 512, "warp_size=64", "pipe_lanes=32") / COUNT
        self.assertAlmostEqual(two / one, 1, delta=0.1)

    def test_what_is_refused(self):
        (self.folder / "k.wsasm").write_text(".kernel k\n EXIT\n")
        (self.folder / "l.yaml").write_text(LAUNCH.format(32))
        done = subprocess.run([PROGRAM, "run", "l.yaml", "--set", "pipe_lanes=12"], text=True,
                              cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 3)
        self.assertIn("pipe_lanes: must be 0, 8, 16, 32 or 64", done.stderr)


if __name__ == "__main__":
    unittest.main()
