#!/usr/bin/env python3
"""Writes library.ptx: operations of PTX that take several instructions of the bytecode.

    python3 make_library.py > library.ptx

The build does so and embeds the file (isa/embed.py). It is generated because each division and root exists in four
rounding modes, with and without .ftz. The algorithms are explained in the header it writes.
"""

HEADER = '''//
// Operations of PTX that take several instructions, as device functions. The PTX front end inlines
// them: __ws_ and the opcode with underscores for dots. Made by make_library.py: do not edit.
//
// Structure: a start value from MUFU (8 to 23 good bits are enough; the contract is 1 ulp for f32
// and 2^-19 for the high word of an f64), Newton steps by fused multiply-add, and a branch to a slow
// path where exponents are extreme. Three internal opcodes: ws.fchk.f32 p, a, b (FCHK: true where
// the fast division could overflow, underflow or lose bits), ws.rcp64h.b32 and ws.rsq64h.b32 (MUFU
// on the high word of a double).
//
// Division, f32 and f64: r = 1/b by Newton; q = a r, corrected twice by its exact remainder
// a - b q, to nearest once. The last correction carries the rounding mode. Correct rounding:
// Markstein, "Computation of elementary functions on the IBM RISC System/6000 processor", 1990.
// A divisor whose significand is all ones is left to the slow path: its reciprocal lies just above
// the middle of two numbers, where a Newton step may round the wrong way. FCHK is true for it.
// To nearest, f64 needs no such check, as in code compiled for sm_90: the low word of the seed is not
// zero, so the seed is too large and so is the reciprocal before the last step, which is then right.
// There the exponents are checked behind the division, on high words taken for f32, whose order is the
// same: a dividend of 2^-969 has 0x03600000; that of a divisor from 2^1017 on is infinite or no number,
// and so is what comes of 0 times it and the quotient's; that of a subnormal quotient is subnormal.
// f32 to nearest is corrected once, as in code compiled for sm_90. From a seed rounded to nearest that
// was right in 38 million divisions, those whose quotients lie nearest the middle of two numbers for
// every odd divisor among them, and in all with the 63 largest and 64 smallest significands.
// A label that begins with COLD: what can be reached over it alone stands behind the rest of the
// kernel, so that the branch round it stays near, as in compiled code, where slow paths are called.
// Slow path: the significands are divided in [1, 2); a subnormal result is cut to its bits in
// integers from the truncated quotient and a sticky bit, so that it is rounded once.
// Square root: g = x y and h = y / 2 with y = 1 / sqrt(x), refined together; g is corrected by its
// exact remainder x - g g.
// f32 to nearest is corrected once, as in code compiled for sm_90: right for every significand in even
// and odd exponents and at both ends of the range, from a seed rounded to nearest. The same holds for
// the reciprocal of an f32 to nearest, which takes one Newton step. That of an f64 to nearest takes one
// behind the cubic step, which leaves it within a unit of the last place: from there a step rounds
// right unless the significand is all ones (Markstein), and then as said above.
// f64 to nearest: y is refined alone, then g = x y and one correction by the remainder with h = y / 2.
// What is so near the middle of two numbers that this could round the wrong way is known: the roots
// with the smallest n^2 - 2^54 x and n^2 - 2^55 x for odd n. tests/sim/test_rounding.c takes them in turn.
// Integer division: a float reciprocal scaled to 2^32, a little low; Newton in integers; the quotient
// is then low by at most two, and is corrected by its remainder. Division by zero gives all ones, and
// so does the remainder (as on an H200). 64 bits: isa/ir/divide.c.
//
// Not a number is 0x7fffffff (f32) and 0x7ff8000000000000 or 0xfff8000000000000 as the operation
// that makes it gives it (f64).
//
.version 7.5
.target sm_80
.address_size 64
'''

MODES = ('rn', 'rz', 'rm', 'rp')


class F32:
    """Single precision: names, sizes and literals."""
    name, bits = 'f32', 32
    digits, bias = 23, 127
    up = 48  # scaling by 2^48 makes subnormals normal
    zero, one, infinity = '0f00000000', '0f3F800000', '0f7F800000'
    above_half = '0f3F000001'  # the reciprocal of 2 - 2^-23

    @staticmethod
    def power(n):
        return '0f%08X' % ((n + 127) << 23)


class F64:
    """Double precision."""
    name, bits = 'f64', 64
    digits, bias = 52, 1023
    up = 112
    zero, one, infinity = '0d0000000000000000', '0d3FF0000000000000', '0d7FF0000000000000'
    above_half = '0d3FE0000000000001'  # the reciprocal of 2 - 2^-52

    @staticmethod
    def power(n):
        return '0d%016X' % ((n + 1023) << 52)


def emit(name, result, arguments, registers, body):
    parameters = ', '.join(f'.reg .{kind} {n}' for kind, n in arguments)
    print(f'\n.func (.reg .{result} d) {name}({parameters})\n{{')
    for kind, names in registers.items():
        print(f'    .reg .{kind} {", ".join(names.split())};')
    for line in body.strip('\n').split('\n'):
        line = line.strip()
        if line:
            print(line if line.endswith(':') else '    ' + line)
    print('}')


