#!/usr/bin/env python3
"""test_textbook_memory.py WARPSTEP WORKLOADS: what teaching texts say of memory, blocks that work
together, and registers. Figures: docs/learn/textbook.md."""
import array
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../cli'))
import shared_runs
from clangs import HAS_CLANG

warpstep = sys.argv[1]
if not HAS_CLANG:
    print('1..0 # SKIP no clang to compile the workloads')
    sys.exit(0)

failures = []
tests = 0


def check(what, good, got):
    global tests
    tests += 1
    print(f'{"ok" if good else "not ok"} {tests} - {what}' + ('' if good else f': got {got}'),
          flush=True)
    if not good:
        failures.append(what)


def equal(what, wanted, got):
    check(f'{what}: {wanted}', wanted == got, got)


def run(name, *options, code=0):
    done = shared_runs.run(warpstep, name + '.yaml', *options)
    if done.returncode != code:
        print('# ' + done.stderr.strip().replace('\n', '\n# '))
    equal(' '.join((name, *options)) + ': exit code', code, done.returncode)
    return json.loads(done.stdout), done.stderr


def figures(name, *options):
    return run(name, *options)[0]


def transpose():
    naive, tiled, padded, copy = (figures('transpose/' + n)
                                  for n in ('naive', 'tiled', 'launch', 'copy'))
    sectors = {n: r['memory']['global_store_sectors'] / r['memory']['global_store_requests']
               for n, r in (('naive', naive), ('tiled', tiled), ('padded', padded))}
    equal('sectors of a store, naive, tiled, padded', [32, 4, 4], list(sectors.values()))
    # a column of tile[32][32] lies in one bank: 31 wavefronts too many for each of 512 loads
    equal('bank conflicts, tiled', 31 * 512, tiled['memory']['shared_bank_conflicts'])
    equal('bank conflicts, padded', 0, padded['memory']['shared_bank_conflicts'])
    times = [r['cycles'] for r in (copy, padded, tiled, naive)]
    check('copy, padded, tiled, naive: each slower than the one before', times == sorted(times),
          times)
    result, _ = run('transpose/misplaced', code=1)
    equal("the text's form: elements out of place", 3968, result['checks'][0]['mismatches'])
    equal("the text's form: sectors of a store", 32,
          result['memory']['global_store_sectors'] / result['memory']['global_store_requests'])


def reduction():
    thread_0, shuffle = figures('reduction/large_thread_0'), figures('reduction/large_shuffle')
    loop = [line for line in thread_0['lines'] if line['lanes'] == line['instructions']]
    check('thread 0 sums: one lane of 32 for more than 256 instructions a block',
          sum(line['instructions'] for line in loop) > 256 * 4096, loop)
    equal('lanes at work in percent, thread 0 and shuffles', (28.6, 98.0),
          tuple(round(100 * r['lane_efficiency'], 1) for r in (thread_0, shuffle)))
    equal('time at 1 M numbers over that of shuffles', 1.53,
          round(thread_0['cycles'] / shuffle['cycles'], 2))
    warm = [figures('reduction/warm_' + n)['launches'] for n in ('thread_0', 'shuffle')]
    for launches in warm:
        check('the second launch finds the numbers in L2', launches[0]['memory']['l2_hit_rate'] < 0.1 and
              launches[1]['memory']['l2_hit_rate'] > 0.8, [x['memory'] for x in launches])
    # an H200: 6.54 and 4.87 us a launch
    apart = (warm[0][1]['cycles'] - warm[1][1]['cycles']) / 1980
    check('warm, 1 M numbers: 1.67 us apart on an H200, within 10 %', abs(apart / 1.67 - 1) < 0.1, apart)
    for name, measured in (('thread_0', 1337), ('shuffle', 1388)):
        result = figures('reduction/large_' + name, '--sms', '4', '--share', 'fair')
        rate = 4 * 1048576 * 33 / (result['cycles'] / 1.98)
        check(f'{name}, much data: {measured} GB/s on an H200, within 8 %', abs(rate / measured - 1) < 0.08, rate)
        check(f'{name}: bandwidth is not what holds it back', result['memory_share']['dram_taken'] < 0.4,
              result['memory_share'])
    figures('reduction/steps')    # lane 0 holds 18, 52, 120, 256, 528
    figures('reduction/partial')  # eight partial sums a block


def matmul():
    n, lanes = 64, 32
    for name, wanted in (('naive', n), ('launch', n / 16), ('tile_32', n / 32),
                         ('tile_32_padded', n / 32)):
        result = figures('matmul/' + name)
        equal(f'matmul/{name}: reads of each element', wanted,
              result['memory']['global_load_requests'] * lanes / (2 * n * n))
        equal(f'matmul/{name}: theoretical occupancy', 1, result['occupancy']['theoretical'])
        equal(f'matmul/{name}: bank conflicts', 0, result['memory']['shared_bank_conflicts'])


