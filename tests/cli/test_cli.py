"""Tests of the command line: test_cli.py WARPSTEP [unittest options]

Every kind of bad input must give its message and its exit code, and write nothing else; good input
must give the same bytes twice.
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
DATA = pathlib.Path(__file__).parent.parent / "data" / "cli"

GOOD = """\
version: 1
program: kernels.wsasm
buffers:
  y: {type: u32, count: 128}
kernel: scale
grid: 2
block: 64
params: [{ref: y}]
expect:
  - {buffer: y, linear: {start: 0, step: 2}}
"""

# What a thread finds in one of 32 words says when it came.
FULL = """\
.kernel full
.param u64 y
    S2R R0, SR_TID.X ;
    S2R R1, SR_CTAID.X ;
    LDC.64 R2, c[y] ;
    IMAD R4, R1, 1024, R0 ;
    LOP3.LUT R5, R0, 31, RZ, 0xc0 ;
    IMAD.WIDE.U32 R8, R5, 4, R2 ;
    IADD3 R4, R4, 32 ;
    IMAD.WIDE.U32 R2, R4, 4, R2 ;
    STG [R2], R4 ;
    BAR.SYNC 0 ;
    ATOMG.ADD R6, [R8], R5 ;
    STG [R2], R6 ;
    EXIT ;
"""

WALK = """\
.kernel walk
.param u64 y
    S2R R0, SR_TID.X ;
    LDC.64 R2, c[y] ;
    IMAD.WIDE.U32 R4, R0, 4, R2 ;
    MOV R6, RZ ;
loop:
    LDG R7, [R4] ;
    IADD3 R4, R4, 128 ;
    IADD3 R6, R6, 1 ;
    ISETP.EQ P1, R6, 512 ;
@P1 IADD3 R4, R4, -0x10000, RZ ;
    ISETP.LT P0, R6, 1024 ;
@P0 BRA loop ;
    EXIT ;
