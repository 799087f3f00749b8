#!/usr/bin/env python3
"""Writes launch files that run PTX operations, a kernel each, on many operands.

    make_operations.py FOLDER

Below FOLDER comes a folder for each group: operations.ptx, launch.yaml, and operands. export_job
simulates them, and run_on_device.py compares all results with those of a real GPU.

A statement finds operands a, b, c of 64 bits in %rd0..2 and %fd0..2, their low bits in %r0..2, %f0..2,
%rs0..2 and %p0..2, and leaves its result in number 3 of a file, or in %p3. What PTX leaves open is kept out:
divisors of 0, amounts out of range where the manual has no rule, results of approximate functions.
"""
import itertools
import math
import os
import random
import struct
import sys

COUNT = 1024  # operands of a kernel: 8 blocks of 128 threads
PER_FILE = 120

# Result: file and number, type of the buffer, elements a thread, how it is stored.
RESULTS = {
    'h': ('u16', 1, 'st.global.b16 [%rd8], %rs3;'),
    'H': ('f16', 1, 'st.global.b16 [%rd8], %rs3;'),
    'b': ('bf16', 1, 'st.global.b16 [%rd8], %rs3;'),
    'r': ('u32', 1, 'st.global.b32 [%rd8], %r3;'),
    '2': ('f16', 2, 'st.global.b32 [%rd8], %r3;'),
    'B': ('bf16', 2, 'st.global.b32 [%rd8], %r3;'),
    'd': ('u64', 1, 'st.global.b64 [%rd8], %rd3;'),
    'f': ('f32', 1, 'st.global.f32 [%rd8], %f3;'),
    'D': ('f64', 1, 'st.global.f64 [%rd8], %fd3;'),
    'p': ('u32', 1, 'selp.u32 %r3, 1, 0, %p3; st.global.b32 [%rd8], %r3;'),
}
BYTES = {'u16': 2, 'f16': 2, 'bf16': 2, 'u32': 4, 'f32': 4, 'u64': 8, 'f64': 8}
FILE_OF = {'16': 'rs', '32': 'r', '64': 'rd'}
RESULT_OF = {'16': 'h', '32': 'r', '64': 'd'}


class Operations:
    """Statements by name, each with the kind of its operands and of its result."""

    def __init__(self):
        self.all = {}
        self.expected = {}

    def add(self, kind, result, statement):
        name = statement.split(';')[0] if '{' not in statement else statement
        name = ''.join(c if c.isalnum() else '_' for c in name.split('%')[0]).strip('_')
        unique, number = name, 2
        while unique in self.all:
            unique, number = f'{name}_{number}', number + 1
        self.all[unique] = (kind, result, statement)
        return unique

    def near(self, statement, kind, function, relative, absolute=0):
        """A statement on floats a and b whose result lies so near to a function of them."""
        self.expected[self.add(kind, 'f', statement)] = (function, relative, absolute)


def plain(operations, kind, name, size, inputs, result=None):
    """`name` of registers of `size` bits."""
    file = FILE_OF[size]
    operations.add(kind, result or RESULT_OF[size],
                   f'{name} %{file}3, ' + ', '.join(f'%{file}{i}' for i in range(inputs)) + ';')


