#!/usr/bin/env python3
"""Functions that are called: through pointers, as virtual ones, by themselves.

    test_cli_calls.py WARPSTEP PROGRAM

PROGRAM, tests/data/calls/program.cu, compares what its kernels compute with the same functions on the host.
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

from clangs import program_obstacle
from patience import HANGS

COMMAND = PROGRAM = None
KERNELS = """typedef int (*F)(int);
__device__ int twice(int x) { return 2 * x; }
__device__ int thrice(int x) { return 3 * x; }
__device__ F table[3] = {twice, thrice, nullptr};
__device__ int fibonacci(int n) { if (n < 2) return n; int a = fibonacci(n - 1), b = fibonacci(n - 2); return a + b; }
__device__ int deep(const int *p, int n)
{
    int a[8];
    for (int i = 0; i < 8; i++)
        a[i] = p[i] + 1;
    return n == 0 ? a[p[0] & 7] : deep(a, n - 1) + a[p[1] & 7];
}
__global__ void calls(int *a, int n)
{
    int x = table[threadIdx.x % n](a[threadIdx.x]);
    a[threadIdx.x] = x + fibonacci(threadIdx.x % 8);
}
__global__ void digs(int *a, int n) { a[threadIdx.x] = deep(a, n); }
__global__ void stops(int *a, int n) { if (threadIdx.x == n) __brkpt(); a[0] = n; }
__global__ void plain(int *a, int n) { a[threadIdx.x] += n; }
"""
HEAP = """#include <cstdio>
struct Node { int value; Node *next; };
__device__ Node *lists[64];
__global__ void build(int n)
{
    Node *list = nullptr;
    for (int i = 0; i < n + (int)threadIdx.x % 4; i++)
        list = new Node{i + (int)threadIdx.x, list};
    lists[threadIdx.x] = list;
}
__global__ void sums(int *out)
{
    int sum = 0;
    for (Node *node = lists[threadIdx.x]; node != nullptr;) {
        Node *next = node->next;
        sum += node->value;
        delete node;
        node = next;
    }
    out[threadIdx.x] = sum;
}
__global__ void large(int *out)
{
    if (threadIdx.x % 2)
        return;
    static __device__ void *volatile kept[3];
    for (int i = 0; i < 3; i++)
        kept[i] = malloc(i < 2 ? 4000000 : 9000000);
    out[threadIdx.x] = 0;
    for (int i = 0; i < 3; i++) {
        out[threadIdx.x] += (kept[i] != nullptr) + 10 * ((long long)kept[i] % 16);
        free(kept[i]);
    }
}
__global__ void twice(void)
{
    int *volatile p = new int[threadIdx.x + 1];
    delete[] p;
    if (threadIdx.x == 3)
        delete[] p;
}
int main(void)
{
    int *out, bad = 0;
    cudaMallocManaged(&out, 64 * sizeof(int));
    for (int round = 0; round < 3; round++) {
        build<<<1, 64>>>(round + 3);
        sums<<<1, 64>>>(out);
        cudaDeviceSynchronize();
        for (int t = 0; t < 64; t++) {
            int want = 0;
            for (int i = 0; i < round + 3 + t % 4; i++)
                want += i + t;
            bad += out[t] != want;
        }
    }
    for (int t = 0; t < 64; t++)
        out[t] = 0;
    large<<<1, 2>>>(out);
    large<<<1, 2>>>(out);
    cudaDeviceSynchronize();
    printf("%d differ, %d blocks, %s\\n", bad, out[0], cudaGetErrorString(cudaGetLastError()));
    twice<<<1, 32>>>();
    printf("%s\\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
"""
LAUNCH = """version: 1
program: kernels.cu
set: {{sms: 1}}
buffers: {{a: {{type: s32, count: 64, init: {{linear: {{start: 1, step: 1}}}}}}}}
kernel: {0}
grid: 1
block: 64
params: [{{ref: a}}, {{s32: {1}}}]
{2}"""


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


class Calls(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.write('kernels.cu', KERNELS)
        values = [(t + 1) * (2 + t % 2) + fibonacci(t % 8) for t in range(64)]
        self.write('calls.yaml', LAUNCH.format('calls', 2, f'expect: [{{buffer: a, values: {values}}}]'))

    def write(self, name, text):
        with open(os.path.join(self.folder, name), 'w') as file:
            file.write(text)

    def warpstep(self, *arguments, code=0):
        run = subprocess.run([COMMAND, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=HANGS)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return run.stdout + run.stderr

    def whole_programs(self):
        obstacle = program_obstacle(COMMAND)
        if obstacle:
            self.skipTest(obstacle)

    def test_program(self):
        self.whole_programs()
        ways = [('--set', 'divergence.model=' + model) for model in ('its', 'stack', 'none')]
        for way in ways + [('--functional',), ('-d', 'v100'), ('--set', 'dependences=control')]:
            self.assertIn('no error, 0 differ', self.warpstep('run', PROGRAM, *way), way)

    def test_heap(self):
        self.whole_programs()
        self.write('heap.cu', HEAP)
        for way in (('--set', 'divergence.model=stack'), ('--set', 'divergence.model=its'), ('--functional',)):
            said = self.warpstep('run', 'heap.cu', *way)
            self.assertIn('0 differ, 1 blocks, no error', said, way)
            self.assertIn('free() of an address that malloc() has not given, or that is free already', said, way)

    def test_lanes_join_behind_a_call(self):
        """All lanes of a warp issue what is behind the calls together."""
        report = json.loads(self.warpstep('run', 'calls.yaml', '--format', 'json'))
        self.assertEqual(report['memory']['global_store_requests'], 2)
        code = self.warpstep('disasm', 'kernels.cu')
        body = code[code.index('.kernel _Z5callsPii'):code.index('.kernel _Z4digsPii')]
        self.assertLess(body.index('BSSY'), body.index('BRX'))
        self.assertLess(body.index('CALL.REL'), body.index('BSYNC'))

    def test_compiled_in_other_ways(self):
        for way in (('--debug',), ('--set', 'lower.schedule=off'), ('--maxreg', '16'),
                    ('--set', 'lower.if_convert=off'), ('--check', 'all')):
            self.assertIn('passed  a', self.warpstep('run', 'calls.yaml', *way), way)

    def test_text_of_the_code(self):
        self.write('calls.wsasm', self.warpstep('disasm', 'kernels.cu'))
        self.write('digs.yaml', LAUNCH.format('digs', 5, ''))
        self.write('text.yaml', LAUNCH.format('_Z4digsPii', 5, '').replace('kernels.cu', 'calls.wsasm'))
        shown = [self.warpstep('run', name, '--print', 'a').split('a[0:64]')[1] for name in ('digs.yaml', 'text.yaml')]
        self.assertEqual(shown[0], shown[1])

    def test_states_are_saved(self):
        steps = ['-e', 'cycle 3000', '-e', 'info registers', '-e', 'cycle 500', '-e', 'cycle 3000', '-e', 'info registers']
        shown = self.warpstep('step', 'calls.yaml', '--batch', *steps)
        self.warpstep('run', 'calls.yaml', '--record', 'calls.wsrec')
        self.assertEqual(self.warpstep('step', 'calls.wsrec', '--batch', *steps), shown)

    def test_address_of_no_function(self):
        self.write('wrong.yaml', LAUNCH.format('calls', 3, ''))
        for way in ((), ('--functional',)):
            said = self.warpstep('run', 'wrong.yaml', *way, code=4)
            self.assertIn('call through a pointer that holds no address of a function with such arguments', said)
            self.assertRegex(said, r'block \(0,0,0\),? thread \(2,0,0\).*at kernels.cu:15')

    def test_breakpoint(self):
        self.write('stops.yaml', LAUNCH.format('stops', 5, ''))
        self.assertIn("thread (5,0,0), at kernels.cu:19 (BPT)", self.warpstep('run', 'stops.yaml', code=4))

    def test_stack(self):
        self.write('deep.yaml', LAUNCH.format('digs', 40, ''))
        for way in ((), ('--functional',)):
            said = self.warpstep('run', 'deep.yaml', *way, code=4)
            self.assertIn('past the end of the stack, which is 1024 bytes a thread', said)
            self.warpstep('run', 'deep.yaml', '--launch', 'stack_bytes=8000', *way)
        self.write('deeper.yaml', LAUNCH.format('digs', 40, 'stack_bytes: 8000'))
        self.warpstep('run', 'deeper.yaml', '--record', 'deeper.wsrec')
        self.warpstep('run', 'deeper.wsrec')
        self.write('large.yaml', LAUNCH.format('digs', 40, 'stack_bytes: 524288'))
        self.assertEqual(self.warpstep('run', 'large.yaml')[:4], 'digs')
        self.write('larger.yaml', LAUNCH.format('digs', 40, 'stack_bytes: 524289'))
        self.assertIn('stack_bytes', self.warpstep('run', 'larger.yaml', code=3))


if __name__ == '__main__':
    COMMAND, PROGRAM = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    unittest.main(argv=sys.argv[:1])