"""

STALLS = set(
    "selected drain sleeping membar barrier branch_resolving no_instruction imc_miss"
    " long_scoreboard short_scoreboard wait dispatch_stall lg_throttle mio_throttle"
    " math_pipe_throttle not_selected".split()
)


class Case(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        for path in DATA.iterdir():
            (self.folder / path.name).write_bytes(path.read_bytes())

    def tearDown(self):
        self.scratch.cleanup()

    def run_program(self, *arguments, **options):
        return subprocess.run(
            [PROGRAM, *map(str, arguments)],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=HANGS,
            text=True,
            **options,
        )

    def expect(self, code, message, *arguments):
        done = self.run_program(*arguments)
        text = f"{arguments}\n{done.stdout[-2000:]}\n{done.stderr}"
        self.assertEqual(done.returncode, code, text)
        self.assertIn(message, done.stderr, text)
        if code in (2, 3):
            self.assertEqual(done.stdout, "", text)
        return done

    def launch(self, text):
        (self.folder / "launch.yaml").write_text(text)
        return "launch.yaml"

    def changed(self, old, new):
        self.assertIn(old, GOOD)
        return self.launch(GOOD.replace(old, new))


class Usage(Case):
    def test_help_and_version(self):
        for arguments in (["--help"], ["--version"], ["run", "--help"], ["check", "--help"],
                          ["disasm", "--help"], ["devices", "--help"]):
            done = self.run_program(*arguments)
            self.assertEqual(done.returncode, 0)
            self.assertEqual(done.stderr, "")
            self.assertNotEqual(done.stdout, "")

    def test_commands_are_in_groups_with_an_example(self):
        """Each example is the first of a command of its group."""
        blocks = self.run_program("--help").stdout.split("Commands:\n\n")[1].split("\n\n")[:-1]
        self.assertEqual([block.split("\n")[0] for block in blocks],
                         ["Run and inspect", "Compare and study", "Teach", "Programs"])
        for block in blocks:
            *rows, example = block.split("\n")[1:]
            self.assertGreater(len(rows), 1, block)
            first = rows[0].split()[0]
            own = self.run_program(first, "--help").stdout
            self.assertIn(re.search(r"^    for example: (warpstep .*)$", example)[1], own.split("Examples:")[1])
            summary = rows[0].split(None, 1)[1]
            self.assertIn(f"\n\n{summary[0].upper()}{summary[1:]}.\n", own)

    def test_wrong(self):
        self.expect(2, "a command is missing")
        self.expect(2, "did you mean 'run'?", "rum")
        self.expect(2, "an argument is missing", "run")
        self.expect(2, "too many arguments", "run", "a", "b")
        self.expect(2, "Unknown option --nope", "run", "--nope")
        self.expect(2, "--format: 'xml' is not one of text, json", "run", "x", "--format", "xml")
        self.expect(2, "--max-cycles", "run", "x", "--max-cycles", "0")
        self.expect(2, "--sms", "run", "x", "--sms", "5000")
        self.expect(2, "--threads", "run", "x", "--threads", "many")

    def test_full_disk(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, "devices"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 3)
        self.assertIn("cannot write the output", done.stderr)


class BadInput(Case):
    def test_missing_files(self):
        self.expect(3, "no such file", "run", "nowhere.yaml")
        self.expect(3, "no launch.yaml", "run", "/tmp")
        self.expect(3, "launch.yaml:2:10: error: program 'kernel.wsasm': no such file",
                    "run", self.changed("kernels.wsasm", "kernel.wsasm"))
        self.expect(3, "is not a regular file", "run", "/dev/zero")
        self.expect(3, "launch.yaml:10:23: error: file 'y.bin': cannot open",
                    "run", self.changed("linear: {start: 0, step: 2}", "file: y.bin"))

    def test_pipe(self):
        os.mkfifo(self.folder / "pipe.yaml")
        self.expect(3, "is not a regular file", "run", "pipe.yaml")

    def test_bad_yaml(self):
        self.expect(3, "launch.yaml:2:1: error: not valid YAML", "run", self.launch("a: [1\n"))
        self.expect(3, "launch.yaml:1: error: not valid UTF-8", "run",
                    self.write_bytes(b"a: \xff\n"))
        self.expect(3, "launch.yaml:11:1: error: duplicate key 'grid'",
                    "run", self.launch(GOOD + "grid: 3\n"))
        self.expect(3, "did you mean 'buffers'?", "run", self.changed("buffers:", "bufers:"))
        self.expect(3, "lacks the key 'version'", "run", self.launch(GOOD[GOOD.index("program"):]))
        self.expect(3, "version: 2 is out of range", "run", self.changed("version: 1", "version: 2"))
        self.expect(3, "without leading zeros", "run", self.changed("grid: 2", "grid: 02"))
        self.expect(3, "must be a mapping", "run", self.launch("- 1\n"))

    def write_bytes(self, data):
        (self.folder / "launch.yaml").write_bytes(data)
        return "launch.yaml"

    def test_program(self):
        self.expect(3, "must end in .cu", "run", self.changed("kernels.wsasm", "kernels.txt"))
        self.expect(3, "a program cannot be run by itself", "run", "kernels.wsasm")
        self.expect(3, "launch.yaml:2:10: error: program 'no.wsasm': no such file", "run",
                    self.changed("kernels.wsasm", "no.wsasm"))
        self.expect(3, "launch.yaml:3:11: error: compile.define is for programs in CUDA C", "run",
                    self.changed("buffers:", "compile: {define: [A]}\nbuffers:"))
        self.expect(3, "launch.yaml:3:11: error: compile.maxreg is for programs in CUDA C or PTX",
                    "run", self.changed("buffers:", "compile: {maxreg: 32}\nbuffers:"))
        (self.folder / "kernels.wsasm").write_text(".kernel scale\n  FADDD R0, R1, R2 ;\n  EXIT ;\n")
        self.expect(3, "kernels.wsasm:2:3: error: ", "run", self.launch(GOOD))
        (self.folder / "kernels.wsasm").write_text(".kernel scale\n  FADD R0, R1, R2 ;\n")
        self.expect(3, "kernels.wsasm", "check", "kernels.wsasm")

    def test_cuda(self):
        (self.folder / "k.cu").write_text("__global__ void k(int *x)\n{\n    *x = y;\n}\n")
        self.expect(3, "k.cu:3:10: error: ", "check", "k.cu")

    def test_ptx(self):
        head = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n"
        (self.folder / "k.ptx").write_text(head + "    tex.2d.v4.f32.f32 {%f1}, [t, {%f2}];\n}\n")
        self.expect(3, "k.ptx:6:", "check", "k.ptx")
        (self.folder / "k.ptx").write_text(head + "    frobnicate.u32 %r1, %r2;\n    ret;\n}\n")
        self.expect(3, "frobnicate", "check", "k.ptx")
        (self.folder / "k.ptx").write_bytes(b"\x7fELF\0\0")
        self.expect(3, "k.ptx", "check", "k.ptx")

    def test_launches(self):
        self.expect(3, "launch.yaml:5:9: error: the program has no kernel 'skale'; did you mean 'scale'?",
                    "run", self.changed("kernel: scale", "kernel: skale"))
        self.expect(3, "launch.yaml:8:9: error: the kernel 'scale' takes 1 parameter, but 2 are given",
                    "run", self.changed("[{ref: y}]", "[{ref: y}, {s32: 1}]"))
        self.expect(3, "has 8 bytes (u64), but 4 are given",
                    "run", self.changed("[{ref: y}]", "[{s32: 1}]"))
        self.expect(3, "no buffer is called 'x'", "run", self.changed("{ref: y}", "{ref: x}"))
        self.expect(3, "grid: 0 is out of range", "run", self.changed("grid: 2", "grid: 0"))
        self.expect(3, "grid: 0 is out of range", "run", self.changed("grid: 2", "grid: [1, 0]"))
        self.expect(3, "launch.yaml:6:7: error: grid.y is 65536", "run", self.changed("grid: 2", "grid: [1, 65536]"))
        self.expect(3, "launch.yaml:7:8: error: block.x is 2048", "run",
                    self.changed("block: 64", "block: 2048"))
        self.expect(3, "2048 threads (64 x 32 x 1)", "run",
                    self.changed("block: 64", "block: [64, 32]"))
        self.expect(3, "bytes of shared memory", "run",
                    self.launch(GOOD + "dynamic_shared_bytes: 500000\n"))

    def test_buffers(self):
        self.expect(3, "type: 'f23' is not one of", "run", self.changed("u32", "f23"))
        self.expect(3, "count: 0 is out of range", "run", self.changed("count: 128", "count: 0"))
        self.expect(3, "more than 4.0 GiB", "run", self.changed("count: 128", "count: 4294967296"))
        many = "".join(f"  x{i}: {{type: u8, count: 1}}\n" for i in range(4096))
        self.expect(3, "launch.yaml:4100:6: error: more than 4096 buffers", "run",
                    self.changed("buffers:\n", "buffers:\n" + many))
        one = "  - {buffer: y, fill: 0}\n"
        self.expect(3, "expect: at most 4096 items", "run",
                    self.launch(GOOD + one * 4096))
        self.expect(3, "2 values are given for 128", "run",
                    self.changed("count: 128", "count: 128, init: {values: [1, 2]}"))
        self.expect(3, "fill: -1 is out of range", "run",
                    self.changed("count: 128", "count: 128, init: {fill: -1}"))

    def test_addresses_of_buffers(self):
        for address, message in ((1, "must be a multiple of 128"), (128, "must be 0x10000000 or above"),
                                 ("0x1000000000080", "out of range"), (-128, "out of range")):
            self.expect(3, message, "run", self.changed("count: 128", f"count: 128, address: {address}"))
        self.expect(3, "launch.yaml:5:37: error: the address of this buffer must be 0x20000200 or above", "run",
                    self.changed("  y: {type: u32, count: 128}",
                                 "  y: {type: u32, count: 128, address: 0x20000000}\n"
                                 "  z: {type: u32, count: 1, address: 0x20000180}"))
        done = self.run_program("run", self.changed(
            "  y: {type: u32, count: 128}", "  y: {type: u32, count: 128, address: 0x200000000000}\n"
            "  z: {type: u8, count: 1, address: 0x200000000200}\n  q: {type: u8, count: 1}"))
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_devices(self):
        good = self.launch(GOOD)
        self.expect(3, "no device is called 'h2000'; did you mean 'h200'?",
                    "run", good, "--device", "h2000")
        self.expect(3, "--set sms=0: error: sms: 0 is out of range", "run", good, "--set", "sms=0")
        self.expect(3, "--set policy=fifo: error: policy: 'fifo' is not one of",
                    "run", good, "--policy", "fifo")
        self.expect(3, "--set sm=1: error: no setting is called 'sm'; did you mean 'sms'?",
                    "run", good, "--set", "sm=1")
        (self.folder / "mine.yaml").write_text("inherit: h200\nmemory:\n  l2: {byts: 4096}\n")
        self.expect(3, "mine.yaml:3:8: error: no setting is called 'memory.l2.byts'",
                    "run", good, "--device", "mine.yaml")
        (self.folder / "loop.yaml").write_text("inherit: ./loop.yaml\n")
        self.expect(3, "inherits from itself", "devices", "loop.yaml")

        self.expect(3, "--set sms=: error: the value is missing", "run", good, "--set", "sms=")
        self.expect(3, "launch.yaml:2:9: error: device 'no.yaml': no such file", "run",
                    self.changed("program:", "device: no.yaml\nprogram:"))

    def test_overrides(self):
        good = self.launch(GOOD)
        self.expect(3, "there is 1 launch, counted from 0", "run", good, "--launch", "1.grid=1")
        self.expect(3, "--launch grid=none: error: grid: 'none': a whole number",
                    "run", good, "--launch", "grid=none")
        self.expect(3, "did you mean 'block'?", "run", good, "--launch", "blok=3")
        self.expect(3, "has no parameter '7'", "run", good, "--launch", "params.7=3")

    def test_numbers(self):
        good = self.launch(GOOD)
        for option in ("--sms", "--threads", "--max-cycles"):
            for value in ("0", "-1", "-5"):
                self.expect(2, f"{option}: a number from 1 to", "run", good, option, value)

    def test_output(self):
        good = self.launch(GOOD)
        self.expect(3, "no/x: error: cannot write: No such file or directory\n",
                    "run", good, "-o", "no/x")
        self.expect(3, "the name of the file to write is empty", "run", good, "-o", "")
        for arguments in (["run", good], ["run", "--help"], ["--help"], ["devices", "h200"]):
            with open("/dev/full", "w") as full:
                done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, stdout=full,
                                      stderr=subprocess.PIPE, text=True, timeout=HANGS)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (3, 1), arguments)
            self.assertIn("cannot write the output: No space left on device", done.stderr)

    def test_dumps(self):
        good = self.launch(GOOD)
        self.expect(2, "NAME=FILE is expected", "run", good, "--dump", "y")
        self.expect(2, "has no such buffer", "run", good, "--dump", "z=z.bin")
        self.assertEqual(self.run_program("run", good, "--dump", "y=/dev/null").returncode, 0)
        os.mkfifo(os.path.join(self.folder, "pipe"))
        for place, message in (("pipe", "not a regular file"), ("/dev/full", "No space left on device")):
            done = self.run_program("run", good, "--dump", f"y={place}")
            self.assertEqual(done.returncode, 3, place)
            self.assertIn(message, done.stderr)


class Textures(Case):
    """Wrong textures, each at its place."""
    TEXTURE = "textures:\n  t: {buffer: y, kind: 2d, size: [8, 16]}\nkernel:"

    def wrong(self, message, old, new):
        text = GOOD.replace("kernel:", self.TEXTURE, 1)
        self.assertIn(old, text)
        self.expect(3, message, "run", self.launch(text.replace(old, new)))

    def test_good(self):
        self.assertEqual(self.run_program("run", self.launch(
            GOOD.replace("kernel:", self.TEXTURE, 1))).returncode, 0)

    def test_wrong(self):
        size = "size: [8, 16]"
        self.wrong("launch.yaml:6:15: error: no buffer is called 'x'", "buffer: y, kind", "buffer: x, kind")
        self.wrong("launch.yaml:6:24: error: kind: '4d' is not one of", "2d", "4d")
        self.wrong("lacks the key 'size'", ", " + size, "")
        self.wrong("launch.yaml:6:34: error: size: a texture of kind 2d has 2 sizes", "[8, 16]", "8")
        self.wrong("launch.yaml:6:35: error: size: 0 is out of range", "[8, 16]", "[0, 1]")
        self.wrong("launch.yaml:6:38: error: size: 65537 is out of range", "[8, 16]", "[1, 65537]")
        self.wrong("launch.yaml:6:6: error: the texture has 129 elements, but buffer 'y' only 128",
                   "[8, 16]", "[43, 3]")
        self.wrong("256 elements, but buffer 'y' only 128", size, size + ", channels: 2")
        self.wrong("channels: 1, 2 or 4", size, "size: [1, 1], channels: 3")
        self.wrong("did you mean 'filter'?", size, size + ", filtre: linear")
        self.wrong("filter: only floats are filtered", size, size + ", filter: linear")
        self.wrong("read: only integers of 8 and 16 bits", size, size + ", read: normalized")
        self.wrong("address: wrap needs normalized coordinates", size, size + ", address: wrap")
        self.wrong("address: one mode, or a list of 2 for kind 2d", size,
                   size + ", address: [clamp, clamp, clamp]")
        self.wrong("the faces of a cube are squares", "kind: 2d, " + size, "kind: cube, size: [2, 3]")
        self.wrong("the faces of a cube are clamped", "kind: 2d, " + size,
                   "kind: cube, size: [2, 2], address: border")
        self.wrong("buffer 'y' is u64", "type: u32", "type: u64")
        self.wrong("'a b' is not a texture's name", "  t:", "  a b:")
        self.wrong("launch.yaml:10:20: error: no texture is called 'tt'; did you mean 't'?",
                   "{ref: y}", "{texture: tt}")
        self.wrong("launch.yaml:7:11: error: the program has no texture reference 'r'",
                   "kernel:", "texrefs: {r: t}\nkernel:")


class BadKernels(Case):
    def stopped(self, code, message, name, status, *options):
        done = self.expect(code, message, "run", name, "--sms", "1", "--format", "json", *options)
        result = json.loads(done.stdout)
        self.assertEqual(result["status"], status)
        self.assertIn(result["error"]["message"], done.stderr)
        self.assertEqual(sum(result["stalls"].values()), result["warp_cycles"])
        return result

    def test_faults(self):
        result = self.stopped(4, "kernels.wsasm:", "out_of_bounds.yaml", "fault")
        self.assertEqual(result["error"]["file"], "kernels.wsasm")
        self.stopped(4, "kernels.wsasm:", "misaligned.yaml", "fault")

    def test_barrier_that_never_completes(self):
        self.stopped(5, "barrier", "half_a_barrier.yaml", "deadlock")

    def test_endless_loop(self):
        self.stopped(6, "the limit of 20000 cycles", "endless.yaml", "limit", "--max-cycles", "20000")

    def test_wrong_result(self):
        self.launch(GOOD.replace("step: 2", "step: 3"))
        done = self.expect(1, "", "run", "launch.yaml", "--format", "json")
        check = json.loads(done.stdout)["checks"][0]
        self.assertFalse(check["passed"])
        self.assertEqual((check["first_index"], check["expected"], check["actual"]), (1, "3", "2"))
        self.assertEqual(check["mismatches"], 127)


class Runs(Case):
    def result(self, *options):
        done = self.run_program("run", "scale.yaml", "--format", "json", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_json(self):
        result = json.loads(self.result())
        self.assertEqual(set(result["stalls"]), STALLS)
        self.assertEqual(sum(result["stalls"].values()), result["warp_cycles"])
        self.assertEqual(result["stalls"]["selected"], result["warp_instructions"])
        self.assertEqual(result["branches"]["divergent"], 4)
        self.assertEqual(result["warps"], {"launched": 4, "diverged": 4,
                                           "diverged_warp_cycles": result["warp_cycles"]})
        self.assertEqual(result["status"], "ok")
        self.assertEqual(sum(line["instructions"] for line in result["lines"]),
                         result["warp_instructions"])
        self.assertEqual(sum(line["lanes"] for line in result["lines"]),
                         result["thread_instructions"])
        self.assertTrue(all(check["passed"] for check in result["checks"]))

    def test_same_bytes(self):
        first = self.result()
        self.assertEqual(first, self.result())
        self.assertEqual(first, self.result("--threads", "2"))
        texts = {self.run_program("run", "scale.yaml").stdout for _ in range(2)}
        self.assertEqual(len(texts), 1)

    def test_whole_gpu(self):
        """132 SMs with every warp slot in use: the same bytes with any number of host threads, and
        under 256 MB besides the buffer."""
        (self.folder / "full.wsasm").write_text(FULL)
        self.launch(
            "version: 1\nprogram: full.wsasm\nkernel: full\ngrid: 264\nblock: 1024\n"
            "params: [{ref: y}]\nbuffers:\n  y: {type: u32, count: 270368}\n")
        outputs = set()
        for threads in ("1", "2", "4"):
            with open(self.folder / "full.json", "wb") as file:
                child = subprocess.Popen(
                    [PROGRAM, "run", "launch.yaml", "--device", "h200", "--format", "json",
                     "--threads", threads, "--dump", "y=full.bin"],
                    cwd=self.folder, stdin=subprocess.DEVNULL, stdout=file)
                _, status, usage = os.wait4(child.pid, 0)
                child.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(child.returncode, 0)
            self.assertLess(usage.ru_maxrss / 1024, 256)
            outputs.add((self.folder / "full.json").read_bytes()
                        + (self.folder / "full.bin").read_bytes())
        self.assertEqual(len(outputs), 1)
        result = json.loads((self.folder / "full.json").read_text())
        self.assertEqual(result["warps"]["launched"], 132 * 64)

    def test_columns(self):
        for name in ("scale", "out_of_bounds", "half_a_barrier"):
            done = self.run_program("run", f"{name}.yaml")
            for line in done.stdout.splitlines():
                self.assertLessEqual(len(line), 100, line)
        for arguments in (["check", "kernels.wsasm"], ["devices"], ["--help"]):
            for line in self.run_program(*arguments).stdout.splitlines():
                self.assertLessEqual(len(line), 100, line)

    def test_one_of_each_and_long_limits(self):
        done = self.run_program("run", "half_a_barrier.yaml", "--launch", "grid=1")
        self.assertRegex(done.stdout.splitlines()[0], r": 1 block of \d+ threads, \d+ warps started$")
        done = self.run_program("run", "scale.yaml", "--launch", "block=32", "--launch", "grid=1",
                                "--set", "limits.blocks_per_sm=4", "--set", "limits.warps_per_sm=4",
                                "--set", "limits.shared_carveouts=[4096]",
                                "--set", "limits.registers_per_sm=1024",
                                "--set", "limits.registers_per_block=1024")
        self.assertIn(": 1 block of 32 threads, 1 warp started\n", done.stdout)
        words = " ".join(done.stdout.split())
        self.assertRegex(words, r"limit: warps, registers, shared, blocks \(4 blocks of 1 warp, \d+ registers\)")

    def test_dump_and_output(self):
        done = self.run_program("run", "scale.yaml", "--dump", "y=y.bin", "-o", "report.txt")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        data = (self.folder / "y.bin").read_bytes()
        values = [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]
        self.assertEqual(values, list(range(0, 256, 2)))
        self.assertIn("Where the", (self.folder / "report.txt").read_text())
        leftovers = {path.name for path in self.folder.iterdir()} - {p.name for p in DATA.iterdir()}
        self.assertEqual(leftovers, {"y.bin", "report.txt"})

    def test_overrides(self):
        result = json.loads(self.result("--launch", "0.grid=[2, 1]", "--launch", "block=[64, 1, 1]",
                                        "--set", "sms=1", "--policy", "lrr"))
        self.assertEqual(result["launches"][0]["grid"], [2, 1, 1])
        self.assertEqual(result["launches"][0]["block"], [64, 1, 1])
        self.assertEqual(len(result["occupancy"]["per_sm"]), 1)
        self.assertEqual(result["warps"]["launched"], 4)

    def test_occupancy_over_time(self):
        done = self.run_program("run", "scale.yaml", "--sms", 2, "--format", "json",
                                "--occupancy-csv", "all.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [[int(x) for x in line.split(",")]
                for line in (self.folder / "all.csv").read_text().split()[1:]]
        sums, last = 0, {}
        for sm, cycle, warps in rows:
            since, held = last.get(sm, (0, 0))
            sums += held * (cycle - since)
            last[sm] = (cycle, warps)
        self.assertEqual(sums, json.loads(done.stdout)["warp_cycles"])
        self.assertEqual([warps for _, warps in last.values()], [0, 0])
        plain = self.run_program("run", "scale.yaml", "--sms", 2, "--format", "json")
        self.assertEqual(plain.stdout, done.stdout)
        self.run_program("run", "scale.yaml", "--sms", 2, "--occupancy-csv", "one.csv",
                         "--occupancy-sms", "1")
        self.assertEqual((self.folder / "one.csv").read_text().split()[1:],
                         [",".join(map(str, row)) for row in rows if row[0] == 1])
        self.expect(2, "no SM 2, the device has SMs 0 to 1", "run", "scale.yaml", "--sms", 2,
                    "--occupancy-csv", "x.csv", "--occupancy-sms", "0-2")
        self.expect(2, "goes with --occupancy-csv", "run", "scale.yaml", "--occupancy-sms", "0")
        self.assertFalse((self.folder / "x.csv").exists())

    def test_carveout(self):
        """Two walks over 64 KiB: the second one hits L1 unless shared memory takes the array, by
        the launch's wish or because the resident block needs it."""
        (self.folder / "walk.wsasm").write_text(WALK)
        self.launch(
            "version: 1\nprogram: walk.wsasm\nkernel: walk\ngrid: 1\nblock: 32\n"
            "params: [{ref: y}]\nbuffers:\n  y: {type: u32, count: 16384}\n")
        for wish, rate in (("carveout=0", 0.5), ("carveout=100", 0),
                           ("dynamic_shared_bytes=0", 0.5), ("dynamic_shared_bytes=200000", 0)):
            done = self.run_program("run", "launch.yaml", "--device", "h200", "--format", "json",
                                    "--launch", wish)
            self.assertEqual(json.loads(done.stdout)["memory"]["l1_hit_rate"], rate, wish)

    def test_oversubscription(self):
        for name, line in (
                ("a100", "up to 2048 threads for 64 multiply-adds a cycle: 32 threads a lane"),
                ("h200", "up to 2048 threads for 128 multiply-adds a cycle: 16 threads a lane")):
            self.assertIn(line, self.run_program("devices", name).stdout)

    def test_device_file(self):
        done = self.run_program("devices", "h200")
        (self.folder / "mine.yaml").write_text(done.stdout)
        self.assertEqual(self.result("--device", "./mine.yaml"), self.result())
        settings = json.loads(self.run_program("devices", "h200", "--format", "json").stdout)
        self.assertEqual(settings["sms"], 132)

    def test_no_temporary_folders_are_made(self):
        """Nothing is written but outputs, so nothing can be left behind, whatever ends the run."""
        before = sorted(self.folder.iterdir())
        environment = dict(os.environ, TMPDIR=str(self.folder))
        done = self.run_program("check", "vecadd", env=environment)
        self.assertNotIn(str(self.folder), done.stdout + done.stderr)
        self.assertEqual(self.run_program("check", "vecadd/").stdout, done.stdout)
        nowhere = self.run_program("check", "vecadd", env=dict(environment, TMPDIR="/no"))
        self.assertEqual((nowhere.returncode, nowhere.stdout), (0, done.stdout))
        for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            for wait in (0, 0.02, 0.1):
                run = subprocess.Popen([PROGRAM, "check", "vecadd"], env=environment,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(wait)
                run.send_signal(ending)
                self.assertIn(run.wait(120), (0, -ending))
        self.assertEqual(sorted(self.folder.iterdir()), before)


class Programs(Case):
    def test_check(self):
        done = self.run_program("check", "kernels.wsasm")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = {line.split()[0]: line for line in done.stdout.splitlines() if line.startswith("  ")}
        self.assertEqual(rows["kernels.wsasm:10"].split()[1:4], ["0", "0", "1"])  # may diverge
        self.assertEqual(rows["kernels.wsasm:37"].split()[1:4], ["1", "0", "0"])  # uniform

    def test_asm(self):
        self.expect(2, "-o FILE is missing", "asm", "kernels.wsasm")
        self.expect(2, "must end in .wsbin", "asm", "kernels.wsasm", "-o", "x")
        self.expect(0, "", "asm", "kernels.wsasm", "-o", "kernels.wsbin")
        self.launch(GOOD.replace("kernels.wsasm", "kernels.wsbin"))
        one = self.run_program("run", "launch.yaml", "--format", "json")
        two = self.run_program("run", "scale.yaml", "--format", "json")
        self.assertEqual(one.returncode, 0, one.stderr)
        self.assertEqual(one.stdout, two.stdout)
        data = bytearray((self.folder / "kernels.wsbin").read_bytes())
        data[-1] ^= 1
        (self.folder / "kernels.wsbin").write_bytes(data)
        self.expect(3, "kernels.wsbin: error: ", "run", "launch.yaml")

    def test_refused_kernels(self):
        """A kernel that uses something unsupported is refused; the others of its file run."""
        store = "ld.param.u64 %rd1, [p]; mov.u32 %r1, 7; st.global.u32 [%rd1], %r1; ret;"
        copy = "wgmma.fence.sync.aligned; ret;"
        kernel = ".visible .entry {}(.param .u64 p)\n{{\n.reg .b64 %rd<4>; .reg .b32 %r<4>;\n{}\n}}\n"
        head = ".version 8.0\n.target sm_80\n.address_size 64\n"
        good, bad = kernel.format("good", store), kernel.format("copies", copy)
        late = kernel.format("_Z4goodi", copy)
        where = "two.ptx:7:1: error: instruction 'wgmma.fence.sync.aligned' is not supported"
        launch = ("version: 1\nprogram: two.ptx\nbuffers: {y: {type: u32, count: 1}}\n"
                  "kernel: good\ngrid: 1\nblock: 1\nparams: [{ref: y}]\n"
                  "expect: [{buffer: y, fill: 7}]\n")
        (self.folder / "two.ptx").write_text(head + bad + good)
        self.expect(0, "", "run", self.launch(launch))
        done = self.expect(3, where, "run", self.launch(launch.replace("good", "copies")))
        self.assertEqual(done.stderr, where + "\n")
        done = self.expect(1, where + " (kernel 'copies' is refused)\n", "check", "two.ptx")
        self.assertIn("good: ", done.stdout)
        done = self.expect(0, where + " (kernel 'copies' is refused)\n", "disasm", "two.ptx")
        self.assertIn(".kernel good", done.stdout)
        self.expect(0, "is refused", "asm", "two.ptx", "-o", "two.wsbin")
        self.expect(3, "2 kernels", "occupancy", "--kernel", "two.ptx", "--block", "32")
        self.expect(3, "did you mean 'copies'?", "run", self.launch(launch.replace("good", "copes")))
        short = kernel.format("copies", "cp.async.cg.shared.global [%r1], [%rd1], 8; ret;")
        (self.folder / "two.ptx").write_text(head + short + good)
        self.expect(1, "'cp.async.cg.shared.global' copies 16 bytes (kernel 'copies' is refused)\n", "check", "two.ptx")
        # A name that two share names neither, refused or not.
        (self.folder / "two.ptx").write_text(head + late + good.replace("good", "_Z4goodf"))
        self.expect(3, "'good' names several kernels: good(float), good(int)", "run", self.launch(launch))
        (self.folder / "two.ptx").write_text(head + bad)
        for command in ("check", "disasm"):
            self.assertEqual(self.expect(3, where, command, "two.ptx").stderr, where + "\n")

    def test_programs_take_compile_options(self):
        (self.folder / "part").mkdir()
        (self.folder / "part" / "part.h").write_text("#define PLUS 2\n")
        (self.folder / "k.cu").write_text(
            '#include "part.h"\n__global__ void k(int *x)\n{\n    *x = N + PLUS;\n}\n')
        self.expect(3, "k.cu:1:10: fatal error: 'part.h' file not found", "check", "k.cu")
        self.expect(3, "k.cu:4:10: error: use of undeclared identifier 'N'", "check", "k.cu", "-I",
                    "part")
        for command in ("check", "disasm"):
            self.expect(0, "", command, "k.cu", "-Ipart", "-DN=40")
        self.assertIn("0x2a", self.run_program("disasm", "k.cu", "-I", "part", "-D", "N=40").stdout)
        self.expect(0, "", "asm", "k.cu", "-Ipart", "-DN=40", "--maxreg=32", "-o", "k.wsbin")
        self.expect(2, "--maxreg must be from 16 to 255", "check", "k.cu", "--maxreg=-1")
        self.expect(2, "--maxreg must be from 16 to 255", "check", "k.cu", "--maxreg=8")
        self.expect(3, "kernels.wsasm: error: -D and -I are for programs in CUDA C", "check",
                    "kernels.wsasm", "-DN=1")
        self.expect(3, "kernels.wsasm: error: --maxreg is for programs in CUDA C or PTX", "asm",
                    "kernels.wsasm", "--maxreg=32", "-o", "a.wsbin")
        self.expect(3, "launch.yaml: error: -D, -I and --maxreg are for programs; a launch file has "
                    "`compile`", "check", "vecadd", "-DN=1")

    def test_disasm_round_trip(self):
        text = self.run_program("disasm", "kernels.wsasm", "--no-sources").stdout
        (self.folder / "again.wsasm").write_text(text)
        again = self.run_program("disasm", "again.wsasm", "--no-sources")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(again.stdout, text)


if __name__ == "__main__":
    unittest.main(verbosity=1)
