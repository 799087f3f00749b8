#!/usr/bin/env python3
"""Intrinsics with a rounding mode, alone and among plain products and sums, as kernels that run each on many operands.

    rounded_functions.py FOLDER

Below FOLDER comes a folder rounded_functions: functions.cu, launch.yaml and operands. There export_job and
run_on_device.py compare the header and the lowering with nvcc's. test_rounded_functions.py runs the same kernels on
fewer operands and compares them with exact results. What an H100 gave stands in docs/understand/measurements/values.md.

A group is the expressions of one type, and one kernel. Expression number f leaves the result of operands number i in
element f * count + i of the group's buffer; operands a, b, c number i are elements i, count + i and 2 * count + i.

An expression means what C says of it, each operation rounded, unless a second text stands beside it: what it becomes
where the compiler contracts products and sums.
"""
import pathlib
import random
import struct
import sys

MODES = ('rn', 'rz', 'rd', 'ru')
# C type, type of the buffer, format of struct for the bits, and the bits of the exponent and the mantissa.
TYPES = {
    'f': ('float', 'f32', 'I', 8, 23),
    'd': ('double', 'f64', 'Q', 11, 52),
    'h': ('__half', 'f16', 'H', 5, 10),
    'b': ('__nv_bfloat16', 'bf16', 'H', 8, 7),
}

HELPERS = """\
/* The sum of a and b is two_sum's and this, without error. */
template <typename T> __device__ T two_sum_error(T a, T b, T (*add)(T, T), T (*sub)(T, T))
{
    T sum = add(a, b), part = sub(sum, a);
    return add(sub(a, sub(sum, part)), sub(b, part));
}
/* The product of a and b is mul(a, b) and this, without error; by halves, as where there is no fma. */
template <typename T>
__device__ T two_product_error(T a, T b, T split, T (*add)(T, T), T (*sub)(T, T), T (*mul)(T, T))
{
    T c = mul(split, a), d = mul(split, b);
    T a_high = sub(c, sub(c, a)), b_high = sub(d, sub(d, b));
    T a_low = sub(a, a_high), b_low = sub(b, b_high);
    T rest = sub(mul(a, b), mul(a_high, b_high));
    rest = sub(sub(rest, mul(a_low, b_high)), mul(a_high, b_low));
    return sub(mul(a_low, b_low), rest);
}
/* The sum of a, b and c after Kahan, of products: plain operations that may not be reordered. */
template <typename T> __device__ T kahan(T a, T b, T c)
{
    T values[3] = {a, b, c};
    T sum = 0, lost = 0;
    for (int i = 0; i < 3; i++) {
        T y = values[i] - lost;
        T t = sum + y;
        lost = (t - sum) - y;
        sum = t;
    }
    return sum - lost;
}
"""


def intrinsics(add, sub, mul, fma, div, rcp, sqrt, end):
    """Expressions of every intrinsic of a type; `end` is what literals have behind them."""
    one, zero = '1.0' + end, '0.0' + end
    texts = []
    for m in MODES:
        sums, product = [f'{add}_{m}', f'{sub}_{m}'], f'{mul}_{m}'
        for s in sums:
            texts += [f'{s}(a, b)', f'{s}(a * b, c)', f'{s}(c, a * b)', f'{s}({product}(a, b), c)',
                      f'{s}(c, {product}(a, b))', f'{s}({sums[0]}(a, b), c)', f'{s}(a, {zero})', f'{s}(a, -{zero})',
                      f'{s}(1.5{end}, 0x1.8p-80{end})']
        texts += [f'{product}(a, b)', f'{product}(a, b) + c', f'{product}(a, b) - c', f'c - {product}(a, b)',
                  f'{product}(a, {one})', f'{product}(a, 2.0{end}) + c', f'{product}(a + b, c) + a',
                  f'{product}(3.0{end}, 0x1.5555555555555p-2{end})', f'-{product}(a, b) + c']
        texts += [f'{fma}_{m}(a, b, c)', f'{fma}_{m}(a * b, {one}, c)', f'{fma}_{m}({one}, a * b, c)',
                  f'{fma}_{m}(a, b, {zero}) + c', f'{fma}_{m}(a, b, -{zero}) + c', f'{fma}_{m}(a, -{one}, b * c)',
                  f'{fma}_{m}(1.5{end}, 3.0{end}, 0x1.8p-80{end})']
        texts += [f'{div}_{m}(a, b)', f'{div}_{m}(a, b) + c', f'{div}_{m}({one}, b)', f'{div}_{m}(a * b, c)',
                  f'{div}_{m}(1.5{end}, 3.5{end})', f'{div}_{m}(a, 2.0{end}) + c', f'{rcp}_{m}(a)', f'a * {rcp}_{m}(b)', f'{rcp}_{m}(7.0{end})',
                  f'{sqrt}_{m}(a)', f'{sqrt}_{m}(a) + c', f'{sqrt}_{m}(7.0{end})']
    return texts


def plain():
    """Expressions without intrinsics, and what they become."""
    return [('a * b + c', 'fma(a, b, c)'), ('a * b - c', 'fma(a, b, -c)'), ('c - a * b', 'fma(-a, b, c)'),
            ('-(a * b) + c', 'fma(-a, b, c)'), ('-(a * b) - c', 'fma(-a, b, -c)'), 'a * b', 'a + b', 'a - b',
            'a / b', '(a + b) - a', '(a - b) * c']