def block_size():
    for size in (32, 64, 128, 256, 512, 1024):
        block = ('--launch', f'block={size}')
        memory = figures('block_size/launch', *block)
        # few SMs: a whole GPU of them would wait for blocks, which it hands out one by one
        compute = figures('block_size/compute', *block, '--sms', '16')
        for kind, result in (('memory', memory), ('compute', compute)):
            equal(f'{kind} bound, block of {size}: blocks on an SM', min(32, 2048 // size),
                  result['occupancy']['blocks_per_sm'])
            equal(f'{kind} bound, block of {size}: occupancy', 0.5 if size == 32 else 1,
                  result['occupancy']['theoretical'])
        if size == 32:
            half = memory['cycles'], compute['cycles']
        else:
            check(f'memory bound: half the warps take 1.3 times as long as blocks of {size}',
                  half[0] > 1.3 * memory['cycles'], (half[0], memory['cycles']))
            check(f'compute bound: at most 1.2 times as long as blocks of {size}',
                  half[1] < 1.2 * compute['cycles'], (half[1], compute['cycles']))


def global_sum():
    two = figures('global_sum/launch')
    equal('two kernels: launches', 2, len(two['launches']))
    blocks, threads = figures('global_sum/atomic_blocks'), figures('global_sum/atomic_threads')
    check('an atomic of each thread costs over 10 times that of each block',
          threads['cycles'] > 10 * blocks['cycles'], (threads['cycles'], blocks['cycles']))
    together = figures('global_sum/grid_barrier')
    # a barrier of the grid: the time over the same sums without it
    cost = together['cycles'] - two['launches'][0]['cycles']
    check('a barrier of the grid costs hundreds to thousands of cycles', 300 <= cost < 10000, cost)
    _, message = run('global_sum/grid_barrier', '--sms', '16', code=5)
    check('blocks that wait for blocks without a place',
          '128 blocks have not started: no SM has room for them' in message, message)


def barrier_skew():
    with tempfile.TemporaryDirectory() as out:
        paths = [os.path.join(out, name) for name in ('came', 'left')]
        figures('barrier_skew/launch', '--dump', 'came=' + paths[0], '--dump', 'left=' + paths[1])
        came, left = (array.array('q', open(path, 'rb').read()) for path in paths)
    equal('warps that came and left', (8, 8), (len(came), len(left)))
    check('each warp came later than the one before', list(came) == sorted(came), list(came))
    check('no warp left before the last had come', min(left) > max(came), (max(came), min(left)))
    check('all left within 100 cycles of it', max(left) < max(came) + 100, (max(came), list(left)))


def register_cap():
    free = figures('register_cap/launch')
    equal('no cap: local loads', 0, free['memory']['local_load_requests'])
    equal('no cap: registers, occupancy', (58, 0.5),
          (free['registers_per_thread'], free['occupancy']['theoretical']))
    equal('a cap over the need changes nothing', free['cycles'],
          figures('register_cap/cap_64')['cycles'])
    before = free
    for cap, occupancy in ((48, 0.625), (40, 0.75), (32, 1)):
        result = figures(f'register_cap/cap_{cap}')
        equal(f'cap of {cap}: registers', cap, result['registers_per_thread'])
        equal(f'cap of {cap}: occupancy', occupancy, result['occupancy']['theoretical'])
        check(f'cap of {cap}: more local loads',
              result['memory']['local_load_requests'] > before['memory']['local_load_requests'],
              result['memory'])
        check(f'cap of {cap}: more occupancy, more time', result['cycles'] > before['cycles'],
              (before['cycles'], result['cycles']))
        before = result


def launch_bounds():
    greedy, modest = figures('launch_bounds/greedy'), figures('launch_bounds/launch')
    equal('greedy: registers, blocks on an SM, occupancy', (48, 5, 0.625),
          (greedy['registers_per_thread'], greedy['occupancy']['blocks_per_sm'],
           greedy['occupancy']['theoretical']))
    check('modest: at most 32 registers', modest['registers_per_thread'] <= 32,
          modest['registers_per_thread'])
    equal('modest: occupancy', 1, modest['occupancy']['theoretical'])
    check('to read everything twice takes 1.6 times as long',
          modest['cycles'] > 1.6 * greedy['cycles'], (modest['cycles'], greedy['cycles']))


def grids():
    for name, threads in (('launch', 3840), ('line', 3840), ('plane', 3840), ('odd', 3150)):
        result = figures('grid_index/' + name)
        equal(f'grid_index/{name}: checked elements', threads, result['checks'][0]['elements'])


for part in (transpose, reduction, matmul, block_size, global_sum, barrier_skew, register_cap,
             launch_bounds, grids):
    part()
print(f'1..{tests}')
sys.exit(1 if failures else 0)
