"""What keeps clang from doing harm, where the kernel lacks a part of it: test_cli_protection.py WARPSTEP LACKING

LACKING runs a command as on a kernel without a part (tests/support/lacking.c).
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from patience import HANGS

PROGRAM, LACKING = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
HAS_CLANG = any(os.access(p, os.X_OK) for p in ("/usr/bin/clang++-14", "/usr/bin/clang++"))
KERNEL = "__global__ void k(int *x) { x[0] = 1; }\n"
# What is said where a part is missing.
MISSING = {
    "landlock": "(partial: nothing keeps clang from opening files (no Landlock: Linux 5.13))",
    "seccomp": "(partial: nothing keeps clang from opening sockets and starting processes (no seccomp), "
               "running another program (no seccomp that asks: Linux 5.5))",
    "listener": "(partial: nothing keeps clang from running another program (no seccomp that asks: Linux 5.5))",
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
                             f"protection {text}; --confine alone is content with what there is\n")
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


if __name__ == "__main__":
    unittest.main()