def reciprocal_step(f, last='rn'):
    """r = about 1 / y from its seed; m = -y. The last step has the rounding mode."""
    text = f'fma.rn.{f.name} e, m, r, {f.one};\n'
    if f is F64:  # the seed has 19 bits: one cubic step first
        text += f"""fma.rn.f64 e, e, e, e;
fma.rn.f64 r, r, e, r;
fma.rn.f64 e, m, r, {f.one};
"""
    return text + f'fma.{last}.{f.name} r, r, e, r;\n'


def seed(f, y):
    """r = about 1 / y. The 1 makes the reciprocal of an f64 of all ones right: see the header."""
    if f is F32:
        return f'rcp.approx.ftz.f32 r, {y};\n'
    return f"""mov.b64 {{z, h}}, {y};
ws.rcp64h.b32 h, h;
mov.b64 r, {{1, h}};
"""


def quotient(f, x, y, last):
    """q = x / y by 1 / y = r, m = -y; `last` is the final instruction's rounding and result."""
    t = f.name
    return f"""mul.rn.{t} q, {x}, r;
fma.rn.{t} e, m, q, {x};
fma.rn.{t} q, e, r, q;
fma.rn.{t} e, m, q, {x};
""" + (f'fma.{last[0]}.{t} {last[1]}, e, r, q;\n' if last else '')


def fast_quotient(x, mode):
    """d = x / y. To nearest one correction is enough: see the header."""
    if mode != 'rn':
        return quotient(F32, x, None, (mode, 'd'))
    return f"""mul.rn.f32 q, {x}, r;
fma.rn.f32 e, m, q, {x};
fma.rn.f32 d, e, r, q;
"""


def exponent(f, word, to):
    """to (32 bits) = exponent field of the positive `word`."""
    if f is F32:
        return f'shr.u32 {to}, {word}, 23;\n'
    return f'mov.b64 {{z, h}}, {word};\nshr.u32 {to}, h, 20;\n'


def scaled(f, mode):
    """d = q 2^n for a normal result, or one too large: in two steps, the last one rounds."""
    pack = '' if f is F32 else '{0, z}'
    return f"""shr.s32 h, n, 1;
sub.s32 n, n, h;
shl.b32 z, h, {20 if f is F64 else 23};
add.s32 z, z, {'0x3ff00000' if f is F64 else '0x3f800000'};
mov.b{f.bits} s, {pack or 'z'};
mul.rn.{f.name} q, q, s;
shl.b32 z, n, {20 if f is F64 else 23};
add.s32 z, z, {'0x3ff00000' if f is F64 else '0x3f800000'};
mov.b{f.bits} s, {pack or 'z'};
mul.{mode}.{f.name} d, q, s;
"""


def round_subnormal(f, mode, ftz):
    """d = the subnormal with exponent field n <= 0, from the truncated q and `o`: inexact."""
    b = f'b{f.bits}'
    if ftz:  # what is subnormal before rounding is flushed, as on an H200
        return f'mov.{b} d, w;\n'
    text = f"""mov.{b} i, q;
and.{b} i, i, {hex((1 << f.digits) - 1)};
or.{b} i, i, {hex(1 << f.digits)};
shl.{b} i, i, 1;
selp.{b} j, 1, 0, o;
or.{b} i, i, j;
sub.s32 n, 2, n;
min.s32 n, n, {f.bits - 1};
shr.u{f.bits} j, i, n;
shl.{b} k, j, n;
sub.s{f.bits} i, i, k;
"""
    if mode == 'rn':  # up if the rest is over half, or half and the kept part is odd
        text += f"""and.{b} k, j, 1;
add.s{f.bits} i, i, k;
sub.s32 n, n, 1;
mov.{b} k, 1;
shl.{b} k, k, n;
setp.gt.u{f.bits} p, i, k;
selp.{b} k, 1, 0, p;
add.s{f.bits} j, j, k;
"""
    elif mode != 'rz':  # away from zero on one side
        text += f"""setp.ne.u{f.bits} p, i, 0;
setp.{'ne' if mode == 'rm' else 'eq'}.u{f.bits} o, w, 0;
and.pred p, p, o;
selp.{b} k, 1, 0, p;
add.s{f.bits} j, j, k;
"""
    return text + f'or.{b} j, j, w;\nmov.{b} d, j;\n'


