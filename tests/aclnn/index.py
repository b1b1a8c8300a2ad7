# SPDX-License-Identifier: Apache-2.0
"""Operators whose elements are chosen by indices or masks."""

import ctypes
import sys

import numpy as np

from binding import FLOATS, Scalar, Tensor, TYPES, acl, call, decode, encode, first_phase, opapi, require, start
from cases import (broadcastable, choose, compare, main, operator, output, random_shape, random_tensor, random_values,
                   refused, run)

SELECTED = tuple(t for t in TYPES if t != "c32")
SCATTERED = ("f32", "f16", "bf16", "f64", "i8", "u8", "i16", "i32", "i64", "bool", "c64", "c128")
REALS = SCATTERED[:-2]
INDEXES = ("i32", "i64")


def dim_of(rng, rank):
    """A dim, and how it is given: from the front or the end."""
    dim = int(rng.integers(0, max(rank, 1)))
    return dim, dim - max(rank, 1) if rng.integers(0, 2) else dim


def indices(rng, shape, size):
    return random_tensor(rng, shape, choose(rng, INDEXES), low=0, high=size - 1)


def self_shape(rng):
    """Now and then one that is worth several pieces, with a long dim before or behind."""
    return choose(rng, [(300, 70, 4), (5, 4000), (4000, 5), (70, 1000)]) if rng.integers(0, 8) == 0 else random_shape(rng)


def changing(rng, shape, dtype):
    """A tensor that is written in place."""
    return output(rng, shape, dtype).set(random_values(rng, shape, dtype))


@operator("aclnnGatherV2", "aclnnIndexSelect", cases=2)
def gather_slices(rng, name):
    dtype, shape = choose(rng, SELECTED), self_shape(rng)
    x = random_tensor(rng, shape, dtype)
    dim, given = dim_of(rng, len(shape))
    rank = int(rng.integers(0, 4 if name == "aclnnGatherV2" and len(shape) < 5 else 2))
    many = rank == 1 and rng.integers(0, 4) == 0
    index = indices(rng, (int(rng.integers(50, 3000)),) if many and len(shape) < 3 else random_shape(rng, rank=rank, most=5),
                    shape[dim] if shape else 1)
    chosen = index.values()
    if name == "aclnnIndexSelect" and not shape:
        index, chosen = indices(rng, (1,), 1), np.array(0)
    elif name == "aclnnIndexSelect":
        chosen = chosen.reshape(-1)
    expected = np.take(x.values(), chosen, dim) if shape else np.full(chosen.shape, x.values())
    y = output(rng, expected.shape, dtype)
    run(name, x, given, index, y, outputs=[y], expected=[expected], tolerance=0)


@operator("aclnnEmbedding")
def embedding(rng, name):
    dtype = choose(rng, SCATTERED)
    weight = random_tensor(rng, random_shape(rng, rank=2, most=60), dtype)
    index = indices(rng, random_shape(rng, max_rank=3), weight.shape[0])
    y = output(rng, index.shape + weight.shape[1:], dtype)
    run(name, weight, index, y, outputs=[y], expected=[weight.values()[index.values()]], tolerance=0)


@operator("aclnnInplaceIndexCopy", cases=2)
def index_copy(rng, name):
    dtype, shape = choose(rng, SELECTED), self_shape(rng)
    x = changing(rng, shape, dtype)
    dim, given = dim_of(rng, len(shape))
    size = shape[dim] if shape else 1
    places = rng.permutation(size)[:int(rng.integers(0, size + 1))]  # each once: their order is not defined
    index = random_tensor(rng, places.shape, choose(rng, INDEXES), values=places)
    if len(index.strides) and index.strides[0] == 0 and len(places) > 1:
        index = Tensor(places.shape, "i64", values=places)
    if not shape:
        index = indices(rng, choose(rng, [(), (1,)]), 1)
    part = list(shape)
    if shape:
        part[dim] = len(places)
    source = random_tensor(rng, part, dtype)
    expected = x.values()
    if shape:
        expected[(slice(None),) * dim + (places,)] = source.values()
    else:
        expected = source.values()
    run(name, x, given, index, source, outputs=[x], expected=[expected], tolerance=0)


