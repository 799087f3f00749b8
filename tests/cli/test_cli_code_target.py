#!/usr/bin/env python3
"""Compiled code carries stall counts that are right for the device it is compiled for.

    test_cli_code_target.py WARPSTEP [SEED COUNT]

Latencies by class and use are changed, one or many at a time; a machine that obeys control fields must not report a
hazard, and results must be right.
"""
import os
import random
import subprocess
import sys
import unittest

from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
SEED, COUNT = (int(sys.argv.pop(1)), int(sys.argv.pop(1))) if len(sys.argv) > 2 else (1, 16)
CLASSES = ['fp32', 'fp32_fma', 'imad', 'imad_wide', 'int', 'compare', 'convert_fast', 'move', 'fp16', 'fp64', 'mufu', 'xu',
           'uniform_load', 'special_register', 'vote', 'shared_load', 'constant_load']
FIELDS = ['latency', 'cross_latency', 'predicate_latency', 'branch_latency', 'address_latency',
          'factor_latency', 'xu_latency', 'high_later', 'hold']
ALONE = ['classes.compare.branch_latency=25', 'classes.compare.predicate_latency=9', 'classes.int.cross_latency=30',
         'classes.imad_wide.high_later=6', 'classes.imad_wide.hold=0', 'classes.fp32.latency=20',
         'classes.int.address_latency=14', 'classes.imad_wide.factor_latency=12', 'xu.spacing=12']
WORKLOADS = ['matmul', 'reduction', 'transpose']


class CodeTarget(unittest.TestCase):
    def run_with(self, workload, settings):
        command = [PROGRAM, 'run', workload, '--sms', '1', '--set', 'dependences=control']
        for setting in settings:
            command += ['--set', setting]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=HANGS)
        self.assertEqual(done.returncode, 0, f'{workload} {settings}: {done.stderr}')
        self.assertNotIn('hazard', done.stdout + done.stderr, f'{workload} {settings}')

    def test_one_setting(self):
        for setting in ALONE:
            self.run_with('matmul', [setting])

    def test_random_settings(self):
        for number in range(COUNT):
            state = random.Random(SEED * 1000003 + number)
            settings = []
            for _ in range(state.randint(1, 12)):
                field = state.choice(FIELDS)
                most = 8 if field in ('high_later', 'hold') else 40
                settings.append(f'classes.{state.choice(CLASSES)}.{field}={state.randint(1, most)}')
            self.run_with(WORKLOADS[number % len(WORKLOADS)], settings)


if __name__ == '__main__':
    unittest.main()
