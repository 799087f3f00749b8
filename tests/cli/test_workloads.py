#!/usr/bin/env python3
"""test_workloads.py WARPSTEP WORKLOADS: runs every launch file of every workload, whose `expect` must
hold, and checks the exact numbers that teaching texts ask for."""
import glob
import json
import os
import re
import subprocess
import sys

import shared_runs
import suite_sizes
from clangs import HAS_CLANG

warpstep, folder = sys.argv[1:3]

# launch file: (warps launched, warps diverged) on an H200, or on the device that the file names
WARPS = {
    'warp_formation/line_256': (8, 0),
    'warp_formation/launch': (8, 0),
    'warp_formation/square_8': (2, 0),
    'warp_formation/box_4x8x2': (2, 0),
    'warp_formation/line_48': (2, 0),
    'warp_formation/line_255': (8, 0),
    'warp_formation/line_70': (3, 0),
    'warp_formation/square_4': (1, 0),
    'warp_formation/three_blocks': (24, 0),
    'vecadd/n1003': (32, 1),
    'vecadd/n100': (4, 1),
    'vecadd/n1000': (32, 1),
    'vecadd/n10000': (314, 1),
    'colour_to_grey/launch': (160, 31),
    'colour_to_grey/w200h150': (1040, 75),
    'colour_to_grey/w76h63': (160, 36),
    'even_odd/launch': (256, 0),
    'even_odd/by_choice': (256, 0),
    'even_odd/by_warp': (256, 0),
    'even_odd/by_thread_100': (256, 256),
    'even_odd/by_choice_100': (256, 0),
    'even_odd/by_warp_100': (256, 0),
    'even_odd/launch-bytecode': (1, 1),
    'if_else/launch': (1, 1),
    'if_else/over_two': (4, 1),
    'if_else/branch_100': (128, 128),
    'if_else/select_100': (128, 0),
    'with_without_divergence/launch': (512, 512),
    'with_without_divergence/all_taken': (512, 0),
    'with_without_divergence/none_taken': (512, 0),
    'with_without_divergence/alternate_warps': (512, 0),
    'with_without_divergence/sorted': (512, 1),
    'with_without_divergence/interleaved': (32, 32),
    'with_without_divergence/interleaved_sorted': (32, 0),
    'with_without_divergence/boundary': (32, 1),
}

# launch file of bytecode: mnemonic -> lanes of each line with it, in order, per pass
A, B = 'FADD R1, R1, 1 ;', 'FADD R1, R1, 1000 ;'
SPLITS = {
    'threshold_divergence/launch-bytecode': (16, 16, 1616, 3232),
    'threshold_divergence/bytecode-31-1': (31, 1, 3101, 3232),
    'threshold_divergence/bytecode-1-31': (1, 31, 131, 3232),
    'threshold_divergence/bytecode-all-a': (32, 0, 3200, 3200),
    'threshold_divergence/bytecode-all-b': (0, 32, 32, 32),
}

# launch file: text of a source line -> (instructions issued there, lanes of all of them). BSSY and
# BSYNC, placed by the assembler with all 32 lanes, count for the line that they stand in front of.
LINES = {
    'even_odd/launch-bytecode': {'FADD R4, R4, 10 ;': (1, 16), 'FMUL R4, R4, 10 ;': (1, 16),
                                 'STG.E [R2], R4 ;': (1 + 1, 32 + 32)},
    'if_else/launch-bytecode': {'MOV R4, 1 ;': (1, 24), 'MOV R4, 2 ;': (1, 8),
                                'IADD3 R4, R4, 10, RZ ;': (1 + 1, 32 + 32)},
    'if_else/bytecode-nested': {'MOV R4, 1 ;': (1, 8), 'MOV R4, 2 ;': (1, 8),
                                'MOV R4, 3 ;': (1, 16)},
    'if_else/bytecode-switch': {'MOV R4, 10 ;': (1, 8), 'MOV R4, 20 ;': (1, 8),
                                'MOV R4, 30 ;': (1, 8), 'MOV R4, 40 ;': (1, 8)},
    'if_else/bytecode-early_exit': {'IADD3 R4, R0, 1, RZ ;': (1, 16)},
    # rounds of 32, 28, ..., 4 lanes
    'if_else/bytecode-break': {'IADD3 R4, R4, 1, RZ ;': (8 + 1, sum(range(4, 36, 4)) + 32)},
    # four passes of 32 lanes, then 24, 16, 8 and 1
    'loop_trips/launch-bytecode': {'IADD3 R2, R2, 1, RZ ;': (8 + 1, 4 * 32 + 24 + 16 + 8 + 1 + 32)},
    'tensor_tile/launch-bytecode': {
        'HMMA.16816.F32 R16, R8, R12, RZ ;   // columns 0 to 7': (1, 32),
        'HMMA.16816.F32 R20, R8, R14, RZ ;   // columns 8 to 15': (1, 32)},
    # guarded: every instruction is issued once, by the whole warp
    'threshold_divergence/timeline': {'@P0 FADD R1, R1, 1 ;': (100, 3200),
                                      '@!P0 FADD R1, R1, 1000 ;': (1, 32)},
}

