"""The few functions of numpy that the handouts use, so that their blocks run in a test without numpy."""

import struct

float32, uint8, int32 = ("<f4", "f"), ("|u1", "B"), ("<i4", "i")


def shape_of(rows):
    return (len(rows), *shape_of(rows[0])) if isinstance(rows, (list, tuple)) else ()


def flat(rows):
    return [x for row in rows for x in flat(row)] if isinstance(rows, (list, tuple)) else [rows]


class Array:
    def __init__(self, rows, dtype):
        self.rows, self.dtype = rows, dtype


def array(rows, dtype=float32):
    return Array(rows.rows if isinstance(rows, Array) else rows, dtype)


def zeros(shape):
    return Array([[0] * shape[1] for _ in range(shape[0])], float32)


def eye(n):
    return Array([[1 if i == j else 0 for j in range(n)] for i in range(n)], float32)


def save(name, values):
    kind, letter = values.dtype
    shape, numbers = shape_of(values.rows), flat(values.rows)
    text = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (kind, shape)
    text += " " * (-(len(text) + 11) % 64) + "\n"
    with open(name, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode())
        file.write(struct.pack("<%d%s" % (len(numbers), letter), *numbers))
