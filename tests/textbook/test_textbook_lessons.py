#!/usr/bin/env python3
"""test_textbook_lessons.py WARPSTEP SOURCE_ROOT: what teaching texts say of alignment, caches, reductions,
barriers and loops. Figures: docs/learn/textbook.md, and the tables in the notes of the workloads."""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../cli'))
import shared_runs
from clangs import HAS_CLANG, OTHER

warpstep, root = sys.argv[1:3]
WORKLOADS = os.path.join(root, 'workloads')
LEAST_RECENT = ('--set', 'memory.l1.replacement=least_recent')
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


def start(command, name, *options):
    return subprocess.run([warpstep, command, os.path.join(WORKLOADS, name), *options],
                          capture_output=True, text=True)


def figures(name, *options):
    done = shared_runs.run(warpstep, name + '.yaml', *options)
    if done.returncode != 0:
        print('# ' + done.stderr.strip().replace('\n', '\n# '))
    equal(' '.join((name, *options)) + ': exit code', 0, done.returncode)
    return json.loads(done.stdout)


def dumped(name, *buffers):
    """Contents of buffers of 32-bit whole numbers after a run."""
    with tempfile.TemporaryDirectory() as out:
        paths = {buffer: os.path.join(out, buffer) for buffer in buffers}
        figures(name, *(x for buffer in buffers for x in ('--dump', f'{buffer}={paths[buffer]}')))
        data = [open(paths[buffer], 'rb').read() for buffer in buffers]
    return [[int.from_bytes(bytes_[i:i + 4], 'little', signed=True)
             for i in range(0, len(bytes_), 4)] for bytes_ in data]


def notes(folder):
    with open(os.path.join(WORKLOADS, folder, 'notes.md')) as text:
        return text.read()


def row(folder, start_of_row):
    """The cells of the table row of the notes that starts so."""
    line = next(t for t in notes(folder).split('\n') if t.startswith('| ' + start_of_row))
    return [cell.strip() for cell in line.strip('|').split('|')]


def number(text):
    return int(text.replace(',', ''))


def sectors(result, kind):
    memory = result['memory']
    return memory[f'global_{kind}_sectors'] / memory[f'global_{kind}_requests']


def alignment():
    cycles, dram = {}, {}
    for name, loads, stores in (('launch', 4, 4), ('loads_1', 5, 4), ('loads_8', 4, 4),
                                ('stores_1', 4, 5), ('cached_0', 4, 4), ('cached_1', 5, 4)):
        result = figures('alignment/' + name)
        cycles[name], dram[name] = result['cycles'], result['memory']['dram_read_bytes']
        equal(f'alignment/{name}: sectors of a load and a store', (loads, stores),
              (sectors(result, 'load'), sectors(result, 'store')))
        noted = number(row('alignment', f'`{name}.')[3])
        check(f'alignment/{name}: cycles as in the notes, of clang 14', noted == cycles[name] or (
            OTHER and abs(noted - cycles[name]) < 0.01 * noted), (noted, cycles[name]))
    for offset in (7, 31, 32):
        result = figures('alignment/launch', '--launch', f'offset={offset}')
        equal(f'an offset of {offset} numbers', 4 if offset % 8 == 0 else 5, sectors(result, 'load'))
    # the fifth sector is the next warp's first: memory delivers one sector pair more in all
    equal('bytes from DRAM', (1048576, 1048640), (dram['launch'], dram['loads_1']))
    equal('what a fifth sector costs, in percent', (4, 2),
          tuple(round(100 * (cycles[n] / cycles['launch'] - 1)) for n in ('loads_1', 'stores_1')))
    few = [figures('alignment/' + name, '--sms', '16')['cycles']
           for name in ('launch', 'loads_1', 'loads_8', 'stores_1')]
    check('on 16 SMs all within 4 %', max(few) < 1.04 * min(few), few)
    equal('from L1 it costs nothing', cycles['cached_0'], cycles['cached_1'])


def cache_share():
    cycles = {}
    for name, hits in (('launch', '0.875'), ('warps_16', '0.776'), ('warps_20', '0.557'),
                       ('warps_32', '0.014')):
        result = figures('cache_share/' + name)
        cycles[name] = result['cycles']
        equal(f'cache_share/{name}: L1 hits', hits, f'{result["memory"]["l1_hit_rate"]:.3f}')
        equal(f'cache_share/{name}: notes', [hits, f'{cycles[name]:,}'],
              row('cache_share', f'`{name}.')[2:])
    check('32 warps do 2.7 times the work of 12 in 2.6 times the time',
          2.55 < cycles['warps_32'] / cycles['launch'] < 2.65, cycles)


