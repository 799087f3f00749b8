"""Whether the unit tests of a room see small faults in it: mutants.py SOURCE_ROOT [--rooms ROOM,...] [--count N] [--seed N]

One small fault at a time is put into a copy of the sources: a comparison, an operator, a constant that is one larger, a statement
that is left out. Then the C programs of the room's suite (tests/meson.build names suites after rooms: sim/sm is the suite sm) are
built and run. COUNT faults a room are drawn by SEED over its lines; those of known.txt, which tests have missed once, come on top.
A fault that a test sees is caught. One that changes nothing that can be seen stands in equal.txt, with the argument why, and
another is drawn for it. Not drawn: text, declarations, what only frees memory (the leak sanitizer sees it), how much memory is asked for
(the address sanitizer sees too little of it), and lines of headers that other rooms include, which would compile half the tree.

Rooms are those of .ci/rooms.txt, library and runtime. cli has tests in Python, which run the program: no unit tests.

Prints each fault that nobody saw, as a line of equal.txt begins, and a table of the rooms. Exit code 1 if less than --least
percent are caught, or the tests of a room take more than 10 seconds of processor time.
"""
import argparse
import functools
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = re.compile(r'^\s*(#include|/?\*|//|"|case |default:|extern |typedef |g_assert|return;)|G_STATIC_ASSERT|\(GError')
FREES = re.compile(r"^\s*(g_free|g_strfreev|g_clear\w*|g_\w+_(unref|free)|ws_\w+_(unref|free|clear)|free)\(")
SIZES = re.compile(r"\bg_(new0?|malloc0?|renew)\(")
OPERATORS = [(r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" == ", " != "), (r" != ", " == "),
             (r" \+ ", " - "), (r" - ", " + "), (r" && ", " || "), (r" \|\| ", " && "), (r" << ", " >> "), (r" >> ", " << "),
             (r" \| ", " & "), (r"\+\+", "--"), (r"MIN\(", "MAX("), (r"MAX\(", "MIN("), (r"TRUE", "FALSE"), (r"FALSE", "TRUE")]
NUMBER = re.compile(r"(?<![\w.\"])(\d+)(?![\w.\"])")
STATEMENT = re.compile(r"^\s+(?!\s|return|break|continue|goto|else|if|for|while|do|switch|case)[\w*>\-.\[\]() ]+"
                       r"(\(.*\)| [-+|&^]?= .*|\+\+|--);$")
# Outside functions: constants, and rows of tables.
TABLE = re.compile(r"^(#define \w+ .*\d|\s+\w+ = .*\d|\s+(\[\w+\] = )?\{)")
SECONDS = 20  # of processor time for a program of tests: a fault that loops is caught
PATIENCE = 20  # by the clock, for one that does nothing
LIMIT = 10  # of processor time for the tests of a room


def without_texts(line):
    """The line with strings and comments blanked, so that places stay."""
    return re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])*\'|/\*.*?(\*/|$)|//.*', lambda m: "~" * len(m[0]), line)


def faults_of(line):
    """All small faults of a line, as lines."""
    if SKIPPED.search(line) or FREES.match(line):
        return []
    code, found = without_texts(line), []
    for pattern, other in OPERATORS if not SIZES.search(code) else []:
        for match in re.finditer(pattern, code):
            found.append(line[:match.start()] + other + line[match.end():])
    for match in NUMBER.finditer(code) if not SIZES.search(code) else []:
        found.append(line[:match.start()] + str(int(match[1]) + 1) + line[match.end():])
    if STATEMENT.match(code):
        found.append(re.match(r"\s+", line)[0] + ";")
    return found


def lines_of(path):
    """Numbers of the lines that may have a fault: those of functions, and of constants and tables."""
    inside, found = False, []
    for number, line in enumerate(path.read_text().splitlines()):
        if line in ("{", "}"):
            inside = line == "{"
        elif inside or TABLE.match(line):
            found.append(number)
    return found


@functools.cache
def rooms_that_include(root):
    """By header: the folders whose files include it."""
    found = {}
    for layer in sorted({room.partition("/")[0] for room in rooms_of(root, [])}):
        for path in (root / layer).rglob("*.[ch]"):
            for header in re.findall(r'#include "([^"]+)"', path.read_text()):
                found.setdefault(header, set()).add(path.parent)
    return found


def is_of_others(root, header):
    """Whether files of another room include the header: with a fault in it half the tree is compiled anew."""
    return bool(rooms_that_include(root).get(header.relative_to(root).as_posix(), set()) - {header.parent})


