# SPDX-License-Identifier: Apache-2.0
"""Threads: the holder of the GIL, and the threads of acl.util."""

import threading
import time

import pytest

import acl
from work import (BLOCK, check, device_memory, eventually, eventually_blocked, host_memory,
                  let_time_pass, served)

INVALID = 100000


def test_start_thread_calls_the_function_with_the_list_itself():
    seen = []
    arguments = [1, "two"]
    thread_id = check(acl.util.start_thread(
        lambda got: seen.append((got, threading.get_ident())), arguments))
    check(acl.util.stop_thread(thread_id))
    assert seen[0][0] is arguments
    assert seen[0][1] == thread_id


def test_stop_thread_waits_and_lets_the_thread_run():
    done = []
    waiter = threading.get_native_id()

    def slow(arguments):
        eventually_blocked(waiter)
        done.append(True)

    thread_id = check(acl.util.start_thread(slow, []))
    check(acl.util.stop_thread(thread_id))
    assert done == [True]


def test_a_thread_that_is_unknown_or_stopped_already_gives_a_code():
    thread_id = check(acl.util.start_thread(lambda arguments: None, []))
    check(acl.util.stop_thread(thread_id))
    for wrong in (thread_id, 0, 1, 2**64 - 1, threading.get_ident()):
        assert acl.util.stop_thread(wrong) == INVALID


def test_a_thread_cannot_wait_for_itself():
    results = []
    gate = threading.Event()

    def stop_itself(arguments):
        gate.wait()
        results.append(acl.util.stop_thread(arguments[0]))

    arguments = []
    thread_id = check(acl.util.start_thread(stop_itself, arguments))
    arguments.append(thread_id)
    gate.set()
    eventually(lambda: results)  # otherwise it would already be stopped
    assert results == [INVALID]
    check(acl.util.stop_thread(thread_id))


def test_a_new_thread_has_no_context(device):
    results = []
    thread_id = check(acl.util.start_thread(
        lambda arguments: results.append(acl.rt.get_context()), []))
    check(acl.util.stop_thread(thread_id))
    assert results == [(0, 107002)]


def test_many_threads_start_and_stop():
    seen = []
    ids = [check(acl.util.start_thread(seen.append, i)) for i in range(50)]
    for thread_id in ids:
        check(acl.util.stop_thread(thread_id))
    assert sorted(seen) == list(range(50))


class Ticker(threading.Thread):
    """Counts until it is stopped: a thread that needs the GIL all the time."""

    def __init__(self):
        super().__init__()
        self.count = 0
        self.stopping = False

    def run(self):
        while not self.stopping:
            self.count += 1
            let_time_pass(0.001)


BLOCKING = {
    "synchronize_stream": lambda stream, event: acl.rt.synchronize_stream(stream),
    "synchronize_stream_with_timeout":
        lambda stream, event: acl.rt.synchronize_stream_with_timeout(stream, 10000),
    "synchronize_device": lambda stream, event: acl.rt.synchronize_device(),
    "synchronize_device_with_timeout":
        lambda stream, event: acl.rt.synchronize_device_with_timeout(10000),
    "synchronize_event": lambda stream, event: acl.rt.synchronize_event(event),
    "synchronize_event_with_timeout":
        lambda stream, event: acl.rt.synchronize_event_with_timeout(event, 10000),
    "destroy_stream": lambda stream, event: acl.rt.destroy_stream(stream),
}


@pytest.mark.parametrize("name", BLOCKING)
def test_other_threads_run_while_a_call_waits(device, name):
    """The stream waits for a callback, which needs the GIL that the waiting call must release."""
    stream = check(acl.rt.create_stream())
    event = check(acl.rt.create_event())
    with served(stream):
        ticks = []
        ticker = Ticker()
        ticker.start()

        def slow(data):
            before = ticker.count
            eventually(lambda: ticker.count > before + 5)
            ticks.append(ticker.count - before)

        check(acl.rt.launch_callback(slow, [], BLOCK, stream))
        check(acl.rt.record_event(event, stream))
        check(BLOCKING[name](stream, event))
        assert len(ticks) == 1 and ticks[0] > 5
        ticker.stopping = True
        ticker.join()
    if name != "destroy_stream":
        check(acl.rt.destroy_stream(stream))
    check(acl.rt.destroy_event(event))


def test_a_device_that_is_reset_waits_for_its_streams_without_the_gil(device):
    ran = []
    stream = check(acl.rt.create_stream())
    with served(stream):
        check(acl.rt.launch_callback(lambda data: ran.append(1), [], BLOCK, stream))
        check(acl.rt.reset_device(0))
        assert ran == [1]
    check(acl.rt.set_device(0))


def test_a_message_does_not_wait_with_the_gil_for_who_reads_it(run_python):
    """The pipe stays full until a thread of the same program reads from it."""
    done = run_python("""
        import os, sys, threading
        import acl
        acl.init()
        kept = os.dup(1)
        reader, writer = os.pipe()
        os.dup2(writer, 1)
        os.dup2(writer, 2)
        got = []
        def read():
            while True:
                got.append(len(os.read(reader, 4096)))
        threading.Thread(target=read, daemon=True).start()
        for _ in range(2000):
            acl.app_log(3, "a message " * 20)
        os.write(kept, b"read" if sum(got) > 200000 else b"nothing")
    """, timeout=30, env={"ASCEND_SLOG_PRINT_TO_STDOUT": "1"})
    assert done.stdout == "read", done


def test_a_pageable_copy_waits_for_the_stream_without_the_gil(stream):
    ran = []
    with served(stream), device_memory(64) as pointer:
        check(acl.rt.launch_callback(lambda data: ran.append(1), [], BLOCK, stream))
        data = bytes(64)
        check(acl.rt.memcpy_async(acl.util.bytes_to_ptr(data), 64, pointer, 64, 2, stream))
        assert ran == [1]


def test_streams_of_many_threads_do_not_disturb_each_other(device):
    context = check(acl.rt.get_context())
    failures = []

    def work(number):
        try:
            check(acl.rt.set_context(context))
            stream = check(acl.rt.create_stream())
            with device_memory(256) as pointer, host_memory(256) as host:
                for turn in range(50):
                    value = (number + turn) % 256
                    check(acl.rt.memset_async(pointer, 256, value, 256, stream))
                    check(acl.rt.memcpy_async(host, 256, pointer, 256, 2, stream))
                    check(acl.rt.synchronize_stream(stream))
                    assert acl.util.ptr_to_bytes(host, 256) == bytes([value]) * 256
            check(acl.rt.destroy_stream(stream))
        except BaseException as error:  # for the main thread to raise
            failures.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_a_timeout_of_a_wait_is_kept_while_other_threads_compute(stream):
    gate = threading.Event()
    with served(stream):
        check(acl.rt.launch_callback(lambda data: gate.wait(10), [], BLOCK, stream))
        begin = time.monotonic()
        assert acl.rt.synchronize_stream_with_timeout(stream, 100) == 507046
        assert time.monotonic() - begin < 1
        gate.set()
        check(acl.rt.synchronize_stream(stream))
        eventually(lambda: acl.rt.stream_query(stream) == (0, 0))


def test_a_thread_that_the_system_refuses_is_a_code(run_python):
    result = run_python("""
        import os, resource, sys
        import acl
        if os.getuid() == 0:  # the limit does not apply to root
            try:
                os.setuid(54321)
            except OSError:
                sys.exit(0)
        resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
        assert acl.util.start_thread(print, []) == (0, 207005)
        """)
    assert result.returncode == 0, result.stderr
