"""Places in the words of the source: test_cli_places.py WARPSTEP SOURCE_ROOT [unittest options]

Branches, BSSY and BSYNC name their statement, and lanes say at the end of which they wait. What nested.cu
does is counted here once more, lane by lane.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from dap_client import Client
from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
ROOT = pathlib.Path(sys.argv.pop(1)).resolve()

NESTED = (ROOT / "tests/data/nested.cu").read_text()
FOR, WHILE = (next(i for i, line in enumerate(NESTED.splitlines(), 1) if word in line) for word in ("for (", "while ("))


def splits_of_nested(lanes=range(32)):
    """(construct, lanes that go round, lanes that leave) of each split of warp 0, as C++ has it."""
    splits, outer, r = [], set(lanes), 0
    while outer:
        inner, c = set(outer), 0
        while inner:
            c += 1
            stay = {lane for lane in inner if c < (lane + r) % 3 + 1}
            if stay and stay != inner:
                splits.append((f"{WHILE} (while)", stay, inner - stay))
            inner = stay
        r += 1
        stay = {lane for lane in outer if r < lane % 4 + 1}
        if stay and stay != outer:
            splits.append((f"{FOR} (for)", stay, outer - stay))
        outer = stay
    return splits


def lanes_of(glyphs):
    return {lane for lane, glyph in enumerate(glyphs) if glyph == "#"}


class Nested(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        (pathlib.Path(cls.folder) / "nested.cu").write_text(NESTED)
        subprocess.run([PROGRAM, "init", "nested.cu"], cwd=cls.folder, check=True, capture_output=True)
        cls.launch = cls.folder + "/nested.yaml"

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def step(self, *commands):
        given = [part for command in commands for part in ("-e", command)]
        return subprocess.run([PROGRAM, "step", self.launch, "--batch", *given], check=True, capture_output=True,
                              text=True, timeout=HANGS).stdout

    def test_each_split_names_its_statement(self):
        said = self.step(*["diverge"] * 6)
        found = re.findall(r"diverged at nested\.cu:(.*), in cycle \d+\.\n  taken +(\S+)\n  not taken +(\S+)\n", said)
        expected = splits_of_nested()[:6]
        self.assertEqual([place for place, _, _ in expected],
                         [f"{WHILE} (while)"] * 2 + [f"{FOR} (for)"] + [f"{WHILE} (while)"] * 2 + [f"{FOR} (for)"])
        self.assertEqual([(place, lanes_of(taken), lanes_of(other)) for place, taken, other in found], expected)

    def test_paths_that_wait_alike_are_said_once(self):
        """Lanes that leave a loop one by one."""
        pathlib.Path(self.folder, "leave.cu").write_text(
            "__global__ void leave(int *out) { int n = 0; int x = threadIdx.x + 3; "
            "while (x != 1) { x = x & 1 ? 3 * x + 1 : x / 2; n++; } out[threadIdx.x] = n; }\n")
        done = subprocess.run([PROGRAM, "init", "leave.cu"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        said = subprocess.run([PROGRAM, "step", "leave.yaml", "--batch", "-e", "diverge 12", "-e", "why"], cwd=self.folder,
                              capture_output=True, text=True, check=True).stdout
        waits = re.findall(r"^\d+ lanes? waits? at the end of the while .*$", said.partition("block (")[0], re.M)
        self.assertEqual(len(waits), len(set(waits)), said)
        self.assertRegex(said, r"wait at the end of the while \(line 1\) for .* \(\d paths\)\.\n")

    def test_lanes_say_where_they_wait(self):
        (_, _, first), (_, again, second) = splits_of_nested()[:2]
        said = self.step("diverge", "diverge", "info stack", "reconverge")
        sentence = (f"{len(first)} lanes wait at the end of the while (line {WHILE}) for {len(again)} that still "
                    f"iterate and {len(second)} that have left it.\n")
        self.assertEqual(said.count(sentence), 2, said)
        row = next(line for line in said.splitlines() if line.startswith("#1"))
        self.assertIn(f"  wait at the end of the while (line {WHILE}), to resume at ", row)
        self.assertEqual({lane for lane, glyph in enumerate(row.split()[1]) if glyph == "d"}, first)
        self.assertIn(f"Paths reconverged at nested.cu:{WHILE} (end of while), in cycle ", said)

    def test_barriers_and_why(self):
        said = self.step("diverge 4", "info barriers", "why")
        names = re.findall(r"convergence barrier B\d+ +\S+  (.*)\n", said)
        self.assertEqual(sorted(names), [f"for (line {FOR})", f"while (line {WHILE})"])
        self.assertIn(f"8 lanes wait at the end of the for (line {FOR}) for 24 that still iterate.\n",
                      said.split("block (0,0,0) warp 0 waits")[1])

    def test_in_the_listing(self):
        listing = subprocess.run([PROGRAM, "disasm", "nested.cu"], cwd=self.folder, check=True, capture_output=True,
                                 text=True).stdout
        found = re.findall(r"/\*\w+\*/ (?:@!?P\d )?(\w+) .*// nested\.cu:(\d+) (\D+?) ptx", listing)
        self.assertEqual(sorted(found),
                         sorted([("EXIT", "4", "if"), ("BSSY", str(FOR), "for"), ("BSSY", str(WHILE), "while"),
                                 ("BRA", str(WHILE), "while"), ("BRA", str(WHILE), "while"), ("BRA", str(FOR), "for"),
                                 ("BSYNC", str(FOR), "end of for"), ("BSYNC", str(WHILE), "end of while")]))

    def test_names_are_kept_in_the_container(self):
        subprocess.run([PROGRAM, "asm", "nested.cu", "-o", "nested.wsbin"], cwd=self.folder, check=True, capture_output=True)
        texts = [subprocess.run([PROGRAM, "disasm", name], cwd=self.folder, check=True, capture_output=True, text=True).stdout
                 for name in ("nested.cu", "nested.wsbin")]
        self.assertEqual(*texts)
        self.assertIn(" end of while ", texts[1])

    def test_in_an_editor(self):
        client = Client(PROGRAM)
        self.addCleanup(client.close)
        client.start(self.launch, stopOnEntry=True)
        names, masks = [], {}
        for _ in range(400):
            names = [frame["name"] for frame in client.frames()]
            if any("wait at the end of" in name for name in names):
                masks = client.variables(client.scope("Masks"))
                break
            client.move("next", granularity="instruction")
        self.assertTrue(any(re.search(rf"\(wait at the end of the while \(line {WHILE}\) for 21 that still iterate\)", name)
                            for name in names), names)
        self.assertIn(f"convergence barrier 1, while (line {WHILE})", masks)


if __name__ == "__main__":
    unittest.main()
