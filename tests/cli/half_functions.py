#!/usr/bin/env python3
"""The functions of <cuda_fp16.h> and <cuda_bf16.h>, as kernels that run each on many operands.

    half_functions.py FOLDER

Below FOLDER comes a folder for each of the two types: functions.cu, launch.yaml and operands. There export_job and
run_on_device.py compare the header with the CUDA toolkit's: every value of a scalar is the first operand of every
function. test_half_functions.py runs the same kernels on fewer operands. On an H200 (driver 580.159, nvcc 13.0)
all results had the same bits but those of hexp2 (3 arguments of type __half) and htanh_approx (7610 arguments of
__half, 948 of __nv_bfloat16), where the special function unit is not known to the last bit.

A group is the functions of one signature, `result:operands`, and one kernel; function number f leaves the result of
operands number i in element f * count + i of the group's buffer. Operands number i are element i of a buffer for
the first, count + i for the second, 2 * count + i for the third.
"""
import pathlib
import random
import struct
import sys

TYPES = {  # name in the PTX ISA: scalar, pair, name in functions' names, exponent bits
    'f16': ('__half', '__half2', 'half', 5),
    'bf16': ('__nv_bfloat16', '__nv_bfloat162', 'bfloat16', 8),
}
# Kinds of operands and results: C type, type of the buffer, format of struct, elements in the buffer.
KINDS = {
    'H': (None, 'u16', 'H', 1), 'P': (None, 'u32', 'I', 1), 'f': ('float', 'u32', 'I', 1),
    'F': ('float2', 'u32', 'I', 2), 'd': ('double', 'u64', 'Q', 1), 'i': ('int', 's32', 'i', 1),
    'u': ('unsigned int', 'u32', 'I', 1), 's': ('short', 's16', 'h', 1), 't': ('unsigned short', 'u16', 'H', 1),
    'l': ('long long', 's64', 'q', 1), 'L': ('unsigned long long', 'u64', 'Q', 1),
    'c': ('signed char', 's8', 'b', 1), 'C': ('unsigned char', 'u8', 'B', 1),
}
INTEGERS = {'int': 'i', 'uint': 'u', 'short': 's', 'ushort': 't', 'll': 'l', 'ull': 'L'}
MODES = ('rn', 'rz', 'rd', 'ru')
COMPARISONS = ('eq', 'ne', 'lt', 'le', 'gt', 'ge')
ROUNDED = ('trunc', 'ceil', 'floor', 'rint')
MATH = ('sqrt', 'rsqrt', 'rcp', 'exp', 'exp2', 'exp10', 'log', 'log2', 'log10', 'sin', 'cos', 'tanh', 'tanh_approx')
OPERATORS = {'==': 'eq', '!=': 'neu', '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge'}


def conversions(name):
    """Groups of conversions; `name` is what the type is called in names of functions."""
    groups = {'f:H': [f'__{name}2float(a)', '(float)a'], 'd:H': ['(double)(float)a'],
              'H:d': [f'__double2{name}(a)', '{S}(a)'],
              'H:f': [f'__float2{name}(a)', '{S}(a)'] + [f'__float2{name}_{m}(a)' for m in MODES],
              'c:H': [f'__{name}2char_rz(a)', '(signed char)a'], 'C:H': [f'__{name}2uchar_rz(a)', '(unsigned char)a'],
              'P:f': [f'__float2{name}2_rn(a)'], 'P:ff': [f'__floats2{name}2_rn(a, b)'],
              'P:F': [f'__float22{name}2_rn(a)'], 'F:P': [f'__{name}22float2(a)'],
              'f:P': ['__low2float(a)', '__high2float(a)']}
    for integer, kind in INTEGERS.items():
        groups[kind + ':H'] = [f'__{name}2{integer}_{m}(a)' for m in MODES] + [f'({KINDS[kind][0]})a']
        groups['H:' + kind] = [f'__{integer}2{name}_{m}(a)' for m in MODES] + ['{S}(a)']
    groups['s:H'] += [f'__{name}_as_short(a)']
    groups['t:H'] += [f'__{name}_as_ushort(a)']
    groups['H:s'] += [f'__short_as_{name}(a)']
    groups['H:t'] += [f'__ushort_as_{name}(a)']
    groups['H:P'] = [f'__low2{name}(a)', f'__high2{name}(a)']
    groups['P:HH'] = [f'__halves2{name}2(a, b)', f'make_{"half2" if name == "half" else "bfloat162"}(a, b)',
                      '{P}(a, b)']
    groups['P:H'] = [f'__{name}2{name}2(a)']
    groups['P:P'] = [f'__low2{name}2(a)', f'__high2{name}2(a)', '__lowhigh2highlow(a)']
    groups['P:PP'] = [f'__lows2{name}2(a, b)', f'__highs2{name}2(a, b)']
    return groups