def slow_divide(f, x, y, mode, ftz=False):
    """d = x / y for any operands. Ends at DONE."""
    b, t, width = f'b{f.bits}', f.name, f.bits
    sign = hex(1 << (width - 1))
    text = f"""abs.{t} s, {y};
setp.eq.{t} p, s, {f.zero};
setp.geu.{t} o, s, {f.infinity};
or.pred p, p, o;
@p bra SPECIAL_DIVISOR;
abs.{t} t, {x};
setp.eq.{t} p, t, {f.zero};
setp.geu.{t} o, t, {f.infinity};
or.pred p, p, o;
@p bra SPECIAL_DIVIDEND;
setp.lt.{t} p, t, {f.power(1 - f.bias)};
mul.rn.{t} u, t, {f.power(f.up)};
selp.{t} t, u, t, p;
selp.b32 n, {-f.up}, 0, p;
setp.lt.{t} p, s, {f.power(1 - f.bias)};
mul.rn.{t} u, s, {f.power(f.up)};
selp.{t} u, u, s, p;
selp.b32 v, {f.up}, 0, p;
add.s32 n, n, v;
mov.{b} i, t;
mov.{b} j, u;
{exponent(f, 'i', 'v')}add.s32 n, n, v;
{exponent(f, 'j', 'v')}sub.s32 n, n, v;
mov.{b} w, {x};
mov.{b} k, {y};
xor.{b} w, w, k;
and.{b} w, w, {sign};
and.{b} i, i, {hex((1 << f.digits) - 1)};
or.{b} i, i, {hex(f.bias << f.digits)};
or.{b} i, i, w;
mov.{b} c, i;
and.{b} j, j, {hex((1 << f.digits) - 1)};
or.{b} j, j, {hex(f.bias << f.digits)};
mov.{b} u, j;
{seed(f, 'u')}neg.{t} m, u;
{reciprocal_step(f)}setp.eq.u{width} p, j, {hex((f.bias << f.digits) + (1 << f.digits) - 1)};
selp.{t} r, {f.above_half}, r, p;
{quotient(f, 'c', 'u', None)}fma.rz.{t} s, e, r, q;
abs.{t} t, s;
mov.{b} i, t;
{exponent(f, 'i', 'v')}add.s32 v, v, n;
setp.lt.s32 p, v, 1;
@p bra SUBNORMAL;
fma.{mode}.{t} q, e, r, q;
min.s32 n, n, {2 * (f.bias - 1)};
{scaled(f, mode)}bra DONE;
SUBNORMAL:
fma.rn.{t} e, m, s, c;
setp.neu.{t} o, e, {f.zero};
mov.{t} q, s;
mov.b32 n, v;
{round_subnormal(f, mode, ftz)}bra DONE;
SPECIAL_DIVISOR:
"""
    if f is F32:
        text += f'rcp.approx.ftz.f32 s, {y};\n'
    else:
        text += f"""mov.b64 {{z, h}}, {y};
setp.nan.f64 p, {y}, {y};
selp.b32 h, 0x7ff80000, h, p;
ws.rcp64h.b32 h, h;
mov.b64 s, {{0, h}};
"""
    return text + f"""mul.rn.{t} d, {x}, s;
bra DONE;
SPECIAL_DIVIDEND:
mov.{b} k, {y};
and.{b} k, k, {sign};
or.{b} k, k, {hex(f.bias << f.digits)};
mov.{b} s, k;
mul.rn.{t} d, {x}, s;
"""


def division_registers(f, extra=''):
    registers = {f.name: 'r m e q s t u c ' + extra, 'b32': 'n v z h', 'pred': 'p o'}
    registers['b64' if f is F64 else 'b32'] = 'i j k w' + (' n v z h' if f is F32 else '')
    return registers


def flush(source, to):
    return f'mul.ftz.f32 {to}, {source}, {F32.one};\n'


def float_division(mode, ftz):
    x, y = ('x', 'y') if ftz else ('a', 'b')
    body = f"""ws.fchk.f32 p, a, b;
{seed(F32, 'b')}neg.f32 m, b;
{reciprocal_step(F32)}{fast_quotient('a', mode)}@!p bra DONE;
COLD:
{flush('a', 'x') + flush('b', 'y') if ftz else ''}{slow_divide(F32, x, y, mode, ftz)}DONE:
ret;
"""
    emit(f'__ws_div_{mode}{"_ftz" if ftz else ""}_f32', 'f32', [('f32', 'a'), ('f32', 'b')],
         division_registers(F32, 'x y' if ftz else ''), body)


def float_reciprocal(mode, ftz):
    y = 'y' if ftz else 'a'
    cold = (flush('a', 'y') if ftz else '') + slow_divide(F32, 'x', y, mode, ftz)
    if mode == 'rn':  # exponent fields 1 to 252; one step is enough: see the header
        body = f"""mov.b32 i, a;
add.s32 i, i, {hex(3 << 23)};
and.b32 i, i, 0x7f800000;
setp.gt.u32 p, i, {hex((4 << 23) - 1)};
@p bra FAST;
COLD:
mov.f32 x, {F32.one};
{cold}bra DONE;
FAST:
{seed(F32, 'a')}fma.rn.f32 e, r, a, 0fBF800000;
neg.ftz.f32 e, e;
fma.rn.f32 d, r, e, r;
DONE:
ret;
"""
    else:
        body = f"""mov.f32 x, {F32.one};
abs.f32 s, a;
setp.lt.f32 p, s, {F32.power(-124)};
setp.geu.f32 o, s, {F32.power(124)};
or.pred p, p, o;
mov.b32 i, a;
and.b32 i, i, 0x7fffff;
setp.eq.u32 o, i, 0x7fffff;
or.pred p, p, o;
{seed(F32, 'a')}neg.f32 m, a;
{reciprocal_step(F32)}fma.rn.f32 e, m, r, {F32.one};
fma.{mode}.f32 d, r, e, r;
@!p bra DONE;
COLD:
{cold}DONE:
ret;
"""
    emit(f'__ws_rcp_{mode}{"_ftz" if ftz else ""}_f32', 'f32', [('f32', 'a')],
         division_registers(F32, 'x y' if ftz else 'x'), body)


