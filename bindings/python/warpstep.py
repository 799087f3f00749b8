"""A simulated GPU in Python: libwarpstep with ctypes alone; arrays may be numpy's.

    import numpy, warpstep

    gpu = warpstep.Machine('h200', sms=4)
    program = gpu.load('scale.cu')
    x = numpy.arange(1024, dtype=numpy.float32)
    run = gpu.launch(program.scale, 4, 256, x, 2.0, x.size)   # x holds the result
    print(run.cycles, run.stalls)

What is wrong is an exception: BadCall (a ValueError), BadInput, Fault, Deadlock, Limit. A kernel that
leaves its arrays is a Fault with the line and the thread, never a crash.
"""
import ctypes
import ctypes.util
import numbers
import os
import struct

__all__ = ['Machine', 'Program', 'Kernel', 'Buffer', 'Run', 'Launch', 'Stepper', 'Error', 'BadCall', 'BadInput', 'Fault',
           'Deadlock', 'Limit', 'version']


# ---- the library ---------------------------------------------------------------------------------

class _Error(ctypes.Structure):
    _fields_ = [('code', ctypes.c_int), ('text', ctypes.c_char_p), ('file', ctypes.c_char_p), ('line', ctypes.c_uint),
                ('column', ctypes.c_uint), ('launch', ctypes.c_longlong), ('cycle', ctypes.c_longlong),
                ('block', ctypes.c_int * 3), ('thread', ctypes.c_int * 3), ('sm', ctypes.c_int), ('warp', ctypes.c_int),
                ('lane', ctypes.c_int), ('details', ctypes.c_char_p)]


class _Limits(ctypes.Structure):
    _fields_ = [('size', ctypes.c_size_t), ('max_cycles', ctypes.c_uint64), ('max_seconds', ctypes.c_double), ('max_memory', ctypes.c_uint64),
                ('threads', ctypes.c_uint), ('interrupt', ctypes.POINTER(ctypes.c_int)), ('printf_bytes', ctypes.c_size_t)]


class _Compile(ctypes.Structure):
    _fields_ = [('size', ctypes.c_size_t), ('defines', ctypes.POINTER(ctypes.c_char_p)), ('includes', ctypes.POINTER(ctypes.c_char_p)),
                ('max_registers', ctypes.c_uint), ('variables', ctypes.c_int), ('debug', ctypes.c_int)]


class _Kernel(ctypes.Structure):
    _fields_ = [('name', ctypes.c_char_p), ('symbol', ctypes.c_char_p)] + [
        (name, ctypes.c_uint) for name in ('registers', 'static_shared_bytes', 'local_bytes', 'spill_bytes',
                                           'parameter_count', 'parameter_bytes', 'instructions')]


class _Parameter(ctypes.Structure):
    _fields_ = [('name', ctypes.c_char_p), ('type', ctypes.c_char_p), ('offset', ctypes.c_uint), ('size', ctypes.c_uint)]


class _Launch(ctypes.Structure):
    _fields_ = [('size', ctypes.c_size_t), ('program', ctypes.c_uint), ('kernel', ctypes.c_char_p), ('grid', ctypes.c_uint * 3),
                ('block', ctypes.c_uint * 3), ('dynamic_shared_bytes', ctypes.c_uint), ('arguments', ctypes.c_void_p),
                ('argument_count', ctypes.c_uint), ('parameter_block', ctypes.c_char_p),
                ('parameter_bytes', ctypes.c_size_t), ('keep_caches', ctypes.c_int), ('carveout', ctypes.c_uint)]


_COUNTS = ('cycles', 'elapsed_cycles', 'active_sm_cycles', 'warp_instructions', 'thread_instructions',
           'thread_instructions_pred_on', 'branches_executed', 'branches_divergent', 'warps_launched', 'warps_diverged',
           'blocks_launched', 'warp_cycles', 'global_load_requests', 'global_load_sectors', 'global_store_requests',
           'global_store_sectors', 'texture_requests', 'texture_sectors', 'local_load_requests', 'local_store_requests',
           'shared_wavefronts', 'shared_bank_conflicts', 'l1_lookups', 'l1_hits', 'l2_lookups', 'l2_hits',
           'dram_read_bytes', 'dram_write_bytes')
_SHARES = ('theoretical_occupancy', 'achieved_occupancy')


class _Figures(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in _COUNTS] + [(name, ctypes.c_double) for name in _SHARES]


