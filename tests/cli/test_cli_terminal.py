"""Colour and width on a terminal, by a pseudo terminal: test_cli_terminal.py WARPSTEP"""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import unittest

from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
ESCAPE = b"\033["


def environment(**changes):
    """The environment with a colour terminal and `changes`; None takes a variable out."""
    names = dict(os.environ, TERM="xterm", NO_COLOR=None, COLUMNS=None, **{})
    names.update(changes)
    return {name: value for name, value in names.items() if value is not None}


def read_all(descriptor):
    """What a terminal shows until its last writer is gone (Linux then says EIO)."""
    read = b""
    try:
        while chunk := os.read(descriptor, 65536):
            read += chunk
    except OSError:
        pass
    os.close(descriptor)
    return read.replace(b"\r\n", b"\n")


def on_terminal(arguments, stream, columns=100, cwd=None, **changes):
    """Runs with `stream` ("stdout" or "stderr") on a terminal: (its bytes, the other stream's)."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    with tempfile.TemporaryFile() as other:
        streams = {"stdout": other, "stderr": other, stream: slave}
        process = subprocess.Popen(
            [PROGRAM, *arguments], stdin=subprocess.DEVNULL, env=environment(**changes), cwd=cwd, **streams
        )
        os.close(slave)
        shown = read_all(master)
        process.wait(timeout=HANGS)
        other.seek(0)
        return shown, other.read()


class Messages(unittest.TestCase):
    """`error:` is coloured where stderr is a terminal."""

    WRONG = ["run", "no_such_target"]

    def test_error_is_coloured_on_a_terminal(self):
        shown, other = on_terminal(self.WRONG, "stderr")
        self.assertIn(b"\033[1;31merror:\033[0m", shown)
        self.assertEqual(other, b"")

    def test_the_word_alone_is_coloured(self):
        shown, _ = on_terminal(self.WRONG, "stderr")
        plain, _ = on_terminal(self.WRONG, "stderr", NO_COLOR="1")
        self.assertEqual(shown.count(ESCAPE), 2)
        self.assertEqual(shown.replace(b"\033[1;31m", b"").replace(b"\033[0m", b""), plain)

    def test_no_colour_without_a_terminal(self):
        # stdout is the terminal here
        _, other = on_terminal(self.WRONG, "stdout")
        self.assertIn(b"error:", other)
        self.assertNotIn(ESCAPE, other)

    def test_no_color(self):
        for changes, coloured in [
            ({"NO_COLOR": "1"}, False),
            ({"NO_COLOR": "0"}, False),  # any value that is not empty
            ({"NO_COLOR": ""}, True),
            ({"TERM": "dumb"}, False),
            ({"TERM": None}, False),
            ({"TERM": "xterm-256color"}, True),
        ]:
            with self.subTest(changes=changes):
                shown, _ = on_terminal(self.WRONG, "stderr", **changes)
                self.assertEqual(ESCAPE in shown, coloured)

    def test_option_decides_alone(self):
        shown, _ = on_terminal([*self.WRONG, "--color=never"], "stderr")
        self.assertNotIn(ESCAPE, shown)
        _, other = on_terminal([*self.WRONG, "--color=always"], "stdout", NO_COLOR="1", TERM="dumb")
        self.assertIn(ESCAPE, other)
        _, other = on_terminal([*self.WRONG, "--color", "auto"], "stdout")
        self.assertNotIn(ESCAPE, other)

    def test_wrong_word(self):
        done = subprocess.run(
            [PROGRAM, "run", "vecadd", "--color=blue"], capture_output=True, text=True
        )
        self.assertEqual(done.returncode, 2)
        self.assertIn("error: --color: 'blue' is not one of auto, always, never", done.stderr)


def plain(shown):
    return re.sub(rb"\033\[[\d;]*m", b"", shown)


class Report(unittest.TestCase):
    """The report is coloured where stdout is a terminal."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_what_is_coloured(self):
        shown, _ = on_terminal(["run", "vecadd", "--sms", "1"], "stdout")
        for heading in (b"vecadd on NVIDIA H200", b"Figures", b"Memory", b"Checks", b"Source lines by time"):
            self.assertRegex(shown, rb"(?m)^\033\[1m" + re.escape(heading) + rb".*\033\[0m$")
        self.assertIn(b"\033[1mIn short\033[0m:", shown)
        self.assertRegex(shown, rb"(?m)^  \033\[32mpassed\033\[0m  c: 10,000 elements")
        # One line has nearly all of the time; the share of a line with little is not coloured.
        self.assertRegex(shown, rb"(?m)^  kernel\.cu:\d+ +\033\[31m[4-9]\d\.\d %\033\[0m")
        self.assertRegex(shown, rb"(?m)^  kernel\.cu:\d+ +\d\.\d % ")

    def test_colour_changes_no_letter(self):
        for arguments in (["run", "vecadd", "--sms", "1"], ["occupancy", "--kernel", "matmul", "--explain"]):
            shown, _ = on_terminal(arguments, "stdout")
            without, _ = on_terminal(arguments, "stdout", NO_COLOR="1")
            self.assertIn(ESCAPE, shown)
            self.assertNotIn(ESCAPE, without)
            self.assertEqual(plain(shown), without)

    def test_failed(self):
        shown, _ = on_terminal(["run", "vecadd", "--launch", "grid=20"], "stdout")
        self.assertRegex(shown, rb"(?m)^  \033\[31mFAILED\033\[0m  c: ")
        self.assertRegex(shown, rb"(?m)^\033\[31mstatus: check_failed\033\[0m$")

    def test_no_colour_where_it_does_not_belong(self):
        for arguments in (
            ["run", "vecadd", "--format", "json"],
            ["run", "vecadd", "--output", "report.txt", "--color=always"],
            ["run", "vecadd", "--format", "json", "--color=always"],
            ["occupancy", "--block", "256", "--regs", "32", "--format", "json"],
            ["occupancy", "--block", "256", "--regs", "32", "--format", "csv", "--curves"],
            ["devices", "h200"],
        ):
            shown, _ = on_terminal(arguments, "stdout", cwd=self.folder)
            self.assertNotIn(ESCAPE, shown, arguments)
        with open(os.path.join(self.folder, "report.txt"), "rb") as report:
            self.assertNotIn(ESCAPE, report.read())

    def test_a_pipe_has_no_colour(self):
        piped = subprocess.run([PROGRAM, "run", "vecadd"], capture_output=True, env=environment()).stdout
        self.assertIn(b"passed", piped)
        self.assertNotIn(ESCAPE, piped)
        always = subprocess.run([PROGRAM, "run", "vecadd", "--color=always"], capture_output=True).stdout
        self.assertEqual(plain(always), piped)
        self.assertIn(ESCAPE, always)


if __name__ == "__main__":
    unittest.main(verbosity=2)
