"""Tests of traces: test_cli_trace.py WARPSTEP SOURCE_ROOT [--update | unittest options]

Text traces of small workloads are golden (tests/golden/trace_*.txt, written anew by --update). Each
other format is read with its consumer's own parser where there is one, else checked against the
published format, and must tell the same as the text.
"""
import collections
import csv
import gzip
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

import clangs
from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
ROOT = pathlib.Path(sys.argv.pop(1)).resolve()

GOLDEN = {
    "if_else": ["if_else/launch-bytecode.yaml"],
    "if_else_its": ["if_else/launch-bytecode.yaml", "--set", "divergence.model=its"],
    "early_exit": ["if_else/bytecode-early_exit.yaml"],
    "vector_add": ["vecadd/launch-bytecode.yaml"],
    "scheduling": ["scheduling_example"],
    "barrier": ["barrier_divergence/ended.yaml", "--events",
                "issue,diverge,reconverge,path,barrier_arrive,barrier_release,warp_exit"],
    "deadlock": ["barrier_divergence/one_side.yaml", "--from", "1550"],
}

# Those of programs in CUDA C.
CUDA = {"barrier", "deadlock"}

# A run with branches, loads and barriers on two SMs.
RUN = ["with_without_divergence", "--sms", "2", "--to", "3000", "--launch", "grid=4"]


