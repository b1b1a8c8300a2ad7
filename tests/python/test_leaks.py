# SPDX-License-Identifier: Apache-2.0
"""Many repetitions leave as much memory allocated as one, in Python and in C."""

import ctypes
import gc
import os
import sys
import threading

import numpy as np
import pytest

import acl
from test_table import PRESENT, lookup, sample
from work import BLOCK, NO_BLOCK, check, served

TURNS = 1000
HAND_OFFS = 200  # turns that wait for another thread: milliseconds each on a busy machine


@pytest.fixture(scope="module", autouse=True)
def only_what_is_new_is_collected():
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


class Mallinfo2(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks",
        "fordblks", "keepcost")]


def c_bytes():
    """The bytes that malloc has allocated."""
    mallinfo2 = ctypes.CDLL(None).mallinfo2
    mallinfo2.restype = Mallinfo2
    info = mallinfo2()
    return info.uordblks + info.hblkhd


def in_use():
    acl.rt.synchronize_device()  # tasks that still run hold memory too
    gc.collect()
    return sys.getallocatedblocks(), c_bytes()


def growth(turn, turns):
    """The growth after so many turns: blocks of Python, bytes of C."""
    before = in_use()
    for _ in range(turns):
        turn()
    after = in_use()
    return after[0] - before[0], after[1] - before[1]


def assert_no_growth(turn, turns=TURNS):
    """One lost object a turn is one block a turn, and one lost structure of C 16 bytes a turn, in every
    measurement. Pools and queues grow only at first."""
    for _ in range(4):
        blocks, size = growth(turn, turns)
        if blocks < turns // 4 and size < 12 * turns:
            return
    assert blocks < turns // 4, "%d blocks of Python's" % blocks
    assert size < 12 * turns, "%d bytes of C's" % size


def test_a_leak_would_be_seen():
    """Both kinds of leaks, to show that the tests below can fail."""
    lost = []
    with pytest.raises(AssertionError, match="blocks of Python's"):
        assert_no_growth(lambda: lost.append(object()))
    malloc = ctypes.CDLL(None).malloc
    with pytest.raises(AssertionError, match="bytes of C's"):
        assert_no_growth(lambda: malloc(ctypes.c_size_t(16)))


OBJECTS = {"str": "text %d" % os.getpid(), "list": [], "dict": {}, "tuple": (0,),
           "bytes": b"bytes %d" % os.getpid(), "callable": lambda *arguments: 0,
           "ndarray": np.zeros(4)}


def arguments_of(fact):
    return [OBJECTS.get(item.kind.rstrip("?"), sample(item.kind) if item.kind != "ndarray" else 0)
            for item in fact.parameters]


def counts():
    return {kind: sys.getrefcount(each) for kind, each in OBJECTS.items()}


# Their objects remain until they are destroyed: see the pairs below. An aborted stream keeps its old
# state until it is destroyed, because calls in other threads may still use that state.
MAKERS = {"acl.rt.create_context", "acl.rt.create_stream", "acl.rt.create_stream_with_config",
          "acl.rt.create_event", "acl.rt.create_event_with_flag", "acl.rt.create_event_ex_with_flag",
          "acl.rt.create_notify", "acl.create_data_buffer", "acl.create_tensor_desc",
          "acl.rt.allocator_create_desc", "acl.rt.create_group_info", "acl.rt.create_binary",
          "acl.util.start_thread", "acl.rt.set_device", "acl.rt.stream_abort",
          "acl.rt.device_task_abort"}


@pytest.mark.parametrize("fact", [fact for fact in PRESENT if fact.name not in MAKERS],
                         ids=lambda fact: fact.name)
def test_a_call_leaves_nothing_behind(fact):
    assert acl.init() == 0 and acl.rt.set_device(0) == 0
    function, arguments = lookup(fact.name), arguments_of(fact)
    before = counts()

    def turn():
        try:
            function(*arguments)
        except ValueError:
            pass

    try:
        assert_no_growth(turn)
        acl.rt.set_exception_info_callback(None)
        assert {kind: count for kind, count in counts().items()
                if abs(count - before[kind]) > 10} == {}
    finally:
        acl.sim.reset_all()


