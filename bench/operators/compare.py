#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Large operators beside numpy, and beside PyTorch where it is installed: by turns, medians and ratios.

usage: compare.py LIBRARY_FOLDER [ROUNDS]
"""

import os
import pathlib
import statistics
import sys
import time

if len(sys.argv) < 2:
    sys.exit(__doc__)
os.environ["ACLSIM_TEST_LIBRARY_DIR"] = sys.argv[1]
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "aclnn"))

import numpy as np  # noqa: E402

from binding import Scalar, Tensor, call, start  # noqa: E402

try:
    import torch
except ImportError:
    torch = None

ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 9
MANY = 16 << 20


def cases():
    """name: {who: a function that does the work once}"""
    rng = np.random.default_rng(1)
    a, b = (rng.standard_normal(MANY, np.float32) for _ in range(2))
    x, y, out, one = Tensor([MANY], "f32", values=a), Tensor([MANY], "f32", values=b), Tensor([MANY], "f32"), Scalar(1, "f32")
    result = np.empty_like(a)
    yield "add of 16 M f32", {"aclsim": lambda: call("aclnnAdd", x, y, one, out),
                              "numpy": lambda: np.add(a, b, out=result),
                              "torch": torch and (lambda p=torch.from_numpy(a), q=torch.from_numpy(b),
                                                  r=torch.empty(MANY): torch.add(p, q, out=r))}
    rows = Tensor([MANY // 1024, 1024], "f32", values=a.reshape(-1, 1024))
    soft = Tensor(rows.shape, "f32")

    def softmax():
        e = np.exp(a2 - a2.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    a2 = a.reshape(-1, 1024)
    yield "softmax of 16 M f32", {"aclsim": lambda: call("aclnnSoftmax", rows, 1, soft), "numpy": softmax,
                                  "torch": torch and (lambda p=torch.from_numpy(a2): torch.softmax(p, 1))}
    m = a[:1 << 20].reshape(1024, 1024)
    n = b[:1 << 20].reshape(1024, 1024)
    for dtype in ("f32", "f16"):
        p, q, r = Tensor(m.shape, dtype, values=m), Tensor(m.shape, dtype, values=n), Tensor(m.shape, dtype)
        yield f"matmul 1024^3 {dtype}", {
            "aclsim": lambda p=p, q=q, r=r: call("aclnnMm", p, q, r, 0),
            "numpy": lambda: m @ n,  # f32, in both rows: the product on operands that were widened before
            "torch": torch and (lambda p=torch.from_numpy(m), q=torch.from_numpy(n): p @ q)}


def main():
    start()
    print(f"{'case':24} {'aclsim':>10} {'numpy':>10} {'ratio':>6} {'torch':>10} {'ratio':>6}   (medians of {ROUNDS}, ms)")
    for name, sides in cases():
        times = {who: [] for who, work in sides.items() if work}
        for who in times:
            sides[who]()
        for _ in range(ROUNDS):
            for who in times:
                begin = time.perf_counter()
                sides[who]()
                times[who].append((time.perf_counter() - begin) * 1e3)
        medians = {who: statistics.median(values) for who, values in times.items()}
        line = f"{name:24} {medians['aclsim']:10.2f}"
        for who in ("numpy", "torch"):
            line += f" {medians[who]:10.2f} {medians['aclsim'] / medians[who]:6.2f}" if who in medians else f" {'-':>10} {'-':>6}"
        print(line)


if __name__ == "__main__":
    main()
