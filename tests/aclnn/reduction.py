# SPDX-License-Identifier: Apache-2.0
"""Reductions, beside numpy."""

import sys

import numpy as np

from binding import Scalar, Tensor, start
import cases
from cases import choose, main, operator, random_shape, random_tensor, refused, run

FLOATS = ("f32", "f16", "bf16")
ALL_FLOATS = FLOATS + ("f64",)
INTEGERS = ("i8", "u8", "i16", "i32", "i64")
REALS = ALL_FLOATS + INTEGERS + ("bool",)
COMPLEX = ("c64", "c128")


def some_dims(rng, rank):
    """The arguments of a call, and numpy's axes."""
    count = int(rng.integers(0, rank + 1))
    axes = [int(d) for d in rng.permutation(rank)[:count]]
    given = [d - rank if rng.integers(0, 2) else d for d in axes]
    return given, tuple(axes) if axes else tuple(range(rank))


def input_for(rng, dtype, low=None, high=None):
    shape = list(random_shape(rng))
    if shape and rng.integers(0, 3) == 0:
        shape[int(rng.integers(0, len(shape)))] = int(rng.integers(1, 400))
    if rng.integers(0, 20) == 0:  # in many pieces
        shape = choose(rng, ([200000], [2, 100000], [100000, 3], [300, 7, 100], [70, 40, 50]))
    return random_tensor(rng, tuple(shape), dtype, low, high)


def folded(shape, axes, keep):
    return tuple(1 if d in axes else n for d, n in enumerate(shape) if keep or d not in axes)


def output(rng, shape, dtype):
    """One number goes into a tensor without dims or with one."""
    return cases.output(rng, shape or choose(rng, ((), (1,))), dtype)


def wide(dtype):
    return np.complex128 if dtype in COMPLEX else np.float64 if dtype in ALL_FLOATS else np.int64


@operator("aclnnReduceSum", "aclnnMean")
def sums(rng, name):
    types = ALL_FLOATS + INTEGERS + COMPLEX + (("bool",) if name == "aclnnReduceSum" else ())
    own = choose(rng, types)
    dtype = own if rng.integers(0, 2) else choose(rng, ("f32", "f64", "i64", "c64"))
    if (own in COMPLEX) or (name == "aclnnMean" and own in INTEGERS and dtype in INTEGERS):
        dtype = "c128" if own in COMPLEX else "f32"
    x = input_for(rng, own)
    dims, axes = some_dims(rng, len(x.shape))
    keep = bool(rng.integers(0, 2))
    y = output(rng, folded(x.shape, axes, keep), dtype)
    with np.errstate(all="ignore"):
        values = x.values()
        if dtype in INTEGERS and own not in INTEGERS + ("bool",):
            values = np.trunc(values)
        values = values.astype(np.bool_ if dtype == "bool" else wide(dtype))
    count = max(int(np.prod([x.shape[d] for d in axes])), 1)
    expected = values.any(axes, keepdims=keep) if dtype == "bool" else values.sum(axes, keepdims=keep)
    if name == "aclnnMean":
        expected = expected / count
    run(name, x, dims, keep, dtype if isinstance(dtype, str) else dtype, y, outputs=[y], expected=[expected],
        scale=1.0 if name == "aclnnMean" else 4.0 * count)


@operator("sums that must be precise", cases=0.02)
def precise_sums(rng, _):
    values = rng.uniform(-1, 1, 1000003).astype(np.float32)
    for shape, dims in (((1000003,), []), ((1000003, 1), [0])):
        x, y = Tensor(shape, "f32", values=values.reshape(shape)), Tensor(shape[1:], "f32")
        run("aclnnReduceSum", x, dims, False, "f32", y, outputs=[y],
            expected=[values.astype(np.float64).sum().reshape(y.shape)], tolerance=1e-6, scale=100.0)
    ones = Tensor((1 << 24, ), "f16", values=1.0)
    y = Tensor((), "f32")
    run("aclnnReduceSum", ones, [0], False, "f32", y, outputs=[y], expected=[float(1 << 24)], tolerance=1e-9)
    many = Tensor((20, 100003), "i32", values=rng.integers(0, 1 << 30, (20, 100003)))
    y = Tensor((1, 1), "i64")
    run("aclnnReduceSum", many, [0, 1], True, "i64", y, outputs=[y], expected=[many.values().sum()])


@operator("aclnnProdDim")
def products(rng, name):
    dtype = choose(rng, ALL_FLOATS + INTEGERS + COMPLEX)
    x = random_tensor(rng, random_shape(rng), dtype, -2, 2)
    rank = max(len(x.shape), 1)
    dim = int(rng.integers(-rank, rank))
    keep = bool(rng.integers(0, 2))
    values = x.values().astype(wide(dtype))
    axes = (dim % rank,) if x.shape else ()
    y = output(rng, folded(x.shape, axes, keep), dtype)
    run(name, x, dim, keep, dtype, y, outputs=[y], expected=[values.prod(axes, keepdims=keep)])


