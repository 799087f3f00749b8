"""Figures in the prose of the manual, tied to the commands they come from.

A page reads as text. Where its figures come from stands beside it: guide.figures for guide.md, of three parts.

    [runs]
    random: warpstep run with_without_divergence --sms 1
    vecadd(bytes): warpstep run vecadd --sms 1 --launch dynamic_shared_bytes={bytes}

    [figures]
    takes {random.cycles} cycles
    The second is {? 1.8 < random.cycles / sorted.cycles < 2} nearly twice as fast

    [given]
    takes 50.5 and 28.3 us <= measured on an H200

Runs and calculators are asked for JSON; of other commands, the name stands for what they print, and
"NAME: file PATH" is a file of the sources: for figures that a test of its own holds.

A line of [figures] is text of the page, with a Python expression in braces in place of each figure. It must be found
in the page exactly once, wherever lines break. The figure must be the number (or the word) that the expression gives,
rounded to the decimals shown. A statement that is not a number is an expression that must be true, {? in front of it}.
Names of JSON are attributes: random.memory.dram_read_bytes, random.stalls.wait. See FUNCTIONS for the rest.

A figure that no run gives - measured on hardware, from a paper, exact by counting - is in the paragraph, list item or
row of a table that has the text of a line of [given], or in the table whose heading has it. The text is found exactly
once; behind it stands the source. Everything else that looks like a figure (LOOSE) is an error on the pages that are
strict.
"""
import concurrent.futures
import json
import math
import os
import re
import shlex
import subprocess
import tempfile

import caches
import shared_runs
from patience import HANGS

DEFINITION = re.compile(r"(\w+)(?:\((\w+(?:, \w+)*)\))?: (.+)")
FENCE = re.compile(r"^```.*?^```$", flags=re.M | re.S)
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
GIVEN = re.compile(r"(.*\S) <= (\S.*)")
FIGURE = r"-?\d+(?:,\d{3})*(?:\.\d+)?|[a-z]\w*|\?"
CODE = re.compile(r"`[^`]*`|\]\([^)]*\)|<!--.*?-->")
SECTIONS = ("runs", "figures", "given")
# A thousands comma, a decimal, a percentage or a factor; not the version of a tool.
LOOSE = re.compile(r"(?<![\w.,])(?<!nvcc )(?<!ptxas )(?<!CUDA )(?<!capability )(?:\d{1,3}(?:,\d{3})+|\d+\.\d+|\d+(?:\.\d+)? %|\d+ times)")

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
        self.cache = tempfile.TemporaryDirectory()
        self.environment = dict(os.environ, XDG_CACHE_HOME=caches.shared_or(self.cache.name))
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
        if words[1] == "run" and "--format" not in words:
            done = shared_runs.run(os.path.join(self.path, "warpstep"), *words[2:])
            return self.figures(command, done)
        is_json = words[1] in ("occupancy", "devices") and "--format" not in words and len(words) > 2
        done = subprocess.run(
            [os.path.join(self.path, "warpstep"), *words[1:], *(["--format", "json"] if is_json else [])],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=HANGS,
            env=self.environment,
        )
        return self.figures(command, done) if is_json else done.stdout

    def figures(self, command, done):
        if not done.stdout:
            raise ValueError(f"{command}: {done.stderr}")
        return Figures(json.loads(done.stdout), exit_code=done.returncode)


class Problem(str):
    """A message; `is_near`: a figure that another compiler's program may have."""

    def __new__(cls, text, is_near=False):
        self = super().__new__(cls, text)
        self.is_near = is_near
        return self


class Sidecar:
    """The parts of a .figures file: lists of (line number, line)."""

    def __init__(self, path, text):
        self.path, self.faults = path, []
        self.parts = {name: [] for name in SECTIONS}
        part = None
        for number, line in enumerate(text.splitlines(), 1):
            heading = re.fullmatch(r"\[(\w+)\]", line)
            if not line.strip() or line.startswith("# "):
                continue
            if heading:
                part = self.parts.get(heading.group(1))
            elif part is not None:
                part.append((number, line.strip()))
            if part is None:
                self.faults.append(f"{path}:{number}: one of {', '.join(f'[{name}]' for name in SECTIONS)} is expected, not: {line}")
        self.runs, self.figures, self.given = self.parts.values()


