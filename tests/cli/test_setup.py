"""quickstart and run-tests on systems without apt-get: test_setup.py SOURCES

The scripts run in a folder of their own with a PATH that has the tools which they name, and stand-ins that write down
how they are called for what would install or build.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCES = pathlib.Path(sys.argv.pop(1))
TOOLS = ("sh", "cat", "dirname", "env", "grep", "head", "id", "nproc", "tail", "tr")
# What builds; each stand-in writes its call to the file "calls".
BUILDERS = ("cc", "meson", "ninja", "python3")
# A word of each list of packages that no other has.
MANAGERS = {"dnf": "sudo dnf install gcc gcc-c++", "pacman": "sudo pacman -S base-devel",
            "apk": "sudo apk add build-base", "brew": "brew install gcc"}
LIBRARIES = ("glib", "yaml", "seccomp", "elf", "edit", "ncurses", "check")


class WithoutApt(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name) / "checkout"
        self.bin = pathlib.Path(folder.name) / "bin"
        (self.root / "build/cli").mkdir(parents=True)
        self.bin.mkdir()
        shutil.copytree(SOURCES / ".ci", self.root / ".ci")
        for script in ("quickstart", "run-tests"):
            shutil.copy(SOURCES / script, self.root)
        for tool in TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool))
        self.calls = pathlib.Path(folder.name) / "calls"
        self.stand_in(self.root / "build/cli/warpstep")

    def stand_in(self, path, status="exit 0"):
        path.write_text(f'#!{shutil.which("sh")}\necho "${{0##*/}} $*" >>"{self.calls}"\n{status}\n')
        path.chmod(0o755)

    def have(self, missing_library=""):
        for tool in BUILDERS:
            self.stand_in(self.bin / tool)
        refuse = f'case " $* " in *" {missing_library} "*) exit 1 ;; esac' if missing_library else "exit 0"
        self.stand_in(self.bin / "pkg-config", refuse)

    def run_script(self, script):
        done = subprocess.run(["/bin/sh", f"./{script}"], cwd=self.root, env={"PATH": str(self.bin), "HOME": "/nowhere"},
                              capture_output=True, text=True, timeout=100)
        calls = self.calls.read_text().splitlines() if self.calls.exists() else []
        return done, calls

    def test_what_is_missing_is_named_for_each_manager(self):
        for manager, begins in MANAGERS.items():
            for script in ("quickstart", "run-tests"):
                with self.subTest(manager=manager, script=script):
                    self.stand_in(self.bin / manager)
                    done, calls = self.run_script(script)
                    (self.bin / manager).unlink()
                    self.assertEqual(done.returncode, 1, done.stdout)
                    self.assertIn("something is missing to build Warpstep", done.stderr)
                    self.assertIn(begins, done.stderr)
                    for library in LIBRARIES:
                        self.assertIn(library, done.stderr)
                    self.assertIn("not been tried", done.stderr)
                    self.assertEqual(calls, [], "nothing is installed and nothing built")

    def test_without_a_manager_what_is_needed_is_named(self):
        done, calls = self.run_script("quickstart")
        self.assertEqual((done.returncode, calls), (1, []))
        self.assertIn("a C compiler, meson, ninja", done.stderr)

    def test_both_go_on_where_all_is_there(self):
        self.have()
        for script, build in (("quickstart", "ninja -C build cli/warpstep"), ("run-tests", "ninja -C build")):
            with self.subTest(script=script):
                done, calls = self.run_script(script)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(build, calls)
        self.assertTrue(any(call.startswith("meson test -C build") for call in calls), calls)

    def test_one_library_or_tool_that_is_missing_stops_both(self):
        self.have(missing_library="libelf")
        self.assertEqual(self.run_script("quickstart")[0].returncode, 1)
        self.have()
        (self.bin / "ninja").unlink()
        self.assertEqual(self.run_script("quickstart")[0].returncode, 1)

    def test_only_run_tests_needs_the_library_of_unit_tests(self):
        self.have(missing_library="check")
        done, _ = self.run_script("run-tests")
        self.assertEqual(done.returncode, 1)
        self.assertIn("check", done.stderr)
        self.assertEqual(self.run_script("quickstart")[0].returncode, 0)


if __name__ == "__main__":
    unittest.main()
