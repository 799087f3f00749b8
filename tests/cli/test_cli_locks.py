#!/usr/bin/env python3
"""Spin locks that are taken more than once end, whichever lanes leave a loop first.

    test_cli_locks.py WARPSTEP

Lanes that leave a loop which has given its lock back must not wait behind the instruction that takes the lock the
next time: those still in the loop want it too.
"""
import os
import struct
import subprocess
import sys
import tempfile
import unittest

from patience import HANGS

PROGRAM = None
# A lock at x[0]; what it guards is x[33] there (a line of its own) and x[34].
HEAD = """.kernel k
.param u64 x
 LDC.64 R6, c[x]
 S2R R0, SR_TID.X
 LOP3.LUT R1, R0, 3, RZ, 0xc0
 MOV R13, 1
"""
TAKE = {
    'cas': 'ATOMG.CAS.E R14, [R6], RZ, R13',
    'cas_moved': 'MOV R12, RZ\n MOV R13, 1\n ATOMG.CAS.E R14, [R6], R12, R13',
    'exchange': 'ATOMG.EXCH.E R14, [R6], R13',
}
GIVE = {
    'exchange': 'ATOMG.EXCH.E R14, [R6], RZ',
    'store': 'STG.E.STRONG.GPU [R6], RZ',
    'cas': 'MOV R13, 1\n ATOMG.CAS.E R14, [R6], R13, RZ',
}


def critical(name, place, take, give):
    return f"""{name}:
 {TAKE[take]}
 ISETP.NE P4, R14, RZ
 @P4 BRA {name}
 LDG.E.STRONG.GPU R15, [R6+{place}]
 IADD3 R15, R15, 1
 STG.E.STRONG.GPU [R6+{place}], R15
 MEMBAR.GPU
 {GIVE[give]}
"""


def counted_loop(take, give):
    return 'again:\n' + critical('first', 132, take, give) + ' IADD3 R1, R1, -1\n ISETP.GE P5, R1, RZ\n @P5 BRA again\n'


def two_ways_back(take, give):
    return ('again:\n NOP\n' + critical('first', 132, take, give) + """ IADD3 R1, R1, -1
 ISETP.LT P5, R1, R0
 ISETP.GE.AND P6, R1, RZ, P5
 @P6 BRA again
 ISETP.GE P5, R1, RZ
 @P5 BRA again
""")


def two_ways_out(take, give):
    return ('again:\n NOP\n' + critical('first', 132, take, give) + """ IADD3 R1, R1, -1
 ISETP.LT P5, R1, RZ
 @P5 BRA out
 ISETP.LT P5, R0, 200
 @P5 BRA again
 ISETP.GE P5, R1, RZ
 @P5 BRA again
out:
 NOP
""")


FIRST = {'counted_loop': counted_loop, 'two_ways_back': two_ways_back, 'two_ways_out': two_ways_out}
MACHINES = [
    ('h200', []),
    ('h200', ['divergence.first_side=more_lanes', 'divergence.progress_after=1', 'warp_size=16']),
    ('v100', ['divergence.progress_after=0', 'divergence.first_side=fall_through']),
    ('textbook', ['divergence.model=its', 'divergence.first_side=more_lanes', 'divergence.progress_after=1']),
]
THREADS = 64
FIRST_SUM = sum(i % 4 + 1 for i in range(THREADS))

CUDA = """
__device__ void lock(int *l) { while (atomicCAS(l, 0, 1) != 0) ; }
__device__ void unlock(int *l) { __threadfence(); atomicExch(l, 0); }
__device__ void add(int *x) { *(volatile int *)x += 1; }
__global__ void counted(int *x)
{
    for (int i = threadIdx.x % 4; i >= 0; i--) { lock(x); add(x + 33); unlock(x); }
    lock(x); add(x + 34); unlock(x);
}
__global__ void by_exchange(int *x)
{
    for (int i = threadIdx.x % 4; i >= 0; i--) { while (atomicExch(x, 1) != 0) ; add(x + 33); unlock(x); }
    while (atomicExch(x, 1) != 0) ;
    add(x + 34); unlock(x);
}
__global__ void given_back_by_cas(int *x)
{
    for (int i = threadIdx.x % 4; i >= 0; i--) { lock(x); add(x + 33); __threadfence(); atomicCAS(x, 1, 0); }
    lock(x); add(x + 34); __threadfence();
    while (atomicCAS(x, 1, 0) != 1) ;
}
__global__ void left_by_memory(int *x)
{
    int n;
    do {
        lock(x); n = ++*(volatile int *)(x + 33); unlock(x);
    } while (n < 40);
    lock(x); add(x + 34); unlock(x);
}
"""


