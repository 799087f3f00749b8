"""The functions of <cuda_fp16.h> and <cuda_bf16.h>: test_half_functions.py WARPSTEP

Runs every function of half_functions.py on special and random operands and compares it with the exact result,
rounded: of arithmetic, comparisons and conversions every bit, of math functions all but the last unit.
"""
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction

import half_functions
from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
COUNT = 256
NAN = float('nan')
UNITS = {'exp2': 1, 'tanh': 1, 'tanh_approx': 8}  # of the last place; others 0


class Format:
    """A 16-bit format: bits to values and back."""

    def __init__(self, ptx):
        exponent = half_functions.TYPES[ptx][3]
        self.mantissa = 15 - exponent
        self.bias = (1 << (exponent - 1)) - 1
        self.infinity = ((1 << exponent) - 1) << self.mantissa
        self.one = self.bias << self.mantissa

    def value(self, bits):
        size = bits & 0x7fff
        if size >= self.infinity:
            result = math.inf if size == self.infinity else NAN
        else:
            e = max(size >> self.mantissa, 1)
            m = size - ((e - 1) << self.mantissa if size >> self.mantissa else 0)
            result = math.ldexp(m, e - self.bias - self.mantissa)
        return -result if bits & 0x8000 else result

    def bits(self, x, mode='rn'):
        """x: a float or a Fraction other than 0."""
        if isinstance(x, float) and (math.isnan(x) or math.isinf(x) or x == 0):
            if math.isnan(x):
                return 0x7fff
            return (self.infinity if x else 0) | (0x8000 if math.copysign(1, x) < 0 else 0)
        size, negative = abs(Fraction(x)), x < 0
        e = size.numerator.bit_length() - size.denominator.bit_length()
        e -= size < Fraction(2) ** e
        e = max(e, 1 - self.bias)
        scaled = size / Fraction(2) ** (e - self.mantissa)
        up = {'rz': False, 'rd': negative, 'ru': not negative}.get(mode)
        n = round(scaled) if up is None else math.ceil(scaled) if up else math.floor(scaled)
        result = ((e + self.bias - 1) << self.mantissa) + n
        largest = self.infinity if up is None or up else self.infinity - 1
        return min(result, largest) | (0x8000 if negative else 0)

    def order(self, bits):
        return -(bits & 0x7fff) if bits & 0x8000 else bits


def add(a, b):
    simple = a + b
    return simple if not math.isfinite(simple) or Fraction(a) + Fraction(b) == 0 else Fraction(a) + Fraction(b)


def multiply(a, b):
    simple = a * b
    return simple if not math.isfinite(simple) or a == 0 or b == 0 else Fraction(a) * Fraction(b)


def fused(a, b, c):
    product = a * b  # exact: 22 bits at most, exponents far inside
    return add(product, c)


def divide(a, b):
    if math.isnan(a) or math.isnan(b) or (a == 0 and b == 0) or (math.isinf(a) and math.isinf(b)):
        return NAN
    sign = math.copysign(1, a) * math.copysign(1, b)
    if b == 0 or math.isinf(a):
        return sign * math.inf
    return sign * 0.0 if a == 0 or math.isinf(b) else Fraction(a) / Fraction(b)


def extreme(a, b, largest, nan):
    if math.isnan(a) or math.isnan(b):
        return NAN if nan or (math.isnan(a) and math.isnan(b)) else b if math.isnan(a) else a
    return (max if largest else min)(a, b, key=lambda x: (x, math.copysign(1, x)))


def compared(name, a, b):
    unordered = name.endswith('u')
    if math.isnan(a) or math.isnan(b):
        return unordered
    return {'eq': a == b, 'ne': a != b, 'lt': a < b, 'le': a <= b, 'gt': a > b, 'ge': a >= b}[name[:2]]


def guarded(function):
    def apply(x):
        try:
            return function(x)
        except OverflowError:
            return math.inf
        except ValueError:
            return NAN
    return apply


def logarithm(function):
    return lambda x: -math.inf if x == 0 else function(x)


