"""test_cli_slurm.py WARPSTEP SOURCES [unittest options]: sweeps as array jobs of a real Slurm of one node.

Skipped, with the reason, where Slurm is not installed or does not start.
"""
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

import caches
import slurm_node
from patience import HANGS

PROGRAM, SOURCES = map(os.path.abspath, (sys.argv.pop(1), sys.argv.pop(1)))
TARGET = "latency_hiding/launch-bytecode.yaml"
# 10,000 points of some 0.3 ms each
LARGE = ["-P", "warps=1..50", "-P", "classes.global_load.latency=2..400:2"]
# 96 points of some 30 ms each, so that a task is caught at work
SLOW = ["--sms", "1", "-P", "grid=1008..1024:8", "-P", "sub_cores=1,2,4,8", "-P",
        "policy=lrr,gto,oldest,two-level", "-P", "memory.dram.latency=100,200"]
# 768 of them: Slurm looks for what to pre-empt every few seconds only
LONG = [text.replace("1024:8", "1192:8") for text in SLOW]


class SlurmCase(unittest.TestCase):
    whole_of = {}  # a study and its table

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
                                XDG_CACHE_HOME=caches.shared_or(self.folder / "cache"))
        self.environment.pop("WARPSTEP_CACHE", None)

    def sweep(self, *arguments, code=0):
        done = subprocess.run([PROGRAM, "sweep", *arguments], cwd=self.folder, text=True,
                              env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=HANGS)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout

    def wait(self, seconds=HANGS):
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

    def test_lines_of_the_manual(self):
        """They run on the smallest cluster: one node of two processors."""
        page = pathlib.Path(SOURCES, "docs/use/studies.md").read_text()
        (lines,) = re.findall(r"^```sh\n(warpstep sweep [^`]*--slurm [^`]*)```", page, re.M)
        submit, collect = lines.replace("/shared/warps", "shared").replace("\\\n", " ").splitlines()
        wanted = int(re.search(r"--cpus-per-task=(\d+)", submit).group(1))
        if wanted > os.cpu_count():
            self.skipTest(f"the node has fewer than {wanted} processors")
        self.sweep(*submit.split()[2:])
        self.wait()
        self.assertIn("128 of 128 points; 0 failed", self.sweep(*collect.split()[2:]))

    def rows_there(self):
        return sum(len(path.read_text().splitlines())
                   for path in self.folder.glob("out/rows/*.csv"))

    def until(self, what, true, seconds=HANGS):
        end = time.time() + seconds
        while not true():
            self.assertLess(time.time(), end, f"{what}: {self.node.ask('squeue')}")
            time.sleep(0.05)

    def whole(self, study):
        """The table of the study in one process, made once."""
        if study is not self.whole_of.get("study"):
            self.sweep("vecadd", *study, "-o", "whole")
            self.whole_of.update(study=study, table=self.table("whole"))
        return self.whole_of["table"]

    def caught_at_work(self, *options, study=SLOW):
        """Submits the slow study and comes back when it has begun; the job's number."""
        self.whole(study)
        text = self.sweep("vecadd", *study, "-o", "out", "--slurm", "2", *options)
        self.until("no row", self.rows_there)
        return re.search(r"batch job (\d+)", text).group(1)

    def ends_whole(self, points=96, study=SLOW):
        """What was finished before the stop is not run again."""
        self.wait()
        self.assertIn(f"{points} of {points} points; 0 failed", self.sweep("out", "--collect"))
        self.assertEqual(self.table("out"), self.whole(study))
        self.assertEqual(self.rows_there(), points)

    def caught(self, points=96):
        rows = self.rows_there()
        self.assertGreater(rows, 0)
        self.assertLess(rows, points)

    def test_node_killed_in_mid_run(self):
        self.caught_at_work("--sbatch-option=--comment=again")
        self.node.kill_node()
        self.caught()
        self.node.start_node()
        self.ends_whole()

    def restarts(self, job):
        text = self.node.ask("scontrol", "show", "job", job)
        return max([int(count) for count in re.findall(r"Restarts=(\d+)", text)], default=0)

    def test_requeued_by_hand(self):
        job = self.caught_at_work()
        self.node.ask("scontrol", "requeue", job)
        self.caught()
        self.until("not requeued", lambda: self.restarts(job))
        self.ends_whole()

    def test_a_warning_before_the_end(self):
        """As at a time limit: TERM to the batch shell, which puts its task into the queue again."""
        job = self.caught_at_work()
        self.node.ask("scancel", "--batch", "--signal=TERM", job)
        self.until("not requeued", lambda: self.restarts(job))
        self.ends_whole()

    def test_cancelled(self):
        """scancel ends a task for good; what it had finished stays."""
        job = self.caught_at_work()
        self.node.ask("scancel", job)
        self.wait(60)
        self.caught()
        self.assertEqual(self.restarts(job), 0)
        time.sleep(3)  # the scheduler looks every two seconds
        self.assertEqual(self.node.jobs(), [])
        self.sweep("out", "--threads", "2")
        self.ends_whole()

    def test_pre_empted(self):
        """A job of a partition of more weight takes the node; it is given back afterwards."""
        job = self.caught_at_work(study=LONG)
        urgent = self.folder / "urgent.sh"
        urgent.write_text("#!/bin/sh\nsleep 1\n")
        self.node.ask("sbatch", "--partition=urgent", "--exclusive", "--output=/dev/null",
                      str(urgent))
        self.until("not pre-empted", lambda: self.restarts(job))
        self.caught(768)
        self.ends_whole(768, LONG)

    def test_without_sbatch(self):
        self.environment["PATH"] = "/nowhere"
        self.sweep(TARGET, "-P", "warps=1,2", "-o", "out", "--slurm", "2", code=3)
        self.assertIn("#SBATCH --array=0-1", (self.folder / "out/slurm.sh").read_text())


if __name__ == "__main__":
    done = unittest.main(exit=False).result
    for _, reason in done.skipped:
        print(reason)
    sys.exit(77 if done.skipped and done.testsRun == 0 else not done.wasSuccessful())
