#!/usr/bin/env python3
"""Runs exported jobs on a real CUDA device and compares the results.

    run_on_device.py JOB_FOLDER...
    run_on_device.py --probe          only says whether there is a device
    run_on_device.py --one JOB_FOLDER runs one job in this process; the others run so, each in its own

A job folder is what `export_job` writes: job.json, the kernel's source, the initial contents of every
buffer, the simulator's results and the expected values. Every kernel is built with nvcc for the device,
launched through the CUDA driver (libcuda, loaded at run time), and its buffers are compared

    * with the launch file's `expect`, with that entry's tolerance (numpy's allclose rule), and
    * with the simulator: with the tolerance of `expect` where there is one, else with that of the job (bit for
      bit unless `export_job` was given one).

A job that never ends in the simulator must not end on the device within 10 seconds; others have 60. One
that reads a clock is compared with `expect` only. One whose results are wrong in the simulator (some
workloads show a race) is skipped: what a device does then is not defined.

Exit codes: 0 all agree, 1 something differs, 77 skipped (no device, no driver or no nvcc).
"""
import ctypes
import json
import math
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

SKIPPED = 77
SECONDS = 60
SECONDS_TO_HANG = 10
FORMATS = {'s8': 'b', 'u8': 'B', 's16': 'h', 'u16': 'H', 's32': 'i', 'u32': 'I', 's64': 'q', 'u64': 'Q',
           'f16': 'e', 'f32': 'f', 'f64': 'd'}


def skip(reason):
    print(f'skipped: {reason}')
    sys.exit(SKIPPED)


class Driver:
    """The few calls of the CUDA driver that are needed."""

    def __init__(self):
        try:
            self.cuda = ctypes.CDLL('libcuda.so.1')
        except OSError:
            skip('no CUDA driver (libcuda.so.1)')
        if self.cuda.cuInit(0) != 0:
            skip('the CUDA driver finds no device')
        count = ctypes.c_int()
        if self.cuda.cuDeviceGetCount(ctypes.byref(count)) != 0 or count.value == 0:
            skip('no CUDA device')
        device = ctypes.c_int()
        self.call('cuDeviceGet', ctypes.byref(device), 0)
        name = ctypes.create_string_buffer(256)
        self.call('cuDeviceGetName', name, 256, device)
        self.name = name.value.decode()
        major, minor = ctypes.c_int(), ctypes.c_int()
        self.call('cuDeviceGetAttribute', ctypes.byref(major), 75, device)
        self.call('cuDeviceGetAttribute', ctypes.byref(minor), 76, device)
        self.arch = f'sm_{major.value}{minor.value}'
        self.context = ctypes.c_void_p()
        self.call('cuDevicePrimaryCtxRetain', ctypes.byref(self.context), device)
        self.call('cuCtxSetCurrent', self.context)

    def call(self, name, *arguments):
        result = getattr(self.cuda, name)(*arguments)
        if result != 0:
            text = ctypes.c_char_p()
            self.cuda.cuGetErrorString(result, ctypes.byref(text))
            raise RuntimeError(f'{name}: {(text.value or b"?").decode()}')

    def allocate(self, size):
        pointer = ctypes.c_uint64()
        self.call('cuMemAlloc_v2', ctypes.byref(pointer), ctypes.c_size_t(max(size, 1)))
        return pointer.value

    def free(self, pointer):
        self.call('cuMemFree_v2', ctypes.c_uint64(pointer))

    def write(self, address, data):
        if data:
            self.call('cuMemcpyHtoD_v2', ctypes.c_uint64(address), data, ctypes.c_size_t(len(data)))

    def read(self, address, size):
        data = ctypes.create_string_buffer(max(size, 1))
        if size:
            self.call('cuMemcpyDtoH_v2', data, ctypes.c_uint64(address), ctypes.c_size_t(size))
        return data.raw[:size]

    def load(self, cubin):
        module = ctypes.c_void_p()
        self.call('cuModuleLoadData', ctypes.byref(module), cubin)
        return module

    def unload(self, module):
        self.call('cuModuleUnload', module)

    def launch(self, module, launch, parameters):
        function = ctypes.c_void_p()
        self.call('cuModuleGetFunction', ctypes.byref(function), module, launch['kernel'].encode())
        shared = launch['dynamic_shared_bytes']
        if shared > 48 * 1024:
            self.call('cuFuncSetAttribute', function, 8, shared)
        self.call('cuFuncSetAttribute', function, 9, launch['carveout'])  # preferred; -1 is the default
        size = ctypes.c_size_t(len(parameters))
        buffer = ctypes.create_string_buffer(parameters, max(len(parameters), 1))
        extra = (ctypes.c_void_p * 5)(1, ctypes.cast(buffer, ctypes.c_void_p), 2,
                                      ctypes.cast(ctypes.byref(size), ctypes.c_void_p), 0)
        self.call('cuLaunchKernel', function, *launch['grid'], *launch['block'], shared, None, None, extra)
        self.call('cuCtxSynchronize')


def read_job(folder):
    with open(os.path.join(folder, 'job.json'), encoding='utf-8') as file:
        return json.load(file)


def build(folder, arch):
    """nvcc -cubin of the job's program, as bytes; what nvcc says is the error where it fails."""
    job = read_job(folder)
    with tempfile.TemporaryDirectory() as scratch:
        cubin = os.path.join(scratch, 'kernel.cubin')
        command = ['nvcc', '-cubin', '-O3', '-arch=' + arch, '-o', cubin]
        command += ['-D' + d for d in job['define']]
        command += ['-I' + os.path.join(folder, i) for i in job['include']]
        if job['max_registers']:
            command.append(f"-maxrregcount={job['max_registers']}")
        command.append(os.path.join(folder, job['program']))
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f'nvcc: {done.stderr.strip()}')
        with open(cubin, 'rb') as file:
            return file.read()