def integers(operations):
    sizes = ('16', '32', '64')
    for size, sign in itertools.product(sizes, 'su'):
        t = sign + size
        for name in ('add', 'sub', 'mul.lo', 'mul.hi', 'min', 'max'):
            plain(operations, 'i', f'{name}.{t}', size, 2)
        for name in ('mad.lo', 'sad') + (('mad.hi',) if size != '16' else ()):
            plain(operations, 'i', f'{name}.{t}', size, 3)
        file = FILE_OF[size]
        for name in ('div', 'rem'):
            operations.add('i', RESULT_OF[size], f'or.b{size} %{file}1, %{file}1, 4; '
                           f'{name}.{t} %{file}3, %{file}0, %{file}1;')
        if size != '64':
            wide = {'16': 'r', '32': 'rd'}[size]
            result = {'16': 'r', '32': 'd'}[size]
            operations.add('i', result, f'mul.wide.{t} %{wide}3, %{file}0, %{file}1;')
            operations.add('i', result, f'mad.wide.{t} %{wide}3, %{file}0, %{file}1, %{wide}2;')
        operations.add('i', RESULT_OF[size], f'shr.{t} %{file}3, %{file}0, %r1;')
        for compare in ('eq', 'ne', 'lt', 'le', 'gt', 'ge') + (('lo', 'ls', 'hi', 'hs')
                                                              if sign == 'u' else ()):
            operations.add('i', 'p', f'setp.{compare}.{t} %p3, %{file}0, %{file}1;')
            operations.add('i', 'r', f'set.{compare}.u32.{t} %r3, %{file}0, %{file}1;')
        operations.add('i', 'f', f'set.le.f32.{t} %f3, %{file}0, %{file}1;')
        for logic in ('and', 'or', 'xor'):
            operations.add('i', 'p', f'setp.ge.{logic}.{t} %p3|%p4, %{file}0, %{file}1, %p2;')
            operations.add('i', 'p', f'setp.lt.{logic}.{t} %p4|%p3, %{file}0, %{file}1, !%p2;')
    for size in sizes:
        file = FILE_OF[size]
        plain(operations, 'i', f'neg.s{size}', size, 1)
        plain(operations, 'i', f'abs.s{size}', size, 1)
        for name in ('and', 'or', 'xor'):
            plain(operations, 'i', f'{name}.b{size}', size, 2)
        for name in ('not', 'cnot'):
            plain(operations, 'i', f'{name}.b{size}', size, 1)
        operations.add('i', RESULT_OF[size], f'shl.b{size} %{file}3, %{file}0, %r1;')
        operations.add('i', RESULT_OF[size], f'selp.b{size} %{file}3, %{file}0, %{file}1, %p2;')
        operations.add('i', RESULT_OF[size], f'slct.b{size}.s32 %{file}3, %{file}0, %{file}1, %r2;')
        operations.add('f', RESULT_OF[size], f'slct.b{size}.f32 %{file}3, %{file}0, %{file}1, %f2;')
    for t in ('s32',):
        for name in ('add.sat', 'sub.sat'):
            plain(operations, 'i', f'{name}.{t}', '32', 2)
        plain(operations, 'i', f'mad.hi.sat.{t}', '32', 3)
        for name in ('min.relu', 'max.relu'):
            plain(operations, 'i', f'{name}.{t}', '32', 2)
    for t in ('s32', 'u32'):
        for part in ('lo', 'hi'):
            plain(operations, 'i', f'mul24.{part}.{t}', '32', 2)
            plain(operations, 'i', f'mad24.{part}.{t}', '32', 3)
    for a, b in itertools.product('su', 'su'):
        plain(operations, 'i', f'dp4a.{a}32.{b}32', '32', 3)
    bits(operations)
    chains(operations)


def bits(operations):
    for size in ('32', '64'):
        file = FILE_OF[size]
        # The manual restricts amounts to 0 to 255; code compiled for 64 bits depends on it.
        amounts = 'and.b32 %r1, %r1, 255; and.b32 %r2, %r2, 255; ' if size == '64' else ''
        for name in ('popc', 'clz'):
            operations.add('i', 'r', f'{name}.b{size} %r3, %{file}0;')
        plain(operations, 'i', f'brev.b{size}', size, 1)
        for sign in 'su':
            for shift in ('', '.shiftamt'):
                operations.add('i', 'r', f'bfind{shift}.{sign}{size} %r3, %{file}0;')
            operations.add('i', RESULT_OF[size], f'{amounts}bfe.{sign}{size} %{file}3, %{file}0, %r1, %r2;')
            operations.add('i', RESULT_OF[size], f'bfe.{sign}{size} %{file}3, %{file}0, 5, 9;')
        operations.add('i', RESULT_OF[size],
                       f'{amounts}bfi.b{size} %{file}3, %{file}0, %{file}1, %r1, %r2;')
        operations.add('i', RESULT_OF[size], f'bfi.b{size} %{file}3, %{file}0, %{file}1, 3, 17;')
    for table in (0x00, 0x1b, 0x96, 0xe8, 0xca, 0x80, 0xfe, 0x35, 0xff):
        operations.add('i', 'r', f'lop3.b32 %r3, %r0, %r1, %r2, {table};')
    for way, mode in itertools.product('lr', ('wrap', 'clamp')):
        plain(operations, 'i', f'shf.{way}.{mode}.b32', '32', 3)
        operations.add('i', 'r', f'shf.{way}.{mode}.b32 %r3, %r0, %r1, 7;')
    operations.add('i', 'r', 'prmt.b32 %r3, %r0, %r1, %r2;')
    operations.add('i', 'r', 'prmt.b32 %r3, %r0, %r1, 0x9c35;')
    for mode in ('f4e', 'b4e', 'rc8', 'ecl', 'ecr', 'rc16'):
        operations.add('i', 'r', f'prmt.b32.{mode} %r3, %r0, %r1, %r2;')
    for mode in ('clamp', 'wrap'):
        operations.add('i', 'r', f'bmsk.{mode}.b32 %r3, %r0, %r1;')
        for sign in 'su':
            operations.add('i', 'r', f'szext.{mode}.{sign}32 %r3, %r0, %r1;')
    operations.add('i', 'd', 'mov.b64 {%r5, %r6}, %rd0; mov.b64 %rd3, {%r6, %r5};')
    operations.add('i', 'd', 'mov.b64 %rd3, {%rs0, %rs1, %rs2, %rs0};')
    operations.add('i', 'r', 'mov.b32 {%rs5, %rs6}, %r0; mov.b32 %r3, {%rs6, %rs1};')


