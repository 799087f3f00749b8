"""What keeps clang from doing harm, where the kernel lacks a part of it: test_cli_protection.py WARPSTEP LACKING PRETENDER

LACKING runs a command as on a kernel without a part (tests/support/lacking.c); PRETENDER is in clang's place and says
what it may read (tests/support/pretender.c).
"""
import csv
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from xml.etree import ElementTree

import clangs
from clangs import HAS_CLANG
from patience import HANGS

PROGRAM, LACKING, PRETENDER = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
KERNEL = "__global__ void k(int *x) { x[0] = 1; }\n"
# What is said where a part is missing.
MISSING = {
    "landlock": "(partial: nothing keeps clang from opening files (no Landlock: Linux 5.13))",
    "seccomp": "(partial: nothing keeps clang from opening sockets and starting processes (no seccomp), "
               "running another program (no seccomp user notification: Linux 5.5))",
    "listener": "(partial: nothing keeps clang from running another program (no seccomp user notification: Linux 5.5))",
}


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name).resolve()
        self.write("k.cu", KERNEL)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def warpstep(self, *arguments, lacks=(), code=0, **more):
        command = [PROGRAM, *map(str, arguments)]
        for part in lacks:
            command = [LACKING, part, *command]
        done = subprocess.run(command, cwd=self.folder, env=dict(os.environ, WARPSTEP_CACHE="off"),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=HANGS, **more)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def need_all_parts(self):
        """Of a kernel that lacks one already, a test can only take away more."""
        if subprocess.run([PROGRAM, "check", "k.cu", "--confine=strict"], cwd=self.folder, capture_output=True,
                          timeout=HANGS).returncode != 0:
            self.skipTest("this kernel lacks a part itself")


@unittest.skipUnless(HAS_CLANG, "clang is not installed")
class Strict(Case):
    def test_refused(self):
        self.need_all_parts()
        for part, text in MISSING.items():
            said = self.warpstep("check", "k.cu", "--confine=strict", lacks=[part], code=3)
            self.assertEqual(said.stderr, "k.cu: error: --confine=strict: clang would run with less than full "
                             f"protection {text}; --confine alone accepts this\n")
            self.assertEqual(said.stdout, "")
        said = self.warpstep("check", "k.cu", "--confine=strict", lacks=["landlock", "seccomp"], code=3)
        self.assertIn("(none: nothing keeps clang from opening files", said.stderr)

    def test_otherwise_the_same(self):
        """Clang runs with what there is, and makes the same of a source."""
        usual = self.warpstep("check", "k.cu").stdout
        self.assertIn("k: ", usual)
        for lacks in ([], ["landlock"], ["seccomp"], ["listener"], ["landlock", "seccomp"]):
            for options in ([], ["--confine"]):
                self.assertEqual(self.warpstep("check", "k.cu", *options, lacks=lacks).stdout, usual)

    def test_from_the_cache(self):
        """A compile that need not be made is refused too: it was made with less, perhaps."""
        self.need_all_parts()
        more = {"env": dict(os.environ, WARPSTEP_CACHE=str(self.folder / "cache"))}
        for lacks, options, code in (([], [], 0), (["landlock"], [], 0), (["landlock"], ["--confine=strict"], 3)):
            command = [LACKING, *lacks] if lacks else []
            done = subprocess.run([*command, PROGRAM, "check", "k.cu", *options], cwd=self.folder,
                                  capture_output=True, text=True, timeout=HANGS, **more)
            self.assertEqual(done.returncode, code, done.stderr)

    def test_no_clang_is_no_matter(self):
        self.write("k.wsasm", ".kernel k\n.param u64 x\n EXIT\n")
        self.warpstep("check", "k.wsasm", "--confine=strict", lacks=["landlock", "seccomp"])

    @unittest.skipUnless(os.getuid() == 0, "the other tests are those of a normal user")
    def test_normal_user(self):
        """The parts need no privileges."""
        self.need_all_parts()
        program = self.folder / "warpstep"
        shutil.copy(PROGRAM, program)
        for path in (self.folder, program):
            path.chmod(0o755)
        done = subprocess.run([program, "check", "k.cu", "--confine=strict"], cwd=self.folder, user=65534, group=65534,
                              extra_groups=[], env={"PATH": "/usr/bin:/bin", "WARPSTEP_CACHE": "off"},
                              capture_output=True, text=True, timeout=HANGS)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_deep_recursion(self):
        """Clang goes on in a thread with a stack of its own then, which it may start."""
        self.write("deep.cu", "template <int N> __device__ constexpr auto f(int x) { if constexpr (N == 0) return x; else {"
                   " auto l = [&](auto y) { return f<N - 1>(y); }; return l(x) + 1; } }\n"
                   "__global__ void k(int *x) { x[0] = f<505>(1); }\n")
        self.assertIn("k: ", self.warpstep("check", "deep.cu", "--confine").stdout)


