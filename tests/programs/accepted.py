#!/usr/bin/env python3
"""Counts the CUDA sources that compile: accepted.py FOLDER [--sample N] [--seed S] [--nvcc PATH] [--seconds N] [--jobs N] [--warpstep PATH] [PATTERN...]

FOLDER holds the suites as draw.py has them. Each .cu file goes to `warpstep cc -c` by itself, unmodified, with its own folder and the
samples' Common on the include path and no other options, whatever its build system gives it: so the share is a lower bound. --sample
draws N of them, the same for the same seed and files. With --nvcc only those count that `nvcc -ptx` compiles with the same include
path: the folders hold HIP, code of other suites and files that need libraries or settings of their build system. A file's line says
`compiled` or the first error; the summary is the share and, by count, what stopped the others.
"""

import argparse
import collections
import concurrent.futures
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ERROR = re.compile(r'(?:fatal )?error: (.*)')
MISSING = re.compile(r"'([^']+)' (?:file )?not found")


def cause(text):
    """The first error, without names of functions and types that are the program's own."""
    found = ERROR.search(text)
    if found is None:
        return (text.strip().splitlines() or ['no message'])[-1]
    missing = MISSING.search(found[1])
    return f"header '{missing[1]}' is not there" if missing else found[1]


def include_path(source, options):
    return ['-I', source.parent, '-I', options.folder / 'NVIDIA__cuda-samples' / 'Common']


def is_cuda(source, options, scratch, number):
    """Whether nvcc compiles the file under the conditions that are ours."""
    target = scratch / f'{number}.ptx'
    command = [options.nvcc, '-ptx', '-w', '-arch=sm_90', *include_path(source, options), source, '-o', target]
    try:
        done = subprocess.run(command, capture_output=True, timeout=options.seconds, check=False)
    except subprocess.TimeoutExpired:
        return False
    target.unlink(missing_ok=True)
    return done.returncode == 0


def drawn(sources, options, scratch):
    """The sources that count, in the order in which the seed draws them."""
    if options.sample is not None:
        sources = random.Random(options.seed).sample(sources, len(sources))
    left = options.sample or len(sources)
    for number, source in enumerate(sources):
        if left == 0:
            return
        if options.patterns and not any(part in str(source) for part in options.patterns):
            continue
        if options.nvcc and not is_cuda(source, options, scratch, number):
            continue
        left -= 1
        yield number, source


def one(source, options, scratch, number):
    command = [options.warpstep, 'cc', '-c', *include_path(source, options), source, '-o', scratch / f'{number}.o']
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors='replace', timeout=options.seconds, check=False)
    except subprocess.TimeoutExpired:
        return source, f'took more than {options.seconds:g} s'
    (scratch / f'{number}.o').unlink(missing_ok=True)
    return source, None if done.returncode == 0 else cause(done.stderr)


def tell(task, options, causes):
    source, why = task.result()
    causes[why] += 1
    print(f'{why or "compiled"}\t{source.relative_to(options.folder)}', flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('--sample', type=int)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--nvcc')
    parser.add_argument('--seconds', type=float, default=60)
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('--warpstep', default='warpstep')
    parser.add_argument('patterns', nargs='*')
    options = parser.parse_args()
    options.folder = options.folder.resolve()
    sources = sorted(path for path in options.folder.rglob('*.cu') if path.is_file())
    causes = collections.Counter()
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = collections.deque()
        for number, source in drawn(sources, options, pathlib.Path(scratch)):
            waiting.append(pool.submit(one, source, options, pathlib.Path(scratch), number))
            while waiting and (waiting[0].done() or len(waiting) > options.jobs):
                tell(waiting.popleft(), options, causes)
        for task in waiting:
            tell(task, options, causes)
    compiled = causes.pop(None, 0)
    count = compiled + causes.total()
    print(f'{compiled} of {count} compile')
    for why, count in causes.most_common():
        print(f'{count}\t{why}')
    sys.exit(compiled != count)


if __name__ == '__main__':
    main()
