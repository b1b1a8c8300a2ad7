# SPDX-License-Identifier: Apache-2.0
"""Slopes and steps of optimisers, beside numpy."""

import sys

import numpy as np

from binding import COMPLEX, Scalar, Tensor, acl, call, start
from cases import choose, main, operator, output, random_shape, random_tensor, refused, run

FLOATS = ("f32", "f16", "bf16")


def gelu_slope(x):
    inner = np.sqrt(2 / np.pi) * (x + 0.044715 * x ** 3)
    t = np.tanh(inner)
    return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * np.sqrt(2 / np.pi) * (1 + 3 * 0.044715 * x * x)


def silu_slope(x):
    s = 1 / (1 + np.exp(-x))
    return s * (1 + x * (1 - s))


SLOPES = {
    "aclnnGeluBackward": (FLOATS, gelu_slope),
    "aclnnSiluBackward": (FLOATS, silu_slope),
    "aclnnSigmoidBackward": (FLOATS + ("f64", "c64", "c128"), lambda y: y * (1 - y)),
    "aclnnTanhBackward": (FLOATS + ("f64",), lambda y: 1 - y * y),
}


@operator(*SLOPES)
def slopes(rng, name):
    types, slope = SLOPES[name]
    dtype = choose(rng, types)
    shape = random_shape(rng)
    g, x = random_tensor(rng, shape, dtype), random_tensor(rng, shape, dtype)
    y = g if rng.integers(0, 4) == 0 and 0 not in g.strides else output(rng, shape, dtype)
    expected = g.values() * slope(x.values())
    run(name, g, x, y, outputs=[y], expected=[expected], scale=120.0 if dtype in COMPLEX else 60.0)


@operator("aclnnThresholdBackward")
def threshold(rng, name):
    dtype = choose(rng, FLOATS + ("i8", "u8", "i32", "i64"))
    shape = random_shape(rng)
    g, x, y = random_tensor(rng, shape, dtype), random_tensor(rng, shape, dtype), output(rng, shape, dtype)
    limit = choose(rng, (0.0, 1.5, -2.0))
    run(name, g, x, Scalar(limit, "f32"), y, outputs=[y], expected=[np.where(x.values() > limit, g.values(), 0)])


@operator("aclnnBatchNorm")
def batch_norm(rng, name):
    dtype = choose(rng, FLOATS)
    shape = random_shape(rng, int(rng.integers(2, 6)), most=5, least=1)
    if rng.integers(0, 4) == 0:
        shape = (30, 7, 40, 20)
    channels = shape[1]
    x, y = random_tensor(rng, shape, dtype, -10, 10), output(rng, shape, dtype)
    weight, bias = (choose(rng, (None, random_tensor(rng, (channels,), dtype))) for _ in range(2))
    training = bool(rng.integers(0, 2))
    running = [output(rng, (channels,), "f32").set(rng.uniform(0.5, 2, channels)) for _ in range(2)]
    given = running if not training or rng.integers(0, 2) else [None, None]
    saved = [output(rng, (channels,), "f32") for _ in range(2)]
    momentum, eps = 0.25, 1e-2
    axes = tuple(d for d in range(len(shape)) if d != 1)
    wide = (1, channels) + (1,) * (len(shape) - 2)
    values = x.values()
    mean, variance = (values.mean(axes), values.var(axes)) if training else [t.values() for t in running]
    rstd = 1 / np.sqrt(variance + eps)
    expected = (values - mean.reshape(wide)) * rstd.reshape(wide)
    expected = expected * (weight.values().reshape(wide) if weight else 1) + (bias.values().reshape(wide) if bias else 0)
    outputs, results = [y], [expected]
    if training:
        outputs, results = outputs + saved, results + [mean, rstd]
        if given[0]:
            count = values.size // channels
            sample = variance * count / max(count - 1, 1)
            outputs += running
            results += [0.75 * running[0].values() + 0.25 * mean, 0.75 * running[1].values() + 0.25 * sample]
    run(name, x, weight, bias, *given, training, momentum, eps, y, *saved, outputs=outputs, expected=results, scale=12.0)