class _Event(ctypes.Structure):
    _fields_ = [('cycle', ctypes.c_uint64), ('kind', ctypes.c_char_p), ('sm', ctypes.c_uint), ('sub_core', ctypes.c_uint),
                ('slot', ctypes.c_uint), ('block', ctypes.c_uint), ('warp', ctypes.c_uint), ('instruction', ctypes.c_char_p),
                ('file', ctypes.c_char_p), ('line', ctypes.c_uint), ('lanes', ctypes.c_uint64), ('stall', ctypes.c_char_p)]


class _Warp(ctypes.Structure):
    _fields_ = [('sm', ctypes.c_uint), ('slot', ctypes.c_uint), ('block', ctypes.c_uint), ('warp', ctypes.c_uint),
                ('active', ctypes.c_uint64), ('exited', ctypes.c_uint64), ('instruction', ctypes.c_char_p),
                ('file', ctypes.c_char_p), ('line', ctypes.c_uint), ('stall', ctypes.c_char_p)]


_TELL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(_Event))


def _open_library():
    named = os.environ.get('WARPSTEP_LIBRARY')
    # In a release the module lies in lib/warpstep/python.
    beside = os.path.join(os.path.dirname(os.path.realpath(__file__)), '..', '..', 'libwarpstep.so.0')
    found = [beside] if os.path.exists(beside) else []
    for name in [named] if named else found + ['libwarpstep.so.0', ctypes.util.find_library('warpstep')]:
        try:
            return ctypes.CDLL(name) if name else None
        except OSError as error:
            why = error
    raise ImportError('libwarpstep is not found: install Warpstep, or name the file in WARPSTEP_LIBRARY (%s)' % why)


def _declare(library):
    gpu, text, size = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
    number, address = ctypes.c_uint, ctypes.c_uint64
    to = ctypes.POINTER
    table = {
        'version': (text, []),
        'open': (ctypes.c_int, [text, to(text), to(gpu)]),
        'close': (None, [gpu]),
        'last_error': (to(_Error), [gpu]),
        'setting': (text, [gpu, text]),
        'set_limits': (ctypes.c_int, [gpu, to(_Limits)]),
        'load_file': (ctypes.c_int, [gpu, text, to(_Compile), to(number)]),
        'load_memory': (ctypes.c_int, [gpu, text, text, size, to(_Compile), to(number)]),
        'kernel_at': (to(_Kernel), [gpu, number, number]),
        'find_kernel': (to(_Kernel), [gpu, number, text]),
        'parameter_at': (to(_Parameter), [gpu, number, text, number]),
        'alloc': (ctypes.c_int, [gpu, text, text, address, to(address)]),
        'attach': (ctypes.c_int, [gpu, text, text, address, ctypes.c_void_p, to(address)]),
        'free': (ctypes.c_int, [gpu, address]),
        'write': (ctypes.c_int, [gpu, address, ctypes.c_void_p, size]),
        'read': (ctypes.c_int, [gpu, ctypes.c_void_p, address, size]),
        'write_symbol': (ctypes.c_int, [gpu, number, text, size, ctypes.c_void_p, size]),
        'read_symbol': (ctypes.c_int, [gpu, number, text, size, ctypes.c_void_p, size]),
        'enqueue': (ctypes.c_int, [gpu, to(_Launch)]),
        'run': (ctypes.c_int, [gpu, ctypes.c_int]),
        'save': (ctypes.c_int, [gpu, text]),
        'launch_count': (number, [gpu]),
        'figures_of': (to(_Figures), [gpu, number]),
        'stall_name': (text, [number]),
        'stall_help': (text, [number]),
        'stall_cycles': (ctypes.c_uint64, [gpu, number, number]),
        'json': (text, [gpu]),
        'printed': (ctypes.c_void_p, [gpu, number, to(size), to(ctypes.c_uint64)]),
        'record_page': (ctypes.c_int, [gpu, ctypes.c_int]),
        'html': (text, [gpu]),
        'observe': (ctypes.c_int, [gpu, text, _TELL, ctypes.c_void_p]),
        'begin_stepping': (ctypes.c_int, [gpu]),
        'go': (ctypes.c_int, [gpu, ctypes.c_uint64]),
        'cycle': (ctypes.c_uint64, [gpu]),
        'is_over': (ctypes.c_int, [gpu]),
        'command': (ctypes.c_int, [gpu, text, to(text)]),
        'end_stepping': (ctypes.c_int, [gpu]),
        'warp_at': (to(_Warp), [gpu, number]),
        'register': (ctypes.c_int, [gpu, number, number, number, number, to(ctypes.c_uint32)]),
        'evaluate': (ctypes.c_int, [gpu, number, number, number, text, to(text)]),
    }
    for name, (result, arguments) in table.items():
        function = getattr(library, 'warpstep_' + name)
        function.restype, function.argtypes = result, arguments
    return library


