"""The functions of the course for Python: numpy arrays in, numpy arrays out.

    import numpy as np, attention_lab as lab
    Y = lab.softmax(np.array([[1, 2, 3]]))                    # the reference, computed in double
    Y = lab.softmax(np.array([[1, 2, 3]]), impl="student")    # your function, in student/
    Y, A = lab.scaled_dot_product_attention(Q, K, V)          # several outputs: a named tuple
    lab.functions()                                           # all names; help(lab.softmax) shows one

Inputs come in the order of the contract, or by name; optional ones may be left out. Options have names: H=4, norm="post".
Arrays are converted to the contract's types: float32, masks uint8, lengths int32. More arguments of every function: impl
("reference", "plain", "fast" or "student") and submission (a folder). The module asks the built grader, which the
environment variable ATTENTION_LAB_GRADER may name.
"""

import collections
import functools
import inspect
import json
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError as error:
    raise ImportError("attention_lab needs numpy: sudo apt install python3-numpy") from error

_ROOT = pathlib.Path(__file__).absolute().parent.parent


class Refused(ValueError):
    """The call has no answer: the message says what is wrong with its arguments, or with the student's function."""


def functions():
    """The names of all functions."""
    return sorted(_contract())


def __getattr__(name):
    if name.startswith("_") or name not in _contract():
        raise AttributeError(f"attention_lab has no function {name!r}; it has {', '.join(_contract())}"
                             if not name.startswith("_") else name)
    return _function(name)


def __dir__():
    return [*globals(), *functions()]


def _grader():
    named = os.environ.get("ATTENTION_LAB_GRADER")
    places = [pathlib.Path(named)] if named else [_ROOT / "grader/grader", _ROOT / "build/grader/grader"]
    for place in places:
        if place.is_file():
            return place
    raise FileNotFoundError(f"there is no grader at {' or '.join(map(str, places))}; type make grade first")


def _ask(*words):
    """What the grader prints. Its notes, and what a student's function prints, go to standard error."""
    run = subprocess.run([_grader(), *words], cwd=_ROOT, capture_output=True, text=True)
    for line in run.stdout.splitlines():
        if line.startswith("| "):
            print(line, file=sys.stderr)
    if run.returncode:
        raise (Refused if run.returncode in (1, 2) else RuntimeError)(run.stderr.strip())
    if run.stderr:
        print(run.stderr, end="", file=sys.stderr)
    return run.stdout


@functools.cache
def _contract():
    return {each["name"]: each for each in json.loads(_ask("list", "--json"))["functions"]}


def _converted(name, value, dtype):
    given = np.asarray(value)
    array = np.ascontiguousarray(given, dtype=dtype).reshape(given.shape)
    if np.issubdtype(array.dtype, np.integer) and not np.array_equal(array, given):
        raise Refused(f"{name} must hold whole numbers that fit {dtype}")
    return array


@functools.cache
def _function(name):
    described = _contract()[name]
    inputs, options, outputs = (described[each] for each in ("inputs", "options", "outputs"))
    result = collections.namedtuple(name, [each["name"] for each in outputs])

    def parameter(word, kind, default=inspect.Parameter.empty):
        return inspect.Parameter(word, kind, default=default)

    order, by_name = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    required = [parameter(each["name"], order) for each in inputs if not each["optional"]]
    may_be_absent = [parameter(each["name"], order, None) for each in inputs if each["optional"]]
    chosen = [parameter(each["name"], by_name, inspect.Parameter.empty if each["default"] is None else each["default"])
              for each in options]
    more = [parameter("impl", by_name, "reference"), parameter("submission", by_name, None)]
    signature = inspect.Signature([*required, *may_be_absent, *chosen, *more])

    def call(*args, **kwargs):
        given = signature.bind(*args, **kwargs)
        given.apply_defaults()
        values = given.arguments
        submission = pathlib.Path(values["submission"] or _ROOT / "student").resolve()
        words = ["run", name, "--impl", str(values["impl"]), "--submission", str(submission)]
        with tempfile.TemporaryDirectory() as folder:
            for each in inputs:
                if values[each["name"]] is None:
                    continue
                file = os.path.join(folder, each["name"] + ".npy")
                np.save(file, _converted(each["name"], values[each["name"]], each["type"]))
                words += ["--in", f"{each['name']}={file}"]
            for each in options:
                words += ["--set", f"{each['name']}={values[each['name']]}"]
            files = {each["name"]: os.path.join(folder, f"out_{each['name']}.npy") for each in outputs}
            for output, file in files.items():
                words += ["--out", f"{output}={file}"]
            _ask(*words)
            arrays = [np.load(file) for file in files.values()]
        return arrays[0] if len(arrays) == 1 else result(*arrays)

    call.__name__ = call.__qualname__ = name
    call.__signature__ = signature
    call.__doc__ = described["signature"]
    return call