class Place:
    """A figure or a claim of the page: an expression and where its text is."""

    def __init__(self, expression, span, is_claim):
        self.expression, self.span, self.is_claim = expression, span, is_claim


def pattern_of(line):
    """(regular expression, expressions, which are claims) of a line with expressions in braces; ValueError if it has none."""
    parts, expressions, claims, at = [], [], [], 0
    for match in re.finditer(r"\{(\??)((?:[^{}]|\{[^{}]*\})*)\}", line):
        before, after = line[at : match.start()], line[match.end() :]
        claim = match.group(1) == "?"
        parts += [spaced(before), r"()\s*" if claim else inside(before, after)]
        expressions.append(match.group(2).strip())
        claims.append(claim)
        at = match.end() + (len(after) - len(after.lstrip()) if claim else 0)
    if not expressions:
        raise ValueError("there is no {expression} in it")
    return "".join([*parts, spaced(line[at:])]), expressions, claims


def inside(before, after):
    """A figure; at an end of the line it is not part of a longer one."""
    return ("" if before else r"(?<![\w.,-])") + f"({FIGURE})" + ("" if after else r"(?![\w]|[.,]\d)")


def spaced(text):
    """Text as a pattern that does not mind where lines break."""
    return "".join(r"\s+" if piece.isspace() else re.escape(piece) for piece in re.split(r"(\s+)", text) if piece)


