#!/usr/bin/env python3
"""Builds and runs the programs of drawn.txt: trial.py FOLDER LOGS [--warpstep PATH] [--seconds N] [--jobs N] [PATTERN...]

FOLDER holds the suites as draw.py has them; programs are built there, unmodified, with their own Makefile where they have one, and
with the folder of `warpstep cc --toolkit` for a toolkit. They run with the arguments of sizes.txt, else those of their Makefile's run target, in
the mode of WARPSTEP_MODE. With --toolkit FOLDER they are built by the nvcc of that toolkit instead, for the GPU that is there.
A program passes that ends with exit code 0 in time and whose output tells of no failure. LOGS gets
a file for each; the summary goes to standard output. --only build and --only run do one half, for programs that are built on
one machine and run on another, with LOGS copied as well.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
FAILURE = re.compile(r'\bfail(?:ed|ure)?\b|mismatch|do not match|does not match|not match|incorrect|\bwrong\b|\bnot ok\b|CUDA error|\binvalid\b|^error\b(?! \()|results differ|no such file|^usage:',
                     re.IGNORECASE)
NO_FAILURE = re.compile(r'\b(?:0|no|zero) (?:fail|mismatch|error|wrong|incorrect)|fail(?:ed|ures|ure)?\s*[:=]\s*0\b|mismatch(?:es)?\s*[:=]\s*0\b', re.IGNORECASE)


def table(name):
    """Lines `program: rest` of a file beside this one."""
    path = HERE / name
    rows = [line for line in path.read_text().splitlines() if line and not line.startswith('#')] if path.exists() else []
    return dict(line.split(': ', 1) if ': ' in line else (line.rstrip(':'), '') for line in rows)


def run(command, folder, environment, seconds, log):
    """The exit code, None where it took too long; all processes of it are ended. Adds to the log."""
    log.write(f'$ {command}\n')
    log.flush()
    child = subprocess.Popen(['bash', '-c', command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=log,
                             stderr=subprocess.STDOUT, start_new_session=True)
    try:
        return child.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        log.write('\n[took too long]\n')
        return None


def neighbours(program):
    """Files beside a program that have what a header of theirs, which it includes, declares."""
    headers = re.findall(r'#include\s*"(?:.*/)?([^"/]+)\.h(?:pp)?"', program.read_text(errors='replace'))
    return [path.name for name in headers for path in sorted(program.parent.glob(f'{name}.c*'))
            if path.suffix in ('.c', '.cpp', '.cu') and path != program]


def executable(program):
    """Of its own, as several programs of a folder are built at the same time."""
    return f'trial_{re.sub("[^A-Za-z0-9]", "_", program.name)}'


def build_command(program, samples):
    """The folder, and a shell command that leaves the program there as what executable() says, or as what its run target
    names. Archives in the folder, and in those beside it that its Makefile names, are unpacked first, as the suites say."""
    unpack = ('for f in *.tar.gz $(grep -so "[.][.]/[A-Za-z0-9_-]*" Makefile | sed "s:$:/*.tar.gz:"); do '
              '[ ! -e "$f" ] || tar xzf "$f" -C "$(dirname "$f")"; done; ')
    if program.is_file():
        options = ' -Xcompiler -fopenmp' if 'omp.h' in program.read_text(errors='replace') else ''
        common = shlex.quote(str(samples / 'Common')) # what the toolkit once brought as samples/common/inc
        files = ' '.join(shlex.quote(name) for name in [program.name, *neighbours(program)])
        return program.parent, f'nvcc -O2 -arch=sm_90 -I. -I.. -I../common -I../../common -I{common}{options} -o {executable(program)} {files} -lm'
    if (program / 'Makefile').exists():
        return program, f'{unpack}make -B ARCH=sm_90 CUDA_DIR="$TOOLKIT" CUDA_PATH="$TOOLKIT" CUDA_HOME="$TOOLKIT"'
    files = ' '.join(shlex.quote(path.name) for path in sorted(program.iterdir()) if path.suffix in ('.cu', '.cpp', '.c'))
    common = '-I../../../Common'
    return program, f'{unpack}nvcc -O2 -arch=sm_90 {common} -o {executable(program)} {files}'


def run_command(program, folder, sizes, name, environment):
    if name in sizes:
        return sizes[name]
    if program.is_dir() and (program / 'Makefile').exists():
        told = subprocess.run(['make', '-n', 'run'], cwd=folder, env=environment, capture_output=True, text=True,
                              check=False).stdout.replace('\\\n', ' ').splitlines()
        lines = [line for line in told if './' in line and not re.match(r'\S*(?:nvcc|g\+\+|gcc|make)\b', line)]
        if lines:
            return '; '.join(lines)
        newest = max((path for path in folder.iterdir() if path.is_file() and os.access(path, os.X_OK)),
                     key=lambda path: path.stat().st_mtime, default=None)
        return f'./{newest.name}' if newest else './none'
    return f'./{executable(program)}'


def build(name, options, environment, path):
    """The exit code of building it; its log begins afresh."""
    with open(path, 'w', encoding='utf-8') as log:
        folder, command = build_command(options.folder / name, options.folder / 'NVIDIA__cuda-samples')
        code = run(command, folder, environment, 600, log)
        log.write(f'-- built: {code}\n')
    return code


def one(name, options, environment, sizes):
    path = options.logs / (re.sub(r'[/ ]', '_', name) + '.txt')
    start = time.monotonic()
    if options.only != 'run':
        build(name, options, environment, path)
    if not path.exists() or '-- built: 0\n' not in path.read_text(errors='replace'):
        return name, 'not built', time.monotonic() - start
    if options.only == 'build':
        return name, 'built', time.monotonic() - start
    with open(path, 'r+', encoding='latin-1') as log:  # a character is a byte: truncate() counts bytes
        log.truncate(log.read().index('-- built: 0\n') + len('-- built: 0\n'))
        log.seek(0, 2)
        log.write('-- run\n')
        log.flush()
        begin = log.tell()
        folder, _ = build_command(options.folder / name, options.folder)
        start = time.monotonic()
        code = run(run_command(options.folder / name, folder, sizes, name, environment), folder, environment, options.seconds, log)
        seconds = time.monotonic() - start
        log.seek(begin)
        text = log.read()
        log.write(f'\n[exit {code}, {seconds:.1f} s]\n')
    lines = [line for line in text.splitlines() if FAILURE.search(line) and not NO_FAILURE.search(line)]
    if code is None:
        return name, 'too long', seconds
    if code != 0:
        return name, f'exit {code}', seconds
    return name, f'says: {lines[0].strip()[:80]}' if lines else 'passed', seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('logs', type=pathlib.Path)
    parser.add_argument('--warpstep', default='warpstep')
    parser.add_argument('--toolkit')
    parser.add_argument('--only', choices=['build', 'run'])
    parser.add_argument('--seconds', type=float, default=120)
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('patterns', nargs='*')
    options = parser.parse_args()
    options.folder = options.folder.resolve()
    options.logs = options.logs.resolve()
    options.logs.mkdir(parents=True, exist_ok=True)
    toolkit = options.toolkit if options.toolkit or options.only == 'run' else subprocess.run([options.warpstep, 'cc', '--toolkit'], check=True, capture_output=True,
                                                text=True).stdout.strip()
    environment = {**os.environ, **({'PATH': f'{toolkit}/bin:{os.environ["PATH"]}', 'TOOLKIT': toolkit} if toolkit else {})}
    sizes = table('sizes.txt')
    names = [name for name in table('drawn.txt') if not options.patterns or any(part in name for part in options.patterns)]
    passed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, outcome, seconds in pool.map(lambda name: one(name, options, environment, sizes), names):
            passed += outcome in ('passed', 'built')
            print(f'{outcome}\t{seconds:.1f} s\t{name}', flush=True)
    print(f'{passed} of {len(names)} {"built" if options.only == "build" else "passed"}')
    sys.exit(passed != len(names))


if __name__ == '__main__':
    main()