def double_check(x, y):
    """p = the exponents of x, y or of the quotient are extreme."""
    text = ''
    if x is not None:
        text += f'mov.b64 {{z, h}}, {x};\nand.b32 n, h, 0x7fffffff;\n'
    text += f"""mov.b64 {{z, h}}, {y};
setp.eq.u32 o, z, 0xffffffff;
and.b32 v, h, 0x7fffffff;
sub.s32 z, v, 0x00200000;
setp.ge.u32 p, z, 0x7fa00000;
or.pred p, p, o;
"""
    if x is not None:
        text += """sub.s32 z, n, 0x06000000;
setp.ge.u32 o, z, 0x79e00000;
or.pred p, p, o;
sub.s32 z, n, v;
add.s32 z, z, 0x3e000000;
setp.gt.u32 o, z, 0x7c000000;
or.pred p, p, o;
"""
    return text


def double_division_to_nearest():
    """As ptxas has it: the check needs the quotient. See the header."""
    body = f"""{seed(F64, 'b')}neg.f64 m, b;
{reciprocal_step(F64)}mul.rn.f64 q, a, r;
fma.rn.f64 e, m, q, a;
fma.rn.f64 d, r, e, q;
mov.b64 {{z, h}}, a;
mov.b32 f, h;
abs.f32 f, f;
setp.geu.f32 o, f, 0f{54 << 20:08X};
mov.b64 {{z, h}}, b;
mov.b32 g, h;
mov.b64 {{z, h}}, d;
mov.b32 f, h;
fma.rn.f32 g, 0f00000000, g, f;
abs.f32 g, g;
setp.gt.and.f32 p, g, 0f{1 << 20:08X}, o;
@p bra DONE;
COLD:
{slow_divide(F64, 'a', 'b', 'rn')}DONE:
ret;
"""
    registers = division_registers(F64)
    registers['f32'] = 'f g'
    emit('__ws_div_rn_f64', 'f64', [('f64', 'a'), ('f64', 'b')], registers, body)


def double_division(mode):
    body = double_check('a', 'b') + f"""{seed(F64, 'b')}neg.f64 m, b;
{reciprocal_step(F64)}{quotient(F64, 'a', 'b', (mode, 'd'))}@!p bra DONE;
COLD:
{slow_divide(F64, 'a', 'b', mode)}DONE:
ret;
"""
    emit(f'__ws_div_{mode}_f64', 'f64', [('f64', 'a'), ('f64', 'b')], division_registers(F64), body)


def double_reciprocal_to_nearest():
    """As ptxas has it: one sum is the check and the low word of the seed. See the header."""
    body = f"""mov.b64 {{z, h}}, a;
add.s32 n, h, 0x00300402;
mov.b32 f, n;
abs.f32 f, f;
setp.geu.f32 p, f, 0f00400402;
ws.rcp64h.b32 h, h;
mov.b64 r, {{n, h}};
neg.f64 m, a;
{reciprocal_step(F64)}mov.f64 d, r;
@p bra DONE;
COLD:
mov.f64 x, {F64.one};
{slow_divide(F64, 'x', 'a', 'rn')}DONE:
ret;
"""
    registers = division_registers(F64, 'x')
    registers['f32'] = 'f'
    emit('__ws_rcp_rn_f64', 'f64', [('f64', 'a')], registers, body)


def double_reciprocal(mode):
    last = f'fma.rn.f64 e, m, r, {F64.one};\nfma.{mode}.f64 d, r, e, r;\n'
    body = double_check(None, 'a') + f"""{seed(F64, 'a')}neg.f64 m, a;
mov.f64 x, {F64.one};
{reciprocal_step(F64)}{last}@!p bra DONE;
COLD:
{slow_divide(F64, 'x', 'a', mode)}DONE:
ret;
"""
    emit(f'__ws_rcp_{mode}_f64', 'f64', [('f64', 'a')], division_registers(F64, 'x'), body)


# ---- roots ----

def root_seed(f, x, low='0'):
    """r = about 1 / sqrt(x); `low`: low word of an f64, any will do."""
    if f is F32:
        return f'rsqrt.approx.ftz.f32 r, {x};\n'
    return f"""mov.b64 {{z, h}}, {x};
ws.rsq64h.b32 h, h;
mov.b64 r, {{{low}, h}};
"""


def double_root_to_nearest(x, to):
    """to = sqrt(x), one correction of a root whose reciprocal is right to the last place."""
    return f"""mul.rn.f64 e, r, r;
neg.f64 e, e;
fma.rn.f64 e, {x}, e, {F64.one};
fma.rn.f64 q, e, 0d3FD8000000000000, 0d3FE0000000000000;
mul.rn.f64 e, r, e;
fma.rn.f64 r, q, e, r;
mul.rn.f64 q, {x}, r;
mov.b64 {{z, h}}, r;
sub.s32 h, h, 0x00100000;
mov.b64 s, {{z, h}};
neg.f64 m, q;
fma.rn.f64 e, m, q, {x};
fma.rn.f64 {to}, e, s, q;
"""