class Page:
    def __init__(self, path, source, sidecar, commands):
        self.path, self.source = path, source
        # What is in fenced blocks is code; the places of the rest stay the same.
        self.text = FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), self.source)
        self.commands = commands
        self.names = {}
        self.sidecar = Sidecar(path.with_suffix(".figures"), sidecar)
        self.problems = [Problem(fault) for fault in self.sidecar.faults]
        self.define()
        self.places = sorted(self.find_places(), key=lambda place: place.span)
        self.given = [match.span() for number, match in self.find_given()]

    @classmethod
    def read(cls, path, commands):
        sidecar = path.with_suffix(".figures")
        return cls(path, path.read_text(), sidecar.read_text() if sidecar.exists() else "", commands)

    def problem(self, offset, text, is_near=False):
        place = f"{self.path}:{self.text.count(chr(10), 0, offset) + 1}"
        self.problems.append(Problem(f"{place}: {text}", is_near))

    def sidecar_problem(self, number, text):
        self.problems.append(Problem(f"{self.sidecar.path}:{number}: {text}"))

    def define(self):
        for number, line in self.sidecar.runs:
            match = DEFINITION.fullmatch(line)
            if not match:
                self.sidecar_problem(number, f"'NAME: COMMAND' is expected, not: {line}")
                continue
            name, parameters, command = match.groups()
            if parameters:
                self.names[name] = Family(self.commands, command, parameters.split(", "))
            else:
                self.names[name] = Deferred(self.commands, command)

    def only_match(self, number, pattern, line):
        """Where the page has the text of a line; None, with a problem, if that is not one place."""
        found = list(re.finditer(pattern, self.text))
        if len(found) != 1:
            self.sidecar_problem(number, f"{len(found)} places of {self.path.name} have this text: {line}")
        return found[0] if len(found) == 1 else None

    def find_places(self):
        taken = {}
        for number, line in self.sidecar.figures:
            try:
                pattern, expressions, claims = pattern_of(line)
            except ValueError as error:
                self.sidecar_problem(number, f"{error}: {line}")
                continue
            match = self.only_match(number, pattern, line)
            for group, (expression, claim) in enumerate(zip(expressions, claims), 1):
                if match and not claim and match.span(group) in taken:
                    self.sidecar_problem(number, f"line {taken[match.span(group)]} has {match.group(group)} too: {line}")
                elif match:
                    if not claim:
                        taken[match.span(group)] = number
                    yield Place(expression, match.span(group), claim)

    def find_given(self):
        for number, line in self.sidecar.given:
            parts = GIVEN.fullmatch(line)
            if not parts:
                self.sidecar_problem(number, f"'TEXT <= SOURCE' is expected, not: {line}")
                continue
            match = self.only_match(number, spaced(parts.group(1)), parts.group(1))
            if match:
                yield number, match

    def value(self, expression):
        """Of an expression of the page, which is as trusted as any file of the project."""
        names = {
            name: run.result() if isinstance(run, Deferred) else run
            for name, run in self.named_in(expression).items()
        }
        return eval(expression, {"__builtins__": {}}, {**FUNCTIONS, **names})

    def named_in(self, expression):
        return {
            name: run for name, run in self.names.items() if re.search(rf"\b{name}\b", expression)
        }

    def start(self):
        """Begins all runs that the page needs."""
        for place in self.places:
            for name, run in self.named_in(place.expression).items():
                if isinstance(run, Deferred):
                    run.start()
                    continue
                for values in re.findall(rf"\b{name}\(([^()]*)\)", place.expression):
                    values = [value.strip(" '") for value in values.split(",")]
                    self.commands.start(run.command_of(values))

    def check(self):
        for place in self.places:
            value, text = self.value_or_problem(place), self.text[slice(*place.span)]
            if value is None:
                continue
            if place.is_claim and value is not True:
                self.problem(place.span[0], f"this no longer holds: {place.expression} ({self.sides(place.expression)})")
            elif not place.is_claim and not agrees(text, value):
                self.problem(place.span[0], f"{place.expression} is {shown(value, text)}, not {text}", is_near(text, value))

    def value_or_problem(self, place):
        try:
            return self.value(place.expression)
        except Exception as error:  # anything may be written there
            self.problem(place.span[0], f"{place.expression}: {error}")
            return None

    def sides(self, expression):
        """The sides of a comparison."""
        try:
            values = [self.value(side.strip()) for side in re.split(r"<=|>=|==|!=|<|>", expression)]
        except SyntaxError:
            return "see the runs"
        return ", ".join(f"{value:.4g}" if isinstance(value, float) else str(value) for value in values)

    def updated(self):
        """The text of the page with the figures as they are."""
        source = self.source
        for place in reversed(self.places):
            text = self.text[slice(*place.span)]
            value = None if place.is_claim else self.value_or_problem(place)
            if value is not None and not agrees(text, value):
                source = source[: place.span[0]] + shown(value, text) + source[place.span[1] :]
        return source

    def loose(self):
        """Figures that are neither tied nor given: (line number, text)."""
        text = self.text
        for start, end in (place.span for place in self.places):
            text = text[:start] + " " * (end - start) + text[end:]
        given_table = False
        for first, start, block in blocks(text):
            is_given = any(start <= at < start + len(block) for at, _ in self.given)
            given_table = block.startswith("|") and (given_table or (is_given and is_heading(text, start, block)))
            is_code = re.match(r" {4}", block) and not re.match(r"\s*(?:[-*] |\d+\. )", block)
            if is_given or given_table or is_code:
                continue
            rest = CODE.sub("", block)
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
    """(line number, offset, text) of paragraphs, list items and rows of tables."""
    first, start, at, lines = 1, 0, 0, []
    for number, line in enumerate([*text.splitlines(), ""], 1):
        begins = not line.strip() or re.match(r"\s*(?:[-*] |\d+\. |\||#)", line)
        if begins and lines:
            yield first, start, "\n".join(lines)
            lines = []
        if line.strip():
            if not lines:
                first, start = number, at
            lines.append(line)
        at += len(line) + 1


def is_heading(text, start, row):
    """Whether the row of a table is the one above its rule."""
    return re.match(r"\|[\s:|-]+\|?\s*$", text[start + len(row) + 1 :].partition("\n")[0]) is not None


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
