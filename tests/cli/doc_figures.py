"""Figures in the prose of the manual, tied to the commands they come from.

A page names its runs in a comment whose first line is "<!-- runs" (a block of its own, so that it is
not rendered):

    <!-- runs
    random: warpstep run with_without_divergence --sms 1
    vecadd(bytes): warpstep run vecadd --sms 1 --launch dynamic_shared_bytes={bytes}
    -->

Runs and calculators are asked for JSON; of other commands, the name stands for what they print, and
"NAME: file PATH" is a file of the sources: for figures that a test of its own holds. A
figure stands between two comments, of which the first holds a Python expression:

    takes <!--=random.cycles-->151,248<!--/--> cycles

It must be the number that the expression gives, rounded to the decimals shown. A statement that is
not a number is an expression that must be true, in front of it:

    The second is <!--? 1.8 < random.cycles / sorted.cycles < 2 -->nearly twice as fast.

Names of JSON are attributes: random.memory.dram_read_bytes, random.stalls.wait. See FUNCTIONS for the
rest. A figure that no run gives - measured on hardware, from a paper, exact by counting - says so in
the same paragraph, list item or row, at its end, or on a line of its own in front of a table:
"<!-- given: measured on an H200 -->".
Everything else that looks like a figure (LOOSE) is an error on the pages that are strict.
"""
import concurrent.futures
import json
import math
import os
import re
import shlex
import subprocess
import tempfile

from patience import HANGS

FIGURE = re.compile(r"<!--=(.*?)-->(.*?)<!--/-->")
CLAIM = re.compile(r"<!--\?(.*?)-->")
RUNS = re.compile(r"^<!-- runs\n(.*?)^-->$", flags=re.M | re.S)
DEFINITION = re.compile(r"(\w+)(?:\((\w+(?:, \w+)*)\))?: (.+)")
FENCE = re.compile(r"^```.*?^```$", flags=re.M | re.S)
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
GIVEN = re.compile(r"<!-- given: \S.*?-->")
CODE = re.compile(r"`[^`]*`|\]\([^)]*\)|<!--.*?-->")
# A thousands comma, a decimal, a percentage or a factor; not the version of a tool.
LOOSE = re.compile(r"(?<![\w.,])(?<!nvcc )(?<!ptxas )(?<!CUDA )(?<!capability )(?:\d{1,3}(?:,\d{3})+|\d+\.\d+|\d+(?:\.\d+)? %|\d+ times)")
# What is not rendered as meant.
FORMS = [
    (r"^\s*(?:[-*] |\d+\. )?<!--[=?]", "a line must not begin with a figure: it would be HTML"),
    (r"^\s*(?:[-*] |\d+\. )?<!-- given:[^>]*-->[ \t]*\S", "'given' stands at the end or on its own line"),
    (r"<!--[=?](?:(?!-->).)*?(?:--(?!>)|\|)", "'--' and '|' cannot stand in a figure; name a run"),
]


class Figures(dict):
    """A JSON object whose names are attributes."""

    def __getattr__(self, name):
        if name not in self:
            raise AttributeError(f"there is no {name}; there are: {', '.join(self)}")
        return wrapped(self[name])


def wrapped(value):
    if isinstance(value, dict):
        return Figures(value)
    return [wrapped(item) for item in value] if isinstance(value, list) else value


def stall(run, *reasons):
    """Per cent of the warps' time that these reasons took."""
    return 100 * sum(run.stalls[reason] for reason in reasons) / run.warp_cycles


def main_stall(run):
    """The reason that warps waited for most."""
    return max((reason for reason in run.stalls if reason != "selected"), key=lambda reason: run.stalls[reason])


def count(text, pattern):
    """How many places of a printed text match."""
    return len(re.findall(pattern, text, flags=re.M))


def find(text, pattern):
    """The number in the first group of the first match."""
    return float(re.search(pattern, text, flags=re.M).group(1).replace(",", ""))