_library = _declare(_open_library())


def _call(name):
    return getattr(_library, 'warpstep_' + name)


def version():
    """Of the library: '0.1.0'."""
    return _call('version')().decode()


def _text(value):
    return None if value is None else value.decode('utf-8', 'replace')


def _texts(values):
    """A list of texts as the library takes it, or NULL."""
    if not values:
        return None
    encoded = [os.fsencode(value) for value in values] + [None]
    return (ctypes.c_char_p * len(encoded))(*encoded)


# ---- errors --------------------------------------------------------------------------------------

class Error(Exception):
    """What the library says, with `file`, `line`, `column`, and of a run that stopped `launch`, `cycle`, `block`, `thread`,
    `sm`, `warp`, `lane` (None where that does not apply) and `details`."""

    def __init__(self, noted):
        text, self.details = _text(noted.text), _text(noted.details)
        super().__init__(text if self.details is None else '%s\n%s' % (text, self.details))
        self.file, self.line, self.column = _text(noted.file), noted.line or None, noted.column or None
        for name in ('launch', 'cycle', 'sm', 'warp', 'lane'):
            value = getattr(noted, name)
            setattr(self, name, None if value < 0 else value)
        self.block = tuple(noted.block) if noted.block[0] >= 0 else None
        self.thread = tuple(noted.thread) if noted.thread[0] >= 0 else None


class BadCall(Error, ValueError):
    """An argument is wrong, or the call does not fit what the machine is doing."""


class BadInput(Error):
    """A program, device or setting; a launch that the device cannot hold."""


class Fault(Error):
    """A kernel did something it must not. `run` has the figures up to there, as with Deadlock and Limit."""


class Deadlock(Error):
    """Or livelock."""


class Limit(Error):
    """Cycles or seconds ran out."""


_ERRORS = {2: BadCall, 3: BadInput, 4: Fault, 5: Deadlock, 6: Limit}


# ---- memory --------------------------------------------------------------------------------------

_FORMATS = {'f': 'f32', 'd': 'f64', 'e': 'f16', 'b': 's8', 'B': 'u8', '?': 'u8', 'h': 's16', 'H': 'u16', 'i': 's32',
            'I': 'u32', 'l': 's64', 'L': 'u64', 'q': 's64', 'Q': 'u64', 'c': 'u8'}


def _is_array(value):
    if isinstance(value, (bytes, str)):
        return False
    try:
        memoryview(value)
    except (TypeError, ValueError, BufferError):
        return False
    return getattr(value, 'shape', None) != ()


class Buffer:
    """Memory of the machine: `address` is what kernels get. Made by Machine.alloc()."""

    def __init__(self, gpu, address, bytes_, type_):
        self._gpu, self.address, self.nbytes, self.type = gpu, address, bytes_, type_

    def write(self, data, offset=0):
        """Bytes of an array or of bytes, from a byte offset on."""
        data = memoryview(data).cast('B').tobytes() if not isinstance(data, bytes) else data
        self._gpu._check(_call('write')(self._gpu._handle, self.address + offset, data, len(data)))

    def read(self, bytes_=None, offset=0):
        """Bytes from a byte offset on: all that follow unless told how many."""
        count = self.nbytes - offset if bytes_ is None else bytes_
        to = ctypes.create_string_buffer(max(count, 1))
        self._gpu._check(_call('read')(self._gpu._handle, to, self.address + offset, count))
        return to.raw[:count]

    def free(self):
        """Kernels that touch it later fault."""
        self._gpu._check(_call('free')(self._gpu._handle, self.address))


# ---- programs ------------------------------------------------------------------------------------

