"""Runs the commands of the manual: test_docs.py WARPSTEP SOURCE_ROOT [--update]

Every fenced block marked `console` of README.md and below docs is run in order, each file in a fresh
copy of the sources' texts. A line "$ command" is a command; "# exit code N" behind it says how it
ends (0 if not said). Lines that follow must be its output; a line "..." stands for any lines. Without
output lines the output is not looked at. A block with a file name behind its language (```yaml x.yaml)
is written to that file, for the commands that follow. Commands in tables, `warpstep ...` in a cell,
must succeed. Links must lead to a file. Of pages in docs/zh only the links are looked at: their commands are those of the
English pages (tests/cli/test_translations.py). --update writes the output anew where it is another. With another clang than
the one that the pages are of, exit codes must be the same, and outputs that differ are named.
"""
import concurrent.futures
import difflib
import itertools
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import caches
import clangs
import shared_runs
from patience import HANGS

FENCE = re.compile(r"^```(\w*)(?: ([\w.-]+))?\s*$")
CELL = re.compile(r"`(warpstep \w+ [^`]+)`")
LINK = re.compile(r"\]\(([^)#:]+)(#[^)]*)?\)")
CLANG = re.compile(r"\b(clang +)\d+\.\d+\.\d+")
PAGES_CLANG = "14.0.6"  # stands in the pages, whichever compiles here
EXIT_CODE = re.compile(r"\s+# exit code (\d+)$")


def blocks_of(text):
    """Yields (line number of the first line, language, file name or None, lines)."""
    block = None
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if fence and block is None:
            block = (number + 1, fence.group(1), fence.group(2), [])
        elif fence:
            yield block
            block = None
        elif block:
            block[3].append(line)


def commands_in_tables(text):
    """Yields (line number, command), each command once; not those with words in capitals."""
    seen = set()
    for number, line in enumerate(text.splitlines(), 1):
        for command in CELL.findall(line) if line.startswith("|") else []:
            if command not in seen and not re.search(r"\b[A-Z]{4,}\b", command):
                seen.add(command)
                yield number, command


def commands_of(first, lines):
    """Yields (line number, command, exit code, expected output lines)."""
    current = None
    for number, line in enumerate(lines, first):
        if line.startswith("$ "):
            if current:
                yield current
            command, code = line[2:], 0
            match = EXIT_CODE.search(command)
            if match:
                command, code = command[: match.start()], int(match.group(1))
            current = (number, command, code, [])
        elif current:
            current[3].append(line)
    if current:
        yield current


def output_agrees(expected, actual):
    """Whether the lines agree, "..." in `expected` standing for any number of lines."""
    at, group, after_gap, has_gap = 0, [], False, False
    for is_gap, lines in itertools.groupby(expected, key=lambda line: line == "..."):
        if is_gap:
            after_gap = has_gap = True
            continue
        group = list(lines)
        # The first place is the best: it leaves the most for the groups that follow.
        places = range(at, len(actual) - len(group) + 1 if after_gap else at + 1)
        place = next((place for place in places if actual[place : place + len(group)] == group), None)
        if place is None:
            return False
        at, after_gap = place + len(group), False
    if not expected or after_gap or at == len(actual):
        return True
    return has_gap and actual[len(actual) - len(group) :] == group


def refilled(expected, actual):
    """The actual lines, with "..." where `expected` has it: as many lines between from the same place."""
    if "..." not in expected:
        return actual
    lines, at = [], 0
    for is_gap, group in itertools.groupby(expected, key=lambda line: line == "..."):
        group = list(group)
        start = None if is_gap else place_of(group, actual, at)
        if start is not None:
            lines += ["..."] if start > at and lines[-1:] != ["..."] else []
            at = min(start + len(group), len(actual))
            lines += actual[start:at]
        elif lines[-1:] != ["..."]:
            lines.append("...")
    return lines + (["..."] if at < len(actual) and lines[-1:] != ["..."] else [])


def place_of(group, actual, at):
    """Where the lines most like these begin in actual[at:], or None if none is like them."""
    for offset, line in enumerate(group):
        near = difflib.get_close_matches(line, actual[at + offset :], n=1, cutoff=0.6)
        if near:
            return actual.index(near[0], at + offset) - offset
    return None