def find_last(text, pattern):
    """The same of the last match."""
    return float(list(re.finditer(pattern, text, flags=re.M))[-1].group(1).replace(",", ""))


FUNCTIONS = {
    function.__name__: function
    for function in (stall, main_stall, count, find, find_last, round, min, max, abs, sum, all, any, len)
}


class Commands:
    """Runs commands, each once, several at a time."""

    def __init__(self, program, root):
        self.root = root
        self.path = os.path.dirname(os.path.abspath(program))
        self.done = {}
        self.cache = tempfile.TemporaryDirectory()  # each program is compiled once
        self.environment = dict(os.environ, XDG_CACHE_HOME=self.cache.name)
        self.environment.pop("WARPSTEP_CACHE", None)
        self.pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())

    def start(self, command):
        if command not in self.done:
            self.done[command] = self.pool.submit(self.run, command)
        return self.done[command]

    def run(self, command):
        words = shlex.split(command)
        if words[0] == "file":
            return (self.root / words[1]).read_text()
        if words[0] != "warpstep":
            raise ValueError(f"not a command of warpstep: {command}")
        is_json = words[1] in ("run", "occupancy", "devices") and "--format" not in words and len(words) > 2
        done = subprocess.run(
            [os.path.join(self.path, "warpstep"), *words[1:], *(["--format", "json"] if is_json else [])],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=HANGS,
            env=self.environment,
        )
        if not is_json:
            return done.stdout
        if not done.stdout:
            raise ValueError(f"{command}: {done.stderr}")
        return Figures(json.loads(done.stdout), exit_code=done.returncode)


class Problem(str):
    """A message; `is_near`: a figure that another compiler's program may have."""


class Page:
    def __init__(self, path, commands):
        self.path = path
        self.source = path.read_text()
        # What is in fenced blocks is code; the places of the rest stay the same.
        self.text = FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), self.source)
        self.commands = commands
        self.names = {}
        self.problems = []
        self.define()

    def problem(self, offset, text, is_near=False):
        place = f"{self.path}:{self.text.count(chr(10), 0, offset) + 1}"
        self.problems.append(Problem(f"{place}: {text}"))
        self.problems[-1].is_near = is_near

    def define(self):
        for block in RUNS.finditer(self.text):
            for line in block.group(1).splitlines():
                match = DEFINITION.fullmatch(line)
                if not match:
                    self.problem(block.start(), f"'NAME: COMMAND' is expected, not: {line}")
                    continue
                name, parameters, command = match.groups()
                if parameters:
                    self.names[name] = Family(self.commands, command, parameters.split(", "))
                else:
                    self.names[name] = Deferred(self.commands, command)

    def value(self, expression):
        """Of an expression of the page, which is as trusted as any file of the project."""
        names = {
            name: run.result() if isinstance(run, Deferred) else run
            for name, run in self.named_in(expression).items()
        }
        return eval(expression.strip(), {"__builtins__": {}}, {**FUNCTIONS, **names})

    def named_in(self, expression):
        return {
            name: run for name, run in self.names.items() if re.search(rf"\b{name}\b", expression)
        }

    def start(self):
        """Begins all runs that the page needs."""
        for match in [*FIGURE.finditer(self.text), *CLAIM.finditer(self.text)]:
            for name, run in self.named_in(match.group(1)).items():
                if isinstance(run, Deferred):
                    run.start()
                    continue
                for values in re.findall(rf"\b{name}\(([^()]*)\)", match.group(1)):
                    values = [value.strip(" '") for value in values.split(",")]
                    self.commands.start(run.command_of(values))

    def check(self):
        for match in FIGURE.finditer(self.text):
            expression, text = match.groups()
            value = self.value_or_problem(match)
            if value is not None and not agrees(text, value):
                self.problem(match.start(), f"{expression} is {shown(value, text)}, not {text}", is_near(text, value))
        for match in CLAIM.finditer(self.text):
            value = self.value_or_problem(match)
            if value is not None and value is not True:
                expression = match.group(1).strip()
                self.problem(match.start(), f"this no longer holds: {expression} ({self.sides(expression)})")
        for pattern, text in FORMS:
            for match in re.finditer(pattern, self.text, flags=re.M):
                self.problem(match.start(), text)

    def value_or_problem(self, match):
        try:
            return self.value(match.group(1))
        except Exception as error:  # anything may be written there
            self.problem(match.start(), f"{match.group(1).strip()}: {error}")
            return None

    def sides(self, expression):
        """The sides of a comparison."""
        try:
            values = [self.value(side) for side in re.split(r"<=|>=|==|!=|<|>", expression)]
        except SyntaxError:
            return "see the runs"
        return ", ".join(f"{value:.4g}" if isinstance(value, float) else str(value) for value in values)

    def updated(self):
        """The text of the page with the figures as they are."""
        source = self.source
        for match in reversed(list(FIGURE.finditer(self.text))):
            expression, text = match.groups()
            value = self.value_or_problem(match)
            if value is not None and not agrees(text, value):
                source = source[: match.start(2)] + shown(value, text) + source[match.end(2) :]
        return source

    def loose(self):
        """Figures that are neither tied nor given: (line number, text)."""
        text = RUNS.sub(lambda match: "\n" * match.group().count("\n"), self.text)
        given_table = False
        for first, block in blocks(text):
            is_table = block.startswith("|")
            given_table = bool(GIVEN.fullmatch(block.strip())) or (given_table and is_table)
            is_code = re.match(r" {4}", block) and not re.match(r"\s*(?:[-*] |\d+\. )", block)
            if GIVEN.search(block) or given_table or is_code:
                continue
            rest = CODE.sub("", FIGURE.sub("", block))
            for match in LOOSE.finditer(rest):
                yield first + rest.count("\n", 0, match.start()), match.group()