def halves():
    """Expressions of functions of halves: what is called _rn stays apart."""
    texts = []
    sums = [('__hadd', ''), ('__hadd_rn', ''), ('__hsub', '-'), ('__hsub_rn', '-')]
    for s, sign in sums:
        texts += [f'{s}(a, b)', f'{s}(__hmul_rn(a, b), c)', f'{s}(c, __hmul_rn(a, b))']
        if s.endswith('_rn'):
            texts += [f'{s}(__hmul(a, b), c)', f'{s}(a * b, c)', f'{s}(c, a * b)']
        else:
            texts += [(f'{s}(__hmul(a, b), c)', f'fma(a, b, {sign}c)')]
    texts += ['__hmul(a, b)', '__hmul_rn(a, b)', '__hmul_rn(a, b) + c', 'c - __hmul_rn(a, b)',
              ('a * b + c', 'fma(a, b, c)'), ('c - a * b', 'fma(-a, b, c)'), '__hfma(a, b, c)', '__hadd_rn(a + b, c)']
    return texts


def algorithms(kind):
    """What relies on operations that stay apart."""
    if kind not in 'fd':
        return []
    end, names = ('f', '__f{}_rn') if kind == 'f' else ('', '__d{}_rn')
    add, sub, mul = (names.format(n) for n in ('add', 'sub', 'mul'))
    split = '4097.0f' if kind == 'f' else '134217729.0'
    return [f'two_sum_error(a, b, {add}, {sub})', f'two_product_error(a, b, {split}, {add}, {sub}, {mul})',
            f'two_sum_error(a * b, c, {add}, {sub})', 'kahan(a, b, c)', f'kahan({mul}(a, b), c, {mul}(b, c))',
            f'{sub}({mul}(a, b), {mul}(b, a))', f'{add}({mul}(a, b), {mul}(b, c))', f'{sub}({mul}(a, a), {mul}(b, b))'
            ] + (['__frsqrt_rn(a)', '__frsqrt_rn(a) * b', '__saturatef(__fadd_rn(a * b, c))',
                  '__saturatef(__fmul_rn(a, b))'] if end else [])


def expressions(kind):
    """The expressions of a type, each with what it means."""
    texts = []
    if kind == 'f':
        texts = intrinsics('__fadd', '__fsub', '__fmul', '__fmaf', '__fdiv', '__frcp', '__fsqrt', 'f')
    elif kind == 'd':
        texts = intrinsics('__dadd', '__dsub', '__dmul', '__fma', '__ddiv', '__drcp', '__dsqrt', '')
    texts += halves() if kind in 'hb' else plain()
    texts += algorithms(kind)
    return [t if isinstance(t, tuple) else (t, t) for t in texts]


def kernel(kind, name, texts, count):
    c_type = TYPES[kind][0]
    loads = ''.join(f'        {c_type} {"abc"[n]} = p[{n * count} + i];\n' for n in range(3))
    body = ''.join(f'    {{\n{loads}        out[{f * count} + i] = {text};\n    }}\n' for f, text in enumerate(texts))
    return (f'extern "C" __global__ void {name}(const {c_type} *p, {c_type} *out)\n'
            f'{{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n{body}}}\n')


def source(count):
    return ('#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n' + HELPERS +
            ''.join(kernel(k, f'group_{k}', [text for text, _ in expressions(k)], count) for k in TYPES))


def operands(kind, count, seed):
    """3 * count bit patterns: special values, values whose sums and products round and cancel, and any bits."""
    r = random.Random(f'{kind} {seed}')
    _, _, _, exponent_bits, mantissa_bits = TYPES[kind]
    bits = 1 + exponent_bits + mantissa_bits
    top, bias = (1 << exponent_bits) - 1, (1 << (exponent_bits - 1)) - 1
    special = [0, 1, (1 << mantissa_bits) - 1, 1 << mantissa_bits, bias << mantissa_bits, (bias << mantissa_bits) + 1,
               (bias + 1) << mantissa_bits, (top << mantissa_bits) - 1, top << mantissa_bits,
               (top << mantissa_bits) + (1 << (mantissa_bits - 1))]

    def value():
        choice, sign = r.random(), r.randrange(2) << (bits - 1)
        if choice < 0.1:
            return r.choice(special) | sign
        if choice < 0.75:
            return (bias + r.randrange(-3, 4)) << mantissa_bits | r.randrange(1 << mantissa_bits) | sign
        return r.randrange(1 << bits)
    return [value() for _ in range(3 * count)]


def write(folder, count, seed=1):
    """functions.cu, launch.yaml and the operands in `folder`, with `count` operands for every expression."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / 'functions.cu').write_text(source(count))
    buffers, launches = [], []
    for kind, (_, buffer, code, _, _) in TYPES.items():
        (folder / f'in_{kind}.bin').write_bytes(struct.pack(f'<{3 * count}{code}', *operands(kind, count, seed)))
        buffers += [f'  in_{kind}: {{type: {buffer}, count: {3 * count}, init: {{file: in_{kind}.bin}}}}',
                    f'  out_{kind}: {{type: {buffer}, count: {count * len(expressions(kind))}}}']
        launches.append(f'  - {{kernel: group_{kind}, grid: {count // 128}, block: 128, '
                        f'params: [{{ref: in_{kind}}}, {{ref: out_{kind}}}]}}')
    (folder / 'launch.yaml').write_text('version: 1\nprogram: functions.cu\nbuffers:\n' + '\n'.join(buffers) +
                                        '\nlaunches:\n' + '\n'.join(launches) + '\n')


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    write(pathlib.Path(sys.argv[1]) / 'rounded_functions', 16384)


if __name__ == '__main__':
    main()
