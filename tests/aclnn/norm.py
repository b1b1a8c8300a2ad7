# SPDX-License-Identifier: Apache-2.0
"""Softmax and norms, beside numpy."""

import sys

import numpy as np

from binding import Tensor, start
from cases import choose, main, operator, output, random_shape, random_tensor, refused, run

FLOATS = ("f32", "f16", "bf16")
ALL_FLOATS = FLOATS + ("f64",)


def softmax(x, axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def log_softmax(x, axis):
    shifted = x - x.max(axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis, keepdims=True))


def any_dim(rng, rank):
    span = max(rank, 1)
    return int(rng.integers(-span, span))


def shape_for_rows(rng, least=1):
    shape = list(random_shape(rng, least=least))
    if shape and rng.integers(0, 3) == 0:
        shape[int(rng.integers(0, len(shape)))] = int(rng.integers(1, 300))
    return tuple(shape)


@operator("aclnnSoftmax", "aclnnLogSoftmax")
def softmaxes(rng, name):
    dtype = choose(rng, ALL_FLOATS)
    x = random_tensor(rng, shape_for_rows(rng), dtype, -20, 20)
    y = x if rng.integers(0, 4) == 0 and 0 not in x.strides else output(rng, x.shape, choose(rng, (dtype, "f32")))
    dim = any_dim(rng, len(x.shape))
    values = x.values()
    function = softmax if name == "aclnnSoftmax" else log_softmax
    expected = function(values, dim) if values.ndim else function(values[None], 0)[0]
    run(name, x, dim, y, outputs=[y], expected=[expected], scale=20.0 if name == "aclnnLogSoftmax" else 1.0)


@operator("softmax of special rows", cases=0.01)
def special_softmax(rng, _):
    inf = np.inf
    rows = np.array([[0, -inf, 0, -inf], [-inf] * 4, [np.nan, 1, 2, 3], [inf, 1, 2, 3], [1e30, -1e30, 0, 0]])
    expected = np.array([[.5, 0, .5, 0], [np.nan] * 4, [np.nan] * 4, [np.nan] * 4, [1, 0, 0, 0]])
    for dtype in ("f32", "f64"):
        x, y = Tensor(rows.shape, dtype, values=rows), Tensor(rows.shape, dtype)
        run("aclnnSoftmax", x, 1, y, outputs=[y], expected=[expected])
    empty, nothing = Tensor((3, 0), "f32"), Tensor((3, 0), "f32")
    run("aclnnSoftmax", empty, 1, nothing, outputs=[nothing], expected=[np.zeros((3, 0))])
    large = Tensor((40, 5000), "f32", values=rng.uniform(-9, 9, (40, 5000)))
    run("aclnnSoftmax", large, 1, large, outputs=[large], expected=[softmax(large.values(), 1)], tolerance=1e-6)


@operator("aclnnSoftmaxBackward")
def softmax_backward(rng, name):
    dtype = choose(rng, FLOATS)
    shape = shape_for_rows(rng)
    g, y, x = random_tensor(rng, shape, dtype), random_tensor(rng, shape, dtype, 0, 1), output(rng, shape, dtype)
    dim = any_dim(rng, len(shape))
    grad, result = g.values(), y.values()
    if not shape:
        grad, result = grad[None], result[None]
    expected = ((grad - (grad * result).sum(dim, keepdims=True)) * result).reshape(shape)
    run(name, g, y, dim, x, outputs=[x], expected=[expected], scale=300.0)


def last_axes(rank, count):
    return tuple(range(rank - count, rank))


def whole_numbers(scale, shape):
    """The numbers of the rows first, then the old contents."""
    numbers = np.full(shape, 7.0, np.float32).ravel()
    numbers[:scale.size] = scale.ravel()
    return numbers.reshape(shape)


@operator("aclnnRmsNorm", "aclnnAddRmsNorm")
def rms_norm(rng, name):
    dtype = choose(rng, FLOATS)
    rank = int(rng.integers(1, 5))
    count = int(rng.integers(1, rank + 1))
    shape = random_shape(rng, rank)
    gamma = random_tensor(rng, shape[rank - count:], choose(rng, (dtype, "f32")))
    eps = float(choose(rng, (1e-6, 1e-5, 0.1)))
    axes = last_axes(rank, count)
    rows = tuple(1 if d in axes else n for d, n in enumerate(shape))
    rstd = choose(rng, (None, output(rng, rows, "f32"), output(rng, shape[:rank - count], "f32")))
    whole = name == "aclnnRmsNorm" and rng.integers(0, 8) == 0  # as older versions of llama.cpp give it
    if whole:
        rstd = Tensor(shape, "f32").set(np.full(shape, 7.0, np.float32))
    y = output(rng, shape, dtype)
    x1 = random_tensor(rng, shape, dtype, -10, 10)
    x = x1.values()
    if name == "aclnnRmsNorm":
        arguments, outputs = (x1, gamma, eps, y, rstd), [y]
        total = None
    else:
        x2 = random_tensor(rng, shape, dtype, -10, 10)
        x = x + x2.values()
        total = choose(rng, (None, output(rng, shape, dtype)))
        arguments, outputs = (x1, x2, gamma, eps, y, rstd, total), [y]
    scale = 1 / np.sqrt((x * x).mean(axes, keepdims=True) + eps)
    expected = [x * scale * gamma.values()]
    if rstd:
        outputs.append(rstd)
        expected.append(whole_numbers(scale, shape) if whole else scale.reshape(rstd.shape))
    if total:
        outputs.append(total)
        expected.append(x)
    run(name, *arguments, outputs=outputs, expected=expected, scale=4.0)


