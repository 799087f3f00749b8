"""The tool itself: that it sees a difference, that it makes kernels small, that numbers name kernels."""
import os
import stat
import subprocess
import sys
import tempfile
import unittest

from generator import make_kernel
from kernel import CTYPES
from reducer import Reducer
from trial import Trial

HERE = os.path.dirname(os.path.abspath(__file__))
WARPSTEP = sys.argv.pop(1)

# Runs Warpstep, then changes the first byte of what kernels wrote.
FAULTY = '''#!%s
import subprocess, sys
code = subprocess.call([%r] + sys.argv[1:])
for word in sys.argv:
    if word.startswith('--dump=out='):
        with open(word[11:], 'r+b') as file:
            first = file.read(1)[0]
            file.seek(0)
            file.write(bytes([first ^ 1]))
sys.exit(code)
'''


class TextReducer(Reducer):
    """A kernel differs if its text has all of some words."""

    def __init__(self, *words):
        super().__init__(None, [], '')
        self.words = words

    def failing(self, kernels):
        return [i for i, kernel in enumerate(kernels)
                if all(word in kernel.text('k0') for word in self.words)]

    def reduce_options(self, kernel):
        pass


def kernel_with(*words):
    return next(kernel for kernel in map(make_kernel, range(1000)) if TextReducer(*words).failing([kernel]))


class Differential(unittest.TestCase):
    def run_tool(self, warpstep, *more):
        command = [sys.executable, os.path.join(HERE, 'differential.py'), warpstep, '--first', '20', '--count', '3',
                   *more]
        return subprocess.run(command, stdout=subprocess.PIPE, text=True)

    def test_a_changed_byte_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            faulty = os.path.join(folder, 'faulty')
            with open(faulty, 'w') as file:
                file.write(FAULTY % (sys.executable, WARPSTEP))
            os.chmod(faulty, stat.S_IRWXU)
            ended = self.run_tool(faulty, '--keep', folder)
            self.assertIn('kernel 20: differs\n  with -s divergence.model=', ended.stdout)
            self.assertIn('3 kernels, 1 differ;', ended.stdout)
            self.assertEqual(ended.returncode, 1)
            self.assertIn('kernels.cu', os.listdir(os.path.join(folder, '20')))

    def test_a_run_that_fails_is_found(self):
        ended = self.run_tool(WARPSTEP, '--option=limits.threads_per_block=32')
        self.assertIn('differs' if ' 0 differ' in ended.stdout else 'exit code', ended.stdout)
        self.assertEqual(ended.returncode, 1)

    def test_what_does_not_matter_goes(self):
        for words in (('MULHI(',), ('for (', 'continue;'), ('switch (', 'FLOAT_BITS('),
                      ('__syncthreads', 'ATOMIC_XOR')):
            kernel = kernel_with(*words)
            small = TextReducer(*words).reduce(kernel)
            self.assertTrue(TextReducer(*words).failing([small]))
            lines = small.text('k0').count('\n')
            self.assertLess(lines, 20, small.text('k0'))

    def test_a_number_is_a_kernel(self):
        texts = {make_kernel(number).text('k') for number in range(50)}
        self.assertEqual(len(texts), 50)
        self.assertIn(make_kernel(7).text('k'), texts)

    def test_kernels_have_all_that_the_generator_knows(self):
        text = ''.join(make_kernel(number).text('k') for number in range(300))
        for word in list(CTYPES.values()) + ['while (', 'switch (', 'return;', 'tally[', 'bytes[', 'words[', 'BALLOT(',
                                             'SHUFFLE_DOWN(', '__noinline__', 'DSQRT(', 'PERMUTE(', 'MUL24(']:
            self.assertIn(word, text)

    def test_texts_do_not_hang_on_the_batch(self):
        with tempfile.TemporaryDirectory() as folder:
            one = Trial(None, [make_kernel(3)], os.path.join(folder, 'one'))
            with open(one.path('kernels.cu')) as file:
                self.assertIn(make_kernel(3).text('k0'), file.read())


if __name__ == '__main__':
    unittest.main()
