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

import big_programs

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


class Memory(Case):
    """What a launch file asks for is refused before it is taken."""

    def refused(self, message, text, *arguments):
        self.expect(3, message, "run", self.launch(text), *arguments)

    def test_buffers(self):
        for count in (4294967297, 2**40, 2**33, 18446744073709551615, 2**61 + 1):
            with self.subTest(count=count):
                self.refused("launch.yaml:6:", f"buffers: {{x: {{type: f64, count: {count}}}}}\n")
        several = "buffers:\n" + "".join(f"  b{i}: {{type: u8, count: 1073741824}}\n"
                                         for i in range(5))
        self.refused("5.0 GiB up to here, more than 4.0 GiB together (--max-memory)", several)

    def test_expectations_count(self):
        one = "  - {buffer: x, fill: 0}\n"
        self.refused("expected of them", "buffers: {x: {type: u8, count: 10000000}}\nexpect:\n" +
                     one * 5, "--max-memory=40M")

    def test_limit_is_an_option(self):
        text = "buffers: {x: {type: u8, count: 300000000}}\n"
        self.refused("(--max-memory)", text, "--max-memory=200M")
        self.expect(0, "", "run", self.launch(text), "--max-memory=1 GiB", "--sms=1")
        for wrong in ("", "x", "-1", "0", "5X", "1e9", "99999999999999999999"):
            self.expect(2, "--max-memory", "run", "launch.yaml", f"--max-memory={wrong}")

    def test_local_memory(self):
        self.write("k.wsasm", ".kernel k\n.local 524288\n MOV R0, 0\nl: STL [R0], R1\n"
                              " IADD3 R0, R0, 4096\n ISETP.LT P0, R0, 0x80000\n@P0 BRA l\n EXIT\n")
        self.refused("local memory of the threads that run at a time 132.0 GiB", "",
                     "--launch=grid=1000", "--launch=block=1024")
        self.expect(0, "", "run", self.launch(""))

    def test_machine(self):
        self.refused("of the host's memory", "", "--launch=grid=1000000", "--set=sms=1024",
                     "--set=memory.l1.unified_bytes=16777216")
        self.refused("of the host's memory", "", "--launch=grid=1000000", "--set=sms=1024",
                     "--set=sub_cores=8", "--set=fetch.model=cached",
                     "--set=fetch.l0.bytes=16777216", "--set=fetch.near.bytes=16777216")
        self.refused("of the host's memory", "", "--set=memory.l2.bytes=1073741824",
                     "--max-memory=1G")

    def test_a_full_h200_fits(self):
        self.expect(0, "", "run", self.launch(""), "--launch=grid=4224", "--launch=block=1024")


class Programs(Case):
    HEAD = ".version 7.0\n.target sm_80\n.address_size 64\n"
    KERNEL = ".visible .entry k()\n{\nret;\n}\n"

    def refused(self, message, text, code=3):
        self.write("p.ptx", self.HEAD + text + self.KERNEL)
        self.expect(code, message, "check", "p.ptx")

    def test_initialised_variables(self):
        self.refused("more than 64 MiB together", "".join(
            f".global .align 4 .b8 a{i}[67108864] = {{1}};\n" for i in range(120)))

    def test_variables(self):
        self.refused("67108864", ".global .b8 a[67108865];\n")
        self.refused("over 64 MiB", ".global .b8 a[8192][8193];\n")
        self.refused("64 MiB", ".global .b8 a[67108864];\n.global .b8 b;\n")
        self.refused("64 KiB", ".const .b8 a[65537];\n")

    def test_registers(self):
        self.refused("registers in all functions", "".join(
            f".func f{i}()\n{{\n.reg .b32 %r<1048570>;\nret;\n}}\n" for i in range(1000)))
        self.refused("registers in a function", ".func f()\n{\n.reg .b32 %r<1048576>, %q<9>;\n"
                                                "ret;\n}\n")

    def test_calls_that_double(self):
        text = [".func (.reg .b32 %o) f0(.reg .b32 %a)\n{\nadd.u32 %o, %a, 1;\nret;\n}\n"]
        for i in range(1, 28):
            text.append(f".func (.reg .b32 %o) f{i}(.reg .b32 %a)\n{{\ncall (%o), f{i - 1}, (%a);\n"
                        f"call (%o), f{i - 1}, (%o);\nret;\n}}\n")
        self.write("p.ptx", self.HEAD + "".join(text) + ".visible .entry k(.param .u64 p)\n{\n"
                   ".reg .b32 %r<3>;\n.reg .b64 %d<3>;\nld.param.u64 %d1, [p];\nmov.u32 %r1, 5;\n"
                   "call (%r1), f27, (%r1);\nst.global.u32 [%d1], %r1;\nret;\n}\n")
        self.expect(3, "instructions", "check", "p.ptx")

    def test_local(self):
        self.refused("local", ".visible .entry l()\n{\n.local .b8 a[67108864];\n.reg .b64 %d;\n"
                              "mov.u64 %d, a;\nst.local.u32 [%d], 5;\nret;\n}\n", code=1)