def draw(root, room, draws):
    """Places of a room with a fault each, in an order that the seed alone determines; each line once."""
    files = sorted(path for path in (root / room).glob("*.[ch]") if path.suffix == ".c" or not is_of_others(root, path))
    places = [(path, number) for path in files for number in lines_of(path)]
    draws.shuffle(places)
    for path, number in places:
        choices = faults_of(path.read_text().splitlines()[number])
        if choices:
            yield path.relative_to(root).as_posix(), number, [draws.choice(choices)]


def suite_of(room):
    """The suite of a room is named after its folder, and after its layer too where two rooms have that name."""
    name = room.partition("/")[2] or room
    return room.replace("/", "-") if name in ("base", "export") else name


def files_of(folder):
    return {path.relative_to(folder) for part in folder.iterdir() if part.name != ".git" and not part.name.startswith("build")
            for path in ([part] if part.is_file() else part.rglob("*")) if path.is_file() and "node_modules" not in path.parts}


def copy_changed(root, folder):
    """Only what has changed: ninja goes by times."""
    files = files_of(root)
    for gone in files_of(folder) - files:
        (folder / gone).unlink()
    for path in files:
        target = folder / path
        if not target.exists() or target.read_bytes() != (root / path).read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / path, target)


class Copy:
    """Sources and a build of their own."""

    def __init__(self, root, folder):
        self.root, self.folder, self.build = root, folder, folder / "build"
        folder.mkdir(parents=True, exist_ok=True)
        copy_changed(root, folder)
        if not (self.build / "build.ninja").exists():
            environment = dict(os.environ, **({"CC_LD": "lld"} if shutil.which("ld.lld") else {}))
            subprocess.run(["meson", "setup", self.build, "-Dtests=true", "-Ddebug=false", "-Dmanual=disabled"],
                           cwd=folder, check=True, stdout=subprocess.DEVNULL, env=environment)
        else:
            subprocess.run(["ninja", "build.ninja"], cwd=self.build, check=True, stdout=subprocess.DEVNULL)
        tests = json.loads(subprocess.run(["meson", "introspect", self.build, "--tests"], capture_output=True, check=True).stdout)
        self.tests, self.took = {}, {}
        for test in tests:
            # With what it runs: clang_sandbox, an attacker.
            programs = [word for word in (os.path.relpath(self.build / word, self.build) for word in test["cmd"])
                        if word.startswith("tests/")]
            if os.path.relpath(test["cmd"][0], self.build) in programs:
                for suite in test["suite"]:
                    self.tests.setdefault(suite.partition(":")[2] or suite, []).append((test, programs))

    def make(self, room, jobs):
        programs = sorted({program for test, programs in self.tests[suite_of(room)] for program in programs})
        # A cache of objects has no use for those with faults.
        return subprocess.run(["ninja", "-j", str(jobs), *programs], cwd=self.build, capture_output=True,
                              env=dict(os.environ, CCACHE_READONLY="1")).returncode == 0

    def passes(self, test):
        cache = self.build / "cache"
        # What clang has compiled before must not hide a fault in how it is called.
        if "cuda" in "".join(test["suite"]):
            shutil.rmtree(cache, ignore_errors=True)
        command = ["prlimit", f"--cpu={SECONDS}", "--data=8589934592", "--core=0", *test["cmd"]]
        # Memory that nobody has written is not zero: who reads behind an array meets something.
        environment = dict(os.environ, **test["env"], XDG_CACHE_HOME=str(cache), CK_FORK="no", CK_DEFAULT_TIMEOUT="0",
                           MALLOC_PERTURB_="165")
        with subprocess.Popen(command, env=environment, cwd=self.build, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, start_new_session=True) as program:
            used, since = 0, time.monotonic()
            try:
                while True:
                    try:
                        return program.wait(2) == 0
                    except subprocess.TimeoutExpired:
                        now = time_of_session(program.pid)
                        if now != used:
                            used, since = now, time.monotonic()
                        elif time.monotonic() - since > PATIENCE:
                            return False
            finally:
                if program.poll() is None:
                    os.killpg(program.pid, signal.SIGKILL)

    def run(self, room):
        """The name of a test that fails, or None; and the processor time. The quick ones first."""
        total = 0
        for test, _ in sorted(self.tests[suite_of(room)], key=lambda pair: self.took.get(pair[0]["name"], 0)):
            before = processor_time()
            passed = self.passes(test)
            self.took.setdefault(test["name"], processor_time() - before)
            total += processor_time() - before
            if not passed:
                return test["name"], total
        return None, total

    def put(self, path, text):
        (self.folder / path).write_text(text)


