"""A program on a terminal of a size, by tmux: what it shows, and keys that are typed to it."""
import os
import re
import shutil
import subprocess
import time

from patience import HANGS

COLOUR = re.compile(r"\033\[(?:[\d;]*;)?[34][0-7][;m]")  # not 39 and 49, the terminal's own


def missing():
    """Why there is no terminal to be had, or None."""
    return None if shutil.which("tmux") else "tmux is not installed"


def sleeps(status):
    """How often the process has gone to sleep, or None while it runs."""
    with open(status, encoding="ascii") as file:
        lines = dict(line.split(":", 1) for line in file)
    return lines["voluntary_ctxt_switches"] if "S" in lines["State"].split()[0] else None


class Terminal:
    """`command` (a list) on a terminal; what follows its end is shown as `left with CODE`."""

    count = 0

    def __init__(self, command, columns=80, rows=24, term="screen", cwd=None, **changes):
        Terminal.count += 1
        self.server = f"warpstep{os.getpid()}x{Terminal.count}"
        names = dict(os.environ, LC_ALL="C.UTF-8", NO_COLOR=None, TMUX=None)
        names.update(changes)
        self.environment = {name: value for name, value in names.items() if value is not None}
        words = " ".join("'" + word.replace("'", "'\\''") + "'" for word in command)
        modes = 'echo modes "$(stty -g)"'
        script = f"trap : INT; {modes}; TERM={term} {words}; echo left with $?; {modes}; echo ended; exec sleep 1000"
        self._tmux("new-session", "-d", "-x", str(columns), "-y", str(rows), "-c", cwd or ".",
                   "sh", "-c", script)

    def _tmux(self, *arguments):
        return subprocess.run(["tmux", "-u", "-L", self.server, "-f", "/dev/null", *arguments],
                              env=self.environment, capture_output=True, text=True, check=True,
                              timeout=HANGS).stdout

    def close(self):
        self._tmux("kill-server")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def shown(self, attributes=False):
        options = ["-e"] if attributes else []
        return self._tmux("capture-pane", "-p", *options).rstrip("\n")

    def press(self, *keys):
        for key in keys:
            self._tmux("send-keys", key)

    def write(self, text):
        self._tmux("send-keys", "-l", text)

    def resize(self, columns, rows):
        self._tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def state(self, name):
        return self._tmux("display-message", "-p", f"#{{{name}}}").strip()

    def wait(self, *texts, without=()):
        """Waits until all of `texts` are shown and none of `without`; returns what is shown."""
        end = time.monotonic() + HANGS
        while True:
            shown = self.shown()
            if all(text in shown for text in texts) and not any(text in shown for text in without):
                return shown
            if time.monotonic() > end:
                raise AssertionError(f"not {texts} without {without} in\n{shown}")
            time.sleep(0.05)

    def still(self, *texts, without=()):
        """As `wait`, but a whole picture: the program slept through two looks at it, so that all it wrote is shown."""
        self.wait(*texts, without=without)  # before it, a child of the shell may be another one
        status = f"/proc/{self.process()}/status"
        end = time.monotonic() + HANGS
        while time.monotonic() < end:
            shown = self.wait(*texts, without=without)
            slept = sleeps(status)
            if slept and self.shown() == self.shown() == shown and sleeps(status) == slept:
                return shown
        raise AssertionError("the picture does not rest")

    def wait_for_work(self, ticks=20):
        """Waits until the program has computed for so many ticks (1/100 s) from here on."""
        process = self.process()
        end = time.monotonic() + HANGS
        before = None
        while time.monotonic() < end:
            with open(f"/proc/{process}/stat", encoding="ascii") as stat:
                used = int(stat.read().rsplit(") ", 1)[1].split()[11])
            before = used if before is None else before
            if used >= before + ticks:
                return
            time.sleep(0.02)
        raise AssertionError("the program does not work")

    def process(self):
        """The number of the program's process."""
        shell = self.state("pane_pid")
        end = time.monotonic() + HANGS
        while time.monotonic() < end:
            children = subprocess.run(["ps", "-o", "pid=", "--ppid", shell], capture_output=True,
                                      text=True, check=False).stdout.split()
            if children:
                return int(children[0])
            time.sleep(0.05)
        raise AssertionError("the program has not begun")
