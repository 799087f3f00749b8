"""The labs: test_labs.py WARPSTEP LABS

Each is complete, its reference gets all points, and each mutant loses exactly what it says.
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

PROGRAM = os.path.abspath(sys.argv.pop(1))
LABS = pathlib.Path(sys.argv.pop(1))
HAS_CLANG = any(os.access(p, os.X_OK) for p in ("/usr/bin/clang++-14", "/usr/bin/clang++"))


def warpstep(*arguments, cwd=None):
    return subprocess.run([PROGRAM, *map(str, arguments)], cwd=cwd, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=300)


@unittest.skipUnless(HAS_CLANG, "clang is not installed")
class Labs(unittest.TestCase):
    def labs(self):
        labs = sorted(path.parent for path in LABS.glob("*/assignment.yaml"))
        self.assertGreaterEqual(len(labs), 2)
        return labs

    def test_reference_starter_and_mutants(self):
        for lab in self.labs():
            with self.subTest(lab.name):
                done = warpstep("assignment", "check", lab)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertGreaterEqual(done.stdout.count("  good   mutant"), 5)
                self.assertIn("  good   starter", done.stdout)

    def test_is_complete(self):
        for lab in self.labs():
            with self.subTest(lab.name):
                handout = (lab / "handout.md").read_text()
                for part in ("minutes", "## What you will be able to say afterwards",
                             "## Before you run anything", "warpstep grade . ."):
                    self.assertIn(part, handout)
                notes = (lab / "notes.md").read_text()
                for mutant in (lab / "mutants").iterdir():
                    self.assertIn(f"`{mutant.name}`", notes)
                self.assertIn("hidden: true", (lab / "assignment.yaml").read_text())

    def check_commands(self, lab, page, folder):
        """Runs the commands of a page, indented or between backticks, in a folder; grading may find fault."""
        text = (lab / page).read_text()
        commands = re.findall(r"^    (warpstep .+)$", text, re.M)
        commands += [" ".join(c.split()) for c in re.findall(r"`(warpstep [^`]+)`", text)]
        for command in dict.fromkeys(commands):
            done = warpstep(*shlex.split(command)[1:], cwd=folder)
            good = (0, 1) if command.startswith("warpstep grade") else (0,)
            self.assertIn(done.returncode, good, f"{lab.name}/{page}: {command}\n{done.stdout}{done.stderr}")
        return len(commands)

    def test_commands_of_the_handout_run_in_the_packed_folder(self):
        for lab in self.labs():
            with self.subTest(lab.name), tempfile.TemporaryDirectory() as given:
                packed = warpstep("assignment", "pack", lab, "--out", given)
                self.assertEqual(packed.returncode, 0, packed.stderr)
                self.assertGreater(self.check_commands(lab, "handout.md", f"{given}/student"), 2)

    def test_commands_of_the_notes_run_beside_the_reference(self):
        for lab in self.labs():
            with self.subTest(lab.name), tempfile.TemporaryDirectory() as folder:
                shutil.copytree(lab, folder, dirs_exist_ok=True)
                shutil.copytree(lab / "reference", folder, dirs_exist_ok=True)
                self.check_commands(lab, "notes.md", folder)


if __name__ == "__main__":
    unittest.main(verbosity=1)
