# SPDX-License-Identifier: Apache-2.0
"""Rotary embeddings beside plain loops in double precision."""

import sys

import numpy as np

from binding import Tensor, start
from cases import choose, main, operator, output, random_tensor, random_values, refused, run

SHORT = ("f32", "f16", "bf16")


def rotated(x, mode):
    """The factors of the cosine and of the sine."""
    def half(y):
        a, b = np.split(y, 2, -1)
        return np.concatenate([-b, a], -1)

    if mode == 0:
        return x, half(x)
    if mode == 1:
        return x, np.stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)
    if mode == 2:
        return x, np.concatenate([half(part) for part in np.split(x, 2, -1)], -1)
    y = np.concatenate([x[..., ::2], x[..., 1::2]], -1)
    return y, half(y)


def angles(rng, shape, dtype):
    leading = tuple(n if rng.integers(0, 2) else 1 for n in shape[:3])
    return [random_tensor(rng, leading + shape[3:], dtype, -1, 1) for _ in range(2)]


@operator("aclnnRotaryPositionEmbedding", cases=2)
def rotary(rng, name):
    mode, dtype = int(rng.integers(0, 4)), choose(rng, SHORT)
    shape = tuple(int(n) for n in rng.integers(1, 7, 3)) + (int(rng.integers(1, 20)) * (4 if mode == 2 else 2),)
    x = random_tensor(rng, shape, dtype)
    cos, sin = angles(rng, shape, dtype)
    out = x if mode != 3 and 0 not in x.strides and rng.integers(0, 4) == 0 else output(rng, shape, dtype)
    a, b = rotated(x.values(), mode)
    run(name, x, cos, sin, mode, out, outputs=[out], expected=[a * cos.values() + b * sin.values()], scale=6)


@operator("aclnnApplyRotaryPosEmb")
def apply_rotary(rng, name):
    dtype = choose(rng, SHORT)
    b, s, n, d = (int(v) for v in rng.integers(1, 6, 4))
    query, key = output(rng, (b, s, n, 2 * d), dtype), output(rng, (b, s, 1, 2 * d), dtype)
    for ref in (query, key):
        ref.set(random_values(rng, ref.shape, dtype))
    cos, sin = (random_tensor(rng, (b, s, 1, 2 * d), dtype, -1, 1) for _ in range(2))
    expected = []
    for ref in (query, key):
        x, y = rotated(ref.values(), 0)
        expected.append(x * cos.values() + y * sin.values())
    run(name, query, key, cos, sin, 1, outputs=[query, key], expected=expected, scale=6)


@operator("bad input of rotary embeddings", cases=0.05)
def bad_rotary(rng, _):
    name, x = "aclnnRotaryPositionEmbedding", Tensor((2, 3, 1, 6), "f32")
    half = Tensor((1, 3, 1, 6), "f16")
    c = Tensor((1, 3, 1, 6), "f32")
    refused(161001, name, x, None, c, 0, x, text="cos is null")
    refused(161002, name, x, half, half, 0, x, text="cos has the type FLOAT16; expected FLOAT")
    refused(161002, name, x, c, c, 4, x, text="mode is 4")
    refused(161002, name, x, c, c, 2, x, text="multiple of 4")
    refused(161002, name, x, c, c, 0, Tensor((3, 2, 1, 6), "f32"), text="out has the shape")
    refused(161002, name, x, Tensor((2, 2, 1, 6), "f32"), Tensor((2, 2, 1, 6), "f32"), 0, x, text="cos has the shape")
    refused(161002, name, Tensor((3, 1, 6), "f32"), c, c, 0, Tensor((3, 1, 6), "f32"), text="x has the shape")
    refused(161002, "aclnnApplyRotaryPosEmb", x, x, c, c, 2, text="layout is 2")


if __name__ == "__main__":
    start()
    sys.exit(main(120))