# launch file: passes over the banks of shared memory beyond those that the width takes
BANK_CONFLICTS = {'tensor_tile/gemm': 1024, 'tensor_tile/gemm_padded': 0}

failures = []
tests = 0

ITS = ('--set', 'divergence.model=its')
STACK = ('--set', 'divergence.model=stack')
NONE = ('--set', 'divergence.model=none')
LIVELOCK = 'a warp repeats itself for ever while lanes of it wait for the others'

# What --check finds in those that show it on purpose.
FINDINGS = {'warp_synchronous/exchange': ['races'], 'warp_synchronous/sum': ['races'],
            'barrier_divergence/both_sides': ['barriers']}

# launch file: runs of it besides, and instead of, one with all settings as they are: options, exit
# code, and what the messages say
OUTCOMES = {
    'transpose/misplaced': [((), 1, [])],
    'spin_lock/launch': [(ITS, 0, []), (STACK, 5, [LIVELOCK, 'warp 0, lanes 0: '])],
    'spin_lock/meeting': [(ITS, 5, [LIVELOCK]), (STACK, 5, [LIVELOCK])],
    'spin_lock/in_turn': [(ITS, 0, []), (STACK, 0, [])],
    'spin_lock/waiter': [(ITS, 0, []), (STACK, 5, [LIVELOCK]),
                         ((*STACK, '--set', 'divergence.first_side=more_lanes'), 0, [])],
    'spin_lock/token': [(ITS, 0, []), (STACK, 5, [LIVELOCK])],
    'spin_lock/bytecode-naive': [(ITS, 0, []), (STACK, 5, [LIVELOCK])],
    'spin_lock/bytecode-early_join': [(ITS, 5, [LIVELOCK]), (STACK, 5, [LIVELOCK])],
    'spin_lock/bytecode-no_yield': [(ITS, 0, []), (STACK, 5, [LIVELOCK])],
    'barrier_divergence/one_side': [
        (ITS, 5, ['lanes wait for each other and none can continue',
                  'warp 0, lanes 0-15: wait for all lanes of the warp at', 'kernel.cu:11 (__syncthreads)',
                  'warp 1, lanes 16-31: wait', 'kernel.cu:14 (__syncwarp)']),
        (STACK, 4, ['block barrier inside divergent code', 'kernel.cu:11 (__syncthreads)',
                    'warp 0, lanes 0-15: come to barrier 0 at'])],
    'barrier_divergence/both_sides': [
        (ITS, 5, ['lanes wait for each other and none can continue',
                  'warp 0, lanes 0-15: wait for all lanes of the warp at', 'kernel.cu:24 (__syncthreads)',
                  'warp 0, lanes 16-31: wait for all lanes of the warp at', 'kernel.cu:28 (__syncthreads)']),
        (STACK, 4, ['warp 0, lanes 0-15: come to barrier 0 at', 'kernel.cu:24 (__syncthreads)',
                    'lanes 16-31: inactive, to resume at'])],
    'barrier_divergence/both_sides_unaligned': [
        (ITS, 0, ['warning: threads met at a block barrier from different instructions',
                  'kernel.cu:39 (__syncthreads)', 'kernel.cu:43 (__syncthreads)']),
        (NONE, 0, []),
        (STACK, 4, ['warp 0, lanes 0-15: come to barrier 0 at', 'kernel.cu:39 (__syncthreads)',
                    'lanes 16-31: inactive, to resume at'])],
    'barrier_divergence/launch': [(ITS, 0, []), (STACK, 0, [])],
    'barrier_divergence/ended': [(ITS, 0, []), (STACK, 0, [])],
    'warp_synchronous/exchange': [(ITS, 1, []), (STACK, 1, [])],
    'warp_synchronous/launch': [(ITS, 0, []), (NONE, 0, []), (STACK, 1, [])],
    'warp_synchronous/sum': [(ITS, 0, []), (STACK, 0, []), (NONE, 1, [])],
    'warp_synchronous/sum_sync': [(ITS, 0, []), (STACK, 0, []), (NONE, 0, [])],
}

