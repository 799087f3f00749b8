#!/usr/bin/env python3
"""Runs exported jobs on a real CUDA device and compares the results.

    run_on_device.py JOB_FOLDER...
    run_on_device.py --probe          only says whether there is a device

A job folder is what `export_job` writes: job.json, the kernel's source, the initial contents of every
buffer, the simulator's results and the expected values. Every kernel is built with nvcc for the device,
launched through the CUDA driver (libcuda, loaded at run time), and its buffers are compared

    * with the launch file's `expect`, with that entry's tolerance (numpy's allclose rule), and
    * with the simulator: bit for bit, or with the tolerance of `expect` where one is given.

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

SKIPPED = 77
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

    def allocate(self, data):
        pointer = ctypes.c_uint64()
        self.call('cuMemAlloc_v2', ctypes.byref(pointer), ctypes.c_size_t(max(len(data), 1)))
        self.write(pointer.value, data)
        return pointer.value

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

    def launch(self, module, launch, parameters):
        function = ctypes.c_void_p()
        self.call('cuModuleGetFunction', ctypes.byref(function), module, launch['kernel'].encode())
        shared = launch['dynamic_shared_bytes']
        if shared > 48 * 1024:
            self.call('cuFuncSetAttribute', function, 8, shared)
        size = ctypes.c_size_t(len(parameters))
        buffer = ctypes.create_string_buffer(parameters, max(len(parameters), 1))
        extra = (ctypes.c_void_p * 5)(1, ctypes.cast(buffer, ctypes.c_void_p), 2,
                                      ctypes.cast(ctypes.byref(size), ctypes.c_void_p), 0)
        self.call('cuLaunchKernel', function, *launch['grid'], *launch['block'], shared, None, None, extra)
        self.call('cuCtxSynchronize')


def build(folder, job, arch):
    """nvcc -cubin of the job's program, as bytes."""
    with tempfile.TemporaryDirectory() as scratch:
        cubin = os.path.join(scratch, 'kernel.cubin')
        command = ['nvcc', '-cubin', '-O3', '-arch=' + arch, '-o', cubin]
        command += ['-D' + d for d in job['define']]
        command += ['-I' + os.path.join(folder, i) for i in job['include']]
        command.append(os.path.join(folder, job['program']))
        subprocess.run(command, check=True)
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


def compare(what, kind, actual, expected, relative, absolute, equal_nan):
    """Number of elements that differ; prints the first."""
    if actual == expected:
        return 0
    a, e = values(kind, actual), values(kind, expected)
    wrong = [i for i in range(len(e)) if differs(a[i], e[i], relative, absolute, equal_nan)]
    if wrong:
        i = wrong[0]
        print(f'    {what}: {len(wrong)} of {len(e)} differ, first [{i}]: device {a[i]}, {what} {e[i]}')
    return len(wrong)


def run_job(driver, folder):
    with open(os.path.join(folder, 'job.json'), encoding='utf-8') as file:
        job = json.load(file)
    module = driver.load(build(folder, job, driver.arch))
    address = {b['name']: driver.allocate(read_file(folder, b['initial'])) for b in job['buffers']}
    for symbol in job['symbols']:
        place, size = ctypes.c_uint64(), ctypes.c_size_t()
        # Strings of assertions and variables that nothing uses have other names there, or none.
        if driver.cuda.cuModuleGetGlobal_v2(ctypes.byref(place), ctypes.byref(size), module,
                                            symbol['name'].encode()) == 0:
            driver.write(place.value, read_file(folder, symbol['initial']))
    for launch in job['launches']:
        parameters = bytearray(bytes.fromhex(launch['parameters']))
        for reference in launch['references']:
            value = address[reference['buffer']] + reference['byte_offset']
            struct.pack_into('<Q', parameters, reference['offset'], value)
        driver.launch(module, launch, bytes(parameters))

    tolerance = {e['buffer']: e for e in job['expect']}
    wrong = 0
    for buffer in job['buffers']:
        actual = driver.read(address[buffer['name']], buffer['bytes'])
        expect = tolerance.get(buffer['name'])
        if expect is not None:
            wrong += compare('expect', buffer['type'], actual, read_file(folder, expect['file']),
                             expect['rel'], expect['abs'], expect['equal_nan'])
        wrong += compare('simulator', buffer['type'], actual, read_file(folder, buffer['result']),
                         expect['rel'] if expect else 0, expect['abs'] if expect else 0, True)
    for pointer in address.values():
        driver.call('cuMemFree_v2', ctypes.c_uint64(pointer))
    driver.call('cuModuleUnload', module)
    checked = ', '.join(sorted(tolerance)) or 'nothing expected'
    print(f"{'FAIL' if wrong else 'ok':4}  {job['name']}: {len(job['buffers'])} buffers ({checked})")
    return wrong == 0


def main():
    folders = [f for f in sys.argv[1:] if f != '--probe']
    if len(sys.argv) == 1:
        sys.exit(__doc__)
    if shutil.which('nvcc') is None:
        skip('no nvcc')
    driver = Driver()
    print(f'device: {driver.name} ({driver.arch})')
    if not folders:
        return
    results = []
    for folder in folders:
        try:
            results.append(run_job(driver, folder))
        except (RuntimeError, subprocess.CalledProcessError) as error:
            print(f'FAIL  {folder}: {error}')
            results.append(False)
    print(f'{results.count(True)} passed, {results.count(False)} failed')
    sys.exit(0 if all(results) else 1)


if __name__ == '__main__':
    main()