def chains(operations):
    """Of carries."""
    for size, file in (('32', 'r'), ('64', 'rd')):
        for name in ('add', 'sub'):
            operations.add('i', RESULT_OF[size], f'{name}.cc.u{size} %{file}5, %{file}0, %{file}1; '
                           f'{name}c.cc.u{size} %{file}6, %{file}1, %{file}2; '
                           f'{name}c.u{size} %{file}7, %{file}5, %{file}0; '
                           f'xor.b{size} %{file}3, %{file}7, %{file}6;')
            operations.add('i', RESULT_OF[size], f'{name}.cc.s{size} %{file}5, %{file}0, 1; '
                           f'{name}c.s{size} %{file}3, %{file}1, -1;')
        for part in ('lo', 'hi'):
            operations.add('i', RESULT_OF[size],
                           f'mad.{part}.cc.u{size} %{file}5, %{file}0, %{file}1, %{file}2; '
                           f'madc.{part}.cc.u{size} %{file}6, %{file}0, %{file}2, %{file}1; '
                           f'madc.hi.u{size} %{file}7, %{file}1, %{file}2, 0; '
                           f'add.u{size} %{file}3, %{file}5, %{file}6; '
                           f'xor.b{size} %{file}3, %{file}3, %{file}7;')


ROUNDINGS = ('rn', 'rz', 'rm', 'rp')


def floats(operations):
    for ftz, sat, rounding in itertools.product(('', '.ftz'), ('', '.sat'), ROUNDINGS):
        for name in ('add', 'sub', 'mul'):
            operations.add('f', 'f', f'{name}.{rounding}{ftz}{sat}.f32 %f3, %f0, %f1;')
        operations.add('f', 'f', f'fma.{rounding}{ftz}{sat}.f32 %f3, %f0, %f1, %f2;')
    for ftz, rounding in itertools.product(('', '.ftz'), ROUNDINGS):
        operations.add('f', 'f', f'div.{rounding}{ftz}.f32 %f3, %f0, %f1;')
        for name in ('rcp', 'sqrt'):
            operations.add('f', 'f', f'{name}.{rounding}{ftz}.f32 %f3, %f0;')
    for rounding in ROUNDINGS:
        for name in ('add', 'sub', 'mul', 'div'):
            operations.add('d', 'D', f'{name}.{rounding}.f64 %fd3, %fd0, %fd1;')
        operations.add('d', 'D', f'fma.{rounding}.f64 %fd3, %fd0, %fd1, %fd2;')
        for name in ('rcp', 'sqrt'):
            operations.add('d', 'D', f'{name}.{rounding}.f64 %fd3, %fd0;')
    for kind, t, file, result in (('f', 'f32', 'f', 'f'), ('d', 'f64', 'fd', 'D')):
        for ftz in ('', '.ftz') if t == 'f32' else ('',):
            for name in ('neg', 'abs'):
                operations.add(kind, result, f'{name}{ftz}.{t} %{file}3, %{file}0;')
            for name in ('min', 'max'):
                for more in ('', '.NaN', '.xorsign.abs', '.NaN.xorsign.abs') if t == 'f32' else ('',):
                    operations.add(kind, result, f'{name}{ftz}{more}.{t} %{file}3, %{file}0, %{file}1;')
            for compare in ('eq', 'ne', 'lt', 'le', 'gt', 'ge', 'equ', 'neu', 'ltu', 'leu', 'gtu', 'geu',
                            'num', 'nan'):
                operations.add(kind, 'p', f'setp.{compare}{ftz}.{t} %p3, %{file}0, %{file}1;')
            operations.add(kind, 'r', f'set.gtu{ftz}.u32.{t} %r3, %{file}0, %{file}1;')
            operations.add(kind, 'f', f'set.ge{ftz}.f32.{t} %f3, %{file}0, %{file}1;')
            for logic in ('and', 'or', 'xor'):
                operations.add(kind, 'p', f'setp.ltu.{logic}{ftz}.{t} %p3|%p4, %{file}0, %{file}1, %p2;')
        operations.add(kind, result, f'copysign.{t} %{file}3, %{file}0, %{file}1;')
        operations.add(kind, result, f'selp.{t} %{file}3, %{file}0, %{file}1, %p2;')
        for what in ('finite', 'infinite', 'number', 'notanumber', 'normal', 'subnormal'):
            operations.add(kind, 'p', f'testp.{what}.{t} %p3, %{file}0;')
    halves(operations)


