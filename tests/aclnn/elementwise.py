# SPDX-License-Identifier: Apache-2.0
"""Operators that compute each element by itself, beside numpy."""

import math
import sys

import numpy as np

from binding import COMPLEX, FLOATS, Scalar, Tensor, start
from cases import (broadcastable, choose, main, operator, output, random_shape, random_tensor,
                   random_values, refused, run)
from promotion import AF, F, I, KINDS, NUMBERS, REALS, beside_scalar, castable, promoted, results


def real(values, dtype):
    """The value that is stored in a type that is not complex."""
    return values if dtype in COMPLEX or not np.iscomplexobj(values) else values.real


def whole(values):
    """Numbers of integers and bool, exact."""
    return values.astype(np.int64) if values.dtype == np.bool_ else values


# ---- one tensor ----

def gelu_tanh(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def gelu_erf(x):
    return 0.5 * x * (1 + np.vectorize(math.erf, otypes=[float])(x / math.sqrt(2)))


def softplus(x):
    return np.logaddexp(0, x)


UNARY = {  # name: (input types, output types, function, low, high, the result is a float)
    "aclnnExp": (AF + ("i64", "bool", "c64", "c128"), AF + ("c64", "c128"), np.exp, -4, 4, True),
    "aclnnLog": (NUMBERS, AF + ("c64", "c128"), np.log, 0.01, 9, True),
    "aclnnLog1p": (REALS, AF, np.log1p, -0.9, 9, True),
    "aclnnLog2": (NUMBERS, AF + ("c64", "c128"), lambda x: np.log(x) / math.log(2), 0.01, 9, True),
    "aclnnSqrt": (NUMBERS, AF + ("c64", "c128"), np.sqrt, 0, 9, True),
    "aclnnRsqrt": (NUMBERS, AF + ("c64", "c128"), lambda x: 1 / np.sqrt(x), 0.1, 9, True),
    "aclnnReciprocal": (NUMBERS, AF + ("c64", "c128"), lambda x: 1 / x, 0.1, 9, True),
    "aclnnSin": (NUMBERS, AF + ("c64", "c128"), np.sin, -9, 9, True),
    "aclnnCos": (NUMBERS, AF + ("c64", "c128"), np.cos, -9, 9, True),
    "aclnnTanh": (F + I + ("bool",), F, np.tanh, -4, 4, True),
    "aclnnErf": (("f32", "f16", "f64", "i64", "bool"), ("f32", "f16", "f64"),
                 np.vectorize(math.erf, otypes=[float]), -3, 3, True),
    "aclnnSigmoid": (F, F, lambda x: 1 / (1 + np.exp(-x)), -9, 9, False),
    "aclnnSilu": (F, F, lambda x: x / (1 + np.exp(-x)), -9, 9, False),
    "aclnnGelu": (F, F, gelu_tanh, -5, 5, False),
    "aclnnMish": (F, F, lambda x: x * np.tanh(softplus(x)), -9, 30, False),
    "aclnnHardsigmoid": (F, F, lambda x: np.clip(x / 6 + 0.5, 0, 1), -6, 6, False),
    "aclnnHardswish": (F, F, lambda x: x * np.clip(x + 3, 0, 6) / 6, -6, 6, False),
    "aclnnRelu": (F + ("i8", "i32", "i64"), F + ("i8", "i32", "i64"), lambda x: np.maximum(x, 0), -9, 9, False),
    "aclnnNeg": (AF + ("i8", "i32", "i64", "c64", "c128"), AF + ("i8", "i32", "i64", "c64", "c128"),
                 np.negative, -9, 9, False),
    "aclnnSign": (AF + ("i32", "i64", "bool", "c64", "c128"),) * 2 +
                 (lambda x: x / np.where(x == 0, 1, np.abs(x)), -2, 2, False),
    "aclnnFloor": (("f32", "f16", "f64") + I + ("u16", "u32", "u64"),) * 2 + (np.floor, -9, 9, False),
    "aclnnCeil": (AF, AF, np.ceil, -9, 9, False),
    "aclnnRound": (AF + ("i32", "i64"), AF + ("i32", "i64"), np.round, -9, 9, False),
}


@operator(*UNARY)
def unary(rng, name):
    types, out_types, f, low, high, to_float = UNARY[name]
    dtype = choose(rng, types)
    shape = random_shape(rng)
    if dtype not in FLOATS + COMPLEX:
        low = max(low, 1) if low > 0 else low
    x = random_tensor(rng, shape, dtype, low, high)
    computed = dtype if not to_float or KINDS[dtype] >= 2 else "f32"
    y = output(rng, shape, choose(rng, results(computed, out_types)))
    with np.errstate(all="ignore"):
        expected = f(whole(x.values()))
    run(name, x, y, outputs=[y], expected=[real(expected, y.dtype)])


IN_PLACE = {"aclnnInplaceExp": np.exp, "aclnnInplaceSin": np.sin, "aclnnInplaceCos": np.cos}


@operator(*IN_PLACE)
def unary_in_place(rng, name):
    x = output(rng, shape := random_shape(rng), dtype := choose(rng, AF + ("c64", "c128")))
    x.set(random_values(rng, shape, dtype))
    run(name, x, outputs=[x], expected=[IN_PLACE[name](x.values())])


@operator(*("aclnnInplace" + n for n in (
    "Neg", "Log", "Log1p", "Log2", "Sqrt", "Rsqrt", "Reciprocal", "Tanh", "Erf", "Sigmoid", "Mish", "Hardsigmoid",
    "Hardswish", "Relu", "Floor", "Ceil", "Round")), cases=0.3)
def more_in_place(rng, name):
    types, _, f, low, high, to_float = UNARY[name.replace("Inplace", "")]
    dtype = choose(rng, [t for t in types if not to_float or KINDS[t] >= 2])
    low = max(low, 1) if low > 0 and KINDS[dtype] < 2 else low
    x = output(rng, shape := random_shape(rng), dtype)
    x.set(random_values(rng, shape, dtype, low, high))
    with np.errstate(all="ignore"):
        run(name, x, outputs=[x], expected=[f(x.values())])


@operator("aclnnAbs")
def absolute(rng, name):
    dtype = choose(rng, REALS + ("c32", "c64"))
    x = random_tensor(rng, random_shape(rng), dtype, -100, 100)
    expected = np.abs(whole(x.values()))
    y = output(rng, x.shape, choose(rng, AF) if dtype in COMPLEX else choose(rng, results(dtype, REALS)))
    run(name, x, y, outputs=[y], expected=[expected])


@operator("aclnnBitwiseNot")
def bitwise_not(rng, name):
    x = random_tensor(rng, random_shape(rng), choose(rng, I + ("bool",)), -100, 100)
    y = output(rng, x.shape, x.dtype)
    run(name, x, y, outputs=[y], expected=[~x.values()])


@operator("aclnnLogicalNot")
def logical_not(rng, name):
    x = random_tensor(rng, random_shape(rng), choose(rng, REALS), -1, 1)
    y = output(rng, x.shape, choose(rng, REALS))
    run(name, x, y, outputs=[y], expected=[(x.values() == 0).astype(np.int64)])


@operator("aclnnIsFinite")
def is_finite(rng, name):
    dtype = choose(rng, AF)
    x = random_tensor(rng, random_shape(rng), dtype)
    if x.array.size:
        x.set(np.where(rng.uniform(size=x.shape) < 0.3, choose(rng, [np.inf, -np.inf, np.nan]), x.values()))
    y = output(rng, x.shape, "bool")
    run(name, x, y, outputs=[y], expected=[np.isfinite(x.values())])


# ---- two tensors ----

def truncated(a, b):
    if a.dtype.kind == "f":
        return np.trunc(a / b)
    safe = np.where(b == 0, 1, b)
    q = np.abs(a) // np.abs(safe) * np.sign(a) * np.sign(safe)
    return np.where(b == 0, 0, q)


def floored(a, b):
    if a.dtype.kind == "f":
        return np.floor(a / b)
    return np.where(b == 0, 0, a // np.where(b == 0, 1, b))


def fmod(a, b):
    if a.dtype.kind == "f":
        return np.fmod(a, b)
    return np.where(b == 0, 0, np.fmod(a, np.where(b == 0, 1, b)))


def power(a, b):
    if a.dtype.kind in "iu" and b.dtype.kind in "iu":
        ones = np.where(a == 1, 1, np.where(a == -1, np.where(b % 2 == 0, 1, -1), 0))
        return np.where(b < 0, ones, np.power(a, np.maximum(b, 0)))
    return np.power(a, b)


BINARY = {  # name: (types, output types, function, bounds)
    "aclnnMul": (NUMBERS, NUMBERS, np.multiply, (-4, 4)),
    "aclnnMaximum": (REALS, REALS, np.maximum, (-9, 9)),
    "aclnnMinimum": (REALS, REALS, np.minimum, (-9, 9)),
    "aclnnFmodTensor": (AF + ("i8", "u8", "i32", "i64"),) * 2 + (fmod, (1, 9)),
    "aclnnFloorDivide": (("f32", "f64", "i8", "u8", "i16", "i32", "i64"), REALS, floored, (-9, 9)),
    "aclnnPowTensorTensor": (NUMBERS, NUMBERS, power, (1, 3)),
}


def pair(rng, shape, types, bounds, other=None):
    a = random_tensor(rng, broadcastable(rng, shape), choose(rng, types), *bounds)
    b = random_tensor(rng, broadcastable(rng, shape), other or choose(rng, types), *bounds)
    return a, b, np.broadcast_shapes(a.shape, b.shape)


def lifted(*tensors):
    """Values in the kind that is computed in, wide."""
    kinds = max(KINDS[t.dtype] for t in tensors)
    wide = {0: np.int64, 1: np.int64, 2: np.float64, 3: np.complex128}[kinds]
    return [t.values().astype(wide) for t in tensors]


@operator(*BINARY)
def binary(rng, name):
    types, out_types, f, bounds = BINARY[name]
    a, b, shape = pair(rng, random_shape(rng), types, bounds)
    type_ = promoted(a.dtype, b.dtype)
    if a.dtype == "bool" and KINDS[type_] == 3:  # what 0 to a complex power is, is left open
        a.set(np.ones(a.shape, bool))
    y = output(rng, shape, choose(rng, results(type_, out_types)))
    with np.errstate(all="ignore"):
        expected = f(*lifted(a, b))
    run(name, a, b, y, outputs=[y], expected=[real(expected, y.dtype)], scale=10)


@operator("aclnnAdd", "aclnnSub")
def sums(rng, name):
    a, b, shape = pair(rng, random_shape(rng), NUMBERS, (-9, 9))
    type_ = promoted(a.dtype, b.dtype)
    y = output(rng, shape, choose(rng, results(type_, NUMBERS)))
    alpha = Scalar(choose(rng, [1, 1, 2, -3]), choose(rng, ("f32", "i64", "f64", "f16")))
    x, z = lifted(a, b)
    factor = int(alpha.value()) if x.dtype.kind == "i" else alpha.value()
    expected = x + z * factor if name == "aclnnAdd" else x - z * factor
    run(name, a, b, alpha, y, outputs=[y], expected=[real(expected, y.dtype)], scale=30)


@operator("aclnnInplaceAdd", "aclnnInplaceSub", "aclnnInplaceMul", "aclnnInplaceDiv",
          "aclnnInplacePowTensorTensor")
def binary_in_place(rng, name):
    shape, dtype = random_shape(rng), choose(rng, NUMBERS)
    divides = name.endswith("Div")
    if divides and KINDS[dtype] < 2:
        dtype = "f32"
    others = [t for t in NUMBERS if castable(promoted(dtype, t), dtype)]
    a = output(rng, shape, dtype).set(random_values(rng, shape, dtype, 1, 3))
    b = random_tensor(rng, broadcastable(rng, shape), choose(rng, others), 1, 3)
    x, z = lifted(a, b)
    alpha = Scalar(2, "f32")
    f = {"Add": lambda: x + 2 * z, "Sub": lambda: x - 2 * z, "Mul": lambda: x * z,
         "Div": lambda: x / np.where(z == 0, 1, z), "sor": lambda: power(x, z)}[name[-3:]]
    if divides and b.dtype == "bool":
        b.set(np.ones(b.shape, bool))
        x, z = lifted(a, b)
    arguments = (a, b, alpha) if name[-3:] in ("Add", "Sub") else (a, b)
    run(name, *arguments, outputs=[a], expected=[real(f(), dtype)], scale=10)


@operator("aclnnDiv", "aclnnDivMod")
def divisions(rng, name):
    mode = 0 if name == "aclnnDiv" else int(rng.integers(0, 3))
    types = NUMBERS if mode == 0 else tuple(t for t in REALS if t not in ("f16", "bf16"))
    a, b, shape = pair(rng, random_shape(rng), types, (1, 9))
    if b.dtype == "bool":
        b.set(np.ones(b.shape, bool))
    type_ = promoted(a.dtype, b.dtype)
    if mode == 0 and KINDS[type_] < 2:
        type_ = "f32"
    y = output(rng, shape, choose(rng, results(type_, NUMBERS)))
    x, z = lifted(a, b)
    expected = [lambda: x / z, lambda: truncated(x, z), lambda: floored(x, z)][mode]()
    if mode and x.dtype.kind == "f":  # not where rounding of the quotient decides
        x32 = x.astype(np.float32)
        expected = (np.trunc if mode == 1 else np.floor)(x32 / z.astype(np.float32)) if type_ == "f32" else expected
    if y.dtype not in FLOATS + COMPLEX and np.issubdtype(expected.dtype, np.floating):
        expected = (x.astype(np.float32) / z.astype(np.float32)) if mode == 0 and type_ == "f32" else expected
    arguments = (a, b, y) if name == "aclnnDiv" else (a, b, mode, y)
    run(name, *arguments, outputs=[y], expected=[real(expected, y.dtype)], scale=10)


COMPARE = {"Eq": np.equal, "Ne": np.not_equal, "Gt": np.greater, "Ge": np.greater_equal,
           "Lt": np.less, "Le": np.less_equal}


@operator(*(f"aclnn{c}Tensor" for c in COMPARE))
def compare_tensors(rng, name):
    c = name[5:7]
    a, b, shape = pair(rng, random_shape(rng), NUMBERS if c in ("Eq", "Ne") else REALS, (-2, 2))
    if rng.integers(0, 2):
        a.set(np.round(a.values().real).astype(a.array.dtype) if a.dtype != "bf16" else np.round(a.values()))
        b.set(np.round(b.values().real).astype(b.array.dtype) if b.dtype != "bf16" else np.round(b.values()))
    y = output(rng, shape, choose(rng, NUMBERS + ("u16", "u32", "u64")))
    run(name, a, b, y, outputs=[y], expected=[COMPARE[c](*lifted(a, b)).astype(np.int64)])


@operator(*(f"aclnn{c}Scalar" for c in COMPARE))
def compare_with_scalar(rng, name):
    c = name[5:7]
    types = NUMBERS + ("u64",) if c in ("Eq", "Ne") else REALS + ("u16", "u64")
    a = random_tensor(rng, random_shape(rng), choose(rng, types), -2, 2)
    s = Scalar(choose(rng, [0, 1, 2, 0.5] if a.dtype[0] == "u" else [0, 1, -1, 0.5]), choose(rng, ("f32", "f64", "i32")))
    y = output(rng, a.shape, choose(rng, NUMBERS + ("u16", "u32", "u64")))
    expected = COMPARE[c](whole(a.values()), s.value()).astype(np.int64)
    run(name, a, s, y, outputs=[y], expected=[expected])


@operator(*(f"aclnnInplace{c}{other}" for c in COMPARE for other in ("Tensor", "Scalar")),
          "aclnnInplaceLogicalAnd", "aclnnInplaceLogicalOr", cases=0.3)
def compare_in_place(rng, name):
    c, logical = name[12:14], "Logical" in name
    types = NUMBERS if c in ("Eq", "Ne") or logical else REALS
    shape, dtype = random_shape(rng), choose(rng, types)
    a = output(rng, shape, dtype).set(np.round(np.real(random_values(rng, shape, dtype, -2, 2))))
    if name.endswith("Scalar"):
        other = Scalar(choose(rng, [0, 1, -1, 0.5]), choose(rng, ("f32", "f64", "i32")))
        expected = COMPARE[c](whole(a.values()), other.value())
    else:
        kind = choose(rng, types)
        other = random_tensor(rng, broadcastable(rng, shape), kind, values=None)
        other.set(np.round(np.real(random_values(rng, other.shape, kind, -2, 2))))
        x, y = lifted(a, other)
        expected = COMPARE[c](x, y) if not logical else (x != 0) & (y != 0) if name.endswith("And") else (x != 0) | (y != 0)
    run(name, a, other, outputs=[a], expected=[expected.astype(np.int64)])


@operator("aclnnLogicalAnd", "aclnnLogicalOr")
def logic(rng, name):
    a, b, shape = pair(rng, random_shape(rng), NUMBERS, (-1, 1))
    y = output(rng, shape, choose(rng, NUMBERS))
    x, z = a.values() != 0, b.values() != 0
    run(name, a, b, y, outputs=[y], expected=[(x & z if name.endswith("And") else x | z).astype(np.int64)])


@operator("aclnnBitwiseAndTensor")
def bitwise_and(rng, name):
    a, b, shape = pair(rng, random_shape(rng), I + ("bool",), (-100, 100))
    type_ = promoted(a.dtype, b.dtype)
    y = output(rng, shape, choose(rng, results(type_, I + ("bool",))))
    run(name, a, b, y, outputs=[y], expected=[np.bitwise_and(*lifted(a, b))])


# ---- a tensor and a scalar ----

@operator("aclnnAdds", "aclnnSubs", "aclnnMuls", "aclnnDivs", "aclnnInplaceAdds", "aclnnInplaceSubs",
          "aclnnInplaceMuls", "aclnnInplaceDivs", "aclnnPowTensorScalar", "aclnnPowScalarTensor",
          "aclnnRemainderTensorScalar")
def with_scalar(rng, name):
    in_place, kind = "Inplace" in name, name.replace("aclnn", "").replace("Inplace", "")
    types = {"Pow": tuple(t for t in NUMBERS if t != "bool"), "Rem": AF + ("i32", "i64")}.get(kind[:3], NUMBERS)
    s = Scalar(choose(rng, [1, 2, 3]), choose(rng, ("f32", "i32", "f64", "i64")))
    dtype = choose(rng, types)
    type_ = beside_scalar(dtype, s.dtype)
    if kind == "Divs" and KINDS[type_] < 2:
        type_ = "f32"
    if in_place and not castable(type_, dtype):
        dtype = type_ = "f32"
    shape = random_shape(rng)
    x = output(rng, shape, dtype).set(random_values(rng, shape, dtype, 1, 5))
    y = x if in_place else output(rng, shape, choose(rng, results(type_, NUMBERS if "Pow" not in kind else types)))
    v, c = lifted(x)[0], s.value()
    c = int(c) if KINDS[type_] < 2 else float(c)
    alpha = Scalar(2, "f32")
    with np.errstate(all="ignore"):
        expected = {"Adds": lambda: v + 2 * c, "Subs": lambda: v - 2 * c, "Muls": lambda: v * c,
                    "Divs": lambda: v / c, "PowTensorScalar": lambda: np.power(v, c),
                    "PowScalarTensor": lambda: np.power(type(c)(c) + 0 * v, v),
                    "RemainderTensorScalar": lambda: np.mod(v, c)}[kind]()
    arguments = {"Adds": (x, s, alpha), "Subs": (x, s, alpha), "PowScalarTensor": (s, x)}.get(kind, (x, s))
    if kind == "RemainderTensorScalar" and KINDS[type_] == 2:  # where rounding of the input decides
        expected = np.mod(v, c)
    run(name, *arguments, *(() if in_place else (y,)), outputs=[y], expected=[real(expected, y.dtype)], scale=30)


def remainder(a, b):
    if a.dtype.kind == "f":
        return np.mod(a, b)
    return np.where(b == 0, 0, np.mod(a, np.where(b == 0, 1, b)))


REMAINDERS = {  # kind: (types, function)
    "Fmod": (("f32", "f64", "i8", "u8", "i32", "i64"), fmod),
    "FloorDivide": (("f32", "f64", "i8", "u8", "i16", "i32", "i64"), floored),
    "Remainder": (("f32", "f64", "i32", "i64"), remainder),
    "PowTensor": (AF + I, power),
}


@operator("aclnnInplaceFmodTensor", "aclnnFmodScalar", "aclnnInplaceFmodScalar", "aclnnFloorDivides",
          "aclnnInplaceFloorDivide", "aclnnInplaceFloorDivides", "aclnnRemainderTensorTensor",
          "aclnnRemainderScalarTensor", "aclnnInplaceRemainderTensorTensor", "aclnnInplaceRemainderTensorScalar",
          "aclnnInplacePowTensorScalar", cases=0.5)
def remainders(rng, name):
    """Whole numbers, also as floats: where a rounded quotient decides is no question then."""
    in_place, number = "Inplace" in name, name.endswith("Scalar") or name.endswith("ides")
    kind = name.replace("aclnn", "").replace("Inplace", "").rstrip("s")
    kind = next(k for k in REMAINDERS if kind.startswith(k))
    types, f = REMAINDERS[kind]
    shape, dtype = random_shape(rng), choose(rng, types)
    small = (1, 3) if kind == "PowTensor" else (-9, 9)
    x = output(rng, shape, dtype).set(np.round(random_values(rng, shape, dtype, *small)))
    if name == "aclnnRemainderScalarTensor":
        s = Scalar(int(rng.integers(-9, 10)), choose(rng, ("i32", "i64")))
        x.set(np.where(x.values() == 0, 1, x.values()))
        y = output(rng, shape, dtype)
        return run(name, s, x, y, outputs=[y], expected=[f(np.full(shape, s.value(), x.values().dtype), x.values())])
    if number:
        b = Scalar(choose(rng, [1, 2, 3]), choose(rng, ("i32", "i64")))
        divisor = np.full(shape, b.value(), x.values().dtype)
    else:
        b = random_tensor(rng, broadcastable(rng, shape) if in_place else shape, dtype)
        divisor = np.broadcast_to(b.set(np.round(random_values(rng, b.shape, dtype, 1, 9))).values(), shape)
    y = x if in_place else output(rng, shape, dtype)
    return run(name, x, b, *(() if in_place else (y,)), outputs=[y], expected=[f(x.values(), divisor)])


@operator("aclnnInplaceDivMod", "aclnnDivMods", "aclnnInplaceDivMods", cases=0.5)
def more_divisions(rng, name):
    mode, shape, in_place = int(rng.integers(0, 3)), random_shape(rng), "Inplace" in name
    dtype = choose(rng, ("f32", "f64") if mode == 0 else ("f32", "f64", "i8", "u8", "i16", "i32", "i64"))
    x = output(rng, shape, dtype).set(np.round(random_values(rng, shape, dtype, -9, 9)))
    if name == "aclnnInplaceDivMod":
        b = random_tensor(rng, broadcastable(rng, shape), dtype)
        divisor = b.set(np.round(random_values(rng, b.shape, dtype, 1, 9))).values()
    else:
        b = Scalar(choose(rng, [1, 2, 3]), "i32")
        divisor = np.full(shape, b.value(), x.values().dtype)
    y = x if in_place else output(rng, shape, dtype)
    expected = [lambda: x.values() / divisor, lambda: truncated(x.values(), divisor),
                lambda: floored(x.values(), divisor)][mode]()
    run(name, x, b, mode, *(() if in_place else (y,)), outputs=[y], expected=[expected])


# ---- bounds and choices ----

@operator("aclnnClamp", "aclnnClampMin", "aclnnInplaceClampMax", "aclnnHardtanh")
def bounds(rng, name):
    dtype, shape = choose(rng, AF + I), random_shape(rng)
    if name == "aclnnClamp" and rng.integers(0, 9) == 0:
        x, y = random_tensor(rng, shape, "bool"), output(rng, shape, "bool")
        return run(name, x, Scalar(1, "bool"), None, y, outputs=[y], expected=[np.ones(shape)])
    x = output(rng, shape, dtype).set(random_values(rng, shape, dtype, 0, 9))
    low, high = Scalar(2, choose(rng, ("i32", "i64"))), Scalar(6, "i32")
    y = x if "Inplace" in name else output(rng, shape, dtype)
    v = x.values()
    if name == "aclnnClamp" and rng.integers(0, 2):
        only_low = bool(rng.integers(0, 2))
        expected = np.maximum(v, 2) if only_low else np.minimum(v, 6)
        arguments = (x, low, None, y) if only_low else (x, None, high, y)
    else:
        arguments, expected = {
            "aclnnClamp": ((x, low, high, y), np.clip(v, 2, 6)),
            "aclnnHardtanh": ((x, low, high, y), np.clip(v, 2, 6)),
            "aclnnClampMin": ((x, low, y), np.maximum(v, 2)),
            "aclnnInplaceClampMax": ((x, high), np.minimum(v, 6)),
        }[name]
    return run(name, *arguments, outputs=[y], expected=[expected])


@operator("aclnnThreshold", "aclnnInplaceThreshold")
def threshold(rng, name):
    dtype, shape = choose(rng, F + I), random_shape(rng)
    x = output(rng, shape, dtype).set(random_values(rng, shape, dtype))
    t, v = Scalar(1, "f32"), Scalar(7, "f32")
    y = x if "Inplace" in name else output(rng, shape, dtype)
    expected = np.where(x.values() > 1, x.values(), 7)
    run(name, *((x, t, v) if y is x else (x, t, v, y)), outputs=[y], expected=[expected])


@operator("aclnnSWhere")
def where(rng, name):
    a, b, _ = pair(rng, shape := random_shape(rng), NUMBERS, (-9, 9))
    c = random_tensor(rng, broadcastable(rng, shape), choose(rng, ("bool", "u8")), 0, 1)
    type_ = promoted(a.dtype, b.dtype)
    y = output(rng, np.broadcast_shapes(a.shape, b.shape, c.shape), choose(rng, results(type_, NUMBERS)))
    expected = np.where(c.values() != 0, *lifted(a, b))
    run(name, c, a, b, y, outputs=[y], expected=[real(expected, y.dtype)])


@operator("aclnnAddcmul", "aclnnAddcdiv", "aclnnLerp")
def triples(rng, name):
    types = {"aclnnAddcmul": AF + ("i8", "u8", "i32", "i64"), "aclnnAddcdiv": AF, "aclnnLerp": F}[name]
    shape = random_shape(rng)
    x = random_tensor(rng, broadcastable(rng, shape), choose(rng, types), 1, 3)
    a, b, _ = pair(rng, shape, types, (1, 3))
    type_ = promoted(promoted(x.dtype, a.dtype), b.dtype)
    y = output(rng, np.broadcast_shapes(x.shape, a.shape, b.shape), choose(rng, results(type_, types)))
    v, p, q = lifted(x, a, b)
    s = Scalar(2, "f32")
    expected = {"aclnnAddcmul": lambda: v + 2 * p * q, "aclnnAddcdiv": lambda: v + 2 * (p / q),
                "aclnnLerp": lambda: v + q * (p - v)}[name]()
    run(name, x, a, b, *((y,) if name == "aclnnLerp" else (s, y)), outputs=[y], expected=[expected], scale=30)


@operator("aclnnInplaceAddcmul", "aclnnInplaceAddcdiv")
def triples_in_place(rng, name):
    types = AF if name == "aclnnInplaceAddcdiv" else AF + ("i8", "u8", "i32", "i64")
    shape = random_shape(rng)
    type_ = choose(rng, types)
    x = output(rng, shape, type_).set(random_values(rng, shape, type_, 1, 3))
    a, b = (random_tensor(rng, broadcastable(rng, shape), type_, 1, 3) for _ in range(2))
    v, p, q = lifted(x, a, b)
    part = p * q if name == "aclnnInplaceAddcmul" else p / q
    run(name, x, a, b, Scalar(2, "f32"), outputs=[x], expected=[v + 2 * part], scale=30)


# ---- activations with attributes ----

@operator("aclnnLeakyRelu", "aclnnElu", "aclnnSoftplus", "aclnnGeluV2", "aclnnInplaceLeakyRelu", "aclnnInplaceElu")
def activations(rng, name):
    in_place, shape, dtype = "Inplace" in name, random_shape(rng), choose(rng, F)
    x = output(rng, shape, dtype) if in_place else random_tensor(rng, shape, dtype)
    x.set(random_values(rng, shape, dtype, -5, 5))
    y = x if in_place else output(rng, shape, dtype)
    v, tanh_form = x.values(), int(rng.integers(0, 2))
    one, two, fifth = Scalar(1, "f32"), Scalar(2, "f32"), Scalar(0.2, "f32")
    arguments, expected = {
        "aclnnLeakyRelu": ((x, fifth, y), np.where(v > 0, v, np.float32(0.2) * v)),
        "aclnnElu": ((x, two, one, fifth, y), np.where(v > 0, v, 2 * np.expm1(np.float32(0.2) * v))),
        "aclnnSoftplus": ((x, two, Scalar(4, "f32"), y), np.where(2 * v > 4, v, softplus(2 * v) / 2)),
        "aclnnGeluV2": ((x, tanh_form, y), gelu_tanh(v) if tanh_form else gelu_erf(v)),
    }[name.replace("Inplace", "")]
    run(name, *(arguments[:-1] if in_place else arguments), outputs=[y], expected=[expected])


@operator("aclnnSwiGlu", "aclnnGeGluV3")
def gated(rng, name):
    shape = list(random_shape(rng, rank=rng.integers(1, 5)))
    dim = int(rng.integers(0, len(shape)))
    shape[dim] *= 2
    x = random_tensor(rng, shape, choose(rng, F))
    left, right = np.split(x.values(), 2, axis=dim)
    y, g = (output(rng, left.shape, x.dtype) for _ in range(2))
    d = dim if rng.integers(0, 2) else dim - len(shape)
    if name == "aclnnSwiGlu":
        return run(name, x, d, y, outputs=[y], expected=[left / (1 + np.exp(-left)) * right], scale=4)
    form, first = int(rng.integers(0, 2)), bool(rng.integers(0, 2))
    a, b = (left, right) if first else (right, left)
    gelu = gelu_tanh(a) if form else gelu_erf(a)
    return run(name, x, d, form, first, y, g, outputs=[y, g], expected=[gelu * b, gelu], scale=4)


# ---- special values and errors ----

@operator("special values", cases=0.01)
def special_values(rng, name):
    x = Tensor([6], "f32", values=[np.inf, -np.inf, np.nan, 0.0, -0.0, 1e30])
    y = Tensor([6], "f32")
    run("aclnnExp", x, y, outputs=[y], expected=[[np.inf, 0, np.nan, 1, 1, np.inf]])
    run("aclnnSigmoid", x, y, outputs=[y], expected=[[1, 0, np.nan, 0.5, 0.5, 1]])
    run("aclnnMaximum", x, Tensor([6], "f32", values=[0.0] * 6), y, outputs=[y],
        expected=[[np.inf, 0, np.nan, 0, 0, 1e30]])
    large = Tensor([3], "f32", values=[1e5, 123456.7, -9e4])
    out = Tensor([3], "f32")
    run("aclnnSin", large, out, outputs=[out], expected=[np.sin(large.values())])
    half = Tensor([2], "f16", values=[60000.0, 1.0])
    doubled = Tensor([2], "f16")
    run("aclnnAdd", half, half, Scalar(1, "f32"), doubled, outputs=[doubled], expected=[[np.inf, 2]])
    empty, out = Tensor([0, 3], "f32"), Tensor([0, 3], "f32")
    run("aclnnExp", empty, out, outputs=[out], expected=[np.zeros((0, 3))])
    wraps = Tensor([1], "i8")
    run("aclnnMul", Tensor([1], "i8", values=[100]), Tensor([1], "i8", values=[3]), wraps, outputs=[wraps],
        expected=[[300 - 256]])


@operator("bad input of elementwise operators", cases=0.01)
def bad_input(rng, name):
    x, y, one = Tensor([2, 3], "f32"), Tensor([2, 3], "f32"), Scalar(1, "f32")
    refused(161001, "aclnnAdd", None, x, one, y, text="self is null")
    refused(161001, "aclnnAdd", x, x, None, y, text="alpha is null")
    refused(161001, "aclnnAdd", Tensor([2], "c32"), x, one, None, text="out is null")  # null before types
    refused(161002, "aclnnAdd", x, Tensor([4], "f32"), one, y, text="other has [4]")
    refused(161002, "aclnnAdd", x, x, one, Tensor([3, 2], "f32"), text="out has the shape [3, 2]; expected [2, 3]")
    refused(161002, "aclnnAdd", x, x, one, Tensor([2, 3], "i32", values=0) and Tensor([2, 3], "bool"), text="out")
    refused(161002, "aclnnAdd", Tensor([2, 3], "u32"), x, one, y, text="self has the type UINT32; expected")
    refused(161002, "aclnnSigmoid", Tensor([2], "i32"), Tensor([2], "i32"), text="FLOAT")
    refused(161002, "aclnnInplaceMul", Tensor([3], "f32"), Tensor([2, 3], "f32"), text="does not broadcast")
    refused(161002, "aclnnDivMod", x, x, 3, y, text="mode is 3")
    refused(161002, "aclnnGeluV2", x, 2, y, text="approximate is 2")
    refused(161002, "aclnnSwiGlu", x, 1, Tensor([2, 1], "f32"), text="even")
    refused(161002, "aclnnSwiGlu", x, 2, y, text="dim is 2; expected -2 to 1")
    refused(161002, "aclnnClamp", x, None, None, y, text="null")
    refused(161002, "aclnnEqTensor", Tensor([2], "u32"), Tensor([2], "i32"), Tensor([2], "bool"), text="do not mix")
    refused(161002, "aclnnAbs", Tensor([1] * 9, "f32"), Tensor([1] * 9, "f32"), text="9 dims")


if __name__ == "__main__":
    start()
    sys.exit(main(120))
