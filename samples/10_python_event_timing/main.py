# SPDX-License-Identifier: Apache-2.0
"""Measures the duration of copies: the time between two events around them.

The times depend on the host of the emulator, so only their order of magnitude is of interest.
"""
import acl

ACL_MEM_MALLOC_HUGE_FIRST = 0
ACL_MEMCPY_DEVICE_TO_DEVICE = 3
TIMES = 20


def check(result):
    *outputs, ret = result if isinstance(result, tuple) else (result,)
    if ret != 0:
        raise SystemExit("code %d: %s" % (ret, acl.get_recent_err_msg()))
    return outputs[0] if len(outputs) == 1 else outputs


def measure(stream, size):
    """Milliseconds of one copy within the device."""
    source = check(acl.rt.malloc(size, ACL_MEM_MALLOC_HUGE_FIRST))
    target = check(acl.rt.malloc(size, ACL_MEM_MALLOC_HUGE_FIRST))
    start = check(acl.rt.create_event())
    end = check(acl.rt.create_event())
    check(acl.rt.memset(source, size, 1, size))
    check(acl.rt.memset(target, size, 0, size))

    check(acl.rt.record_event(start, stream))
    for _ in range(TIMES):
        check(acl.rt.memcpy_async(target, size, source, size, ACL_MEMCPY_DEVICE_TO_DEVICE, stream))
    check(acl.rt.record_event(end, stream))
    check(acl.rt.synchronize_stream(stream))
    milliseconds = check(acl.rt.event_elapsed_time(start, end)) / TIMES

    for event in (start, end):
        check(acl.rt.destroy_event(event))
    for pointer in (source, target):
        check(acl.rt.free(pointer))
    return milliseconds


def main():
    check(acl.init())
    check(acl.rt.set_device(0))
    stream = check(acl.rt.create_stream())
    for size in (1 << 10, 1 << 16, 1 << 20, 1 << 24):
        milliseconds = measure(stream, size)
        assert milliseconds >= 0
        rate = size / milliseconds / 1e6 if milliseconds else float("inf")
        print("%9d bytes: %9.4f ms, %6.1f GB/s" % (size, milliseconds, rate))
    check(acl.rt.destroy_stream(stream))
    check(acl.rt.reset_device(0))
    check(acl.finalize())


main()
