"""Bounds on what a run takes: test_cli_limits.py WARPSTEP SANITIZED [unittest options]

Sizes whose products leave 64 bits, and programs with nothing in them: each must end with a message
and the right exit code, within 10 seconds and 1 GB. SANITIZED is 1 for a build with sanitizers,
which takes more of both.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))
SANITIZED = sys.argv.pop(1) == "1"

SECONDS = 10
MEGABYTES = 1000

EMPTY = ".kernel k\n EXIT\n"
EMPTY_LAUNCH = "version: 1\nprogram: k.wsasm\nkernel: k\ngrid: 1\nblock: 32\n"
HUGE = [f"--set=limits.grid_{axis}=4294967295" for axis in "xyz"]


class Case(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        self.write("k.wsasm", EMPTY)

    def tearDown(self):
        self.scratch.cleanup()

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def run_program(self, *arguments):
        """Exit code, stdout and stderr; fails where the program takes more than it may."""
        with open(self.folder / "stdout", "w+b") as out, open(self.folder / "stderr", "w+b") as err:
            process = subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=self.folder,
                                       stdin=subprocess.DEVNULL, stdout=out, stderr=err)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            err.seek(0)
            texts = out.read().decode(), err.read().decode()
        if not SANITIZED:
            self.assertLess(used.ru_utime + used.ru_stime, SECONDS, arguments)
            self.assertLess(used.ru_maxrss / 1024, MEGABYTES, arguments)
        return process.returncode, *texts

    def expect(self, code, message, *arguments):
        found, out, err = self.run_program(*arguments)
        self.assertEqual(found, code, f"{arguments}\n{out[-2000:]}\n{err[-2000:]}")
        self.assertIn(message, err)
        if code in (2, 3):
            self.assertEqual(out, "")
        return out

    def launch(self, text):
        return self.write("launch.yaml", EMPTY_LAUNCH + text)


class Grids(Case):
    def refused(self, message, *arguments):
        self.expect(3, message, "run", self.launch(""), *HUGE, *arguments)

    def test_blocks_do_not_wrap(self):
        for grid in ("[2147483648, 2147483648, 4]", "[4294967295, 4294967295, 4294967295]",
                     "[65536, 65536, 4294967295]", "[4294967295, 2147483648, 2]"):
            self.refused("has too many threads", f"--launch=grid={grid}")

    def test_threads_do_not_wrap(self):
        self.refused("has too many threads", "--launch=grid=[2147483648, 2147483648, 1]")
        self.refused("has too many threads", "--launch=grid=[1073741824, 1073741824, 1]",
                     "--launch=block=1024")

    def test_a_huge_grid_runs_until_a_limit(self):
        self.expect(6, "limit", "run", self.launch(""), *HUGE, "--sms=1", "--max-cycles=5000",
                    "--launch=grid=[4294967295, 16777215, 1]")

    def test_blocks(self):
        self.refused("threads", "--launch=block=[4096, 4096, 4096]", "--set=limits.block_x=4096",
                     "--set=limits.block_y=4096", "--set=limits.block_z=4096")
        self.refused("shared memory", "--launch=dynamic_shared_bytes=2147483647")


class Occupancy(Case):
    def test_products_do_not_wrap(self):
        """2^31-1 registers and threads: 2^62 registers of a block, not a small number."""
        self.write("q.csv", "device,block,regs,smem,dynamic_smem\n"
                            "h200,2147483647,2147483647,2147483647,2147483647\n")
        out = self.expect(0, "", "occupancy", "--batch", "q.csv")
        row = out.splitlines()[1].split(",")
        header = out.splitlines()[0].split(",")
        self.assertEqual(row[header.index("blocks_per_sm")], "0")
        self.assertEqual(row[header.index("registers_per_block")], str(2**62))


class NothingThere(Case):
    """Under sanitizers these found pointers to nothing."""

    def test_no_dependences(self):
        self.expect(0, "", "run", self.launch(""))

    def test_last_instruction_without_result(self):
        self.write("k.wsasm", ".kernel flow\n    EXIT\n.kernel k\n    @!P0 BRA join\n"
                              "    ATOMG.E.ADD RZ, [R2], R4\njoin:\n    MUFU.RCP R5, 2.5\n    EXIT\n")
        self.expect(0, "", "run", self.launch(""))

    def test_registers_and_elements(self):
        self.write("none.ptx", ".version 7.0\n.target sm_80\n.address_size 64\n"
                               ".global .align 4 .b8 e[0] = {};\n.visible .entry k()\n{\n"
                               ".reg .b32 %r<0>;\nret;\n}\n")
        found, out, err = self.run_program("check", "none.ptx")
        self.assertIn(found, (0, 3), err)
        self.assertNotIn("runtime error", err)

    def test_empty_pools(self):
        """A first request to memory, with nothing waiting behind it."""
        self.write("k.wsasm", ".kernel k\n.param u64 x\n LDC.64 R2, c[x]\n LDG.E R4, [R2]\n"
                              " IADD3 R4, R4, 1\n STG.E [R2], R4\n ATOMG.E.ADD R4, [R2], R4\n EXIT\n")
        self.expect(0, "", "run", self.launch("buffers: {x: {type: u32, count: 64}}\n"
                                              "params: [{ref: x}]\n"))


if __name__ == "__main__":
    os.environ["UBSAN_OPTIONS"] = "halt_on_error=1:exitcode=99"
    unittest.main()