def root(f, x, mode, to):
    """to = sqrt(x) for x in the middle of the range, from its seed."""
    t = f.name
    half = '0f3F000000' if f is F32 else '0d3FE0000000000000'
    if f is F32 and mode == 'rn':  # one correction is enough: see the header
        return f"""mul.rn.f32 q, {x}, r;
mul.rn.f32 s, r, {half};
neg.f32 m, q;
fma.rn.f32 e, m, q, {x};
fma.rn.f32 {to}, e, s, q;
"""
    if f is F64 and mode == 'rn':
        return double_root_to_nearest(x, to)
    text = ''
    if f is F64:
        text = f"""mul.rn.f64 q, {x}, r;
neg.f64 q, q;
fma.rn.f64 e, q, r, {F64.one};
fma.rn.f64 q, e, 0d3FD8000000000000, {half};
mul.rn.f64 e, e, r;
fma.rn.f64 r, q, e, r;
"""
    return text + f"""mul.rn.{t} q, {x}, r;
mul.rn.{t} s, r, {half};
neg.{t} m, q;
fma.rn.{t} e, m, s, {half};
fma.rn.{t} q, q, e, q;
fma.rn.{t} s, s, e, s;
neg.{t} m, q;
fma.rn.{t} e, m, q, {x};
fma.rn.{t} q, e, s, q;
neg.{t} m, q;
fma.rn.{t} e, m, q, {x};
fma.{mode}.{t} {to}, e, s, q;
"""


def slow_root(f, x, mode, low, scale):
    """d = sqrt(x) for any x that the fast way does not take, all below 2^low or none of them."""
    t = f.name
    return f"""setp.eq.{t} p, {x}, {f.zero};
setp.eq.{t} o, {x}, {f.infinity};
or.pred p, p, o;
mov.{t} d, {x};
@p bra DONE;
setp.lt.{t} p, {x}, {f.power(low)};
selp.{t} c, {f.power(scale)}, {f.power(-scale)}, p;
selp.{t} t, {f.power(-scale // 2)}, {f.power(scale // 2)}, p;
mul.rn.{t} u, {x}, c;
setp.geu.{t} p, {x}, {f.zero};
@!p bra NEGATIVE;
setp.nan.{t} p, {x}, {x};
@p bra NEGATIVE;
{root_seed(f, 'u')}{root(f, 'u', mode, 'd')}mul.rn.{t} d, d, t;
ret;
"""


def square_root(f, mode, ftz):
    t = f.name
    x = 'x' if ftz else 'a'
    low, high = (-80, 120) if f is F32 else (-900, 1000)
    if f is F32 and mode == 'rn':  # exponent fields 26 to 254
        low = 26 - f.bias
        body = f"""mov.b32 i, a;
add.s32 i, i, {hex((1 << 32) - (26 << 23))};
setp.gt.u32 p, i, {hex((229 << 23) - 1)};
"""
    elif f is F64:
        if mode == 'rn':  # exponent fields 53 to 2046
            low, high = 53 - f.bias, 1024
        body = f"""mov.b64 {{z, n}}, a;
add.s32 n, n, {hex((1 << 32) - ((low + f.bias) << 20))};
setp.gt.u32 p, n, {hex(((high - low) << 20) - 1)};
"""
    else:
        body = f"""setp.lt.{t} p, a, {f.power(low)};
setp.geu.{t} o, a, {f.power(high)};
or.pred p, p, o;
"""
    slow = flush('a', 'x') if ftz else ''
    slow += slow_root(f, x, mode, low, 64 if f is F32 else 512)
    if f is F64 and mode == 'rn':
        body += f"""{root_seed(f, 'a', 'n')}{root(f, 'a', mode, 'd')}@!p bra DONE;
COLD:
{slow}"""
    else:
        body += f"""{root_seed(f, 'a')}@!p bra FAST;
COLD:
{slow}FAST:
{root(f, 'a', mode, 'd')}ret;
"""
    body += f"""NEGATIVE:
mov.{t} c, {f.infinity};
mul.rn.{t} d, c, {f.zero};
DONE:
ret;
"""
    registers = {t: 'r m e q s t u c' + (' x' if ftz else ''), 'pred': 'p o'}
    registers['b32'] = 'z h n' if f is F64 else 'i'
    emit(f'__ws_sqrt_{mode}{"_ftz" if ftz else ""}_{t}', t, [(t, 'a')], registers, body)


