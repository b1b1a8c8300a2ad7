# SPDX-License-Identifier: Apache-2.0
"""Operators that create data: one value everywhere, sequences, identities, classes."""

import sys

import numpy as np

from binding import COMPLEX, FLOATS, Scalar, Tensor, TYPES, start
from cases import choose, main, operator, output, random_shape, random_tensor, random_values, refused, run

FILLED = tuple(t for t in TYPES if t != "c32")


def as_type(value, dtype):
    """A number as a cast makes it."""
    if dtype == "bool":
        return value != 0
    if dtype in COMPLEX:
        return value
    value = np.real(value)
    return value if dtype in FLOATS else int(value)


def filled_shape(rng):
    return (3, 257, 400) if rng.integers(0, 20) == 0 else random_shape(rng)


@operator("aclnnInplaceFillScalar", cases=2)
def fill_scalar(rng, name):
    dtype = choose(rng, FILLED)
    kind = choose(rng, ["f32", "f64", "i64", "bool", "u8"] + (["c64"] if dtype in COMPLEX else []))
    value = Scalar(random_values(rng, (), kind, low=0), kind)
    if dtype in FLOATS and rng.integers(0, 4) == 0:
        value = Scalar(-np.inf, "f32")
    y = output(rng, filled_shape(rng), dtype)
    run(name, y, value, outputs=[y], expected=[as_type(value.value(), dtype)])


@operator("aclnnInplaceFillTensor")
def fill_tensor(rng, name):
    types = [t for t in FILLED if t not in COMPLEX and t != "f64"]
    dtype, kind = choose(rng, types), choose(rng, types)
    value = random_tensor(rng, choose(rng, [(), (1,)]), kind, low=0)
    y = output(rng, filled_shape(rng), dtype)
    run(name, y, value, outputs=[y], expected=[as_type(value.values().reshape(())[()], dtype)])


@operator("aclnnInplaceZero", "aclnnInplaceOne")
def constant(rng, name):
    without = ("u32", "u64", "c32") + (COMPLEX if "One" in name else ())
    dtype = choose(rng, [t for t in TYPES if t not in without])
    y = output(rng, filled_shape(rng), dtype)
    run(name, y, outputs=[y], expected=[1 if "One" in name else 0])


@operator("aclnnEye")
def eye(rng, name):
    dtype = choose(rng, ["f32", "f16", "bf16", "i8", "u8", "i16", "i32", "i64", "bool"])
    n, m = (int(k) for k in rng.integers(0, 300 if rng.integers(0, 10) == 0 else 12, 2))
    y = output(rng, (n, m), dtype)
    run(name, n, m, y, outputs=[y], expected=[np.eye(n, m)])


def sequence(rng):
    """Start, end, step, and the numbers, of which there is at least one."""
    if rng.integers(0, 2):
        first, step = int(rng.integers(-20, 20)), int(choose(rng, [-3, -1, 1, 2]))
        kind = "i64"
    else:
        first, step = float(rng.integers(-20, 20)) / 4, float(choose(rng, [-0.75, 0.25, 0.5, 1.0]))
        kind = "f32"
    count = int(rng.integers(1, 3000))
    values = first + np.arange(count) * step
    return Scalar(first, kind), Scalar(values[-1], kind), Scalar(step, kind), values


@operator("aclnnArange", "aclnnRange")
def counted(rng, name):
    first, last, step, values = sequence(rng)
    if name == "aclnnArange":  # the end is not met
        last = Scalar(last.value() + step.value(), last.dtype)
    dtype = choose(rng, ["f32", "f64", "i32", "i64"] + (["f16", "bf16"] if len(values) < 100 else []))
    shape = choose(rng, [(len(values),), (1, 1, 1, len(values))])
    y = output(rng, shape, dtype)
    run(name, first, last, step, y, outputs=[y],
        expected=[(values if dtype in FLOATS else np.trunc(values)).reshape(shape)])


@operator("aclnnLinspace")
def linspace(rng, name):
    dtype = choose(rng, ["f32", "f16", "bf16", "f64", "i8", "u8", "i16", "i32"])
    steps = int(rng.integers(0, 50))
    whole = dtype not in FLOATS
    low, high = (float(n) for n in rng.integers(0, 40, 2))
    if whole:  # numbers that are met exactly
        high = low + (steps - 1) * 2.0
    y = output(rng, (steps,), dtype)
    run(name, Scalar(low, "f32"), Scalar(high, "f32"), steps, y, outputs=[y],
        expected=[np.linspace(low, high, steps)], scale=40)


@operator("aclnnOneHot")
def one_hot(rng, name):
    kind, dtype = choose(rng, ["u8", "i32", "i64"]), choose(rng, ["f32", "f16", "i8", "u8", "i32", "i64"])
    classes = int(rng.integers(1, 12))
    shape = random_shape(rng)
    x = random_tensor(rng, shape, kind, low=-1, high=classes)  # also numbers that are not a class
    on, off = (random_tensor(rng, choose(rng, [(), (1,)]), dtype) for _ in range(2))
    axis = int(rng.integers(-len(shape) - 1, len(shape) + 1))
    hot = x.values()[..., None].astype(np.int64) == np.arange(classes)
    expected = np.moveaxis(np.where(hot, on.values().reshape(()), off.values().reshape(())), -1, axis)
    y = output(rng, expected.shape, dtype)
    run(name, x, classes, on, off, axis, y, outputs=[y], expected=[expected], tolerance=0)


@operator("bad input", cases=0)
def bad_input(rng, name):
    y, one, zero = Tensor((3,), "f32"), Scalar(1, "f32"), Scalar(0, "f32")
    refused(161001, "aclnnInplaceFillScalar", y, None, text="value is null")
    refused(161001, "aclnnInplaceZero", None, text="selfRef is null")
    refused(161002, "aclnnInplaceOne", Tensor((3,), "c64"), text="selfRef has the type COMPLEX64")
    refused(161002, "aclnnInplaceFillTensor", y, Tensor((2,), "f32"), text="value has the shape [2]")
    refused(161002, "aclnnArange", zero, one, zero, y, text="step is 0")
    refused(161002, "aclnnArange", one, zero, one, y, text="does not lead from 1 to 0")
    refused(161002, "aclnnRange", zero, one, one, Tensor((2,), "i8"), text="out has the type INT8")
    refused(161002, "aclnnLinspace", zero, one, 4, y, text="out has the shape [3]; expected [4]")
    refused(161002, "aclnnEye", -1, 3, y, text="n is -1")
    classes = Tensor((3,), "i32")
    refused(161002, "aclnnOneHot", classes, 2, y, y, 0, Tensor((2, 3), "f32"), text="onValue has the shape [3]")
    value = Tensor((), "f32")
    refused(161002, "aclnnOneHot", classes, 2, value, value, 3, Tensor((3, 2), "f32"), text="axis is 3")
    refused(161002, "aclnnOneHot", classes, 2, value, value, 0, Tensor((3, 2), "f32"), text="expected [2, 3]")


if __name__ == "__main__":
    start()
    sys.exit(main(120))