class CompileTime(Case):
    def test_limit(self):
        """More than a second of work: very many values that live at the same time."""
        self.write("p.ptx", big_programs.PTX["live"](400000))
        for command in ("check", "disasm"):
            self.expect(3, "took more than 1 seconds of processor time; --max-compile-seconds", command, "p.ptx",
                        "--max-compile-seconds=1")

    def test_large_bytecode(self):
        """100,000 instructions of every shape, which take 0.4 s: quadratic work takes minutes."""
        for shape, make in big_programs.WSASM.items():
            with self.subTest(shape=shape):
                self.write("big.wsasm", make(4000 if SANITIZED else 100000))
                self.expect(0, "", "check", "big.wsasm", "--max-compile-seconds=9")

    def test_large_ptx(self):
        for shape in ("straight", "values", "ifs", "if_else", "counted_loops", "exits", "jumps",
                      "predicates", "calls", "call_chain", "switches", "addresses", "traps"):
            with self.subTest(shape=shape):
                self.write("big.ptx", big_programs.PTX[shape](1000 if SANITIZED else 10000))
                self.expect(0, "", "check", "big.ptx", "--max-compile-seconds=9")

    def test_loops_and_branches_in_ptx(self):
        """Nested and entangled: with work on all blocks for each branch all took over 15 s."""
        for shape in ("one_header", "ladder", "breaks", "nested_loops", "nested_if_else"):
            with self.subTest(shape=shape):
                self.write("big.ptx", big_programs.PTX[shape](1000 if SANITIZED else 50000))
                self.expect(0, "", "check", "big.ptx", "--max-compile-seconds=15")

    def test_lives_through_many_blocks_in_ptx(self):
        """Values times blocks: all took over 20 s, and some gigabytes, when each pair was noted."""
        for shape in ("live_across", "live_around_loop", "nested_counted_loops", "locks",
                      "counted_loops", "returns", "switch"):
            with self.subTest(shape=shape):
                self.write("big.ptx", big_programs.PTX[shape](1000 if SANITIZED else 50000))
                self.expect(0, "", "check", "big.ptx", "--max-compile-seconds=9")

    def test_values(self):
        for wrong in ("0", "-1", "x", "1000001"):
            self.expect(2, "max-compile-seconds", "check", "k.wsasm",
                        f"--max-compile-seconds={wrong}")
            self.expect(2, "max-compile-seconds", "run", "vecadd", f"--max-compile-seconds={wrong}")


if __name__ == "__main__":
    os.environ.pop("MALLOC_PERTURB_", None)  # meson's: every byte of memory would be touched
    os.environ["UBSAN_OPTIONS"] = "halt_on_error=1:exitcode=99"
    unittest.main()