class Locks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_kernel(self, program, text, kernel, device, settings, what):
        with open(os.path.join(self.folder, program), 'w', encoding='utf-8') as file:
            file.write(text)
        with open(os.path.join(self.folder, 'launch.yaml'), 'w', encoding='utf-8') as file:
            file.write(f'version: 1\nprogram: {program}\ndevice: {device}\nbuffers: {{x: {{type: s32, count: 64}}}}\n'
                       f'kernel: {kernel}\ngrid: 1\nblock: {THREADS}\nparams: [{{ref: x}}]\n')
        out = os.path.join(self.folder, 'x.bin')
        command = [PROGRAM, 'run', 'launch.yaml', '--dump', 'x=' + out]
        for setting in settings:
            command += ['--set', setting]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False, timeout=HANGS)
        self.assertEqual(done.returncode, 0, f'{what}: {done.stdout[:2000]}{done.stderr}')
        with open(out, 'rb') as file:
            return struct.unpack('<64i', file.read())

    def test_taken_again_behind_a_loop(self):
        for device, settings in MACHINES:
            for name, first in FIRST.items():
                for take in TAKE:
                    for give in GIVE:
                        what = f'{device} {settings} {name} take {take} give {give}'
                        text = HEAD + first(take, give) + critical('second', 136, take, give) + ' EXIT\n'
                        x = self.run_kernel('k.wsasm', text, 'k', device, settings, what)
                        self.assertEqual((x[0], x[33], x[34]), (0, FIRST_SUM, THREADS), what)

    def test_tried_once_behind_a_loop(self):
        """One attempt, not a loop: who gets the lock gives it back."""
        for device, settings in MACHINES:
            for take in TAKE:
                text = HEAD + counted_loop(take, 'exchange') + f""" {TAKE[take]}
 ISETP.NE P4, R14, RZ
 @P4 BRA end
 STG.E.STRONG.GPU [R6+136], R13
 MEMBAR.GPU
 {GIVE['exchange']}
end:
 EXIT
"""
                x = self.run_kernel('k.wsasm', text, 'k', device, settings, f'{device} {settings} {take}')
                self.assertEqual((x[0], x[33], x[34]), (0, FIRST_SUM, 1))

    def test_two_loops_and_a_barrier(self):
        for device, settings in MACHINES:
            text = (HEAD + counted_loop('cas', 'exchange') + ' LOP3.LUT R1, R0, 3, RZ, 0xc0\nloop:\n' +
                    critical('second', 136, 'cas', 'exchange') +
                    ' IADD3 R1, R1, -1\n ISETP.GE P5, R1, RZ\n @P5 BRA loop\n BAR.SYNC 0\n EXIT\n')
            x = self.run_kernel('k.wsasm', text, 'k', device, settings, f'{device} {settings}')
            self.assertEqual((x[0], x[33], x[34]), (0, FIRST_SUM, FIRST_SUM))

    def test_compiled(self):
        for device, settings in MACHINES[:3]:
            if 'warp_size=16' in settings:
                continue
            for kernel in ('counted', 'by_exchange', 'given_back_by_cas', 'left_by_memory'):
                x = self.run_kernel('k.cu', CUDA, kernel, device, settings, f'{device} {settings} {kernel}')
                self.assertEqual((x[0], x[34]), (0, THREADS), kernel)
                self.assertEqual(x[33], THREADS + 39 if kernel == 'left_by_memory' else FIRST_SUM, kernel)


if __name__ == '__main__':
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