def reciprocal_root():
    """A cubic step from the seed; about 1 ulp. Subnormals and specials by scaling."""
    def steps(x):
        return f"""{root_seed(F64, x)}mul.rn.f64 e, r, r;
neg.f64 e, e;
fma.rn.f64 e, {x}, e, {F64.one};
fma.rn.f64 q, e, 0d3FD8000000000000, 0d3FE0000000000000;
mul.rn.f64 e, r, e;
fma.rn.f64 d, q, e, r;
"""
    body = f"""mov.b64 {{z, n}}, a;
sub.s32 n, n, 0x00100000;
setp.ge.u32 p, n, 0x7fe00000;
{steps('a')}@!p bra DONE;
COLD:
setp.gt.f64 p, a, {F64.zero};
setp.lt.f64 o, a, {F64.infinity};
and.pred p, p, o;
@!p bra SPECIAL;
mul.rn.f64 u, a, {F64.power(512)};
{steps('u')}mul.rn.f64 d, d, {F64.power(256)};
ret;
SPECIAL:
setp.lt.f64 p, a, {F64.zero};
selp.f64 u, 0d7FF8000000000000, a, p;
mov.b64 {{z, h}}, u;
setp.nan.f64 p, u, u;
selp.b32 h, 0x7ff80000, h, p;
ws.rsq64h.b32 h, h;
mov.b64 r, {{0, h}};
mul.rn.f64 d, r, {F64.one};
DONE:
ret;
"""
    emit('__ws_rsqrt_approx_f64', 'f64', [('f64', 'a')],
         {'f64': 'r e q u', 'b32': 'z h n', 'pred': 'p o'}, body)


# ---- integers ----

def unsigned_32(signed, remainder):
    """d = a / b (or a % b) for the words x and y. Minus signs stand where ptxas has them."""
    error = 'neg.s32 e, r;\nmul.lo.u32 e, e, y;\n' if signed else 'mul.lo.u32 e, y, r;\nneg.s32 e, e;\n'
    rest = 'neg.s32 n, y;\nmad.lo.u32 m, q, n, x;\n' if signed else 'neg.s32 n, q;\nmad.lo.u32 m, y, n, x;\n'
    return f"""cvt.rp.f32.{'s32' if signed else 'u32'} f, y;
rcp.approx.ftz.f32 f, f;
mov.b32 r, f;
add.s32 r, r, 0x0ffffffe;
mov.b32 f, r;
cvt.rzi.u32.f32 r, f;
{error}mad.hi.u32 r, r, e, r;
mul.hi.u32 q, x, r;
{rest}setp.ge.u32 p, m, y;
@p sub.s32 m, m, y;
""" + ('' if remainder else '@p add.s32 q, q, 1;\n') + """setp.ge.u32 p, m, y;
""" + ('@p sub.s32 m, m, y;\n' if remainder else '@p add.s32 q, q, 1;\n')


def integer_32(signed, remainder):
    kind = 's32' if signed else 'u32'
    answer = 'm' if remainder else 'q'
    body = ''
    if signed:
        body += 'abs.s32 x, a;\nabs.s32 y, b;\n'
    else:
        body += 'mov.b32 x, a;\nmov.b32 y, b;\n'
    body += unsigned_32(signed, remainder)
    if signed:
        body += ('setp.lt.s32 p, a, 0;\n' if remainder else
                 'xor.b32 e, a, b;\nsetp.lt.s32 p, e, 0;\n')
        body += f'@p neg.s32 {answer}, {answer};\n'
    body += f'setp.eq.s32 p, b, 0;\nnot.b32 e, b;\nselp.b32 d, e, {answer}, p;\nret;\n'
    emit(f'__ws_{"rem" if remainder else "div"}_{kind}', 'b32', [('b32', 'a'), ('b32', 'b')],
         {'b32': 'x y r e q m n', 'f32': 'f', 'pred': 'p'}, body)


