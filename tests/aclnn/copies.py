# SPDX-License-Identifier: Apache-2.0
"""Operators that move data: copies, conversions, joins, orders, borders, triangles."""

import sys

import numpy as np

from binding import COMPLEX, FLOATS, Scalar, Tensor, TYPES, start
from cases import choose, broadcastable, main, operator, output, random_shape, random_tensor, random_values, refused, run

EVERY = tuple(TYPES)
NUMBERS = tuple(t for t in TYPES if t != "c32")
COMMON = ("f32", "f16", "bf16", "i8", "u8", "i32", "i64", "bool")


def converted(values, dtype):
    """The result of a cast: numbers are truncated, NaN becomes 0, any value but 0 is true."""
    values = np.asarray(values)
    if dtype == "bool":
        return values != 0
    if dtype in COMPLEX:
        return values
    if np.iscomplexobj(values):
        values = values.real
    if dtype in FLOATS:
        return values.astype(np.float64)
    if values.dtype.kind == "f":
        values = np.trunc(np.where(np.isnan(values), 0, values))
        return values.astype(np.uint64 if dtype == "u64" and (values >= 0).all() else np.int64)
    return values


def exact(name, *arguments, out, expected):
    run(name, *arguments, outputs=[out], expected=[expected], tolerance=0)


def large(rng):
    """A shape that is cut into pieces, and one whose inner dims are transposed in tiles."""
    return choose(rng, [(400, 300), (3, 257, 130), (2, 70000), (65, 33, 64)])


@operator("aclnnCast", cases=4)
def cast(rng, name):
    source, target = choose(rng, EVERY), choose(rng, EVERY)
    shape = random_shape(rng)
    x = random_tensor(rng, shape, source, low=0 if target.startswith("u") else None)
    if source in FLOATS and x.array.size and rng.integers(0, 2):
        values = x.values()
        special = [np.nan, np.inf, -0.0, 0.5, 1.75] if target in FLOATS + COMPLEX else [np.nan, 0.5, 1.75, 0.0]
        values.flat[int(rng.integers(0, values.size))] = choose(rng, special)
        x.set(values)
    y = output(rng, shape, target)
    with np.errstate(invalid="ignore"):
        run(name, x, target, y, outputs=[y], expected=[converted(x.values(), target)])


@operator("aclnnInplaceCopy", cases=4)
def inplace_copy(rng, name):
    source, target = choose(rng, NUMBERS), choose(rng, NUMBERS)
    kind = rng.integers(0, 4)
    if kind == 0:  # onto the diagonal of a matrix
        n = int(rng.integers(1, 40))
        y = Tensor((n,), target, (n + 1,), offset=int(rng.integers(0, 3)))
        x = random_tensor(rng, choose(rng, [(n,), (1,), ()]), source, low=0)
    elif kind == 1:  # in other orders, of the same type
        shape = large(rng)
        target = source
        order = rng.permutation(len(shape))
        x = random_tensor(rng, shape, source)
        plain = Tensor([shape[d] for d in order], target)
        strides = [0] * len(shape)
        for place, d in enumerate(order):
            strides[d] = plain.strides[place]
        y = Tensor(shape, target, strides)
    else:
        shape = random_shape(rng)
        x = random_tensor(rng, broadcastable(rng, shape), source, low=0)
        y = output(rng, shape, target)
    expected = np.broadcast_to(converted(x.values(), target), y.shape)
    run(name, y, x, outputs=[y], expected=[expected], tolerance=0 if source == target else None)


def transposed_output(rng, shape, dtype):
    return output(rng, shape, dtype) if rng.integers(0, 2) else Tensor(shape, dtype)


@operator("aclnnPermute", cases=2)
def permute(rng, name):
    dtype = choose(rng, NUMBERS)
    shape = large(rng) if rng.integers(0, 3) == 0 else random_shape(rng)
    x = random_tensor(rng, shape, dtype)
    order = [int(d) for d in rng.permutation(len(shape))]
    y = transposed_output(rng, [shape[d] for d in order], dtype)
    dims = [d - len(shape) if rng.integers(0, 2) else d for d in order]
    exact(name, x, dims, y, out=y, expected=np.transpose(x.values(), order))


