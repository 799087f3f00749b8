"""Kernels compiled and run on both sides, many at a time, and what they wrote compared."""
import os
import shutil
import struct
import subprocess

from kernel import ACCUMULATOR_COUNT, INPUT_COUNT, MOST_THREADS, SLOT_WORDS

HERE = os.path.dirname(os.path.abspath(__file__))
# What C leaves undefined, and the two sides could take differently, ends the host's program.
HOST_FLAGS = ['-O0', '-w', '-fno-strict-aliasing', '-ffp-contract=off', '-fsanitize=undefined',
              '-fno-sanitize=float-divide-by-zero', '-fsanitize-trap=all', '-I', HERE]
HOST_SECONDS, DEVICE_SECONDS = 300, 900
MAX_CYCLES = 50000000

# What a kernel writes, in this order: bytes in all.
OUT_BYTES, SLOT_BYTES, ACCUMULATOR_BYTES = 8 * MOST_THREADS, 4 * SLOT_WORDS * MOST_THREADS, 4 * ACCUMULATOR_COUNT


class HostError(Exception):
    """The kernel does not compile on the host, does what C leaves undefined, or does not end."""


def write(path, content):
    with open(path, 'wb' if isinstance(content, bytes) else 'w') as file:
        file.write(content)


def words(values):
    return struct.pack('<%dI' % len(values), *values)


def per_kernel(content, each, count):
    return [content[i * each:(i + 1) * each] for i in range(count)]


