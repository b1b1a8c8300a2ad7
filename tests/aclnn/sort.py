# SPDX-License-Identifier: Apache-2.0
"""Sorting, beside numpy's stable sort."""

import ctypes
import sys

import numpy as np

from binding import Tensor, acl, first_phase, opapi, require, start
from cases import choose, main, operator, output, random_shape, random_tensor, refused, run

FLOATS = ("f32", "f16", "bf16")
INTEGERS = ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64")


def input_for(rng, dtype):
    shape = list(random_shape(rng))
    if shape and rng.integers(0, 3) == 0:
        shape[int(rng.integers(0, len(shape)))] = int(rng.integers(1, 500))
    x = random_tensor(rng, tuple(shape), dtype)
    if rng.integers(0, 2) and dtype != "bool" and 0 not in x.strides:
        x.set(rng.integers(0, 4, x.shape))  # ties
    return x


def keys_of(values, descending):
    """Numbers whose ascending stable order is the wanted one: what is not a number is the greatest."""
    ranks = np.unique(values, return_inverse=True)[1].reshape(values.shape)
    return -ranks if descending else ranks


def order_along(values, dim, descending):
    if values.ndim == 0:
        return np.zeros((), np.int64)
    return np.argsort(keys_of(values, descending), dim, kind="stable")


def taken(values, order, dim):
    return np.take_along_axis(values, order, dim) if values.ndim else values


def some_dim(rng, rank):
    return int(rng.integers(-max(rank, 1), max(rank, 1)))


@operator("aclnnArgsort", "aclnnSort")
def sorts(rng, name):
    dtype = choose(rng, FLOATS + INTEGERS + (("bool",) if name == "aclnnSort" else ()))
    x = input_for(rng, dtype)
    dim, descending = some_dim(rng, len(x.shape)), bool(rng.integers(0, 2))
    order = order_along(x.values(), dim, descending)
    index = output(rng, x.shape, "i64")
    if name == "aclnnArgsort":
        return run(name, x, dim, descending, index, outputs=[index], expected=[order])
    values = output(rng, x.shape, dtype)
    return run(name, x, bool(rng.integers(0, 2)), dim, descending, values, index, outputs=[values, index],
               expected=[taken(x.values(), order, dim), order])


@operator("aclnnTopk")
def top(rng, name):
    dtype = choose(rng, FLOATS + INTEGERS + ("f64",))
    x = input_for(rng, dtype)
    dim, largest = some_dim(rng, len(x.shape)), bool(rng.integers(0, 2))
    size = x.shape[dim] if x.shape else 1
    k = int(rng.integers(0 if x.shape else 1, size + 1))
    order = order_along(x.values(), dim, largest)
    shape = list(x.shape)
    if shape:
        order = np.take(order, range(k), dim)
        shape[dim] = k
    values, index = output(rng, shape, dtype), output(rng, shape, "i64")
    run(name, x, k, dim, largest, bool(rng.integers(0, 2)), values, index, outputs=[values, index],
        expected=[taken(x.values(), order, dim), order])


opapi.aclGetViewShape.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.POINTER(ctypes.c_int64)),
                                  ctypes.POINTER(ctypes.c_uint64)]


def view_shape(handle):
    dims, count = ctypes.POINTER(ctypes.c_int64)(), ctypes.c_uint64()
    require(opapi.aclGetViewShape(handle, ctypes.byref(dims), ctypes.byref(count)), "aclGetViewShape")
    return tuple(dims[i] for i in range(count.value))