def promoted(types):
    kinds = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
    return np.result_type(*[kinds.get(t, TYPES[t][1]) for t in types])


@operator("aclnnCat")
def cat(rng, name):
    shape = list(random_shape(rng, rank=int(rng.integers(1, 5))))
    dim = int(rng.integers(0, len(shape)))
    types = [choose(rng, ["f32", "f16", "i32", "bool"]) for _ in range(int(rng.integers(1, 6)))]
    same = choose(rng, [t for t in NUMBERS if t != "c128"]) if rng.integers(0, 2) else None
    tensors = []
    for kind in types:
        shape[dim] = int(rng.integers(0, 6))
        tensors.append(random_tensor(rng, (0,) if rng.integers(0, 8) == 0 else shape, same or kind))
    members = [t.values() for t in tensors if t.shape != (0,)]
    if not members:
        return
    expected = np.concatenate(members, dim)
    target = same or choose(rng, ["f32", "f64"])
    y = output(rng, expected.shape, target)
    exact(name, tensors, dim - len(shape) if rng.integers(0, 2) else dim, y, out=y, expected=expected)


@operator("aclnnStack")
def stack(rng, name):
    dtype = choose(rng, NUMBERS)
    shape = random_shape(rng)
    tensors = [random_tensor(rng, shape, dtype) for _ in range(int(rng.integers(1, 5)))]
    dim = int(rng.integers(-len(shape) - 1, len(shape) + 1))
    expected = np.stack([t.values() for t in tensors], dim)
    y = output(rng, expected.shape, dtype)
    exact(name, tensors, dim, y, out=y, expected=expected)


def split(rng, name, argument, sizes, shape, dim):
    dtype = choose(rng, NUMBERS)
    x = random_tensor(rng, shape, dtype)
    parts = np.split(x.values(), np.cumsum(sizes)[:-1], dim)
    out = [output(rng, part.shape, dtype) for part in parts]
    given = dim - len(shape) if rng.integers(0, 2) else dim
    run(name, x, argument, given, out, outputs=out, expected=parts, tolerance=0)


@operator("aclnnSplitTensor")
def split_tensor(rng, name):
    shape = random_shape(rng, rank=int(rng.integers(1, 5)))
    dim = int(rng.integers(0, len(shape)))
    most = int(rng.integers(1, 11))
    split(rng, name, most, [min(most, shape[dim] - at) for at in range(0, shape[dim], most)], shape, dim)


@operator("aclnnSplitWithSize")
def split_with_size(rng, name):
    sizes = [int(n) for n in rng.integers(0, 5, int(rng.integers(1, 5)))]
    shape = list(random_shape(rng, rank=int(rng.integers(1, 5))))
    dim = int(rng.integers(0, len(shape)))
    shape[dim] = sum(sizes)
    split(rng, name, sizes, sizes, shape, dim)


@operator("aclnnRepeat")
def repeat(rng, name):
    dtype = choose(rng, NUMBERS)
    shape = random_shape(rng, max_rank=4, most=6)
    x = random_tensor(rng, shape, dtype)
    repeats = [int(n) for n in rng.integers(0 if rng.integers(0, 8) == 0 else 1, 4, len(shape) + int(rng.integers(0, 3)))]
    expected = np.tile(x.values(), repeats) if repeats else x.values()
    y = output(rng, expected.shape, dtype)
    exact(name, x, repeats, y, out=y, expected=expected)


@operator("aclnnRepeatInterleaveIntWithDim")
def repeat_interleave(rng, name):
    dtype = choose(rng, ["f32", "f16", "bf16", "i8", "u8", "i16", "i32", "i64", "bool"])
    shape = random_shape(rng)
    x = random_tensor(rng, shape, dtype)
    dim = int(rng.integers(-max(len(shape), 1), max(len(shape), 1)))
    repeats = int(rng.integers(0, 5))
    values = x.values() if shape else x.values().reshape(1)
    expected = np.repeat(values, repeats, dim)
    y = output(rng, expected.shape, dtype)
    exact(name, x, repeats, dim, expected.shape[dim], y, out=y, expected=expected)


