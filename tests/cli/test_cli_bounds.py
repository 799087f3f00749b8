"""What bounds the commands: test_cli_bounds.py WARPSTEP [unittest options]

Made from --help: each command that offers --confine, or a limit on what it takes, is called with it. A new
command, or a new option of that kind, needs a line here.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import big_programs
from dap_client import Client, Failure
from clangs import HAS_CLANG
from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
PROFILE = str(pathlib.Path(__file__).resolve().parents[1] / "data/ncu/branch.raw.csv")
SECRET = "s3cret_token"
KERNEL = "__global__ void k(int *x) { x[0] = 1; }\n"
LAUNCH = """\
version: 1
program: %s
set: {sms: 1}
buffers: {x: {type: s32, count: %d}}
launches: [{kernel: k, grid: 1, block: 1, params: [{ref: x}]}]
"""
ENDLESS = ".kernel k\n.param u64 x\n LDC.64 R2, c[x]\nl: IADD3 R4, R4, 1\n STG.E [R2], R4\n@!P5 BRA l\n EXIT\n"

# How each command is called on a program (P) or its launch file (L).
CALLS = {
    "run": ["L"],
    "step": ["L", "--batch", "-e", "goto end"],
    "trace": ["L", "-o", "trace.txt"],
    "report": ["L", "-o", "page.html"],
    "advise": ["L"],
    "sweep": ["L", "-P", "sms=1,2", "-o", "results"],
    "diff": ["L", "--vs", "--sms", "2"],
    "compare": ["L", "--ncu", PROFILE, "--launch-id", "0"],
    "init": ["P", "-o", "new.yaml"],
    "check": ["P"],
    "asm": ["P", "-o", "program.wsbin"],
    "disasm": ["P"],
    "occupancy": ["--kernel", "L"],
    "dap": None,  # is spoken to
}
# Options on resources of the host that other tests try.
ELSEWHERE = {"max-issues": "test_cli_page.py"}


def help_of(*command):
    return subprocess.run([PROGRAM, *command, "--help"], capture_output=True, text=True, check=True,
                          timeout=HANGS).stdout


def commands():
    return re.findall(r"^  (\w+) +\S", help_of().split("Commands:")[1], re.M)


def offers(command):
    """Its options that confine or limit."""
    return set(re.findall(r"^  (?:-\w, )?--(confine|max-[a-z-]+)\b", help_of(command), re.M))


OFFERED = {command: offers(command) for command in commands()}


class Case(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.top = pathlib.Path(self.scratch.name).resolve()
        self.folder = self.top / "work"
        self.folder.mkdir()
        self.environment = dict(os.environ, WARPSTEP_CACHE="off")

    def tearDown(self):
        self.scratch.cleanup()

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def launch(self, program, count=64):
        self.write("launch.yaml", LAUNCH % (program, count))

    def speak(self, options, program):
        """The adapter's answer to `launch`, and where the run ends: exit code as a command's, text."""
        with Client(PROGRAM, *options, cwd=self.folder, env=self.environment) as client:
            try:
                client.ask("initialize")
                client.ask("launch", program=str(self.folder / program))
            except Failure as failure:
                return 3, str(failure)
            except EOFError as end:  # it has ended by itself
                return 3, str(end)
            return 0, ""

    def call(self, command, *options, program="k.cu"):
        """Exit code, and all that it says and writes."""
        for name in ("new.yaml", "program.wsbin", "page.html", "trace.txt"):
            (self.folder / name).unlink(missing_ok=True)
        subprocess.run(["rm", "-rf", "results"], cwd=self.folder, check=True)
        if CALLS[command] is None:
            return self.speak(options, "launch.yaml")
        arguments = [{"P": program, "L": "launch.yaml"}.get(word, word) for word in CALLS[command]]
        at = arguments.index("--vs") if "--vs" in arguments else len(arguments)
        arguments[at:at] = options
        done = subprocess.run([PROGRAM, command, *arguments], cwd=self.folder, env=self.environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=HANGS)
        table = self.folder / "results/runs.csv"
        return done.returncode, done.stdout + done.stderr + (table.read_text() if table.exists() else "")

    def with_option(self, name, but=()):
        found = [command for command, options in OFFERED.items() if name in options]
        self.assertGreater(len(found), 3)
        for command in found:
            if command not in but:
                yield command


class Offers(Case):
    def test_all_are_tried(self):
        tried = {"confine", "max-compile-seconds", "max-cycles", "max-seconds", "max-memory"}
        for command, options in OFFERED.items():
            self.assertLessEqual(options - tried, set(ELSEWHERE), command)
            if options:
                self.assertIn(command, CALLS, "say above how it is called")
        for option, test in ELSEWHERE.items():
            self.assertIn(f"--{option}", (pathlib.Path(__file__).parent / test).read_text())

    def test_what_loads_is_bounded(self):
        """A command that compiles can be confined, and bounded."""
        for command, options in OFFERED.items():
            if "--no-cache" in help_of(command):
                self.assertLessEqual({"confine", "max-compile-seconds"}, options, command)

    def test_manual(self):
        """docs/use/security.md names each command."""
        manual = (pathlib.Path(__file__).parents[2] / "docs/use/security.md").read_text()
        listed = manual.split("\n## --confine\n")[1].split("take `--confine`")[0]
        self.assertEqual(set(re.findall(r"`(\w+)`", listed)),
                         {command for command, options in OFFERED.items() if "confine" in options})


@unittest.skipUnless(HAS_CLANG, "clang is not installed")
class Confine(Case):
    def test_include(self):
        (self.top / "secret.h").write_text(f"#error {SECRET}\n")
        (self.top / "part.h").write_text("#define VALUE 1\n")
        self.launch("k.cu")
        for command in self.with_option("confine"):
            self.write("k.cu", '#include "../part.h"\n' + KERNEL.replace("= 1", "= VALUE"))
            code, text = self.call(command)
            self.assertEqual(code & ~1, 0, text)  # two runs of diff may differ
            self.write("k.cu", '#include "../secret.h"\n' + KERNEL)
            for spelt in ("--confine", "--confine=strict"):
                code, text = self.call(command, spelt)
                self.assertEqual(code, 3, text)
                self.assertIn("outside", text)
                self.assertNotIn(SECRET, text)

    def test_the_other_side_of_diff(self):
        (self.top / "secret.h").write_text(f"#error {SECRET}\n")
        self.write("k.cu", KERNEL)
        self.write("other.cu", '#include "../secret.h"\n' + KERNEL)
        self.write("other.yaml", LAUNCH % ("other.cu", 64))
        self.launch("k.cu")
        for arguments in (["launch.yaml", "other.yaml", "--confine"], ["launch.yaml", "--confine", "--vs", "other.yaml"]):
            done = subprocess.run([PROGRAM, "diff", *arguments], cwd=self.folder, env=self.environment,
                                  capture_output=True, text=True, timeout=HANGS)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn("outside", done.stderr)

    def test_words(self):
        for command in self.with_option("confine"):
            if command == "dap":
                continue
            code, text = self.call(command, "--confine=lax")
            self.assertEqual(code, 2, text)
            self.assertIn("--confine: 'lax' is not 'strict'", text)


class Limits(Case):
    def clang(self, script):
        path = self.top / "clang"
        path.write_text("#!/bin/sh\n" + script)
        path.chmod(0o755)
        self.environment["WARPSTEP_CLANG"] = str(path)

    def test_compile_seconds_of_clang(self):
        """In place of clang: a script that tells what limit it has."""
        self.clang('echo "k.cu:1:1: error: may use $(ulimit -t) seconds" >&2\nexit 1\n')
        self.write("k.cu", KERNEL)
        self.launch("k.cu")
        for command in self.with_option("max-compile-seconds"):
            for options, seconds in ((["--max-compile-seconds=7"], 7), ([], 60)):
                code, text = self.call(command, *options)
                self.assertEqual(code, 3, text)
                self.assertIn(f"may use {seconds} seconds", text)

    def test_compile_seconds_of_the_command(self):
        """In place of clang: much PTX, with more than a second of work."""
        self.write("big.ptx", big_programs.PTX["live"](400000))
        self.clang(f"cat {self.folder}/big.ptx\n")
        self.write("k.cu", KERNEL)
        self.launch("k.cu")
        for command in self.with_option("max-compile-seconds"):
            code, text = self.call(command, "--max-compile-seconds=1")
            self.assertEqual(code, 3, text)
            self.assertIn("more than 1 seconds of processor time; --max-compile-seconds sets another", text)

    def endless(self):
        self.write("k.wsasm", ENDLESS)
        self.launch("k.wsasm")

    def test_cycles(self):
        self.endless()
        for command in self.with_option("max-cycles"):
            code, text = self.call(command, "--max-cycles=3000")
            self.assertIn("ended with 'limit'" if command == "advise" else
                          "the limit of 3000 cycles was reached", text)

    def test_seconds(self):
        self.endless()
        # Somebody works with `step`; there the limit is for what is recorded, before that.
        for command in self.with_option("max-seconds", but=("step",)):
            code, text = self.call(command, "--max-seconds=0.1")
            self.assertIn("the limit of 0.1 seconds of processor time (--max-seconds) was reached", text)

    def test_memory(self):
        self.write("k.wsasm", ".kernel k\n.param u64 x\n EXIT\n")
        self.launch("k.wsasm", count=4 << 20)
        self.assertEqual(self.call("run", "--max-memory=1G")[0], 0)
        for command in self.with_option("max-memory"):
            code, text = self.call(command, "--max-memory=10M")
            self.assertEqual(code, 3, text)
            self.assertIn("--max-memory", text)


if __name__ == "__main__":
    os.environ.pop("MALLOC_PERTURB_", None)  # meson's: every byte of memory would be touched
    unittest.main()
