"""What earlier versions wrote and read: test_cli_compatible.py WARPSTEP FOLDER

A folder of FOLDER for each released version, with launch files, a program, a device and a recording of it, what it wrote as
JSON, and commands.txt: what it was called with, and its exit codes. All of this must go on to work.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from patience import HANGS

WARPSTEP = os.path.abspath(sys.argv.pop(1))
RELEASED = pathlib.Path(sys.argv.pop(1))
COMMAND = re.compile(r"(\d+) (.*?)(?: > (\S+))?")


def shape(value, path=""):
    """{path: kind} of all that a JSON value has; the items of a list count as one."""
    found = {path: "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else type(value).__name__}
    if isinstance(value, dict):
        for name, inner in value.items():
            found.update(shape(inner, f"{path}.{name}"))
    elif isinstance(value, list):
        for inner in value:
            found.update(shape(inner, f"{path}[]"))
    return found


def lost(old, new):
    """What a reader of the old form would miss: a name that is gone, or a value of another kind."""
    before, after = shape(old), shape(new)
    return [f"{path}: {kind}, now {after.get(path, 'missing')}" for path, kind in before.items()
            if after.get(path) != kind and "NoneType" not in (kind, after.get(path))]


class Shape(unittest.TestCase):
    def test_sees_what_is_lost(self):
        old = {"a": 1, "b": [{"c": "x", "d": None}], "e": True}
        self.assertEqual(lost(old, {"a": 1.5, "b": [{"c": "", "d": 3}], "e": False, "new": 1}), [])
        self.assertEqual(lost(old, {"a": "1", "b": [{"d": 1}], "e": 1}),
                         [".a: number, now str", ".b[].c: str, now missing", ".e: bool, now number"])


class Released(unittest.TestCase):
    def run_in(self, folder, line):
        code, arguments, file = COMMAND.fullmatch(line).groups()
        done = subprocess.run([WARPSTEP, *arguments.split()], cwd=folder, capture_output=True, text=True, timeout=HANGS)
        self.assertEqual(done.returncode, int(code), f"{arguments}\n{done.stderr}")
        if file is not None:
            old, new = json.loads((folder / file).read_text()), json.loads(done.stdout)
            self.assertEqual(lost(old, new), [], arguments)
            self.assertEqual(old.get("schema"), new.get("schema"))
        return done

    def test_commands_of_each_version(self):
        folders = sorted(path for path in RELEASED.iterdir() if path.is_dir())
        self.assertTrue(folders)
        for released in folders:
            with tempfile.TemporaryDirectory() as place:
                folder = pathlib.Path(place, released.name)
                shutil.copytree(released, folder)
                lines = [line for line in (folder / "commands.txt").read_text().splitlines() if not line.startswith("#")]
                self.assertGreater(len(lines), 10)
                for line in lines:
                    with self.subTest(version=released.name, command=line):
                        self.run_in(folder, line)

    def test_recordings_say_which_version_made_them(self):
        """The results are what they were; cycles need not be, and then it is said."""
        current = subprocess.run([WARPSTEP, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
        for recording in RELEASED.glob("*/*.wsrec"):
            done = self.run_in(recording.parent, f"0 run {recording.name}")
            self.assertIn("passed  x: 125 elements", done.stdout)
            if recording.parent.name != current:
                self.assertIn(f"warpstep {recording.parent.name} recorded", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
