"""Compiling to debug: test_cli_debug_compile.py WARPSTEP"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
KERNEL = '''struct Pair { int a; float b; };
__device__ float weigh(Pair p) { return p.a * p.b; }
__global__ void k(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int j = 0; j < 4; j++) {
        Pair p = {j, x[i]};
        sum += weigh(p);
        if (sum > 1000)
            break;
    }
    y[i] = sum;
}
'''
LAUNCH = '''version: 1
program: k.cu
buffers:
  x: {type: f32, count: 64, init: {linear: {start: 0, step: 1}}}
  y: {type: f32, count: 64}
kernel: k
grid: 2
block: 32
params: [{s32: 60}, {ref: x}, {ref: y}]
'''
VALUES = ', '.join(str(6 * i if i < 60 else 0) for i in range(64))


class DebugCompile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / 'k.cu').write_text(KERNEL)
        self.write(LAUNCH)

    def write(self, launch):
        (self.folder / 'launch.yaml').write_text(launch + f'expect: [{{buffer: y, values: [{VALUES}]}}]\n')

    def call(self, *arguments, code=0):
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=HANGS)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def instructions(self, *arguments):
        return json.loads(self.call('run', '.', '--format', 'json', *arguments).stdout)['warp_instructions']

    def test_results_are_right_and_nothing_is_optimised(self):
        optimised, debug = self.instructions(), self.instructions('--debug')
        self.assertGreater(debug, 3 * optimised)
        # What is kept of either is not taken for the other.
        self.assertEqual(self.instructions(), optimised)
        self.assertEqual(self.instructions('--debug'), debug)
        self.assertEqual(self.instructions('--debug', '--set', 'lower.schedule=off'), debug)

    def test_launch_file(self):
        debug = self.instructions('--debug')
        self.write(LAUNCH + 'compile: {debug: true}\n')
        self.assertEqual(self.instructions(), debug)
        self.write(LAUNCH + 'compile: {debug: false}\n')
        self.assertLess(self.instructions(), debug)
        self.assertEqual(self.instructions('--debug'), debug)
        self.write(LAUNCH + 'compile: {debug: 1}\n')
        done = self.call('run', '.', code=3)
        self.assertIn('launch.yaml:10:18: error: debug', done.stderr)

    def test_ptx(self):
        text = '.version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u32 a) { ret; }\n'
        (self.folder / 'k.ptx').write_text(text)
        (self.folder / 'ptx.yaml').write_text('version: 1\nprogram: k.ptx\nkernel: k\ngrid: 1\nblock: 32\n'
                                              'params: [{u32: 1}]\ncompile: {debug: true}\n')
        self.call('run', 'ptx.yaml')

    def test_bytecode_has_nothing_to_compile(self):
        (self.folder / 'k.wsasm').write_text('.kernel k\n EXIT\n')
        (self.folder / 'asm.yaml').write_text('version: 1\nprogram: k.wsasm\nkernel: k\ngrid: 1\nblock: 32\n'
                                              'params: []\ncompile: {debug: true}\n')
        done = self.call('run', 'asm.yaml', code=3)
        self.assertIn('compile.debug is for programs in CUDA C or PTX', done.stderr)

    def test_reads_of_nothing_by_name(self):
        source = KERNEL.replace('float sum = 0;', 'float sum, row[3][2];\n    row[2][0] = 1;')
        source = source.replace('Pair p = {j, x[i]};', 'Pair p;\n        p.a = j + row[2][1];')
        (self.folder / 'k.cu').write_text(source)
        report = json.loads(self.call('run', '.', '--debug', '--check', 'uninitialised', '--format', 'json', code=1).stdout)
        places = [finding['place'] for finding in report['findings']]
        self.assertEqual(sorted(places), ['variable p.b', 'variable row[2][1]', 'variable sum'])
        self.assertEqual({finding['space'] for finding in report['findings']}, {'local'})

    def test_recording_is_of_one_run(self):
        self.call('run', '.', '--debug', '--record', 'debug.wsrec')
        done = self.call('run', 'debug.wsrec', '--debug', code=2)
        self.assertIn('--debug would change the run', done.stderr)
        self.call('run', 'debug.wsrec')


if __name__ == '__main__':
    unittest.main()
