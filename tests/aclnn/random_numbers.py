# SPDX-License-Identifier: Apache-2.0
"""Random operators: their statistics, and that a seed and an offset give the same numbers again."""

import sys

import numpy as np

from binding import Tensor, acl, call, start
from cases import choose, main, operator, output, random_shape, random_tensor, refused, run

FLOATS = ("f32", "f16", "bf16")
TYPES = FLOATS + ("f64", "i8", "u8", "i16", "i32", "i64")


def seeds(rng):
    return int(rng.integers(0, 1 << 62)), int(rng.integers(0, 1 << 40))


def checked(name, make, tensor):
    """Calls it twice with the same arguments; the same numbers in any strides, nothing beside them."""
    tensor.watch()
    call(name, *make(tensor))
    assert tensor.intact(), f"{name}: bytes beside the output were written"
    again = Tensor(tensor.shape, tensor.dtype)
    call(name, *make(again))
    np.testing.assert_array_equal(tensor.values(), again.values())
    return tensor.values()


def near(got, expected, limit, what):
    assert abs(got - expected) <= limit, f"{what} is {got}; expected {expected} to within {limit}"


@operator("aclnnInplaceUniform")
def uniform(rng, name):
    dtype = choose(rng, TYPES)
    many = rng.integers(0, 4) == 0
    shape = choose(rng, ((70001,), (101, 500))) if many else random_shape(rng)
    low = 0.0 if dtype in ("u8",) else float(rng.uniform(-3, 3))
    high = low + float(rng.uniform(0.5, 90))
    seed, offset = seeds(rng)
    x = checked(name, lambda t: (t, low, high, seed, offset), output(rng, shape, dtype))
    rounded = Tensor((), dtype, values=low).values()
    assert (x >= min(rounded, low)).all() and (x < high).all(), f"{dtype}: {x.min()} to {x.max()}, {low} to {high}"
    if many and dtype in FLOATS:
        near(x.mean(), (low + high) / 2, (high - low) * (0.01 if dtype != "bf16" else 0.03), "the mean")
        near(x.std(), (high - low) / np.sqrt(12), (high - low) * 0.01, "the deviation")
        other = Tensor(shape, dtype)
        call(name, other, low, high, seed, offset + 1)
        near(np.corrcoef(x.ravel(), other.values().ravel())[0, 1], 0, 0.02, "the correlation of two offsets")


@operator("aclnnInplaceNormal")
def normal(rng, name):
    dtype = choose(rng, TYPES + ("bool",))
    many = rng.integers(0, 4) == 0
    shape = choose(rng, ((70001,), (101, 500))) if many else random_shape(rng)
    mean, deviation = (50.0, 5.0) if dtype in ("u8", "i8") else (float(rng.uniform(-9, 9)), float(rng.uniform(1, 9)))
    seed, offset = seeds(rng)
    x = checked(name, lambda t: (t, mean, deviation, seed, offset), output(rng, shape, dtype))
    if many and dtype in FLOATS + ("f64",):
        near(x.mean(), mean, deviation * 0.03, "the mean")
        near(x.std(), deviation, deviation * 0.03, "the deviation")
        inside = (np.abs(x - mean) < deviation).mean()
        near(inside, 0.6827, 0.02, "the part within one deviation")
        near(np.corrcoef(x.ravel()[:-1], x.ravel()[1:])[0, 1], 0, 0.02, "the correlation of neighbours")
    if rng.integers(0, 4) == 0 and dtype != "bool":
        still = Tensor((5,), dtype)
        call(name, still, 3.0, 0.0, seed, offset)
        np.testing.assert_array_equal(still.values(), 3)


@operator("aclnnRandperm")
def permutation(rng, name):
    dtype = choose(rng, TYPES)
    n = int(rng.integers(0, 120)) if rng.integers(0, 3) or dtype in ("i8", "u8", "f16", "bf16") else 5000
    seed, offset = seeds(rng)
    x = checked(name, lambda t: (n, seed, offset, t), output(rng, (n,), dtype))
    np.testing.assert_array_equal(np.sort(x), np.arange(n))
    if n > 1000:
        near(np.corrcoef(x, np.arange(n))[0, 1], 0, 0.08, "the correlation with the order")
        near((x == np.arange(n)).sum(), 1, 8, "the number of those in place")


@operator("aclnnMultinomial")
def samples(rng, name):
    dtype = choose(rng, FLOATS + ("f64",))
    rows = choose(rng, ((), (3,), (17,)))
    classes = int(rng.integers(1, 12))
    weights = rng.uniform(0.1, 3, rows + (classes,))
    weights[..., rng.integers(0, classes)] *= choose(rng, (0.0, 1.0)) if classes > 1 else 1.0
    x = random_tensor(rng, rows + (classes,), dtype, values=weights)
    weights = x.values()
    possible = int((weights > 0).sum(-1).min())
    replacement = bool(rng.integers(0, 2)) or possible == 0
    count = int(rng.integers(1, 3000)) if replacement else int(rng.integers(1, possible + 1))
    if possible == 0:
        return
    seed, offset = seeds(rng)
    y = checked(name, lambda t: (x, count, replacement, seed, offset, t), output(rng, rows + (count,), "i64"))
    assert ((y >= 0) & (y < classes)).all()
    assert (np.take_along_axis(weights, y, -1) > 0).all(), "a class without weight was drawn"
    for row, weight in zip(y.reshape(-1, count), weights.reshape(-1, classes)):
        if not replacement:
            assert len(set(row)) == count, "a class was drawn twice"
        elif count > 1000:
            parts = np.bincount(row, minlength=classes) / count
            assert np.abs(parts - weight / weight.sum()).max() < 0.08, (parts, weight / weight.sum())