class Deferred:
    """A command that runs when its figures are wanted."""

    def __init__(self, commands, command):
        self.commands, self.command = commands, command

    def start(self):
        return self.commands.start(self.command)

    def result(self):
        return self.start().result()


class Family:
    """A command with parameters: called, it gives the run with these values."""

    def __init__(self, commands, command, parameters):
        self.commands, self.command, self.parameters = commands, command, parameters

    def command_of(self, values):
        return self.command.format(**dict(zip(self.parameters, values, strict=True)))

    def __call__(self, *values):
        return self.commands.start(self.command_of(values)).result()


def blocks(text):
    """(line number, text) of paragraphs, list items and rows of tables."""
    first, lines = 1, []
    for number, line in enumerate([*text.splitlines(), ""], 1):
        begins = not line.strip() or re.match(r"\s*(?:[-*] |\d+\. |\||#|<!-- given)", line)
        if begins and lines:
            yield first, "\n".join(lines)
            lines = []
        if line.strip():
            if not lines:
                first = number
            lines.append(line)


def is_near(text, value):
    """The number differs by a fifth at most: cycles of the same kernel from clang 14 and 19 do by 17 %."""
    shown_number = NUMBER.search(text)
    if isinstance(value, str) or isinstance(value, bool) or not shown_number:
        return False
    return math.isclose(float(shown_number.group().replace(",", "")), value, rel_tol=0.2)


def agrees(text, value):
    if isinstance(value, str):
        return text == value
    if not NUMBER.fullmatch(text):
        return False
    digits = text.replace(",", "")
    decimals = len(digits.partition(".")[2])
    return math.isclose(float(digits), value, rel_tol=0, abs_tol=0.5 * 10**-decimals + 1e-9)


def shown(value, before):
    """The value with as many decimals as `before`, with commas where it has them or is long."""
    if isinstance(value, str):
        return value
    match = NUMBER.fullmatch(before)
    if not match:
        before, decimals = "0,0", 1 if isinstance(value, float) and value != round(value) else 0
    else:
        decimals = len(before.partition(".")[2])
    grouping = "," if "," in before or abs(value) >= 10000 else ""
    return f"{value:{grouping}.{decimals}f}"