@operator("aclnnInplaceIndexFillTensor")
def index_fill(rng, name):
    dtype, shape = choose(rng, ["f32", "f16", "bf16", "i32", "i64", "bool"]), random_shape(rng)
    x = changing(rng, shape, dtype)
    dim, given = dim_of(rng, len(shape))
    size = shape[dim] if shape else 1
    index = [int(i) for i in rng.integers(-size, size, int(rng.integers(0, 6)))]
    value = Scalar(int(rng.integers(0, 5)), "f32")
    expected = x.values().reshape(shape or (1,))
    expected[(slice(None),) * dim + (index,)] = value.value()
    run(name, x, given, index, value, outputs=[x], expected=[expected.reshape(shape)], tolerance=0)


@operator("aclnnGather", cases=2)
def gather(rng, name):
    dtype, shape = choose(rng, REALS + ("u16", "u32", "u64")), self_shape(rng)
    x = random_tensor(rng, shape, dtype)
    dim, given = dim_of(rng, len(shape))
    part = [int(rng.integers(1, n + 1)) for n in shape]
    size = shape[dim] if shape else 1
    if shape:
        part[dim] = int(rng.integers(1, 12))
    index = random_tensor(rng, part, choose(rng, INDEXES), low=-size, high=size - 1)
    source = x.values()[tuple(slice(n) if d != dim else slice(None) for d, n in enumerate(part))]
    expected = np.take_along_axis(source, index.values(), dim) if shape else source
    y = output(rng, part, dtype)
    run(name, x, given, index, y, outputs=[y], expected=[expected], tolerance=0)


def scattered(values, dim, index, source, reduce, dtype):
    """The result of a loop over the index: the last value stays, or all are combined."""
    result = values.reshape(values.shape or (1,)).astype(np.int64 if dtype == "bool" else values.dtype)
    index, source = index.reshape(index.shape or (1,)), source.reshape(source.shape or (1,))
    for place in np.ndindex(*index.shape):
        to = place[:dim] + (int(index[place]),) + place[dim + 1:]
        if reduce == 0:
            result[to] = source[place]
        elif reduce == 1:
            result[to] += source[place]
        else:
            result[to] *= source[place]
    return result.reshape(values.shape)


def scatter_parts(rng, dtype, reduce):
    big = rng.integers(0, 12) == 0
    shape = choose(rng, [(200, 40), (40, 200)]) if big else random_shape(rng, max_rank=4, most=6)
    x = random_tensor(rng, shape, dtype)
    dim, given = dim_of(rng, len(shape))
    part = [int(rng.integers(1, n + 1)) for n in shape]
    size = shape[dim] if shape else 1
    if reduce == 0 and shape:  # each place once: of several any may stay
        part[dim] = int(rng.integers(1, size + 1))
        order = np.argsort(rng.random([size if d == dim else n for d, n in enumerate(part)]), dim)
        places = np.take(order, np.arange(part[dim]), dim)
        index = Tensor(part, choose(rng, INDEXES), values=places)
    else:
        if shape:
            part[dim] = int(rng.integers(1, 6))
        index = indices(rng, part, size)
    return x, dim, given, index, part


def out_for(rng, x):
    """An output, or the input itself if it has all of its elements."""
    if rng.integers(0, 3) == 0 and all(x.strides):
        return x
    return output(rng, x.shape, x.dtype)


def scale_of(dtype, expected):
    return float(np.max(np.abs(expected), initial=1)) if dtype in FLOATS + ("c64", "c128") else None


@operator("aclnnScatter", "aclnnScatterAdd")
def scatter(rng, name):
    dtype = choose(rng, SCATTERED)
    reduce = 1 if name == "aclnnScatterAdd" else int(rng.integers(0, 3))
    x, dim, given, index, part = scatter_parts(rng, dtype, reduce)
    source = random_tensor(rng, [n + int(rng.integers(0, 2)) for n in part], dtype)
    expected = scattered(x.values(), dim, index.values(), source.values(), reduce, dtype)
    y = out_for(rng, x)
    arguments = [x, given, index, source] + ([reduce] if name == "aclnnScatter" else []) + [y]
    run(name, *arguments, outputs=[y], expected=[expected], scale=scale_of(dtype, expected))


