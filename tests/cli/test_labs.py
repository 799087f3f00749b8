"""The labs: test_labs.py WARPSTEP LABS

Each is complete, its reference gets all points, and each mutant loses exactly what it says.
"""
import os
import pathlib
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

    def test_commands_of_the_handout_that_need_no_change(self):
        for lab in self.labs():
            commands = [line.strip() for line in (lab / "handout.md").read_text().splitlines()
                        if line.startswith("    warpstep ")]
            self.assertGreater(len(commands), 2)
            for command in commands:
                done = warpstep(*command.split()[1:], cwd=lab)
                self.assertEqual(done.returncode, 0, f"{lab.name}: {command}\n{done.stderr}")


if __name__ == "__main__":
    unittest.main(verbosity=1)