# Folder or file name's beginning: with what size --check looks at it, where that of the figures takes it long.
CHECKED_WITH = {'register_cap/': ['n=8192'], 'block_size/': ['n=8192'], 'reduction/large_': ['n=32768'],
                'reduction/warm_': ['n=32768'], 'launch_bounds/': ['blocks_of_256=32', 'n=8192'],
                'colour_to_grey/w1000': ['width=104', 'height=78'], 'colour_to_grey/w1008': ['width=112', 'height=80']}


def check(what, wanted, got):
    global tests
    tests += 1
    good = wanted == got
    print(f'{"ok" if good else "not ok"} {tests} - {what}' +
          ('' if good else f': wanted {wanted}, got {got}'), flush=True)
    if not good:
        failures.append(what)


def run(path, *options):
    return finished(subprocess.run([warpstep, 'run', path, '--format', 'json', *options],
                                   capture_output=True, text=True))


def finished(done):
    """Its exit code and what it wrote."""
    if done.returncode != 0:
        print('# ' + done.stderr.strip().replace('\n', '\n# '))
    return done.returncode, json.loads(done.stdout) if done.stdout else None


def run_checked(name, path):
    """The run of the launch file; its findings are those with another size, where that takes long."""
    if name.startswith('suite/'):  # test_suite.py runs these as they are
        return run(path, '--check', 'all', *suite_sizes.options_of(name.removeprefix('suite/')))
    sizes = next((sizes for start, sizes in CHECKED_WITH.items() if name.startswith(start)), None)
    if sizes is None:
        return run(path, '--check', 'all')
    code, checked = run(path, '--check', 'all', *(option for size in sizes for option in ('--launch', size)))
    if code == 0:
        code, result = finished(shared_runs.run(warpstep, name))
        return code, {**result, 'findings': checked['findings']}
    return code, checked


def check_findings(name, result):
    """Only workloads that show a race have one."""
    found = sorted({finding['check'] for finding in result['findings']})
    check(name + ': what --check finds', FINDINGS.get(name, []), found)


def check_outcomes(name, path):
    done = subprocess.run([warpstep, 'run', path, '--format', 'json', '--check', 'all'],
                          capture_output=True, text=True)
    check_findings(name, json.loads(done.stdout))
    for options, wanted, texts in OUTCOMES[name]:
        done = subprocess.run([warpstep, 'run', path, '--format', 'json', *options],
                              capture_output=True, text=True)
        what = ' '.join((name, *options))
        check(what + ': exit code', wanted, done.returncode)
        for text in texts:
            check(f'{what}: says {text}', True, text in done.stderr)


def line_counts(name, result):
    """Source text of a line -> [instructions, lanes, lanes with a true guard]."""
    kernel = result['kernel']
    with open(os.path.join(folder, os.path.dirname(name), 'kernel.wsasm')) as source:
        text = source.read().split('\n')
    first = next(i for i, t in enumerate(text) if t.split()[:2] == ['.kernel', kernel])
    last = next((i for i in range(first + 1, len(text)) if text[i].startswith('.kernel')),
                len(text))
    counts = {}
    for line in result['lines']:
        if line['file'] is None or not first < line['line'] <= last:
            continue
        sums = counts.setdefault(text[line['line'] - 1].strip(), [0, 0, 0])
        for i, key in enumerate(('instructions', 'lanes', 'lanes_pred_on')):
            sums[i] += line[key]
    return counts


def check_occupancy(name, result):
    """Residency and losses add up to the theoretical occupancy, in every launch and in sum."""
    for launch in [*result['launches'], result]:
        occupancy = launch['occupancy']
        check(name + ': warp-cycles and losses', occupancy['possible_warp_cycles'],
              launch['warp_cycles'] + sum(occupancy['losses'].values()))


def check_matmul(results):
    """Occupancy does not rank performance: all have the same theoretical one, and the one with the
    highest IPC is the slowest."""
    naive, padded, tile_16, tile_32 = (results['matmul/' + name] for name in (
        'naive', 'tile_32_padded', 'launch', 'tile_32'))
    check('matmul: theoretical occupancy', [1, 1, 1, 1],
          [r['occupancy']['theoretical'] for r in (naive, padded, tile_16, tile_32)])
    check('matmul: no SM is idle', 0,
          sum(r['occupancy']['idle_sms'] for r in (naive, padded, tile_16, tile_32)))
    check('matmul: naive achieves more occupancy and IPC than tile 16', True,
          naive['occupancy']['achieved'] > tile_16['occupancy']['achieved'] and
          naive['ipc'] > 1.2 * tile_16['ipc'])
    # An H200 at n = 4096: naive 5.2 to 6.0, padded 7.1, tile 16 8.2, tile 32 9.0 TFLOPS
    check('matmul: naive takes more than 1.3 times the cycles of tile 16', True,
          naive['cycles'] > 1.3 * tile_16['cycles'])
    check('matmul: ranks', True, tile_32['cycles'] < tile_16['cycles'] < padded['cycles'] < naive['cycles'])


