# SPDX-License-Identifier: Apache-2.0
"""acl.sim.launch_kernel: device work in Python, as functions of Python and of ctypes."""

import ctypes
import sys
import threading
import time

import numpy as np
import pytest

import acl
from work import BLOCK, check, device_memory, fetch, host_memory, served, store

FLOAT32, UINT8 = 11, 2


def test_a_kernel_is_called_with_its_context_and_arguments(stream):
    seen = []
    arguments = {"any": "object"}
    check(acl.sim.launch_kernel(lambda context, args: seen.append((context, args)), arguments, 1,
                                stream))
    check(acl.rt.synchronize_stream(stream))
    (context, got), = seen
    assert got is arguments
    assert isinstance(context, acl.sim.KernelContext)
    assert (context.block_index, context.num_blocks, context.device_id) == (0, 1, 0)
    assert context.stream_id == check(acl.rt.stream_get_id(stream))
    assert context.task_id >= 0


def test_each_block_is_a_call(stream):
    blocks = []
    check(acl.sim.launch_kernel(
        lambda context, args: blocks.append((context.block_index, context.num_blocks)), None, 5,
        stream))
    check(acl.rt.synchronize_stream(stream))
    assert blocks == [(i, 5) for i in range(5)]


def test_a_kernel_works_on_device_memory_with_numpy(stream):
    count = 1000
    size = count * 4

    def add(context, args):
        a, b, c = (acl.util.ptr_to_numpy(pointer, (count,), FLOAT32) for pointer in args)
        np.add(a, b, out=c)

    with device_memory(size) as a, device_memory(size) as b, device_memory(size) as c:
        store(a, np.arange(count, dtype=np.float32).tobytes())
        store(b, np.ones(count, dtype=np.float32).tobytes())
        check(acl.sim.launch_kernel(add, (a, b, c), 1, stream))
        check(acl.rt.synchronize_stream(stream))
        result = np.frombuffer(fetch(c, size), dtype=np.float32)
    assert (result == np.arange(count) + 1).all()


def test_a_ctypes_function_is_a_kernel(stream):
    seen = []
    prototype = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.py_object)
    kernel = prototype(lambda context, args: seen.append((context.block_index, args)) or 0)
    check(acl.sim.launch_kernel(kernel, "it", 2, stream))
    check(acl.rt.synchronize_stream(stream))
    assert seen == [(0, "it"), (1, "it")]


def test_kernels_run_in_the_order_of_their_stream(stream):
    with device_memory(1) as pointer:
        values = []

        def look(context, args):
            values.append(int(acl.util.ptr_to_numpy(pointer, (1,), UINT8)[0]))

        for value in range(20):
            check(acl.rt.memset_async(pointer, 1, value, 1, stream))
            check(acl.sim.launch_kernel(look, None, 1, stream))
        check(acl.rt.synchronize_stream(stream))
    assert values == list(range(20))


def test_a_failing_kernel_is_the_error_of_its_stream(stream):
    check(acl.sim.launch_kernel(lambda context, args: 507015, None, 1, stream))
    assert acl.rt.synchronize_stream(stream) == 507015
    check(acl.rt.synchronize_stream(stream))
    check(acl.sim.launch_kernel(lambda context, args: 0, None, 1, stream))
    check(acl.rt.synchronize_stream(stream))


def test_after_a_failing_block_no_other_runs(stream):
    blocks = []

    def kernel(context, args):
        blocks.append(context.block_index)
        return -1 if context.block_index == 1 else 0

    check(acl.sim.launch_kernel(kernel, None, 4, stream))
    assert acl.rt.synchronize_stream(stream) == 507035
    assert blocks == [0, 1]


def test_an_exception_goes_to_the_hook_and_is_a_vector_core_exception(stream, monkeypatch):
    caught = []
    monkeypatch.setattr(sys, "unraisablehook", lambda args: caught.append(args.exc_type))

    def kernel(context, args):
        raise KeyError("no such thing")

    check(acl.sim.launch_kernel(kernel, None, 1, stream))
    assert acl.rt.synchronize_stream(stream) == 507035
    check(acl.sim.launch_kernel(lambda context, args: "no code", None, 1, stream))
    assert acl.rt.synchronize_stream(stream) == 507035
    check(acl.sim.launch_kernel(lambda context, args: 2**32, None, 1, stream))
    assert acl.rt.synchronize_stream(stream) == 507035
    assert caught == [KeyError, TypeError, OverflowError]