MATH = {
    'sqrt': lambda x: x if x == 0 else math.sqrt(x),
    'rsqrt': lambda x: math.copysign(math.inf, x) if x == 0 else 1 / math.sqrt(x),
    'rcp': lambda x: divide(1.0, x), 'exp': math.exp, 'exp2': lambda x: 2.0 ** x, 'exp10': lambda x: 10.0 ** x,
    'log': logarithm(math.log), 'log2': logarithm(math.log2), 'log10': logarithm(math.log10), 'sin': math.sin,
    'cos': math.cos, 'tanh': math.tanh, 'tanh_approx': math.tanh,
}
INTEGRAL = {'trunc': math.trunc, 'ceil': math.ceil, 'floor': math.floor, 'rint': round}
TO_INTEGER = {'rn': round, 'rz': math.trunc, 'rd': math.floor, 'ru': math.ceil}


def to_integer(x, kind, mode):
    """As cvt has it: out of range the nearest number, NaN is 0, and the top bit alone in 64 bits."""
    bits = 8 * struct.calcsize(half_functions.KINDS[kind][2])
    signed = half_functions.KINDS[kind][2].islower()
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    if math.isnan(x):
        return (low if signed else 1 << 63) if bits == 64 else 0
    if math.isinf(x):
        return high if x > 0 else low
    return min(max(TO_INTEGER[mode](x), low), high)