def too_many_warps():
    shapes = {8: ('block=256',), 16: ('block=512',), 24: ('block=768',), 32: (),
              48: ('grid=2', 'block=768'), 64: ('grid=2',)}
    text = notes('cache_share')
    for replacement, first_row in (('least_recent', '`least_recent`'), ('sweep', '`sweep`')):
        hits, cycles = [], {}
        for warps, shape in shapes.items():
            options = [x for key in shape for x in ('--launch', key)]
            result = figures('cache_share/same_work', '--sms', '1', '--set',
                             f'memory.l1.replacement={replacement}', *options)
            equal(f'{warps} warps', warps, min(192, result['warps']['launched']))
            hits.append(f'{result["memory"]["l1_hit_rate"]:.3f}')
            cycles[warps] = result['cycles']
        equal(f'{replacement}: L1 hits by warps', row('cache_share', first_row)[1:], hits)
        line = f'| `{replacement}`: cycles | ' + ' | '.join(f'{c:,}' for c in cycles.values()) + ' |'
        check(f'{replacement}: cycles by warps as in the notes', line in text, line)
        equal(f'{replacement}: 48 warps are best', 48, min(cycles, key=cycles.get))
        equal(f'{replacement}: the price of full occupancy in percent',
              31 if replacement == 'least_recent' else 14,
              round(100 * (cycles[64] / cycles[48] - 1)))
        if replacement == 'least_recent':
            equal('64 warps are slower than 32, in percent', 21,
                  round(100 * (cycles[64] / cycles[32] - 1)))


def shuffle_or_shared():
    blocks, warps = 64, 64 * 8
    for name, passes, issued in (('launch', 9, 31), ('shared', 45, 59.125)):
        result = figures('reduction/' + name)
        equal(f'reduction/{name}: passes over the banks a block', passes,
              result['memory']['shared_wavefronts'] / blocks)
        equal(f'reduction/{name}: no bank conflict', 0, result['memory']['shared_bank_conflicts'])
        equal(f'reduction/{name}: instructions a warp', issued, result['warp_instructions'] / warps)
    program = start('disasm', 'reduction/shared.yaml').stdout
    barriers = {kernel.split('\n')[1][3:]: kernel.count('BAR.SYNC')
                for kernel in program.split('.kernel ')[1:]}
    equal('barriers, shuffle and shared', (1, 8),
          (barriers['shuffle_sums'], barriers['shared_sums']))
    cycles = {name: figures('reduction/large_' + name)['cycles']
              for name in ('shuffle', 'shared', 'thread_0')}
    text = 'take {:,}, {} and {} cycles'.format(cycles['thread_0'], cycles['shared'],
                                                 cycles['shuffle'])
    check('times of the large sums as in the notes',
          text in ' '.join(notes('reduction').split()), text)
    equal('shared against shuffle', 1.29, round(cycles['shared'] / cycles['shuffle'], 2))


def barrier_in_uniform_if():
    for model in ('its', 'stack', 'none'):
        result = figures('barrier_divergence/uniform', '--set', f'divergence.model={model}')
        equal(f'{model}: warps launched, diverged', (8, 0),
              (result['warps']['launched'], result['warps']['diverged']))
        equal(f'{model}: branches', {'executed': 8, 'divergent': 0}, result['branches'])
        equal(f'{model}: warnings', [], result['warnings'])
    said = start('check', 'barrier_divergence').stdout
    # of each kernel, the number of branches that are uniform, warp-uniform, and may diverge
    found = {kernel: tuple(map(int, counts)) for kernel, *counts in
             re.findall(r'^(\w+):.*\n  branches of .*\n  kernel\.cu:\d+ +(\d+) +(\d+) +(\d+) ', said, re.M)}
    equal('what check says', {'uniform_if': (0, 1, 0), 'one_side': (0, 0, 1), 'both_sides': (0, 0, 1),
                              'both_sides_unaligned': (0, 0, 1), 'ended': (0, 0, 1)}, found)


