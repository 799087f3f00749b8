"""`run --record`: a run in one file, run anew, and what damage or another version does to it.

test_cli_record.py WARPSTEP
"""
import hashlib
import json
import os
import pathlib
import random
import re
import resource
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

from long_loop import write_long_loop
from terminal_session import Terminal, missing
from patience import HANGS

WARPSTEP = os.path.abspath(sys.argv.pop(1))
SANITIZED = "asan" in WARPSTEP
HEAD = 20  # magic, format, length
FAULT = """\
__global__ void beyond(int *out) { out[threadIdx.x << 20] = 1; }
"""
TWICE = """\
version: 1
program: twice.cu
set: {sms: 1}
buffers:
  x: {type: u32, count: 64, init: {linear: {start: 0, step: 1}}}
launches:
  - {kernel: twice, grid: 2, block: 32, params: [{ref: x}]}
  - {kernel: twice, grid: 2, block: 32, params: [{ref: x}]}
expect:
  - {buffer: x, values: [VALUES]}
"""


def bound_memory():
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))


def pack(value, length=None):
    """A recording with these bytes as its value, and a right checksum."""
    body = (b"\x89WSREC\r\n" + struct.pack("<IQ", 1, len(value) if length is None else length) +
            zlib.compress(value))
    return body + hashlib.sha256(body).digest()


def unpack(file):
    return bytearray(zlib.decompress(file[HEAD:-32]))


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_it(self, *arguments, code=0, **options):
        done = subprocess.run([WARPSTEP, *arguments], cwd=self.folder, capture_output=True,
                              timeout=HANGS, **options)
        self.assertEqual(done.returncode, code, done.stderr[-2000:])
        return done

    def put(self, name, data):
        (self.folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())

    def read(self, name):
        return (self.folder / name).read_bytes()


class Same(Case):
    """Run anew, everything is as it was."""

    def same(self, *target, code=0):
        first = self.run_it("run", *target, "--record", "a.wsrec", code=code)
        again = self.run_it("run", "a.wsrec", "--record", "b.wsrec", code=code)
        self.assertEqual(again.stdout, first.stdout)
        self.assertEqual(self.read("a.wsrec"), self.read("b.wsrec"))
        return first

    def test_bytes_with_threads(self):
        self.run_it("run", "vecadd", "--sms", "2", "--record", "a.wsrec")
        self.run_it("run", "vecadd", "--sms", "2", "--threads", "2", "--record", "b.wsrec")
        self.assertEqual(self.read("a.wsrec"), self.read("b.wsrec"))

    def test_of_several_kinds(self):
        self.same("policies/priority.yaml")  # initial states of warps
        self.same("global_sum", "--sms", "4")  # several launches of atomics
        self.same("if_else", "--sms", "1", "--set", "divergence.model=stack")
        self.same("vecadd/bytecode-warp.yaml")
        self.same("vecadd", "--device", "v100", "--policy", "two-level", "--sms", "1")

    def test_runs_that_end_badly(self):
        self.same("barrier_divergence/one_side.yaml", "--sms", "1", code=5)
        self.same("vecadd", "--sms", "1", "--max-cycles", "300", code=6)
        self.put("beyond.cu", FAULT)
        self.put("beyond.yaml", "version: 1\nprogram: beyond.cu\nset: {sms: 1}\n"
                                "buffers: {o: {type: s32, count: 4}}\n"
                                "kernel: beyond\ngrid: 1\nblock: 32\nparams: [{ref: o}]\n")
        self.same("beyond.yaml", code=4)

    def test_run_that_time_cut_off(self):
        first = self.run_it("run", write_long_loop(self.folder), "--sms", "1", "--max-seconds", "0.2",
                            "--record", "a.wsrec", code=6)
        cycle = re.search(rb"seconds of processor time \(--max-seconds\) was reached at cycle (\d+)", first.stderr)[1]
        again = self.run_it("run", "a.wsrec", "--max-seconds", "50", code=6)
        self.assertIn(b"the limit of " + cycle + b" cycles was reached", again.stderr)
        self.assertNotIn(b"recorded", again.stderr)

    def test_without_the_files(self):
        self.put("twice.cu", "__global__ void twice(unsigned *x)\n{\n"
                             "    x[blockIdx.x * blockDim.x + threadIdx.x] *= 2;\n}\n")
        values = ", ".join(str(4 * n) for n in range(64))
        self.put("right.yaml", TWICE.replace("VALUES", values))
        self.put("wrong.yaml", TWICE.replace("VALUES", values.replace("252", "251")))
        first = self.run_it("run", "right.yaml", "--record", "r.wsrec")
        wrong = self.run_it("run", "wrong.yaml", "--record", "w.wsrec", code=1)
        for name in ("twice.cu", "right.yaml", "wrong.yaml"):
            (self.folder / name).unlink()
        self.assertEqual(self.run_it("run", "r.wsrec").stdout, first.stdout)
        self.assertIn(b"x[blockIdx.x * blockDim.x", first.stdout)  # source lines are in it
        self.assertEqual(self.run_it("run", "w.wsrec", code=1).stdout, wrong.stdout)
        shown = self.run_it("run", "r.wsrec", "--print", "x[60:64]").stdout
        self.assertIn(b"240 244 248 252", shown)

    def test_other_commands(self):
        self.run_it("run", "if_else", "--sms", "1", "--record", "a.wsrec")
        for command in (["trace"], ["step", "--batch", "-e", "diverge", "-e", "why"]):
            name, *rest = command
            self.assertEqual(self.run_it(name, "a.wsrec", *rest).stdout,
                             self.run_it(name, "if_else", "--sms", "1", *rest).stdout)
        self.run_it("report", "a.wsrec", "-o", "a.html")
        self.run_it("report", "if_else", "--sms", "1", "-o", "b.html")
        self.assertEqual(self.read("a.html"), self.read("b.html"))
        self.assertIn(b"The runs are the same", self.run_it(
            "diff", "a.wsrec", "--vs", "if_else", "--sms", "1").stdout)


