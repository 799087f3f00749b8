"""Intrinsics with a rounding mode among plain sums and products: test_rounded_functions.py WARPSTEP

Runs every expression of rounded_functions.py on special and random operands and compares each bit with the exact
result, rounded where the source says so: what has a rounding mode stays apart, plain products and sums are fused.
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

import rounded_functions
from patience import HANGS

PROGRAM = os.path.abspath(sys.argv.pop(1))
COUNT = 128
NAN = float('nan')


class Number:
    """A number of a type, by its bits; operators round to nearest."""

    def __init__(self, kind, bits):
        self.kind, self.bits = kind, bits
        _, _, _, exponent_bits, self.mantissa = rounded_functions.TYPES[kind]
        self.bias = (1 << (exponent_bits - 1)) - 1
        self.infinity = ((1 << exponent_bits) - 1) << self.mantissa
        self.sign = 1 << (exponent_bits + self.mantissa)

    @property
    def negative(self):
        return bool(self.bits & self.sign)

    @property
    def size(self):
        return self.bits & (self.sign - 1)

    @property
    def is_nan(self):
        return self.size > self.infinity

    @property
    def is_infinite(self):
        return self.size == self.infinity

    @property
    def value(self):
        """The exact value of a finite number."""
        exponent = max(self.size >> self.mantissa, 1)
        digits = self.size - ((exponent - 1) << self.mantissa if self.size >> self.mantissa else 0)
        exact = Fraction(digits) * Fraction(2) ** (exponent - self.bias - self.mantissa)
        return -exact if self.negative else exact

    def like(self, bits, negative=False):
        return Number(self.kind, bits | (self.sign if negative else 0))

    def nan(self):
        return self.like(self.sign - 1)

    def rounded(self, exact, mode, negative_zero=False):
        """The number of this type that an exact value is rounded to."""
        if exact == 0:
            return self.like(0, negative_zero)
        size, negative = abs(exact), exact < 0
        e = size.numerator.bit_length() - size.denominator.bit_length()
        e = max(e - (size < Fraction(2) ** e), 1 - self.bias)
        scaled = size / Fraction(2) ** (e - self.mantissa)
        up = {'rz': False, 'rd': negative, 'ru': not negative}.get(mode)
        digits = round(scaled) if up is None else math.ceil(scaled) if up else math.floor(scaled)
        bits = ((e + self.bias - 1) << self.mantissa) + digits
        return self.like(min(bits, self.infinity if up is None or up else self.infinity - 1), negative)

    def __neg__(self):
        return self.like(self.bits ^ self.sign)

    def __add__(self, other):
        return add(self, other)

    def __sub__(self, other):
        return add(self, -other)

    def __mul__(self, other):
        return multiply(self, other)

    def __truediv__(self, other):
        return divide(self, other)


def add(a, b, mode='rn'):
    if a.is_nan or b.is_nan or (a.is_infinite and b.is_infinite and a.negative != b.negative):
        return a.nan()
    if a.is_infinite or b.is_infinite:
        return a if a.is_infinite else b
    both = a.negative and b.negative
    either = a.negative or b.negative
    return a.rounded(a.value + b.value, mode, either if mode == 'rd' else both)


def multiply(a, b, mode='rn'):
    negative = a.negative != b.negative
    if a.is_nan or b.is_nan or (a.is_infinite and b.size == 0) or (b.is_infinite and a.size == 0):
        return a.nan()
    if a.is_infinite or b.is_infinite:
        return a.like(a.infinity, negative)
    return a.rounded(a.value * b.value, mode, negative)


def fma(a, b, c, mode='rn'):
    product = multiply(a, b)
    if product.is_nan or c.is_nan or a.is_infinite or b.is_infinite or c.is_infinite:
        if a.is_infinite or b.is_infinite or product.is_nan or c.is_nan:
            return add(product, c)
        return c
    negative = a.negative != b.negative
    zero = negative or c.negative if mode == 'rd' else negative and c.negative
    return a.rounded(a.value * b.value + c.value, mode, zero)


def divide(a, b, mode='rn'):
    negative = a.negative != b.negative
    if a.is_nan or b.is_nan or (a.is_infinite and b.is_infinite) or (a.size == 0 and b.size == 0):
        return a.nan()
    if a.is_infinite or b.size == 0:
        return a.like(a.infinity, negative)
    if b.is_infinite:
        return a.like(0, negative)
    return a.rounded(a.value / b.value, mode, negative)


def root(exact):
    """The square root of a positive value, with enough bits and a sticky one behind them."""
    shift = 2 * 64 + 2 * exact.denominator.bit_length()
    digits = (exact.numerator << shift) // exact.denominator
    whole = math.isqrt(digits)
    return Fraction(2 * whole + (whole * whole * exact.denominator != exact.numerator << shift), 2 << (shift // 2))


def sqrt(a, mode='rn'):
    if a.is_nan or (a.negative and a.size != 0):
        return a.nan()
    return a if a.size == 0 or a.is_infinite else a.rounded(root(a.value), mode)


def reciprocal_root(a):
    if a.is_nan or (a.negative and a.size != 0):
        return a.nan()
    if a.is_infinite or a.size == 0:
        return a.like(0 if a.is_infinite else a.infinity, a.negative)
    return a.rounded(root(1 / a.value), 'rn')


def saturate(a):
    one = a.like(a.bias << a.mantissa)
    if a.is_nan or a.negative:
        return a.like(0)
    return one if a.size > one.size else a


def two_sum_error(a, b, plus, minus):
    total = plus(a, b)
    part = minus(total, a)
    return plus(minus(a, minus(total, part)), minus(b, part))


def two_product_error(a, b, split, _, minus, times):
    def halves(x):
        c = times(split, x)
        high = minus(c, minus(c, x))
        return high, minus(x, high)
    (a_high, a_low), (b_high, b_low) = halves(a), halves(b)
    rest = minus(times(a, b), times(a_high, b_high))
    rest = minus(minus(rest, times(a_low, b_high)), times(a_high, b_low))
    return minus(times(a_low, b_low), rest)


def kahan(a, b, c):
    total = lost = a.like(0)
    for x in (a, b, c):
        y = x - lost
        t = total + y
        lost = (t - total) - y
        total = t
    return total - lost


def names_of(kind):
    """What the expressions of a type may name."""
    scope = {'fma': fma, 'two_sum_error': two_sum_error, 'two_product_error': two_product_error, 'kahan': kahan,
             '__hadd': add, '__hadd_rn': add, '__hsub': lambda a, b: a - b, '__hsub_rn': lambda a, b: a - b,
             '__hmul': multiply, '__hmul_rn': multiply, '__hfma': fma, '__frsqrt_rn': reciprocal_root,
             '__saturatef': saturate}
    one = Number(kind, 0)
    one.bits = one.bias << one.mantissa
    for mode in rounded_functions.MODES:
        def at(function, m=mode):
            return lambda *operands: function(*operands, mode=m)
        for prefix in ('__f', '__d'):
            scope[f'{prefix}add_{mode}'] = at(add)
            scope[f'{prefix}sub_{mode}'] = lambda a, b, m=mode: add(a, -b, m)
            scope[f'{prefix}mul_{mode}'] = at(multiply)
            scope[f'{prefix}div_{mode}'] = at(divide)
            scope[f'{prefix}rcp_{mode}'] = lambda a, m=mode: divide(one, a, m)
            scope[f'{prefix}sqrt_{mode}'] = at(sqrt)
        scope[f'__fmaf_{mode}'] = scope[f'__fma_{mode}'] = at(fma)
    return scope


def in_python(text):
    """The expression with its literals as numbers."""
    return re.sub(r'(?<![\w.])(0x[0-9a-f.]+p[-+]?\d+|\d+\.\d+)f?', r'literal("\1")', text)


class RoundedFunctions(unittest.TestCase):
    def check(self, folder, kind):
        _, _, code, _, _ = rounded_functions.TYPES[kind]
        scope = names_of(kind)
        zero = Number(kind, 0)

        def literal(text):
            value = float.fromhex(text) if text.startswith('0x') else float(text)
            return zero.rounded(Fraction(value), 'rn')
        scope['literal'] = literal
        columns = rounded_functions.operands(kind, COUNT, 1)
        data = (folder / f'out_{kind}.bin').read_bytes()
        found = struct.unpack(f'<{len(data) // struct.calcsize(code)}{code}', data)
        for f, (text, meaning) in enumerate(rounded_functions.expressions(kind)):
            compiled = compile(in_python(meaning), text, 'eval')
            for i in range(COUNT):
                a, b, c = (Number(kind, columns[n * COUNT + i]) for n in range(3))
                expected = eval(compiled, {'__builtins__': {}}, {**scope, 'a': a, 'b': b, 'c': c})
                value = Number(kind, found[f * COUNT + i])
                if value.bits != expected.bits and not (value.is_nan and expected.is_nan):
                    self.fail(f'{text} of {a.bits:#x} {b.bits:#x} {c.bits:#x}: {value.bits:#x}, '
                              f'expected {expected.bits:#x}')

    def test_every_expression(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            rounded_functions.write(folder, COUNT)
            dumps = [word for k in rounded_functions.TYPES for word in ('--dump', f'out_{k}=out_{k}.bin')]
            done = subprocess.run([PROGRAM, 'run', 'launch.yaml', *dumps], cwd=folder, capture_output=True, text=True,
                                  timeout=HANGS)
            self.assertEqual(done.returncode, 0, done.stderr)
            for kind in rounded_functions.TYPES:
                with self.subTest(type=rounded_functions.TYPES[kind][0]):
                    self.check(folder, kind)

    def test_operands_tell(self):
        """Fused and rounded twice give different results for many of the operands, else nothing is shown."""
        for kind in rounded_functions.TYPES:
            columns = rounded_functions.operands(kind, COUNT, 1)
            differ = 0
            for i in range(COUNT):
                a, b, c = (Number(kind, columns[n * COUNT + i]) for n in range(3))
                differ += (a * b + c).bits != fma(a, b, c).bits
            self.assertGreater(differ, COUNT // 16)


if __name__ == '__main__':
    unittest.main()
