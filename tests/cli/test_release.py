"""make-release as far as it makes nothing large: test_release.py SOURCE_ROOT"""
import importlib.machinery
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
# What says a version, or what a version is.
TELLERS = ("make-release", "meson.build", "CHANGELOG.md", "editors/vscode/package.json", "docs/use/trace.md")


def load():
    loader = importlib.machinery.SourceFileLoader("make_release", str(ROOT / "make-release"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("make_release", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


class Release(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, *arguments, root=ROOT):
        return subprocess.run([root / "make-release", *arguments], capture_output=True, text=True, timeout=100,
                              env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"))

    def test_one_version_everywhere(self):
        done = self.call("--check")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_every_other_version_is_named(self):
        version = load().version()
        for name in TELLERS:
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.folder / name)
        self.assertEqual(self.call("--check", root=self.folder).returncode, 0)
        for name in TELLERS[2:]:
            before = (self.folder / name).read_text()
            (self.folder / name).write_text(before.replace(version, "9.8.7"))
            done = self.call("--check", root=self.folder)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"{name}: ", done.stderr)
            self.assertEqual(self.call("--tag", root=self.folder).returncode, 1)
            (self.folder / name).write_text(before)

    def test_names(self):
        module = load()
        lines = dict(line.split(": ") for line in self.call("--list").stdout.splitlines())
        self.assertEqual(tuple(lines), module.PARTS)
        for name in " ".join(lines.values()).split():
            self.assertIn(module.version(), name)
        self.assertEqual(self.call("nothing").returncode, 2)

    def test_archives_do_not_depend_on_the_maker(self):
        module = load()
        made = []
        for mode, order in ((0o600, "ab"), (0o664, "ba")):
            tree = self.folder / f"try{mode}" / "tree"
            (tree / "inner").mkdir(parents=True)
            for name in order:
                (tree / "inner" / name).write_text(f"{name}\n")
                (tree / "inner" / name).chmod(mode | (0o111 if name == "a" else 0))
            (tree / "link").symlink_to("inner/a")
            os.utime(tree / "inner/b", (mode, mode))
            archive = self.folder / f"{mode}.tar.xz"
            module.write_archive(archive, tree, 1700000000, programs=True)
            made.append(archive.read_bytes())
        self.assertEqual(made[0], made[1])
        with tarfile.open(archive) as file:
            modes = {entry.name: (entry.mode, entry.mtime, entry.uname) for entry in file}
        self.assertEqual(modes["tree/inner/a"], (0o755, 1700000000, "root"))
        self.assertEqual(modes["tree/inner/b"], (0o644, 1700000000, "root"))

    def test_a_newer_glibc_is_refused(self):
        module = load()
        shutil.copy(os.path.realpath("/proc/self/exe"), self.folder / "program")
        module.check_glibc(self.folder, (2, 999))
        with self.assertRaisesRegex(module.Refused, "program needs glibc 2"):
            module.check_glibc(self.folder, (2, 1))

    def test_changelog_of_debian(self):
        module = load()
        text = module.debian_changelog(1700000000)
        self.assertTrue(text.startswith(f"warpstep ({module.version()}) unstable; urgency=medium\n"))
        self.assertIn(" -- The Warpstep authors <", text)
        self.assertIn(">  Tue, 14 Nov 2023 22:13:20 +0000\n", text)


if __name__ == "__main__":
    unittest.main(verbosity=2)
