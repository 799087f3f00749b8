"""test_cli_batch.py WARPSTEP SOURCES [unittest options]: the recipes of docs/use/studies.md for GNU parallel and Snakemake.

Each is skipped, with the reason, where its program is not installed.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import caches
from patience import HANGS

PROGRAM, SOURCES = map(os.path.abspath, (sys.argv.pop(1), sys.argv.pop(1)))
PAGE = pathlib.Path(SOURCES, "docs/use/studies.md").read_text()


def recipe(first_line):
    """The block of the page that begins so, and a file that it shows in front of it."""
    (found,) = re.findall(r"^```[^\n]*\n(" + re.escape(first_line) + r".*?)^```", PAGE, re.M | re.S)
    return found


class BatchCase(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.environment = dict(os.environ, XDG_CACHE_HOME=caches.shared_or(self.folder / "cache"), HOME=scratch.name,
                                PATH=os.path.dirname(PROGRAM) + ":" + os.environ["PATH"])
        self.environment.pop("WARPSTEP_CACHE", None)

    def shell(self, text):
        done = subprocess.run(["/bin/sh", "-e", "-c", text], cwd=self.folder, env=self.environment, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=HANGS)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def same_as_alone(self, name):
        """The table is that of a sweep in one process."""
        self.shell("warpstep sweep latency_hiding -P warps=1..16 -P policy=lrr,gto -o alone")
        self.assertEqual((self.folder / name / "runs.csv").read_bytes(),
                         (self.folder / "alone/runs.csv").read_bytes())

    @unittest.skipIf(shutil.which("parallel") is None, "GNU parallel is not installed")
    def test_parallel(self):
        text = self.shell(recipe("warpstep sweep latency_hiding -P warps=1..16 -P policy=lrr,gto -o many --plan"))
        self.assertIn("many/runs.csv: 32 of 32 points; 0 failed", text)
        self.same_as_alone("many")

    @unittest.skipIf(shutil.which("snakemake") is None, "Snakemake is not installed")
    def test_snakemake(self):
        (self.folder / "Snakefile").write_text(recipe("PARTS = "))
        command = recipe("snakemake ")
        self.shell(command)
        self.same_as_alone("flow")
        self.assertIn("Nothing to be done", self.shell(command))


if __name__ == "__main__":
    done = unittest.main(exit=False).result
    for _, reason in done.skipped:
        print(reason)
    sys.exit(77 if len(done.skipped) == done.testsRun else not done.wasSuccessful())
