# SPDX-License-Identifier: Apache-2.0
"""Random tensors, and comparison of operators' results with a reference."""

import os
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from share import Share, parse_share  # noqa: E402

from binding import COMPLEX, FLOATS, OperatorError, Tensor, call, encode, decode  # noqa: E402

# Relative to the largest number that takes part: one rounding of the type, some of f32 in between.
TOLERANCE = {"f32": 2e-5, "f16": 1.5e-3, "bf16": 1.2e-2, "f64": 1e-10, "c64": 3e-5, "c128": 1e-10, "c32": 3e-3}

_cases = {}
_seen = {"calls": 0, "empty": 0, "empty and accepted": 0, "with views": 0, "outputs": 0, "outputs that are views": 0}


def is_view(tensor):
    """Not what a tensor of this shape is by itself: transposed, with gaps or an offset, or with stride 0."""
    step = 1
    for n, stride in reversed(list(zip(tensor.shape, tensor.strides))):
        if n != 1 and stride != step:
            return True
        step *= n
    return tensor.first != 0


def _tensors(arguments):
    for a in arguments:
        if isinstance(a, Tensor):
            yield a
        elif isinstance(a, (list, tuple)):
            yield from _tensors(a)


def _note(arguments, outputs):
    """How many calls and outputs are views: at least half of both shall be (`main`)."""
    _seen["calls"] += 1
    _seen["with views"] += any(map(is_view, _tensors(arguments)))
    _seen["outputs"] += len(outputs)
    _seen["outputs that are views"] += sum(map(is_view, outputs))


def operator(*names, cases=1.0):
    """Registers a function (rng, name) that tries one random case of each operator. `cases`: how many, in
    relation to others."""

    def register(function):
        for name in names:
            assert name not in _cases, name
            _cases[name] = (function, cases)
        return function

    return register


def random_shape(rng, rank=None, most=9, least=1, max_rank=5):
    rank = rng.integers(0, max_rank + 1) if rank is None else rank
    return tuple(int(n) for n in rng.integers(least, most + 1, rank))


def layout(rng, shape, output=False):
    """Strides and an offset: contiguous in a third of the cases, else permuted, with gaps, reversed order
    of dims, and for inputs now and then with stride 0."""
    rank = len(shape)
    kind = rng.integers(0, 6)
    if rank == 0:
        return None, int(rng.integers(0, 4))
    if kind < 2:
        return None, int(rng.integers(0, 4)) if kind == 1 else 0
    order = list(rng.permutation(rank)) if kind >= 3 else list(range(rank))
    strides, step = [0] * rank, 1
    for d in reversed(order):
        step *= int(rng.integers(1, 3)) if kind in (2, 4, 5) else 1
        strides[d] = step
        step *= max(shape[d], 1)
    if kind == 5 and not output:
        strides[int(rng.integers(0, rank))] = 0
    return strides, int(rng.integers(0, 5))


def random_values(rng, shape, dtype, low=None, high=None):
    """Numbers that the type can hold."""
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype in FLOATS + COMPLEX:
        low, high = (-4.0 if low is None else low), (4.0 if high is None else high)
        values = rng.uniform(low, high, shape)
        if dtype in COMPLEX:
            values = values + 1j * rng.uniform(low, high, shape)
        return values
    unsigned = dtype.startswith("u")
    low = (0 if unsigned else -9) if low is None else int(max(low, 0) if unsigned else low)
    high = 9 if high is None else int(high)
    return rng.integers(low, max(high, low) + 1, shape)


def random_tensor(rng, shape, dtype, low=None, high=None, values=None):
    strides, offset = layout(rng, shape)
    tensor = Tensor(shape, dtype, strides, offset=offset)
    return tensor.set(random_values(rng, shape, dtype, low, high) if values is None else values)


def output(rng, shape, dtype):
    strides, offset = layout(rng, shape, output=True)
    return Tensor(shape, dtype, strides, offset=offset)


def choose(rng, options):
    return options[int(rng.integers(0, len(options)))]


def broadcastable(rng, shape):
    """A shape that broadcasts to `shape`."""
    smaller = [n if rng.integers(0, 3) else 1 for n in shape]
    return tuple(smaller[int(rng.integers(0, len(shape) + 1)) if rng.integers(0, 2) else 0:])


def compare(got, expected, dtype, what, scale=None, tolerance=None):
    """`expected`: numbers of a wide type, not yet rounded to dtype."""
    expected = np.broadcast_to(np.asarray(expected), got.shape)
    if dtype not in FLOATS + COMPLEX:
        wanted = decode(encode(expected, dtype), dtype)
        if not np.array_equal(got, wanted):
            raise AssertionError(f"{what}: got {got.ravel()[:8]}, expected {wanted.ravel()[:8]}")
        return
    rounded = decode(encode(expected, dtype), dtype)
    special = ~np.isfinite(rounded) | ~np.isfinite(got)
    if not np.array_equal(np.asarray(got)[special], rounded[special], equal_nan=True):
        raise AssertionError(f"{what}: infinite or no numbers: got {got[special][:8]}, expected {rounded[special][:8]}")
    plain = ~special
    if not plain.any():
        return
    limit = (tolerance or TOLERANCE[dtype]) * np.maximum(
        np.abs(rounded[plain]), 1.0 if scale is None else scale)
    if dtype == "f16":
        limit = np.maximum(limit, 1e-7)
    off = np.abs(got[plain] - rounded[plain]) > limit
    if off.any():
        i = int(np.argmax(off))
        raise AssertionError(f"{what}: got {got[plain][i]}, expected {rounded[plain][i]} ({int(off.sum())} of "
                             f"{off.size} are off)")


