#!/usr/bin/env python3
"""Compares what programs said in two trials: compare.py LOGS OTHERS, folders of trial.py.

For each program that ran to its end in both: whether the lines are the same. Times, rates of times, addresses and names of
the machine are taken out of the lines first; --lines shows the first lines that differ.
"""

import argparse
import difflib
import pathlib
import re
import sys

# A number with a unit of time or of work in a time, behind or before it; and what tells of the machine.
MEASURED = [
    re.compile(r'[-+]?[\d.]+(?:e[-+]?\d+)?\s*(?:\(?(?:[munµ]?s|m?secs?|(?:milli|micro|nano)?seconds?)\b\)?|[KMGT]?i?B(?:ytes)?/s|'
               r'[KMGT]?(?:FLOPS?|Flops?|flops?|elements|Hz)(?:/s)?\b|x\b)', re.IGNORECASE),
    re.compile(r'0x[0-9a-fA-F]{4,}'),
]
DEVICE = re.compile(r'\bNVIDIA H\d+(?: \d+GB HBM\d)?')
TELLS_OF_TIME = re.compile(r'\b(?:time[ds]?|elapsed|sec|seconds?|[mun]?s|throughput|bandwidth|speed-?up|perf\w*|clocks?|cycles?|latency|'
                           r't?ops|[gt]?flops?|[gmk]b/s|megaelements/s|msec/step|memory usage|duration|runtime|took|fps|rate)\b|device \d+:|gpu device|using device', re.IGNORECASE)


def lines_of(path):
    text = path.read_text(errors='replace')
    if '-- run\n' not in text or '[took too long]' in text:
        return None
    kept = []
    for line in text.split('-- run\n', 1)[1].splitlines()[1:]:
        line = DEVICE.sub('GPU', line)
        if TELLS_OF_TIME.search(line):
            line = re.sub(r'[-+]?(?:\d[\d.]*(?:e[-+]?\d+)?|\binf\b|\bnan\b)', '#', line)
        for pattern in MEASURED:
            line = pattern.sub('#', line)
        kept.append(' '.join(line.split()))
    return [line for line in kept if line and not line.startswith('[exit ')]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('logs', type=pathlib.Path)
    parser.add_argument('others', type=pathlib.Path)
    parser.add_argument('--lines', type=int, default=4)
    options = parser.parse_args()
    counts = {'same': 0, 'differs': 0, 'not in both': 0}
    for path in sorted(options.logs.glob('*.txt')):
        other = options.others / path.name
        mine, theirs = lines_of(path), lines_of(other) if other.exists() else None
        outcome = 'not in both' if mine is None or theirs is None else 'same' if mine == theirs else 'differs'
        counts[outcome] += 1
        if outcome != 'same':
            print(f'{outcome}\t{path.stem}')
        if outcome == 'differs':
            changes = [line for line in difflib.unified_diff(theirs, mine, lineterm='', n=0) if line[:3] not in ('---', '+++', '@@ ')]
            for line in changes[:options.lines]:
                print(f'    {line[:150]}')
    print(', '.join(f'{count} {outcome}' for outcome, count in counts.items()))
    sys.exit(counts['differs'] != 0)


if __name__ == '__main__':
    main()