class Kernel:
    """A kernel with `name`, `symbol`, `registers`, `static_shared_bytes`, `local_bytes`, `spill_bytes`, `instructions` and
    `parameters`: a list of (name, type, offset, size)."""

    def __init__(self, program, found):
        self.program = program
        self.name, self.symbol = _text(found.name), _text(found.symbol)
        self.registers, self.instructions = found.registers, found.instructions
        self.static_shared_bytes, self.local_bytes = found.static_shared_bytes, found.local_bytes
        self.spill_bytes, self.parameter_bytes = found.spill_bytes, found.parameter_bytes
        self.parameters = []
        for index in range(found.parameter_count):
            parameter = _call('parameter_at')(program._gpu._handle, program.number, self.symbol.encode(), index).contents
            self.parameters.append((_text(parameter.name), _text(parameter.type), parameter.offset, parameter.size))

    def __repr__(self):
        return '<kernel %s: %d registers, %d instructions>' % (self.name, self.registers, self.instructions)


class Program:
    """A program of a machine. Its kernels are attributes: program.scale; or program['axpy<float>']."""

    def __init__(self, gpu, number):
        self._gpu, self.number = gpu, number

    @property
    def kernels(self):
        found, index = [], 0
        while True:
            kernel = _call('kernel_at')(self._gpu._handle, self.number, index)
            if not kernel:
                return found
            found.append(Kernel(self, _copy(kernel.contents)))
            index += 1

    def __getitem__(self, name):
        kernel = _call('find_kernel')(self._gpu._handle, self.number, name.encode())
        if not kernel:
            raise self._gpu._error()
        return Kernel(self, _copy(kernel.contents))

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        try:
            return self[name]
        except BadCall as error:
            raise AttributeError(str(error)) from None

    def write_symbol(self, name, data, offset=0):
        """Bytes of a __device__ or __constant__ variable."""
        data = memoryview(data).cast('B').tobytes() if not isinstance(data, bytes) else data
        self._gpu._check(_call('write_symbol')(self._gpu._handle, self.number, name.encode(), offset, data, len(data)))

    def read_symbol(self, name, bytes_, offset=0):
        to = ctypes.create_string_buffer(max(bytes_, 1))
        self._gpu._check(_call('read_symbol')(self._gpu._handle, self.number, name.encode(), offset, to, bytes_))
        return to.raw[:bytes_]


def _fields(structure):
    values = {name: getattr(structure, name) for name, _ in structure._fields_}
    return {name: _text(value) if isinstance(value, bytes) else value for name, value in values.items()}


def _copy(structure):
    """Of its own: what the library returned is good until the next call."""
    return type(structure).from_buffer_copy(structure)


# ---- runs ----------------------------------------------------------------------------------------

class Launch:
    """Figures of a launch: run.launches[0].cycles, .figures (a dict), .stalls (a dict of warp cycles by reason); and
    .printed, what its printf has printed."""

    def __init__(self, figures, stalls, printed=''):
        self.figures, self.stalls, self.printed = figures, stalls, printed

    def __getattr__(self, name):
        try:
            return self.__dict__['figures'][name]
        except KeyError:
            raise AttributeError(name) from None

    def stall_table(self):
        """Rows (reason, warp cycles, share of all), most first."""
        total = sum(self.stalls.values()) or 1
        rows = [(name, cycles, cycles / total) for name, cycles in self.stalls.items() if cycles]
        return sorted(rows, key=lambda row: -row[1])


class Run:
    """What a run came to. `launches`; `cycles`, `figures`, `stalls` are those of the first one. `json` is the document of
    `warpstep run --format json`; `html` the page of `warpstep report` where the run was made with page=True."""

    def __init__(self, launches, json, html):
        self.launches, self.json, self.html = launches, json, html

    def __getattr__(self, name):
        if name.startswith('__') or not self.__dict__.get('launches'):
            raise AttributeError(name)
        return getattr(self.launches[0], name)

    def __repr__(self):
        return '<run: %s>' % ', '.join('%d cycles' % launch.cycles for launch in self.launches)

    def _repr_html_(self):
        """In a notebook: the page with its timeline, or a table of stalls."""
        if self.html is not None:
            page = self.html.replace('&', '&amp;').replace('"', '&quot;')
            return '<iframe srcdoc="%s" style="width:100%%;height:640px;border:0"></iframe>' % page
        parts = []
        for number, launch in enumerate(self.launches):
            rows = ''.join('<tr><td>%s</td><td>%d</td><td>%.1f %%</td></tr>' % (name, cycles, 100 * share)
                           for name, cycles, share in launch.stall_table())
            parts.append('<p>Launch %d: %d cycles, %d warp instructions</p><table><tr><th>stall</th><th>warp cycles</th>'
                         '<th>share</th></tr>%s</table>' % (number, launch.cycles, launch.warp_instructions, rows))
        return ''.join(parts)


