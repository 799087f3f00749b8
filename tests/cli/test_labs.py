"""A lab: test_labs.py WARPSTEP LABS NAME ALL_NAMES

It is complete, its reference gets all points, and each mutant loses exactly what it says.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

from clangs import HAS_CLANG
from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
LABS = pathlib.Path(sys.argv.pop(1))
LAB = LABS / sys.argv.pop(1)
TESTED = sys.argv.pop(1).split(",")


def warpstep(*arguments, cwd=None):
    return subprocess.run([PROGRAM, *map(str, arguments)], cwd=cwd, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=HANGS)


# Whole programs are confined, which a sanitizer in the runtime does not stand.
RUNS = "asan" not in PROGRAM or "run:" not in (LAB / "assignment.yaml").read_text()


@unittest.skipUnless(HAS_CLANG, "clang is not installed")
@unittest.skipUnless(RUNS, "whole programs do not run with a sanitizer")
class Labs(unittest.TestCase):
    def test_every_lab_is_tested(self):
        self.assertEqual(sorted(path.parent.name for path in LABS.glob("*/assignment.yaml")), sorted(TESTED))

    def test_reference_starter_and_mutants(self):
        done = warpstep("assignment", "check", LAB)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertGreaterEqual(done.stdout.count("  good   mutant"), 5)
        self.assertIn("  good   starter", done.stdout)
        table = "  good   table of the public results: gains nothing"
        kernels = next((LAB / "reference").glob("*.cu"), None) and "run:" not in (LAB / "assignment.yaml").read_text()
        (self.assertIn if kernels else self.assertNotIn)(table, done.stdout)
        self.assertNotIn("  note", done.stdout)

    def test_is_complete(self):
        handout = (LAB / "handout.md").read_text()
        for part in ("minutes", "## What you will be able to say afterwards",
                     "## Before you run anything", "warpstep grade . ."):
            self.assertIn(part, handout)
        notes = (LAB / "notes.md").read_text()
        for mutant in (LAB / "mutants").iterdir():
            self.assertIn(f"`{mutant.name}`", notes)
        self.assertIn("hidden: true", (LAB / "assignment.yaml").read_text())

    def check_commands(self, page, folder):
        """Runs the commands of a page, indented or between backticks, in a folder; grading may find fault."""
        text = (LAB / page).read_text()
        commands = re.findall(r"^    (warpstep .+)$", text, re.M)
        commands += [" ".join(c.split()) for c in re.findall(r"`(warpstep [^`]+)`", text)]
        for command in dict.fromkeys(commands):
            command, _, code = command.partition("  # exit code ")
            done = warpstep(*shlex.split(command)[1:], cwd=folder)
            good = (0, 1) if command.startswith("warpstep grade") else (int(code or 0),)
            self.assertIn(done.returncode, good, f"{page}: {command}\n{done.stdout}{done.stderr}")
        return len(commands)

    def test_commands_of_the_handout_run_in_the_packed_folder(self):
        with tempfile.TemporaryDirectory() as given:
            packed = warpstep("assignment", "pack", LAB, "--out", given)
            self.assertEqual(packed.returncode, 0, packed.stderr)
            self.assertGreater(self.check_commands("handout.md", f"{given}/student"), 2)

    def test_commands_of_the_notes_run_beside_the_reference(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(LAB, folder, dirs_exist_ok=True)
            shutil.copytree(LAB / "reference", folder, dirs_exist_ok=True)
            self.check_commands("notes.md", folder)


if __name__ == "__main__":
    unittest.main(verbosity=1)