class Chosen(Case):
    """What WARPSTEP_CLANG names is protected as what is found, if it is clang's own program by form and name."""

    def setUp(self):
        super().setUp()
        (self.folder / "tree/bin").mkdir(parents=True)
        self.write("tree/secret", "")

    def said(self, name, *options):
        shutil.copy(PRETENDER, self.folder / "tree/bin" / name)
        done = subprocess.run([PROGRAM, "check", "k.cu", *options], cwd=self.folder, capture_output=True, text=True,
                              timeout=HANGS, stdin=subprocess.DEVNULL,
                              env=dict(os.environ, WARPSTEP_CACHE="off", WARPSTEP_CLANG=str(self.folder / "tree/bin" / name)))
        self.assertEqual(done.returncode, 3, done.stdout)
        return re.search("the file is (open|closed)", done.stderr)[1]

    def test_clang_itself(self):
        self.need_all_parts()
        for name in ("clang++", "clang-14", "clang"):
            self.assertEqual(self.said(name), "closed")

    def test_what_starts_it(self):
        """By its name it is no compiler: it may have to start one, unless --confine says that nothing may."""
        self.need_all_parts()
        self.assertEqual(self.said("ccache"), "open")
        self.assertEqual(self.said("ccache", "--confine"), "closed")
        # links are followed: what is called clang++ is ccache
        (self.folder / "tree/bin/clang++").symlink_to("ccache")
        self.assertEqual(self.said("ccache"), "open")
        done = subprocess.run([PROGRAM, "check", "k.cu"], cwd=self.folder, capture_output=True, text=True, timeout=HANGS,
                              env=dict(os.environ, WARPSTEP_CACHE="off",
                                       WARPSTEP_CLANG=str(self.folder / "tree/bin/clang++")))
        self.assertIn("the file is open", done.stderr)


@unittest.skipUnless(HAS_CLANG, "clang is not installed")
class Grade(Case):
    """Each output says how clang was protected."""
    LESS = "partial: nothing keeps clang from opening files (no Landlock: Linux 5.13)"

    def setUp(self):
        super().setUp()
        self.write("lab/assignment.yaml", "version: 1\ntitle: Lab\nprogram: k.cu\nreference: reference\n"
                   "fixed_inputs: true\ntests: {one: {launch: public/launch.yaml, compare: [{buffer: x}]}}\n"
                   "checks: [{name: right, test: one, points: 1}]\n"
                   "leaderboard: [{name: cycles, test: one, figure: cycles, needs: [right]}]\n")
        self.write("lab/public/launch.yaml", "version: 1\nprogram: ../k.cu\nset: {sms: 1}\n"
                   "buffers: {x: {type: s32, count: 1}}\nkernel: k\ngrid: 1\nblock: 1\nparams: [{ref: x}]\n")
        self.write("lab/reference/k.cu", KERNEL)
        self.write("in/ann/k.cu", KERNEL)

    def grade(self, format, lacks=(), code=0):
        return self.warpstep("grade", "lab", "in/ann", "--format", format, lacks=lacks, code=code).stdout

    def said(self, format, lacks=()):
        """The text, found where it belongs."""
        text = self.grade(format, lacks)
        if format in ("text", "tap"):
            before, last = text.splitlines()[-2:]
            self.assertIn("1 of 1 points", last)
            return before.removeprefix("# ").removeprefix("Protection of the compiler: ")
        if format == "html":
            return html.unescape(re.search("<p>Protection of the compiler: (.*)</p>", text)[1])
        if format == "junit":
            return ElementTree.fromstring(text).find("properties/property[@name='protection of the compiler']").get("value")
        result = json.loads(text)
        if format == "gradescope":
            hidden = [test for test in result["tests"] if test["visibility"] == "hidden"]
            self.assertEqual([test["output"] for test in hidden],
                             ["Protection of the compiler: " + result["extra_data"]["protection"]["text"]])
            result = result["extra_data"]
        protection = result["protection"]
        self.assertEqual(protection["level"], protection["text"].split(":")[0])
        self.assertEqual(protection["files"], not lacks)
        self.assertTrue(protection["calls"] and protection["exec"])
        return protection["text"]

    def test_each_format(self):
        self.need_all_parts()
        known = re.search(r"--format=(\S+)", self.warpstep("grade", "--help").stdout)[1].split("|")
        self.assertGreaterEqual(len(known), 7)
        for format in known:
            self.assertEqual(self.said(format), "full", format)
            self.assertEqual(self.said(format, ["landlock"]), self.LESS, format)

    def test_class(self):
        self.need_all_parts()
        def grade(kept, level, lacks=()):
            said = self.warpstep("grade", "lab", "--all", "in", "--out", "out", lacks=lacks).stdout
            self.assertEqual(said, f"{1 - kept} graded, {kept} as they were: out/grades.csv\n"
                             f"Compiled by {clangs.name_of(clangs.taken())} for 1\n"
                             f"Protection of the compiler: {level}\n")
            with open(self.folder / "out/grades.csv", newline="") as file:
                rows = list(csv.DictReader(file))
            self.assertEqual([row["protection"] for row in rows], [level.split(":")[0]])
            self.assertIn(f"<p>Protection of the compiler: {level.split(':')[0]} for 1</p>",
                          (self.folder / "out/leaderboard.html").read_text())
        grade(0, "full")
        grade(1, "full")
        grade(0, self.LESS, ["landlock"])  # graded anew: what there is says "full"
        grade(0, "full")

    def test_strict(self):
        self.need_all_parts()
        self.warpstep("grade", "lab", "in/ann", "--strict")
        for arguments in (["in/ann"], ["--all", "in", "--out", "out"]):
            said = self.warpstep("grade", "lab", *arguments, "--strict", lacks=["landlock"], code=3)
            self.assertEqual((said.stdout, said.stderr),
                             ("", f"error: --strict: clang would run with less than full protection ({self.LESS})\n"))
        self.assertFalse((self.folder / "out").exists())

    def test_grader_failed(self):
        """Also where there is no score."""
        self.write("lab/reference/k.cu", "int int;\n")
        for format in ("text", "json", "gradescope", "tap"):
            text = self.warpstep("grade", "lab", "in/ann", "--format", format, lacks=["landlock"], code=70).stdout
            self.assertIn("nothing keeps clang from opening files", text)


if __name__ == "__main__":
    unittest.main()