def arithmetic():
    """Groups of arithmetic, comparisons and math functions, of scalars and of pairs."""
    groups = {}
    for kind, two in (('H', ''), ('P', '2')):
        binary = [f'__h{op}{two}{end}(a, b)' for op in ('add', 'sub', 'mul') for end in ('', '_rn', '_sat')]
        binary += [f'__h{op}{two}{end}(a, b)' for op in ('min', 'max') for end in ('', '_nan')]
        binary += ['__h2div(a, b)' if two else '__hdiv(a, b)']
        for op in '+-*/':
            binary += [f'a {op} b', f'(a {op}= b, a)']
        unary = [f'__hneg{two}(a)', f'__habs{two}(a)', '-a', '+a', '++a', '--a', '(a++, a)', 'a--']
        unary += [f'h{two}{f}(a)' for f in ROUNDED + MATH]
        groups[f'{kind}:{kind}{kind}'] = binary
        groups[f'{kind}:{kind}'] = unary
        groups[f'{kind}:{kind * 3}'] = [f'__hfma{two}{end}(a, b, c)' for end in ('', '_sat', '_relu')]
        groups[f't:{kind * 2}'] = [f'a {op} b' for op in OPERATORS]
    compared = [c + u for c in COMPARISONS for u in ('', 'u')]
    groups['t:HH'] += [f'__h{c}(a, b)' for c in compared]
    groups['t:PP'] += [f'__hb{c}2(a, b)' for c in compared]
    groups['P:PP'] += [f'__h{c}2(a, b)' for c in compared]
    groups['u:PP'] = [f'__h{c}2_mask(a, b)' for c in compared]
    groups['P:P'] += ['__hisnan2(a)']
    groups['P:PPP'] += ['__hcmadd(a, b, c)']
    groups['t:H'] = ['__hisnan(a)', '(bool)a']
    groups['i:H'] = ['__hisinf(a)']
    return groups


def exchange():
    """Shuffles and loads. Operand `a` is element i behind `p0`."""
    loads = [f'__ld{hint}(p0 + i)' for hint in ('g', 'cg', 'ca', 'cs', 'lu', 'cv')]
    shuffles = ['__shfl_sync(~0u, a, 3)', '__shfl_up_sync(~0u, a, 2)', '__shfl_down_sync(~0u, a, 5, 16)',
                '__shfl_xor_sync(~0u, a, 1)']
    return {'H:H': loads + shuffles, 'P:P': loads + shuffles}


def groups_of(ptx):
    scalar, pair, name, _ = TYPES[ptx]
    groups = {}
    for part in (arithmetic(), conversions(name), exchange()):
        for signature, functions in part.items():
            functions = [f.replace('{S}', scalar).replace('{P}', pair) for f in functions]
            groups.setdefault(signature, []).extend(functions)
    return groups


def c_type(ptx, kind):
    return {'H': TYPES[ptx][0], 'P': TYPES[ptx][1]}.get(kind, KINDS[kind][0])


def kernel_name(signature):
    return 'group_' + signature.replace(':', '_of_')


def kernel(ptx, signature, functions, count):
    result, operands = signature.split(':')
    kinds = sorted(set(operands))
    parameters = ''.join(f'const {c_type(ptx, k)} *p{n}, ' for n, k in enumerate(kinds))
    loads = ''.join(f'        {c_type(ptx, k)} {"abc"[n]} = p{kinds.index(k)}[{n * count} + i];\n'
                    for n, k in enumerate(operands))
    body = ''.join(f'    {{\n{loads}        out[{f * count} + i] = {text};\n    }}\n'
                   for f, text in enumerate(functions))
    return (f'extern "C" __global__ void {kernel_name(signature)}({parameters}{c_type(ptx, result)} *out)\n'
            f'{{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n{body}}}\n')


def memory_kernel(ptx):
    """Stores by a hint each, and sums of a warp by atomic operations on one scalar of two and on a pair."""
    scalar, pair, _, _ = TYPES[ptx]
    stores = ''.join(f'    __st{hint}(scalars + {n} + i, x[i]);\n    __st{hint}(pairs + {n} + i, y[i]);\n'
                     for hint, n in (('wb', 0), ('cg', 32), ('cs', 64), ('wt', 96)))
    return (f'extern "C" __global__ void memory(const {scalar} *x, const {pair} *y, {scalar} *scalars,\n'
            f'                                  {pair} *pairs, {scalar} *sums)\n'
            f'{{\n    int i = threadIdx.x;\n{stores}'
            f'    atomicAdd(sums + 1 + i % 2, {scalar}((float)(i % 3)));\n'
            f'    atomicAdd(({pair} *)sums + 2, {pair}({scalar}(1.0f), {scalar}((float)(i % 3))));\n}}\n')


def source(ptx, count):
    return (f'#include <cuda_{"fp16" if ptx == "f16" else "bf16"}.h>\n' + memory_kernel(ptx) +
            ''.join(kernel(ptx, s, f, count) for s, f in groups_of(ptx).items()))


def special_halves(ptx):
    mantissa = 15 - TYPES[ptx][3]
    infinity, one = ((1 << TYPES[ptx][3]) - 1) << mantissa, ((1 << (TYPES[ptx][3] - 1)) - 1) << mantissa
    positive = [0, 1, 2, (1 << mantissa) - 1, 1 << mantissa, (1 << mantissa) + 1, one - 1, one, one + 1,
                one + (1 << mantissa), one + 3 * (1 << (mantissa - 1)), infinity - 1, infinity, infinity + 1, 0x7fff]
    return positive + [p | 0x8000 for p in positive]