@operator("aclnnSlice")
def slice_of(rng, name):
    dtype = choose(rng, COMMON)
    shape = random_shape(rng, rank=int(rng.integers(1, 5)), most=12)
    x = random_tensor(rng, shape, dtype)
    dim = int(rng.integers(0, len(shape)))
    first, last = (int(n) for n in rng.integers(-15, 15, 2))
    step = int(rng.integers(1, 4))
    index = [slice(None)] * len(shape)
    index[dim] = slice(first, last, step)
    expected = x.values()[tuple(index)]
    y = output(rng, expected.shape, dtype)
    exact(name, x, dim - len(shape) if rng.integers(0, 2) else dim, first, last, step, y, out=y, expected=expected)


@operator("aclnnRoll")
def roll(rng, name):
    dtype = choose(rng, ["f32", "f16", "bf16", "i8", "u8", "i16", "i32", "u32", "i64", "bool", "c64"])
    shape = random_shape(rng, rank=int(rng.integers(1, 5)))
    x = random_tensor(rng, shape, dtype)
    count = int(rng.integers(0, len(shape) + 2))
    shifts = [int(n) for n in rng.integers(-20, 20, count)]
    dims = [int(n) for n in rng.integers(-len(shape), len(shape), count)]
    y = output(rng, shape, dtype)
    exact(name, x, shifts, dims, y, out=y, expected=np.roll(x.values(), shifts, dims))


@operator("aclnnFlip")
def flip(rng, name):
    dtype = choose(rng, ["f32", "f16", "bf16", "f64", "i8", "u8", "i16", "i32", "i64", "bool", "c64", "c128"])
    shape = random_shape(rng)
    x = random_tensor(rng, shape, dtype)
    dims = [int(d) for d in rng.permutation(len(shape))[:int(rng.integers(0, len(shape) + 1))]]
    y = output(rng, shape, dtype)
    exact(name, x, dims, y, out=y, expected=np.flip(x.values(), dims) if dims else x.values())


@operator("aclnnExpand")
def expand(rng, name):
    dtype = choose(rng, ["f32", "f16", "i8", "u8", "i32", "i64", "bool"])
    shape = random_shape(rng)
    x = random_tensor(rng, broadcastable(rng, shape), dtype)
    missing = len(shape) - len(x.shape)
    size = [-1 if d >= missing and x.shape[d - missing] == n and rng.integers(0, 2) else n for d, n in enumerate(shape)]
    y = output(rng, shape, dtype)
    exact(name, x, size, y, out=y, expected=np.broadcast_to(x.values(), shape))


def padded(values, pairs, value):
    for d, (low, high) in enumerate(pairs):
        index = [slice(None)] * values.ndim
        index[d] = slice(max(-low, 0), values.shape[d] - max(-high, 0))
        values = values[tuple(index)]
    pairs = [(max(low, 0), max(high, 0)) for low, high in pairs]
    return np.pad(values, pairs, constant_values=value) if pairs else values


@operator("aclnnConstantPadNd", cases=2)
def constant_pad(rng, name):
    dtype = choose(rng, NUMBERS)
    shape = random_shape(rng, least=2)
    x = random_tensor(rng, shape, dtype)
    given = int(rng.integers(0, len(shape) + 1))
    pairs = [(0, 0)] * (len(shape) - given) + [tuple(int(n) for n in rng.integers(-1, 4, 2)) for _ in range(given)]
    scalar = Scalar(choose(rng, [0, 2, -3.5]), "f32")
    expected = padded(x.values(), pairs, converted(scalar.value(), dtype))
    y = output(rng, expected.shape, dtype)
    pad = [n for pair in reversed(pairs[len(pairs) - given:]) for n in pair]
    exact(name, x, pad, scalar, y, out=y, expected=expected)