def _emptied(arguments, outputs, change):
    """The same arguments with tensors that `change` gives other shapes. The strides are kept. Returns them and the
    outputs among them."""
    replaced = {}

    def replace(value):
        if isinstance(value, (list, tuple)):
            return type(value)(replace(each) for each in value)
        if type(value) is not Tensor:
            return value
        if id(value) not in replaced:
            shape = change(value)
            fresh = Tensor(shape, value.dtype, value.strides, offset=value.offset)
            if 0 not in shape:
                fresh.set(value.values())
            replaced[id(value)] = fresh
        return replaced[id(value)]

    fresh = [replace(value) for value in arguments]
    return fresh, [replace(tensor) for tensor in outputs]


def try_empty(name, arguments, outputs):
    """Calls the operator again with empty dims: all dims of one size, in one tensor or in all of them. The call
    may be refused, and fail on the device if an index finds nothing. It must come back, and write nothing beside the
    outputs."""
    number = _seen["calls"]
    given = {id(t): t for t in (*_tensors(arguments), *outputs)}
    tensors = [t for t in given.values() if t.shape and type(t) is Tensor]
    if not tensors:
        return
    chosen = tensors[number % len(tensors)]
    size = chosen.shape[number // 2 % len(chosen.shape)]
    everywhere = number % 3 != 0

    def change(tensor):
        if not everywhere and tensor is not chosen:
            return tensor.shape
        return tuple(0 if n == size else n for n in tensor.shape)

    fresh, results = _emptied(arguments, outputs, change)
    for tensor in results:
        tensor.watch()
    shown = ", ".join(f"{a.dtype}{list(a.shape)}{list(a.strides)}" if isinstance(a, Tensor) else str(a) for a in fresh)
    _seen["empty"] += 1
    try:
        call(name, *fresh)
        _seen["empty and accepted"] += 1
    except OperatorError as error:
        assert error.code in (161001, 161002, 507015), f"{name}({shown}): {error}"
    for tensor in results:
        assert tensor.intact(), f"{name}({shown}): bytes beside an output were written"


def run(name, *arguments, outputs, expected, scale=None, tolerance=None):
    """Calls the operator and compares each output with its expected value. Nothing but the elements of
    outputs may have changed."""
    for tensor in outputs:
        tensor.watch()
    _note(arguments, outputs)
    call(name, *arguments)
    shown = ", ".join(f"{a.dtype}{list(a.shape)}{list(a.strides)}" if isinstance(a, Tensor) else str(a)
                      for a in arguments)
    # Only what begins with f64 is computed in it.
    given = [a for a in arguments if isinstance(a, Tensor) and not any(a is o for o in outputs)] or outputs
    in_double = any(t.dtype in ("f64", "c128") for t in given)
    for tensor, wanted in zip(outputs, expected, strict=True):
        limit = tolerance or TOLERANCE.get(tensor.dtype)
        if tolerance is None and limit and not in_double:
            limit = max(limit, TOLERANCE["c64"])
        compare(tensor.values(), wanted, tensor.dtype, f"{name}({shown})", scale, limit)
        assert tensor.intact(), f"{name}({shown}): bytes beside an output were written"
    if _seen["calls"] % 4 == 0:
        try_empty(name, arguments, outputs)


def refused(code, name, *arguments, text=""):
    """The first phase answers this code, with this text in its message."""
    try:
        call(name, *arguments)
    except OperatorError as error:
        assert error.code == code and text in str(error), f"{error}; expected {code} and {text!r}"
        return
    raise AssertionError(f"{name} was accepted; expected {code}")


def main(cases):
    """Tries `cases` random cases of each registered operator, or the share of them that is today's, or several
    times as many."""
    cases *= int(os.environ.get("ACLSIM_TEST_OPERATOR_TIMES", "1"))
    seed = int(os.environ.get("ACLSIM_TEST_SEED", "1"))
    text = os.environ.get("ACLSIM_TEST_SHARE", "")
    share = parse_share(text) if text else Share()
    only = sys.argv[1:]
    total = failed = index = 0
    for name, (function, part) in _cases.items():
        for case in range(max(int(cases * part), 1)):
            index += 1
            if (only and name not in only) or not share.holds(index):
                continue
            total += 1
            rng = np.random.default_rng([seed, sum(map(ord, name)), case])
            try:
                function(rng, name)
            except Exception as error:  # the next operator is tried even if this one fails
                failed += 1
                print(f"FAIL {name} case {case} seed {seed}: {type(error).__name__}: {error}")
                break
    print(f"{total} cases of {len(_cases)} operators, {failed} operators failed (seed {seed}); of {_seen['calls']} "
          f"calls {_seen['with views']} with views, of {_seen['outputs']} outputs "
          f"{_seen['outputs that are views']} views; "
          f"{_seen['empty']} calls repeated with empty dims, {_seen['empty and accepted']} of them accepted")
    few = not only and any(2 * _seen[part] < _seen[whole] for part, whole in (
        ("with views", "calls"), ("outputs that are views", "outputs")))
    if few:
        print("FAIL: fewer than half of the calls or outputs were views")
    return 1 if failed or few else 0