@operator("aclnnScatterValue")
def scatter_value(rng, name):
    dtype, reduce = choose(rng, SCATTERED), int(rng.integers(0, 3))
    x, dim, given, index, part = scatter_parts(rng, dtype, reduce)
    value = Scalar(int(rng.integers(0, 4)), "f32")
    number = value.value() != 0 if dtype == "bool" else value.value()
    expected = scattered(x.values(), dim, index.values(), np.full(part, number), reduce, dtype) \
        if dtype in FLOATS + ("c64", "c128") else \
        scattered(x.values(), dim, index.values(), np.full(part, int(number)), reduce, dtype)
    y = out_for(rng, x)
    run(name, x, given, index, value, reduce, y, outputs=[y], expected=[expected], scale=scale_of(dtype, expected))


@operator("aclnnIndexAdd")
def index_add(rng, name):
    dtype, shape = choose(rng, REALS), random_shape(rng, max_rank=4)
    x = random_tensor(rng, shape, dtype)
    dim, given = dim_of(rng, len(shape))
    count = int(rng.integers(0, 7)) if shape else 1
    index = indices(rng, (count,), shape[dim] if shape else 1)
    source = random_tensor(rng, [count if d == dim else n for d, n in enumerate(shape)], dtype)
    alpha = Scalar(1 if dtype == "bool" else int(rng.integers(-2, 3)), "f32")
    expected = x.values().astype(np.float64 if dtype in FLOATS else np.int64)
    factor = alpha.value() if dtype in FLOATS else int(alpha.value())
    added = source.values().astype(expected.dtype) * factor
    view = expected.reshape(shape or (1,))
    np.add.at(view, (slice(None),) * dim + (index.values(),), added.reshape(added.shape or (1,)))
    y = out_for(rng, x)
    run(name, x, given, index, source, alpha, y, outputs=[y], expected=[view.reshape(shape)],
        scale=scale_of(dtype, expected))


def index_list(rng, shape, masks, repeated=True):
    """Tensors for some dims, and the matching arguments for numpy."""
    common = random_shape(rng, max_rank=2, most=4)
    tensors, keys, dim = [], [], 0
    while dim < len(shape) and (rng.integers(0, 4) or not any(tensors)):
        kind = rng.integers(0, 4)
        if kind == 0 and dim + 1 < len(shape):
            tensors.append(None)
            keys.append(slice(None))
            dim += 1
        elif kind == 1 and masks and not any(t is not None and t.dtype in ("bool", "u8") for t in tensors):
            rank = int(rng.integers(1, len(shape) - dim + 1))
            set_ = rng.integers(0, 2, shape[dim:dim + rank])
            others = [t for t in tensors if t is not None]
            if others:  # what fits beside numbers
                continue
            common = (int(np.count_nonzero(set_)),)
            mask = random_tensor(rng, set_.shape, choose(rng, masks), values=set_)
            tensors.append(mask)
            keys.append(mask.values() != 0)
            common = (int(np.count_nonzero(keys[-1])),)
            dim += rank
        else:
            own = common if rng.integers(0, 2) else broadcastable(rng, common)
            tensors.append(random_tensor(rng, own, choose(rng, INDEXES), low=-shape[dim], high=shape[dim] - 1))
            keys.append(tensors[-1].values())
            dim += 1
    return tensors, tuple(keys)


def indexed_shape(rng):
    return choose(rng, [(60, 50, 40), (2000, 30)]) if rng.integers(0, 12) == 0 else random_shape(rng, rank=int(rng.integers(1, 5)), most=6)


@operator("aclnnIndex", cases=3)
def index_of(rng, name):
    dtype, shape = choose(rng, tuple(TYPES)), indexed_shape(rng)
    x = random_tensor(rng, shape, dtype)
    tensors, keys = index_list(rng, shape, ("bool", "u8"))
    expected = x.values()[keys]
    y = output(rng, expected.shape, dtype)
    run(name, x, tensors, y, outputs=[y], expected=[expected], tolerance=0)


@operator("aclnnIndexPutImpl", cases=3)
def index_put(rng, name):
    dtype, shape = choose(rng, REALS), indexed_shape(rng)
    x = changing(rng, shape, dtype)
    tensors, keys = index_list(rng, shape, ("bool",))
    accumulate = bool(rng.integers(0, 2))
    expected = x.values().astype(np.int64 if dtype == "bool" else x.values().dtype)
    part = expected[keys].shape
    values = random_tensor(rng, broadcastable(rng, part), dtype)
    if accumulate:
        np.add.at(expected, keys, np.broadcast_to(values.values(), part))
    else:
        values = random_tensor(rng, (), dtype)  # the same for all, as of several any may stay
        expected[keys] = values.values()
    run(name, x, tensors, values, accumulate, False, outputs=[x], expected=[expected], scale=scale_of(dtype, expected))


