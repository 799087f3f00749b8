"""Completion in bash, zsh and fish: test_completion.py WARPSTEP FOLDER

FOLDER holds the files that are installed: warpstep (bash), _warpstep (zsh), warpstep.fish. What is
offered is compared with what the program itself says.
"""
import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from patience import HANGS

PROGRAM, FOLDER = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
del sys.argv[1:]
BASH, ZSH, FISH = (os.path.join(FOLDER, name) for name in ("warpstep", "_warpstep", "warpstep.fish"))

# As readline does it: the words cut at = (COMP_WORDBREAKS), the last of which is replaced.
ASK_BASH = """
. "$1"
COMP_LINE=$2 COMP_POINT=${#2}
IFS=$' \\t\\n' read -ra COMP_WORDS <<<"${2//=/ = }"
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_warpstep
printf '%s\\n' "${COMPREPLY[@]}"
"""


def output(*arguments):
    return subprocess.run([PROGRAM, *arguments], check=True, capture_output=True, text=True).stdout


def commands():
    text = output("--help")
    return re.findall(r"^  (\w+) ", text[text.index("Commands:") :], flags=re.M)


def options_of(command):
    """Every spelling of --help: ["--device", "-d", ...]"""
    found = []
    for line in output(command, "--help").splitlines():
        match = re.match(r"  (?:(-\w), )?(--[\w-]+)", line)
        if match:
            found += [name for name in match.groups() if name]
    return found


def workloads():
    return [line.split()[0] for line in output("run", "--list").splitlines()]


def devices():
    rows = output("devices").split("\n\n")[0].splitlines()[1:]
    return [row.split()[0] for row in rows]


def settings():
    return list(json.loads(output("devices", "h200", "--format", "json")))


class Folder(unittest.TestCase):
    """Runs in a folder with a few files."""

    FILES = ["one.yaml", "kernel.cu", "k.ptx", "by_hand.wsasm", "b.wsbin", "plot.svg", "notes.txt"]

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        for name in self.FILES:
            open(os.path.join(self.folder, name), "w").close()
        os.mkdir(os.path.join(self.folder, "below"))

    def typed(self, shell, prepare, pieces):
        """Types each piece in an interactive shell and waits until the text behind it is shown."""
        process, terminal = pty.fork()
        if process == 0:
            os.chdir(self.folder)
            here = dict.fromkeys(["HOME", "ZDOTDIR"], self.folder)
            os.execvpe(shell[0], shell, dict(os.environ, TERM="dumb", INPUTRC="/dev/null", **here))
        try:
            os.write(terminal, (prepare + "; echo rea''dy\n").encode())
            shown_until(terminal, "ready\n")
            for piece, wanted in pieces:
                os.write(terminal, piece.encode())
                if wanted:
                    shown = shown_until(terminal, wanted)
                    self.assertIn(wanted, shown, f"after {piece!r}")
        finally:
            os.write(terminal, b"\x03")
            os.close(terminal)
            os.kill(process, signal.SIGHUP)
            os.waitpid(process, 0)


def shown_until(terminal, wanted):
    """Reads until `wanted` is shown, for HANGS seconds at most. Without what moves the cursor."""
    shown, end = "", time.monotonic() + HANGS
    while wanted not in shown and select.select([terminal], [], [], max(0, end - time.monotonic()))[0]:
        more = os.read(terminal, 65536).decode(errors="replace")
        shown = re.sub(r"\x1b\[[\d;?]*\w|[\x07\x08\r]", "", shown + more.replace(" \x08", ""))
    return shown


