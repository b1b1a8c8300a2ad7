# SPDX-License-Identifier: Apache-2.0
"""In which type operators compute that mix some, as PyTorch does."""

from binding import COMPLEX, FLOATS

F = ("f32", "f16", "bf16")
AF = F + ("f64",)
I = ("i8", "u8", "i16", "i32", "i64")
REALS = AF + I + ("bool",)
NUMBERS = REALS + ("c64", "c128")
KINDS = {"bool": 0, **dict.fromkeys(I + ("u16", "u32", "u64"), 1), **dict.fromkeys(FLOATS, 2),
         **dict.fromkeys(COMPLEX, 3)}
WIDTH = {"i8": 8, "u8": 8, "i16": 16, "i32": 32, "i64": 64}


def promoted(a, b):
    """The type that two tensors compute in, as in PyTorch."""
    if a == b:
        return a
    if 3 in (KINDS[a], KINDS[b]):
        return "c128" if "c128" in (a, b) or "f64" in (a, b) else "c64"
    if KINDS[a] != KINDS[b]:
        return a if KINDS[a] > KINDS[b] else b
    if KINDS[a] == 2:
        return "f64" if "f64" in (a, b) else "f32"
    if {a, b} == {"i8", "u8"}:
        return "i16"
    return a if WIDTH[a] >= WIDTH[b] else b


def beside_scalar(tensor, scalar):
    if KINDS[tensor] >= KINDS[scalar]:
        return tensor
    if KINDS[scalar] == 3:
        return {"f16": "c32", "f64": "c128"}.get(tensor, "c64")
    return "f32" if KINDS[scalar] == 2 else scalar


def castable(a, b):
    if KINDS[a] == KINDS[b] or KINDS[a] == 0:
        return True
    return KINDS[b] != 0 and (KINDS[a] != 3 or KINDS[b] == 2)


def results(type_, allowed):
    return [t for t in allowed if castable(type_, t)]