class Refused(Case):
    def setUp(self):
        super().setUp()
        self.run_it("run", "vecadd/bytecode-warp.yaml", "--record", "a.wsrec")

    def test_options_that_change_the_run(self):
        for option in (["--sms", "2"], ["--policy", "lrr"], ["--set", "sms=2"], ["-D", "N=2"],
                       ["--launch", "grid=2"], ["--device", "a100"], ["--maxreg", "32"]):
            done = self.run_it("run", "a.wsrec", *option, code=2)
            self.assertIn(b"would change the run", done.stderr)

    def test_commands_that_take_none(self):
        for command in (["advise", "a.wsrec"], ["sweep", "a.wsrec", "-P", "sms=1,2", "-o", "o"],
                        ["check", "a.wsrec"], ["disasm", "a.wsrec"]):
            done = self.run_it(*command, code=3)
            self.assertIn(b"a.wsrec: error: a recording is of one run", done.stderr)
        self.assertFalse((self.folder / "o").exists())

    def test_names_and_numbers(self):
        self.run_it("run", "vecadd", "--record", "a.rec", code=2)
        self.run_it("run", "vecadd", "--record-every", "5", code=2)
        self.run_it("run", "vecadd", "--record", "a.wsrec", "--record-every", "-5", code=2)
        self.run_it("run", "vecadd", "--sms", "1", "--record", "none/a.wsrec", code=3)
        self.run_it("run", "none.wsrec", code=3)

    def test_textures(self):
        self.put("t.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n"
                          ".visible .entry k(.param .u64 t) { ret; }\n")
        self.put("t.yaml", "version: 1\nprogram: t.ptx\nbuffers: {b: {type: f32, count: 16}}\n"
                           "textures: {t: {buffer: b, kind: 1d, size: 16}}\nkernel: k\ngrid: 1\nblock: 32\n"
                           "params: [{texture: t}]\n")
        done = self.run_it("run", "t.yaml", "--sms", "1", "--record", "t.wsrec", code=3)
        self.assertIn(b"a run with textures cannot be recorded", done.stderr)
        self.assertFalse((self.folder / "t.wsrec").exists())

    def test_damage(self):
        whole = self.read("a.wsrec")
        chance = random.Random(1)
        places = list(range(HEAD)) + [chance.randrange(len(whole)) for _ in range(2 if SANITIZED else 12)]
        for place in places:
            flipped = bytearray(whole)
            flipped[place] ^= 1 << chance.randrange(8)
            for damaged in (bytes(flipped), whole[:place]):
                self.put("d.wsrec", damaged)
                done = self.run_it("run", "d.wsrec", code=3)
                self.assertTrue(done.stderr.startswith(b"d.wsrec: error: "), done.stderr)
                self.assertEqual(done.stdout, b"")

    def test_lengths_that_lie(self):
        value = bytes(unpack(self.read("a.wsrec")))
        for length in (0, 1, len(value) - 1, len(value) + 1, 1 << 29, 1 << 31, (1 << 64) - 1):
            self.put("d.wsrec", pack(value, length))
            self.run_it("run", "d.wsrec", code=3, preexec_fn=bound_memory)
        self.put("d.wsrec", pack(bytes(1 << 28)))  # some 256 KiB of file
        self.run_it("run", "d.wsrec", code=3, preexec_fn=bound_memory)

    def test_hostile_contents(self):
        """A right checksum over contents that were changed: refused, or a run, never a crash."""
        value = unpack(self.read("a.wsrec"))
        self.assertEqual(pack(bytes(value))[:HEAD], self.read("a.wsrec")[:HEAD])
        chance = random.Random(2)
        for _ in range(20 if SANITIZED else 60):
            changed = bytearray(value)
            for _ in range(chance.choice((1, 1, 4))):
                place = chance.randrange(len(changed))
                if chance.random() < 0.3:
                    place = len(changed) - 1 - chance.randrange(200)
                changed[place] = chance.choice((0, 1, 0x7f, 0xff, changed[place] ^ 1))
            if chance.random() < 0.2:
                del changed[chance.randrange(len(changed)):]
            self.put("d.wsrec", pack(bytes(changed)))
            done = subprocess.run([WARPSTEP, "run", "d.wsrec", "--max-seconds", "5"], cwd=self.folder,
                                  capture_output=True, timeout=HANGS, preexec_fn=bound_memory)
            self.assertIn(done.returncode, (0, 1, 3, 4, 5, 6), done.stderr)
            # What was changed may be a value that a check expects: the run says so on standard output.
            ran = done.returncode == 0 or (done.returncode == 1 and b"  FAILED  " in done.stdout)
            self.assertEqual(ran, done.stderr == b"", done.stderr)