def halves(operations):
    for t, kind, file, result in (('f16', 'h', 'rs', 'H'), ('f16x2', 'h', 'r', '2'),
                                  ('bf16', 'B', 'rs', 'b'), ('bf16x2', 'B', 'r', 'B')):
        short = t.startswith('f16')
        for ftz in ('', '.ftz') if short else ('',):
            for sat in ('', '.sat') if short else ('',):
                for name in ('add', 'sub', 'mul'):
                    operations.add(kind, result, f'{name}.rn{ftz}{sat}.{t} %{file}3, %{file}0, %{file}1;')
            for more in ('', '.sat', '.relu') if short else ('', '.relu'):
                operations.add(kind, result,
                               f'fma.rn{ftz}{more}.{t} %{file}3, %{file}0, %{file}1, %{file}2;')
            for name in ('neg', 'abs'):
                operations.add(kind, result, f'{name}{ftz}.{t} %{file}3, %{file}0;')
            for name in ('min', 'max'):
                for more in ('', '.NaN', '.xorsign.abs', '.NaN.xorsign.abs'):
                    operations.add(kind, result, f'{name}{ftz}{more}.{t} %{file}3, %{file}0, %{file}1;')
            for compare in ('eq', 'ne', 'lt', 'le', 'gt', 'ge', 'equ', 'neu', 'ltu', 'leu', 'gtu', 'geu',
                            'num', 'nan'):
                where = '%p3|%p4' if t.endswith('x2') else '%p3'
                operations.add(kind, 'p', f'setp.{compare}{ftz}.{t} {where}, %{file}0, %{file}1;')
                if t.endswith('x2'):
                    operations.add(kind, 'p', f'setp.{compare}{ftz}.{t} %p4|%p3, %{file}0, %{file}1;')


