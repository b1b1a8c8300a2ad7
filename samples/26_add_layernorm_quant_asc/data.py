# SPDX-License-Identifier: Apache-2.0
"""The input of add_layernorm_quant, and a check of its output.

usage: data.py make|check ROWS WIDTH
"""
import sys

import numpy as np

# The same constants are in add_layernorm_quant.asc.
EPSILON, SCALE, OFFSET = 1e-5, 24.0, 3.0


def make(rows, width):
    random = np.random.default_rng(11)
    for name, shape, mean in (("x", (rows, width), 0), ("residual", (rows, width), 2),
                              ("gamma", width, 1), ("beta", width, 0)):
        random.normal(mean, 0.5, shape).astype(np.float32).tofile(name + ".bin")


def check(rows, width):
    def floats(name, *shape):
        return np.fromfile(name + ".bin", np.float32).reshape(shape)

    right = floats("x", rows, width) + floats("residual", rows, width)
    np.testing.assert_array_equal(floats("sum", rows, width), right)

    # The variance divides by the width; a quantised value is rounded to nearest. The kernel rounds to half before it
    # scales, so a value in the middle between two integers may become either of them.
    wide = right.astype(np.float64)
    centred = wide - wide.mean(1, keepdims=True)
    normal = centred / np.sqrt((centred ** 2).mean(1, keepdims=True) + EPSILON)
    normal = normal * floats("gamma", width) + floats("beta", width)
    quantised = np.clip(normal * SCALE + OFFSET, -128, 127)
    found = np.fromfile("y.bin", np.int8).reshape(rows, width)
    difference = np.abs(found - quantised)
    assert difference.max() < 0.6, "largest difference %g" % difference.max()
    print("%d x %d: sums equal numpy's, int8 results differ by at most %.2f" % (rows, width, difference.max()))


if __name__ == "__main__":
    {"make": make, "check": check}[sys.argv[1]](int(sys.argv[2]), int(sys.argv[3]))