def read_file(folder, name):
    with open(os.path.join(folder, name), 'rb') as file:
        return file.read()


def values(kind, data):
    if kind == 'bf16':
        return [struct.unpack('<f', b'\0\0' + data[i:i + 2])[0] for i in range(0, len(data), 2)]
    size = struct.calcsize(FORMATS[kind])
    return list(struct.unpack(f'<{len(data) // size}{FORMATS[kind]}', data))


def differs(actual, expected, relative, absolute, equal_nan):
    if isinstance(actual, float) and (math.isnan(actual) or math.isnan(expected)):
        return not (equal_nan and math.isnan(actual) and math.isnan(expected))
    if actual == expected:
        return False
    if isinstance(actual, float) and (math.isinf(actual) or math.isinf(expected)):
        return True
    return abs(actual - expected) > absolute + relative * abs(expected)


def compare(name, what, kind, actual, expected, relative, absolute, equal_nan):
    """Number of elements of buffer `name` that differ; prints the first."""
    if actual == expected:
        return 0
    a, e = values(kind, actual), values(kind, expected)
    wrong = [i for i in range(len(e)) if differs(a[i], e[i], relative, absolute, equal_nan)]
    if wrong:
        i = wrong[0]
        print(f'    {name}, {what}: {len(wrong)} of {len(e)} differ, first [{i}]: device {a[i]}, {what} {e[i]}')
    return len(wrong)


def allocate_buffers(driver, job):
    """The job's buffers on the device, by name."""
    return {b['name']: driver.allocate(b['bytes']) for b in job['buffers']}


def write_initial(driver, job, folder, module, address):
    """Gives buffers and variables the contents that they have before the first launch."""
    for buffer in job['buffers']:
        driver.write(address[buffer['name']], read_file(folder, buffer['initial']))
    for symbol in job['symbols']:
        place, size = ctypes.c_uint64(), ctypes.c_size_t()
        # Strings of assertions and variables that nothing uses have other names there, or none.
        if driver.cuda.cuModuleGetGlobal_v2(ctypes.byref(place), ctypes.byref(size), module,
                                            symbol['name'].encode()) == 0:
            driver.write(place.value, read_file(folder, symbol['initial']))


def launch_with(driver, module, launch, address):
    """Launches with the buffers' addresses among the parameters, and waits for the end."""
    parameters = bytearray(bytes.fromhex(launch['parameters']))
    for reference in launch['references']:
        value = address[reference['buffer']] + reference['byte_offset']
        struct.pack_into('<Q', parameters, reference['offset'], value)
    driver.launch(module, launch, bytes(parameters))


def run_job(driver, folder):
    job = read_job(folder)
    module = driver.load(build(folder, driver.arch))
    address = allocate_buffers(driver, job)
    write_initial(driver, job, folder, module, address)
    for launch in job['launches']:
        launch_with(driver, module, launch, address)

    tolerance = {e['buffer']: e for e in job['expect']}
    wrong = 0
    for buffer in job['buffers']:
        actual = driver.read(address[buffer['name']], buffer['bytes'])
        expect = tolerance.get(buffer['name'])
        if expect is not None:
            wrong += compare(buffer['name'], 'expect', buffer['type'], actual, read_file(folder, expect['file']),
                             expect['rel'], expect['abs'], expect['equal_nan'])
        if expect is None and job['reads_clock']:
            continue
        wrong += compare(buffer['name'], 'simulator', buffer['type'], actual, read_file(folder, buffer['result']),
                         expect['rel'] if expect else job['relative'], expect['abs'] if expect else 0, True)
    for pointer in address.values():
        driver.free(pointer)
    driver.unload(module)
    checked = ', '.join(sorted(tolerance)) or 'nothing expected'
    print(f"{'FAIL' if wrong else 'ok':4}  {job['name']}: {len(job['buffers'])} buffers ({checked})")
    return wrong == 0


def run_apart(folder):
    """Runs a job in a process of its own, so that a kernel that hangs stops only its own. Returns what it
    printed and whether all agreed, None where it was skipped."""
    job = read_job(folder)
    name, status = job['name'], job['status']
    if status == 'check_failed':
        return f'skip  {name}: wrong in the simulator too', None
    hangs = status in ('deadlock', 'livelock')
    command = [sys.executable, os.path.abspath(__file__), '--one', folder]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=SECONDS_TO_HANG if hangs else SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"{'ok' if hangs else 'FAIL':4}  {name}: does not end", hangs
    if hangs:
        return f'FAIL  {name}: {status} in the simulator, but it ended\n{done.stdout}', False
    return done.stdout.rstrip('\n'), done.returncode == 0


def run_one(folder):
    try:
        return run_job(Driver(), folder)
    except (RuntimeError, OSError) as error:
        print(f'FAIL  {folder}: {error}')
        return False


def main():
    if len(sys.argv) == 1:
        sys.exit(__doc__)
    if shutil.which('nvcc') is None:
        skip('no nvcc')
    if sys.argv[1] == '--one':
        sys.exit(0 if run_one(sys.argv[2]) else 1)
    if sys.argv[1] == '--probe':
        driver = Driver()
        print(f'device: {driver.name} ({driver.arch})')
        return
    results = []
    # nvcc takes a second or more a program: as many jobs at a time as there are processors.
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for text, agree in pool.map(run_apart, sys.argv[1:]):
            print(text, flush=True)
            results.append(agree)
    print(f'{results.count(True)} passed, {results.count(False)} failed, {results.count(None)} skipped')
    sys.exit(1 if False in results else 0)


if __name__ == '__main__':
    main()