def conversions(operations):
    of_integer = {'8': 'r', '16': 'rs', '32': 'r', '64': 'rd'}
    kinds = [s + b for b in ('8', '16', '32', '64') for s in 'su']
    for source, target in itertools.product(kinds, kinds):
        if source == target:
            continue
        file, to = of_integer[source[1:]], of_integer[target[1:]]
        result = {'8': 'r', '16': 'h', '32': 'r', '64': 'd'}[target[1:]]
        operations.add('i', result, f'cvt.{target}.{source} %{to}3, %{file}0;')
        # The manual has .sat only where values can be out of range.
        wider = int(target[1:]) > int(source[1:])
        if (target[0] == 'u' and source[0] == 's') or not (wider or target[1:] == source[1:]) or \
                (target[0] == 's' and source[0] == 'u' and target[1:] == source[1:]):
            operations.add('i', result, f'cvt.sat.{target}.{source} %{to}3, %{file}0;')
    float_files = {'f16': ('rs', 'H', 'h'), 'bf16': ('rs', 'b', 'B'), 'f32': ('f', 'f', 'f'),
                   'f64': ('fd', 'D', 'd')}
    for source, target in itertools.product(kinds, ('f16', 'f32', 'f64', 'bf16')):
        if target == 'bf16' and source[1:] == '8':
            continue
        file, (to, result, _) = of_integer[source[1:]], float_files[target]
        for rounding in ROUNDINGS:
            operations.add('i', result, f'cvt.{rounding}.{target}.{source} %{to}3, %{file}0;')
    for source, target in itertools.product(('f16', 'f32', 'f64', 'bf16'), kinds):
        if source == 'bf16' and target[1:] == '8':
            continue
        (file, _, kind), to = float_files[source], of_integer[target[1:]]
        result = {'8': 'r', '16': 'h', '32': 'r', '64': 'd'}[target[1:]]
        for rounding in ('rni', 'rzi', 'rmi', 'rpi'):
            operations.add(kind, result, f'cvt.{rounding}.{target}.{source} %{to}3, %{file}0;')
        if source == 'f32':
            for rounding in ('rni', 'rzi', 'rmi', 'rpi'):
                operations.add(kind, result, f'cvt.{rounding}.ftz.{target}.{source} %{to}3, %{file}0;')
            operations.add(kind, result, f'cvt.rni.sat.{target}.{source} %{to}3, %{file}0;')
    for source, target in itertools.product(('f16', 'f32', 'f64'), repeat=2):
        (file, _, kind), (to, result, _) = float_files[source], float_files[target]
        wider = ('f16', 'f32', 'f64').index(target) > ('f16', 'f32', 'f64').index(source)
        if source == target:
            for rounding in ('rni', 'rzi', 'rmi', 'rpi'):
                operations.add(kind, result, f'cvt.{rounding}.{target}.{source} %{to}3, %{file}0;')
                if source == 'f32':
                    operations.add(kind, result, f'cvt.{rounding}.ftz.sat.f32.f32 %f3, %f0;')
            operations.add(kind, result, f'cvt.sat.{target}.{source} %{to}3, %{file}0;')
            continue
        for rounding in ('',) if wider else ROUNDINGS:
            dot = '.' if rounding else ''
            operations.add(kind, result, f'cvt{dot}{rounding}.{target}.{source} %{to}3, %{file}0;')
            operations.add(kind, result, f'cvt{dot}{rounding}.sat.{target}.{source} %{to}3, %{file}0;')
            if 'f32' in (source, target):
                operations.add(kind, result, f'cvt{dot}{rounding}.ftz.{target}.{source} %{to}3, %{file}0;')
    operations.add('B', 'f', 'cvt.f32.bf16 %f3, %rs0;')
    for rounding in ROUNDINGS:
        operations.add('f', 'H', f'cvt.{rounding}.ftz.sat.f16.f32 %rs3, %f0;')
        operations.add('f', 'b', f'cvt.{rounding}.ftz.bf16.f32 %rs3, %f0;')
    for rounding in ('rm', 'rp'):
        operations.add('f', 'b', f'cvt.{rounding}.bf16.f32 %rs3, %f0;')
    for rounding, relu in itertools.product(('rn', 'rz'), ('', '.relu')):
        operations.add('f', 'b', f'cvt.{rounding}{relu}.bf16.f32 %rs3, %f0;')
        operations.add('f', '2', f'cvt.{rounding}{relu}.f16x2.f32 %r3, %f0, %f1;')
        operations.add('f', 'B', f'cvt.{rounding}{relu}.bf16x2.f32 %r3, %f0, %f1;')
    operations.add('f', 'r', 'cvt.rna.tf32.f32 %r3, %f0;')


def warps(operations):
    for mode in ('up', 'down', 'bfly', 'idx'):
        operations.add('i', 'r', f'and.b32 %r1, %r1, 31; shfl.sync.{mode}.b32 %r3|%p3, %r0, %r1, 0x1f, -1;')
        operations.add('i', 'p', f'and.b32 %r1, %r1, 31; shfl.sync.{mode}.b32 %r3|%p3, %r0, %r1, 0x1f, -1;')
        operations.add('i', 'r', f'shfl.sync.{mode}.b32 %r3, %r0, 5, 0x181f, 0xffffffff;')
        operations.add('i', 'r', f'shfl.sync.{mode}.b32 %r3, %r0, 3, 0x1c05, 0xffffffff;')
    for mode in ('all', 'any', 'uni'):
        operations.add('i', 'p', f'setp.lt.u32 %p0, %r0, 0xfffffff0; vote.sync.{mode}.pred %p3, %p0, -1;')
    operations.add('i', 'r', 'vote.sync.ballot.b32 %r3, %p0, -1;')
    operations.add('i', 'r', 'vote.sync.ballot.b32 %r3, !%p1, -1;')
    for size, file in (('32', 'r'), ('64', 'rd')):
        operations.add('i', 'r', f'and.b{size} %{file}0, %{file}0, 3; match.any.sync.b{size} %r3, %{file}0, -1;')
        operations.add('i', 'r', f'and.b{size} %{file}0, %{file}0, 0; match.all.sync.b{size} %r3|%p3, %{file}0, -1;')
    for name in ('add.s32', 'add.u32', 'min.s32', 'min.u32', 'max.s32', 'max.u32', 'and.b32', 'or.b32',
                 'xor.b32'):
        operations.add('i', 'r', f'redux.sync.{name} %r3, %r0, -1;')
    for mask in ('eq', 'lt', 'le', 'gt', 'ge'):
        operations.add('i', 'r', f'mov.u32 %r3, %lanemask_{mask}; xor.b32 %r3, %r3, %r0;')
    # Lanes of two groups that part and meet among themselves.
    operations.add('i', 'r', 'vote.sync.ballot.b32 %r5, %p0, -1; not.b32 %r6, %r5; selp.b32 %r7, %r5, %r6, %p0; '
                   'mov.u32 %r3, %r0; @%p0 bra ONE; redux.sync.max.s32 %r3, %r0, %r7; bra JOINED; '
                   'ONE: redux.sync.add.u32 %r3, %r0, %r7; JOINED: bar.warp.sync -1; xor.b32 %r3, %r3, %r7;')


