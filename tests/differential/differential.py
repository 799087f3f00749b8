"""Random kernels through Warpstep and through the host's compiler: both must write the same.

differential.py WARPSTEP [--first N] [--count N] ...; exit code 1 if any kernel differs.
"""
import argparse
import os
import resource
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../cli'))
import clangs
from configuration import Configurations
from generator import make_kernel
from reducer import reduce_kernel
from trial import HostError, Trial

# Kernels with neighbouring numbers share a configuration, however many of them are asked for.
KERNELS_PER_CONFIGURATION = 40


def find_clang():
    names = [f'clang-{version}' for version in range(clangs.OLDEST, clangs.NEWEST + 1)] + ['clang']
    return next((name for name in names if shutil.which(name)), names[0])


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('warpstep')
    parser.add_argument('--first', type=int, default=0, metavar='N', help='number of the first kernel')
    parser.add_argument('--count', type=int, default=KERNELS_PER_CONFIGURATION, metavar='N', help='how many')
    parser.add_argument('--option', action='append', default=[], metavar='NAME=VALUE',
                        help='run all with this setting (or -d=DEVICE and the like) instead of that of their number')
    parser.add_argument('--reduce', action='store_true', help='print the least program that still differs')
    parser.add_argument('--keep', metavar='FOLDER', help='keep the files of kernels that differ there')
    parser.add_argument('--host-compiler', default=os.environ.get('CLANG') or find_clang(), metavar='CC',
                        help='a clang (default: the oldest that Warpstep looks for)')
    parser.add_argument('--configurations', type=int, default=1, metavar='N',
                        help='run each kernel under so many configurations (default 1)')
    parser.add_argument('--jobs', type=int, default=1, metavar='N', help='batches at a time')
    parser.add_argument('--quiet', action='store_true', help='print no line a batch')
    return parser.parse_args()


def options_of(configurations, number, fixed):
    options = configurations.make(number)
    for text in fixed:
        name, _, value = text.partition('=')
        option = (name, value) if name.startswith('-') else ('-s', text)
        same = [(old, word) for old, word in options
                if old == option[0] and (old != '-s' or word.split('=')[0] == name)]
        options = [old for old in options if old not in same] + [option]
    return options


def batches(first, count):
    """Ranges of numbers with one configuration each."""
    end = first + count
    while first < end:
        number = first // KERNELS_PER_CONFIGURATION
        last = min(end, (number + 1) * KERNELS_PER_CONFIGURATION)
        yield number, range(first, last)
        first = last


def processor_seconds():
    return sum(usage.ru_utime + usage.ru_stime for usage in
               (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)))


def words_of(options):
    return ' '.join(word for option in options for word in option)


def report(tools, number, what, options, folder):
    """What there is to say of a kernel that differs."""
    lines = ['kernel %d: %s' % (number, what), '  with ' + words_of(options)]
    kernel = make_kernel(number)
    if tools.reduce:
        kernel, options = reduce_kernel(tools, kernel, options, os.path.join(folder, 'reduce'))
        lines += ['  least, with ' + words_of(options), '', kernel.text('k0')]
    if tools.keep:
        Trial(tools, [kernel], os.path.join(tools.keep, str(number))).run_host()
    return '\n'.join(lines)


def run_batch(tools, configurations, batch, numbers, folder):
    """A text for each kernel that differs, under each of the configurations."""
    folder = os.path.join(folder, str(numbers[0]))
    trial = Trial(tools, [make_kernel(number) for number in numbers], os.path.join(folder, 'batch'))
    expected = trial.run_host()
    found = []
    for turn in range(tools.configurations):
        options = options_of(configurations, batch + turn, tools.option)
        different = trial.compare(options, expected)
        found += [report(tools, numbers[i], what, options, folder) for i, what in different.items()]
    shutil.rmtree(folder, ignore_errors=True)
    return found


def run_all(tools, folder):
    """How many kernels differ."""
    configurations = Configurations(tools.warpstep)
    ranges = list(batches(tools.first, tools.count))
    different = 0
    with ThreadPoolExecutor(tools.jobs) as pool:
        texts = pool.map(lambda one: run_batch(tools, configurations, *one, folder), ranges)
        for (_, numbers), found in zip(ranges, texts):
            different += len(found)
            for text in found:
                print(text)
            if not tools.quiet or found:
                print('kernels %d to %d: %d differ so far' % (tools.first, numbers[-1], different), flush=True)
    return different


def main():
    tools = arguments()
    folder = tempfile.mkdtemp(prefix='differential-')
    os.environ['XDG_CACHE_HOME'] = os.path.join(folder, 'cache')
    try:
        different = run_all(tools, folder)
    except HostError as error:
        raise SystemExit('the generator is wrong: ' + str(error))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    seconds = processor_seconds()
    print('%d kernels, %d differ; %.1f s of processor time, %.1f ms a kernel'
          % (tools.count, different, seconds, 1000 * seconds / tools.count))
    return 1 if different else 0


if __name__ == '__main__':
    sys.exit(main())