class Trial:
    """A batch of kernels in a folder of its own."""

    def __init__(self, tools, kernels, folder):
        self.tools, self.kernels, self.folder = tools, kernels, folder
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        shutil.copy(os.path.join(HERE, 'device.h'), folder)
        text = '\n'.join(kernel.text('k%d' % i) for i, kernel in enumerate(kernels))
        write(self.path('kernels.cu'), '#include "device.h"\n\n' + text)
        write(self.path('host.c'), self.host_program(text))
        write(self.path('input.bin'), b''.join(words(kernel.input) for kernel in kernels))
        write(self.path('acc_before.bin'), b''.join(words(kernel.accumulators) for kernel in kernels))
        write(self.path('launch.yaml'), self.launch_file(range(len(kernels))))

    def path(self, name):
        return os.path.join(self.folder, name)

    def host_program(self, text):
        count = len(self.kernels)
        lines = ['#include "host.h"\n\n' + text,
                 'static unsigned long long out[%d][%d];' % (count, MOST_THREADS),
                 'static unsigned slots[%d][%d], acc[%d][%d], in[%d][%d];'
                 % (count, SLOT_WORDS * MOST_THREADS, count, ACCUMULATOR_COUNT, count, INPUT_COUNT)]
        for i, kernel in enumerate(self.kernels):
            lines.append('static void run%d(void) { k%d(out[%d], slots[%d], acc[%d], in[%d], %du); }'
                         % (i, i, i, i, i, i, kernel.scalar))
        lines += ['int main(int count, char **names)', '{', '  FILE *file = fopen(names[1], "rb");',
                  '  if (fread(in, sizeof in, 1, file) != 1) return 1;', '  file = fopen(names[2], "rb");',
                  '  if (fread(acc, sizeof acc, 1, file) != 1) return 1;']
        lines += ['  launch(run%d, %d, %d);' % (i, kernel.grid, kernel.block) for i, kernel in enumerate(self.kernels)]
        lines += ['  file = fopen(names[3], "wb");', '  fwrite(out, sizeof out, 1, file);',
                  '  fwrite(slots, sizeof slots, 1, file);', '  fwrite(acc, sizeof acc, 1, file);',
                  '  return fclose(file);', '}', '']
        return '\n'.join(lines)

    def launch_file(self, numbers):
        count = len(self.kernels)
        lines = ['version: 1', 'program: kernels.cu', 'buffers:',
                 '  out: {type: u64, count: %d}' % (count * MOST_THREADS),
                 '  slots: {type: u32, count: %d}' % (count * SLOT_WORDS * MOST_THREADS),
                 '  acc: {type: u32, count: %d, init: {file: acc_before.bin}}' % (count * ACCUMULATOR_COUNT),
                 '  in: {type: u32, count: %d, init: {file: input.bin}}' % (count * INPUT_COUNT), 'launches:']
        for i in numbers:
            kernel = self.kernels[i]
            lines.append('  - {kernel: k%d, grid: %d, block: %d, params: [{ref: out, offset: %d}, '
                         '{ref: slots, offset: %d}, {ref: acc, offset: %d}, {ref: in, offset: %d}, {u32: %d}]}'
                         % (i, kernel.grid, kernel.block, i * OUT_BYTES, i * SLOT_BYTES, i * ACCUMULATOR_BYTES,
                            i * 4 * INPUT_COUNT, kernel.scalar))
        return '\n'.join(lines) + '\n'

    def results(self, names):
        """What each kernel wrote, from three files or one."""
        content = b''
        for name in names:
            with open(self.path(name), 'rb') as file:
                content += file.read()
        count = len(self.kernels)
        parts, at = [], 0
        for each in (OUT_BYTES, SLOT_BYTES, ACCUMULATOR_BYTES):
            parts.append(per_kernel(content[at:at + each * count], each, count))
            at += each * count
        return list(zip(*parts))

    def run_host(self):
        """What each kernel wrote."""
        command = [self.tools.host_compiler, *HOST_FLAGS, '-o', self.path('host'), self.path('host.c'), '-lm']
        compiled = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        if compiled.returncode != 0:
            raise HostError(compiled.stderr)
        files = [self.path(name) for name in ('input.bin', 'acc_before.bin', 'host.bin')]
        try:
            ended = subprocess.run([self.path('host'), *files], timeout=HOST_SECONDS, stderr=subprocess.PIPE, text=True)
        except subprocess.TimeoutExpired:
            raise HostError('the host needs more than %d s' % HOST_SECONDS)
        if ended.returncode != 0:
            raise HostError(ended.stderr or 'ended with %d' % ended.returncode)
        return self.results(['host.bin'])

    def run_device(self, options, launches='launch.yaml'):
        """What each kernel wrote, or a message."""
        dumps = ['--dump=%s=%s' % (name, self.path(name + '.bin')) for name in ('out', 'slots', 'acc')]
        command = [self.tools.warpstep, 'run', self.path(launches), '-o', self.path('report.txt'),
                   '--max-cycles', str(MAX_CYCLES), '--max-compile-seconds', str(DEVICE_SECONDS), *dumps,
                   *(word for option in options for word in option)]
        try:
            ended = subprocess.run(command, timeout=DEVICE_SECONDS, stderr=subprocess.PIPE, text=True)
        except subprocess.TimeoutExpired:
            return 'needs more than %d s' % DEVICE_SECONDS
        if ended.returncode != 0:
            return 'exit code %d: %s' % (ended.returncode, ended.stderr.strip().replace(self.folder + '/', ''))
        return self.results(['out.bin', 'slots.bin', 'acc.bin'])

    def run_one_by_one(self, options, expected):
        """After a run that failed: which kernels fail by themselves, or differ."""
        found = {}
        for i in range(len(self.kernels)):
            write(self.path('one.yaml'), self.launch_file([i]))
            got = self.run_device(options, 'one.yaml')
            if isinstance(got, str):
                found[i] = got
            elif got[i] != expected[i]:
                found[i] = 'differs'
        return found

    def compare(self, options, expected):
        """{number of the kernel: what is wrong with it}"""
        got = self.run_device(options)
        if isinstance(got, str):
            return self.run_one_by_one(options, expected) or {0: got}
        return {i: 'differs' for i in range(len(self.kernels)) if got[i] != expected[i]}