def _printed(gpu, index):
    length = ctypes.c_size_t()
    text = _call('printed')(gpu._handle, index, ctypes.byref(length), None)
    return ctypes.string_at(text, length.value).decode(errors='replace') if text else ''


def _collect(gpu):
    reasons = []
    while _call('stall_name')(len(reasons)) is not None:
        reasons.append(_text(_call('stall_name')(len(reasons))))
    launches = []
    for index in range(_call('launch_count')(gpu._handle)):
        found = _call('figures_of')(gpu._handle, index).contents
        figures = {name: getattr(found, name) for name in _COUNTS + _SHARES}
        stalls = {name: _call('stall_cycles')(gpu._handle, index, reason) for reason, name in enumerate(reasons)}
        launches.append(Launch(figures, stalls, _printed(gpu, index)))
    return Run(launches, _text(_call('json')(gpu._handle)), _text(_call('html')(gpu._handle)))


# ---- stepping ------------------------------------------------------------------------------------

class Stepper:
    """A run at one of its cycles: go(), also back; warps(); value() of an expression in a lane; do() a command of
    `warpstep step`. Use it in a `with`, which ends it."""

    def __init__(self, gpu):
        self._gpu = gpu
        gpu._check(_call('begin_stepping')(gpu._handle))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        if self._gpu is not None:
            gpu, self._gpu = self._gpu, None
            _call('end_stepping')(gpu._handle)
            gpu._detach()

    @property
    def cycle(self):
        return _call('cycle')(self._gpu._handle)

    @property
    def is_over(self):
        return bool(_call('is_over')(self._gpu._handle))

    def go(self, cycle):
        """To a cycle, or to the end where that comes first."""
        self._gpu._check(_call('go')(self._gpu._handle, cycle))
        return self.cycle

    def go_to_end(self):
        return self.go(2 ** 64 - 1)

    def do(self, command):
        """What the command says: do('break k.cu:12 if sum > 3'), do('continue'), do('print -lanes all sum')."""
        said = ctypes.c_char_p()
        self._gpu._check(_call('command')(self._gpu._handle, command.encode(), ctypes.byref(said)))
        return _text(said.value)

    def warps(self):
        """A dict for each warp on the machine."""
        found = []
        while True:
            warp = _call('warp_at')(self._gpu._handle, len(found))
            if not warp:
                return found
            found.append(_fields(warp.contents))

    def register(self, sm, slot, lane, number):
        value = ctypes.c_uint32()
        self._gpu._check(_call('register')(self._gpu._handle, sm, slot, lane, number, ctypes.byref(value)))
        return value.value

    def value(self, expression, sm, slot, lane=0):
        """As text: value('sum', 0, 3, lane=5)."""
        said = ctypes.c_char_p()
        self._gpu._check(_call('evaluate')(self._gpu._handle, sm, slot, lane, expression.encode(), ctypes.byref(said)))
        return _text(said.value)


# ---- the machine ---------------------------------------------------------------------------------

def _sizes(value):
    values = [value] if isinstance(value, numbers.Integral) else list(value)
    if not 1 <= len(values) <= 3 or not all(isinstance(v, numbers.Integral) and 0 <= v < 2 ** 32 for v in values):
        raise ValueError('a grid or block is one to three numbers, not %r' % (value,))
    return [int(v) for v in values] + [1] * (3 - len(values))


def _integer(value, size, what):
    if not -(1 << 8 * size - 1) <= value < 1 << 8 * size:
        raise ValueError('%s: %d does not fit %d bytes' % (what, value, size))
    return (value & (1 << 8 * size) - 1).to_bytes(size, 'little')


def _scalar(value, type_, size, what):
    """The bytes of an argument."""
    if isinstance(value, bytes) or hasattr(value, 'dtype'):
        data = value if isinstance(value, bytes) else value.tobytes()
        if len(data) == size:
            return data
        if isinstance(value, bytes):
            raise ValueError('%s: %d bytes are expected, not %d' % (what, size, len(data)))
        value = value.item()
    if type_ in ('f32', 'f64'):
        if isinstance(value, numbers.Real):
            return struct.pack('<f' if type_ == 'f32' else '<d', value)
    elif isinstance(value, numbers.Integral) and size <= 8:
        return _integer(int(value), size, what)
    raise TypeError('%s: %r is no %s of %d bytes' % (what, value, type_, size))