@pytest.mark.parametrize("fact", PRESENT, ids=lambda fact: fact.name)
def test_an_exception_leaves_nothing_behind(fact):
    function, arguments = lookup(fact.name), arguments_of(fact)
    wrong = [([], {"unexpected": 1})]
    if fact.parameters:
        wrong.append((arguments + [0], {}))
    for index, item in enumerate(fact.parameters):
        if item.kind != "any":
            wrong.append((arguments[:index] + [object()] + arguments[index + 1:], {}))
    before = counts()

    def turn():
        for positional, keywords in wrong:
            try:
                function(*positional, **keywords)
            except TypeError:
                continue
            raise AssertionError("no exception")

    assert_no_growth(turn)
    assert {kind: count for kind, count in counts().items() if abs(count - before[kind]) > 5} == {}


NESTED = [
    lambda: acl.rt.malloc_physical(1, {"location": {"id": "0"}}, 0),
    lambda: acl.rt.malloc_with_cfg(1, 0, {"attrs": [{}, {"attr": None}]}),
    lambda: acl.rt.binary_load_from_data(0, 0, [{"value": {1: 2, (3,): b""}}]),
    lambda: acl.rt.notify_batch_reset([1, 2, "3"]),
    lambda: acl.rt.ipc_mem_set_import_pid("key", [1, None]),
    lambda: acl.rt.set_stream_attribute(0, 4, {"streamPriority": "high"}),
    lambda: acl.app_log(1, "a\0b"),
    lambda: acl.app_log(1, "\ud800"),
    lambda: acl.init("a\0b"),
    lambda: acl.rt.binary_load_from_file("path", [3]),
    lambda: acl.util.ptr_to_numpy(0, (1, "2"), 2),
    lambda: acl.util.ptr_to_numpy(0, (1,) * 100, 2),
    lambda: acl.util.ptr_to_numpy(0, (1,), 99),
    lambda: acl.util.ptr_to_bytes(16, 8),
    lambda: acl.util.numpy_to_ptr([]),
    lambda: acl.float_to_float16(10**400),
]


@pytest.mark.parametrize("call", range(len(NESTED)))
def test_an_exception_from_further_inside_leaves_nothing_behind(call):
    def turn():
        try:
            NESTED[call]()
        except (TypeError, ValueError, OverflowError):
            return
        raise AssertionError("no exception")

    assert_no_growth(turn)


GRANULE = 1 << 21
PROP = {"location": {"id": 0, "type": 1}, "memAttr": 4}
PAIRS = {
    "contexts": (lambda: check(acl.rt.create_context(0)), acl.rt.destroy_context),
    "streams": (lambda: check(acl.rt.create_stream()), acl.rt.destroy_stream),
    "streams with a priority": (lambda: check(acl.rt.create_stream_with_config(1, 0)),
                                acl.rt.destroy_stream_force),
    "events": (lambda: check(acl.rt.create_event()), acl.rt.destroy_event),
    "events with a flag": (lambda: check(acl.rt.create_event_with_flag(8)), acl.rt.destroy_event),
    "events of the other kind": (lambda: check(acl.rt.create_event_ex_with_flag(1)),
                                 acl.rt.destroy_event),
    "notifies": (lambda: check(acl.rt.create_notify(0)), acl.rt.destroy_notify),
    "device memory": (lambda: check(acl.rt.malloc(GRANULE, 0)), acl.rt.free),
    "device memory with attributes": (
        lambda: check(acl.rt.malloc_with_cfg(64, 0, {"attrs": [{"attr": 1, "value": 3}]})),
        acl.rt.free),
    "host memory": (lambda: check(acl.rt.malloc_host(4096)), acl.rt.free_host),
    "addresses": (lambda: check(acl.rt.reserve_mem_address(GRANULE, 0, 0, 1)),
                  acl.rt.release_mem_address),
    "physical memory": (lambda: check(acl.rt.malloc_physical(GRANULE, PROP, 0)),
                        acl.rt.free_physical),
    "data buffers": (lambda: acl.create_data_buffer(0, 5), acl.destroy_data_buffer),
    "tensor descriptions": (lambda: acl.create_tensor_desc(0, [2, 3], 2),
                            lambda desc: acl.destroy_tensor_desc(desc) or 0),
    "core groups": (acl.rt.create_group_info, acl.rt.destroy_group_info),
    "allocators": (acl.rt.allocator_create_desc, acl.rt.allocator_destroy_desc),
    "threads": (lambda: check(acl.util.start_thread(lambda data: None, [])), acl.util.stop_thread),
    "subscriptions": (lambda: acl.rt.subscribe_report(threading.get_ident(), 0),
                      lambda code: acl.rt.unsubscribe_report(threading.get_ident(), 0)),
}