@operator("aclnnIndexPutImpl in other places", cases=1)
def index_put_once(rng, name):
    """Values that differ, for places that do."""
    dtype, n = choose(rng, REALS), int(rng.integers(1, 60))
    x = changing(rng, (n, 7, n), dtype)
    first, last = rng.permutation(n), rng.permutation(n)
    values = random_tensor(rng, (n, 7), dtype)
    expected = x.values()
    expected[first, :, last] = values.values()
    index = [Tensor((n,), "i64", values=first), None, Tensor((n,), "i32", values=last)]
    run("aclnnIndexPutImpl", x, index, values, False, False, outputs=[x], expected=[expected], tolerance=0)


MASK_FILLED = ("f32", "f16", "bf16", "i8", "i32", "i64", "bool")


@operator("aclnnInplaceMaskedFillScalar", "aclnnInplaceMaskedFillTensor")
def masked_fill(rng, name):
    dtype, shape = choose(rng, MASK_FILLED), self_shape(rng)
    x = changing(rng, shape, dtype)
    mask = random_tensor(rng, broadcastable(rng, shape), choose(rng, ["bool", "u8"]), low=0, high=1)
    number = int(rng.integers(0, 5))
    value = Scalar(number, "f32") if "Scalar" in name else random_tensor(rng, choose(rng, [(), (1,)]), dtype)
    given = value.value() if "Scalar" in name else value.values().reshape(())
    expected = np.where(mask.values() != 0, given, x.values())
    run(name, x, mask, value, outputs=[x], expected=[expected], tolerance=0)


def run_of_unknown_size(name, *arguments, out):
    """The numbers in the shape that the output has after the stream was synchronised."""
    out.watch()
    executor, given = first_phase(name, *arguments, out)
    require(getattr(opapi, name)(None, ctypes.c_uint64(0), executor, None), name)
    require(acl.aclrtSynchronizeStream(None), name)
    dims, rank = ctypes.POINTER(ctypes.c_int64)(), ctypes.c_uint64()
    require(opapi.aclGetViewShape(given.passed[-1], ctypes.byref(dims), ctypes.byref(rank)), "aclGetViewShape")
    shape = tuple(dims[i] for i in range(rank.value))
    given.destroy()
    assert out.intact(), f"{name}: bytes beside the output were written"
    count = int(np.prod(shape))
    return decode(out.array.reshape(-1)[:count].reshape(shape).copy(), out.dtype)


@operator("aclnnMaskedSelect")
def masked_select(rng, name):
    dtype, shape = choose(rng, REALS), self_shape(rng)
    x = random_tensor(rng, broadcastable(rng, shape), dtype)
    mask = random_tensor(rng, shape, choose(rng, ["bool", "u8"]), low=0, high=1)
    expected = np.broadcast_to(x.values(), shape)[mask.values() != 0]
    out = Tensor((int(np.prod(shape)),), dtype)
    got = run_of_unknown_size(name, x, mask, out=out)
    assert got.shape == expected.shape, f"{got.shape}, expected {expected.shape}"
    compare(got, expected, dtype, name, tolerance=0)


@operator("aclnnNonzeroV2")
def nonzero(rng, name):
    dtype, shape = choose(rng, REALS + ("u16", "u32", "u64")), self_shape(rng)
    x = random_tensor(rng, shape, dtype, low=0, high=2)
    values = x.values()
    x.set(np.where(rng.integers(0, 2, shape), values, 0))
    if dtype in FLOATS and shape and rng.integers(0, 2):
        x.array.flat[0] = encode(np.nan, dtype)
    expected = np.array(np.nonzero(x.values())) if shape else np.zeros((0, int(x.values() != 0)))
    got = run_of_unknown_size(name, x, out=Tensor((len(shape), int(np.prod(shape))), "i64"))
    assert got.shape == expected.shape, f"{got.shape}, expected {expected.shape}"
    compare(got, expected, "i64", name)


def fails(name, *arguments):
    """The stream reports an index that is outside, and no memory is touched."""
    try:
        call(name, *arguments)
    except Exception as error:
        assert error.code == 507015, error
        return
    raise AssertionError(f"{name} ran")


