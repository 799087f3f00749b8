"""test_cli_slurm.py WARPSTEP [unittest options]: sweeps as array jobs of a real Slurm of one node.

Skipped, with the reason, where Slurm is not installed or does not start.
"""
import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import slurm_node

PROGRAM = os.path.abspath(sys.argv.pop(1))
TARGET = "latency_hiding/launch-bytecode.yaml"
# 10,000 points of some 0.3 ms each
LARGE = ["-P", "warps=1..50", "-P", "classes.global_load.latency=2..400:2"]
# 96 points of some 30 ms each, so that a task is caught at work
SLOW = ["--sms", "1", "-P", "grid=1008..1024:8", "-P", "sub_cores=1,2,4,8", "-P",
        "policy=lrr,gto,oldest,two-level", "-P", "memory.dram.latency=100,200"]


class SlurmCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        reason = slurm_node.why_not()
        if reason is not None:
            raise unittest.SkipTest(reason)
        cls.scratch = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        cls.node = slurm_node.Node(pathlib.Path(cls.scratch.name) / "slurm")
        reason = cls.node.begin()
        if reason is not None:
            cls.tearDownClass()
            raise unittest.SkipTest(reason)

    @classmethod
    def tearDownClass(cls):
        cls.node.end()
        cls.scratch.cleanup()

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=self.scratch.name))
        self.environment = dict(self.node.environment,
                                XDG_CACHE_HOME=str(self.folder / "cache"))
        self.environment.pop("WARPSTEP_CACHE", None)

    def sweep(self, *arguments, code=0):
        done = subprocess.run([PROGRAM, "sweep", *arguments], cwd=self.folder, text=True,
                              env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout

    def wait(self, seconds=200):
        end = time.time() + seconds
        while time.time() < end:
            if not self.node.jobs():
                return
            time.sleep(0.3)
        logs = "".join(path.read_text() for path in self.folder.glob("out/slurm/*.log"))
        self.fail(self.node.ask("squeue") + logs)

    def table(self, name):
        return (self.folder / name / "runs.csv").read_bytes()

    def test_ten_thousand_points_on_four_tasks(self):
        text = self.sweep(TARGET, *LARGE, "-o", "out", "--slurm", "4")
        self.assertRegex(text, r"^Submitted batch job \d+\n")
        self.wait()
        self.assertIn("10000 of 10000 points; 0 failed", self.sweep("out", "--collect"))
        with open(self.folder / "out/runs.csv", newline="") as table:
            rows = list(csv.DictReader(table))
        self.assertEqual(len({row["id"] for row in rows}), 10000)
        journals = [len(path.read_text().splitlines()) for path in
                    self.folder.glob("out/rows/*.csv")]
        self.assertEqual(sorted(journals), [2500] * 4)  # each point was run once
        wanted = [(str(warps), str(latency)) for warps in range(1, 51)
                  for latency in range(2, 401, 2)]
        self.assertEqual([(row["warps"], row["classes.global_load.latency"]) for row in rows],
                         wanted)

    def test_node_killed_in_mid_run(self):
        self.sweep("vecadd", *SLOW, "-o", "whole")
        self.sweep("vecadd", *SLOW, "-o", "out", "--slurm", "2", "--sbatch-option=--comment=again")
        end = time.time() + 60
        while not list(self.folder.glob("out/rows/*.csv")) and time.time() < end:
            time.sleep(0.02)
        self.node.kill_node()
        before = sum(len(path.read_text().splitlines())
                     for path in self.folder.glob("out/rows/*.csv"))
        self.assertGreater(before, 0)
        self.assertLess(before, 96)
        self.node.start_node()
        self.wait()
        self.sweep("out", "--collect")
        self.assertEqual(self.table("out"), self.table("whole"))

    def test_without_sbatch(self):
        self.environment["PATH"] = "/nowhere"
        self.sweep(TARGET, "-P", "warps=1,2", "-o", "out", "--slurm", "2", code=3)
        self.assertIn("#SBATCH --array=0-1", (self.folder / "out/slurm.sh").read_text())


if __name__ == "__main__":
    done = unittest.main(exit=False).result
    for _, reason in done.skipped:
        print(reason)
    sys.exit(77 if done.skipped and done.testsRun == 0 else not done.wasSuccessful())
