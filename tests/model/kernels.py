#!/usr/bin/env python3
"""kernels.py WARPSTEP ROOT PAGE [--check] [--plain]: simulates every kernel that was measured on an H200
(tests/data/h200_kernels.csv, by tests/gpu/measure_kernels.py) and puts the table of both between two marks in PAGE,
docs/understand/kernels.md, or says that the page is out of date, unless another clang compiles than its figures are of.
With --plain it is the table of the error with and without the fitted settings of the H200: devices h200 and h200-plain.
Takes a minute. The exit code is 1 for that, and if the mean or median error of the cycles is over what is allowed here."""
import csv
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../cli'))
import clangs  # noqa: E402
import shared_runs  # noqa: E402

BEGIN = '<!-- begin: written by ninja update-kernels -->\n'
BEGIN_PLAIN = '<!-- begin: with and without fitted settings, written by ninja update-kernels-plain -->\n'
END = '<!-- end -->\n'
# Percent. Launches are also counted without those whose times on the H200 itself differ by more than NOISY
# percent from smallest to largest.
ALLOWED_MEAN = 12
ALLOWED_MEDIAN = 7.5
# With another clang than the page is of: 13.8 and 8.5 with clang 19.1.7.
OTHERS_MEAN = 15
OTHERS_MEDIAN = 9.5
NOISY = 20
SMS = '132'
DEFAULT_DEVICE = 'h200'  # of launch files that name none


def measured(root):
    with open(os.path.join(root, 'tests/data/h200_kernels.csv'), encoding='utf-8', newline='') as file:
        return list(csv.DictReader(file))


def target_of(job, root, labs):
    """The launch file that an exported job came from. A lab's reference stands beside its public launches."""
    name, launch = job.removeprefix('lab-').split('-', 1)
    if not job.startswith('lab-'):
        return os.path.join(root, 'workloads', name, launch + '.yaml')
    folder = os.path.join(labs, name)
    if not os.path.isdir(folder):
        lab = os.path.join(root, 'workloads/labs', name)
        shutil.copytree(os.path.join(lab, 'reference'), folder)
        shutil.copytree(os.path.join(lab, 'public'), os.path.join(folder, 'public'))
    return os.path.join(folder, 'public', launch + '.yaml')


def simulate(warpstep, target, device):
    """Cycles and warp instructions of each launch, on all SMs: some launch files ask for one."""
    options = ['--device', device, '--sms', SMS]
    with open(target, encoding='utf-8') as file:
        if device == DEFAULT_DEVICE and not re.search(r'\b(device|sms)\b', file.read()):
            options = []  # other tests look at this run too
    if pathlib.Path(target).is_relative_to(shared_runs.WORKLOADS):
        done = shared_runs.run(warpstep, os.path.relpath(target, shared_runs.WORKLOADS), *options)
    else:
        done = subprocess.run([warpstep, 'run', target, *options, '--format', 'json'], capture_output=True, text=True, check=False)
    if not done.stdout:
        sys.exit(f'{target}: {done.stderr}')
    run = json.loads(done.stdout)
    return [(launch['cycles'], launch['warp_instructions']) for launch in run.get('launches') or [run]]


def percent(simulated, real):
    return 100 * (simulated - real) / real


HEAD = '| | launches | mean error, % | median | 90 % are below | within 10 % |\n| --- | ---: | ---: | ---: | ---: | ---: |\n'


def summary(name, errors):
    sizes = sorted(abs(e) for e in errors)
    within = sum(1 for e in sizes if e <= 10)
    return (f'| {name} | {len(sizes)} | {statistics.mean(sizes):.1f} | {statistics.median(sizes):.1f} | '
            f'{sizes[int(0.9 * (len(sizes) - 1))]:.1f} | {within} |')


def tables(rows, results):
    """The page's tables, and the mean and median error of the cycles in percent."""
    cycles, steady, instructions, lines = [], [], [], []
    for row in rows:
        simulated, simulated_instructions = results[row['job']][int(row['launch'])]
        real = int(row['cycles'])
        error = percent(simulated, real)
        spread = percent(int(row['cycles_max']), int(row['cycles_min']))
        cycles.append(error)
        if spread <= NOISY:
            steady.append(error)
        instructions.append(percent(simulated_instructions, int(row['warp_instructions'])))
        lines.append(f"| {row['job'].replace('-', '/', 2 if row['job'].startswith('lab-') else 1)} {row['launch'] if row['launch'] != '0' else ''}".rstrip() +
                     f" | {real:,} | {row['cycles_min']} to {row['cycles_max']} | {simulated:,} | {error:+.1f} | "
                     f"{instructions[-1]:+.1f} |")
    text = HEAD + summary('cycles', cycles) + '\n'
    text += summary(f'cycles of launches that vary by less than {NOISY} % on the H200', steady) + '\n'
    text += summary('warp instructions', instructions) + '\n\n'
    text += '| launch | H200, cycles | smallest to largest | simulated | error, % | warp instructions, % |\n'
    text += '| --- | ---: | ---: | ---: | ---: | ---: |\n' + '\n'.join(lines) + '\n'
    return text, statistics.mean(map(abs, cycles)), statistics.median(map(abs, cycles))


def errors_of(rows, results):
    return [percent(results[row['job']][int(row['launch'])][0], int(row['cycles'])) for row in rows]


def with_and_without(rows, fitted, plain):
    """The table of both devices, and the mean and median error of the cycles of the fitted one."""
    errors = errors_of(rows, fitted)
    text = HEAD + summary('`h200`: with fitted settings', errors) + '\n'
    text += summary('`h200-plain`: without', errors_of(rows, plain)) + '\n'
    return text, statistics.mean(map(abs, errors)), statistics.median(map(abs, errors))


def main():
    warpstep, root, page = sys.argv[1:4]
    rows = measured(root)
    plain = '--plain' in sys.argv
    with tempfile.TemporaryDirectory() as labs, ThreadPoolExecutor(os.cpu_count()) as pool:
        targets = {row['job']: target_of(row['job'], root, labs) for row in rows}
        results = [dict(zip(targets, pool.map(lambda target, device=device: simulate(warpstep, target, device), targets.values())))
                   for device in (('h200', 'h200-plain') if plain else ('h200',))]
    begin = BEGIN_PLAIN if plain else BEGIN
    text, mean, median = with_and_without(rows, *results) if plain else tables(rows, *results)
    with open(page, encoding='utf-8') as file:
        old = file.read()
    before, rest = old.split(begin)
    wanted = before + begin + text + END + rest.split(END, 1)[1]
    if wanted != old and '--check' in sys.argv and clangs.OTHER:
        print(f'{page} is of clang {clangs.PUBLISHED}, and differs with {clangs.OTHER}')
    elif wanted != old and '--check' in sys.argv:
        sys.exit(f'{page} is out of date; run: ninja -C build update-kernels update-kernels-plain')
    elif wanted != old:
        with open(page, 'w', encoding='utf-8') as file:
            file.write(wanted)
    print(f'cycles: mean error {mean:.2f} %, median {median:.2f} %')
    allowed = (OTHERS_MEAN, OTHERS_MEDIAN) if clangs.OTHER else (ALLOWED_MEAN, ALLOWED_MEDIAN)
    sys.exit(1 if mean > allowed[0] or median > allowed[1] else 0)


if __name__ == '__main__':
    main()