class Reference:
    """What the functions of one type give, from and to bits."""

    def __init__(self, ptx):
        self.ptx, self.format = ptx, Format(ptx)

    def scalar(self, name, operands, bits):
        """A function of the scalar type by its name without h, __h and 2."""
        f = self.format
        a, b, c = (operands + [None, None])[:3]
        base, _, end = name.partition('_')
        if base in ('add', 'sub', 'mul', 'fma'):
            result = {'add': lambda: add(a, b), 'sub': lambda: add(a, -b), 'mul': lambda: multiply(a, b),
                      'fma': lambda: fused(a, b, c)}[base]()
            if end in ('sat', 'relu') and (result != result or result <= 0):
                return f.bits(result) if end == 'relu' and result != result else 0
            return min(f.bits(result), f.one) if end == 'sat' else f.bits(result)
        if base in ('min', 'max'):
            return f.bits(extreme(a, b, base == 'max', end == 'nan'))
        if base == 'div':
            return f.bits(divide(a, b))
        if base == 'neg':
            return f.bits(-a)
        if base == 'abs':
            return f.bits(abs(a))
        if base == 'plus':
            return bits
        if name in INTEGRAL:
            whole = float(INTEGRAL[name](a)) if math.isfinite(a) else a
            return f.bits(math.copysign(whole, a) if whole == 0 else whole)
        result = guarded(MATH[name])(a)
        return f.bits(result)

    def elementwise(self, name, operands):
        """A function of pairs from that of scalars, both given by bits."""
        halves = [self.scalar(name, [self.format.value(o >> s & 0xffff) for o in operands], operands[0] >> s & 0xffff)
                  for s in (0, 16)]
        return halves[0] | halves[1] << 16

    def arithmetic(self, text, operands, pair):
        """The value of an expression of the groups of `arithmetic`, or None."""
        operators = {'+': 'add', '-': 'sub', '*': 'mul', '/': 'div'}
        one = self.format.one * (0x10001 if pair else 1)
        match = re.match(r'\(?a ([-+*/])=? b', text)
        if match:
            name = operators[match[1]]
        elif text in ('-a', '+a', 'a--'):
            name = {'-a': 'neg', '+a': 'plus', 'a--': 'plus'}[text]
        elif text in ('++a', '--a', '(a++, a)'):
            name, operands = 'add' if '+' in text else 'sub', operands[:1] + [one]
        else:
            match = re.match(r'(?:__h2?|h2?)(add|sub|mul|fma|div|min|max|neg|abs|' +
                             '|'.join(sorted(list(MATH) + list(INTEGRAL), key=len, reverse=True)) +
                             r')2?(_\w+)?\(', text)
            if not match:
                return None
            name = match[1] + (match[2] or '')
        if pair:
            return self.elementwise(name, operands)
        return self.scalar(name, [self.format.value(o) for o in operands], operands[0])

    def comparison(self, text, operands, pair, result):
        """The value of a comparison, or None."""
        match = re.match(r'__hb?((?:eq|ne|lt|le|gt|ge)u?)2?(_mask)?\(|a ([=!<>]=?) b', text)
        if match:
            name = match[1] or half_functions.OPERATORS[match[3]]
            halves = [compared(name, *(self.format.value(o >> s & 0xffff) for o in operands))
                      for s in ((0, 16) if pair else (0,))]
        elif text.startswith('__hisnan'):
            halves = [math.isnan(self.format.value(operands[0] >> s & 0xffff)) for s in ((0, 16) if pair else (0,))]
        else:
            return None
        if result == 't':
            return int(all(halves))
        ones = 0xffff if result == 'u' else self.format.one
        return halves[0] * ones | halves[1] * ones << 16

    def moved(self, text, operands):
        """The value of a function that only moves halves, or None."""
        name = half_functions.TYPES[self.ptx][2]
        a, b = (operands + [0])[:2]
        low, high = a & 0xffff, a >> 16
        pair = f'__halves2{name}2', 'make_', half_functions.TYPES[self.ptx][1] + '('
        moves = {f'__low2{name}(': low, f'__high2{name}(': high, f'__{name}2{name}2(': low | low << 16,
                 f'__low2{name}2(': low | low << 16, f'__high2{name}2(': high | high << 16,
                 '__lowhigh2highlow(': high | low << 16, f'__lows2{name}2(': low | (b & 0xffff) << 16,
                 f'__highs2{name}2(': high | b & 0xffff0000, f'__{name}_as_short(': low - (low >> 15 << 16),
                 f'__{name}_as_ushort(': low, f'__short_as_{name}(': low, f'__ushort_as_{name}(': low}
        for start, value in moves.items():
            if text.startswith(start):
                return value
        return low | b << 16 if text.startswith(pair) else None

    def converted(self, text, operands, result, kind):
        """The value of a conversion."""
        f, mode = self.format, (re.findall(r'_(r[nzdu])\(', text) or [None])[0]
        wide = {'f': ('<I', '<f'), 'd': ('<Q', '<d')}

        def float_of(bits, kind):
            return struct.unpack(wide[kind][1], struct.pack(wide[kind][0], bits))[0]

        def float_bits(x, kind):
            if math.isnan(x):
                return 0x7fffffff if kind == 'f' else None
            return struct.unpack(wide[kind][0], struct.pack(wide[kind][1], x))[0]
        if text == '(bool)a':
            return int(operands[0] & 0x7fff != 0)
        if text.startswith('__hisinf'):
            return {f.infinity: 1, f.infinity | 0x8000: -1}.get(operands[0], 0)
        if result in 'fd':
            half = operands[0] >> 16 if 'high' in text else operands[0] & 0xffff
            return float_bits(f.value(half), result)
        if result == 'F':
            return [float_bits(f.value(operands[0] >> s & 0xffff), 'f') for s in (0, 16)]
        if result == 'P':
            halves = [f.bits(float_of(o, 'f')) for o in operands]
            return halves[0] | halves[-1] << 16
        if result == 'H':
            x = float_of(operands[0], kind) if kind in 'fd' else Fraction(operands[0])
            if kind == 'd' and math.isnan(x):
                return f.infinity | 1 << (f.mantissa - 1)  # not the canonical one, as on an H200
            return f.bits(x if x != 0 or kind in 'fd' else 0.0, mode or 'rn')
        return to_integer(f.value(operands[0]), result, mode or 'rz')

    def complex_sum(self, operands):
        f = self.format
        (ar, ai), (br, bi), (cr, ci) = ((f.value(o & 0xffff), f.value(o >> 16)) for o in operands)
        real, imaginary = f.value(f.bits(fused(ar, br, cr))), f.value(f.bits(fused(ar, bi, ci)))
        return f.bits(fused(-ai, bi, real)) | f.bits(fused(ai, br, imaginary)) << 16

    def exchanged(self, text, i, first):
        """The value of a load or a shuffle at thread i, or None."""
        lane, warp = i % 32, i - i % 32
        if text.startswith('__ld'):
            return first[i]
        if not text.startswith('__shfl'):
            return None
        return first[warp + {'__shfl_sync': 3, '__shfl_up_sync': lane - 2 if lane >= 2 else lane,
                             '__shfl_down_sync': lane + 5 if lane % 16 < 11 else lane,
                             '__shfl_xor_sync': lane ^ 1}[text.split('(')[0]]]

    def expected(self, signature, text, i, columns):
        result, kinds = signature.split(':')
        operands, pair = [column[i] for column in columns], kinds[0] == 'P'
        if kinds == result and len(kinds) == 1:
            value = self.exchanged(text, i, columns[0])
            if value is not None:
                return value
        if text.startswith('__hcmadd'):
            return self.complex_sum(operands)
        value = self.moved(text, operands)
        if value is None and set(kinds) <= set('HP'):
            value = self.comparison(text, operands, pair, result)
            if value is None and result == kinds[0]:
                value = self.arithmetic(text, operands, pair)
        return self.converted(text, operands, result, kinds[0]) if value is None else value

    def agrees(self, signature, text, found, expected):
        if found == expected or expected is None:
            return True
        result = signature[0]
        match = re.match(r'h2?([a-z]\w*)\(', text)
        units = UNITS.get(match[1], 0) if match else 0
        is_nan = (lambda bits: bits & 0x7fffffff > 0x7f800000) if result in 'fF' else lambda bits: False
        if result in 'fF' and is_nan(found) and is_nan(expected):
            return True
        if result not in 'HP' or units == 0:
            return False
        f = self.format
        return all(abs(f.order(found >> s & 0xffff) - f.order(expected >> s & 0xffff)) <= units
                   for s in ((0, 16) if result == 'P' else (0,)))