def operands(ptx, kind, count, seed):
    """3 * count bit patterns. With a count of 65536 the first operands are all scalars."""
    r = random.Random(f'{ptx} {kind} {seed}')
    special = special_halves(ptx)

    def half():
        choice = r.random()
        if choice < 0.15:
            return r.choice(special)
        if choice < 0.5:  # near one in exponent, so that sums and products round and cancel
            one = special[7]
            return (one + r.randrange(-6 << 7, 6 << 7)) & 0xffff | r.choice((0, 0x8000))
        return r.randrange(65536)

    if kind in 'HP':
        first = list(range(65536)) if count == 65536 else (special + [half() for _ in range(count)])[:count]
        low = first + [half() for _ in range(2 * count)]
        if kind == 'H':
            return low
        second = first[:]
        r.shuffle(second)
        high = second + [half() for _ in range(2 * count)]
        return [a | b << 16 for a, b in zip(low, high)]
    if kind in 'fFd':
        bias = (1 << (TYPES[ptx][3] - 1)) - 1

        def float_bits():
            value = r.choice((-1, 1)) * r.uniform(1, 2) * 2.0 ** r.randrange(-bias - 14, bias + 2)
            if r.random() < 0.4:  # exact in the type, or a tie between two of its values
                value = struct.unpack('<f', struct.pack('<I', struct.unpack('<I', struct.pack(
                    '<f', max(-3e38, min(3e38, value))))[0] & 0xfffff000))[0]
            if r.random() < 0.05:
                value = r.choice((0.0, -0.0, float('inf'), float('-inf'), float('nan')))
            if kind == 'd':
                return struct.unpack('<Q', struct.pack('<d', value))[0]
            return struct.unpack('<I', struct.pack('<f', max(-3.4e38, min(3.4e38, value))
                                                   if abs(value) < float('inf') else value))[0]
        return [float_bits() for _ in range((6 if kind == 'F' else 3) * count)]
    bits = 8 * struct.calcsize(KINDS[kind][2])
    signed = KINDS[kind][2].islower()

    def integer():
        value = r.randrange(1 << r.randrange(bits + 1))
        return value - (1 << bits) if signed and value >> (bits - 1) else value
    edges = [0, 1, -1 if signed else 2, (1 << (bits - signed)) - 1, -(1 << (bits - 1)) if signed else 3]
    return edges + [integer() * (r.choice((1, -1)) if signed else 1) if bits > 16 else integer()
                    for _ in range(3 * count - 5)]


def packed(kind, values):
    values = [v - (1 << 64) if KINDS[kind][2] == 'q' and v >= 1 << 63 else v for v in values]
    return struct.pack(f'<{len(values)}{KINDS[kind][2]}', *values)


def write(ptx, folder, count, seed=1):
    """functions.cu, launch.yaml and the operands in `folder`, with `count` operands for every function."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    groups = groups_of(ptx)
    (folder / 'functions.cu').write_text(source(ptx, count))
    buffers, launches = {}, []
    for kind in sorted(set(''.join(s.split(':')[1] for s in groups)) | set('HP')):
        data = packed(kind, operands(ptx, kind, count, seed))
        name = 'in_' + (kind if kind.islower() else kind * 2)
        (folder / f'{name}.bin').write_bytes(data)
        buffers[kind] = name, f'{{type: {KINDS[kind][1]}, count: {3 * KINDS[kind][3] * count}, ' \
                              f'init: {{file: {name}.bin}}}}'
    lines = [f'  {name}: {text}' for name, text in buffers.values()]
    for signature, functions in groups.items():
        result, used = signature.split(':')
        lines.append(f'  {kernel_name(signature)}: {{type: {KINDS[result][1]}, '
                     f'count: {len(functions) * KINDS[result][3] * count}}}')
        references = ''.join(f'{{ref: {buffers[k][0]}}}, ' for k in sorted(set(used)))
        launches.append(f'  - {{kernel: {kernel_name(signature)}, grid: {count // 128}, block: 128, '
                        f'params: [{references}{{ref: {kernel_name(signature)}}}]}}')
    lines += ['  scalars: {type: u16, count: 128}', '  pairs: {type: u32, count: 128}',
              '  sums: {type: u16, count: 8}']
    launches.append('  - {kernel: memory, grid: 1, block: 32, params: [{ref: in_HH}, {ref: in_PP}, {ref: scalars}, '
                    '{ref: pairs}, {ref: sums}]}')
    (folder / 'launch.yaml').write_text('version: 1\nprogram: functions.cu\nbuffers:\n' + '\n'.join(lines) +
                                        '\nlaunches:\n' + '\n'.join(launches) + '\n')


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for ptx in TYPES:
        write(ptx, pathlib.Path(sys.argv[1]) / f'half_functions_{ptx}', 65536)


if __name__ == '__main__':
    main()