def atomics(operations):
    """On a cell of the thread's own, which holds a; the result is the old value and the new one."""
    for space, cell in (('shared', '%r9'), ('global', '%rd9')):
        for t, names in (('u32', ('add', 'min', 'max', 'inc', 'dec')), ('s32', ('add', 'min', 'max')),
                         ('b32', ('and', 'or', 'xor', 'exch')), ('u64', ('add', 'min', 'max')),
                         ('s64', ('min', 'max')), ('b64', ('and', 'or', 'xor', 'exch'))):
            size, file = t[1:], FILE_OF[t[1:]]
            for name in names:
                operations.add('i', RESULT_OF[size],
                               f'st.{space}.b{size} [{cell}], %{file}0; '
                               f'atom.{space}.{name}.{t} %{file}5, [{cell}], %{file}1; '
                               f'ld.{space}.b{size} %{file}6, [{cell}]; '
                               f'mad.lo.s{size} %{file}3, %{file}5, 3, %{file}6;')
                operations.add('i', RESULT_OF[size],
                               f'st.{space}.b{size} [{cell}], %{file}0; '
                               f'red.{space}.{name}.{t} [{cell}], %{file}1; '
                               f'ld.{space}.b{size} %{file}3, [{cell}];' if name != 'exch' else
                               f'st.{space}.b{size} [{cell}], %{file}0; '
                               f'atom.{space}.cas.{t} %{file}5, [{cell}], %{file}1, %{file}2; '
                               f'ld.{space}.b{size} %{file}6, [{cell}]; '
                               f'mad.lo.s{size} %{file}3, %{file}5, 3, %{file}6;')
        floating = [('f', 'f', 'f32', '32', 'f'), ('d', 'D', 'f64', '64', 'fd')]
        # Not in shared memory: ptxas 13.0 takes the upper half of a pair that comes out of 64 bits, as here,
        # from the wrong register.
        if space == 'global':
            floating += [('h', '2', 'noftz.f16x2', '32', 'r'), ('B', 'B', 'noftz.bf16x2', '32', 'r')]
        for kind, result, t, size, file in floating:
            operations.add(kind, result, f'st.{space}.b{size} [{cell}], %{file}0; '
                           f'atom.{space}.add.{t} %{file}5, [{cell}], %{file}1; '
                           f'ld.{space}.b{size} %{file}3, [{cell}];')
    # The last: what cells hold is compared too, and bits of a NaN are nowhere defined.
    operations.add('i', 'd', 'st.global.b64 [%rd9], %rd0; ld.global.b64 %rd3, [%rd9];')


def approximate(operations):
    """Those with an error that the manual bounds: the last column, relative and absolute."""
    for ftz in ('', '.ftz'):
        operations.near(f'rcp.approx{ftz}.f32 %f3, %f0;', 'm', lambda a, b: 1 / a, 2**-22)
        operations.near(f'sqrt.approx{ftz}.f32 %f3, %f0;', 'q', lambda a, b: math.sqrt(a), 2**-22)
        operations.near(f'rsqrt.approx{ftz}.f32 %f3, %f0;', 'q', lambda a, b: 1 / math.sqrt(a), 2**-22)
        operations.near(f'ex2.approx{ftz}.f32 %f3, %f0;', 'm', lambda a, b: 2**a, 2**-21)
        operations.near(f'lg2.approx{ftz}.f32 %f3, %f0;', 'q', lambda a, b: math.log2(a), 2**-22, 2**-21)
        operations.near(f'sin.approx{ftz}.f32 %f3, %f0;', 'm', lambda a, b: math.sin(a), 0, 2**-20)
        operations.near(f'cos.approx{ftz}.f32 %f3, %f0;', 'm', lambda a, b: math.cos(a), 0, 2**-20)
        operations.near(f'div.approx{ftz}.f32 %f3, %f0, %f1;', 'm', lambda a, b: a / b, 2**-21)
        operations.near(f'div.full{ftz}.f32 %f3, %f0, %f1;', 'm', lambda a, b: a / b, 2**-21)
    operations.near('tanh.approx.f32 %f3, %f0;', 'm', lambda a, b: math.tanh(a), 2**-10.9)
    for statement, function, error in (('ex2.approx', lambda a, b: 2**a, 2**-9.9),
                                       ('tanh.approx', lambda a, b: math.tanh(a), 2**-9.9)):
        operations.near(f'cvt.rn.f16.f32 %rs0, %f0; cvt.f32.f16 %f0, %rs0; {statement}.f16 %rs3, %rs0; '
                        'cvt.f32.f16 %f3, %rs3;', 's', function, error)
        operations.near(f'cvt.rn.f16x2.f32 %r0, %f0, %f0; {statement}.f16x2 %r3, %r0; '
                        'mov.b32 {%rs2, %rs3}, %r3; cvt.f32.f16 %f3, %rs3;', 's', function, error)