@operator("aclnnAmax", "aclnnMax")
def greatest(rng, name):
    dtype = choose(rng, REALS)
    x = input_for(rng, dtype)
    if name == "aclnnMax":
        y = output(rng, (), dtype)
        return run(name, x, y, outputs=[y], expected=[x.values().max()])
    dims, axes = some_dims(rng, len(x.shape))
    keep = bool(rng.integers(0, 2))
    y = output(rng, folded(x.shape, axes, keep), dtype)
    return run(name, x, dims, keep, y, outputs=[y], expected=[x.values().max(axes, keepdims=keep)])


@operator("aclnnAny", "aclnnAll")
def truths(rng, name):
    dtype = choose(rng, REALS)
    x = input_for(rng, dtype, 0, 1)
    if dtype in ALL_FLOATS:
        x.set(np.where(rng.integers(0, 3, x.shape), 0.25, 0.0))
    dims, axes = some_dims(rng, len(x.shape))
    keep = bool(rng.integers(0, 2))
    y = output(rng, folded(x.shape, axes, keep), choose(rng, ("bool", "u8")))
    function = np.any if name == "aclnnAny" else np.all
    run(name, x, dims, keep, y, outputs=[y], expected=[function(x.values() != 0, axes, keepdims=keep)])


@operator("aclnnNorm")
def norms(rng, name):
    dtype = choose(rng, FLOATS)
    x = input_for(rng, dtype)
    power = choose(rng, (2.0, 1.0, 0.0, 3.0, 0.5, np.inf, -np.inf))
    dims, axes = some_dims(rng, len(x.shape))
    keep = bool(rng.integers(0, 2))
    y = output(rng, folded(x.shape, axes, keep), dtype)
    a = np.abs(x.values())
    with np.errstate(all="ignore"):
        expected = (a.max(axes, keepdims=keep) if power == np.inf else a.min(axes, keepdims=keep) if power == -np.inf
                    else (a != 0).sum(axes, keepdims=keep) if power == 0
                    else (a ** power).sum(axes, keepdims=keep) ** (1 / power))
    run(name, x, Scalar(power, "f32"), dims, keep, y, outputs=[y], expected=[expected])


@operator("aclnnVarCorrection", "aclnnStd")
def variances(rng, name):
    dtype = choose(rng, FLOATS)
    x = input_for(rng, dtype)
    dims, axes = some_dims(rng, len(x.shape))
    keep = bool(rng.integers(0, 2))
    y = output(rng, folded(x.shape, axes, keep), dtype)
    correction = int(rng.integers(0, 3))
    values = x.values()
    count = int(np.prod([x.shape[d] for d in axes])) if axes else 1
    with np.errstate(all="ignore"):
        squares = ((values - values.mean(axes, keepdims=True)) ** 2).sum(axes, keepdims=keep)
        expected = squares / np.float64(max(count - correction, 0))
    if count <= correction:  # 0/0, or numbers without an end
        keep_values = x.values()
        if not np.all(keep_values.max(axes) == keep_values.min(axes)) or count == 1:
            squares = np.where(squares > 1e-12, squares, 0)
        with np.errstate(all="ignore"):
            expected = squares / 0.0
    if name == "aclnnStd":
        expected = np.sqrt(expected)
    given = None if len(axes) == len(x.shape) and rng.integers(0, 2) else (dims or list(axes))
    run(name, x, given, correction, keep, y, outputs=[y], expected=[expected], scale=1.0)


@operator("aclnnLogSumExp")
def log_sum_exp(rng, name):
    dtype = choose(rng, FLOATS + INTEGERS + ("bool",))
    x = input_for(rng, dtype)
    dims, axes = some_dims(rng, len(x.shape))
    keep = bool(rng.integers(0, 2))
    y = output(rng, folded(x.shape, axes, keep), dtype if dtype in FLOATS else "f32")
    values = x.values().astype(np.float64)
    top = values.max(axes, keepdims=True)
    expected = np.log(np.exp(values - top).sum(axes, keepdims=True)) + top
    run(name, x, dims, keep, y, outputs=[y], expected=[expected.reshape(y.shape)], scale=4.0)


