# SPDX-License-Identifier: Apache-2.0
"""Convolutions and their gradients, beside plain loops over the places of the kernel."""

import itertools
import sys

import numpy as np

from binding import Tensor, start
from cases import choose, main, operator, output, random_tensor, random_values, refused, run

SHORT = ("f32", "f16", "bf16")


class Case:
    """A convolution of random geometry; `wide` is the image that windows move over."""

    def __init__(self, rng):
        self.dims = d = int(rng.integers(1, 4))
        draw = lambda low, high: [int(v) for v in rng.integers(low, high + 1, d)]  # noqa: E731
        self.transposed = bool(rng.integers(0, 2))
        self.groups, self.batch = int(rng.integers(1, 4)), int(rng.integers(1, 4))
        self.kernel, self.stride, self.dilation = draw(1, 3), draw(1, 3), draw(1, 2)
        self.low, self.high = draw(0, 2), draw(0, 2)
        if d == 3 or rng.integers(0, 2):
            self.high = self.low
        narrow = int(rng.integers(1, 4)) * self.groups
        self.per_group = int(rng.integers(1, 4))
        wide = self.per_group * self.groups
        reach = [k * e - e + 1 for k, e in zip(self.kernel, self.dilation)]
        sizes = [max(int(v), r - a - b, 1) for v, r, a, b in
                 zip(rng.integers(3, 60 if d == 1 else 9, d), reach, self.low, self.high)]
        places = [(n + a + b - r) // s + 1 for n, a, b, r, s in zip(sizes, self.low, self.high, reach, self.stride)]
        # The output extent of a transposed convolution, and the addition to it.
        back = [(p - 1) * s - a - b + r for p, s, a, b, r in zip(places, self.stride, self.low, self.high, reach)]
        self.more = [n - m for n, m in zip(sizes, back)]
        self.wide, self.narrow = (self.batch, wide, *sizes), (self.batch, narrow, *places)
        self.weight = (narrow, self.per_group, *self.kernel)

    def padding(self):
        if self.low == self.high:
            return self.low
        return [v for pair in zip(self.low, self.high) for v in pair]

    def windows(self):
        """For each place of the kernel: its index, and the padded image at the places that it sees."""
        for index in itertools.product(*(range(k) for k in self.kernel)):
            yield index, tuple(slice(i * e, i * e + (p - 1) * s + 1, s) for i, e, p, s in
                               zip(index, self.dilation, self.narrow[2:], self.stride))

    def padded(self, wide):
        return np.pad(wide, [(0, 0), (0, 0)] + list(zip(self.low, self.high)))

    def split(self, a, axis):
        return a.reshape(a.shape[:axis] + (self.groups, -1) + a.shape[axis + 1:])

    def narrow_of(self, wide, weight):
        padded, w = self.split(self.padded(wide), 1), self.split(weight, 0)
        made = np.zeros((self.batch, self.groups, self.narrow[1] // self.groups) + self.narrow[2:])
        for index, window in self.windows():
            made += np.einsum("bgi...,goi->bgo...", padded[(..., *window)], w[(slice(None),) * 3 + index])
        return made.reshape(self.narrow)

    def wide_of(self, narrow, weight):
        y, w = self.split(narrow, 1), self.split(weight, 0)
        padded = self.split(self.padded(np.zeros(self.wide)), 1)
        for index, window in self.windows():
            padded[(..., *window)] += np.einsum("bgo...,goi->bgi...", y, w[(slice(None),) * 3 + index])
        padded = padded.reshape((self.batch, self.wide[1]) + padded.shape[3:])
        return padded[(..., *(slice(a, a + n) for a, n in zip(self.low, self.wide[2:])))]

    def weight_of(self, wide, narrow):
        padded, y = self.split(self.padded(wide), 1), self.split(narrow, 1)
        made = np.zeros((self.groups, self.weight[0] // self.groups) + self.weight[1:])
        for index, window in self.windows():
            part = padded[(..., *window)].reshape(self.batch, self.groups, self.per_group, -1)
            flat = y.reshape(self.batch, self.groups, -1, part.shape[-1])
            made[(slice(None),) * 3 + index] = np.einsum("bgop,bgip->goi", flat, part)
        return made.reshape(self.weight)

    def attributes(self):
        return self.stride, self.padding(), self.dilation, self.transposed, self.more, self.groups


@operator("aclnnConvolution", cases=2)
def convolution(rng, name):
    case = Case(rng)
    shapes = (case.narrow, case.wide) if case.transposed else (case.wide, case.narrow)
    x = random_tensor(rng, shapes[0], choose(rng, SHORT), -1, 1)
    w = random_tensor(rng, case.weight, choose(rng, SHORT), -1, 1)
    bias = random_tensor(rng, (shapes[1][1],), choose(rng, SHORT)) if rng.integers(0, 2) else None
    y = output(rng, shapes[1], choose(rng, SHORT))
    make = case.wide_of if case.transposed else case.narrow_of
    wanted = make(x.values(), w.values())
    if bias:
        wanted = wanted + bias.values().reshape((-1,) + (1,) * case.dims)
    run(name, x, w, bias, *case.attributes(), y, int(rng.integers(0, 5)), outputs=[y], expected=[wanted], scale=8)


@operator("aclnnConvolutionBackward")
def backward(rng, name):
    case = Case(rng)
    dtype = choose(rng, SHORT)
    shapes = (case.narrow, case.wide) if case.transposed else (case.wide, case.narrow)
    x, dy = (random_tensor(rng, s, dtype, -1, 1) for s in shapes)
    w = random_tensor(rng, case.weight, dtype, -1, 1)
    mask = [bool(v) for v in rng.integers(0, 2, 3)]
    dx, dw, db = output(rng, shapes[0], dtype), output(rng, case.weight, dtype), output(rng, (shapes[1][1],), dtype)
    back = case.narrow_of if case.transposed else case.wide_of
    pair = (dy.values(), x.values()) if case.transposed else (x.values(), dy.values())
    axes = (0,) + tuple(range(2, case.dims + 2))
    wanted = [back(dy.values(), w.values()), case.weight_of(*pair), dy.values().sum(axes)]
    outputs = [t for t, m in zip((dx, dw, db), mask) if m]
    run(name, dy, x, w, [db.shape[0]], *case.attributes(), mask, 0, *(t if m else None for t, m in
                                                                     zip((dx, dw, db), mask)),
        outputs=outputs, expected=[v for v, m in zip(wanted, mask) if m], scale=40)


@operator("a state space convolution", cases=0.2)
def depthwise(rng, _):
    """As llama.cpp passes it: a channel a group, and a transposed output."""
    channels, kernel, tokens = 12, 4, int(rng.integers(1, 30))
    x = Tensor((1, channels, tokens + kernel - 1), "f32")
    x.set(random_values(rng, x.shape, "f32"))
    w = random_tensor(rng, (channels, 1, kernel), "f32")
    y = Tensor((1, channels, tokens), "f32", (channels * tokens, 1, channels))
    wanted = sum(x.values()[:, :, k:k + tokens] * w.values()[:, 0, k, None] for k in range(kernel))
    run("aclnnConvolution", x, w, None, [1], [0], [1], False, [0], channels, y, 0, outputs=[y], expected=[wanted])


@operator("more places than a tile", cases=0.05)
def large(rng, name):
    x, w = random_tensor(rng, (2, 24, 20, 30), "f16", -1, 1), random_tensor(rng, (40, 24, 3, 3), "f16", -1, 1)
    y = Tensor((2, 40, 20, 30), "f32")
    padded = np.pad(x.values(), ((0, 0), (0, 0), (1, 1), (1, 1)))
    wanted = sum(np.einsum("bihw,oi->bohw", padded[:, :, i:i + 20, j:j + 30], w.values()[:, :, i, j])
                 for i in range(3) for j in range(3))
    run("aclnnConvolution", x, w, None, [1, 1], [1, 1], [1, 1], False, None, 1, y, 0, outputs=[y], expected=[wanted],
        scale=16)


@operator("bad input of convolutions", cases=0.05)
def bad(rng, _):
    x, w, y = Tensor((1, 4, 8), "f32"), Tensor((6, 2, 3), "f32"), Tensor((1, 6, 6), "f32")

    def attempt(code, text, x=x, w=w, bias=None, stride=(1,), padding=(0,), dilation=(1,), groups=2, y=y, cube=0):
        refused(code, "aclnnConvolution", x, w, bias, stride, padding, dilation, False, [0], groups, y, cube, text=text)

    attempt(161001, "weight is null", w=None)
    attempt(161001, "stride is null", stride=None)
    attempt(161002, "input has the type INT8", x=Tensor((1, 4, 8), "i8"))
    attempt(161002, "input has the shape [4, 8]", x=Tensor((4, 8), "f32"))
    attempt(161002, "weight has the shape [6, 2, 3, 1]", w=Tensor((6, 2, 3, 1), "f32"))
    attempt(161002, "stride has 2 members; expected 1", stride=(1, 1))
    attempt(161002, "stride[0] is 0", stride=(0,))
    attempt(161002, "padding[0] is -1", padding=(-1,))
    attempt(161002, "groups is 0", groups=0)
    attempt(161002, "they do not fit", groups=1)
    attempt(161002, "output has the shape [1, 6, 6]", padding=(1,))
    attempt(161002, "under a kernel", dilation=(9,))
    attempt(161002, "bias has the shape [5]; expected [6]", bias=Tensor((5,), "f32"))
    attempt(161002, "cubeMathType is 9", cube=9)


if __name__ == "__main__":
    start()
    sys.exit(main(120))
