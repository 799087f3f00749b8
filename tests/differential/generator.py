"""Random kernels by number: the same number makes the same kernel.

Everything they do is defined, in C and in CUDA: no signed overflow, shifts below the width, indices
masked, loops that end, barriers and exchanges where all threads pass, and of atomics only those
whose order does not matter.
"""
import random
import re

from kernel import (ACCUMULATOR_COUNT, Body, CTYPES, Expression, INPUT_COUNT, Kernel, OBSERVED, Statement,
                    Variable)

ARITHMETIC = ['+', '-', '*', '&', '|', '^', '+', '*']
COMPARISONS = ['<', '<=', '==', '!=', '>', '>=']
DIVISORS = [3, 7, 10, -5, 16, 1000, 641, -1000000]
STORES = ['slot[{u32} & 3u] = {u32};', 'slot[{u32} & 3u] = {u32};',
          '((unsigned char *)slot)[{u32} & 15u] = (unsigned char)({u32});',
          'half_slot[{u32} & 7u] = (short)({s32});', 'wide_slot[{u32} & 1u] = {u64};']
ATOMICS = ['ADD', 'XOR', 'MIN', 'OR', 'MAX', 'AND', 'MAX_SIGNED']
MASKS = ['1u', '2u', '4u', '3u', '32u']
WORDS = ['%du' % bit for bit in (0, 1, 2, 2**32 - 1, 2**31, 2**31 - 1)]

