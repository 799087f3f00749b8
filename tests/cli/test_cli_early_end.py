"""Runs that end early: test_cli_early_end.py WARPSTEP [unittest options]

By --max-seconds, by Ctrl-C and by SIGTERM: the whole report is printed, the status says why.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from patience import HANGS, let_work

PROGRAM = os.path.abspath(sys.argv.pop(1))

ENDLESS = """\
.kernel store
.param u64 x
 LDC.64 R2, c[x]
l: IADD3 R4, R4, 1
 STG.E [R2], R4
@!P5 BRA l
 EXIT
"""

LAUNCH = """\
version: 1
program: k.wsasm
buffers: {x: {type: s32, count: 64}}
launches:
  - {kernel: store, grid: 8, block: 64, params: [{ref: x}]}
  - {kernel: store, grid: 1, block: 32, params: [{ref: x}]}
expect: [{buffer: x, fill: 0}]
"""


class EarlyEnd(unittest.TestCase):
    def setUp(self):
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # started by nohup, the program would leave it ignored
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        (self.folder / "k.wsasm").write_text(ENDLESS)
        (self.folder / "launch.yaml").write_text(LAUNCH)

    def tearDown(self):
        self.scratch.cleanup()

    def start(self, *arguments):
        return subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run_endless(self, *arguments):
        return self.start("run", "launch.yaml", "--format=json", "--sms=4",
                          "--max-cycles=1000000000000", *arguments)

    def ended_early(self, process, status, message):
        out, err = process.communicate(timeout=HANGS)
        self.assertEqual(process.returncode, 6, err)
        self.assertIn(message, err)
        report = json.loads(out)
        self.assertEqual(report["status"], status)
        self.assertIn(message, report["error"]["message"])
        self.assertGreater(report["warp_instructions"], 1000)
        self.assertEqual(sum(report["stalls"].values()), report["warp_cycles"])
        self.assertEqual(len(report["launches"]), 1)
        self.assertEqual(report["checks"], [])

    def simulating(self, process):
        """Waits until the program has its handlers, which it has for the simulation."""
        caught = 0
        while not caught >> (signal.SIGTERM - 1) & 1:
            self.assertIsNone(process.poll())
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            caught = int(status.split("SigCgt:")[1].split()[0], 16)
            time.sleep(0.02)
        let_work(process.pid, 0.3)

    def test_seconds(self):
        for threads in ("1", "3"):
            start = time.monotonic()
            process = self.run_endless("--max-seconds=0.5", f"--threads={threads}")
            self.ended_early(process, "limit", "the limit of 0.5 seconds of processor time (--max-seconds) was reached at cycle ")
            self.assertGreater(time.monotonic() - start, 0.5)

    def test_seconds_are_enough(self):
        done = self.start("run", "vecadd", "--max-seconds=1e300")
        done.communicate(timeout=HANGS)
        self.assertEqual(done.returncode, 0)

    def test_seconds_are_checked(self):
        for wrong in ("-1", "nan", "x"):
            process = self.start("run", "vecadd", f"--max-seconds={wrong}")
            out, err = process.communicate(timeout=HANGS)
            self.assertEqual((process.returncode, out), (2, ""), err)
            self.assertIn("max-seconds", err)

    def test_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            for threads in ("1", "3"):
                process = self.run_endless(f"--threads={threads}")
                self.simulating(process)
                process.send_signal(number)
                self.ended_early(process, "interrupted", "the run was interrupted at cycle ")

    def test_dump_and_text(self):
        process = self.start("run", "launch.yaml", "--max-seconds=0.3", "--dump=x=x.bin")
        out, err = process.communicate(timeout=HANGS)
        self.assertEqual(process.returncode, 6, err)
        self.assertIn("limit", out)
        self.assertEqual((self.folder / "x.bin").stat().st_size, 256)

    def test_before_the_simulation(self):
        """Nothing has been run: the program is ended by the signal, which a shell shows as 130."""
        (self.folder / "launch.yaml").write_text(LAUNCH.replace(
            "count: 64", "count: 300000000, init: {random: {seed: 1, min: 0, max: 9}}"))
        process = self.run_endless()
        time.sleep(0.4)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=HANGS)
        self.assertEqual((process.returncode, out), (-signal.SIGINT, ""))


if __name__ == "__main__":
    unittest.main()