@operator("aclnnUnique2")
def unique(rng, name):
    """The sizes of outputs become known when the operator has run."""
    dtype = choose(rng, FLOATS + INTEGERS + ("f64", "bool"))
    x = input_for(rng, dtype)
    wanted = x.values()
    expected, inverse, counts = np.unique(wanted, return_inverse=True, return_counts=True)
    with_inverse, with_counts = bool(rng.integers(0, 2)), bool(rng.integers(0, 2))
    out = Tensor((wanted.size,), dtype)
    places = output(rng, x.shape, "i64") if with_inverse else choose(rng, (None, Tensor((1,), "i64")))
    numbers = Tensor((wanted.size,), "i64") if with_counts else choose(rng, (None, Tensor((1,), "i64")))
    for tensor in (out, places, numbers):
        if tensor:
            tensor.watch()
    executor, arguments = first_phase(name, x, True, with_inverse, with_counts, out, places, numbers)
    require(getattr(opapi, name)(None, ctypes.c_uint64(0), executor, None), name)
    require(acl.aclrtSynchronizeStream(None), name)
    handles = [int(p.value or 0) for p in arguments.passed[4:] if hasattr(p, "value")]
    assert view_shape(handles[0]) == expected.shape, (view_shape(handles[0]), expected.shape)
    np.testing.assert_array_equal(out.values()[:expected.size], expected)
    if with_inverse:
        np.testing.assert_array_equal(places.values(), inverse.reshape(x.shape))
    if with_counts:
        assert view_shape(handles[2]) == expected.shape
        np.testing.assert_array_equal(numbers.values()[:expected.size], counts)
    arguments.destroy()
    for tensor in (out, places, numbers):
        assert tensor is None or tensor.intact(), "bytes beside an output were written"


@operator("sorting what is not a number, infinite or empty", cases=0.01)
def special(rng, _):
    nan, inf = np.nan, np.inf
    for dtype in FLOATS:
        x = Tensor((6,), dtype, values=np.array([nan, 1, -inf, -0.0, 0.0, inf]))
        index = Tensor((6,), "i64")
        run("aclnnArgsort", x, 0, False, index, outputs=[index], expected=[np.array([2, 3, 4, 1, 5, 0])])
        run("aclnnArgsort", x, 0, True, index, outputs=[index], expected=[np.array([0, 5, 1, 3, 4, 2])])
    empty, nothing = Tensor((2, 0), "f32"), Tensor((2, 0), "i64")
    run("aclnnArgsort", empty, 1, False, nothing, outputs=[nothing], expected=[np.zeros((2, 0))])
    large = rng.uniform(-1e6, 1e6, 200000).astype(np.float32)
    x, values, index = Tensor((200000,), "f32", values=large), Tensor((200000,), "f32"), Tensor((200000,), "i64")
    ties = Tensor((3000,), "f32", values=np.where(rng.integers(0, 9, 3000), rng.integers(-3, 4, 3000), nan))
    place = Tensor((3000,), "i64")
    for descending in (False, True):
        run("aclnnArgsort", ties, 0, descending, place, outputs=[place],
            expected=[order_along(ties.values(), 0, descending)])
    order = np.argsort(large, kind="stable")
    run("aclnnSort", x, True, 0, False, values, index, outputs=[values, index], expected=[large[order], order])


@operator("bad input of sorting", cases=0.01)
def bad_input(rng, _):
    x, index, values = Tensor((2, 3), "f32"), Tensor((2, 3), "i64"), Tensor((2, 3), "f32")
    refused(161001, "aclnnArgsort", None, 0, False, index, text="self")
    refused(161002, "aclnnArgsort", Tensor((2, 3), "f64"), 0, False, index, text="self has the type DOUBLE")
    refused(161002, "aclnnArgsort", x, 2, False, index, text="dim is 2")
    refused(161002, "aclnnArgsort", x, 0, False, Tensor((2, 3), "i32"), text="out has the type INT32")
    refused(161002, "aclnnSort", x, True, 0, False, Tensor((2, 3), "f16"), index, text="valuesOut has the type")
    refused(161002, "aclnnTopk", x, 4, 1, True, True, values, index, text="k is 4")
    refused(161002, "aclnnTopk", x, 2, 1, True, True, values, index, text="indicesOut has the shape [2, 3]")
    refused(161002, "aclnnUnique2", x, True, True, False, Tensor((6,), "f32"), None, None, text="inverseOut is null")
    refused(161002, "aclnnUnique2", x, True, False, False, Tensor((5,), "f32"), None, None, text="at least 6")


if __name__ == "__main__":
    start()
    sys.exit(main(120))