def launches():
    """Launches by kernels: what lies where in the queue is told in isa/cuda/include/warpstep/device_launches.h. The last
    parameter is the error of the thread, which stays where nothing goes wrong."""
    sizes = [f'{name}{axis}' for name in 'gb' for axis in 'xyz']
    body = 'mov.b64 d, 0;\n'
    body += ''.join(f'setp.eq.u32 p, {size}, 0;\n@p bra BAD;\n' for size in sizes)
    body += ''.join(f'setp.gt.u32 p, {size}, 1024;\n@p bra BAD;\n' for size in sizes[3:])
    emit('__ws_launch_buffer', 'b64',
         [('b64', 'kernel'), *(('b32', size) for size in sizes), ('b32', 'shared'), ('b64', 'queue'), ('b32', 'error')],
         {'b64': 'place', 'b32': 'threads most slot', 'pred': 'p'}, body + """mul.lo.u32 threads, bx, by;
mul.lo.u32 threads, threads, bz;
ld.volatile.global.u32 most, [queue+8];
setp.gt.u32 p, threads, most;
@p bra BAD;
ld.volatile.global.u32 most, [queue+12];
setp.gt.u32 p, shared, most;
@p bra BAD;
ld.volatile.global.u32 most, [queue+4];
atom.global.add.u32 slot, [queue], 1;
setp.ge.u32 p, slot, most;
@p bra FULL;
mul.wide.u32 place, slot, 4160;
add.u64 place, place, queue;
st.global.u64 [place+4160], kernel;
st.global.u32 [place+4168], gx;
st.global.u32 [place+4172], gy;
st.global.u32 [place+4176], gz;
st.global.u32 [place+4180], bx;
st.global.u32 [place+4184], by;
st.global.u32 [place+4188], bz;
st.global.u32 [place+4192], shared;
st.global.u32 [place+4196], 0;
add.u64 d, place, 4224;
bra DONE;
BAD:
mov.b32 error, 9;
bra DONE;
FULL:
mov.b32 error, 69;
DONE:
ret;
""")
    emit('__ws_launch_device', 'b32', [('b64', 'buffer'), ('b64', 'stream'), ('b64', 'queue'), ('b32', 'error')],
         {'b64': 'own', 'b32': 'made', 'pred': 'p'}, """mov.b32 d, 0;
setp.lt.u64 p, stream, 5;
@p bra GOOD;
sub.u64 own, stream, 65536;
ld.volatile.global.u32 made, [queue+16];
cvt.u64.u32 queue, made;
setp.lt.u64 p, own, queue;
@p bra GOOD;
mov.b32 d, 1;
mov.b32 error, 1;
bra DONE;
GOOD:
st.global.u64 [buffer+-24], stream;
st.global.u32 [buffer+-28], 1;
DONE:
ret;
""")
    emit('__ws_launch_stream', 'b32', [('b64', 'place'), ('b32', 'flags'), ('b64', 'queue'), ('b32', 'error')],
         {'b64': 'own', 'b32': 'made', 'pred': 'p'}, """mov.b32 d, 0;
setp.gt.u32 p, flags, 1;
@p bra BAD;
atom.global.add.u32 made, [queue+16], 1;
cvt.u64.u32 own, made;
add.u64 own, own, 65536;
st.u64 [place], own;
bra DONE;
BAD:
mov.b32 d, 1;
mov.b32 error, 1;
DONE:
ret;
""")


def heap():
    """malloc and free: what lies where in the heap is told in the header of isa/lower/heap.h."""
    emit('__ws_malloc', 'b64', [('b64', 'bytes'), ('b64', 'heap')],
         {'b64': 'list block head new got', 'b32': 'size class offset next top', 'pred': 'p'}, """mov.b64 d, 0;
setp.gt.u64 p, bytes, 8388000;
@p bra DONE;
cvt.u32.u64 size, bytes;
add.u32 size, size, 15;
clz.b32 class, size;
sub.u32 class, 32, class;
max.u32 class, class, 5;
shl.b32 size, 1, class;
mul.wide.u32 list, class, 8;
add.u64 list, heap, list;
AGAIN:
ld.volatile.global.u64 head, [list];
cvt.u32.u64 offset, head;
setp.eq.u32 p, offset, 0;
@p bra MORE;
cvt.u64.u32 block, offset;
add.u64 block, heap, block;
ld.volatile.global.u32 next, [block+4];
shr.u64 new, head, 32;
add.u64 new, new, 1;
shl.b64 new, new, 32;
cvt.u64.u32 got, next;
or.b64 new, new, got;
atom.global.cas.b64 got, [list], head, new;
setp.ne.u64 p, got, head;
@p bra AGAIN;
bra MADE;
MORE:
ld.volatile.global.u32 top, [heap];
add.u32 offset, top, 256;
add.u32 next, offset, size;
setp.gt.u32 p, next, 8388608;
@p bra DONE;
add.u32 next, top, size;
atom.global.cas.b32 next, [heap], top, next;
setp.ne.u32 p, next, top;
@p bra MORE;
cvt.u64.u32 block, offset;
add.u64 block, heap, block;
MADE:
or.b32 class, class, 0x57530000;
st.volatile.global.u32 [block], class;
add.u64 d, block, 16;
DONE:
ret;
""")
    emit('__ws_free', 'b32', [('b64', 'pointer'), ('b64', 'heap')],
         {'b64': 'list block head new got', 'b32': 'class offset low', 'pred': 'p'}, """mov.b32 d, 0;
setp.eq.u64 p, pointer, 0;
@p bra DONE;
sub.u64 block, pointer, 16;
sub.u64 got, block, heap;
setp.lt.u64 p, got, 256;
@p bra BAD;
setp.gt.u64 p, got, 8388576;
@p bra BAD;
cvt.u32.u64 offset, got;
and.b32 low, offset, 31;
setp.ne.u32 p, low, 0;
@p bra BAD;
atom.global.exch.b32 class, [block], 0;
and.b32 low, class, 0xffffffe0;
setp.ne.u32 p, low, 0x57530000;
@p bra BAD;
and.b32 class, class, 31;
mul.wide.u32 list, class, 8;
add.u64 list, heap, list;
AGAIN:
ld.volatile.global.u64 head, [list];
cvt.u32.u64 low, head;
st.volatile.global.u32 [block+4], low;
membar.gl;
shr.u64 new, head, 32;
add.u64 new, new, 1;
shl.b64 new, new, 32;
cvt.u64.u32 got, offset;
or.b64 new, new, got;
atom.global.cas.b64 got, [list], head, new;
setp.ne.u64 p, got, head;
@p bra AGAIN;
DONE:
ret;
BAD:
ws.badfree;
""")