# ---- operands ----

def float_bits(value):
    return struct.unpack('<I', struct.pack('<f', value))[0]


def double_bits(value):
    return struct.unpack('<Q', struct.pack('<d', value))[0]


def integer(chance):
    special = (0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff,
               0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000,
               0xffffffff00000000, 0xffffffffffffffff)
    pick = chance.randrange(4)
    if pick == 0:
        return chance.choice(special)
    if pick == 1:
        return chance.getrandbits(64) >> chance.randrange(64)
    if pick == 2:
        return -(chance.getrandbits(64) >> chance.randrange(1, 64)) & (2**64 - 1)
    return chance.getrandbits(64)


def encoded(chance, exponent_bits, fraction_bits):
    """Bits of a float: any, or near to 1, with a short fraction, a special value or an integer."""
    bits = 1 + exponent_bits + fraction_bits
    bias = 2**(exponent_bits - 1) - 1
    sign = chance.getrandbits(1) << (bits - 1)
    pick = chance.randrange(6)
    if pick == 0:
        exponents = (0, 1, 2**exponent_bits - 1, 2**exponent_bits - 2, bias, bias + 1)
        fractions = (0, 1, 2**fraction_bits - 1, 2**(fraction_bits - 1), chance.getrandbits(fraction_bits))
        return sign | chance.choice(exponents) << fraction_bits | chance.choice(fractions)
    if pick == 1:
        return chance.getrandbits(bits)
    if pick == 2:  # a short fraction, so that results are ties or exact
        return (sign | (bias + chance.randrange(-4, 5)) << fraction_bits |
                chance.getrandbits(3) << (fraction_bits - 3))
    if pick == 3:
        return sign | chance.randrange(min(2**exponent_bits, 2 * fraction_bits)) << fraction_bits | \
            chance.getrandbits(fraction_bits)
    if pick == 4:
        exponent = min(bias + chance.randrange(-2, 66), 2**exponent_bits - 2)
        return sign | exponent << fraction_bits | chance.getrandbits(fraction_bits)
    return sign | bias + chance.randrange(-3, 4) << fraction_bits | chance.getrandbits(fraction_bits)


OPERANDS = {
    'i': integer,
    'f': lambda chance: encoded(chance, 8, 23),
    'd': lambda chance: encoded(chance, 11, 52),
    'h': lambda chance: encoded(chance, 5, 10) | encoded(chance, 5, 10) << 16,
    'B': lambda chance: encoded(chance, 8, 7) | encoded(chance, 8, 7) << 16,
    'm': lambda chance: float_bits(chance.choice((-1, 1)) * chance.uniform(0.01, 3.1)),
    'q': lambda chance: float_bits(2 ** chance.uniform(-30, 30)),
    's': lambda chance: float_bits(chance.randrange(-48, 49) / 16 or 1),
}

