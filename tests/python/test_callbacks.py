# SPDX-License-Identifier: Apache-2.0
"""Callbacks: their thread, their time, their argument, and the calls that they may make."""

import ctypes
import sys
import threading
import time

import pytest

import acl
from work import (BLOCK, NO_BLOCK, Server, check, eventually, eventually_blocked,
                  let_time_pass, served)

NOT_SUBSCRIBED = 107015


def test_the_serving_thread_calls_the_function_with_the_same_object(stream):
    seen = []
    data = ["a", {"list": 1}]
    with served(stream) as server:
        check(acl.rt.launch_callback(
            lambda got: seen.append((got, threading.get_ident())), data, BLOCK, stream))
        check(acl.rt.synchronize_stream(stream))
        assert len(seen) == 1
        assert seen[0][0] is data
        assert seen[0][1] == server.ident


def test_none_is_data_too(stream):
    seen = []
    with served(stream):
        check(acl.rt.launch_callback(seen.append, None, BLOCK, stream))
        check(acl.rt.synchronize_stream(stream))
    assert seen == [None]


def test_any_callable_will_do(stream):
    seen = []

    class Callable:
        def __call__(self, data):
            seen.append(("object", data))

        def method(self, data):
            seen.append(("method", data))

    function = ctypes.CFUNCTYPE(None, ctypes.py_object)(lambda data: seen.append(("ctypes", data)))
    with served(stream):
        for each in (Callable(), Callable().method, function):
            check(acl.rt.launch_callback(each, [1], BLOCK, stream))
        check(acl.rt.synchronize_stream(stream))
    assert seen == [("object", [1]), ("method", [1]), ("ctypes", [1])]


@pytest.mark.parametrize("block", [BLOCK, NO_BLOCK])
def test_callbacks_of_a_stream_run_in_order(stream, block):
    seen = []
    with served(stream):
        for i in range(100):
            check(acl.rt.launch_callback(seen.append, i, block, stream))
        check(acl.rt.synchronize_stream(stream))
        eventually(lambda: len(seen) == 100)
    assert seen == list(range(100))


def test_the_default_stream_can_be_served(device):
    seen = []
    with served(0):
        check(acl.rt.launch_callback(seen.append, 1, BLOCK, 0))
        check(acl.rt.synchronize_stream(0))
    assert seen == [1]


def test_a_stream_waits_for_a_callback_of_two_seconds_and_at_most_10_ms_longer(stream):
    slept = []

    def sleep(data):
        begin = time.monotonic()
        let_time_pass(2)
        slept.append(time.monotonic() - begin)

    with served(stream, timeout_ms=200):
        for _ in range(5):  # a loaded machine gets several attempts
            begin = time.monotonic()
            check(acl.rt.launch_callback(sleep, [], BLOCK, stream))
            check(acl.rt.synchronize_stream(stream))
            longer = time.monotonic() - begin - slept[-1]
            assert longer >= 0
            if longer <= 0.010:
                return
    raise AssertionError("the last one took %.1f ms longer" % (longer * 1000))


def test_a_callback_that_does_not_block_lets_the_stream_go_on(stream):
    gate = threading.Event()
    with served(stream):
        check(acl.rt.launch_callback(lambda data: gate.wait(10), [], NO_BLOCK, stream))
        check(acl.rt.synchronize_stream(stream))
        assert not gate.is_set()
        gate.set()


