#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cost of a call from Python, compared with the shortest wrapper and with C, in one run.

usage: calls.py [--check] [ROUNDS]      --check ends with 1 if a bound is missed

Each figure is the best of many short rounds in which all cases alternate, so that other load affects
all of them.
"""

import sys
import time

import acl
import bench_python_floor as floor

LOOPS, COPIES, SIZE = 20000, 2000, 64
DEVICE_TO_DEVICE, HUGE_FIRST = 3, 0


def check(result):
    *outputs, ret = result if isinstance(result, tuple) else (result,)
    if ret != 0:
        raise SystemExit("code %d: %s" % (ret, acl.get_recent_err_msg()))
    return outputs[0] if len(outputs) == 1 else outputs


def time_calls(function):
    """Nanoseconds of function()."""
    numbers = range(LOOPS // 10)
    begin = time.perf_counter()
    for _ in numbers:
        function(); function(); function(); function(); function()
        function(); function(); function(); function(); function()
    return (time.perf_counter() - begin) / LOOPS * 1e9


def time_loop():
    numbers = range(LOOPS // 10)
    begin = time.perf_counter()
    for _ in numbers:
        pass
    return (time.perf_counter() - begin) / LOOPS * 1e9


def time_copies(dst, src, stream):
    memcpy_async, synchronize = acl.rt.memcpy_async, acl.rt.synchronize_stream
    begin = time.perf_counter()
    for _ in range(COPIES):
        memcpy_async(dst, SIZE, src, SIZE, DEVICE_TO_DEVICE, stream)
        synchronize(stream)
    return (time.perf_counter() - begin) / COPIES * 1e9


def row(what, value, unit, bound):
    print("| %-66s | %8.2f | %-5s | %-7s | %s |" % (
        what, value, unit, "<= %g" % bound if bound else "", "" if not bound else
        "met" if value <= bound else "MISSED"))
    return not bound or value <= bound


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    rounds = int(arguments[0]) if arguments else 50
    check(acl.init())
    check(acl.rt.set_device(0))
    stream = check(acl.rt.create_stream())
    src, dst = (check(acl.rt.malloc(SIZE, HUGE_FIRST)) for _ in range(2))
    cases = {
        "loop": time_loop,
        "floor": lambda: time_calls(floor.get_device),
        "call": lambda: time_calls(acl.rt.get_device),
        "c": lambda: floor.copy_and_wait(dst, src, SIZE, DEVICE_TO_DEVICE, stream,
                                         COPIES) / COPIES * 1e9,
        "copy": lambda: time_copies(dst, src, stream),
    }
    best = dict.fromkeys(cases, float("inf"))
    for _ in range(rounds):
        for name, case in cases.items():
            best[name] = min(best[name], case())

    print("| %-66s | %8s | %-5s | %-7s | |" % ("Python %d.%d" % sys.version_info[:2], "", "unit",
                                               "asked"))
    print("|---|---|---|---|---|")
    met = [
        row("the shortest wrapper of aclrtGetDevice", best["floor"], "ns", None),
        row("acl.rt.get_device", best["call"], "ns", None),
        row("the second by the first", best["call"] / best["floor"], "", 1.5),
        row("aclrtMemcpyAsync of %d bytes and aclrtSynchronizeStream, in C" % SIZE, best["c"], "ns",
            None),
        row("acl.rt.memcpy_async and acl.rt.synchronize_stream", best["copy"], "ns", None),
        row("the difference", (best["copy"] - best["c"]) / 1e3, "us", 2.0),
    ]
    if "--check" in sys.argv and not all(met):
        sys.exit(1)


main()
