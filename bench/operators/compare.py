#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Operators compared with OpenBLAS, numpy and libtorch on as many threads: alternating, medians and ratios. `quickest`
is the ratio of the fastest rounds, which other load on the machine disturbs least.

usage: compare.py --build FOLDER [--rounds N] [--repeat N] [--openblas FOLDER] [--only TEXT]

FOLDER is a build of the release with benchmarks. The number of threads is the number of processors that this process
may use; `taskset -c 0` leaves one. The OpenBLAS of packages.txt has no threads: --openblas names the folder of an
OpenBLAS with threads (libopenblas.so.0 and libblas.so.3 of the package libopenblas0-pthread, which need not be
installed), for numpy and libtorch too. A library that is not installed has no column.
"""

import argparse
import ctypes
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
THREADS = len(os.sched_getaffinity(0))
MANY = 16 << 20

options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
options.add_argument("--build", type=pathlib.Path, required=True)
options.add_argument("--rounds", type=int, default=15)
options.add_argument("--repeat", type=int, default=1)
options.add_argument("--openblas", type=pathlib.Path)
options.add_argument("--only", default="")
options = options.parse_args()

# The loader reads its path only once: set the path, and start the process again.
library = options.build.resolve() / "lib64"
path = [str(library)] + ([str(options.openblas.resolve())] if options.openblas else [])
if os.environ.get("LD_LIBRARY_PATH") != ":".join(path):
    os.environ.update(LD_LIBRARY_PATH=":".join(path), OPENBLAS_NUM_THREADS=str(THREADS), OMP_NUM_THREADS=str(THREADS))
    os.execv(sys.executable, [sys.executable, *sys.argv])
os.environ["ACLSIM_TEST_LIBRARY_DIR"] = str(library)
sys.path.insert(0, str(ROOT / "tests" / "aclnn"))

import numpy as np  # noqa: E402

from binding import Scalar, Tensor, call, start  # noqa: E402

try:
    import torch
    torch.set_num_threads(THREADS)
except ImportError:
    torch = None


def openblas():
    """f(a, b, out): the product of two matrices of f32 by OpenBLAS itself; None if it has another number of threads."""
    try:
        blas = ctypes.CDLL("libopenblas.so.0")
    except OSError:
        return None
    blas.openblas_get_num_threads.restype = ctypes.c_int
    if blas.openblas_get_num_threads() != THREADS:
        return None

    def product(a, b, out):
        rows, row, no = 101, 1024, 111
        blas.cblas_sgemm(rows, no, no, row, row, row, ctypes.c_float(1), ctypes.c_void_p(a.ctypes.data), row,
                         ctypes.c_void_p(b.ctypes.data), row, ctypes.c_float(0), ctypes.c_void_p(out.ctypes.data), row)

    return product


def cases():
    """(name, {library: a function that does the work once}, the reference, the required ratio)"""
    rng = np.random.default_rng(1)
    a, b = (rng.standard_normal(MANY, np.float32) for _ in range(2))
    x, y, out = Tensor([MANY], "f32", values=a), Tensor([MANY], "f32", values=b), Tensor([MANY], "f32")
    one = Scalar(1, "f32")
    result = np.empty_like(a)
    p, q, r = (torch.from_numpy(n) if torch else None for n in (a, b, result))
    yield "add of 16 M f32", {"aclsim": lambda: call("aclnnAdd", x, y, one, out),
                              "numpy": lambda: np.add(a, b, out=result),
                              "torch": torch and (lambda: torch.add(p, q, out=r))}, "torch", 1.5
    for width in (1024, 65536):
        wide = a.reshape(-1, width)
        rows, soft = Tensor(wide.shape, "f32", values=wide), Tensor(wide.shape, "f32")
        pw, rw = (n.reshape(-1, width) if torch else None for n in (p, r))

        def softmax():
            e = np.exp(wide - wide.max(axis=1, keepdims=True))
            return e / e.sum(axis=1, keepdims=True)

        yield f"softmax of 16 M f32, rows of {width}", {
            "aclsim": lambda: call("aclnnSoftmax", rows, 1, soft), "numpy": softmax,
            "torch": torch and (lambda: torch.softmax(pw, 1, out=rw))}, "torch", 1.5
    m, n = (v[:1 << 20].reshape(1024, 1024) for v in (a, b))
    o = np.empty_like(m)
    pm, pn, po = (torch.from_numpy(v) if torch else None for v in (m, n, o))
    blas = openblas()
    for dtype, asked in (("f32", 1.2), ("f16", 1.3)):
        s, t, u = Tensor(m.shape, dtype, values=m), Tensor(m.shape, dtype, values=n), Tensor(m.shape, dtype)
        yield f"product of 1024 x 1024 {dtype}", {  # the others: f32, on operands that were widened before
            "aclsim": lambda: call("aclnnMm", s, t, u, 0), "OpenBLAS": blas and (lambda: blas(m, n, o)),
            "numpy": lambda: np.matmul(m, n, out=o),
            "torch": torch and (lambda: torch.mm(pm, pn, out=po))}, "OpenBLAS", asked


def measured(sides):
    """Median and minimum milliseconds of each."""
    times = {who: [] for who in sides}
    for work in sides.values():
        work()
    for _ in range(options.rounds):
        for who, work in sides.items():
            time.sleep(0.05)  # until the threads of the previous library have stopped polling for work
            work()            # wakes the threads of this library
            begin = time.perf_counter()
            work()
            times[who].append((time.perf_counter() - begin) * 1e3)
    return ({who: statistics.median(values) for who, values in times.items()},
            {who: min(values) for who, values in times.items()})


def verdict(ratio, asked):
    return f"{ratio:6.2f}  <= {asked:<4} {'met' if ratio <= asked else 'MISSED'}"


def large():
    others = ("OpenBLAS", "numpy", "torch")
    print(f"{'ms':38} {'aclsim':>8}" + "".join(f" {who:>9}" for who in others) + "   quickest  ratio  asked")
    for name, sides, beside, asked in cases():
        if options.only not in name:
            continue
        found, best = measured({who: work for who, work in sides.items() if work})
        line = f"{name:38} {found['aclsim']:8.2f}"
        line += "".join(f" {found[who]:9.2f}" if who in found else f" {'-':>9}" for who in others)
        if beside in found:
            line += f"   {best['aclsim'] / best[beside]:8.2f} "
            line += f"{verdict(found['aclsim'] / found[beside], asked)} of {beside}"
        print(line, flush=True)


def printed(program, *arguments):
    done = subprocess.run([str(program), *arguments], check=True, capture_output=True, text=True)
    return done.stdout


def small():
    text = printed(options.build / "bin" / "bench_small_operator")
    took = float(re.search(r": ([\d.]+) us", text).group(1))
    print(f"{text.strip()}   <= 2 (1) {'met' if took <= 2 else 'MISSED'}")


def tokens_of(program, *arguments):
    text = printed(program, *arguments)
    return re.search(r"^tokens: (.*)$", text, re.M).group(1).split(), float(re.search(r"(\d+) tokens/s", text).group(1))


def decoders():
    """Tokens per second of the sample, and of the same model in libtorch (f32: it has no products of halves)."""
    ours = options.build / "bin" / "bench_decoder"
    other = options.build / "bin" / "bench_torch_decoder"
    print(f"{'tokens/s':38} {'aclsim':>8} {'libtorch':>9}   libtorch/aclsim")
    for size, count in (("small", "64"), ("large", "24")):
        ways = {"f16": ["--weights", "f16"], "f16, graph": ["--weights", "f16", "--graph"],
                "int8": ["--weights", "int8"], "int8, graph": ["--weights", "int8", "--graph"]}
        rates = {way: [] for way in (*ways, "torch")}
        for _ in range(3):
            for way, arguments in ways.items():
                tokens, rate = tokens_of(ours, "--size", size, "--tokens", count, *arguments)
                rates[way].append(rate)
                if way == "f16":
                    first = tokens
            if other.exists():
                for threads in {1, THREADS}:  # for a small model one thread is faster
                    tokens, rate = tokens_of(other, "--size", size, "--tokens", count, "--threads", str(threads))
                    rates["torch"].append(rate)
                # Later ones may differ: it rounds no sums to halves.
                assert tokens[:2] == first[:2], f"another model: {tokens} and {first}"
        theirs = statistics.median(sorted(rates["torch"])[-3:]) if rates["torch"] else None
        for way in ways:
            rate = statistics.median(rates[way])
            line = f"{f'decoder, {size}, {way}':38} {rate:8.0f}"
            print(line + (f" {theirs:9.0f}   {verdict(theirs / rate, 1.5)}" if theirs else ""), flush=True)


def main():
    start()
    print(f"{THREADS} threads; medians of {options.rounds} rounds, by turns")
    for _ in range(options.repeat):
        large()
        if options.only in "small operator":
            small()
        if options.only in "decoder":
            decoders()


if __name__ == "__main__":
    main()
