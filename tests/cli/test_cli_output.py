"""Tests of the files that commands write: test_cli_output.py WARPSTEP [unittest options]

An output that cannot be written is found before the simulation, two outputs are never one file, and
a file that is replaced keeps its mode and the link that leads to it.
"""
import os
import pathlib
import resource
import stat
import subprocess
import sys
import tempfile
import unittest

from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))

def used():
    """Processor time of the programs that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


# About half a minute of simulation: what is found before it is found at once.
LONG = """\
.kernel long_loop
.param u64 y
    MOV R0, RZ ;
loop:
    IADD3 R0, R0, 1 ;
    ISETP.LT P0, R0, 0x4000000 ;
@P0 BRA loop ;
    EXIT ;
"""

SHORT = """\
.kernel numbers
.param u64 y
    S2R R0, SR_TID.X ;
    LDC.64 R2, c[y] ;
    IMAD.WIDE.U32 R2, R0, 4, R2 ;
    STG [R2], R0 ;
    EXIT ;
"""

LAUNCH = """\
version: 1
program: {name}.wsasm
buffers:
  y: {{type: u32, count: 32}}
  zeros: {{type: u32, count: 2}}
kernel: {kernel}
grid: 1
block: 32
params: [{{ref: y}}]
"""


class Outputs(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        for name, kernel, text in (("long", "long_loop", LONG), ("short", "numbers", SHORT)):
            (self.folder / f"{name}.wsasm").write_text(text)
            (self.folder / f"{name}.yaml").write_text(LAUNCH.format(name=name, kernel=kernel))

    def tearDown(self):
        self.scratch.cleanup()

    def run_program(self, *arguments, text=True):
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=text, timeout=HANGS)

    def refused(self, code, message, *arguments):
        before = sorted(os.listdir(self.folder))
        done = self.run_program(*arguments)
        self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
        self.assertIn(message, done.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_found_before_the_simulation(self):
        for arguments in (["-o", "no/x"], ["--dump", "y=no/x"], ["--occupancy-csv", "no/x"]):
            start = used()
            self.refused(3, "no/x: error: cannot write: No such file or directory",
                         "run", "long.yaml", *arguments)
            self.assertLess(used() - start, 5, arguments)
        start = used()
        self.refused(2, "--dump yy=x: the launch file has no such buffer; did you mean 'y'?",
                     "run", "long.yaml", "--dump", "yy=x")
        self.refused(2, "no such buffer (buffers: y, zeros)",
                     "run", "long.yaml", "--dump", "something=x")
        self.assertLess(used() - start, 5)

    def test_stdout(self):
        plain = self.run_program("run", "short.yaml").stdout
        self.assertIn("numbers on NVIDIA H200", plain)
        for name in ("-", "/dev/stdout", "/dev/fd/1"):
            done = self.run_program("run", "short.yaml", "-o", name)
            self.assertEqual((done.returncode, done.stdout), (0, plain), done.stderr)
        # A redirected one is neither cut short nor replaced.
        with open(self.folder / "all.txt", "w") as output:
            output.write("before\n")
            output.flush()
            subprocess.run([PROGRAM, "run", "short.yaml", "-o", "/dev/stdout"], cwd=self.folder,
                           stdout=output, timeout=HANGS, check=True)
        self.assertEqual((self.folder / "all.txt").read_text(), "before\n" + plain)
        dump = self.run_program("run", "short.yaml", "-o", "x", "--dump", "y=/dev/stdout",
                                text=False)
        self.assertEqual(dump.stdout, b"".join(i.to_bytes(4, "little") for i in range(32)))

    def test_one_file_for_two(self):
        os.symlink("same", self.folder / "link")
        os.mkdir(self.folder / "sub")
        same = "--output and --dump would both write "
        for a, b in (("same", "same"), ("same", "./same"), ("same", "sub/../same"),
                     ("same", "link"), ("link", str(self.folder / "same"))):
            self.refused(2, same + b, "run", "short.yaml", "-o", a, "--dump", "y=" + b)
        self.refused(2, "--dump and --dump would both write x",
                     "run", "short.yaml", "--dump", "y=x", "--dump", "zeros=x")
        self.refused(2, "--output and --occupancy-csv would both write x",
                     "run", "short.yaml", "-o", "x", "--occupancy-csv", "x")
        self.refused(2, "the report and --dump would both write to stdout",
                     "run", "short.yaml", "--dump", "y=-")

    def test_mode_and_link_stay(self):
        plain = self.run_program("run", "short.yaml").stdout
        os.mkdir(self.folder / "sub")
        real = self.folder / "sub" / "real.txt"
        real.write_text("old")
        real.chmod(0o640)
        link, second = self.folder / "link.txt", self.folder / "second.txt"
        link.symlink_to("sub/real.txt")
        second.symlink_to(link)
        done = self.run_program("run", "short.yaml", "-o", "second.txt")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(link.is_symlink() and second.is_symlink())
        self.assertEqual(os.readlink(link), "sub/real.txt")
        self.assertEqual(real.read_text(), plain)
        self.assertEqual(stat.S_IMODE(real.stat().st_mode), 0o640)
        self.assertEqual(os.listdir(self.folder / "sub"), ["real.txt"])

    def test_new_files(self):
        old = os.umask(0o027)
        try:
            self.run_program("run", "short.yaml", "-o", "new.txt")
        finally:
            os.umask(old)
        self.assertEqual(stat.S_IMODE((self.folder / "new.txt").stat().st_mode), 0o640)
        (self.folder / "to_new").symlink_to("made.txt")
        done = self.run_program("run", "short.yaml", "-o", "to_new")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.folder / "to_new").is_symlink())
        self.assertTrue((self.folder / "made.txt").is_file())

    def test_wrong_kinds(self):
        os.mkdir(self.folder / "sub")
        self.refused(3, "sub: error: exists and is not a regular file",
                     "run", "short.yaml", "-o", "sub")
        (self.folder / "loop").symlink_to("loop")
        self.refused(3, "loop: error: cannot write: Too many levels of symbolic links",
                     "run", "short.yaml", "-o", "loop")
        self.refused(3, "short.yaml/x: error: cannot write: Not a directory",
                     "run", "short.yaml", "-o", "short.yaml/x")

    @unittest.skipIf(os.geteuid() == 0, "root may write everything")
    def test_write_protected(self):
        (self.folder / "kept").write_text("kept")
        (self.folder / "kept").chmod(0o444)
        self.refused(3, "kept: error: cannot write: Permission denied",
                     "run", "short.yaml", "-o", "kept")
        self.assertEqual((self.folder / "kept").read_text(), "kept")

    def test_other_commands(self):
        self.refused(3, "no/x.wsbin: error: cannot write: No such file or directory",
                     "asm", "short.wsasm", "-o", "no/x.wsbin")


if __name__ == "__main__":
    unittest.main()
