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
    """Output i of SplitMix64 (docs/reference/formats.md)."""
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


def tensor_tile():
    a, b = [float(i) for i in range(256)], [float(i - 128) for i in range(256)]  # b by columns
    write('tensor_tile/product-16.bin', 'f',
          [float(sum(a[i * 16 + k] * b[j * 16 + k] for k in range(16))) for i in range(16) for j in range(16)])


for make in (with_without_divergence, even_odd, if_else, latency_hiding, tensor_tile):
    make()
