#!/usr/bin/env python3
"""Draws 150 programs of public CUDA suites, for the trial of `warpstep cc`: draw.py FOLDER >drawn.txt

FOLDER holds a checkout of each suite of SUITES, named OWNER__NAME. A program is a folder of a suite that is built by one
Makefile (or one CMakeLists.txt), or a .cu file with a main of its own. Those that need a library of which there is no source
are left out before the draw; nothing is replaced after it.
"""

import pathlib
import random
import re
import sys

SEED = 20261127
COUNT = 150

# suite, pattern of its folders (or files, where it ends in .cu)
SUITES = (
    ('NVIDIA__cuda-samples', 'Samples/[0-6]_*/*'),
    ('ORNL__HeCBench', 'src/*-cuda'),
    ('yuhc__gpu-rodinia', 'cuda/*'),
    ('sgrauerg__polybenchGpu', 'CUDA/*'),
    ('sgrauerg__polybenchGpu', 'CUDA/*/*'),
    ('karpathy__llm.c', 'dev/cuda/*.cu'),
    ('olcf__cuda-training-series', 'exercises/**/*.cu'),
    ('CoffeeBeforeArch__cuda_programming', '**/*.cu'),
    ('Infatoshi__cuda-course', '**/*.cu'),
    ('PacktPublishing__Learn-CUDA-Programming', '**/*.cu'),
    ('brucefan1983__CUDA-Programming', '**/*.cu'),
    ('deeperlearning__professional-cuda-c-programming', '**/*.cu'),
)

# Libraries without source (of the toolkit or the driver), graphics, other machines; and programs of the driver's API.
CLOSED = re.compile(
    r'^\s*#\s*include\s*[<"](?:cublas|cufft|cusparse|cusolver|curand\.h|cudnn|nccl|nvshmem|npp|nvjpeg|nvrtc|nvgraph|cutensor|cupti'
    r'|nvml|cudla|nvvm|nvsci|cufile|GL/|EGL/|GLFW/|helper_gl|vulkan|openacc|mpi\.h|opencv)|\bcu(?:Init|ModuleLoad\w*|DeviceGet)\s*\(',
    re.IGNORECASE | re.MULTILINE)
# What its reader is to complete.
SKELETON = re.compile(r'\bFIXME\b')
SOURCES = ('.cu', '.cuh', '.c', '.cc', '.cpp', '.cxx', '.h', '.hpp')


def sources(program):
    if program.is_file():
        return [program]
    return [path for path in sorted(program.rglob('*')) if path.suffix in SOURCES and path.is_file()]


def is_program(program):
    text = [path.read_text(errors='replace') for path in sources(program)]
    if program.is_dir() and not any(path.suffix == '.cu' for path in program.iterdir() if path.is_file()):
        return False
    return any(re.search(r'\bmain\s*\(', one) for one in text) and not any(CLOSED.search(one) or SKELETON.search(one) for one in text)


def main():
    root = pathlib.Path(sys.argv[1])
    programs = sorted({str(path.relative_to(root)) for suite, pattern in SUITES for path in (root / suite).glob(pattern)
                       if (path.is_dir() != pattern.endswith('.cu')) and is_program(path)})
    drawn = sorted(random.Random(SEED).sample(programs, COUNT))
    print(f'# {COUNT} of {len(programs)} programs, drawn by draw.py with seed {SEED}.')
    for program in drawn:
        print(program)


if __name__ == '__main__':
    main()