class DamagedPolicy(Case):
    """The part that holds a policy in C, with right checksums over all that is around the damage."""
    POLICY = ("#include <warpstep/policy.h>\n"
              "int pick(const ws_view *view) { return ws_longest_wait(view, view->eligible); }\n")
    BINARY_HEAD = 52  # magic, version, length, SHA-256 of the rest

    def setUp(self):
        super().setUp()
        self.put("mine.c", self.POLICY)
        self.run_it("run", "vecadd/bytecode-warp.yaml", "--policy", "./mine.c", "--record", "p.wsrec")
        self.value = bytes(unpack(self.read("p.wsrec")))
        self.start = self.value.rindex(b"\x89WSBIN")
        length, = struct.unpack("<Q", self.value[self.start + 12:self.start + 20])
        self.policy = self.value[self.start:self.start + self.BINARY_HEAD + length]

    def put_policy(self, policy, *, summed=True):
        self.assertEqual(len(policy), len(self.policy))
        body = policy[self.BINARY_HEAD:]
        if summed:
            policy = policy[:20] + hashlib.sha256(body).digest() + body
        self.put("d.wsrec", pack(self.value[:self.start] + policy + self.value[self.start + len(policy):]))

    def refused(self, message):
        for command in (["run"], ["step", "--batch", "-e", "goto end"]):
            done = self.run_it(command[0], "d.wsrec", *command[1:], code=3)
            self.assertRegex(done.stderr.decode(), message)
            self.assertEqual(done.stdout, b"")

    def test_as_it_was(self):
        self.put_policy(self.policy)
        self.assertEqual(self.read("d.wsrec"), self.read("p.wsrec"))

    def test_its_checksum(self):
        damaged = bytearray(self.policy)
        damaged[-1] ^= 1
        self.put_policy(bytes(damaged), summed=False)
        self.refused("^d.wsrec: error: the checksum is wrong; the file is damaged")

    def test_no_policy(self):
        self.put_policy(self.policy.replace(b"pick", b"pack"))
        self.refused("error: a policy must define int pick")

    def test_one_that_nobody_asks_for(self):
        setting = b'policy="./mine.c"'
        self.assertIn(setting, self.value)
        self.put("d.wsrec", pack(self.value.replace(setting, b"policy=lrr".ljust(len(setting)))))
        self.refused("^d.wsrec: error: the recording is damaged: the scheduling policy")

    def test_any_byte(self):
        chance = random.Random(3)
        for _ in range(10 if SANITIZED else 40):
            damaged = bytearray(self.policy)
            place = chance.randrange(self.BINARY_HEAD, len(damaged))
            damaged[place] = chance.choice((0, 1, 0x7f, 0xff, damaged[place] ^ 1))
            self.put_policy(bytes(damaged))
            done = subprocess.run([WARPSTEP, "run", "d.wsrec", "--max-cycles", "100000"], cwd=self.folder,
                                  capture_output=True, timeout=HANGS, preexec_fn=bound_memory)
            self.assertIn(done.returncode, (0, 1, 3, 4, 5, 6), done.stderr)
            self.assertEqual(done.returncode == 0, done.stderr == b"", done.stderr)