@pytest.mark.parametrize("what", PAIRS)
def test_what_is_made_and_destroyed_leaves_nothing_behind(device, what):
    make, destroy = PAIRS[what]
    assert_no_growth(lambda: check(destroy(make())), HAND_OFFS if what == "threads" else TURNS)


def quiet(monkeypatch):
    monkeypatch.setattr(sys, "unraisablehook", lambda args: None)


@pytest.mark.parametrize("block", [BLOCK, NO_BLOCK])
@pytest.mark.parametrize("raises", [False, True])
def test_callbacks_leave_nothing_behind(stream, block, raises, monkeypatch):
    quiet(monkeypatch)

    def callback(data):
        if raises:
            raise KeyError(data)

    with served(stream):
        def turn():
            check(acl.rt.launch_callback(callback, [1], block, stream))
            check(acl.rt.launch_callback(callback, [2], BLOCK, stream))
            check(acl.rt.synchronize_stream(stream))

        assert_no_growth(turn, HAND_OFFS)


@pytest.mark.parametrize("code", [0, 507015])
def test_kernels_and_reports_of_their_failures_leave_nothing_behind(stream, code):
    check(acl.rt.set_exception_info_callback(
        lambda info: acl.rt.get_task_id_from_exception_info(info)))

    def turn():
        check(acl.sim.launch_kernel(lambda context, args: code, [], 2, stream))
        assert acl.rt.synchronize_stream(stream) == code

    try:
        assert_no_growth(turn, HAND_OFFS)
    finally:
        acl.rt.set_exception_info_callback()


def test_kernels_that_raise_leave_nothing_behind(stream, monkeypatch):
    quiet(monkeypatch)

    def kernel(context, args):
        raise KeyError(args)

    def turn():
        check(acl.sim.launch_kernel(kernel, [], 1, stream))
        assert acl.rt.synchronize_stream(stream) == 507035

    assert_no_growth(turn, HAND_OFFS)


def test_aborted_callbacks_leave_nothing_behind(device):
    me = threading.get_ident()

    def turn():
        stream = check(acl.rt.create_stream())
        check(acl.rt.subscribe_report(me, stream))
        for block in (NO_BLOCK, BLOCK, BLOCK):
            check(acl.rt.launch_callback(lambda data: None, [1], block, stream))
        check(acl.rt.stream_abort(stream))
        check(acl.rt.unsubscribe_report(me, stream))
        check(acl.rt.destroy_stream(stream))

    assert_no_growth(turn)


def test_refused_callbacks_and_kernels_leave_nothing_behind(stream):
    def turn():
        assert acl.rt.launch_callback(lambda data: None, [1], BLOCK, stream) == 107015
        assert acl.sim.launch_kernel(lambda context, args: 0, [1], 0, stream) == 100000

    assert_no_growth(turn)


def test_arrays_and_bytes_leave_nothing_behind():
    array, data = np.arange(12, dtype=np.float32).reshape(3, 4), bytes(100)
    before = [sys.getrefcount(each) for each in (array, data)]

    def turn():
        acl.util.numpy_to_ptr(array)
        acl.util.numpy_contiguous_to_ptr(array)
        acl.util.numpy_contiguous_to_ptr(array.T)
        acl.util.ptr_to_numpy(array.ctypes.data, (3, 4), 11)
        acl.util.ptr_to_numpy(array.ctypes.data, [12], 11)
        acl.util.ptr_to_bytes(acl.util.bytes_to_ptr(data), 100)

    assert_no_growth(turn)
    assert [sys.getrefcount(each) for each in (array, data)] == before
