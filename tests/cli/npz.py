"""Files of samples without NumPy: the arrays of a .npz as lists, by name."""
import ast
import struct
import zipfile


def load(path):
    arrays = {}
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        for name in archive.namelist():
            data = archive.read(name)
            assert data[:8] == b"\x93NUMPY\x01\x00", name
            length, = struct.unpack_from("<H", data, 8)
            assert (10 + length) % 64 == 0, name
            header = ast.literal_eval(data[10:10 + length].decode())
            kind, shape = header["descr"], header["shape"]
            count = shape[0] if shape else 1
            body = data[10 + length:]
            if kind[:2] == "<U":
                width = 4 * int(kind[2:])
                values = [body[i * width:(i + 1) * width].decode("utf-32-le").rstrip("\0")
                          for i in range(count)]
            else:
                values = list(struct.unpack(f"<{count}{ {'<i8': 'q', '<f8': 'd'}[kind] }", body))
            arrays[name.removesuffix(".npy")] = values if shape else values[0]
    return arrays