@operator("aclnnArgMax", "aclnnArgMin", "aclnnMaxDim")
def extremes(rng, name):
    dtype = choose(rng, ALL_FLOATS + INTEGERS + (("bool",) if name == "aclnnMaxDim" else ()))
    x = input_for(rng, dtype)
    if rng.integers(0, 2) and 0 not in x.strides:  # ties: the first wins
        x.set(rng.integers(0, 3, x.shape))
    rank = max(len(x.shape), 1)
    dim = int(rng.integers(-rank, rank))
    keep = bool(rng.integers(0, 2))
    axes = (dim % rank,) if x.shape else ()
    shape = folded(x.shape, axes, keep)
    index = output(rng, shape, choose(rng, ("i32", "i64")))
    values = x.values() if x.shape else x.values()[None]
    where = (np.argmin if name == "aclnnArgMin" else np.argmax)(values, axes[0] if axes else 0)
    if name != "aclnnMaxDim":
        return run(name, x, dim, keep, index, outputs=[index], expected=[where.reshape(shape)])
    best = output(rng, shape, dtype)
    return run(name, x, dim, keep, best, index, outputs=[best, index],
               expected=[values.max(axes[0] if axes else 0).reshape(shape), where.reshape(shape)])


@operator("aclnnCumsum")
def running_sums(rng, name):
    dtype = choose(rng, ALL_FLOATS + INTEGERS + COMPLEX)
    x = random_tensor(rng, random_shape(rng), dtype)
    y = cases.output(rng, x.shape, dtype)
    rank = max(len(x.shape), 1)
    dim = int(rng.integers(-rank, rank))
    values = x.values().astype(wide(dtype))
    expected = np.cumsum(values, dim if x.shape else None).reshape(x.shape)
    run(name, x, dim, dtype, y, outputs=[y], expected=[expected], scale=20.0)


@operator("what is not a number, infinite or empty", cases=0.01)
def special(rng, _):
    nan, inf = np.nan, np.inf
    values = np.array([[1, nan, 3, nan], [-inf, -inf, -inf, -inf], [inf, 1, 2, -inf], [4, 5, 5, 1]])
    x = Tensor(values.shape, "f32", values=values)
    y, index = Tensor((4,), "f32"), Tensor((4,), "i64")
    run("aclnnAmax", x, [1], False, y, outputs=[y], expected=[np.array([nan, -inf, inf, 5])])
    run("aclnnMaxDim", x, 1, False, y, index, outputs=[y, index],
        expected=[np.array([nan, -inf, inf, 5]), np.array([1, 0, 0, 1])])
    run("aclnnArgMin", x, 1, False, index, outputs=[index], expected=[np.array([1, 0, 3, 3])])
    run("aclnnLogSumExp", x, [1], False, y, outputs=[y],
        expected=[np.array([nan, -inf, inf, np.log(np.exp([4., 5, 5, 1]).sum())])])
    one = Tensor((1,), "f32", values=3.0)
    out = Tensor((), "f32")
    run("aclnnStd", one, None, 1, False, out, outputs=[out], expected=[nan])
    empty = Tensor((2, 0), "f32")
    pair = Tensor((2,), "f32")
    run("aclnnReduceSum", empty, [1], False, "f32", pair, outputs=[pair], expected=[np.zeros(2)])
    run("aclnnMean", empty, [1], False, "f32", pair, outputs=[pair], expected=[np.full(2, nan)])
    truth = Tensor((2,), "bool")
    run("aclnnAll", empty, [1], False, truth, outputs=[truth], expected=[np.ones(2, bool)])
    refused(161002, "aclnnAmax", empty, [1], False, pair, text="elements")


@operator("bad input of reductions", cases=0.01)
def bad_input(rng, _):
    x, y = Tensor((2, 3), "f32"), Tensor((2,), "f32")
    refused(161001, "aclnnReduceSum", None, [1], False, "f32", y, text="self")
    refused(161001, "aclnnReduceSum", x, None, False, "f32", y, text="dims")
    refused(161002, "aclnnReduceSum", x, [2], False, "f32", y, text="dims is 2")
    refused(161002, "aclnnReduceSum", x, [1, 1], False, "f32", y, text="twice")
    refused(161002, "aclnnReduceSum", x, [1], True, "f32", y, text="out has the shape [2]")
    refused(161002, "aclnnReduceSum", x, [0, 1], False, "f32", Tensor((1, 1), "f32"), text="expected []")
    refused(161002, "aclnnReduceSum", x, [1], False, "u32", y, text="dtype")
    refused(161002, "aclnnMean", Tensor((2, 3), "bool"), [1], False, "f32", y, text="self has the type BOOL")
    refused(161002, "aclnnAmax", x, [1], False, Tensor((2,), "i32"), text="out has the type")
    refused(161002, "aclnnArgMax", x, 1, False, y, text="out has the type FLOAT")
    refused(161002, "aclnnMaxDim", x, 1, False, y, Tensor((3,), "i64"), text="indices has the shape")
    refused(161002, "aclnnCumsum", x, 1, "f32", y, text="out has the shape")
    refused(161001, "aclnnNorm", x, None, [1], False, y, text="pScalar")


if __name__ == "__main__":
    start()
    sys.exit(main(120))