# What an expression of a type may be: weight, text with {types} in it, and for each $ its choices.
FORMS = {
    'u32': [
        (12, '({u32} $ {u32})', ARITHMETIC),
        (1, '({u32} / ({u32} | 1u))'),
        (1, '({u32} % ({u32} | 1u))'),
        (1, '({u32} % $u)', range(1, 1001)),
        (1, '({u32} / $u)', range(1, 1001)),
        (2, '({u32} $ ({u32} & 31u))', ['<<', '>>']),
        (2, '({condition} ? {u32} : {u32})'),
        (1, '$({u32})', ['(unsigned)POPC', '(unsigned)CLZ', 'BREV', '~', '(unsigned)FFS((int)', '(unsigned)!']),
        (1, 'MULHI({u32}, {u32})'),
        (1, 'SAD({s32}, {s32}, {u32})'),
        (1, 'PERMUTE({u32}, {u32}, 0x$u)', ['%d%d%d%d' % (a, b, c, d) for a in (0, 5, 7) for b in (1, 4)
                                            for c in (2, 6) for d in (3, 0)]),
        (1, 'PERMUTE({u32}, {u32}, {u32} & 0x7777u)'),
        (1, '$({u32}, {u32}, {u32})', ['FUNNEL_LEFT', 'FUNNEL_RIGHT']),
        (1, '({u32} $)', ['<< %d' % n for n in range(1, 32)] + ['>> %d' % n for n in range(1, 32)]),
        (1, '$({u32}, {u32})', ['UMIN', 'UMAX']),
        (1, 'slot[{u32} & 3u]'),
        (1, '(unsigned)half_slot[{u32} & 7u]'),
        (1, '(unsigned)({u64})'),
        (1, '(unsigned)({u64} >> $)', range(64)),
        (1, '(unsigned)({s32})'),
        (1, 'FLOAT_BITS({f32})'),
        (1, 'FLOAT_TO_UNSIGNED({f32})'),
        (1, '(unsigned)$({u64})', ['POPC64', 'CLZ64', 'FFS64']),
        (1, 'in[{u32} & 255u]'),
        (1, '(unsigned)((const unsigned char *)in)[{u32} & 1023u]'),
        (1, '((unsigned)(unsigned char){u32})'),
        (1, '((unsigned){condition})'),
    ],
    's32': [
        (4, '(int)((unsigned){s32} $ (unsigned){s32})', '+-*'),
        (1, '({s32} $ {s32})', '&|^'),
        (1, '({s32} / (int)(({s32} & 0xffff) | 1))'),
        (1, '({s32} % (int)(({s32} & 0xfff) | 1))'),
        (1, '({s32} / $)', DIVISORS),
        (1, '({s32} % $)', DIVISORS),
        (1, '({s32} >> ({s32} & 31))'),
        (1, '({condition} ? {s32} : {s32})'),
        (1, '({s32} >> $)', range(1, 32)),
        (1, '$({s32}, {s32})', ['MIN', 'MAX', 'MUL24']),
        (1, 'ABS({s32})'),
        (1, 'MULHI_SIGNED({s32}, {s32})'),
        (1, '((int)($){s32})', ['signed char', 'short']),
        (1, 'FLOAT_TO_INT({f32})'),
        (1, 'DOUBLE_TO_INT({f64})'),
        (1, '({s32} $ {s32} ? {s32} : {s32})', COMPARISONS),
        (1, '(int)((const short *)in)[{u32} & 511u]'),
        (1, '(int)((const signed char *)in)[{u32} & 1023u]'),
    ],
    'u64': [
        (6, '({u64} $ {u64})', ['+', '-', '*', '&', '|', '^']),
        (1, '({u64} $ ({u32} & 63u))', ['<<', '>>']),
        (1, '({condition} ? {u64} : {u64})'),
        (1, '({u64} $ ({u64} | 1ull))', '/%'),
        (1, '({u64} $)', ['<< %d' % n for n in range(1, 64)] + ['>> %d' % n for n in range(1, 64)]),
        (1, '({u64} & $ull)', [2**n - 1 for n in (8, 16, 24, 31, 32, 33, 40, 48, 63)]),
        (1, '(0ull - {u64})'),
        (1, '((unsigned long long)(long long){s32} << $)', range(1, 40)),
        (1, '(unsigned long long)((long long){u64} >> $)', range(1, 64)),
        (1, '(unsigned long long)((long long){u64} $ (long long)(({u64} & 0xffffffffffull) | 1ull))', '/%'),
        (1, 'MULHI64({u64}, {u64})'),
        (1, '((unsigned long long){u32} * {u32})'),
        (1, '(unsigned long long)((long long){s32} * {s32})'),
        (1, '(unsigned long long)((long long){u64} >> ({u32} & 63u))'),
        (1, '(unsigned long long)CLZ64({u64})'),
        (1, 'BREV64({u64})'),
        (1, 'wide_slot[{u32} & 1u]'),
        (1, '((const unsigned long long *)in)[{u32} & 127u]'),
        (1, 'DOUBLE_BITS({f64})'),
    ],
    'f32': [
        (2, 'FADD({f32}, {f32})'),
        (1, 'FSUB({f32}, {f32})'),
        (2, 'FMUL({f32}, {f32})'),
        (2, 'FFMA({f32}, {f32}, {f32})'),
        (1, 'FDIV({f32}, {f32})'),
        (1, 'FSQRT(fabsf({f32}))'),
        (1, '(float){s32}'),
        (1, '(float){u32}'),
        (1, '({condition} ? {f32} : {f32})'),
        (1, '$({f32})', ['floorf', 'ceilf', 'truncf', 'rintf', 'fabsf', '-']),
        (1, '(float){f64}'),
    ],
    'f64': [
        (1, 'DADD({f64}, {f64})'),
        (1, 'DSUB({f64}, {f64})'),
        (1, 'DMUL({f64}, {f64})'),
        (1, 'DFMA({f64}, {f64}, {f64})'),
        (1, 'DDIV({f64}, {f64})'),
        (1, 'DSQRT(fabs({f64}))'),
        (1, '({condition} ? {f64} : {f64})'),
        (1, '(double){u64}'),
        (1, '(double){f32}'),
    ],
    'condition': [
        (3, '({u32} $ {u32})', COMPARISONS),
        (2, '({s32} $ {s32})', COMPARISONS),
        (1, '({u64} $ {u64})', COMPARISONS),
        (1, '((long long){u64} $ (long long){u64})', COMPARISONS),
        (1, '({f32} $ {f32})', COMPARISONS),
        (1, '({f64} $ {f64})', COMPARISONS),
        (1, '({condition} $ {condition})', ['&&', '||']),
        (1, '(({u32} & $) != 0u)', MASKS),
    ],
}
# A parenthesis that a choice opens.
CLOSING = {'(unsigned)FFS((int)': ')'}
# What a variable of a type may start with.
STARTS = {
    'u32': ['tid * 2654435761u', 'in[tid & 255u]', 'scalar ^ tid', 'threadIdx.x', 'blockIdx.x + scalar'],
    's32': ['(int)(tid * 40503u)', '(int)in[(tid + 7u) & 255u]', '(int)(scalar - tid)',
            '(int)((threadIdx.x & 31u) - 16u)'],
    'u64': ['(unsigned long long)in[(tid * 3u) & 255u] * 0x9e3779b97f4a7c15ull',
            '(unsigned long long)in[(tid * 3u) & 255u]', '(unsigned long long)tid << 33'],
    'f32': ['(float)(int)tid * 0.25f', '(float)(int)in[tid & 255u] * 1e-3f', '(float)(int)(scalar + tid)'],
    'f64': ['(double)(int)in[(tid + 1u) & 255u] * 0.125', '(double)tid'],
    'u8': ['(unsigned char)in[tid & 255u]'],
    's16': ['(short)in[tid & 255u]'],
}
NAMES = {'u32': 'u', 's32': 'i', 'u64': 'q', 'f32': 'f', 'f64': 'd', 'u8': 'b', 's16': 'h'}
COUNTS = {'u32': (2, 5), 's32': (1, 4), 'u64': (1, 3), 'f32': (1, 3), 'f64': (0, 2), 'u8': (0, 2), 's16': (0, 2)}
ASSIGNED = ['u32'] * 4 + ['s32'] * 2 + ['u64'] * 2 + ['f32', 'f64', 'u8', 's16']
PLACEHOLDER = re.compile(r'\{(u32|s32|u64|f32|f64|condition)\}')