class Bash(Folder):
    def ask(self, line):
        done = subprocess.run(
            ["bash", "--norc", "-c", ASK_BASH, "ask", BASH, line],
            cwd=self.folder, capture_output=True, text=True, check=True,
        )
        self.assertEqual(done.stderr, "")
        return sorted(word for word in done.stdout.splitlines() if word)

    def test_commands(self):
        self.assertEqual(self.ask("warpstep "), sorted([*commands(), "--help", "--version"]))
        self.assertEqual(self.ask("warpstep occ"), ["occupancy"])

    def test_options_are_those_of_help(self):
        for command in commands():
            with self.subTest(command=command):
                offered = [word for word in self.ask(f"warpstep {command} -") if word != "-h"]
                wanted = [word for word in options_of(command) if word != "-h"]
                self.assertEqual(sorted(offered), sorted(wanted))

    def test_targets(self):
        offered = self.ask("warpstep run ")
        self.assertEqual(set(offered), {*workloads(), "one.yaml", "below", "kernel.cu"})
        offered = self.ask("warpstep check ")
        programs = {"kernel.cu", "k.ptx", "by_hand.wsasm", "b.wsbin"}
        self.assertEqual(set(offered), {*workloads(), "one.yaml", "below", *programs})
        self.assertEqual(set(self.ask("warpstep occupancy --kernel ")), set(offered))
        self.assertIn("matmul/naive.yaml", self.ask("warpstep run --sms 1 matm"))

    def test_devices(self):
        self.assertEqual(set(self.ask("warpstep run --device ")), {*devices(), "one.yaml", "below"})
        self.assertEqual(set(self.ask("warpstep devices ")), {*devices(), "one.yaml", "below"})
        self.assertEqual(self.ask("warpstep run -d h1"), ["h100"])
        self.assertEqual(self.ask("warpstep run vecadd --device=h1"), ["h100"])

    def test_policies_are_those_that_run_takes(self):
        offered = self.ask("warpstep run vecadd --policy ")
        refused = subprocess.run(
            [PROGRAM, "run", "vecadd", "--policy", "none"], capture_output=True, text=True
        ).stderr
        self.assertGreater(len(offered), 5)
        for policy in offered:
            self.assertIn(policy, refused)
        self.assertEqual(self.ask("warpstep run --policy two"), ["two-level"])

    def test_settings(self):
        self.assertEqual(self.ask("warpstep run --set "), sorted(f"{path}=" for path in settings()))
        self.assertEqual(self.ask("warpstep run --set memory.dram.lat"), ["memory.dram.latency="])
        self.assertEqual(self.ask("warpstep run --set policy=two"), ["two-level"])
        self.assertEqual(self.ask("warpstep run --set=policy=two"), ["two-level"])
        self.assertEqual(self.ask("warpstep run --set divergence.model="), ["its", "none", "stack"])
        self.assertEqual(self.ask("warpstep run --set sms="), [])

    def test_values(self):
        self.assertEqual(self.ask("warpstep run --format "), ["json", "text"])
        self.assertEqual(self.ask("warpstep run --color="), ["always", "auto", "never"])
        self.assertEqual(self.ask("warpstep check -I "), ["below"])
        self.assertEqual(self.ask("warpstep occupancy --plot "), ["below", "plot.svg"])
        self.assertEqual(self.ask("warpstep asm vecadd -o "), ["b.wsbin", "below"])
        self.assertEqual(set(self.ask("warpstep run --output ")), {*self.FILES, "below"})
        self.assertEqual(self.ask("warpstep run --sms "), [])

    def test_readline_takes_it(self):
        self.typed(
            ["bash", "--norc", "--noprofile", "-i"],
            f". '{BASH}'",
            [
                ("warpstep run veca", None),
                (" --dev\t", "--device "),
                ("h10\t", "h100 "),
                ("--set policy=two\t", "policy=two-level "),
                ("--color=nev\t", "--color=never "),
            ],
        )


@unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
class Zsh(Folder):
    def test_parses(self):
        subprocess.run(["zsh", "-n", ZSH], check=True)

    def test_completes(self):
        self.typed(
            ["zsh", "-f", "-i"],
            f"fpath=('{FOLDER}' $fpath); autoload -U compinit; compinit -D -u; unsetopt zle_bracketed_paste",
            [
                ("warpstep ru\t", "run "),
                ("one\t", "one.yaml "),
                ("--dev\t", "--device="),
                ("h10\t", "h100 "),
                ("--set policy=two\t", "policy=two-level "),
                ("--set memory.dram.late\t", "memory.dram.latency="),
                ("200 --form\t", "--format="),
                ("j\t", "json "),
            ],
        )


@unittest.skipUnless(shutil.which("fish"), "fish is not installed")
class Fish(Folder):
    def ask(self, line):
        done = subprocess.run(
            ["fish", "--no-config", "-c", f"source '{FISH}'; complete -C '{line}'"],
            cwd=self.folder, capture_output=True, text=True, env=dict(os.environ, HOME=self.folder),
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return {line.split("\t")[0] for line in done.stdout.splitlines()}

    def test_parses(self):
        subprocess.run(["fish", "-n", FISH], check=True)

    def test_commands(self):
        self.assertEqual(self.ask("warpstep "), set(commands()))

    def test_options_are_those_of_help(self):
        for command in commands():
            with self.subTest(command=command):
                wanted = {word for word in options_of(command) if word.startswith("--")}
                self.assertEqual(self.ask(f"warpstep {command} --"), wanted)

    def test_values(self):
        self.assertEqual(self.ask("warpstep run --policy two"), {"two-level"})
        self.assertEqual(self.ask("warpstep run --device h1"), {"h100"})
        self.assertEqual(self.ask("warpstep run --set policy=two"), {"policy=two-level"})
        self.assertEqual(self.ask("warpstep run --set memory.dram.lat"), {"memory.dram.latency="})
        self.assertEqual(self.ask("warpstep run on"), {"one.yaml"})
        self.assertLessEqual({"kernel.cu", "k.ptx"}, self.ask("warpstep check k"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