def check_calculator(name, result):
    """`occupancy --kernel` answers what the run of the same launch file is limited by."""
    done = subprocess.run([warpstep, 'occupancy', '--kernel', os.path.join(folder, name + '.yaml'),
                           '--format', 'json'], capture_output=True, text=True)
    check(name + ': occupancy --kernel', '', done.stderr)
    answer, occupancy = json.loads(done.stdout or '{}'), result['launches'][0]['occupancy']
    check(name + ': calculator and run agree',
          [occupancy['blocks_per_sm'], occupancy['theoretical'], occupancy['limiters']],
          [answer.get(key) for key in ('blocks_per_sm', 'occupancy', 'limiters')])


def source_line(name, number):
    with open(os.path.join(folder, os.path.dirname(name), 'kernel.cu')) as source:
        return source.read().split('\n')[number - 1].strip()


def main():
    files = sorted(glob.glob(os.path.join(folder, '*', '*.yaml')))
    assert len(files) > 80, files
    results = {}
    for path in files:
        name = os.path.relpath(path, folder)[:-len('.yaml')]
        with open(path) as launch:
            if not HAS_CLANG and re.search(r'^program: \w+\.cu$', launch.read(), flags=re.M):
                continue
        if name in OUTCOMES:
            check_outcomes(name, path)
            continue
        code, result = run_checked(name, path)
        check(name + ' runs and its outputs are right', 0, code)
        if code != 0:
            continue
        results[name] = result
        check_findings(name, result)
        check_occupancy(name, result)
        if name.endswith('/launch') or name.startswith('matmul/'):
            check_calculator(name, result)
        if name in WARPS:
            got = (result['warps']['launched'], result['warps']['diverged'])
            check(name + ': warps launched, diverged', WARPS[name], got)
        if name in SPLITS:
            lanes_a, lanes_b, used, possible = SPLITS[name]
            counts = line_counts(name, result)
            a, b = counts.get(A, [0, 0, 0]), counts.get(B, [0, 0, 0])
            check(name + ': path A', (100 * (lanes_a > 0), 100 * lanes_a), tuple(a[:2]))
            check(name + ': path B', (int(lanes_b > 0), lanes_b), tuple(b[:2]))
            check(name + ': lanes used', (used, possible),
                  (a[1] + b[1], 32 * (a[0] + b[0])))
        for text, wanted in LINES.get(name, {}).items():
            got = line_counts(name, result).get(text, [0, 0, 0])
            check(f'{name}: {text}', wanted, tuple(got[:2]))
        if name == 'threshold_divergence/timeline':
            counts = line_counts(name, result)
            check(name + ': lanes with a true guard', (1600, 16),
                  (counts['@P0 ' + A][2], counts['@!P0 ' + B][2]))
        if name == 'tensor_tile/launch':
            products = [line['instructions'] for line in result['lines'] if line['file'] is not None
                        and source_line(name, line['line']).startswith('mma_sync(')]
            check(name + ': two matrix instructions', [2], products)
        if name in BANK_CONFLICTS:
            check(name + ': bank conflicts', BANK_CONFLICTS[name],
                  result['memory']['shared_bank_conflicts'])
        if name == 'reduction/thread_0':
            loop = [line for line in result['lines'] if line['file'] is not None and
                    source_line(name, line['line']) == 'sum += shared[i];']
            check(name + ': one lane at work in the adding loop', True,
                  len(loop) == 1 and loop[0]['lanes'] == loop[0]['instructions'] >= 64 * 256)
    if HAS_CLANG:
        check_matmul(results)
        study = os.path.join(folder, 'warp_formation', 'warp_size.yaml')
        for size, wanted in ((8, (128, 0)), (16, (64, 64)), (32, (32, 32)), (64, (16, 16))):
            code, result = run(study, '--set', f'warp_size={size}')
            check(f'warp size {size}: warps launched, diverged', wanted,
                  (result['warps']['launched'], result['warps']['diverged']) if result else code)
    print(f'1..{tests}')
    return 1 if failures else 0


sys.exit(main())