@operator("aclnnLayerNormBackward")
def layer_norm_backward(rng, name):
    dtype = choose(rng, FLOATS)
    rank = int(rng.integers(1, 5))
    count = int(rng.integers(1, rank + 1))
    shape = random_shape(rng, rank)
    if rng.integers(0, 10) == 0:
        rank, count, shape = 2, 1, choose(rng, ((300, 500), (2000, 60)))
    own, axes = shape[rank - count:], tuple(range(rank - count, rank))
    rows = tuple(1 if d in axes else n for d, n in enumerate(shape))
    x, g = random_tensor(rng, shape, dtype), random_tensor(rng, shape, dtype)
    weight = choose(rng, (None, random_tensor(rng, own, dtype)))
    values, grad = x.values(), g.values()
    mean = random_tensor(rng, rows, "f32", values=values.mean(axes, keepdims=True))
    rstd = random_tensor(rng, rows, "f32", values=1 / np.sqrt(values.var(axes, keepdims=True) + 0.1))
    mask = [bool(rng.integers(0, 2)) for _ in range(3)]
    outs = [output(rng, s, dtype) if m or rng.integers(0, 2) else None for s, m in zip((shape, own, own), mask)]
    normal = (values - mean.values()) * rstd.values()
    scaled = grad * (weight.values() if weight else 1)
    to_input = (scaled - scaled.mean(axes, keepdims=True)
                - normal * (scaled * normal).mean(axes, keepdims=True)) * rstd.values()
    others = tuple(range(rank - count))
    results = [to_input, (grad * normal).sum(others), grad.sum(others)]
    wanted = [(o, r) for o, r, m in zip(outs, results, mask) if m]
    if not wanted:
        return
    many = int(np.prod(shape[:rank - count]))
    run(name, g, x, own, mean, rstd, weight, None, mask, *outs, outputs=[o for o, _ in wanted],
        expected=[r for _, r in wanted], scale=40.0 + many)


@operator("aclnnEmbeddingDenseBackward")
def embedding_backward(rng, name):
    dtype = choose(rng, FLOATS)
    shape = random_shape(rng, int(rng.integers(0, 4)))
    rows, columns = (int(n) for n in rng.integers(1, 9, 2))
    g = random_tensor(rng, shape + (columns,), dtype)
    indexes = random_tensor(rng, shape, choose(rng, ("i32", "i64")), 0, rows - 1)
    padding = int(choose(rng, ((1 << 64) - 1, int(rng.integers(0, rows)))))
    by_frequency = bool(rng.integers(0, 2))
    y = output(rng, (rows, columns), dtype)
    expected = np.zeros((rows, columns))
    numbers = indexes.values().reshape(-1)
    np.add.at(expected, numbers, g.values().reshape(-1, columns))
    counts = np.bincount(numbers, minlength=rows)
    if by_frequency:
        expected /= np.maximum(counts, 1)[:, None]
    if padding < rows:
        expected[padding] = 0
    run(name, g, indexes, rows, padding, by_frequency, y, outputs=[y], expected=[expected], scale=40.0)


