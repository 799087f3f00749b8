"""Variables of the source in the stepper: test_cli_variables.py WARPSTEP"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
KERNEL = '''enum Colour { RED, GREEN = 5, BLUE };
struct Pair { int x; float y; unsigned low : 3; int high : 5; Colour colour; };
struct Node { int value; Node *next; };
__device__ int counter;
__device__ __forceinline__ int twice(int v)
{
    int t = v * 2;
    return t;
}
__device__ void bump(int &ref, int by)
{
    ref += by;
}
__global__ void k(int *out, int n)
{
    __shared__ float tile[4][8];
    int id = threadIdx.x;
    Pair p = {id, id * 0.5f, 3, -2, BLUE};
    Pair *q = &p;
    int a[4];
    Node one = {1, 0}, two = {2, &one};
    for (int i = 0; i < 4; i++)
        a[i] = id * i;
    tile[id / 8][id % 8] = id;
    __syncthreads();
    {
        float id = 2.5f;
        a[0] += (int)id;
    }
    bump(a[1], 7);
    q->x = twice(q->x);
    if (id < 7)
        return;
    out[id] = a[1] + q->x + two.next->value + n;
    counter = 1;
}
'''
LAUNCH = '''version: 1
program: k.cu
buffers:
  out: {type: s32, count: 32}
kernel: k
grid: 1
block: 32
params: [{ref: out}, {s32: 32}]
'''


class Variables(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        pathlib.Path(cls.folder.name, 'k.cu').write_text(KERNEL)
        pathlib.Path(cls.folder.name, 'k.yaml').write_text(LAUNCH)

    def step(self, *commands, target='k.yaml', options=('--debug',), code=0):
        """What the last command says."""
        words = [word for command in commands for word in ('-e', command)]
        done = subprocess.run([PROGRAM, 'step', target, '-b', *options, '-e', 'mark said', *words],
                              cwd=self.folder.name, capture_output=True, text=True, timeout=HANGS)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def values(self, place, lane, *texts):
        lines = self.step(f'break {place}', 'continue', f'print -lane {lane} ' + ', '.join(texts)).splitlines()
        return [line.split(' = ', 1)[1] for line in lines[-len(texts):]]

    def test_values_of_each_kind(self):
        self.assertEqual(
            self.values('k.cu:30', 9, 'p', '*q', 'q->y', 'p.colour == GREEN', 'a', 'a[id - 7]', 'tile[1]', 'tile[id / 8][2]',
                        'two.next->value', 'n', '*out', 'counter', '&a[1] == a + 1'),
            ['{x = 9, y = 4.5, low = 3, high = -2, colour = BLUE}'] * 2 +
            ['4.5', '0', '{2, 9, 18, 27}', '18', '{8, 9, 10, 11, 12, 13, 14, 15}', '10', '1', '32', '0', '0', '1'])

    def test_pointers_say_where_they_lead(self):
        self.assertEqual(self.values('k.cu:30', 9, 'out', 'out + 3'),
                         ['0x10000000 <out[0]>', '0x1000000c <out[3]>'])

    def test_the_innermost_of_a_name_is_meant(self):
        self.assertEqual(self.values('k.cu:28', 9, 'id', 'laneId'), ['2.5', '9'])
        self.assertEqual(self.values('k.cu:30', 9, 'id'), ['9'])

    def test_references_stand_for_what_they_lead_to(self):
        said = self.step('break k.cu:15', 'continue', 'delete', 'break k.cu:12 if by == 7')
        self.assertIn('Breakpoint 2', said)
        self.assertEqual(self.values('k.cu:12', 9, 'ref', 'by', 'ref + by'), ['9', '7', '16'])

    def test_a_name_out_of_scope_says_where_it_lives(self):
        said = self.step('break k.cu:32', 'continue', 'print i', code=2)
        self.assertIn("'i' is not in scope at k.cu:32; its scope is lines 22-23", said)
        self.assertIn('lines 7-8 of twice()', self.step('break k.cu:32', 'continue', 'print t', code=2))

    def test_without_variables_it_says_how_to_get_them(self):
        for command in ('print id', 'info locals'):
            said = self.step(command, target='if_else/launch-bytecode.yaml', options=(), code=2)
            self.assertIn('the program has no variables by name', said)
            self.assertIn('--debug', said)

    def test_optimised_code_says_what_it_does_not_know(self):
        said = self.step('break k.cu:35', 'continue', 'print -lane 9 out, n', 'info locals', options=())
        self.assertIn('n = 32', said)
        self.assertRegex(said, r'k\(\) at k.cu:35\n(.*\n)*  a = .*<optimised out>')
        self.assertIn('--debug', self.step('break k.cu:35', 'continue', 'set id = 1', options=(), code=2))

    def test_inlined_calls_are_frames(self):
        """Where a move ends and `why` name the function and its callers, each of two calls its own."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "a.cuh").write_text("__device__ inline int half_of(int x)\n{\n    if (x & 1)\n"
                                          "        return x * 3 + 1;\n    return x / 2;\n}\n"
                                          "__device__ inline int twice(int x)\n{\n    return half_of(x) * 4;\n}\n")
            (folder / "f.cu").write_text('#include "a.cuh"\n__global__ void f(int *out)\n{\n    int i = threadIdx.x;\n'
                                         "    int a = twice(out[i]);\n    out[i + 64] = a + twice(out[i + 32]);\n}\n")
            (folder / "f.yaml").write_text("version: 1\nprogram: f.cu\nkernel: f\ngrid: 1\nblock: 32\n"
                                           "buffers:\n  out: {type: s32, count: 96}\nparams: [{ref: out}]\n")
            said = subprocess.run([PROGRAM, "step", "f.yaml"], input="step\nwhy\n" * 40, text=True, cwd=folder,
                                  capture_output=True, timeout=100).stdout
        rows = re.findall(r"(?m)^[#p]{32}  .*: .*(?:\n    called .*)*", said)
        self.assertIn(",\n    called by twice() at a.cuh:9,\n    called at f.cu:5\n", said)
        self.assertLessEqual(max(len(line) for row in rows for line in row.splitlines()), 100)
        said = said.replace(",\n    called", ", called")
        for call in 5, 6:
            by = f"called by twice() at a.cuh:9, called at f.cu:{call}"
            self.assertRegex(said, rf"(?m)^[#p]+  .*: .*  half_of\(\) at a.cuh:[345]( \(.*\))?, {re.escape(by)}$")
            self.assertRegex(said, rf"before half_of\(\) at a.cuh:[345] \(.*\), {re.escape(by)}\.")
        self.assertRegex(said, r"(?m)^[#p]+  .*  f.cu:7$")  # the kernel's own line has no call

    def test_locals_by_frame(self):
        said = self.step('break k.cu:8', 'continue', 'info locals')
        frames = said[said.index('\ntwice() at') + 1:].splitlines()
        self.assertEqual(frames[0], 'twice() at k.cu:8, called at k.cu:31')
        self.assertEqual(frames[3], 'k() at k.cu:31')
        self.assertEqual(sorted(frames[1:3]), ['  t = 0', '  v = 0'])
        said = self.step('break k.cu:28', 'continue', 'info locals -lanes 1-3')
        self.assertIn('  id = 2.5\n', said)
        self.assertRegex(said, r'id \(hidden\) +1 +2 +3\n')
        self.assertRegex(said, r'    lane 2: {x = 2, y = 1, low = 3')

    def test_lanes_that_are_elsewhere(self):
        said = self.step('break k.cu:8 if v == 9', 'continue', 'print -lanes 3,9 t', 'break k.cu:34', 'delete 1', 'continue',
                         'print -lanes 3,9 id')
        self.assertRegex(said, r'lane +t\n +3 +6\n +9 +18\n')
        self.assertRegex(said, r'lane +id\n +3 +<exited>\n +9 +9\n')

    def test_conditions_and_watches(self):
        said = self.step('break k.cu:28 if p.x == 9 && id > 2', 'continue')
        self.assertIn('lanes ---------#----------------------', said)
        said = self.step('break k.cu:22', 'continue', 'delete', 'watch a[2] if id == 9', 'continue')
        self.assertIn('a[2] if id == 9 was 0, is 18', said.replace(' in lane 9', ''))
        said = self.step('break k.cu:22', 'continue', 'delete', 'focus lane 4', 'watch tile[0][4]', 'continue')
        self.assertIn('tile[0][4] was 0, is 4', said)

    def test_a_change_forks_the_run(self):
        said = self.step('break k.cu:28', 'continue', 'set -lanes all q->x = 100', 'set p.high = -7', 'set a[1] = 5',
                         'print -lanes 0-1 p, a', 'break k.cu:35', 'continue', 'print -lane 9 out[8]')
        self.assertIn('The run forks at cycle', said)
        self.assertIn('{x = 100, y = 0, low = 3, high = -7, colour = BLUE}', said)
        self.assertRegex(said, r'{x = 100, y = 0.5, low = 3, high = -2, colour = BLUE} +{0, 1, 2, 3}')

    def test_list_of_displays(self):
        said = self.step('info display', 'display -lane 2 n', 'display/x -lane 2 n', 'undisplay 1', 'display -lane 2 n + 1',
                         'info display')
        self.assertIn('No displays.\n', said)
        self.assertTrue(said.endswith('\n  2  /x -lane 2 n\n  3  -lane 2 n + 1\n'), said)
        self.assertIn('there is no display 1', self.step('display n', 'undisplay 1', 'undisplay 1', code=2))

    def test_displays_follow_the_lane(self):
        said = self.step('break k.cu:22', 'continue', 'display -lanes 9 i, a[1]', 'break k.cu:23', 'continue', 'continue', 'continue')
        self.assertRegex(said, r'1: lane +i +a\[1\]\n +9 +1 +')


