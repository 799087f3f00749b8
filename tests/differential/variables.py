"""Variables of random kernels in optimised code: each that is known has the value of a debug compile.

variables.py TEST_OPTIMISED_VARIABLES [--first N] [--count N] [--least PERCENT] [--wrong N] [--jobs N] [--nvcc NVCC]
Exit code 1 if more values are wrong, or fewer are known.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

from generator import make_kernel
from trial import Trial

BATCH = 10
COUNTS = re.compile(r'visits (\d+), without a partner (\d+); values compared (\d+), wrong (\d+); known (\d+) of (\d+) ')


def compile_by_nvcc(nvcc, trial):
    """The launch file of the same kernels, compiled to debug."""
    subprocess.run([nvcc, '-G', '-w', '-arch=sm_90', '-ptx', 'kernels.cu', '-o', 'kernels.ptx'], cwd=trial.folder, check=True)
    with open(trial.path('launch.yaml')) as file:
        text = file.read()
    with open(trial.path('nvcc.yaml'), 'w') as file:
        file.write(text.replace('program: kernels.cu', 'program: kernels.ptx'))
    return trial.path('nvcc.yaml')


def try_batch(tools, numbers, folder):
    """Its counts and what is wrong."""
    trial = Trial(tools, [make_kernel(n) for n in numbers], os.path.join(folder, str(numbers[0])))
    beside = ['--beside', compile_by_nvcc(tools.nvcc, trial)] if tools.nvcc else []
    ended = subprocess.run([tools.test_optimised_variables, trial.path('launch.yaml'), *beside],
                           stdout=subprocess.PIPE, text=True)
    counts = COUNTS.search(ended.stdout)
    notes = [line for line in ended.stdout.splitlines() if line.startswith('#')]
    return [int(n) for n in counts.groups()] if counts else None, notes, ended.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('test_optimised_variables')
    parser.add_argument('--first', type=int, default=0, metavar='N', help='number of the first kernel')
    parser.add_argument('--count', type=int, default=BATCH, metavar='N', help='how many')
    parser.add_argument('--least', type=float, default=0, metavar='PERCENT', help='known, of what is read later')
    parser.add_argument('--wrong', type=int, default=0, metavar='N', help='values in a million, where LLVM errs')
    parser.add_argument('--jobs', type=int, default=1, metavar='N', help='batches at a time')
    parser.add_argument('--nvcc', metavar='NVCC', help="compare its code to debug (-G) in place of optimised code")
    parser.add_argument('--keep', metavar='FOLDER', help='for the kernels')
    tools = parser.parse_args()
    end = tools.first + tools.count
    batches = [range(first, min(first + BATCH, end)) for first in range(tools.first, end, BATCH)]
    total, failed = [0] * 6, False
    with tempfile.TemporaryDirectory(prefix='variables-') as made:
        with concurrent.futures.ThreadPoolExecutor(tools.jobs) as pool:
            done = pool.map(lambda numbers: try_batch(tools, numbers, tools.keep or made), batches)
            for numbers, (counts, notes, code) in zip(batches, done):
                for note in notes:
                    print('kernels %d to %d: %s' % (numbers[0], numbers[-1], note))
                failed = failed or code not in (0, 1) or counts is None
                total = [a + b for a, b in zip(total, counts or [0] * 6)]
    share = 100 * total[4] / max(total[5], 1)
    print('%d kernels: %d visits, %d without a partner; %d values compared, %d wrong; '
          '%d known of %d that are read later (%.1f %%)' % (tools.count, *total, share))
    return failed or share < tools.least or total[3] * 1000000 > tools.wrong * total[2]


if __name__ == '__main__':
    sys.exit(main())