def test_a_waiting_thread_wakes_at_once(stream):
    times = []
    with served(stream, timeout_ms=-1) as server:
        for _ in range(20):
            eventually_blocked(server.native_id)
            begin = time.monotonic()
            check(acl.rt.launch_callback(lambda data: times.append(time.monotonic()), 0, BLOCK,
                                         stream))
            check(acl.rt.synchronize_stream(stream))
            times[-1] -= begin
        server.stopping = True
        check(acl.rt.launch_callback(lambda data: None, 0, BLOCK, stream))
        check(acl.rt.synchronize_stream(stream))
    assert sorted(times)[len(times) // 2] < 0.005, times


def test_nothing_is_served_without_a_subscription(stream):
    for block in (BLOCK, NO_BLOCK):
        assert acl.rt.launch_callback(print, [], block, stream) == NOT_SUBSCRIBED
    with served(stream):
        check(acl.rt.launch_callback(lambda data: None, [], BLOCK, stream))
        check(acl.rt.synchronize_stream(stream))
    assert acl.rt.launch_callback(print, [], BLOCK, stream) == NOT_SUBSCRIBED


def test_process_report_times_out_with_a_code(stream):
    begin = time.monotonic()
    assert acl.rt.process_report(50) == 107012  # the thread serves no stream
    assert 0.04 < time.monotonic() - begin < 1
    check(acl.rt.subscribe_report(threading.get_ident(), stream))
    assert acl.rt.process_report(50) == 507012
    assert acl.rt.process_report(0) == 100000
    check(acl.rt.unsubscribe_report(threading.get_ident(), stream))


def test_the_main_thread_can_serve(stream):
    seen = []
    check(acl.rt.subscribe_report(threading.get_ident(), stream))
    check(acl.rt.launch_callback(seen.append, 1, NO_BLOCK, stream))
    check(acl.rt.process_report(10000))
    assert seen == [1]
    check(acl.rt.unsubscribe_report(threading.get_ident(), stream))


def test_a_thread_that_ended_can_be_unsubscribed(stream):
    server = Server(20)
    server.start()
    check(acl.rt.subscribe_report(server.ident, stream))
    server.stopping = True
    server.join()
    check(acl.rt.unsubscribe_report(server.ident, stream))


def test_an_exception_goes_to_the_hook_and_the_stream_goes_on(stream, monkeypatch):
    caught = []
    monkeypatch.setattr(sys, "unraisablehook", lambda args: caught.append(
        (args.exc_type, str(args.exc_value))))
    seen = []

    def fail(data):
        raise ValueError("of %s" % data)

    with served(stream):
        check(acl.rt.launch_callback(fail, "test", BLOCK, stream))
        check(acl.rt.launch_callback(seen.append, 2, BLOCK, stream))
        check(acl.rt.synchronize_stream(stream))
    assert caught == [(ValueError, "of test")]
    assert seen == [2]


def test_a_callback_may_use_memory_calls(stream):
    results = []

    def use(data):
        pointer, ret = acl.rt.malloc_host(64)
        results.append(ret)
        results.append(acl.rt.memset(pointer, 64, 7, 64))
        results.append(acl.util.ptr_to_bytes(pointer, 2))
        results.append(acl.rt.free_host(pointer))

    with served(stream):
        # The serving thread has no context, as in programs whose thread only serves.
        context = check(acl.rt.get_context())
        check(acl.rt.launch_callback(lambda data: acl.rt.set_context(data), context, BLOCK, stream))
        check(acl.rt.launch_callback(use, None, BLOCK, stream))
        check(acl.rt.synchronize_stream(stream))
    assert results == [0, 0, b"\7\7", 0]


def test_one_thread_serves_many_streams(device):
    streams = [check(acl.rt.create_stream()) for _ in range(8)]
    seen = []
    server = Server()
    server.start()
    for stream in streams:
        check(acl.rt.subscribe_report(server.ident, stream))
    for turn in range(50):
        for number, stream in enumerate(streams):
            check(acl.rt.launch_callback(seen.append, (number, turn), BLOCK, stream))
    for stream in streams:
        check(acl.rt.synchronize_stream(stream))
    server.stopping = True
    server.join()
    for number, stream in enumerate(streams):
        assert [turn for n, turn in seen if n == number] == list(range(50))
        check(acl.rt.unsubscribe_report(server.ident, stream))
        check(acl.rt.destroy_stream(stream))


def test_start_thread_serves_as_the_samples_do_it(stream):
    state = {"run": True}
    seen = []

    def serve(arguments):
        context, timeout = arguments
        acl.rt.set_context(context)
        while state["run"]:
            acl.rt.process_report(timeout)

    context = check(acl.rt.get_context())
    thread_id = check(acl.util.start_thread(serve, [context, 100]))
    check(acl.rt.subscribe_report(thread_id, stream))
    check(acl.rt.launch_callback(seen.append, ["data"], BLOCK, stream))
    check(acl.rt.synchronize_stream(stream))
    check(acl.rt.unsubscribe_report(thread_id, stream))
    state["run"] = False
    check(acl.util.stop_thread(thread_id))
    assert seen == [["data"]]


def test_an_exception_callback_is_told_of_a_failing_kernel(stream):
    told = []

    def on_exception(info):
        told.append((acl.rt.get_task_id_from_exception_info(info),
                     acl.rt.get_stream_id_from_exception_info(info),
                     acl.rt.get_thread_id_from_exception_info(info),
                     acl.rt.get_device_id_from_exception_info(info),
                     acl.rt.get_error_code_from_exception_info(info)))

    check(acl.rt.set_exception_info_callback(on_exception))
    check(acl.sim.launch_kernel(lambda context, args: 507015, None, 1, stream))
    assert acl.rt.synchronize_stream(stream) == 507015
    assert len(told) == 1
    assert told[0][1] == check(acl.rt.stream_get_id(stream))
    assert told[0][3:] == (0, 507015)
    for clear in ((), (None,)):
        check(acl.rt.set_exception_info_callback(*clear))
        check(acl.sim.launch_kernel(lambda context, args: 507015, None, 1, stream))
        assert acl.rt.synchronize_stream(stream) == 507015
        assert len(told) == 1
        check(acl.rt.set_exception_info_callback(on_exception))
    check(acl.rt.set_exception_info_callback(None))


def test_an_exception_info_that_is_over_is_refused(stream):
    kept = []
    codes = []

    def on_exception(info):
        kept.append(info)
        codes.append([acl.rt.get_error_code_from_exception_info(each) for each in kept])

    check(acl.rt.set_exception_info_callback(on_exception))
    for _ in range(2):
        check(acl.sim.launch_kernel(lambda context, args: 507015, None, 1, stream))
        assert acl.rt.synchronize_stream(stream) == 507015
    check(acl.rt.set_exception_info_callback(None))
    assert codes == [[507015], [0xFFFFFFFF, 507015]]
    assert [acl.rt.get_error_code_from_exception_info(info) for info in kept] == [0xFFFFFFFF] * 2


def test_getters_of_exception_infos_never_follow_garbage():
    for info in (0, 1, 12345, 2**63, -1):
        for name in ("task_id", "stream_id", "thread_id", "device_id", "error_code"):
            getter = getattr(acl.rt, "get_%s_from_exception_info" % name)
            assert getter(info) == 0xFFFFFFFF


def test_what_cannot_be_called_is_refused(stream):
    for wrong in (None, 5, "print"):
        with pytest.raises(TypeError, match=r"acl.rt.launch_callback: argument 1 \(fn\)"):
            acl.rt.launch_callback(wrong, [], BLOCK, stream)
    with pytest.raises(TypeError, match="acl.rt.launch_callback"):
        acl.rt.launch_callback(print, [], BLOCK, None)
    for wrong in (5, "print"):
        with pytest.raises(TypeError, match="acl.rt.set_exception_info_callback"):
            acl.rt.set_exception_info_callback(wrong)