def trips():
    lanes = [32, 32, 32, 32, 24, 16, 8, 1]
    average = f'{sum(lanes) / len(lanes):.1f}'
    looped = start('run', 'loop_trips/launch-bytecode.yaml').stdout
    equal('the loop shows an average of its trips', ['22.1', average],
          [re.search(r' 8 +(\S+) +\S+  \S+ +@P0 BRA again', looped).group(1), average])
    shown = start('run', 'loop_trips/bytecode-per_trip.yaml').stdout
    trip = re.compile(r'^  kernel\.wsasm:\d+ .* 1 +(\S+) +\S+  wait +ISETP\.EQ P0, R1, (\d) ;$', re.M)
    found = trip.findall(shown)
    equal('lanes of each trip, line by line', [(f'{n}.0', str(i + 1)) for i, n in enumerate(lanes)],
          found)
    for line in trip.finditer(shown):
        check(f'the notes have the line of trip {line.group(2)}',
              line.group().strip() in notes('loop_trips'), line.group())
    result = figures('loop_trips/one_by_one')
    equal('one by one: divergent branches', {'executed': 32, 'divergent': 31}, result['branches'])
    loop = next(line for line in result['lines'] if line['lanes'] / line['instructions'] == 16.5)
    equal('one by one: lanes of the trips', sum(range(1, 33)), loop['lanes'] // 3)
    equal('the lanes as --dump writes them', [lanes], dumped('loop_trips/per_trip', 'lanes'))


def boxes():
    result = figures('warp_formation/box_12x9x8')
    equal('12 x 9 x 8 threads: warps', 27, result['warps']['launched'])
    equal('12 x 9 x 8 threads: lanes', 1, result['lane_efficiency'])
    equal('12 x 9 x 8 threads: blocks on an SM, occupancy', (2, 54 / 64),
          (result['occupancy']['blocks_per_sm'], result['occupancy']['theoretical']))
    warp, where = dumped('warp_formation/box_12x9x8', 'warp', 'where')
    layers = {}
    for w, thread in zip(warp, where):
        layers.setdefault(w, set()).add(thread >> 20)
    equal('warps with threads of two layers of z', 7, sum(len(z) == 2 for z in layers.values()))
    result = figures('grid_index/box_12x9x8')
    equal('12 x 9 x 8 blocks, and elements in place', (864, 442368),
          (result['blocks']['launched'], result['checks'][0]['elements']))


def share_of_control():
    edges, none = figures('colour_to_grey/w1000h750'), figures('colour_to_grey/w1008h752')
    equal('warps that diverge', (375, 23688),
          (edges['warps']['diverged'], edges['warps']['launched']))
    equal('share of them in percent', 1.6,
          round(100 * edges['warps']['diverged'] / edges['warps']['launched'], 1))
    equal('lanes lost in percent', 0.5, round(100 * (1 - edges['lane_efficiency']), 1))
    equal('cycles with and without an edge', (5632, 5532), (edges['cycles'], none['cycles']))
    for size, share in ((8, 12.5), (16, 6.25), (32, 3.125), (64, 1.5625)):
        result = figures('grid_index/line', '--set', f'warp_size={size}')
        equal(f'warps of {size}: issues for each instruction of a thread, in percent', share,
              100 * result['warp_instructions'] / result['thread_instructions'])


def timeline():
    with open(os.path.join(root, 'tests/golden/vector_add_warp.txt')) as trace:
        listing = trace.read()
    check('the listing in the notes of vecadd', '```text\n' + listing + '```\n' in notes('vecadd'),
          listing)
    result = figures('vecadd/bytecode-warp')
    equal('cycles: S2R, 14 of the timeline, EXIT', 16, result['cycles'])
    equal('cycles of each line, index to EXIT', [1, 1, 1, 4, 4, 1, 4],
          [sum(line['stalls'].values()) for line in result['lines']])


def study(name, *options):
    """The answer of a preset study, and its table: a list of rows of numbers by column."""
    done = subprocess.run([warpstep, 'sweep', '--study', name, *options], capture_output=True, text=True)
    equal(f'study {name}: exit code', 0, done.returncode)
    answer, _, head, *rest = done.stdout.split('\n')
    names = head.split()
    rows = [dict(zip(names, map(float, line.split()))) for line in rest[:rest.index('')] if line]
    return answer, rows


def warp_size_table():
    answer, rows = study('warp_size')
    equal('warp sizes', [8, 16, 32, 64], [row['warp_size'] for row in rows])
    equal('registers of a warp', [row['registers_per_thread'] * row['warp_size'] for row in rows],
          [row['registers_per_warp'] for row in rows])
    equal('registers of a thread do not depend on it', 1, len({row['registers_per_thread'] for row in rows}))
    lanes = [row['lane_efficiency'] for row in rows]
    issues = [row['warp_instructions'] for row in rows]
    check('groups of eight take sides of their own: warps of 8 use all lanes, larger ones fewer',
          lanes[0] == 1 and max(lanes[1:]) < 1, lanes)
    check('larger warps issue less', issues == sorted(issues, reverse=True) and issues[0] > issues[-1], issues)
    check('all run on pipes of 32 lanes, and SMs that are empty are named', 'cycles, on pipes of 32 lanes; the SMs are '
          'almost empty (11 % of their warp slots): --sms 1' in answer, answer)
    busy, rows = study('warp_size', '--sms', '1')
    cycles = [row['cycles'] for row in rows]
    check('on a busy SM small warps are slower and 64 lanes gain nothing on pipes of 32',
          cycles[0] > cycles[1] > cycles[2] and cycles[3] > 0.99 * cycles[2], cycles)
    check('warp_size=32 is the fastest', 'warp_size=32 is the fastest' in busy and 'empty' not in busy, busy)
    wide, rows = study('warp_size', '--sms', '1', '-P', 'pipe_lanes=0')
    check('a machine as wide as its warps gains', rows[3]['cycles'] < 0.97 * cycles[3] and
          wide.startswith('pipe_lanes=0: ') and 'on a machine as wide as its warps' in wide, wide)
    check('the answer has both ends', f'{100 * lanes[0]:.1f} % of their lanes' in answer and
          f'{issues[0] / issues[-1]:.2f} times as many instructions' in answer, answer)


def register_cliff():
    answer, rows = study('cliff')
    blocks = [row['blocks_per_sm'] for row in rows]
    equal('blocks that an SM holds', [8, 8, 8, 6, 5], blocks)
    for before, after in zip(rows, rows[1:]):
        ratio = after['cycles'] / before['cycles']
        wanted = before['blocks_per_sm'] / after['blocks_per_sm']
        check(f'{before["registers_per_thread"]:.0f} to {after["registers_per_thread"]:.0f} registers: time follows '
              'the blocks', abs(ratio / wanted - 1) < 0.05, ratio)
    check('the answer names the cliff', re.match(r'the cliff is between 32 and 40 registers a thread: an SM holds '
                                                 r'6 blocks instead of 8, and it takes 1\.3\d times', answer), answer)


def share_of_the_edge():
    for n, warps in ((100, 4), (1000, 32), (10000, 314)):
        result = figures(f'vecadd/n{n}')
        share = result['warps']['diverged_warp_cycles'] / result['warp_cycles']
        equal(f'n = {n}: diverged warps', [1, warps], [result['warps']['diverged'], result['warps']['launched']])
        check(f'n = {n}: the one has as much of the time as another', 0.8 / warps < share < 1.25 / warps, share)
        text = start('run', f'vecadd/n{n}.yaml').stdout
        check(f'n = {n}: the report says so', f'  1 warp split: {100 * share:.1f} % of the warp-cycles\n' in text, text)
    equal('no warp splits, none has a share', {'launched': 32, 'diverged': 0, 'diverged_warp_cycles': 0},
          {**figures('even_odd/launch')['warps'], 'launched': 32})


def as_measured():
    times = {}
    for name, file, threshold, measured in (('random', '', '0.5', 50.5), ('all', '', '-1', 50.4), ('none', '', '2', 4.8),
                                            ('sorted', '_sorted', '0.5', 28.3)):
        result = figures(f'with_without_divergence/measured{file}', '--sms', '2', '--launch',
                         f'params.threshold={threshold}')
        equal(f'{name}: warps that diverge', {'random': 512, 'sorted': 1}.get(name, 0), result['warps']['diverged'])
        equal(f'{name}: blocks an SM, as 4096 on 132', 32, result['blocks']['launched'] // 2)
        times[name] = result['elapsed_cycles'] / 1980
        # an H200 takes 1.5 to 2 us from one launch to the next, and is within 5 % otherwise
        check(f'{name}: {measured} us on an H200, with the way from launch to launch', 0.95 < (times[name] + 1.75) / measured
              < 1.05, times)
    check('as long with divergence as without', 0.99 < times['random'] / times['all'] < 1.01, times)
    h100 = [figures('with_without_divergence/measured', '--sms', '2', '--device', 'h100', '--launch',
                    f'params.threshold={threshold}')['elapsed_cycles'] / 1980 for threshold in ('0.5', '-1')]
    check("an H100 takes less than a 150th of the text's 15.2 and 7.8 ms", h100[0] < 15200 / 150 and h100[1] < 7800 / 150,
          h100)


def length_of_a_side():
    lengths = (1, 2, 5, 10, 20, 50, 100)
    differ = [[figures(f'if_else/{form}_{n}', '--sms', '1')['cycles'] for n in lengths] for form in ('branch', 'select')]
    agree = [[figures(f'if_else/agree_{form}', '--sms', '1', '-D', f'LENGTH={n}')['cycles'] for n in lengths]
             for form in ('branch', 'select')]
    check('where lanes differ a selection never loses', all(s <= b for b, s in zip(*differ)), differ)
    equal('where all agree: who is faster by length', '==SSBBB',
          ''.join('=' if b == s else 'B' if b < s else 'S' for b, s in zip(*agree)))
    check('100 operations a side: a selection takes over 1.3 times as long', agree[1][-1] > 1.3 * agree[0][-1], agree)


for part in (alignment, cache_share, too_many_warps, shuffle_or_shared, barrier_in_uniform_if, trips,
             boxes, share_of_control, timeline, warp_size_table, register_cliff, share_of_the_edge,
             as_measured, length_of_a_side):
    part()
print(f'1..{tests}')
sys.exit(1 if failures else 0)
