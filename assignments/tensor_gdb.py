"""Shows views as arrays in gdb: `print E` gives the shape and the rows. `make debug` loads this file."""

import gdb

ROWS, COLUMNS, SLICES = 10, 10, 3  # shown at most, as in print.h


def number(value):
    return f"{float(value):11.5g}" if value.type.strip_typedefs().code == gdb.TYPE_CODE_FLT else f"{int(value):5d}"


def rows(name, data, shape):
    """The lines of an array of this shape; large ones are cut."""
    if len(shape) == 1:
        more = "  .." if shape[0] > COLUMNS else ""
        return ["  " + "".join(number(data[k]) for k in range(min(shape[0], COLUMNS))) + more]
    size, lines = 1, []
    for length in shape[1:]:
        size *= length
    most = ROWS if len(shape) == 2 else SLICES
    for k in range(min(shape[0], most)):
        if len(shape) > 2:
            lines.append(f"{name}[{k}]")
        lines += rows(f"{name}[{k}]", data + k * size, shape[1:])
    return lines + (["  .."] if shape[0] > most else [])


class View:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        data, rank = self.value["data_"], int(self.value.type.strip_typedefs().template_argument(1))
        shape = [int(self.value["shape_"][axis]) for axis in range(rank)]
        if int(data) == 0:
            return "a view of nothing"
        if any(length < 0 or length > 1 << 24 for length in shape):
            return "a view that is not set yet"
        return "\n".join([str(shape)] + rows("", data, shape))


def printer_of(value):
    if value.type.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        value = value.referenced_value()
    name = str(value.type.strip_typedefs().unqualified())
    return View(value) if name.startswith("attn::TensorView<") else None


gdb.pretty_printers.append(printer_of)
gdb.execute("set print frame-arguments none")  # no arrays in the lines that say where the program is