@operator("aclnnApplyAdamWV2")
def adam(rng, name):
    dtype = choose(rng, FLOATS)
    shape = (70001,) if rng.integers(0, 20) == 0 else random_shape(rng)
    var, m = (output(rng, shape, dtype).set(rng.uniform(-2, 2, shape)) for _ in range(2))
    v, top = (output(rng, shape, dtype).set(rng.uniform(0.1, 2, shape)) for _ in range(2))
    grad = random_tensor(rng, shape, dtype)
    amsgrad, maximize = bool(rng.integers(0, 2)), bool(rng.integers(0, 2))
    step = Tensor(choose(rng, ((), (1,))), choose(rng, ("f32", "i64")), values=int(rng.integers(1, 20)))
    rate, b1, b2, decay, eps = 0.1, 0.9, 0.99, 0.2, 1e-4
    g = -grad.values() if maximize else grad.values()
    new_m = b1 * m.values() + (1 - b1) * g
    new_v = b2 * v.values() + (1 - b2) * g * g
    square = np.maximum(top.values(), new_v) if amsgrad else new_v
    n = float(step.values())
    new_var = var.values() * (1 - rate * decay) - rate / (1 - b1 ** n) * new_m / (
        np.sqrt(square / (1 - b2 ** n)) + eps)
    outputs, expected = [var, m, v], [new_var, new_m, new_v]
    if amsgrad:
        outputs.append(top)
        expected.append(square)
    run(name, var, m, v, top if amsgrad or rng.integers(0, 2) else None, grad, step, rate, b1, b2, decay, eps, amsgrad,
        maximize, outputs=outputs, expected=expected, scale=4.0)


@operator("aclnnForeachAddList")
def add_lists(rng, name):
    dtype = choose(rng, FLOATS + ("i8", "u8", "i16", "i32"))
    shapes = [random_shape(rng, least=0) for _ in range(int(rng.integers(0, 5)))]
    a, b = ([random_tensor(rng, shape, dtype) for shape in shapes] for _ in range(2))
    y = [output(rng, shape, dtype) for shape in shapes]
    factor = 2 if dtype not in FLOATS else choose(rng, (1.5, -2.0))
    alpha = Tensor(choose(rng, ((), (1,))), "i32" if dtype not in FLOATS else choose(rng, ("f32", "f16")), values=factor)
    run(name, a, b, alpha, y, outputs=y, expected=[s.values() + factor * t.values() for s, t in zip(a, b)], scale=12.0)


@operator("bad input of slopes and steps", cases=0.01)
def bad_input(rng, _):
    x, y, one = Tensor((2, 3), "f32"), Tensor((2, 3), "f32"), Tensor((1,), "f32", values=1.0)
    refused(161001, "aclnnGeluBackward", None, x, y, text="gradOutput")
    refused(161002, "aclnnSiluBackward", x, one, y, text="self has the shape [1]")
    refused(161002, "aclnnTanhBackward", Tensor((2, 3), "i32"), x, y, text="gradOutput has the type")
    refused(161001, "aclnnThresholdBackward", x, y, None, y, text="threshold")
    refused(161002, "aclnnBatchNorm", x, one, None, None, None, True, 0.1, 1e-5, y, None, None, text="weight has")
    refused(161002, "aclnnBatchNorm", x, None, None, None, None, False, 0.1, 1e-5, y, None, None, text="running")
    rows = Tensor((2, 1), "f32")
    refused(161002, "aclnnLayerNormBackward", x, y, [3], rows, rows, None, None, [True, False], None, None, None,
            text="outputMask has 2")
    refused(161002, "aclnnLayerNormBackward", x, y, [3], rows, rows, None, None, [True, False, False], None, None, None,
            text="gradInputOut is null")
    refused(161002, "aclnnApplyAdamWV2", x, x, x, None, y, one, .1, .9, .9, 0., 1e-8, True, False, text="maxGradNorm")
    refused(161002, "aclnnForeachAddList", [x], [y, y], one, [x], text="x1 has 1 tensors")
    indexes = Tensor((2,), "i64", values=[0, 4])
    refused(161002, "aclnnEmbeddingDenseBackward", x, indexes, 3, 9, False, one, text="out has the shape [1]")
    held = Tensor((4, 3), "f32")  # until the task has run
    call("aclnnEmbeddingDenseBackward", x.set(0), indexes, 4, 9, False, held, wait=False)
    assert acl.aclrtSynchronizeStream(None) != 0, "an index that is none must be reported"


if __name__ == "__main__":
    start()
    sys.exit(main(120))
