"""__device__ const arrays that constant memory cannot hold: test_cli_large_constants.py WARPSTEP"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
KERNEL = '''
__device__ const unsigned table[20000] = {1, 2, 3, 5, 8};
__constant__ unsigned small[4] = {7, 6, 5, 4};
__device__ const unsigned *kept;
__device__ unsigned at(const unsigned *t, int i) { return t[i]; }
extern "C" __global__ void k(unsigned *o)
{
    int i = threadIdx.x;
    const uint4 *wide = (const uint4 *)table;
    o[i] = table[i] + at(table, i + 1) + small[i & 3] + wide[i / 8].y + (i == 3 ? table[1] : 0);
}
extern "C" __global__ void keep() { kept = table + threadIdx.x; }
extern "C" __global__ void look(unsigned *o) { o[threadIdx.x] += 100 * kept[threadIdx.x]; }
'''
LAUNCH = '''version: 1
program: k.cu
buffers: {o: {type: u32, count: 8}}
launches:
  - {kernel: k, grid: 1, block: 8, params: [{ref: o}]}
  - {kernel: keep, grid: 1, block: 1, params: []}
  - {kernel: look, grid: 1, block: 8, params: [{ref: o}]}
expect:
  - {buffer: o, values: [112, 213, 315, 521, 817, 8, 7, 6]}
'''


class LargeConstants(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, source, *arguments):
        (self.folder / 'k.cu').write_text(source)
        (self.folder / 'launch.yaml').write_text(LAUNCH)
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=HANGS)

    def test_values(self):
        done = self.call(KERNEL, 'run', 'launch.yaml')
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_code(self):
        text = self.call(KERNEL, 'disasm', 'k.cu').stdout
        self.assertEqual(text.count('LDG.E.CONSTANT'), 3)
        self.assertEqual(text.count(', c[0x3]['), 1)  # small

    def test_what_is_declared_constant_is_refused_as_by_ptxas(self):
        source = KERNEL.replace('small[4] = {7, 6, 5, 4}', 'small[9000] = {7, 6, 5, 4}, more[9000] = {1}')
        source = source.replace('small[i & 3]', 'small[i & 3] + more[i]')
        done = self.call(source, 'check', 'k.cu')
        self.assertEqual(done.returncode, 3)
        self.assertIn('variables of over 64 KiB of constant memory', done.stderr)

    def test_one_that_is_declared_constant_is_refused(self):
        done = self.call(KERNEL.replace('small[4]', 'small[20000]'), 'check', 'k.cu')
        self.assertEqual(done.returncode, 3)
        self.assertIn('64 KiB of constant memory', done.stderr)


if __name__ == '__main__':
    unittest.main()
