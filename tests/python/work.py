# SPDX-License-Identifier: Apache-2.0
"""Small helpers that tests share."""

import contextlib
import threading
import time

import acl

HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE = 1, 2, 3
NO_BLOCK, BLOCK = 0, 1
NORMAL_ONLY = 2


def check(result):
    """The outputs of a call that must succeed."""
    if not isinstance(result, tuple):
        assert result == 0, (result, acl.get_recent_err_msg())
        return None
    *outputs, ret = result
    assert ret == 0, (result, acl.get_recent_err_msg())
    return outputs[0] if len(outputs) == 1 else tuple(outputs)


def let_time_pass(seconds):
    """Sleeps. Only for tests whose subject is time itself; never to order threads."""
    time.sleep(seconds)


def eventually(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came to that"
        let_time_pass(0.001)


def is_blocked(thread):
    """Whether a thread, by the system's thread id, is blocked in the system at this moment."""
    with open("/proc/self/task/%d/stat" % thread) as file:
        return file.read().rpartition(")")[2].split()[0] == "S"


def eventually_blocked(*threads):
    """Waits until threads, by the system's thread ids, stay blocked although they could get the GIL."""
    in_a_row = 0

    def seen_often():
        nonlocal in_a_row
        in_a_row = in_a_row + 1 if all(map(is_blocked, threads)) else 0
        return in_a_row >= 5

    eventually(seen_often)


class Server(threading.Thread):
    """Serves callbacks until it is stopped."""

    def __init__(self, timeout_ms=200, **options):
        super().__init__(**options)
        self.timeout_ms = timeout_ms
        self.stopping = False

    def run(self):
        while not self.stopping:
            acl.rt.process_report(self.timeout_ms)


@contextlib.contextmanager
def served(stream, timeout_ms=200):
    """A thread that serves the stream's callbacks; it runs before it is subscribed."""
    server = Server(timeout_ms)
    server.start()
    check(acl.rt.subscribe_report(server.ident, stream))
    try:
        yield server
    finally:
        server.stopping = True
        server.join()
        acl.rt.unsubscribe_report(server.ident, stream)


@contextlib.contextmanager
def device_memory(size):
    pointer = check(acl.rt.malloc(size, NORMAL_ONLY))
    try:
        yield pointer
    finally:
        check(acl.rt.free(pointer))


@contextlib.contextmanager
def host_memory(size):
    pointer = check(acl.rt.malloc_host(size))
    try:
        yield pointer
    finally:
        check(acl.rt.free_host(pointer))


def fetch(device_pointer, size):
    """The bytes of device memory."""
    data = bytes(size)
    check(acl.rt.memcpy(acl.util.bytes_to_ptr(data), size, device_pointer, size, DEVICE_TO_HOST))
    return data


def store(device_pointer, data):
    check(acl.rt.memcpy(device_pointer, len(data), acl.util.bytes_to_ptr(data), len(data),
                        HOST_TO_DEVICE))
