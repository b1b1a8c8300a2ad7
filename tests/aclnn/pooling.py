# SPDX-License-Identifier: Apache-2.0
"""Pooling, beside plain loops."""

import sys

import numpy as np

from binding import Tensor, start
from cases import choose, main, operator, output, random_tensor, refused, run

FLOATS = ("f32", "f16", "bf16")


def out_size(size, kernel, stride, before, after, ceil, dilation=1):
    room = size + before + after - dilation * (kernel - 1) - 1
    count = (-(-room // stride) if ceil else room // stride) + 1
    if ceil and (count - 1) * stride >= size + before:
        count -= 1
    return count


def images(rng, rank, most=9):
    return tuple(int(rng.integers(1, 4)) for _ in range(rank - 2)) + tuple(int(n) for n in rng.integers(3, most, 2))


def kernels(rng):
    kernel = [int(n) for n in rng.integers(1, 4, 2)]
    stride = choose(rng, ([], [int(rng.integers(1, 4))], [int(n) for n in rng.integers(1, 4, 2)]))
    full = kernel if not stride else stride * 2 if len(stride) == 1 else stride
    return kernel, stride, full


def windows(x, kernel, stride, pads, sizes, dilation=(1, 1)):
    """For each output the elements of its window, and how many places of it are not behind the padding."""
    height, width = x.shape[-2:]
    for i in range(sizes[0]):
        for j in range(sizes[1]):
            top, left = i * stride[0] - pads[0], j * stride[1] - pads[1]
            rows = [r for r in range(top, top + dilation[0] * kernel[0], dilation[0])]
            columns = [c for c in range(left, left + dilation[1] * kernel[1], dilation[1])]
            extent = sum(r < height + pads[2] for r in rows) * sum(c < width + pads[3] for c in columns)
            places = [(a * kernel[1] + b, r, c) for a, r in enumerate(rows) for b, c in enumerate(columns)
                      if 0 <= r < height and 0 <= c < width]
            yield i, j, places, extent


@operator("aclnnAvgPool2d")
def means(rng, name):
    dtype = choose(rng, FLOATS)
    x = random_tensor(rng, images(rng, int(rng.integers(3, 5))), dtype)
    kernel, stride, step = kernels(rng)
    pad = [int(rng.integers(0, k // 2 + 1)) for k in kernel]
    ceil, padded, divisor = bool(rng.integers(0, 2)), bool(rng.integers(0, 2)), int(choose(rng, (0, 0, 3)))
    sizes = [out_size(n, k, s, p, p, ceil) for n, k, s, p in zip(x.shape[-2:], kernel, step, pad)]
    y = output(rng, x.shape[:-2] + tuple(sizes), dtype)
    values, expected = x.values(), np.zeros(y.shape)
    for i, j, places, extent in windows(values, kernel, step, pad + pad, sizes):
        total = sum(values[..., r, c] for _, r, c in places)
        count = divisor or (extent if padded else len(places))
        expected[..., i, j] = total / count if places else 0
    run(name, x, kernel, stride, pad, ceil, padded, divisor, 0, y, outputs=[y], expected=[expected], scale=4.0)


@operator("aclnnAdaptiveAvgPool2d")
def adaptive(rng, name):
    dtype = choose(rng, FLOATS)
    x = random_tensor(rng, images(rng, int(rng.integers(3, 5))), dtype)
    sizes = [int(n) for n in rng.integers(1, 12, 2)]
    y = output(rng, x.shape[:-2] + tuple(sizes), dtype)
    values, expected = x.values(), np.zeros(y.shape)
    spans = [[(i * n // m, -(-(i + 1) * n // m)) for i in range(m)] for n, m in zip(x.shape[-2:], sizes)]
    for i, (top, bottom) in enumerate(spans[0]):
        for j, (left, right) in enumerate(spans[1]):
            expected[..., i, j] = values[..., top:bottom, left:right].mean((-2, -1))
    run(name, x, sizes, y, outputs=[y], expected=[expected], scale=4.0)


@operator("aclnnMaxPool")
def greatest(rng, name):
    dtype = choose(rng, FLOATS + ("i8", "u8", "i16", "u16", "i32", "i64"))
    x = random_tensor(rng, images(rng, int(rng.integers(3, 5))), dtype)
    kernel, stride, step = kernels(rng)
    pads = [int(rng.integers(0, k // 2 + 1)) for k in kernel * 2]
    ceil = int(rng.integers(0, 2))
    sizes = [out_size(n, k, s, pads[d], pads[d + 2], ceil)
             for d, (n, k, s) in enumerate(zip(x.shape[-2:], kernel, step))]
    y = output(rng, x.shape[:-2] + tuple(sizes), dtype)
    values = x.values()
    expected = np.zeros(y.shape, values.dtype)
    for i, j, places, _ in windows(values, kernel, step, pads, sizes):
        if not places:
            return
        expected[..., i, j] = np.max([values[..., r, c] for _, r, c in places], axis=0)
    run(name, x, kernel, stride, 0, pads, choose(rng, ([], [1], [1, 1])), ceil, y, outputs=[y], expected=[expected])


@operator("aclnnMaxPool2dWithMask")
def greatest_with_mask(rng, name):
    """The mask has, for each place in the kernel, the bits of the outputs that come from there."""
    dtype = choose(rng, FLOATS)
    x = random_tensor(rng, images(rng, int(rng.integers(3, 5))), dtype)
    kernel, stride, step = kernels(rng)
    pad = [int(rng.integers(0, k // 2 + 1)) for k in kernel]
    gap = [int(rng.integers(1, 3)) if n > 2 * k else 1 for n, k in zip(x.shape[-2:], kernel)]
    ceil = bool(rng.integers(0, 2))
    sizes = [out_size(n, k, s, p, p, ceil, g) for n, k, s, p, g in zip(x.shape[-2:], kernel, step, pad, gap)]
    y = output(rng, x.shape[:-2] + tuple(sizes), dtype)
    size = sizes[0] * sizes[1]
    mask = Tensor(x.shape[:-2] + (kernel[0] * kernel[1], (-(-size // 16) + 1) * 32), "i8")
    values, expected, bits = x.values(), np.zeros(y.shape), np.zeros(mask.shape, np.uint8)
    for i, j, places, _ in windows(values, kernel, step, pad + pad, sizes, gap):
        if not places:
            return
        window = np.array([values[..., r, c] for _, r, c in places])
        expected[..., i, j] = window.max(0)
        number = i * sizes[1] + j
        for image in np.ndindex(x.shape[:-2]):
            place = places[int(window[(slice(None),) + image].argmax())][0]
            bits[image + (place, number // 8)] |= 1 << (number % 8)
    run(name, x, kernel, stride, pad, gap, ceil, y, mask, outputs=[y, mask],
        expected=[expected, bits.view(np.int8).astype(np.int64)])


@operator("bad input of pooling", cases=0.01)
def bad_input(rng, _):
    x, y = Tensor((2, 3, 4, 4), "f32"), Tensor((2, 3, 2, 2), "f32")
    run("aclnnMaxPool", Tensor((1, 1, 2, 2), "f32", values=[[[[1, np.nan], [2, -np.inf]]]]), [2, 2], [1, 1], 0,
        [0, 0], [1], 0, y1 := Tensor((1, 1, 1, 1), "f32"), outputs=[y1], expected=[np.nan])
    refused(161001, "aclnnAvgPool2d", x, None, [2], [0], False, True, 0, 0, y, text="kernelSize")
    refused(161002, "aclnnAvgPool2d", x, [2, 2], [2], [2], False, True, 0, 0, y, text="half of the kernel")
    refused(161002, "aclnnAvgPool2d", x, [0, 2], [2], [0], False, True, 0, 0, y, text="kernelSize holds 0")
    refused(161002, "aclnnAvgPool2d", x, [3, 2], [2], [0], False, True, 0, 0, y, text="out has the shape [2, 3, 2, 2]")
    refused(161002, "aclnnMaxPool", x, [2, 2], [2], 1, [0, 0], [1], 0, y, text="autoPad is 1")
    refused(161002, "aclnnMaxPool", x, [2, 2], [2], 0, [0, 0], [2], 0, y, text="dilations")
    refused(161002, "aclnnMaxPool", Tensor((4, 4), "f32"), [2, 2], [2], 0, [0, 0], [1], 0, y, text="3 to 4 dims")
    refused(161002, "aclnnMaxPool2dWithMask", x, [2, 2], [2], [0], [1], False, y, Tensor((2, 3, 4), "i8"),
            text="indices has the shape")
    refused(161002, "aclnnAdaptiveAvgPool2d", x, [2], y, text="outputSize has 1")


if __name__ == "__main__":
    start()
    sys.exit(main(120))
