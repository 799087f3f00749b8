#!/usr/bin/env python3
"""Writes the expected contents (and some inputs) of the workloads as raw little-endian files.

    python3 make_expected.py          # writes NAME/*.bin beside this file

Sums and products are rounded to f32 after each operation, as the kernels do.
"""
import array
import os
import struct

HERE = os.path.dirname(os.path.abspath(__file__))
MASK = (1 << 64) - 1


def f32(x):
    return struct.unpack('f', struct.pack('f', x))[0]


def random_word(seed, i):
    """Output i of SplitMix64 (docs/formats.md)."""
    z = (seed + (i + 1) * 0x9e3779b97f4a7c15) & MASK
    z = ((z ^ (z >> 30)) * 0xbf58476d1ce4e5b9) & MASK
    z = ((z ^ (z >> 27)) * 0x94d049bb133111eb) & MASK
    return z ^ (z >> 31)


def random_floats(seed, count, low=0.0, high=1.0):
    return [f32(low + (random_word(seed, i) >> 11) * 2.0 ** -53 * (high - low))
            for i in range(count)]


def write(name, kind, values):
    data = array.array(kind, values)
    if struct.pack('=h', 1) != struct.pack('<h', 1):
        data.byteswap()
    with open(os.path.join(HERE, name), 'wb') as out:
        out.write(data.tobytes())


def long_way(x):
    for _ in range(100):
        x = f32(f32(x + 1.0) ** 0.5)
    return x


def with_without_divergence():
    def results(values):
        return [long_way(x) if x > 0.5 else f32(x + 1.0) for x in values]

    folder = 'with_without_divergence/'
    values = random_floats(1, 16384)
    write(folder + 'out-random.bin', 'f', results(values))
    write(folder + 'in-sorted.bin', 'f', sorted(values))
    write(folder + 'out-sorted.bin', 'f', results(sorted(values)))
    small, large = 0.25, 0.75
    sets = {
        'alternate': [large if i // 32 % 2 else small for i in range(16384)],
        'interleaved': [large if i % 2 else small for i in range(1024)],
        'interleaved-sorted': [small] * 512 + [large] * 512,
        'boundary': [small] * 520 + [large] * 504,
    }
    for name, chosen in sets.items():
        write(folder + f'in-{name}.bin', 'f', chosen)
        write(folder + f'out-{name}.bin', 'f', results(chosen))


def even_odd():
    count = 8192
    a, b = random_floats(1, count, 1, 2), random_floats(2, count, 0.99, 1.01)
    for operations in (1, 100):
        for name, group in (('by_thread', 1), ('by_warp', 32)):
            out = []
            for i in range(count):
                x = a[i]
                for _ in range(operations):
                    x = f32(x * b[i]) if i % 256 // group % 2 else f32(x + b[i])
                out.append(x)
            write(f'even_odd/{name}-{operations}.bin', 'f', out)


def if_else():
    values = random_floats(1, 4096, 0, 2)
    for length in (1, 2, 5, 10, 20, 50, 100):
        out = []
        for x in values:
            multiply = x > 1.0
            for _ in range(length):
                x = f32(x * 1.25) if multiply else f32(x + 1.25)
            out.append(x)
        write(f'if_else/side-{length}.bin', 'f', out)


def latency_hiding():
    following = [(i * 133 + 71) % 1024 for i in range(1024)]
    write('latency_hiding/next.bin', 'i', following)
    out = []
    for i in range(32 * 64):
        at, total = i % 1024, 0
        for _ in range(32):
            at = following[at]
            total += at
        out.append(total)
    write('latency_hiding/out.bin', 'i', out)


def warp_formation():
    write('warp_formation/warp-3x256.bin', 'i', [i % 256 // 32 for i in range(768)])
    write('warp_formation/place-3x256.bin', 'i', [i % 32 for i in range(768)])
    write('warp_formation/warp-12x9x8.bin', 'i', [i // 32 for i in range(864)])
    write('warp_formation/place-12x9x8.bin', 'i', [i % 32 for i in range(864)])
    write('warp_formation/where-12x9x8.bin', 'i',
          [x | y << 10 | z << 20 for z in range(8) for y in range(9) for x in range(12)])
    out = []
    for i in range(1024):
        x = 1.0
        for _ in range(50):
            x = f32(x + 1.25) if i // 8 % 2 else f32(x * 1.25)
        out.append(x)
    write('warp_formation/groups.bin', 'f', out)


def policies():
    write('policies/sweep.bin', 'f',
          [32.0 * sum(256 * (t // 32) + t % 32 + 32 * i for i in range(8)) for t in range(2048)])
    for work in (4, 24):
        out = []
        for thread in range(2048):
            a, b, c = float(thread % 7), 1.0, thread
            for i in range(16):
                for k in range(work):
                    a, b, c = f32(a * 0.5 + 1.0), f32(b * 0.5 + 1.0), (c + k) ^ thread
                a = f32(a + f32(float(i * 2048 + thread) * b))
            out.append(f32(a + float(c & 1)))
        write(f'policies/stages-{work}.bin', 'f', out)


def tensor_tile():
    def product(a, b, n):  # b by columns
        return [float(sum(a[i * n + k] * b[j * n + k] for k in range(n)))
                for i in range(n) for j in range(n)]

    write('tensor_tile/product-16.bin', 'f',
          product([float(i) for i in range(256)], [float(i - 128) for i in range(256)], 16))
    a, b = ([float(random_word(seed, i) % 9) - 4 for i in range(4096)] for seed in (1, 2))
    for name, values in (('a', a), ('b', b)):
        halves = b''.join(struct.pack('<e', x) for x in values)
        with open(os.path.join(HERE, f'tensor_tile/{name}-64.bin'), 'wb') as out:
            out.write(halves)
    by_columns = [b[k * 64 + j] for j in range(64) for k in range(64)]
    write('tensor_tile/product-64.bin', 'f', product(a, by_columns, 64))


def alignment():
    write('alignment/cached.bin', 'i',
          [64 * sum(i % 32 + 32 * line for line in range(8)) for i in range(2048)])


for make in (with_without_divergence, even_odd, if_else, latency_hiding, warp_formation, policies,
             tensor_tile, alignment):
    make()