def check_exit_code(page, number, command, code, done, said):
    """Returns the number of failures."""
    if done.returncode == code:
        return 0
    print(f"{page}:{number}: exit code {done.returncode}, not {code}: {command}")
    print(said)
    return 1


def check_commands(page, first, lines, folder, environment, edits):
    """Returns the number of failures; where output differs, adds (line, lines there, new lines)."""
    failures = 0
    for number, command, code, expected in commands_of(first, lines):
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=HANGS,
            text=True,
        )
        actual = [CLANG.sub(rf"\g<1>{PAGES_CLANG}", line.rstrip()) for line in done.stdout.splitlines()]
        if check_exit_code(page, number, command, code, done, done.stdout):
            failures += 1
        elif not output_agrees(expected, actual):
            whose = f", which is of clang {clangs.PUBLISHED}: this is {clangs.OTHER}" if clangs.OTHER else ""
            print(f"{page}:{number}: other output than the page says{whose}: {command}")
            print(done.stdout)
            edits.append((number, expected, refilled(expected, actual)))
            failures += clangs.OTHER is None
    return failures


def check_links(page):
    """Links to files of the project lead somewhere."""
    failures = 0
    for link, _ in LINK.findall(page.read_text()):
        if not (page.parent / link).exists():
            print(f"{page}: there is no {link}")
            failures += 1
    return failures


def is_left_out(page, lines, environment):
    """Whole programs: with the sanitizer in their runtime they are not confined, and do not link by the user's clang."""
    return "asan" in environment["PATH"].split(":")[0] and (
        page.name == "programs.md" or any("labs/host_code" in line for line in lines))


def check_page(page, program, folder, environment, update):
    failures = 0
    edits = []
    for first, language, name, lines in blocks_of(page.read_text()):
        if name:
            pathlib.Path(folder, name).write_text("\n".join(lines) + "\n")
        elif language == "console" and not is_left_out(page, lines, environment):
            failures += check_commands(page, first, lines, folder, environment, edits)
    for number, command in commands_in_tables(page.read_text()):
        words = shlex.split(command)
        if words[1] == "run" and (shared_runs.WORKLOADS / shared_runs.file_of(words[2])).exists():
            done = shared_runs.run(program, *words[2:])
            failures += check_exit_code(page, number, command, 0, done, done.stderr)
        else:
            failures += check_commands(page, number, ["$ " + command], folder, environment, [])
    if update and edits:
        text = page.read_text().splitlines(keepends=True)
        for number, expected, actual in reversed(edits):
            text[number : number + len(expected)] = [line + "\n" for line in actual]
        page.write_text("".join(text))
        print(f"{page}: updated")
    return failures


def check_in_copy(page, root, program, update, cache):
    """Runs the page's commands where nothing but the workloads is."""
    failures = check_links(page)
    text = page.read_text()
    has_commands = any(language == "console" for _, language, _, _ in blocks_of(text)) or any(commands_in_tables(text))
    if page.is_relative_to(root / "docs/zh") or not has_commands:
        return failures
    with tempfile.TemporaryDirectory() as folder:
        # cp takes half of the processor time of shutil.copytree().
        subprocess.run(["cp", "-r", root / "workloads", folder], check=True)
        environment = dict(os.environ, LC_ALL="C.UTF-8", XDG_CACHE_HOME=caches.shared_or(cache))
        environment.pop("WARPSTEP_CACHE", None)
        environment["PATH"] = os.path.dirname(os.path.abspath(program)) + ":" + os.environ["PATH"]
        return failures + check_page(page, program, folder, environment, update)


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    pages = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
    update = "--update" in sys.argv
    with tempfile.TemporaryDirectory() as cache, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = sum(
            pool.map(lambda page: check_in_copy(page, root, program, update, cache), pages))
    table = subprocess.run(
        [program, "devices", "--settings"], check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    if (root / "docs/reference/settings.md").read_text() != table:
        print("docs/reference/settings.md is out of date; run: ninja -C build update-docs")
        failures += 1
        if update:
            (root / "docs/reference/settings.md").write_text(table)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