class Machine:
    """A device, as `warpstep devices` names them, or the path of a YAML file. Settings are keywords,
    Machine('h200', sms=4, policy='gto'), or where their names have dots a dict: settings={'memory.l1.ways': 8}."""

    def __init__(self, device='h200', settings=None, **keywords):
        given = dict(settings or {}, **keywords)
        values = ['%s=%s' % (name, str(value).lower() if isinstance(value, bool) else value) for name, value in given.items()]
        self._pointer = ctypes.c_void_p()
        self._attached, self._tell, self._tell_error = [], None, None
        code = _call('open')(os.fsencode(device), _texts(values), ctypes.byref(self._pointer))
        if code != 0:
            error = self._error()
            self.close()
            raise error

    def close(self):
        pointer, self._pointer = self._pointer, None
        if pointer:
            _call('close')(pointer)
            self._attached = []

    @property
    def _handle(self):
        if not self._pointer:
            raise ValueError('the machine is closed')
        return self._pointer

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, '_pointer', None):
            self.close()

    def _error(self):
        noted = _call('last_error')(self._handle).contents
        return _ERRORS.get(noted.code, Error)(noted)

    def _check(self, code):
        if code != 0:
            raise self._error()

    def setting(self, path):
        """Its value as text; KeyError if there is none of the name."""
        value = _call('setting')(self._handle, path.encode())
        if value is None:
            raise KeyError(path)
        return _text(value)

    def set_limits(self, max_cycles=0, max_seconds=0, max_memory=0, threads=0):
        limits = _Limits(ctypes.sizeof(_Limits), max_cycles, max_seconds, max_memory, threads, None)
        self._check(_call('set_limits')(self._handle, ctypes.byref(limits)))

    # -- programs

    def _compile_options(self, defines, includes, max_registers, variables, debug):
        if isinstance(defines, dict):
            defines = ['%s=%s' % item for item in defines.items()]
        return _Compile(ctypes.sizeof(_Compile), _texts(defines), _texts(includes), max_registers, variables, debug)

    def load(self, path, defines=None, includes=None, max_registers=0, variables=False, debug=False):
        """A program from a file: .cu, .ptx, .wsasm, .wsbin or .sass."""
        options, number = self._compile_options(defines, includes, max_registers, variables, debug), ctypes.c_uint()
        self._check(_call('load_file')(self._handle, os.fsencode(path), ctypes.byref(options), ctypes.byref(number)))
        return Program(self, number.value)

    def compile(self, text, name='program.cu', defines=None, includes=None, max_registers=0, variables=False, debug=False):
        """A program from a text or bytes; the ending of `name` says which kind."""
        data = text.encode() if isinstance(text, str) else bytes(text)
        options, number = self._compile_options(defines, includes, max_registers, variables, debug), ctypes.c_uint()
        self._check(_call('load_memory')(self._handle, name.encode(), data, len(data), ctypes.byref(options),
                                         ctypes.byref(number)))
        return Program(self, number.value)

    # -- memory

    def alloc(self, count, type_='u8', name=None):
        """A buffer of the machine, zero."""
        address = ctypes.c_uint64()
        self._check(_call('alloc')(self._handle, name and name.encode(), type_.encode(), count, ctypes.byref(address)))
        size = {'8': 1, '16': 2, '32': 4, '64': 8}[type_.lstrip('bfsu')]
        return Buffer(self, address.value, count * size, type_)

    def _attach(self, array, name):
        view = memoryview(array)
        if view.readonly or not view.c_contiguous:
            raise ValueError('%s: the array is %s: kernels work on it in place; give a copy' %
                             (name, 'read only' if view.readonly else 'not contiguous'))
        if view.nbytes == 0:
            raise ValueError('%s: the array is empty' % name)
        start = ctypes.addressof(ctypes.c_char.from_buffer(view.cast('B') if view.ndim else view))
        for begin, end, address, _ in self._attached:
            if begin <= start and start + view.nbytes <= end:
                return address + start - begin
            if start < end and begin < start + view.nbytes:
                raise ValueError('%s: the array overlaps another one of the launch in part' % name)
        type_ = _FORMATS.get(view.format.lstrip('<=@'), None)
        count = view.nbytes // view.itemsize if type_ else view.nbytes
        address = ctypes.c_uint64()
        self._check(_call('attach')(self._handle, name.encode(), type_ and type_.encode(), count, start,
                                    ctypes.byref(address)))
        self._attached.append((start, start + view.nbytes, address.value, view))
        return address.value

    def _detach(self, keep=0):
        """Arrays but for the first ones are the machine's no more."""
        for _, _, address, view in self._attached[keep:]:
            _call('free')(self._handle, address)
            view.release()
        del self._attached[keep:]

    # -- launches

    def _argument(self, value, parameter):
        name, type_, _, size = parameter
        if isinstance(value, Buffer):
            return struct.pack('<Q', value.address)
        if _is_array(value):
            if size != 8:
                raise TypeError("'%s' is no pointer: it takes a value of %d bytes, not an array" % (name, size))
            return struct.pack('<Q', self._attach(value, name))
        return _scalar(value, type_, size, "'%s'" % name)

    def queue(self, kernel, grid, block, *arguments, shared=0, keep_caches=False, carveout=None):
        """Puts a launch behind those that wait. Arrays are worked on in place until the run is over."""
        if not isinstance(kernel, Kernel):
            raise TypeError('a kernel is expected, such as program.scale, not %r' % (kernel,))
        if len(arguments) != len(kernel.parameters):
            raise TypeError('%s takes %d arguments: %s' % (kernel.name, len(kernel.parameters),
                                                           ', '.join(p[0] for p in kernel.parameters)))
        attached = len(self._attached)
        try:
            self._enqueue(kernel, grid, block, arguments, shared, keep_caches, carveout)
        except Exception:
            self._detach(attached)
            raise

    def _enqueue(self, kernel, grid, block, arguments, shared, keep_caches, carveout):
        data = bytearray(kernel.parameter_bytes)
        for value, parameter in zip(arguments, kernel.parameters):
            data[parameter[2]:parameter[2] + parameter[3]] = self._argument(value, parameter)
        launch = _Launch(ctypes.sizeof(_Launch), kernel.program.number, kernel.symbol.encode(), (ctypes.c_uint * 3)(*_sizes(grid)),
                         (ctypes.c_uint * 3)(*_sizes(block)), shared, None, 0, bytes(data) or None, len(data), keep_caches,
                         0 if carveout is None else carveout + 1)
        self._check(_call('enqueue')(self._handle, ctypes.byref(launch)))

    def run(self, functional=False, page=False):
        """Runs what waits; returns a Run. `functional`: without time. `page`: with the page of `warpstep report`."""
        try:
            self._check(_call('record_page')(self._handle, page))
            code = _call('run')(self._handle, functional)
            error = self._error() if code != 0 else None
            if error is not None and code in (4, 5, 6):
                error.run = _collect(self)
            if self._tell_error is not None:
                error, self._tell_error = self._tell_error, None
            if error is not None:
                raise error
            return _collect(self)
        finally:
            self._detach()

    def launch(self, kernel, grid, block, *arguments, shared=0, carveout=None, functional=False, page=False):
        """queue() and run()."""
        self.queue(kernel, grid, block, *arguments, shared=shared, carveout=carveout)
        return self.run(functional, page)

    def save(self, path):
        """Writes what waits as a launch file, PATH.yaml, which `warpstep run` and all other commands take. It still waits."""
        self._check(_call('save')(self._handle, os.fsencode(path)))

    def step(self, kernel=None, grid=1, block=1, *arguments, shared=0, carveout=None):
        """A Stepper at the first cycle of what waits, a launch that is given here with it."""
        if kernel is not None:
            self.queue(kernel, grid, block, *arguments, shared=shared, carveout=carveout)
        return Stepper(self)

    def observe(self, kinds, tell):
        """tell(dict) for each event of these kinds ("issue,stall", "all") of the runs to come; None: no more. What `tell`
        raises is raised when the run is over; nothing more is told."""
        def told(_, event):
            if self._tell_error is None:
                try:
                    tell(_fields(event.contents))
                except Exception as error:  # it must not go through the library
                    self._tell_error = error
        call = _TELL(told) if kinds is not None else _TELL()
        self._check(_call('observe')(self._handle, kinds and kinds.encode(), call, None))
        self._tell = call