def time_of_session(session):
    """Clock ticks that the processes of a session have used."""
    ticks = 0
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        if int(fields[3]) == session:
            ticks += sum(map(int, fields[11:15]))
    return ticks


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def key(path, lines, fault):
    return f"{path}: {';;'.join(line.strip() for line in lines)} => {';;'.join(line.strip() for line in fault)}"


def try_fault(copy, room, path, number, fault, jobs):
    """The test that sees it, None if none does; False where it does not compile."""
    text = (copy.root / path).read_text()
    lines = text.splitlines()
    lines[number:number + len(fault)] = fault
    copy.put(path, "\n".join(lines) + "\n")
    try:
        return copy.make(room, jobs) and copy.run(room)[0]
    finally:
        copy.put(path, text)


def known_faults(root):
    for row in (HERE / "known.txt").read_text().splitlines():
        if row.strip() and not row.startswith("#"):
            path, _, change = row.partition(": ")
            old, _, new = change.partition(" => ")
            old, new = ([part.strip() for part in side.split(";;")] for side in (old, new))
            lines = [text.strip() for text in (root / path).read_text().splitlines()]
            places = [number for number in range(len(lines)) if lines[number:number + len(old)] == old]
            if not places:
                sys.exit(f"known.txt: {path} has no line '{';;'.join(old)}'")
            yield path, places[0], new


def rooms_of(root, wanted):
    rooms = [line.partition(":")[0] for line in (root / ".ci/rooms.txt").read_text().splitlines()
             if ":" in line and not line.startswith("#")] + ["library", "runtime"]
    return [room for room in rooms if not wanted or room in wanted or room.partition("/")[0] in wanted]


def try_room(copy, root, room, known, equal, options):
    """(faults, caught, seconds) of a room; None if its tests fail, or there are none."""
    if suite_of(room) not in copy.tests:
        return options.count, 0, 0.0
    if not copy.make(room, options.jobs):
        sys.exit(f"{room}: does not build")
    failed, seconds = copy.run(room)
    if failed:
        sys.exit(f"{room}: {failed} fails without a fault")
    mine = [fault for fault in known if os.path.dirname(fault[0]) == room]
    drawn = draw(root, room, random.Random(f"{options.seed} {room}"))
    tried = caught = 0
    for path, number, fault in (*mine, *drawn):
        if tried >= len(mine) + options.count:
            break
        lines = (root / path).read_text().splitlines()[number:number + len(fault)]
        if key(path, lines, fault) in equal:
            continue
        result = try_fault(copy, room, path, number, fault, options.jobs)
        if result is False:
            continue
        tried += 1
        caught += result is not None
        if result is None:
            print(f"missed, line {number + 1} of {key(path, lines, fault)}", flush=True)
        elif options.verbose:
            print(f"{result} sees {key(path, lines, fault)}", flush=True)
    return tried, caught, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root")
    parser.add_argument("--rooms", default="", help="rooms, or layers, with commas between them")
    parser.add_argument("--count", type=int, default=3, help="faults drawn a room")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=float, default=90)
    parser.add_argument("--folder", default="build-mutants", help="of the copy")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true", help="also the faults that were caught, with the test that sees them")
    options = parser.parse_args()
    root = pathlib.Path(options.root).resolve()
    equal = {row.partition(" // because ")[0] for row in (HERE / "equal.txt").read_text().splitlines()}
    copy = Copy(root, root / options.folder)
    known = list(known_faults(root))
    caught = tried = slow = 0
    start = time.monotonic()
    print(f"{'room':20} {'faults':>6} {'caught':>6} {'seconds of its tests':>21}")
    for room in rooms_of(root, options.rooms.split(",") if options.rooms else []):
        faults, seen, seconds = try_room(copy, root, room, known, equal, options)
        # 0 seconds: there are none.
        print(f"{room:20} {faults:6} {seen:6} {seconds:21.1f}", flush=True)
        caught, tried, slow = caught + seen, tried + faults, slow + (seconds > LIMIT)
    print(f"{caught} of {tried} caught ({100 * caught / max(tried, 1):.0f} %), in {(time.monotonic() - start) / 60:.0f} minutes, "
          f"{processor_time() / 60:.0f} of processor time; {slow} rooms with slow tests")
    return 0 if tried and 100 * caught >= options.least * tried and not slow else 1


if __name__ == "__main__":
    sys.exit(main())