@operator("samples without replacement come by their weights", cases=0.02)
def first_samples(rng, _):
    x = Tensor((4000, 3), "f32", values=np.broadcast_to([1.0, 2.0, 5.0], (4000, 3)))
    y = Tensor((4000, 2), "i64")
    call("aclnnMultinomial", x, 2, False, *seeds(rng), y)
    first = np.bincount(y.values()[:, 0], minlength=3) / 4000
    assert np.abs(first - np.array([1, 2, 5]) / 8).max() < 0.04, first


def bits_of(mask, count):
    return np.unpackbits(mask.values().astype(np.uint8), bitorder="little")[:count]


@operator("aclnnDropoutGenMaskV2")
def masks(rng, name):
    shape = random_shape(rng) if rng.integers(0, 3) else (1000, int(rng.integers(50, 300)))
    count = int(np.prod(shape))
    size = -(-count // 128) * 16
    prob = float(choose(rng, (0.0, 1.0, 0.5, rng.uniform(0, 1))))
    seed, offset = seeds(rng)
    out = output(rng, (size + int(rng.integers(0, 9)),), "u8").set(0xAA)
    checked(name, lambda t: (list(shape), prob, seed, offset, "f32", t.set(0xAA)), out)
    assert (out.values()[size:] == 0xAA).all(), "bytes behind the mask were written"
    bits = bits_of(out, count)
    if prob in (0.0, 1.0):
        assert (bits == 1 - prob).all()
    elif count > 10000:
        near(bits.mean(), 1 - prob, 0.02, "the part of ones")


@operator("aclnnDropoutDoMask")
def masked(rng, name):
    dtype = choose(rng, FLOATS)
    shape = (90001,) if rng.integers(0, 20) == 0 else random_shape(rng)
    count = int(np.prod(shape))
    x, y = random_tensor(rng, shape, dtype), output(rng, shape, dtype)
    mask = random_tensor(rng, (-(-count // 128) * 16,), "u8", 0, 255)
    prob = float(choose(rng, (0.0, 0.5, 0.9, 1.0)))
    bits = bits_of(mask, count).reshape(shape)
    expected = np.where(bits, x.values() / (1 - prob) if prob != 1 else 0, 0)
    run(name, x, mask, prob, y, outputs=[y], expected=[expected], scale=4.0)


@operator("bad input of random operators", cases=0.01)
def bad_input(rng, _):
    x, index = Tensor((4,), "f32"), Tensor((4,), "i64")
    refused(161001, "aclnnInplaceUniform", None, 0.0, 1.0, 1, 0, text="selfRef")
    refused(161002, "aclnnInplaceUniform", x, 2.0, 1.0, 1, 0, text="from is 2")
    refused(161002, "aclnnInplaceUniform", Tensor((4,), "bool"), 0.0, 1.0, 1, 0, text="selfRef has the type BOOL")
    refused(161002, "aclnnInplaceNormal", x, 0.0, -1.0, 1, 0, text="std is -1")
    refused(161002, "aclnnRandperm", 5, 1, 0, index, text="out has the shape [4]")
    refused(161002, "aclnnRandperm", 200, 1, 0, Tensor((200,), "i8"), text="n is 200")
    refused(161002, "aclnnMultinomial", x, 5, False, 1, 0, Tensor((5,), "i64"), text="numsamples is 5")
    refused(161002, "aclnnMultinomial", x, 2, True, 1, 0, index, text="out has the shape [4]")
    refused(161002, "aclnnDropoutGenMaskV2", [200], 0.5, 1, 0, "f32", Tensor((16,), "u8"), text="at least 32")
    refused(161002, "aclnnDropoutGenMaskV2", [100], 1.5, 1, 0, "f32", Tensor((16,), "u8"), text="prob is 1.5")
    refused(161002, "aclnnDropoutDoMask", x, Tensor((0,), "u8"), 0.5, x, text="mask has the shape [0]")
    for weights in ([1, -1, 2, 3], [np.nan, 1, 1, 1], [0, 0, 0, 0], [np.inf, 1, 1, 1]):
        held = Tensor((4,), "f32", values=weights)  # until the task has run
        call("aclnnMultinomial", held, 4, True, 1, 0, index, wait=False)
        assert acl.aclrtSynchronizeStream(None) != 0, f"weights {weights} must be reported"


if __name__ == "__main__":
    start()
    sys.exit(main(120))