class AnotherVersion(Case):
    """A version changed within the file, and a setting: that stands for one that does things otherwise."""
    SAME = r"a\.wsrec: warning: warpstep 9\S+ recorded the run; this is the run of version \S+: "
    PARTED = (r"o\.wsrec: error: the run differs from the one that warpstep 9\S+ recorded, after cycle (\d+) "
              r"and by cycle (\d+) at the latest; this is the run of version \d")

    def setUp(self):
        super().setUp()
        self.run_it("run", "vecadd", "--sms", "1", "--record", "own.wsrec", "--record-every", "100")
        value = bytes(unpack(self.read("own.wsrec")))
        start = value.index(b"memory.dram.latency=") + len(b"memory.dram.latency=")
        end = value.index(b"\0", start)
        self.put("a.wsrec", pack(b"9" + value[1:]))
        self.put("o.wsrec", pack(b"9" + value[1:start] + b"9" * (end - start) + value[end:]))

    def parted(self, *command):
        """What it prints, of the run that is another."""
        done = self.run_it(*command, code=1)
        match = re.search(self.PARTED, done.stderr.decode())
        self.assertIsNotNone(match, done.stderr)
        self.assertEqual(int(match[2]) - int(match[1]), 100)
        return done.stdout, int(match[1])

    def same(self, *command):
        done = self.run_it(*command)
        self.assertRegex(done.stderr.decode(), self.SAME + r"the same at all \d\d recorded cycles\n$")
        return done.stdout

    def test_run(self):
        _, behind = self.parted("run", "o.wsrec")
        self.assertGreater(behind, 0)
        steps = [self.run_it("step", name, "--batch", "-e", f"goto {behind}", "-e", "info warps", code=code).stdout
                 for name, code in (("own.wsrec", 0), ("o.wsrec", 1))]
        self.assertEqual(*steps)
        self.assertEqual(self.same("run", "a.wsrec"), self.run_it("run", "own.wsrec").stdout)
        self.assertEqual(self.run_it("run", "own.wsrec").stderr, b"")

    def test_run_that_is_recorded_again(self):
        self.parted("run", "o.wsrec", "--record", "b.wsrec")
        self.assertEqual(self.run_it("run", "b.wsrec").stderr, b"")

    def test_trace(self):
        own = self.run_it("trace", "own.wsrec").stdout
        self.assertEqual(self.same("trace", "a.wsrec"), own)
        shown, behind = self.parted("trace", "o.wsrec", "--to", "20")  # compared to the end all the same
        self.assertGreater(behind, 20)
        self.assertTrue(own.startswith(shown[:1000]))

    def test_step(self):
        ended = self.same("step", "a.wsrec", "--batch", "-e", "goto end")
        self.assertEqual(ended, self.run_it("step", "own.wsrec", "--batch", "-e", "goto end").stdout)
        self.assertNotEqual(self.parted("step", "o.wsrec", "--batch", "-e", "goto end")[0], ended)
        done = self.run_it("step", "o.wsrec", "--batch", "-e", "nonsense", code=2)  # what came first is told
        self.assertRegex(done.stderr.decode(), self.PARTED)

    @unittest.skipIf(missing(), "no tmux")
    def test_full_screen(self):
        with Terminal([WARPSTEP, "step", str(self.folder / "o.wsrec")]) as terminal:
            shown = terminal.wait("The recording", "the run differs")
            self.assertIn("is the run of version", " ".join(shown.split()))
            terminal.press("q")
            terminal.wait("cycle 0 ", without=["the run differs"])
            terminal.press("q")

    def test_report(self):
        self.same("report", "a.wsrec", "-o", "a.html")
        self.assertIn(b": the same at all ", self.read("a.html"))
        _, behind = self.parted("report", "o.wsrec", "-o", "o.html")
        self.assertIn(b"recorded, after cycle %d and by cycle %d " % (behind, behind + 100),
                      self.read("o.html"))

    def test_diff(self):
        self.assertIn(b"The runs are the same", self.same("diff", "a.wsrec", "own.wsrec"))
        self.assertIn(b"The runs are the same", self.parted("diff", "o.wsrec", "o.wsrec")[0])
        self.parted("diff", "own.wsrec", "--vs", "o.wsrec")

    def test_dap(self):
        def notes(name):
            requests = [{"seq": 1, "type": "request", "command": "initialize", "arguments": {"adapterID": "w"}},
                        {"seq": 2, "type": "request", "command": "launch",
                         "arguments": {"program": str(self.folder / name)}},
                        {"seq": 3, "type": "request", "command": "disconnect"}]
            texts = [json.dumps(request) for request in requests]
            out = self.run_it("dap", input="".join(f"Content-Length: {len(text)}\r\n\r\n{text}"
                                                   for text in texts).encode()).stdout.decode()
            messages = [json.loads(part[:part.rindex("}") + 1])
                        for part in re.split(r"Content-Length: \d+\r\n\r\n", out)[1:]]
            self.assertTrue([m for m in messages if m.get("command") == "launch"][0]["success"], out)
            return "".join(m["body"]["output"] for m in messages if m.get("event") == "output")

        self.assertEqual(notes("own.wsrec"), "")
        self.assertIn(": the same at all ", notes("a.wsrec"))
        self.assertRegex(notes("o.wsrec"), self.PARTED.split("error: ")[1])

    def test_limits(self):
        """What lies behind a limit of this run is not compared, and does not count as another run."""
        done = self.run_it("run", "own.wsrec", "--max-cycles", "250", code=6)
        self.assertNotIn(b"recorded", done.stderr)
        done = self.run_it("trace", "a.wsrec", "--max-cycles", "250", code=6)
        self.assertRegex(done.stderr.decode(), self.SAME + r"the same at 2 of \d+ recorded cycles, a limit was reached before")
        self.run_it("run", "vecadd", "--sms", "1", "--max-cycles", "300", "--record", "cut.wsrec", code=6)
        self.assertIn(b"limit of 300 cycles", self.run_it("step", "cut.wsrec", "--batch", "-e", "goto end").stdout)
        self.assertEqual(self.run_it("run", "cut.wsrec", "--max-cycles", "100000").stderr, b"")

    def test_changed_by_this_build(self):
        """The same version, and another run all the same: two builds of it."""
        value = bytes(unpack(self.read("own.wsrec")))
        version = value[:value.index(b"\0")]
        self.put("o.wsrec", pack(version + bytes(unpack(self.read("o.wsrec")))[len(version):]))
        for command in ("run", "trace"):
            done = self.run_it(command, "o.wsrec", code=1)
            self.assertIn(b"warpstep " + version + b" recorded, after cycle", done.stderr)


if __name__ == "__main__":
    unittest.main()
