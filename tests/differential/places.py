"""Places of random kernels and of labs: each line stores, counts and waits as without optimisation.

places.py TEST_PLACES [--labs FOLDER] [--first N] [--count N] [--known SEQUENCES LINES NAMELESS]; exit code 1 if
more than is known does not hold.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from generator import make_kernel
from trial import Trial

BATCH = 20


def copy_labs(labs, folder):
    """Launch files of the labs whose students write CUDA C, beside the reference."""
    paths = []
    for lab in sorted(pathlib.Path(labs).iterdir()):
        if not (lab / 'public').is_dir() or not list((lab / 'reference').glob('*.cu')):
            continue
        copy = pathlib.Path(folder) / lab.name
        shutil.copytree(lab / 'public', copy)
        for path in (lab / 'reference').iterdir():
            shutil.copy(path, copy)
        for path in sorted(copy.glob('*.yaml')):
            text = path.read_text()
            if 'program:' in text:
                path.write_text(text.replace('../', ''))
                paths.append(str(path))
    return paths


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('test_places')
    parser.add_argument('--first', type=int, default=0, metavar='N', help='number of the first kernel')
    parser.add_argument('--count', type=int, default=BATCH, metavar='N', help='how many')
    parser.add_argument('--labs', metavar='FOLDER', help='all labs there')
    parser.add_argument('--known', nargs=3, default=['0', '0', '0'], metavar='N',
                        help='other sequences, lines that no thread visits, branches without a name')
    tools = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix='places-') as folder:
        paths = copy_labs(tools.labs, folder) if tools.labs else []
        for first in range(tools.first, tools.first + tools.count, BATCH):
            numbers = range(first, min(first + BATCH, tools.first + tools.count))
            paths.append(Trial(tools, [make_kernel(n) for n in numbers], os.path.join(folder, str(first))).path('launch.yaml'))
        return subprocess.call([tools.test_places, *tools.known, *paths])


if __name__ == '__main__':
    sys.exit(main())