def mean_norm(x, axes, eps, weight=None, bias=None):
    mean, variance = x.mean(axes, keepdims=True), x.var(axes, keepdims=True)
    rstd = 1 / np.sqrt(variance + eps)
    y = (x - mean) * rstd
    y = y * (1 if weight is None else weight) + (0 if bias is None else bias)
    return y, mean, rstd


@operator("aclnnLayerNorm")
def layer_norm(rng, name):
    dtype = choose(rng, FLOATS)
    rank = int(rng.integers(1, 5))
    count = int(rng.integers(1, rank + 1))
    shape = random_shape(rng, rank)
    own = shape[rank - count:]
    x, y = random_tensor(rng, shape, dtype, -10, 10), output(rng, shape, dtype)
    weight, bias = (choose(rng, (None, random_tensor(rng, own, dtype))) for _ in range(2))
    eps = float(choose(rng, (1e-5, 0.1)))
    axes = last_axes(rank, count)
    rows = tuple(1 if d in axes else n for d, n in enumerate(shape))
    mean, rstd = (choose(rng, (None, output(rng, rows, "f32"))) for _ in range(2))
    results = mean_norm(x.values(), axes, eps, *(t.values() if t else None for t in (weight, bias)))
    given = [(t, r) for t, r in zip((y, mean, rstd), results) if t]
    run(name, x, own, weight, bias, eps, y, mean, rstd, outputs=[t for t, _ in given],
        expected=[r for _, r in given], scale=8.0)


@operator("aclnnGroupNorm")
def group_norm(rng, name):
    dtype = choose(rng, FLOATS)
    n, group, part = (int(rng.integers(1, 5)) for _ in range(3))
    inner = random_shape(rng, int(rng.integers(0, 3)))
    channels, size = group * part, int(np.prod(inner))
    shape = (n, channels) + inner
    x, y = random_tensor(rng, shape, dtype, -10, 10), output(rng, shape, dtype)
    gamma, beta = (choose(rng, (None, random_tensor(rng, (channels,), dtype))) for _ in range(2))
    mean, rstd = output(rng, (n, group), "f32"), output(rng, (n, group), "f32")
    values = x.values().reshape(n, group, -1)
    eps = 1e-2
    per_channel = (1, channels) + (1,) * len(inner)
    normal, m, r = mean_norm(values, 2, eps)
    expected = normal.reshape(shape)
    if gamma:
        expected = expected * gamma.values().reshape(per_channel)
    if beta:
        expected = expected + beta.values().reshape(per_channel)
    run(name, x, gamma, beta, n, channels, size, group, eps, y, mean, rstd, outputs=[y, mean, rstd],
        expected=[expected, m.reshape(n, group), r.reshape(n, group)], scale=10.0)


@operator("numbers of group norm that have too little room", cases=0.1)
def group_norm_of_llama(rng, _):
    """Two buffers of N * groups bytes, side by side: nothing behind them may be written."""
    n, group = int(rng.integers(1, 4)), int(rng.integers(1, 9))
    x = Tensor((n, group * 2, 3, 2), "f32", values=rng.uniform(-10, 10, (n, group * 2, 3, 2)))
    y = Tensor(x.shape, "f32")
    room = Tensor((2 * n * group,), "u8", values=7)
    room.watch()

    class Numbers(Tensor):
        def __init__(self, place):
            self.dtype, self.shape, self.strides, self.storage = "f32", (n, group), (group, 1), n * group
            self.data, self.first = place, 0

    mean = Numbers(room.data)
    rstd = Numbers(room.data + n * group)
    expected = mean_norm(x.values().reshape(n, group, -1), 2, 1e-5)[0].reshape(x.shape)
    run("aclnnGroupNorm", x, None, None, n, group * 2, 6, group, 1e-5, y, mean, rstd, outputs=[y],
        expected=[expected], scale=4.0)
    assert room.intact(), "bytes behind the numbers were written"


@operator("bad input of softmax and norms", cases=0.01)
def bad_input(rng, _):
    x, y, small, ints = Tensor((2, 3), "f32"), Tensor((2, 3), "f32"), Tensor((2,), "f32"), Tensor((2, 3), "i32")
    refused(161001, "aclnnSoftmax", None, 0, y, text="self")
    refused(161001, "aclnnSoftmax", x, 0, None, text="out")
    refused(161002, "aclnnSoftmax", ints, 0, y, text="self has the type INT32")
    refused(161002, "aclnnSoftmax", x, 2, y, text="dim is 2")
    refused(161002, "aclnnLogSoftmax", x, 0, small, text="out has the shape [2]")
    refused(161002, "aclnnRmsNorm", x, small, 1e-5, y, None, text="gamma has the shape [2]")
    refused(161002, "aclnnRmsNorm", x, Tensor((3,), "f32"), 1e-5, y, Tensor((5,), "f32"), text="rstdOut")
    refused(161002, "aclnnAddRmsNorm", x, small, Tensor((3,), "f32"), 1e-5, y, None, None, text="x2 has the shape")
    refused(161001, "aclnnRmsNorm", x, None, 1e-5, y, None, text="gamma")
    refused(161002, "aclnnLayerNorm", x, [2], None, None, 1e-5, y, None, None, text="normalizedShape")
    refused(161002, "aclnnLayerNorm", x, [3], small, None, 1e-5, y, None, None, text="weightOptional")
    numbers = Tensor((2, 1), "f32")
    refused(161002, "aclnnGroupNorm", x, None, None, 2, 3, 1, 2, 1e-5, y, numbers, numbers, text="group is 2")
    refused(161002, "aclnnGroupNorm", x, None, None, 2, 3, 2, 1, 1e-5, y, numbers, numbers, text="elements")


if __name__ == "__main__":
    start()
    sys.exit(main(120))
