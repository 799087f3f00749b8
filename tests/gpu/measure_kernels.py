#!/usr/bin/env python3
"""Measures the cycles of exported jobs on a real CUDA device, with Nsight Compute.

    measure_kernels.py [--profile PAGE.csv] OUT.csv JOB_FOLDER...

A job folder is what `export_job` writes. Every launch of every job that ends normally is measured
REPEATS times with cold caches (`--cache-control all`) at the clock that the device has (`--clock-control
none`); buffers are as at the start each time. OUT.csv has one row a launch: job, its place among the job's
launches, kernel, the median, smallest and largest of sm__cycles_active.max, and smsp__inst_executed.sum.

`tests/model/kernels.py` compares the simulator with such a file. --profile measures everything (`--set full`), and
keeps Nsight Compute's own page: `warpstep compare LAUNCH_FILE --ncu PAGE.csv` shows a launch of it beside a run.
"""
import csv
import os
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import run_on_device

REPEATS = 7
METRICS = ('sm__cycles_active.max', 'smsp__inst_executed.sum')


def play(folder, order):
    """Launches everything under `folder` in order, REPEATS times each, and writes that order to a file."""
    driver = run_on_device.Driver()
    with open(order, 'w', encoding='utf-8') as out:
        for name in sorted(os.listdir(folder)):
            job_folder = os.path.realpath(os.path.join(folder, name, 'job'))
            job = run_on_device.read_job(job_folder)
            module = driver.load(run_on_device.read_file(os.path.join(folder, name), 'cubin'))
            buffers = run_on_device.allocate_buffers(driver, job)
            for _ in range(REPEATS):
                run_on_device.write_initial(driver, job, job_folder, module, buffers)
                for place, launch in enumerate(job['launches']):
                    run_on_device.launch_with(driver, module, launch, buffers)
                    print(name, place, launch['kernel'], sep='\t', file=out)
            for pointer in buffers.values():
                driver.free(pointer)
            driver.unload(module)


def build_all(folder, jobs):
    """Builds what can be measured: FOLDER/NAME/cubin, and FOLDER/NAME/job, a link to the job."""
    arch = run_on_device.Driver().arch

    def build(job):
        name = os.path.basename(os.path.normpath(job))
        cubin = run_on_device.build(job, arch)
        os.makedirs(os.path.join(folder, name))
        with open(os.path.join(folder, name, 'cubin'), 'wb') as file:
            file.write(cubin)
        os.symlink(os.path.realpath(job), os.path.join(folder, name, 'job'))

    wanted = [job for job in jobs if run_on_device.read_job(job)['status'] == 'ok']
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(build, wanted))


def rows_of(text):
    """The CSV that ncu prints, one dictionary a launch, in order."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    table = list(csv.DictReader(lines))
    return [row for row in table if row['ID']]  # the second line has units


def main():
    if sys.argv[1] == '--play':
        play(sys.argv[2], sys.argv[3])
        return
    profile = None
    if sys.argv[1] == '--profile':
        profile = sys.argv[2]
        del sys.argv[1:3]
    out, jobs = sys.argv[1], sys.argv[2:]
    measured = ['--set', 'full'] if profile else ['--metrics', ','.join(METRICS)]
    with tempfile.TemporaryDirectory() as scratch:
        folder, order = os.path.join(scratch, 'built'), os.path.join(scratch, 'order')
        os.makedirs(folder)
        build_all(folder, jobs)
        command = ['ncu', '--clock-control', 'none', '--cache-control', 'all', '--csv', '--page', 'raw',
                   *measured, sys.executable, os.path.abspath(__file__), '--play', folder, order]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        rows = rows_of(done.stdout)
        with open(order, encoding='utf-8') as file:
            launches = [line.rstrip('\n').split('\t') for line in file]
    if done.returncode != 0 or len(rows) != len(launches):
        sys.exit(f'ncu: {len(rows)} rows of {len(launches)}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}')
    if profile:
        with open(profile, 'w', encoding='utf-8') as file:
            file.writelines(line + '\n' for line in done.stdout.splitlines() if line.startswith('"'))
    seen = {}
    for row, launch in zip(rows, launches):
        seen.setdefault(tuple(launch), []).append([int(float(row[metric].replace(',', ''))) for metric in METRICS])
    with open(out, 'w', encoding='utf-8', newline='') as file:
        writer = csv.writer(file, lineterminator='\n')
        writer.writerow(['job', 'launch', 'kernel', 'cycles', 'cycles_min', 'cycles_max', 'warp_instructions'])
        for key, figures in seen.items():
            cycles = [f[0] for f in figures]
            writer.writerow([*key, statistics.median_low(cycles), min(cycles), max(cycles),
                             statistics.median_low(f[1] for f in figures)])
    print(f'{len(seen)} launches measured, {REPEATS} times each')


if __name__ == '__main__':
    main()