KERNEL = '''
.visible .entry {name}(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 out, .param .u64 cells)
{{
	.reg .pred %p<8>;
	.reg .b16 %rs<8>;
	.reg .b32 %r<12>, %thread, %block;
	.reg .f32 %f<8>;
	.reg .b64 %rd<12>, %at<3>;
	.reg .f64 %fd<8>;
	.shared .align 8 .b8 words[1024];

	mov.u32 %thread, %tid.x;
	mov.u32 %block, %ctaid.x;
	mad.lo.u32 %r10, %block, 128, %thread;
	ld.param.u64 %rd0, [a];
	ld.param.u64 %rd1, [b];
	ld.param.u64 %rd2, [c];
	ld.param.u64 %rd8, [out];
	ld.param.u64 %rd9, [cells];
	mad.wide.u32 %rd0, %r10, 8, %rd0;
	mad.wide.u32 %rd1, %r10, 8, %rd1;
	mad.wide.u32 %rd2, %r10, 8, %rd2;
	mad.wide.u32 %rd8, %r10, {bytes}, %rd8;
	mad.wide.u32 %rd9, %r10, 8, %rd9;
	mov.u32 %r9, words;
	mad.lo.u32 %r9, %thread, 8, %r9;
	ld.global.u64 %rd0, [%rd0];
	ld.global.u64 %rd1, [%rd1];
	ld.global.u64 %rd2, [%rd2];
{unpack}	{statement}
	{store}
	ret;
}}
'''


def unpacking():
    lines = []
    for i in range(3):
        lines += [f'cvt.u32.u64 %r{i}, %rd{i};', f'cvt.u16.u64 %rs{i}, %rd{i};', f'mov.b32 %f{i}, %r{i};',
                  f'mov.b64 %fd{i}, %rd{i};', f'and.b32 %r11, %r{i}, 1;', f'setp.ne.u32 %p{i}, %r11, 0;']
    return ''.join(f'\t{line}\n' for line in lines)


def operands(kind, operand):
    chance = random.Random(f'{kind}{operand}')
    return [OPERANDS[kind](chance) for _ in range(COUNT)]


def write_numbers(folder, name, form, numbers):
    with open(os.path.join(folder, name), 'wb') as file:
        file.write(struct.pack(f'<{len(numbers)}{form}', *numbers))


def float_of(bits):
    return struct.unpack('<f', struct.pack('<I', bits & 0xffffffff))[0]


def write_expected(folder, name, kind, function):
    pairs = zip(operands(kind, 'a'), operands(kind, 'b'))
    write_numbers(folder, f'{name}.bin', 'f', [function(float_of(a), float_of(b)) for a, b in pairs])


def write_group(folder, operations, expected):
    os.makedirs(folder, exist_ok=True)
    for kind, operand in itertools.product(OPERANDS, 'abc'):
        write_numbers(folder, f'{kind}_{operand}.bin', 'Q', operands(kind, operand))
    ptx = ['.version 8.5\n.target sm_90\n.address_size 64\n']
    buffers = [f'  {kind}_{operand}: {{type: u64, count: {COUNT}, init: {{file: {kind}_{operand}.bin}}}}\n'
               for kind in OPERANDS for operand in 'abc']
    buffers.append(f'  cells: {{type: u64, count: {COUNT}}}\n')
    launches = []
    for name, (kind, result, statement) in operations:
        kind_of_buffer, elements, store = RESULTS[result]
        ptx.append(KERNEL.format(name=name, bytes=BYTES[kind_of_buffer] * elements, unpack=unpacking(),
                                 statement=statement, store=store))
        buffers.append(f'  {name}_: {{type: {kind_of_buffer}, count: {COUNT * elements}}}\n')
        launches.append(f'  - {{kernel: {name}, grid: {COUNT // 128}, block: 128, params: [{{ref: {kind}_a}}, '
                        f'{{ref: {kind}_b}}, {{ref: {kind}_c}}, {{ref: {name}_}}, {{ref: cells}}]}}\n')
    with open(os.path.join(folder, 'operations.ptx'), 'w', encoding='utf-8') as file:
        file.write(''.join(ptx))
    with open(os.path.join(folder, 'launch.yaml'), 'w', encoding='utf-8') as file:
        file.write('version: 1\nprogram: operations.ptx\n')
        file.write('buffers:\n' + ''.join(buffers))
        file.write('launches:\n' + ''.join(launches))
        if any(name in expected for name, _ in operations):
            file.write('expect:\n')
        for name, (kind, _, _) in operations:
            if name in expected:
                function, relative, absolute = expected[name]
                write_expected(folder, name, kind, function)
                file.write(f'  - {{buffer: {name}_, file: {name}.bin, rel: {relative}, abs: {absolute}}}\n')


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for group in (integers, floats, conversions, warps, atomics, approximate):
        operations = Operations()
        group(operations)
        every = list(operations.all.items())
        for i in range(0, len(every), PER_FILE):
            write_group(os.path.join(sys.argv[1], f'{group.__name__}_{i // PER_FILE}'), every[i:i + PER_FILE],
                        operations.expected)


if __name__ == '__main__':
    main()