class CodeOfNvcc(unittest.TestCase):
    """tests/ptx/variables.nvcc.ptx, by nvcc -G: its variables are in registers of the PTX."""
    LAUNCH_FILE = str(pathlib.Path(__file__).resolve().parent.parent / 'ptx' / 'variables.nvcc.yaml')

    def step(self, *commands, options=('--debug',), code=0):
        words = [word for command in commands for word in ('-e', command)]
        done = subprocess.run([PROGRAM, 'step', self.LAUNCH_FILE, '-b', *options, *words], capture_output=True, text=True,
                              timeout=HANGS)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def test_a_function_is_a_place(self):
        said = self.step('break triple', 'continue', 'info locals', 'print x == n')
        self.assertIn('triple() at variables.cu:9, called at variables.cu:33', said)
        self.assertRegex(said, r'\n  x = \d*[13579]\n')
        for name in ('t', 'wide', 'share', 'sum', 'i', 'v'):
            self.assertRegex(said, rf'\n  {name} = -?[0-9.]+\n')

    def test_both_sides_of_a_branch_know_what_came_before(self):
        said = self.step('break spread', 'continue', 'up', 'print -lanes active sum, i, v')
        self.assertNotIn('optimised out', said[said.index('sum'):])

    def test_what_is_unknown_without_debug(self):
        self.assertIn('--debug', self.step('break 43', 'continue', 'info locals', options=()))

    def test_a_name_without_a_call(self):
        self.assertIn("'twofold': a line (12, FILE:12), an instruction (*7), or the name of a kernel or of a function that "
                      'is called is expected', self.step('break twofold', code=2))


if __name__ == '__main__':
    unittest.main()