def unpacked(path, kind):
    code = half_functions.KINDS[kind][2]
    data = path.read_bytes()
    return struct.unpack(f'<{len(data) // struct.calcsize(code)}{code}', data)


class HalfFunctions(unittest.TestCase):
    def simulate(self, ptx, folder):
        half_functions.write(ptx, folder, COUNT)
        names = [half_functions.kernel_name(s) for s in half_functions.groups_of(ptx)]
        dumps = [word for n in names + ['scalars', 'pairs', 'sums'] for word in ('--dump', f'{n}=out_{n}.bin')]
        done = subprocess.run([PROGRAM, 'run', 'launch.yaml', *dumps], cwd=folder, capture_output=True, text=True,
                              timeout=HANGS)
        self.assertEqual(done.returncode, 0, done.stderr)

    def check_group(self, ptx, folder, signature, functions):
        result, kinds = signature.split(':')
        reference, width = Reference(ptx), half_functions.KINDS[result][3]
        found = unpacked(folder / f'out_{half_functions.kernel_name(signature)}.bin', result)
        inputs = {k: unpacked(folder / f'in_{k if k.islower() else k * 2}.bin', k) for k in kinds}
        columns = [inputs[k][n * COUNT:(n + 1) * COUNT] for n, k in enumerate(kinds)]
        if kinds == 'F':
            columns = [inputs['F'][0:2 * COUNT:2], inputs['F'][1:2 * COUNT:2]]
        for f, text in enumerate(functions):
            for i in range(COUNT):
                value = found[(f * COUNT + i) * width:(f * COUNT + i + 1) * width]
                expected = reference.expected(signature, text, i, columns)
                expected = expected if isinstance(expected, list) else [expected]
                for v, e in zip(value, expected):
                    if not reference.agrees(signature, text, v, e):
                        operands = ' '.join(hex(c[i]) for c in columns)
                        self.fail(f'{ptx} {signature} {text} of {operands}: {v:#x}, expected {e:#x}')

    def check_memory(self, ptx, folder):
        halves, pairs = (unpacked(folder / f'in_{k * 2}.bin', k)[:32] for k in 'HP')
        self.assertEqual(unpacked(folder / 'out_scalars.bin', 'H'), halves * 4)
        self.assertEqual(unpacked(folder / 'out_pairs.bin', 'P'), pairs * 4)
        sums, bits = [0, 0], Format(ptx).bits
        for i in range(32):
            sums[i % 2] += i % 3
        self.assertEqual(unpacked(folder / 'out_sums.bin', 'H'),
                         (0, bits(float(sums[0])), bits(float(sums[1])), 0, bits(32.0), bits(float(sum(sums))), 0, 0))

    def check(self, ptx):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            self.simulate(ptx, folder)
            for signature, functions in half_functions.groups_of(ptx).items():
                with self.subTest(signature=signature):
                    self.check_group(ptx, folder, signature, functions)
            self.check_memory(ptx, folder)

    def test_half(self):
        self.check('f16')

    def test_bfloat16(self):
        self.check('bf16')


if __name__ == '__main__':
    unittest.main()
