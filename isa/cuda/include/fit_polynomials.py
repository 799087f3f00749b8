#!/usr/bin/env python3
"""Fits the polynomials of warpstep/math_coefficients.h. Needs mpmath.

    python3 fit_polynomials.py > warpstep/math_coefficients.h

Each polynomial interpolates its function at Chebyshev nodes in 60 digits, which is within a small
factor of minimax; the coefficients are then rounded to float or double. The largest relative error
of the rounded polynomial times its weight is printed to stderr.
"""
import struct
import sys

from mpmath import mp, mpf

mp.dps = 60


def round_to(value, kind):
    if kind == 'd':
        return mpf(float(value))
    f = struct.unpack('f', struct.pack('f', float(value)))[0]
    return mpf(f)


def fit(name, kind, function, low, high, degree, weight):
    """Polynomial of `degree` near `function` on [low, high]; weight(x) turns its relative error
    into that of the whole result."""
    low, high = mpf(low), mpf(high)
    nodes = [(low + high) / 2 + (high - low) / 2 * mp.cos(mp.pi * (2 * k + 1) / (2 * degree + 2))
             for k in range(degree + 1)]
    matrix = mp.matrix(degree + 1, degree + 1)
    right = mp.matrix(degree + 1, 1)
    for i, x in enumerate(nodes):
        for j in range(degree + 1):
            matrix[i, j] = x ** j
        right[i] = function(x)
    solution = mp.lu_solve(matrix, right)
    coefficients = [round_to(c, kind) for c in solution]
    worst = mpf(0)
    for k in range(400):
        x = low + (high - low) * (k + mpf(1) / 2) / 400
        p = mp.polyval(coefficients[::-1], x)
        worst = max(worst, abs((p - function(x)) * weight(x)))
    print(f'{name}: degree {degree}, {mp.nstr(worst, 3)} = 2^{mp.nstr(mp.log(worst, 2), 4)}',
          file=sys.stderr)
    return coefficients


def literal(value, kind):
    text = float(value).hex()
    mantissa, exponent = text.split('p')
    return mantissa.rstrip('0').rstrip('.') + 'p' + exponent + ('f' if kind == 'f' else '')


def emit(name, kind, coefficients):
    """A function that evaluates the polynomial by Horner's rule with fused multiply-adds."""
    number, fma = ('float', '__builtin_fmaf') if kind == 'f' else ('double', '__builtin_fma')
    print(f'__WS_MATH {number} __ws_poly_{name.lower()}({number} x)\n{{')
    print(f'    {number} p = {literal(coefficients[-1], kind)};')
    for c in reversed(coefficients[:-1]):
        print(f'    p = {fma}(p, x, {literal(c, kind)});')
    print('    return p;\n}\n')


def series(function, terms):
    """function(x) by the series `terms` near 0, where the closed form cancels."""
    def g(x):
        if abs(x) < mpf('1e-12'):
            return mpf(terms)
        return function(x)
    return g


def log_rest(f):
    return (mp.log1p(f) - f + f * f / 2) / f ** 3


def atanh_rest(z):
    s = mp.sqrt(z)
    return (2 * mp.atanh(s / 2) - s) / (s * z)


def odd(function):
    """(function(x) - x) / x^3 as a function of z = x^2."""
    def g(z):
        x = mp.sqrt(z)
        return (function(x) - x) / (x * z)
    return g


def erfcx_t(shift):
    """erfc(x) * exp(x^2) * (1 + 2x) as a function of t = (x - shift) / (x + shift)."""
    def g(t):
        x = shift * (1 + t) / (1 - t)
        return mp.erfc(x) * mp.exp(x * x) * (1 + 2 * x)
    return g


def main():
    third, sixth = mpf(1) / 3, mpf(1) / 6
    r2 = mp.log(2) / 2
    pi4 = mp.pi / 4
    low, high = mp.sqrt(mpf(1) / 2) - 1, mp.sqrt(mpf(2)) - 1
    smax = (2 * high / (2 + high)) ** 2
    rows = [
        # name, kind, function, low, high, degree, weight to the relative error of the result
        ('EXPM1F', 'f', series(lambda x: (mp.expm1(x) - x) / (x * x), 0.5), -r2, r2, 5,
         lambda x: x),
        ('LOGF', 'f', series(log_rest, third), low, high, 8, lambda x: x * x),
        ('POWF', 'f', atanh_rest, mpf('1e-9'), smax, 3, lambda z: z),
        ('SINF', 'f', odd(mp.sin), mpf('1e-9'), pi4 ** 2, 3, lambda z: z),
        ('COSF', 'f', series(lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z ** 2, mpf(1) / 24),
         mpf('1e-9'), pi4 ** 2, 3, lambda z: z * z),
        ('TANF', 'f', odd(mp.tan), mpf('1e-9'), pi4 ** 2, 6, lambda z: z),
        ('ASINF', 'f', odd(mp.asin), mpf('1e-9'), mpf('0.25'), 5, lambda z: z),
        ('ATANF', 'f', odd(mp.atan), mpf('1e-9'), 1, 9, lambda z: z),
        ('TANHF', 'f', odd(mp.tanh), mpf('1e-9'), mpf('0.36'), 5, lambda z: z),
        ('SINHF', 'f', odd(mp.sinh), mpf('1e-9'), 1, 4, lambda z: z),
        ('ERFF', 'f', lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1, mpf('1e-9'), 1, 7,
         lambda z: 1),
        ('ERFCF', 'f', erfcx_t(mpf(2)), mpf('-1'), mpf(9) / 13, 12, lambda t: 1),
        ('EXP', 'd', series(lambda x: (mp.expm1(x) - x) / (x * x), 0.5), -r2, r2, 10, lambda x: x),
        ('LOG', 'd', atanh_rest, mpf('1e-9'), smax, 8, lambda z: z),
        ('SIN', 'd', odd(mp.sin), mpf('1e-9'), pi4 ** 2, 6, lambda z: z),
        ('COS', 'd', lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z ** 2, mpf('1e-9'), pi4 ** 2,
         6, lambda z: z * z),
        ('TAN', 'd', odd(mp.tan), mpf('1e-9'), pi4 ** 2, 15, lambda z: z),
        ('ASIN', 'd', odd(mp.asin), mpf('1e-9'), mpf('0.25'), 13, lambda z: z),
        ('ATAN', 'd', odd(mp.atan), mpf('1e-9'), 1, 20, lambda z: z),
        ('TANH', 'd', odd(mp.tanh), mpf('1e-9'), mpf('0.36'), 13, lambda z: z),
        ('SINH', 'd', odd(mp.sinh), mpf('1e-9'), 1, 8, lambda z: z),
        ('ERF', 'd', lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1, mpf('1e-9'), 1, 14,
         lambda z: 1),
        ('ERFC', 'd', erfcx_t(mpf(4)), mpf('-1'), mpf(24) / 32, 26, lambda t: 1),
    ]
    print('/*\n * Polynomial coefficients of the math functions. Made by fit_polynomials.py: do not '
          'edit.\n */')
    print('#ifndef WARPSTEP_MATH_COEFFICIENTS_H\n#define WARPSTEP_MATH_COEFFICIENTS_H\n')
    for name, kind, function, a, b, degree, weight in rows:
        emit(name, kind, fit(name, kind, function, a, b, degree, weight))
    print('#endif')


main()