@operator("bad input", cases=0)
def bad_input(rng, name):
    x, y = Tensor((4, 3), "f32", values=0), Tensor((2, 3), "f32")
    index = Tensor((2,), "i64", values=[0, 1])
    refused(161001, "aclnnGatherV2", x, 0, None, y, text="index is null")
    refused(161002, "aclnnGatherV2", x, 2, index, y, text="dim is 2; expected -2 to 1")
    refused(161002, "aclnnGatherV2", x, 0, Tensor((2,), "f32"), y, text="index has the type FLOAT; expected INT32 or INT64")
    refused(161002, "aclnnIndexSelect", x, 0, Tensor((2, 1), "i64"), y, text="index has the shape [2, 1]")
    refused(161002, "aclnnIndexSelect", x, 1, index, y, text="out has the shape [2, 3]; expected [4, 2]")
    refused(161002, "aclnnEmbedding", index, index, y, text="weight has the shape [2]")
    refused(161002, "aclnnInplaceIndexCopy", x, 0, index, Tensor((3, 3), "f32"), text="source has the shape [3, 3]")
    refused(161002, "aclnnInplaceIndexCopy", x, 0, index, Tensor((2, 3), "f16"), text="source has the type FLOAT16")
    refused(161002, "aclnnInplaceIndexFillTensor", x, 0, [4], Scalar(1, "f32"), text="index[0] is 4; expected -4 to 3")
    places = Tensor((2, 3), "i64", values=0)
    refused(161002, "aclnnScatter", x, 0, places, y, 3, x, text="reduce is 3")
    refused(161002, "aclnnScatter", x, 0, places, Tensor((1, 3), "f32"), 0, x, text="index has the shape [2, 3]")
    refused(161002, "aclnnScatterAdd", x, 0, index, y, x, text="index has the shape [2]")
    refused(161002, "aclnnGather", x, 0, places, x, text="out has the shape [4, 3]; expected [2, 3]")
    refused(161002, "aclnnIndexAdd", x, 0, places, y, Scalar(1, "f32"), x, text="index has the shape [2, 3]")
    refused(161002, "aclnnIndex", x, [None, None], y, text="indices has no tensors")
    refused(161002, "aclnnIndex", x, [index, index, index], y, text="indices has more dims than self")
    refused(161002, "aclnnIndex", x, [Tensor((3,), "bool")], y, text="expected the size 4 in dim 0")
    refused(161002, "aclnnIndexPutImpl", x, [index], Tensor((3, 3), "f32"), False, False, text="does not broadcast")
    refused(161002, "aclnnInplaceMaskedFillScalar", x, Tensor((2,), "bool"), Scalar(1, "f32"), text="does not broadcast")
    refused(161002, "aclnnInplaceMaskedFillTensor", x, Tensor((3,), "bool"), y, text="value has the shape [2, 3]")
    refused(161002, "aclnnMaskedSelect", x, Tensor((3,), "bool"), Tensor((12,), "f32", (2,)), text="out has strides with gaps")
    refused(161002, "aclnnNonzeroV2", x, Tensor((1, 12), "i64"), text="expected 2 rows")


@operator("indices outside", cases=0)
def outside(rng, name):
    x, y = Tensor((4, 3), "f32", values=0), Tensor((2, 3), "f32")
    for bad in (4, -1):
        index = Tensor((2,), "i64", values=[0, bad])
        places = Tensor((2, 3), "i64", values=[[0, 0, 0], [0, bad, 0]])
        fails("aclnnGatherV2", x, 0, index, y)
        fails("aclnnInplaceIndexCopy", x, 0, index, y)
        fails("aclnnScatter", x, 0, places, y, 0, x)
        fails("aclnnScatterAdd", x, 0, places, y, x)
        fails("aclnnIndexAdd", x, 0, index, y, Scalar(1, "f32"), x)
    index, places = Tensor((2,), "i64", values=[0, -5]), Tensor((2, 3), "i64", values=-5)
    fails("aclnnGather", x, 0, places, y)
    fails("aclnnIndex", x, [index], y)
    for accumulate in (False, True):
        fails("aclnnIndexPutImpl", x, [index], y, accumulate, False)
    fails("aclnnIndex", x, [Tensor((4,), "bool", values=True)], y)
    fails("aclnnIndexPutImpl", x, [Tensor((4,), "bool", values=True)], y, False, False)
    fails("aclnnMaskedSelect", x, Tensor((4, 3), "bool", values=True), Tensor((5,), "f32"))


if __name__ == "__main__":
    start()
    sys.exit(main(120))