# Exponent and mantissa bits, largest number as bits of an f32, smallest normal one, 2^(23 - what a subnormal counts in).
SMALL_FLOATS = {'e4m3': (4, 3, 0x43e00000, 0x3c800000, 0x46800000), 'e5m2': (5, 2, 0x47600000, 0x38800000, 0x43000000)}


def to_small_float(kind, source, to):
    """The byte of a float that `source` is, in word `to`. What is too large is the largest number; adding 2^(23 - n) rounds
    a subnormal one to a multiple of 2^-n; bits of others are rounded where they stand."""
    exponent, mantissa, largest, least, magic = SMALL_FLOATS[kind]
    cut = 23 - mantissa
    rebias = (127 - ((1 << (exponent - 1)) - 1)) << mantissa
    return f"""mov.b32 x, {source};
and.b32 m, x, 0x7fffffff;
setp.gt.u32 p, m, 0x7f800000;
min.u32 m, m, 0x{largest:x};
mov.b32 f, m;
add.rn.f32 f, f, 0f{magic:08X};
mov.b32 n, f;
sub.u32 n, n, 0x{magic:x};
shr.u32 r, m, {cut};
and.b32 r, r, 1;
add.u32 r, r, m;
add.u32 r, r, {(1 << (cut - 1)) - 1};
shr.u32 r, r, {cut};
sub.u32 r, r, {rebias};
setp.lt.u32 o, m, 0x{least:x};
selp.b32 r, n, r, o;
shr.u32 x, x, 24;
and.b32 x, x, 0x80;
or.b32 r, r, x;
selp.b32 {to}, 0x7f, r, p;
"""


def from_small_float(kind):
    """Both halves at once: the bits stand for a half whose exponent has another bias, which a factor of 256 mends."""
    if kind == 'e4m3':
        move = """shl.b32 m, m, 7;
mul.rn.f16x2 m, m, 0x5c005c00;
"""
        none = 'setp.ge.u32'
        first = 0x7f
    else:
        move = 'shl.b32 m, m, 8;\n'
        none, first = 'setp.gt.u32', 0x7c
    return f"""and.b32 x, a, 0xff;
and.b32 n, a, 0xff00;
shl.b32 n, n, 8;
or.b32 x, x, n;
and.b32 m, x, 0x007f007f;
and.b32 s, x, 0x00800080;
shl.b32 s, s, 8;
and.b32 r, m, 0xffff;
{none} p, r, 0x{first:x};
shr.u32 r, m, 16;
{none} o, r, 0x{first:x};
{move}or.b32 m, m, s;
and.b32 r, m, 0xffff0000;
or.b32 r, r, 0x7fff;
selp.b32 m, r, m, p;
and.b32 r, m, 0xffff;
or.b32 r, r, 0x7fff0000;
selp.b32 d, r, m, o;
"""


def small_floats():
    """Conversions of two numbers to and from 8-bit floats."""
    words = {'b32': 'x m n r s h l', 'f32': 'f g', 'b16': 'low high', 'pred': 'p o'}
    for kind in SMALL_FLOATS:
        for relu in (False, True):
            name = f'__ws_cvt_rn_satfinite{"_relu" if relu else ""}_{kind}x2'
            less = 'max.NaN.f32 {0}, {0}, 0f00000000;\n' if relu else ''
            emit(f'{name}_f32', 'b32', [('f32', 'a'), ('f32', 'b')], words,
                 'mov.f32 g, a;\n' + less.format('g') + to_small_float(kind, 'g', 'h') + 'mov.f32 g, b;\n' + less.format('g') +
                 to_small_float(kind, 'g', 'l') + 'shl.b32 h, h, 8;\nor.b32 d, h, l;\n')
            emit(f'{name}_f16x2', 'b32', [('b32', 'a')], words,
                 'mov.b32 {low, high}, a;\ncvt.f32.f16 g, high;\n' + less.format('g') + to_small_float(kind, 'g', 'h') +
                 'cvt.f32.f16 g, low;\n' + less.format('g') + to_small_float(kind, 'g', 'l') + 'shl.b32 h, h, 8;\nor.b32 d, h, l;\n')
            halves = from_small_float(kind)
            if relu:
                halves += 'mov.b32 x, 0;\nmax.NaN.f16x2 d, d, x;\n'
            emit(f'__ws_cvt_rn{"_relu" if relu else ""}_f16x2_{kind}x2', 'b32', [('b32', 'a')], words, halves)


def main():
    print(HEADER, end='')
    for mode in MODES:
        for ftz in (False, True):
            float_division(mode, ftz)
            float_reciprocal(mode, ftz)
            square_root(F32, mode, ftz)
        double_division_to_nearest() if mode == 'rn' else double_division(mode)
        double_reciprocal_to_nearest() if mode == 'rn' else double_reciprocal(mode)
        square_root(F64, mode, False)
    reciprocal_root()
    for signed in (True, False):
        for remainder in (False, True):
            integer_32(signed, remainder)
    heap()
    launches()
    small_floats()


main()
