"""A kernel as a tree: what the generator makes, the reducer cuts and both compilers read as text."""
import re

MOST_THREADS = 288  # 3 blocks of 96
ACCUMULATOR_COUNT = 56  # 8 for each kind of atomic
INPUT_COUNT = 256
# What a thread has in global memory for itself: 16 bytes for each type, as compilers may count on types not to mix.
SLOT_WORDS = 12
SLOTS = {'slot': '  unsigned *slot = slots + tid * 12u;',
         'half_slot': '  short *half_slot = (short *)(slots + tid * 12u + 4u);',
         'wide_slot': '  unsigned long long *wide_slot = (unsigned long long *)(slots + tid * 12u + 8u);'}

CTYPES = {'u32': 'unsigned', 's32': 'int', 'u64': 'unsigned long long', 'f32': 'float', 'f64': 'double',
          'u8': 'unsigned char', 's16': 'short'}
# How a variable of a type goes into the hash that a thread writes at its end.
OBSERVED = {'f32': 'FLOAT_BITS({})', 'f64': 'DOUBLE_BITS({})', 'u64': '{}'}
ZEROS = {'u32': '0u', 's32': '0', 'u64': '0ull', 'f32': '0.0f', 'f64': '0.0', 'condition': '(0 != 0)'}


class Expression:
    """Text with expressions in it: pieces[0], children[0], pieces[1], ..."""
    __slots__ = ('type', 'pieces', 'children')

    def __init__(self, type_, pieces, children=()):
        self.type, self.pieces, self.children = type_, list(pieces), list(children)

    def __str__(self):
        text = self.pieces[0]
        for child, piece in zip(self.children, self.pieces[1:]):
            text += str(child) + piece
        return text

    def descendants(self):
        for child in self.children:
            yield child
            yield from child.descendants()


class Body(list):
    """Statements between braces."""


class Statement:
    """Text, expressions and bodies in turn. `variable` is that of a loop, `leaves` marks break and
    continue."""
    __slots__ = ('parts', 'variable', 'leaves')

    def __init__(self, *parts, variable=None, leaves=False):
        self.parts, self.variable, self.leaves = list(parts), variable, leaves

    def bodies(self):
        return [part for part in self.parts if isinstance(part, Body)]

    def lines(self, indent):
        margin = '  ' * indent
        line = ''
        for part in self.parts:
            if not isinstance(part, Body):
                line += str(part)
                continue
            yield from (margin + text for text in line.split('\n') if text)
            line = ''
            for statement in part:
                yield from statement.lines(indent + 1)
        yield from (margin + text for text in line.split('\n') if text)


class Variable:
    __slots__ = ('type', 'name', 'start')

    def __init__(self, type_, name, start):
        self.type, self.name, self.start = type_, name, start


class Kernel:
    def __init__(self):
        self.grid, self.block, self.scalar = 1, 32, 0
        self.input = [0] * INPUT_COUNT
        self.accumulators = [0] * ACCUMULATOR_COUNT
        self.functions = {}  # name -> lines; KERNEL stands for the kernel's name
        self.arrays = {}     # name -> declaration
        self.variables = []
        self.body = Body()
        self.observed = []   # expressions of 64 bits at most that go into the hash

    def text(self, name):
        """The C of the kernel and its functions, without what nothing uses."""
        lines = []
        for statement in self.body:
            lines += statement.lines(1)
        lines.append('  unsigned long long hash = 14695981039346656037ull;')
        lines += ['  hash = (hash ^ %s) * 1099511628211ull;' % text for text in self.observed]
        lines += ['  out[tid] = hash;', '}']
        used = set(re.findall(r'[A-Za-z_]\w*', '\n'.join(lines)))
        variables = [variable for variable in self.variables if variable.name in used]
        starts = ['  %s %s = %s;' % (CTYPES[v.type], v.name, v.start) for v in variables]
        arrays = ['  ' + declaration for array, declaration in self.arrays.items() if array in used]
        functions = []
        for function, text in self.functions.items():
            if function in used:
                functions += text
        head = ['KERNEL %s(unsigned long long *out, unsigned *slots, unsigned *acc, const unsigned *in, '
                'unsigned scalar)' % name,
                '{', '  unsigned tid = blockIdx.x * blockDim.x + threadIdx.x;']
        head += [line for name, line in SLOTS.items() if name in used]
        text = '\n'.join(functions + head + arrays + starts + lines) + '\n'
        return re.sub(r'\bPREFIX_', name + '_', text)
