# SPDX-License-Identifier: Apache-2.0
"""Products of matrices and operators on top of them, compared with numpy in double precision."""

import ctypes
import sys

import numpy as np

from binding import FLOATS, Scalar, Tensor, opapi, start
from cases import broadcastable, choose, main, operator, output, random_shape, random_tensor, random_values, refused, run
from few_bits import FourBits

SHORT = ("f32", "f16", "bf16")
ORDER = {name: i for i, name in enumerate(("bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"))}


def size(rng, small=False):
    """Mostly a few; now and then more than a tile, a panel or a row of the product is cut into."""
    kind = rng.integers(0, 10)
    if small or kind < 7:
        return int(rng.integers(1, 20))
    return int(rng.integers(1, 130)) if kind < 9 else int(rng.integers(500, 1100))


def bounded(dims):
    """Dims whose product stays small enough for a test."""
    dims = list(dims)
    while np.prod(dims, dtype=np.float64) > 4e6:
        i = int(np.argmax(dims))
        dims[i] = max(dims[i] // 8, 1)
    return dims


def matrix(rng, shape, dtype):
    """Also as a transposed view, as weights come."""
    if len(shape) >= 2 and rng.integers(0, 2):
        swapped = random_tensor(rng, shape[:-2] + (shape[-1], shape[-2]), dtype, -1, 1)
        return swap(swapped)
    return random_tensor(rng, shape, dtype, -1, 1)


def swap(tensor):
    tensor.shape = tensor.shape[:-2] + (tensor.shape[-1], tensor.shape[-2])
    tensor.strides = tensor.strides[:-2] + (tensor.strides[-1], tensor.strides[-2])
    tensor.array = np.swapaxes(tensor.array, -1, -2)
    return tensor


def result(rng, shape, dtype):
    if len(shape) >= 2 and rng.integers(0, 4) == 0:
        return swap(output(rng, shape[:-2] + (shape[-1], shape[-2]), dtype))
    return output(rng, shape, dtype)


def tried(name, a, b, out, *rest):
    x, y = a.values(), b.values()
    run(name, a, b, out, *rest, outputs=[out], expected=[np.matmul(x, y)],
        scale=max(np.sqrt(x.shape[-1]), 1.0))


@operator("aclnnMm", cases=2)
def mm(rng, name):
    m, k, n = bounded([size(rng), size(rng), size(rng)])
    if rng.integers(0, 4) == 0:
        m = 1  # a language model that decodes
    a, b = matrix(rng, (m, k), choose(rng, SHORT)), matrix(rng, (k, n), choose(rng, SHORT))
    tried(name, a, b, result(rng, (m, n), choose(rng, SHORT)), choose(rng, (0, 1, 2, 3, 4)))


@operator("aclnnBatchMatMul")
def batch_matmul(rng, name):
    b, m, k, n = bounded([size(rng, True), size(rng), size(rng), size(rng)])
    left, right = choose(rng, ((b, b), (1, b), (b, 1)))
    x, y = matrix(rng, (left, m, k), choose(rng, SHORT)), matrix(rng, (right, k, n), choose(rng, SHORT))
    tried(name, x, y, result(rng, (b, m, n), choose(rng, SHORT)), 2)


@operator("aclnnMatmul", cases=2)
def matmul(rng, name):
    m, k, n = bounded([size(rng), size(rng), size(rng)])
    batch = random_shape(rng, most=3, max_rank=4)
    left, right = broadcastable(rng, batch), broadcastable(rng, batch)
    batch = np.broadcast_shapes(left, right)
    if np.prod(batch) * m * n * k > 4e6:
        m, k, n = m % 9 + 1, k % 40 + 1, n % 9 + 1
    a = (k,) if rng.integers(0, 6) == 0 else left + (m, k)
    b = (k,) if rng.integers(0, 6) == 0 else right + (k, n)
    shape = np.matmul(np.zeros(a), np.zeros(b)).shape
    tried(name, matrix(rng, a, choose(rng, SHORT)), matrix(rng, b, choose(rng, SHORT)),
          result(rng, shape, choose(rng, SHORT)), 1)


@operator("grouped heads", cases=0.2)
def grouped_heads(rng, _):
    """As llama.cpp multiplies with heads that several others share: a dim of size 1 against several."""
    heads, groups, m, k, n = 2, int(rng.integers(1, 4)), int(rng.integers(1, 5)), 32, 24
    a = random_tensor(rng, (1, heads, groups, m, k), "f32", -1, 1)
    b = Tensor((1, heads, 1, k, n), "f16", (heads * k * n, k * n, k * n, 1, k))
    b.set(random_values(rng, b.shape, "f16", -1, 1))
    tried("aclnnMatmul", a, b, Tensor((1, heads, groups, m, n), "f32"), 1)


@operator("aclnnMv")
def mv(rng, name):
    n, m = bounded([size(rng), size(rng)])
    a, b = matrix(rng, (n, m), choose(rng, SHORT)), random_tensor(rng, (m,), choose(rng, SHORT), -1, 1)
    tried(name, a, b, output(rng, (n,), choose(rng, SHORT)), 1)


@operator("aclnnDot")
def dot(rng, name):
    dtype = choose(rng, SHORT + ("i8", "u8", "i32"))
    n = size(rng)
    a, b = random_tensor(rng, (n,), dtype), random_tensor(rng, (n,), dtype)
    out = output(rng, choose(rng, ((), (1,))), dtype)
    x, y = a.values(), b.values()
    run(name, a, b, out, outputs=[out], expected=[np.sum(x * y)], scale=16.0 * np.sqrt(n))


@operator("aclnnGer")
def ger(rng, name):
    dtype = choose(rng, SHORT + ("f64", "i8", "u8", "i16", "i32", "i64", "bool", "c64", "c128"))
    a, b = random_tensor(rng, (size(rng),), dtype), random_tensor(rng, (size(rng, True),), dtype)
    out = result(rng, a.shape + b.shape, dtype)
    run(name, a, b, out, outputs=[out], expected=[np.multiply.outer(a.values(), b.values())])


def sums(rng, name, batch):
    m, k, n = bounded([size(rng), size(rng), size(rng)])
    dtype = choose(rng, SHORT)
    a, b = matrix(rng, batch + (m, k), dtype), matrix(rng, batch + (k, n), dtype)
    out = result(rng, batch + (m, n), dtype)
    if rng.integers(0, 3) == 0:  # in place
        c = out.set(random_values(rng, out.shape, dtype))
    else:
        c = random_tensor(rng, broadcastable(rng, out.shape), dtype)
    beta, alpha = (Scalar(choose(rng, (0, 1, -2, 0.5)), choose(rng, ("f32", "f64"))) for _ in range(2))
    if beta.value() == 0 and c is not out:
        c.set(np.nan)  # does not count
    wanted = alpha.value() * np.matmul(a.values(), b.values())
    if beta.value() != 0:
        wanted = wanted + beta.value() * c.values()
    run(name, c, a, b, beta, alpha, out, 0, outputs=[out], expected=[wanted], scale=np.sqrt(k) + 8)


@operator("aclnnAddmm")
def addmm(rng, name):
    sums(rng, name, ())


@operator("aclnnBaddbmm")
def baddbmm(rng, name):
    sums(rng, name, (int(rng.integers(1, 5)),))


@operator("aclnnAddmv")
def addmv(rng, name):
    dtype = choose(rng, SHORT + ("f64", "i8", "u8", "i16", "i32", "i64"))
    n, m = bounded([size(rng), size(rng)])
    a, b = matrix(rng, (n, m), dtype), random_tensor(rng, (m,), dtype, -3, 3)
    c, out = random_tensor(rng, broadcastable(rng, (n,)), dtype), output(rng, (n,), dtype)
    if dtype in FLOATS:
        alpha, beta = Scalar(0.5, "f32"), Scalar(-1.5, "f64")
    else:
        alpha, beta = Scalar(2, "i32"), Scalar(-3, "i64")
    wanted = beta.value() * c.values() + alpha.value() * (a.values() @ b.values())
    run(name, c, a, b, alpha, beta, out, 0, outputs=[out], expected=[wanted], scale=3 * np.sqrt(m) + 8)


@operator("weights", cases=0.05)
def weights(rng, _):
    """Laying weights out again changes no number, and their size counts whole tiles."""
    for dtype in ("f16", "bf16", "i8", "f32"):
        w = random_tensor(rng, (5, 7), dtype)
        run("aclnnTransMatmulWeight", w, outputs=[w], expected=[w.values()])
    for dims, dtype, expected in (((1, 1), 1, 256), ((17, 33), 1, 32 * 48), ((17, 33), 27, 32 * 48),
                                  ((17, 33), 2, 32 * 64), ((17, 33), 0, 32 * 64), ((3, 16, 16), 1, 768)):
        shape = (ctypes.c_int64 * len(dims))(*dims)
        array = ctypes.c_void_p(opapi.aclCreateIntArray(shape, ctypes.c_uint64(len(dims))))
        found = ctypes.c_uint64()
        code = opapi.aclnnCalculateMatmulWeightSizeV2(array, dtype, ctypes.byref(found))
        assert (code, found.value) == (0, expected), (dims, dtype, code, found.value)
        assert opapi.aclnnCalculateMatmulWeightSizeV2(array, dtype, None) == 161001
        assert opapi.aclnnCalculateMatmulWeightSizeV2(None, dtype, ctypes.byref(found)) == 161001
        opapi.aclDestroyIntArray(array)


@operator("empty products", cases=0.05)
def empty(rng, _):
    for shapes in (((0, 3), (3, 2)), ((2, 0), (0, 3)), ((2, 3), (3, 0))):
        a, b = (Tensor(s, "f16") for s in shapes)
        out = Tensor((shapes[0][0], shapes[1][1]), "f32")
        run("aclnnMm", a, b, out, 0, outputs=[out], expected=[np.zeros(out.shape)])


@operator("special numbers in products", cases=0.05)
def special(rng, _):
    a = Tensor((2, 3), "f32", values=[[np.inf, 1, 2], [np.nan, 1, 1]])
    b = Tensor((3, 2), "f16", values=[[1, 0], [2, 1], [3, 1]])
    with np.errstate(all="ignore"):
        tried("aclnnMm", a, b, Tensor((2, 2), "f16"), 0)
    big = Tensor((1, 2), "f16", values=[[60000, 60000]])
    tried("aclnnMm", big, Tensor((2, 1), "f16", values=[[1], [1]]), Tensor((1, 1), "f16"), 0)


@operator("bad input of products", cases=0.05)
def bad(rng, _):
    a, b, out = Tensor((2, 3), "f32"), Tensor((3, 4), "f32"), Tensor((2, 4), "f32")
    refused(161001, "aclnnMm", None, b, out, 0, text="self is null")
    refused(161001, "aclnnMm", a, b, None, 0, text="out is null")
    refused(161002, "aclnnMm", Tensor((2, 3), "i32"), b, out, 0, text="self has the type INT32")
    refused(161002, "aclnnMm", a, Tensor((2, 4), "f32"), out, 0, text="mat2 has the shape [2, 4]; expected 3 rows")
    refused(161002, "aclnnMm", a, b, Tensor((4, 2), "f32"), 0, text="out has the shape [4, 2]; expected [2, 4]")
    refused(161002, "aclnnMm", Tensor((1, 2, 3), "f32"), b, out, 0, text="self has the shape [1, 2, 3]")
    refused(161002, "aclnnMm", a, b, out, 5, text="cubeMathType is 5")
    refused(161002, "aclnnBatchMatMul", a, b, out, 0, text="self has the shape")
    refused(161002, "aclnnBatchMatMul", Tensor((2, 2, 3), "f32"), Tensor((3, 3, 4), "f32"),
            Tensor((2, 2, 4), "f32"), 0, text="do not broadcast")
    refused(161002, "aclnnMatmul", Tensor((), "f32"), b, out, 0, text="self has the shape []")
    refused(161002, "aclnnMv", a, Tensor((2,), "f32"), Tensor((2,), "f32"), 0, text="vec has the shape")
    refused(161002, "aclnnDot", Tensor((2,), "f32"), Tensor((3,), "f32"), Tensor((), "f32"), text="tensor has the shape")
    refused(161002, "aclnnGer", Tensor((2,), "f32"), Tensor((3,), "f32"), Tensor((3, 2), "f32"), text="out has the shape")
    one = Scalar(1, "f32")
    refused(161001, "aclnnAddmm", out, a, b, None, one, out, 0, text="beta is null")
    refused(161002, "aclnnAddmm", Tensor((3, 4), "f32"), a, b, one, one, out, 0, text="self has the shape [3, 4]")
    refused(161002, "aclnnAddmv", Tensor((2,), "f32"), a, Tensor((4,), "f32"), one, one, Tensor((2,), "f32"), 0,
            text="vec has the shape [4]")
    refused(161002, "aclnnTransMatmulWeight", Tensor((3,), "f16"), text="mmWeightRef has the shape [3]")
    refused(161002, "aclnnTransMatmulWeight", Tensor((3, 3), "i32"), text="INT32")


class Nibbles:
    """A matrix of four bits a number, as INT4 or eight in an INT32; rows or columns are contiguous."""

    def __init__(self, values, down, words=False, offset=0):
        self.values, self.down, self.words, self.offset = values, down, words, offset
        flat = (values.T if down else values).ravel()
        flat = np.concatenate([np.zeros(offset, int), flat, np.zeros(8, int)]) & 15
        flat = flat[:flat.size // 8 * 8]
        self.memory = Tensor((flat.size // 2,), "u8", values=(flat[::2] | flat[1::2] << 4))

    def handle(self):
        k, n = self.values.shape
        shape, strides = [k, n], [1, k] if self.down else [n, 1]
        if self.words:
            shape[0 if self.down else 1] //= 8
            strides[1 if self.down else 0] //= 8
        unit = 8 if self.words else 1
        dims, steps, storage = ((ctypes.c_int64 * len(a))(*a) for a in (shape, strides, [self.values.size]))
        return opapi.aclCreateTensor(dims, 2, 3 if self.words else 29, steps, self.offset // unit, 2, storage, 1,
                                     self.memory.data)


def few_bits(rng, shape):
    """A tensor of eight or of four bits a number."""
    if rng.integers(0, 2):
        return random_tensor(rng, shape, "i8", -128, 127)
    values = rng.integers(-8, 8, shape)
    if shape[-1] % 8 == 0 and rng.integers(0, 2):
        return FourBits(values, True, 8 * int(rng.integers(0, 2)))
    return FourBits(values, False, int(rng.integers(0, 3)))


def quantised(rng, k, n):
    """Weights as each of the kinds, and their numbers."""
    kind = choose(rng, ("i8", "i4", "words"))
    down = bool(rng.integers(0, 2))
    if kind == "i8":
        w = Tensor((k, n), "i8", (1, k) if down else None)
        return w.set(rng.integers(-128, 128, (k, n))), w.values()
    values = rng.integers(-8, 8, (k, n))
    if kind == "words" and (k if down else n) % 8 == 0:
        return Nibbles(values, down, True, 8 * int(rng.integers(0, 2))), values
    return Nibbles(values, down, False, int(rng.integers(0, 3))), values


@operator("aclnnWeightQuantBatchMatmulV2", cases=2)
def weight_quant(rng, name):
    dtype = choose(rng, ("f16", "bf16"))
    m, n = (1 if rng.integers(0, 2) else size(rng)), 8 * size(rng, True)
    k = 32 * int(rng.integers(1, 20)) if rng.integers(0, 3) else size(rng)
    group = 32 * int(rng.integers(1, 4))
    group = group if group < k and rng.integers(0, 3) else 0
    w, weights_of = quantised(rng, k, n)
    if group:
        shape = (-(-k // group), n)
    else:
        shape = choose(rng, ((1,), (1, 1), (n,), (1, n)))
    x = matrix(rng, (m, k), dtype)
    scale = matrix(rng, shape, dtype)
    offset = random_tensor(rng, shape, dtype, -3, 3) if rng.integers(0, 2) else None
    bias = random_tensor(rng, choose(rng, ((n,), (1, n))), choose(rng, (dtype, "f32"))) if rng.integers(0, 2) else None
    rows = lambda a: a.repeat(group, 0)[:k] if group else a  # noqa: E731
    real = (weights_of + (rows(offset.values()) if offset else 0)) * rows(scale.values())
    wanted = x.values() @ np.broadcast_to(real, (k, n)) + (bias.values() if bias else 0)
    out = result(rng, (m, n), dtype)
    run(name, x, w, scale, offset, None, None, bias, group, out, outputs=[out], expected=[wanted],
        scale=130 * np.sqrt(k))


@operator("weights of a language model", cases=0.2)
def q4_0(rng, _):
    """As llama.cpp passes them: scales of 32 numbers each, transposed."""
    k, n, m = 96, 40, int(rng.integers(1, 12))
    values = rng.integers(-8, 8, (k, n))
    scale = Tensor((k // 32, n), "f16", (1, k // 32))
    scale.set(random_values(rng, scale.shape, "f16", -0.1, 0.1))
    x, y = random_tensor(rng, (m, k), "f16", -1, 1), Tensor((m, n), "f16")
    wanted = x.values() @ (values * scale.values().repeat(32, 0))
    run("aclnnWeightQuantBatchMatmulV2", x, Nibbles(values, True), scale, None, None, None, None, 32, y, outputs=[y],
        expected=[wanted], scale=2)
    to_bytes = Tensor((m, n), "i8")
    step = Tensor((1,), "f32", values=[4.0])
    run("aclnnWeightQuantBatchMatmulV2", x, Nibbles(np.sign(values), True), Tensor((1,), "f16", values=[0.5]), None,
        step, None, None, 0, to_bytes, outputs=[to_bytes],
        expected=[np.clip(np.rint(4 * (x.values() @ (np.sign(values) * 0.5))), -128, 127)])


@operator("bad input of quantised weights", cases=0.05)
def bad_quantised(rng, _):
    name, x, y = "aclnnWeightQuantBatchMatmulV2", Tensor((2, 64), "f16"), Tensor((2, 8), "f16")
    w, s = Tensor((64, 8), "i8"), Tensor((2, 8), "f16")
    rest = (None, None, None, None)
    refused(161001, name, x, None, s, *rest, 32, y, text="weight is null")
    refused(161002, name, x, Tensor((64, 8), "f16"), s, *rest, 32, y, text="weight has the type FLOAT16")
    refused(161002, name, x, Tensor((8, 64), "i8"), s, *rest, 32, y, text="weight has the shape [8, 64]")
    refused(161002, name, x, w, Tensor((2, 8), "bf16"), *rest, 32, y, text="antiquantScale has the type BF16")
    refused(161002, name, x, w, Tensor((3, 8), "f16"), *rest, 32, y, text="antiquantScale has the shape [3, 8]")
    refused(161002, name, x, w, s, *rest, 33, y, text="antiquantGroupSize is 33")
    refused(161002, name, x, w, s, *rest, 64, y, text="antiquantGroupSize is 64")
    refused(161002, name, x, w, s, None, None, None, Tensor((7,), "f16"), 32, y, text="biasOptional has the shape [7]")
    refused(161002, name, x, w, s, *rest, 32, Tensor((2, 8), "f32"), text="y has the type FLOAT")


@operator("aclnnTriangularSolve")
def triangular(rng, name):
    dtype = choose(rng, ("f32", "f64", "c64", "c128"))
    n, k = (int(v) for v in rng.integers(1, 9, 2))
    batch = random_shape(rng, most=3, max_rank=3)
    left, right = broadcastable(rng, batch), broadcastable(rng, batch)
    batch = np.broadcast_shapes(left, right)
    upper, transpose, unit = (bool(v) for v in rng.integers(0, 2, 3))
    a = output(rng, left + (n, n), dtype)
    a.set(random_values(rng, a.shape, dtype, -0.5, 0.5) + 2 * np.eye(n))
    b = random_tensor(rng, right + (n, k), dtype)
    used = np.triu(a.values()) if upper else np.tril(a.values())
    solved = used - np.eye(n) * used + np.eye(n) if unit else used
    solved = np.swapaxes(solved, -1, -2) if transpose else solved
    x, copy = output(rng, batch + (n, k), dtype), output(rng, batch + (n, n), dtype)
    run(name, b, a, upper, transpose, unit, x, copy, outputs=[x, copy],
        expected=[np.linalg.solve(np.broadcast_to(solved, copy.shape), np.broadcast_to(b.values(), x.shape)),
                  np.broadcast_to(used, copy.shape)], scale=8)
    refused(161002, name, b, Tensor((n, n + 1), dtype), True, True, True, x, copy, text="square")


def wide_scale(values):
    """Floats in the lower half of 64 bits."""
    bits = np.asarray(values, np.float32).view(np.uint32).astype(np.uint64)
    return Tensor(bits.shape, "u64", values=bits)


@operator("aclnnQuantMatmulV4")
def quant_matmul(rng, name):
    m, k, n = bounded([size(rng), size(rng), size(rng)])
    if rng.integers(0, 2):
        k, n = 8 * -(-k // 8), 8 * -(-n // 8)
    batch = random_shape(rng, most=3, max_rank=2)
    out_type = choose(rng, ("f16", "bf16", "i8", "i32"))
    flip = [bool(v) for v in rng.integers(0, 2, 2)]
    a = few_bits(rng, batch + ((k, m) if flip[0] else (m, k)))
    b = few_bits(rng, broadcastable(rng, batch) + ((n, k) if flip[1] else (k, n)))
    x, y = (np.swapaxes(t.values(), -1, -2) if f else t.values() for t, f in zip((a, b), flip))
    wanted = np.matmul(x, y).astype(np.float64)
    scale = random_tensor(rng, choose(rng, ((1,), (n,))), choose(rng, ("f32", "bf16")), 0.0001, 0.001)
    factor = scale.values()
    if rng.integers(0, 3) == 0:
        factor = np.float32(factor)
        scale = wide_scale(factor)
    bias = random_tensor(rng, (n,), choose(rng, ("i32", "f32") if out_type != "i32" else ("i32",)))
    bias = bias if rng.integers(0, 2) else None
    if bias and bias.dtype == "i32":
        wanted = wanted + bias.values()
    offset = tokens = None
    if out_type != "i32":
        wanted = wanted * factor
    if out_type in ("f16", "bf16") and rng.integers(0, 2):
        tokens = random_tensor(rng, (m,), "f32", 0.5, 2)
        wanted = wanted * tokens.values()[:, None]
    if bias and bias.dtype == "f32":
        wanted = wanted + bias.values()
    if out_type == "i8":
        offset = random_tensor(rng, (n,), "f32", values=rng.integers(-5, 5, n))
        wanted = np.clip(np.rint(wanted + offset.values()), -128, 127)
    out = output(rng, batch + (m, n), out_type)
    run(name, a, b, scale, offset, tokens, bias, *flip, out, outputs=[out], expected=[wanted], scale=1)


@operator("aclnnDynamicQuant")
def dynamic_quant(rng, name):
    dtype = choose(rng, ("f16", "bf16"))
    shape = random_shape(rng, int(rng.integers(2, 5)))
    x = random_tensor(rng, shape, dtype)
    smooth = random_tensor(rng, shape[-1:], dtype) if rng.integers(0, 2) else None
    values = x.values().astype(np.float32) * (smooth.values().astype(np.float32) if smooth else np.float32(1))
    step = np.abs(values).max(-1) / np.float32(127)
    with np.errstate(all="ignore"):
        wanted = np.where(step[..., None] == 0, 0, np.rint(values / step[..., None]))
    y, scale = output(rng, shape, "i8"), output(rng, shape[:-1], "f32")
    run(name, x, smooth, y, scale, outputs=[y, scale], expected=[wanted, step])


@operator("rows of four bits", cases=0.3)
def dynamic_quant_four_bits(rng, _):
    words = bool(rng.integers(0, 2))
    shape = random_shape(rng, int(rng.integers(1, 4))) + ((8 if words else 2) * int(rng.integers(1, 9)),)
    x = random_tensor(rng, shape, choose(rng, ("f16", "bf16")))
    step = np.abs(x.values().astype(np.float32)).max(-1) / np.float32(7)
    with np.errstate(all="ignore"):
        wanted = np.where(step[..., None] == 0, 0, np.rint(x.values().astype(np.float32) / step[..., None]))
    y, scale = FourBits(np.full(shape, 5), words, 8 * int(rng.integers(0, 2))), output(rng, shape[:-1], "f32")
    around = np.delete(y.memory.values(), np.arange(y.offset // 2, (y.offset + wanted.size) // 2))
    run("aclnnDynamicQuant", x, None, y, scale, outputs=[scale], expected=[step])
    assert np.array_equal(y.values(), wanted), (x.values(), y.values(), wanted)
    assert np.array_equal(around, np.delete(y.memory.values(), np.arange(y.offset // 2, (y.offset + wanted.size) // 2)))


@operator("bad input of quantised products", cases=0.05)
def bad_quant(rng, _):
    a, b, s, out = Tensor((2, 3), "i8"), Tensor((3, 4), "i8"), Tensor((4,), "f32"), Tensor((2, 4), "f16")
    name = "aclnnQuantMatmulV4"
    refused(161001, name, a, b, None, None, None, None, False, False, out, text="scale is null")
    refused(161002, name, a, Tensor((3, 4), "f16"), s, None, None, None, False, False, out, text="x2 has the type")
    refused(161002, name, a, b, s, None, None, None, True, False, out, text="x2 has the shape")
    refused(161002, name, a, b, Tensor((3,), "f32"), None, None, None, False, False, out, text="scale has the shape")
    refused(161002, name, a, b, s, s, None, None, False, False, out, text="offset is given")
    name, x, y = "aclnnDynamicQuant", Tensor((2, 3), "f16"), Tensor((2, 3), "i8")
    refused(161002, name, Tensor((2, 3), "f32"), None, y, Tensor((2,), "f32"), text="x has the type FLOAT")
    refused(161002, name, x, None, y, Tensor((3,), "f32"), text="scaleOut has the shape [3]; expected [2]")
    refused(161002, name, x, None, FourBits(np.zeros((2, 3), int)), Tensor((2,), "f32"),
            text="rows that each begin with a byte")
    refused(161002, name, x, None, Tensor((2, 3), "i32"), Tensor((2,), "f32"), text="multiple of 8 as the last dim")
    refused(161002, name, x, Tensor((2,), "f16"), y, Tensor((2,), "f32"), text="smoothScalesOptional has the shape")


def grouped(name, x, weight, bias, groups, item, kind, y, counts=False):
    if name.endswith("V3"):
        return (x, weight, bias, *[None] * 4, groups, item, kind, y)
    return (x, weight, bias, *[None] * 5, groups, *[None] * 3, item, kind, int(counts), 0, y, None, None)


@operator("aclnnGroupedMatmulV3", "aclnnGroupedMatmulV4")
def grouped_matmul(rng, name):
    dtype, count = choose(rng, SHORT), int(rng.integers(1, 5))
    rows = [int(v) for v in rng.integers(0, 12, count)]
    k, n, counts = size(rng, True), size(rng), name.endswith("V4") and bool(rng.integers(0, 2))
    ends = Tensor((count,), "i64", values=rows if counts else np.cumsum(rows))
    total = sum(rows)
    cut = lambda a: np.split(a, np.cumsum(rows)[:-1])  # noqa: E731
    kind = int(rng.integers(0, 4))
    if kind == 0:  # the inner dim is split
        m = size(rng, True)
        x, w = matrix(rng, (m, total), dtype), matrix(rng, (total, n), dtype)
        out = result(rng, (count, m, n), dtype)
        wanted = np.stack([a.T @ b for a, b in zip(cut(x.values().T), cut(w.values()))])
        run(name, *grouped(name, [x], [w], None, ends, 3, 2, [out], counts), outputs=[out], expected=[wanted], scale=4)
        return
    single = bool(rng.integers(0, 2))
    weights = [matrix(rng, (count, k, n), dtype)] if single else [matrix(rng, (k, n), dtype) for _ in range(count)]
    factors = list(weights[0].values()) if single else [w.values() for w in weights]
    bias = [random_tensor(rng, (n,), dtype) for _ in range(count)] if rng.integers(0, 2) else None
    more = [b.values() for b in bias] if bias else [0] * count
    if kind == 1:  # rows of one tensor, counted on the device; those behind the last group stay as they are
        x, out = matrix(rng, (total, k), dtype), output(rng, (total, n), dtype)
        wanted = np.concatenate([a @ f + b for a, f, b in zip(cut(x.values()), factors, more)])
        run(name, *grouped(name, [x], weights, bias, ends, 3, 0, [out], counts), outputs=[out], expected=[wanted],
            scale=6)
        return
    xs = [matrix(rng, (r, k), dtype) for r in rows]
    wanted = [a.values() @ f + b for a, f, b in zip(xs, factors, more)]
    if kind == 2:
        outs = [output(rng, (r, n), dtype) for r in rows]
        run(name, *grouped(name, xs, weights, bias, None, 0, -1, outs), outputs=outs, expected=wanted, scale=6)
    else:
        out = output(rng, (total, n), dtype)
        run(name, *grouped(name, xs, weights, bias, None, 3, 0, [out]), outputs=[out],
            expected=[np.concatenate(wanted)], scale=6)


@operator("bytes in grouped products")
def grouped_bytes(rng, _):
    name = choose(rng, ("aclnnGroupedMatmulV3", "aclnnGroupedMatmulV4"))
    count, k, n = int(rng.integers(1, 5)), size(rng), size(rng)
    rows = [int(v) for v in rng.integers(0, 12, count)]
    total, counts = sum(rows), name.endswith("V4") and bool(rng.integers(0, 2))
    ends = Tensor((count,), "i64", values=rows if counts else np.cumsum(rows))
    x = random_tensor(rng, (total, k), "i8", -128, 127)
    single = rng.integers(0, 2)
    whole = (lambda shape, *a: [random_tensor(rng, (count,) + shape, *a)]) if single else (
        lambda shape, *a: [random_tensor(rng, shape, *a) for _ in range(count)])
    weights, scales = whole((k, n), "i8", -128, 127), whole((n,), choose(rng, ("f32", "bf16")), 1e-4, 1e-3)
    bias = whole((n,), "i32", -9999, 9999) if rng.integers(0, 2) else None
    tokens = [random_tensor(rng, (total,), "f32", 0.5, 2)] if name.endswith("V4") and rng.integers(0, 2) else None
    each = lambda given: given[0].values() if single else [one.values() for one in given]  # noqa: E731
    more = each(bias) if bias else [0] * count
    wanted = np.concatenate([(a.astype(np.float64) @ w + b) * s for a, w, b, s in zip(
        np.split(x.values(), np.cumsum(rows)[:-1]), each(weights), more, each(scales))])
    if tokens:
        wanted = wanted * tokens[0].values()[:, None]
    out = output(rng, (total, n), choose(rng, ("f16", "bf16")))
    arguments = list(grouped(name, [x], weights, bias, ends, 3, 0, [out], counts))
    arguments[3] = scales
    if tokens:
        arguments[7] = tokens
    run(name, *arguments, outputs=[out], expected=[wanted], scale=6)


@operator("weights in few bits in grouped products")
def grouped_weights(rng, _):
    name = choose(rng, ("aclnnGroupedMatmulV3", "aclnnGroupedMatmulV4"))
    dtype, count, k, n = choose(rng, ("f16", "bf16")), int(rng.integers(1, 4)), 2 * size(rng), 2 * size(rng)
    rows = [int(v) for v in rng.integers(0, 12, count)]
    total, counts = sum(rows), name.endswith("V4") and bool(rng.integers(0, 2))
    ends = Tensor((count,), "i64", values=rows if counts else np.cumsum(rows))
    x, out = matrix(rng, (total, k), dtype), output(rng, (total, n), dtype)
    single, four = bool(rng.integers(0, 2)), bool(rng.integers(0, 2))
    make = (lambda s: FourBits(rng.integers(-8, 8, s))) if four else (lambda s: random_tensor(rng, s, "i8", -128, 127))
    whole = lambda f, shape: [f((count,) + shape)] if single else [f(shape) for _ in range(count)]  # noqa: E731
    parts = choose(rng, ((n,), (2, n)))
    some = lambda low, high: lambda s: random_tensor(rng, s, dtype, low, high)  # noqa: E731
    weights, scales = whole(make, (k, n)), whole(some(0.001, 0.01), parts)
    offsets = whole(some(-3, 3), parts) if rng.integers(0, 2) else None
    bias = whole(some(-1, 1), (n,)) if rng.integers(0, 2) else None
    each = lambda given: given[0].values() if single else [one.values() for one in given]  # noqa: E731
    spread = lambda a: a.repeat(k // 2, 0) if a.ndim == 2 else a  # noqa: E731
    nothing = [np.zeros(1)] * count
    wanted = np.concatenate([a @ ((w + spread(o)) * spread(s)) + b for a, w, o, s, b in zip(
        np.split(x.values(), np.cumsum(rows)[:-1]), each(weights), each(offsets) if offsets else nothing, each(scales),
        each(bias) if bias else nothing)])
    arguments = list(grouped(name, [x], weights, bias, ends, 3, 0, [out], counts))
    arguments[5], arguments[6] = scales, offsets
    run(name, *arguments, outputs=[out], expected=[wanted], scale=10)


@operator("bad input of grouped products", cases=0.05)
def bad_grouped(rng, _):
    x, w, y = Tensor((4, 3), "f32"), Tensor((2, 3, 5), "f32"), Tensor((4, 5), "f32")
    ends = Tensor((2,), "i64", values=[1, 4])
    for name in ("aclnnGroupedMatmulV3", "aclnnGroupedMatmulV4"):
        good = grouped(name, [x], [w], None, ends, 3, 0, [y])
        for change, code, text in (
                ((0, None), 161001, "x is null"), ((1, [Tensor((2, 4, 5), "f32")]), 161002, "weight has the shape"),
                ((1, [Tensor((2, 3, 5), "i32")]), 161002, "weight has the type INT32"),
                ((1, [Tensor((2, 3, 5), "i8")]), 161001, "antiquantScaleOptional is null; expected it, as weight"),
                ((3, [y]), 161002, "scaleOptional is given; expected null, as x and weight are not INT8"),
                ((0, [Tensor((4, 3), "i8")]), 161001, "scaleOptional is null; expected it, as x is INT8"),
                ((2, [y, y, y]), 161002, "biasOptional has 3 members; expected one for each of 2 groups")):
            refused(code, name, *(change[1] if i == change[0] else v for i, v in enumerate(good)), text=text)
        refused(161002, name, *grouped(name, [x], [w], None, None, 3, 0, [y]), text="groupListOptional is null")
        refused(161002, name, *grouped(name, [x], [w], None, ends, 4, 0, [y]), text="splitItem is 4")
        refused(161002, name, *grouped(name, [x], [w], None, ends, 3, 1, [y]), text="groupType is 1")


if __name__ == "__main__":
    start()
    sys.exit(main(120))