def test_a_kernel_runs_while_nobody_synchronises(stream):
    ran = threading.Event()
    check(acl.sim.launch_kernel(lambda context, args: ran.set(), None, 1, stream))
    assert ran.wait(10)
    check(acl.rt.synchronize_stream(stream))


def test_kernels_of_two_streams_wait_for_each_other(device):
    """Both kernels run at once, although both are Python: a wait gives the other one the GIL."""
    first = check(acl.rt.create_stream())
    second = check(acl.rt.create_stream())
    here, there = threading.Event(), threading.Event()

    def one(context, args):
        here.set()
        return 0 if there.wait(10) else -1

    def other(context, args):
        there.set()
        return 0 if here.wait(10) else -1

    check(acl.sim.launch_kernel(one, None, 1, first))
    check(acl.sim.launch_kernel(other, None, 1, second))
    for stream in (first, second):
        check(acl.rt.synchronize_stream(stream))
        check(acl.rt.destroy_stream(stream))


def test_a_timed_wait_for_a_python_kernel_ends_in_time(stream):
    gate = threading.Event()
    check(acl.sim.launch_kernel(lambda context, args: gate.wait(10) and 0, None, 1, stream))
    begin = time.monotonic()
    assert acl.rt.synchronize_stream_with_timeout(stream, 50) == 507046
    assert time.monotonic() - begin < 5
    gate.set()
    check(acl.rt.synchronize_stream(stream))


def test_kernels_callbacks_and_copies_mix(stream):
    order = []
    with device_memory(8) as pointer, host_memory(8) as host, served(stream):
        for turn in range(10):
            check(acl.rt.memset_async(pointer, 8, turn, 8, stream))
            check(acl.sim.launch_kernel(lambda context, args: order.append(("kernel", args)), turn,
                                        1, stream))
            check(acl.rt.memcpy_async(host, 8, pointer, 8, 2, stream))
            check(acl.rt.launch_callback(
                lambda turn: order.append(("host", acl.util.ptr_to_bytes(host, 1)[0])), turn,
                BLOCK, stream))
        check(acl.rt.synchronize_stream(stream))
    assert order == [(kind, turn) for turn in range(10) for kind in ("kernel", "host")]


def test_a_wrong_address_in_a_kernel_is_an_exception_not_a_crash(stream, monkeypatch):
    caught = []
    monkeypatch.setattr(sys, "unraisablehook", lambda args: caught.append(args.exc_type))
    check(acl.sim.launch_kernel(lambda context, args: acl.util.ptr_to_bytes(12345, 8), None, 1,
                                stream))
    assert acl.rt.synchronize_stream(stream) == 507035
    check(acl.sim.launch_kernel(lambda context, args: acl.util.ptr_to_numpy(2**63, (8,), 2), None,
                                1, stream))
    assert acl.rt.synchronize_stream(stream) == 507035
    assert caught == [ValueError] * 2


def test_a_kernel_may_wait_for_a_kernel_of_another_stream(stream):
    """It is still a kernel afterwards: it can access memory that the host cannot."""
    context = check(acl.rt.get_context())
    other = check(acl.rt.create_stream())
    seen = []

    def outer(where, pointer):
        check(acl.rt.set_context(context))
        check(acl.sim.launch_kernel(lambda where, args: None, None, 1, other))
        check(acl.rt.synchronize_stream(other))
        seen.append(acl.util.ptr_to_bytes(pointer, 2))

    with device_memory(2) as pointer:
        store(pointer, b"ok")
        check(acl.sim.launch_kernel(outer, pointer, 1, stream))
        check(acl.rt.synchronize_stream(stream))
    assert seen == [b"ok"]
    check(acl.rt.destroy_stream(other))


def test_wrong_arguments_are_refused(stream):
    for wrong in (None, "kernel", 5):
        with pytest.raises(TypeError, match=r"acl.sim.launch_kernel: argument 1 \(kernel\)"):
            acl.sim.launch_kernel(wrong, None, 1, stream)
    assert acl.sim.launch_kernel(lambda context, args: 0, None, 0, stream) == 100000
    assert acl.sim.launch_kernel(lambda context, args: 0, None, 1, 12345) == 107017
