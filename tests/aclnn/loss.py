# SPDX-License-Identifier: Apache-2.0
"""Losses, beside numpy."""

import sys

import numpy as np

from binding import Tensor, acl, call, start
from cases import (broadcastable, choose, main, operator, output, random_shape, random_tensor, random_values, refused,
                   run)

FLOATS = ("f32", "f16", "bf16")


def reduced(values, reduction):
    return values if reduction == 0 else values.mean() if reduction == 1 else values.sum()


def some_shape(rng):
    return choose(rng, ((200003,), (3, 50021))) if rng.integers(0, 20) == 0 else random_shape(rng)


@operator("aclnnMseLoss", "aclnnL1Loss")
def distances(rng, name):
    reduction = int(rng.integers(0, 3))
    dtype = choose(rng, FLOATS + (("i64",) if name == "aclnnL1Loss" and reduction != 1 else ()))
    shape = some_shape(rng)
    other = dtype if dtype == "i64" else choose(rng, (dtype, "f32"))
    a, b = random_tensor(rng, shape, dtype), random_tensor(rng, broadcastable(rng, shape), other)
    if rng.integers(0, 2):
        a, b = b, a
    y = output(rng, () if reduction else shape, choose(rng, (dtype, "f32")) if dtype != "i64" else dtype)
    if other == "f32" and y.dtype != "f32" and reduction == 2:
        y = output(rng, (), "f32")
    difference = a.values() - b.values()
    each = difference ** 2 if name == "aclnnMseLoss" else np.abs(difference)
    expected = reduced(np.broadcast_to(each, shape), reduction)
    run(name, a, b, reduction, y, outputs=[y], expected=[expected], scale=4.0 if reduction != 2 else each.sum())


@operator("aclnnBinaryCrossEntropyWithLogits")
def binary(rng, name):
    dtype, reduction = choose(rng, FLOATS), int(rng.integers(0, 3))
    shape = some_shape(rng)
    x, t = random_tensor(rng, shape, dtype, -30, 30), random_tensor(rng, shape, dtype, 0, 1)
    weight, positive = (choose(rng, (None, random_tensor(rng, broadcastable(rng, shape), dtype, 0.5, 3)))
                        for _ in range(2))
    y = output(rng, () if reduction else shape, "f32")
    values, truth = x.values(), t.values()
    each = (1 - truth) * values + (1 + ((positive.values() if positive else 1) - 1) * truth) * (
        np.log1p(np.exp(-np.abs(values))) + np.maximum(-values, 0))
    expected = reduced(each * (weight.values() if weight else 1), reduction)
    run(name, x, t, weight, positive, reduction, y, outputs=[y], expected=[expected], scale=30.0)


def log_softmax(x):
    shifted = x - x.max(-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))


@operator("aclnnSoftmaxCrossEntropyWithLogits")
def cross_entropy(rng, name):
    dtype = choose(rng, FLOATS)
    shape = choose(rng, (random_shape(rng, 2), (int(rng.integers(1, 9)), int(rng.integers(1, 3000)))))
    x = random_tensor(rng, shape, dtype, -9, 9)
    truth = random_values(rng, shape, "f32", 0, 1)
    labels = random_tensor(rng, shape, dtype, values=truth / truth.sum(-1, keepdims=True))
    loss, slope = output(rng, choose(rng, (shape[:1], shape[:1] + (1,))), dtype), output(rng, shape, dtype)
    logs = log_softmax(x.values())
    expected = -(labels.values() * logs).sum(-1).reshape(loss.shape)
    run(name, x, labels, loss, slope, outputs=[loss, slope], expected=[expected, np.exp(logs) - labels.values()],
        scale=4.0)


@operator("aclnnNLLLoss")
def by_class(rng, name):
    dtype, reduction = choose(rng, FLOATS), int(rng.integers(0, 3))
    rows, classes = (int(n) for n in rng.integers(1, 20, 2))
    single = rng.integers(0, 4) == 0
    rows = 1 if single else rows
    x = random_tensor(rng, (classes,) if single else (rows, classes), dtype, -9, 0)
    weight = random_tensor(rng, (classes,), dtype, 0.5, 2)
    numbers = rng.integers(0, classes, rows)
    ignored = int(choose(rng, (-100, int(numbers[0]))))
    target = random_tensor(rng, () if single else (rows,), choose(rng, ("i32", "i64", "u8")),
                           values=numbers[0] if single else numbers)
    numbers = target.values().reshape(rows)
    y = output(rng, () if reduction or single else (rows,), "f32")
    total = output(rng, (), "f32")
    values = x.values().reshape(rows, classes)
    weights = np.where(numbers == ignored, 0, weight.values()[numbers])
    each = -weights * values[np.arange(rows), numbers]
    with np.errstate(all="ignore"):
        expected = each.reshape(y.shape) if reduction == 0 else each.sum() if reduction == 2 else each.sum() / weights.sum()
    run(name, x, target, weight, reduction, ignored, y, total, outputs=[y, total],
        expected=[expected, weights.sum() if reduction else 0], scale=9.0)


@operator("bad input of losses", cases=0.01)
def bad_input(rng, _):
    x, y, one = Tensor((2, 3), "f32"), Tensor((2, 3), "f32"), Tensor((), "f32")
    refused(161001, "aclnnMseLoss", x, None, 0, y, text="target")
    refused(161002, "aclnnMseLoss", x, y, 3, y, text="reduction is 3")
    refused(161002, "aclnnMseLoss", x, Tensor((2, 4), "f32"), 0, y, text="do not broadcast")
    refused(161002, "aclnnL1Loss", x, y, 1, y, text="one element")
    refused(161002, "aclnnBinaryCrossEntropyWithLogits", x, one, None, None, 0, y, text="target has the shape []")
    refused(161002, "aclnnSoftmaxCrossEntropyWithLogits", x, y, one, y, text="loss has the shape []")
    refused(161002, "aclnnNLLLoss", x, Tensor((3,), "i64"), Tensor((3,), "f32"), 1, 0, one, one, text="target has")
    refused(161002, "aclnnNLLLoss", x, Tensor((2,), "f32"), Tensor((3,), "f32"), 1, 0, one, one, text="target has the type")
    target, weight = Tensor((2,), "i64", values=[0, 3]), Tensor((3,), "f32", values=1.0)
    call("aclnnNLLLoss", x.set(0), target, weight, 1, -100, one, one, wait=False)
    assert acl.aclrtSynchronizeStream(None) != 0, "a class that is none must be reported"


if __name__ == "__main__":
    start()
    sys.exit(main(120))