class Generator:
    def __init__(self, number):
        self.random = random.Random(number)
        self.kernel = Kernel()
        self.names = {type_: [] for type_ in CTYPES}
        self.forms = {type_: list(forms) for type_, forms in FORMS.items()}
        self.statements_left = self.random.choice([12, 25, 40])
        self.loops = 0
        self.may_return = False

    # ---- expressions ---------------------------------------------------------------------------

    def constant(self, type_):
        r = self.random
        if type_ == 'u32':
            return r.choice(WORDS + ['%du' % r.getrandbits(32), '%du' % r.getrandbits(8),
                                     '%du' % (1 << r.randrange(32))])
        if type_ == 's32':
            return r.choice(['0', '1', '-1', '2', '7', '(-2147483647-1)', '2147483647',
                             '(%d)' % r.randint(-2**31 + 1, 2**31 - 1), '(%d)' % r.randint(-100, 100)])
        if type_ == 'u64':
            return r.choice(['0ull', '1ull', '0xffffffffffffffffull', '0x8000000000000000ull',
                             '%dull' % r.getrandbits(64), '%dull' % r.getrandbits(33)])
        if type_ == 'f32':
            return r.choice(['0.0f', '1.0f', '(-1.5f)', '3.25e-3f', '1e10f', '(-7.7e-20f)', '2.0f', '1e-39f',
                             '(%.6ef)' % r.uniform(-100, 100)])
        return '(%.15e)' % r.uniform(-10, 10)

    def leaf(self, type_):
        r, names = self.random, self.names
        choices = [self.constant(type_)] + names[type_] * 2
        if type_ == 'u32':
            choices += ['threadIdx.x', 'tid', '(unsigned)' + r.choice(names['s32'])]
            choices += ['(unsigned)' + name for name in names['u8'][:1]]
            choices += ['(unsigned)(int)' + name for name in names['s16'][:1]]
        elif type_ == 's32':
            choices.append('(int)' + r.choice(names['u32']))
        elif type_ == 'u64':
            choices += ['(unsigned long long)' + r.choice(names['u32']),
                        '(unsigned long long)(long long)' + r.choice(names['s32'])]
        elif type_ == 'f64':
            choices += ['(double)' + r.choice(names['f32']), '(double)' + r.choice(names['s32'])]
        return Expression(type_, [r.choice(choices)])

    def expression(self, type_, depth):
        r = self.random
        if type_ == 'condition' and depth <= 0:
            return self.fill('condition', '({u32} %s {u32})' % r.choice(COMPARISONS), 0)
        if type_ != 'condition' and (depth <= 0 or r.random() < .15):
            return self.leaf(type_)
        forms = self.forms[type_]
        form = r.choices(forms, [row[0] for row in forms])[0]
        text = form[1]
        for choices in form[2:]:
            choice = str(r.choice(choices))
            text = text.replace('$', choice, 1) + CLOSING.get(choice, '')
        return self.fill(type_, text, depth - 1)

    def fill(self, type_, text, depth):
        pieces = PLACEHOLDER.split(text)
        return Expression(type_, pieces[::2], [self.expression(child, depth) for child in pieces[1::2]])

    def statement(self, text, depth, **details):
        """One without bodies."""
        pieces = PLACEHOLDER.split(text)
        return Statement(*(self.expression(piece, depth) if i % 2 else piece
                           for i, piece in enumerate(pieces)), **details)

    # ---- statements ----------------------------------------------------------------------------

    def assignment(self):
        r = self.random
        type_ = r.choice([type_ for type_ in ASSIGNED if self.names[type_]])
        name = r.choice([name for name in self.names[type_] if name[0] != 'n'])
        if type_ in ('u8', 's16'):
            source = {'u8': '(unsigned char)({u32})', 's16': '(short)({s32})'}[type_]
        else:
            source = '{%s}' % type_
        return self.statement('%s = %s;' % (name, source), r.randint(1, 3))

    def block(self, depth, in_loop, count):
        body = Body()
        for _ in range(count):
            body.append(self.any_statement(depth, in_loop))
        return body

    def any_statement(self, depth, in_loop):
        r = self.random
        self.statements_left -= 1
        kind = r.randrange(22)
        if self.statements_left < 0 or depth <= 0 or kind < 8:
            return self.assignment()
        if kind < 12:
            return self.if_statement(depth, in_loop)
        if kind < 14:
            bound = r.choice(['%du' % r.randint(1, 9), '({u32} & 7u)', '(threadIdx.x & 3u) + 1u'])
            return self.for_loop(depth, bound)
        if kind == 14:
            return self.while_loop(depth)
        if kind == 15:
            return self.switch(depth)
        if kind == 16 and in_loop:
            return self.statement('if ({condition}) %s;' % r.choice(['break', 'continue']), 1, leaves=True)
        if kind == 17 and self.may_return:
            return self.statement('if ({condition}) { out[tid] = {u64}; return; }', 1)
        if kind == 18 and 'words' in self.kernel.arrays:
            return self.statement('words[{u32} & 7u] = {u32};', 2)
        if kind == 18 and 'bytes' in self.kernel.arrays:
            return self.statement('bytes[{u32} & 15u] = (unsigned char)({u32});', 2)
        if kind == 19:
            return self.statement(r.choice(STORES), 2)
        if kind == 20:
            return self.atomic()
        return self.assignment()

    def if_statement(self, depth, in_loop):
        r = self.random
        parts = ['if (', self.expression('condition', 2), ') {', self.block(depth - 1, in_loop, r.randint(1, 3))]
        if r.random() < .6:
            parts += ['} else {', self.block(depth - 1, in_loop, r.randint(1, 3))]
        return Statement(*parts, '}')

    def loop_variable(self):
        self.loops += 1
        return 'n%d' % self.loops

    def for_loop(self, depth, bound, block=None):
        r = self.random
        name = self.loop_variable()
        pieces = PLACEHOLDER.split(bound)
        bound_parts = [self.expression(piece, 1) if i % 2 else piece for i, piece in enumerate(pieces)]
        self.names['u32'].append(name)
        body = block() if block else self.block(depth - 1, True, r.randint(1, 3))
        self.names['u32'].remove(name)
        tail = Statement('%s += %s;' % (r.choice(self.names['u32'][:2]), name))
        return Statement('for (unsigned %s = 0; %s < ' % (name, name), *bound_parts, '; %s++) {' % name,
                         Body(body + [tail]), '}', variable=name)

    def while_loop(self, depth):
        r = self.random
        name = self.loop_variable()
        step = r.choice(['%s = %s >> 1;' % (name, name), '%s--;' % name])
        head = ['{ unsigned %s = ' % name, self.expression('u32', 1),
                ' & 15u;\nwhile (%s != 0u) {\n  %s' % (name, step)]
        self.names['u32'].append(name)
        body = self.block(depth - 1, True, r.randint(1, 2))
        self.names['u32'].remove(name)
        return Statement(*head, body, '} }', variable=name)

    def switch(self, depth):
        r = self.random
        parts = ['switch (', self.expression('u32', 1), ' & %du) {' % r.choice([3, 7])]
        for label in range(r.randint(2, 6)):
            parts += ['\ncase %d:;' % label, self.block(depth - 1, False, r.randint(1, 2))]
            if r.random() < .8:
                parts.append('  break;')
        if r.random() < .6:
            parts += ['\ndefault:;', self.block(depth - 1, False, 1)]
        return Statement(*parts, '}')

    def atomic(self):
        kind = self.random.randrange(len(ATOMICS))
        name, at = ATOMICS[kind], '&acc[%du + ({u32} & 7u)]' % (8 * kind)
        return self.statement('ATOMIC_%s(%s, {%s});' % (name, at, 's32' if name == 'MAX_SIGNED' else 'u32'), 1)

    # ---- what all threads of a block do together -------------------------------------------------

    def collective(self):
        r = self.random
        target = r.choice([name for name in self.names['u32'] if name[0] == 'u'])
        kind = r.randrange(9) if self.kernel.arrays.get('shared') else r.randrange(5, 9)
        if kind < 3:
            other = r.choice(['(threadIdx.x + 1u) % blockDim.x', '(threadIdx.x * 5u + 3u) % blockDim.x',
                              '(threadIdx.x ^ 1u) % blockDim.x', '(threadIdx.x + 33u) % blockDim.x',
                              '{u32} % blockDim.x'])
            return self.statement('shared[threadIdx.x] = {u32};\n__syncthreads();\n%s ^= shared[%s];\n'
                                  '__syncthreads();' % (target, other), 1)
        if kind < 5:
            return self.statement('if (threadIdx.x < 8u) tally[threadIdx.x] = 0u;\n__syncthreads();\n'
                                  'ATOMIC_ADD(&tally[{u32} & 7u], {u32});\n__syncthreads();\n'
                                  '%s ^= tally[{u32} & 7u];\n__syncthreads();' % target, 1)
        if kind < 7:
            shuffle = r.choice(['SHUFFLE({s32}, {u32} & 31u)', 'SHUFFLE_XOR({s32}, %d)' % r.choice([1, 2, 16, 31]),
                                'SHUFFLE_UP({s32}, %d)' % r.randint(1, 31),
                                'SHUFFLE_DOWN({s32}, %d)' % r.randint(1, 31)])
            return self.statement('%s += (unsigned)%s;' % (target, shuffle), 1)
        if kind == 7:
            return self.statement('%s ^= BALLOT({condition});' % target, 1)
        return self.statement('%s += (unsigned)%s({condition});' % (target, r.choice(['ANY', 'ALL'])), 1)

    def together(self, count):
        """Statements among which barriers and exchanges may be; control is the same in all threads."""
        r = self.random
        body = Body()
        for _ in range(count):
            chance = r.random()
            if chance < .35:
                body.append(self.collective())
            elif chance < .45 and self.loops < 8:
                bound = r.choice(['(scalar & 3u)', '(blockIdx.x & 1u) + 1u', '%du' % r.randint(1, 4)])
                body.append(self.for_loop(0, bound, lambda: self.together(r.randint(1, 3))))
            else:
                body.append(self.any_statement(r.randint(1, 4), False))
        return body

    # ---- the kernel ------------------------------------------------------------------------------

    def function(self, name):
        r = self.random
        attribute = r.choice(['__noinline__ ', '', '__forceinline__ '])
        early = r.choice(['if (r == b) return j;', '', 'if (r > 0xf0000000u) break;'])
        return ['__device__ %sunsigned %s(unsigned a, unsigned b)' % (attribute, name), '{',
                '  unsigned r = a;',
                '  for (unsigned j = 0; j < (b & %du); j++) {' % r.choice([3, 7]),
                '    if (r & 1u) r = r * 3u + b; else r = (r >> 1) ^ (b << (j & 31u));',
                '    ' + early,
                '  }',
                '  return r%s;' % r.choice([' + a', ' ^ b', '']), '}']

    def arrays(self, with_collectives):
        r, kernel = self.random, self.kernel
        if with_collectives and r.random() < .7:
            kernel.arrays['shared'] = '__shared__ unsigned shared[96];'
            kernel.arrays['tally'] = '__shared__ unsigned tally[8];'
        if r.random() < .4:
            kernel.arrays['words'] = 'unsigned words[8] = {1u, tid, scalar, 4u, 5u, 6u, 7u, 8u};'
            self.forms['u32'].append((2, 'words[{u32} & 7u]'))
        elif r.random() < .2:
            kernel.arrays['bytes'] = 'unsigned char bytes[16] = {%s};' % ', '.join(map(str, range(1, 17)))
            self.forms['u32'].append((2, '(unsigned)bytes[{u32} & 15u]'))
        for f in range(r.randint(0, 2)):
            name = 'PREFIX_function%d' % f
            kernel.functions[name] = self.function(name)
            self.forms['u32'].append((1, name + '({u32}, {u32})'))

    def make(self):
        r, kernel = self.random, self.kernel
        kernel.grid, kernel.block = r.choice([1, 2, 3]), r.choice([32, 64, 64, 96])
        kernel.scalar = r.getrandbits(31)
        kernel.input = [r.choice([r.getrandbits(32), r.getrandbits(8), 0, 2**32 - 1, 2**31, r.getrandbits(31)])
                        for _ in range(INPUT_COUNT)]
        kernel.accumulators = [r.getrandbits(32) for _ in range(ACCUMULATOR_COUNT)]
        for type_, (least, most) in COUNTS.items():
            for i in range(r.randint(least, most)):
                self.names[type_].append(NAMES[type_] + str(i))
                kernel.variables.append(Variable(type_, NAMES[type_] + str(i), r.choice(STARTS[type_])))
        with_collectives = r.random() < .7
        self.arrays(with_collectives)
        if with_collectives:
            kernel.body = self.together(r.randint(3, 12))
        else:
            self.may_return = r.random() < .5
            kernel.body = self.block(r.randint(1, 4), False, r.randint(2, 8))
        kernel.observed = [OBSERVED.get(v.type, '(unsigned){}').format(v.name) for v in kernel.variables]
        if 'words' in kernel.arrays:
            kernel.observed += ['words[%d]' % i for i in range(8)]
        if 'bytes' in kernel.arrays:
            kernel.observed += ['bytes[%d]' % i for i in range(0, 16, 3)]
        return kernel


def make_kernel(number):
    return Generator(number).make()