@operator("aclnnReflectionPad1d")
def reflection_pad(rng, name):
    dtype = choose(rng, NUMBERS)
    shape = random_shape(rng, rank=int(rng.integers(2, 4)))
    x = random_tensor(rng, shape, dtype)
    left, right = (int(n) for n in rng.integers(0, shape[-1], 2))
    expected = np.pad(x.values(), [(0, 0)] * (len(shape) - 1) + [(left, right)], mode="reflect")
    y = output(rng, expected.shape, dtype)
    exact(name, x, [left, right], y, out=y, expected=expected)


def columns_of(x, kernel, dilation, padding, stride):
    x = np.pad(x, [(0, 0), (0, 0)] + [(p, p) for p in padding])
    places = [(n - d * (k - 1) - 1) // s + 1 for n, k, d, s in zip(x.shape[2:], kernel, dilation, stride)]
    out = np.zeros((x.shape[0], x.shape[1], *kernel, *places), x.dtype)
    for i in range(kernel[0]):
        for j in range(kernel[1]):
            top, left = i * dilation[0], j * dilation[1]
            out[:, :, i, j] = x[:, :, top:top + (places[0] - 1) * stride[0] + 1:stride[0],
                                left:left + (places[1] - 1) * stride[1] + 1:stride[1]]
    return out.reshape(x.shape[0], x.shape[1] * kernel[0] * kernel[1], places[0] * places[1])


@operator("aclnnIm2col")
def im2col(rng, name):
    dtype = choose(rng, [t for t in EVERY if t != "c128"])
    kernel, dilation, padding, stride = ([int(n) for n in rng.integers(low, high, 2)]
                                         for low, high in ((1, 4), (1, 3), (0, 4), (1, 4)))
    least = [d * (k - 1) + 1 for k, d in zip(kernel, dilation)]
    shape = (*random_shape(rng, rank=2, most=3), *(int(n) + int(rng.integers(0, 7)) for n in least))
    batched = bool(rng.integers(0, 2))
    x = random_tensor(rng, shape if batched else shape[1:], dtype)
    values = x.values() if batched else x.values()[None]
    expected = columns_of(values, kernel, dilation, padding, stride)
    expected = expected if batched else expected[0]
    y = output(rng, expected.shape, dtype)
    exact(name, x, kernel, dilation, padding, stride, y, out=y, expected=expected)


TRIANGLES = tuple(t for t in EVERY if t != "c128")


def triangular(rng):
    dtype = choose(rng, TRIANGLES)
    shape = (300, 500) if rng.integers(0, 10) == 0 else random_shape(rng, rank=int(rng.integers(2, 5)))
    diagonal = choose(rng, [-1, 0, 1, int(rng.integers(-10, 10)), 2**62, -2**62])
    values = random_values(rng, shape, dtype)
    if dtype in FLOATS and rng.integers(0, 2):
        values[...] = -np.inf  # what goes becomes 0, not the product with a mask
    return dtype, shape, diagonal, values


def kept(values, name, diagonal):
    diagonal = max(min(diagonal, 1000), -1000)
    return np.where((np.tril if "Tril" in name else np.triu)(np.ones(values.shape, bool), diagonal), values, 0)


@operator("aclnnTril", "aclnnTriu")
def triangle(rng, name):
    dtype, shape, diagonal, values = triangular(rng)
    x, y = random_tensor(rng, shape, dtype, values=values), output(rng, shape, dtype)
    exact(name, x, diagonal, y, out=y, expected=kept(x.values(), name, diagonal))


@operator("aclnnInplaceTril", "aclnnInplaceTriu")
def triangle_in_place(rng, name):
    dtype, shape, diagonal, values = triangular(rng)
    x = output(rng, shape, dtype).set(values)
    exact(name, x, diagonal, out=x, expected=kept(x.values(), name, diagonal))


@operator("aclnnUpsampleNearest2d")
def upsample(rng, name):
    dtype = choose(rng, ["f32", "f16", "bf16", "f64", "u8"])
    shape = random_shape(rng, rank=4, most=7)
    size = [int(n) for n in rng.integers(1, 20, 2)]
    x, y = random_tensor(rng, shape, dtype), output(rng, shape[:2] + tuple(size), dtype)
    rows, columns = (np.arange(to) * n // to for to, n in zip(size, shape[2:]))
    exact(name, x, size, y, out=y, expected=x.values()[:, :, rows][:, :, :, columns])


@operator("bad input", cases=0)
def bad_input(rng, name):
    x, y, one = Tensor((2, 3), "f32"), Tensor((2, 3), "f32"), Scalar(1, "f32")
    refused(161001, "aclnnCast", None, "f32", y, text="self is null")
    refused(161002, "aclnnCast", x, "f16", y, text="dtype is FLOAT16; expected FLOAT")
    refused(161002, "aclnnCast", x, "f32", Tensor((3, 2), "f32"), text="out has the shape [3, 2]; expected [2, 3]")
    refused(161001, "aclnnInplaceCopy", x, None, text="src is null")
    refused(161002, "aclnnInplaceCopy", x, Tensor((3, 3), "f32"), text="does not broadcast")
    refused(161002, "aclnnPermute", x, [0, 0], y, text="dims names the dim 0 twice")
    refused(161002, "aclnnPermute", x, [0], y, text="dims has 1 entries")
    refused(161002, "aclnnCat", [], 0, y, text="tensors is empty")
    refused(161001, "aclnnCat", [x, None], 0, y, text="tensors[1] is null")
    refused(161002, "aclnnCat", [x, x], 2, y, text="dim is 2; expected -2 to 1")
    refused(161002, "aclnnCat", [x, Tensor((2, 2), "f32")], 0, y, text="tensors[1] has the shape [2, 2]")
    refused(161002, "aclnnCat", [x, x], 0, y, text="expected [4, 3]")
    refused(161002, "aclnnCat", [x, Tensor((2, 3), "u16")], 0, y, text="do not mix")
    refused(161002, "aclnnStack", [x, Tensor((2, 2), "f32")], 0, Tensor((2, 2, 3), "f32"), text="tensors[1]")
    refused(161002, "aclnnSplitTensor", x, 0, 0, [y], text="splitSections is 0")
    refused(161002, "aclnnSplitTensor", x, 1, 0, [y], text="out has 1 tensors; expected 2")
    refused(161002, "aclnnSplitWithSize", x, [1, 2], 0, [y, y], text="expected a sum of 2")
    refused(161002, "aclnnRepeat", x, [2], y, text="repeats has 1 entries")
    refused(161002, "aclnnRepeat", x, [2, -1], y, text="repeats[1] is -1")
    refused(161002, "aclnnRepeatInterleaveIntWithDim", x, 2, 0, 5, Tensor((4, 3), "f32"), text="outputSize is 5; expected 4")
    refused(161002, "aclnnSlice", x, 0, 0, 2, 0, y, text="step is 0")
    refused(161002, "aclnnSlice", Tensor((2,), "c64"), 0, 0, 2, 1, y, text="self has the type COMPLEX64")
    refused(161002, "aclnnRoll", x, [1], [], y, text="shifts has 1 entries and dims has 0")
    refused(161002, "aclnnFlip", x, [0, -2], y, text="dims names the dim -2 twice")
    refused(161002, "aclnnExpand", x, [-1, 2, 3], Tensor((1, 2, 3), "f32"), text="size[0] is -1")
    refused(161002, "aclnnConstantPadNd", x, [1], one, y, text="pad has 1 entries")
    refused(161002, "aclnnConstantPadNd", x, [-2, -2], one, y, text="pad crops")
    refused(161001, "aclnnConstantPadNd", x, [0, 0], None, y, text="value is null")
    refused(161002, "aclnnReflectionPad1d", x, [3, 0], Tensor((2, 6), "f32"), text="padding is 3, 0; expected 0 to 2")
    refused(161002, "aclnnIm2col", Tensor((1, 2, 3), "f32"), [1, 1], [1, 1], [0, 0], [0, 1], y, text="stride[0] is 0")
    refused(161002, "aclnnTril", Tensor((2,), "f32"), 0, Tensor((2,), "f32"), text="self has the shape [2]")
    refused(161002, "aclnnUpsampleNearest2d", x, [1, 1], y, text="expected 4 to 4 dims")


if __name__ == "__main__":
    start()
    sys.exit(main(120))