def trace(*arguments, code=0):
    done = subprocess.run([PROGRAM, "trace", *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=HANGS, cwd="/")
    if done.returncode != code:
        raise AssertionError(f"{arguments}: exit code {done.returncode}\n{done.stderr.decode()}")
    return done.stdout


def golden_text(name):
    return trace(*GOLDEN[name], code=5 if name == "deadlock" else 0).decode()


def golden_path(name):
    return ROOT / "tests/golden" / f"trace_{name}.txt"


def text_events(text):
    """(cycle, SM, warp or None, event, address or None, rest) of each line."""
    events = []
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        match = re.fullmatch(r" *(\d+) sm(\d+)\.([\d-]+) w([\d-]+) b(\d+)\.([\d-]+) (\w+)(?: ([0-9a-f]{4,})(?= |$))?(.*)", line)
        assert match, line
        cycle, sm, _, warp, _, _, event, address, rest = match.groups()
        events.append((int(cycle), int(sm), None if warp == "-" else int(warp), event,
                       None if address is None else int(address, 16), rest.strip()))
    return events


class Text(unittest.TestCase):
    maxDiff = None

    def test_golden(self):
        for name in GOLDEN:
            with self.subTest(name):
                if clangs.OTHER and name in CUDA:
                    self.skipTest(f"the golden trace is of clang {clangs.PUBLISHED}, this is {clangs.OTHER}")
                self.assertEqual(golden_text(name), golden_path(name).read_text())

    def test_host_threads_change_nothing(self):
        self.assertEqual(trace(*RUN), trace(*RUN, "--threads", "3"))

    def test_order(self):
        places = [event[:2] for event in text_events(trace(*RUN).decode())]
        self.assertGreater(len(places), 5000)
        self.assertEqual(places, sorted(places))

    def test_issues_are_those_of_the_report(self):
        job = ["vecadd", "--sms", "1"]
        done = subprocess.run([PROGRAM, "run", *job, "--format", "json"], check=True,
                              stdout=subprocess.PIPE, cwd="/")
        events = text_events(trace(*job, "--events", "issue,stall").decode())
        issues = sum(event[3] == "issue" for event in events)
        total = json.loads(done.stdout)
        self.assertEqual(issues, total["warp_instructions"])
        self.assertEqual({event[5] for event in events if event[3] == "stall"} | {"selected"},
                         {name for name, cycles in total["stalls"].items() if cycles})

    def test_filters(self):
        everything = text_events(trace(*RUN).decode())
        cases = {
            ("--sm", "1"): lambda e: e[1] == 1,
            ("--warp", "2-3,9"): lambda e: e[2] in (2, 3, 9),
            ("--from", "500", "--to", "700"): lambda e: 500 <= e[0] <= 700,
            ("--events", "issue,stall"): lambda e: e[3] in ("issue", "stall"),
        }
        for arguments, passes in cases.items():
            with self.subTest(arguments):
                some = text_events(trace(*RUN, *arguments).decode())
                self.assertEqual(some, [e for e in everything if passes(e)])
        blocks = trace(*RUN, "--block", "2").decode()
        self.assertEqual({line.split()[3].split(".")[0] for line in blocks.splitlines()
                          if not line.startswith("#")}, {"b2"})

    def test_memory_does_not_grow(self):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        subprocess.run([PROGRAM, "trace", "with_without_divergence", "--sms", "1"], check=True,
                       stdout=subprocess.DEVNULL, timeout=HANGS)  # 340 MB of text
        after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        if "asan" in PROGRAM:
            self.skipTest("a sanitizer has memory of its own")
        self.assertLess(max(after - before, after), 200 * 1024)


class Formats(unittest.TestCase):
    def setUp(self):
        self.events = text_events(trace(*RUN).decode())
        self.issues = [event for event in self.events if event[3] == "issue"]
        self.scratch = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.scratch.cleanup()

    def made(self, name):
        path = os.path.join(self.scratch.name, "x")
        trace(*RUN, "--format", name, "-o", path)
        return path

    def test_csv(self):
        with open(self.made("csv"), newline="") as file:
            rows = list(csv.DictReader(file, strict=True))
        self.assertEqual(len(rows), len(self.events))
        for row, event in zip(rows, self.events):
            self.assertEqual((int(row["cycle"]), int(row["sm"]), row["event"]),
                             (event[0], event[1], event[3]))
            if event[3] == "issue":
                glyphs, instruction = event[5].split(" ", 1)
                self.assertEqual(int(row["address"]), event[4])
                self.assertTrue(instruction.startswith(row["instruction"]))
                for column, meant in (("mask", "#p"), ("mask2", "#")):
                    mask = sum((glyph in meant) << lane for lane, glyph in enumerate(glyphs))
                    self.assertEqual(int(row[column], 16), mask)
            if event[3] == "stall":
                self.assertEqual(row["text"], event[5])

    def test_chrome(self):
        with open(self.made("chrome"), encoding="utf-8") as file:
            data = json.load(file)
        slices = collections.defaultdict(list)
        issues = []
        open_accesses = {}
        for event in data["traceEvents"]:
            self.assertIn(event["ph"], "MXibe")
            if event["ph"] == "X":
                slices[event["pid"], event["tid"]].append((event["ts"], event["dur"]))
                if "executed" in event["args"]:
                    issues.append((event["ts"], event["pid"], event["tid"] // 2))
            elif event["ph"] == "b":
                self.assertNotIn(event["id"], open_accesses)
                open_accesses[event["id"]] = event["ts"]
            elif event["ph"] == "e":
                self.assertGreater(event["ts"], open_accesses.pop(event["id"]))
        self.assertFalse(open_accesses)
        self.assertEqual(sorted(issues), sorted(e[:3] for e in self.issues))
        for track in slices.values():  # none overlaps another
            track.sort()
            for (start, length), (following, _) in zip(track, track[1:]):
                self.assertGreater(length, 0)
                self.assertLessEqual(start + length, following)

    def test_kanata(self):
        """docs/kanata-log-format.md of Konata."""
        with open(self.made("kanata"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertEqual(lines[0], "Kanata\t0004")
        self.assertRegex(lines[1], r"^C=\t\d+$")
        cycle = int(lines[1].split("\t")[1])
        alive, retired, issues, threads, arrows = {}, set(), [], {}, 0
        for line in lines[2:]:
            command, *rest = line.split("\t")
            if command == "C":
                self.assertGreater(int(rest[0]), 0)
                cycle += int(rest[0])
                continue
            number = int(rest[0])
            if command == "I":
                self.assertEqual(number, len(threads))
                self.assertEqual(len(rest), 3)
                threads[number] = int(rest[2])
                alive[number] = True
                continue
            self.assertIn(number, alive, line)
            if command in "SE":
                self.assertIn(rest[1], ("0", "1"))
                if rest[1:] == ["0", "Is"]:
                    issues.append((cycle, threads[number] // 64, threads[number] % 64))
            elif command == "L":
                self.assertIn(rest[1], ("0", "1"))
            elif command == "W":
                producer = int(rest[1])
                self.assertLess(producer, number)
                self.assertEqual(threads[producer], threads[number])
                self.assertEqual(rest[2], "0")
                arrows += 1
            elif command == "R":
                self.assertIn(rest[2], ("0", "1"))
                if rest[2] == "0":
                    self.assertEqual(int(rest[1]), len(retired))
                    retired.add(number)
                del alive[number]
            else:
                self.fail(line)
        self.assertFalse(alive)
        self.assertGreater(arrows, len(issues) / 4)
        self.assertEqual(sorted(issues), sorted(e[:3] for e in self.issues))

    def test_kanata_arrows(self):
        """MOV, MOV, FFMA of both, and a load that waits for nothing."""
        text = ".kernel k\n.param u64 y\n" + "MOV R1, 1 ;\nMUFU.RCP R2, R1 ;\n" + \
               "FFMA R3, R1, R2, R2 ;\nMOV R4, 5 ;\nEXIT ;\n"
        pathlib.Path(self.scratch.name, "k.wsasm").write_text(text)
        pathlib.Path(self.scratch.name, "k.yaml").write_text(
            "version: 1\nprogram: k.wsasm\ndevice: textbook\nkernel: k\ngrid: 1\nblock: 32\n"
            "buffers: {y: {type: u32, count: 4}}\nparams: [{ref: y}]\n")
        lines = trace(f"{self.scratch.name}/k.yaml", "--set", "dependences=scoreboard", "--format",
                      "kanata").decode().splitlines()
        names = {line.split("\t")[1]: line.split(": ")[1].split(" ")[0].split(".")[0]
                 for line in lines if line.startswith("L\t") and line.split("\t")[2] == "0"}
        arrows = [tuple(names[number] for number in line.split("\t")[1:3])
                  for line in lines if line.startswith("W")]
        self.assertEqual(arrows, [("MUFU", "MOV"), ("FFMA", "MUFU")])

    def test_vcd(self):
        path = self.made("vcd")
        with open(path, encoding="ascii") as file:
            head, body = file.read().split("$enddefinitions $end\n")
        codes = {}
        scopes = []
        for line in head.splitlines():
            words = line.split()
            if words[0] == "$scope":
                scopes.append(words[2])
            elif words[0] == "$upscope":
                scopes.pop()
            elif words[0] == "$var":
                self.assertNotIn(words[3], codes)
                codes[words[3]] = (*scopes, words[4], int(words[2]))
        self.assertFalse(scopes)
        time, issues = -1, []
        for line in body.splitlines():
            if line[0] == "#":
                self.assertGreater(int(line[1:]), time)
                time = int(line[1:])
            elif line[0] == "b":
                bits, code = line[1:].split()
                self.assertLessEqual(len(bits), codes[code][3])
            else:
                sm, warp, name, _ = codes[line[1:]]
                self.assertEqual(name, "issue")
                if line[0] == "1":
                    issues.append((time, int(sm[2:]), int(warp[4:])))
        self.assertEqual(sorted(issues), sorted(e[:3] for e in self.issues))
        if shutil.which("vcd2fst"):  # of GTKWave
            done = subprocess.run(["vcd2fst", path, path + ".fst"], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertGreater(os.path.getsize(path + ".fst"), 1000)


# ---- Perfetto: field numbers and wire types of protos/perfetto/trace/ ----------------------------

TRACK = {1: ("uuid", int), 2: ("name", str), 5: ("parent_uuid", int)}
ANNOTATION = {3: ("uint_value", int), 6: ("string_value", str), 7: ("pointer_value", int),
              10: ("name", str)}
EVENT = {4: ("debug_annotations", ANNOTATION), 9: ("type", int), 10: ("name_iid", int),
         11: ("track_uuid", int)}
NAME = {1: ("iid", int), 2: ("name", str)}
INTERNED = {2: ("event_names", NAME)}
PACKET = {8: ("timestamp", int), 10: ("trusted_packet_sequence_id", int),
          11: ("track_event", EVENT), 12: ("interned_data", INTERNED),
          13: ("sequence_flags", int), 60: ("track_descriptor", TRACK)}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def message(data, fields):
    """{name: [values]}; a field that is not known, or has another wire type, is an error."""
    at, found = 0, collections.defaultdict(list)
    while at < len(data):
        key, at = varint(data, at)
        name, kind = fields[key >> 3]
        value, at = varint(data, at)
        assert key & 7 == (0 if kind is int else 2), name
        if kind is not int:
            data_of_field = data[at : at + value]
            assert len(data_of_field) == value
            at += value
            value = data_of_field.decode() if kind is str else message(data_of_field, kind)
        found[name].append(value)
    return found


class Perfetto(unittest.TestCase):
    def packets(self):
        data = trace(*RUN, "--format", "perfetto")
        at = 0
        while at < len(data):
            key, at = varint(data, at)
            self.assertEqual(key, 1 << 3 | 2)
            length, at = varint(data, at)
            yield message(data[at : at + length], PACKET)
            at += length

    def test_tracks_and_slices(self):
        tracks, names, slices, first = {}, {}, collections.defaultdict(list), True
        for packet in self.packets():
            self.assertEqual(packet["trusted_packet_sequence_id"], [1])
            self.assertEqual(packet["sequence_flags"], [1 if first else 2])
            first = False
            for interned in packet["interned_data"]:
                for name in interned["event_names"]:
                    self.assertNotIn(name["iid"][0], names)
                    names[name["iid"][0]] = name["name"][0]
            for track in packet["track_descriptor"]:
                self.assertNotIn(track["uuid"][0], tracks)
                for parent in track["parent_uuid"]:
                    self.assertIn(parent, tracks)
                tracks[track["uuid"][0]] = track["name"][0]
            for event in packet["track_event"]:
                uuid, kind = event["track_uuid"][0], event["type"][0]
                self.assertIn(uuid, tracks)
                self.assertIn(kind, (1, 2, 3))
                if kind != 2:
                    self.assertIn(event["name_iid"][0], names)
                if kind != 3:
                    slices[uuid].append((packet["timestamp"][0], kind == 1))
        issues = 0
        for uuid, ends in slices.items():
            ends.sort()  # an end comes before a beginning in the same cycle
            self.assertEqual([begins for _, begins in ends], [True, False] * (len(ends) // 2),
                             tracks[uuid])
            if re.fullmatch(r"warp \d+", tracks[uuid]):
                issues += len(ends) // 2
        wanted = sum(event[3] == "issue" for event in text_events(trace(*RUN).decode()))
        self.assertEqual(issues, wanted)


class Options(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.scratch.cleanup()

    def refused(self, code, message_part, *arguments):
        done = subprocess.run([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, cwd=self.scratch.name, timeout=HANGS)
        self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
        self.assertIn(message_part, done.stderr)
        self.assertEqual(os.listdir(self.scratch.name), [])

    def test_usage(self):
        job = ["trace", "if_else"]
        self.refused(2, "no event 'isue'; there are block_begin", *job, "--events", "isue")
        self.refused(2, "--events: a list of events is expected", *job, "--events", "")
        self.refused(2, "--format: 'pdf' is not one of text, csv, kanata", *job, "--format", "pdf")
        self.refused(2, "cannot show the event 'request'", *job, "--format", "vcd", "--events",
                     "issue,request")
        self.refused(2, "no list of numbers", *job, "--warp", "1-")
        self.refused(2, "no list of numbers", *job, "--sm", "x")
        self.refused(2, "the first not after the last", *job, "--from", "9", "--to", "3")
        self.refused(3, "cannot write", *job, "-o", "no/x")
        self.refused(2, "FORMAT=FILE is expected", "run", "if_else", "--export", "text")
        self.refused(2, "no format 'pdf'; there are text", "run", "if_else", "--export", "pdf=x")
        self.refused(2, "would both write x", "run", "if_else", "--export", "text=x", "--export",
                     "csv=x")
        self.refused(2, "would both write to stdout", "run", "if_else", "--export", "text=-")
        self.refused(3, "no such file", "trace", "no_such_workload")

    def test_export_beside_a_report(self):
        job = ["vecadd", "--threads", "2"]
        names = ["text", "csv", "kanata", "perfetto", "chrome", "vcd"]
        plain = subprocess.run([PROGRAM, "run", *job], check=True, stdout=subprocess.PIPE,
                               cwd=self.scratch.name).stdout
        exports = [word for name in names for word in ("--export", f"{name}=x.{name}")]
        done = subprocess.run([PROGRAM, "run", *job, *exports], check=True, stdout=subprocess.PIPE,
                              cwd=self.scratch.name)
        self.assertEqual(done.stdout, plain)
        for name in names:
            path = pathlib.Path(self.scratch.name, f"x.{name}")
            self.assertEqual(path.read_bytes(), trace(*job, "--format", name), name)

    def test_what_stops_a_run(self):
        text = trace("barrier_divergence/one_side.yaml", code=5).decode()
        self.assertIn(" stop 01b0 lanes wait for each other and none can continue\n", text)
        trace("if_else", "--max-cycles", "100", code=6)
        trace("if_else", "--to", "100")

    def test_compressed(self):
        job = ["vecadd", "--sms", "1", "--to", "2000", "--format", "chrome"]
        plain = trace(*job)
        readers = {".gz": gzip.decompress}
        if shutil.which("zstd") is not None:
            readers[".zst"] = lambda data: subprocess.run(["zstd", "-dc"], input=data, check=True,
                                                          stdout=subprocess.PIPE).stdout
        for suffix, read in readers.items():
            path = pathlib.Path(self.scratch.name, "x.json" + suffix)
            for threads in ("1", "2"):
                trace(*job, "-o", str(path), "--threads", threads)
                data = path.read_bytes()
                self.assertEqual(read(data), plain)
                self.assertLess(len(data), len(plain) / 8)
            kind = {".gz": "gzip", ".zst": "zstd"}[suffix]
            self.assertEqual(trace(*job, "--compress", kind), data)
            trace(*job, "-o", str(path), "--compress", "none")
            self.assertEqual(path.read_bytes(), plain)
            subprocess.run([PROGRAM, "run", *job[:3], "--export", f"csv={path}"], check=True,
                           stdout=subprocess.PIPE)
            self.assertEqual(read(path.read_bytes()), trace(*job[:3], "--format", "csv"))
            path.unlink()
        self.refused(2, "--compress: 'bzip2' is not one of none, gzip, zstd", "trace", "if_else",
                     "--compress", "bzip2")

    def test_full_disk_compressed(self):
        """A limit on the size of files in place of the disk: nothing is left behind."""
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

        for name in ("x.gz", "x.zst"):
            done = subprocess.run([PROGRAM, "trace", "if_else/launch-bytecode.yaml", "-o", name],
                                  cwd=self.scratch.name, stderr=subprocess.PIPE, text=True,
                                  preexec_fn=limit)
            self.assertEqual(done.returncode, 3)
            self.assertIn(f"{name}: error: cannot write: File too large", done.stderr)
            self.assertEqual(os.listdir(self.scratch.name), [])

    def test_full_disk(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PROGRAM, "trace", "with_without_divergence", "--sms", "1", "--to",
                                   "2000"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 3)
        self.assertIn("No space left on device", done.stderr)


if __name__ == "__main__":
    if "--update" in sys.argv:
        for golden in GOLDEN:
            golden_path(golden).write_text(golden_text(golden))
    else:
        unittest.main()
