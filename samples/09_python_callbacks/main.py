# SPDX-License-Identifier: Apache-2.0
"""Callbacks between the tasks of a stream, served by a thread of the program.

The thread may start before it is subscribed. A callback receives one argument: the object that was passed
at the launch. A blocking callback holds the stream until it has returned.
"""
import acl

ACL_MEM_MALLOC_HUGE_FIRST = 0
ACL_MEMCPY_DEVICE_TO_HOST = 2
ACL_CALLBACK_BLOCK = 1
SIZE, TURNS = 64, 5


def check(result):
    *outputs, ret = result if isinstance(result, tuple) else (result,)
    if ret != 0:
        raise SystemExit("code %d: %s" % (ret, acl.get_recent_err_msg()))
    return outputs[0] if len(outputs) == 1 else outputs


def main():
    check(acl.init())
    check(acl.rt.set_device(0))
    context = check(acl.rt.get_context())
    stream = check(acl.rt.create_stream())
    device = check(acl.rt.malloc(SIZE, ACL_MEM_MALLOC_HUGE_FIRST))
    host = check(acl.rt.malloc_host(SIZE))

    running = [True]

    def serve(arguments):
        context, timeout_ms = arguments
        check(acl.rt.set_context(context))
        while running[0]:
            acl.rt.process_report(timeout_ms)  # returns 507012 if there was nothing to do

    thread = check(acl.util.start_thread(serve, [context, 100]))
    check(acl.rt.subscribe_report(thread, stream))

    seen = []

    def on_copied(data):
        turn, pointer = data
        seen.append((turn, acl.util.ptr_to_bytes(pointer, SIZE)))

    for turn in range(TURNS):
        check(acl.rt.memset_async(device, SIZE, turn, SIZE, stream))
        check(acl.rt.memcpy_async(host, SIZE, device, SIZE, ACL_MEMCPY_DEVICE_TO_HOST, stream))
        # The next turn overwrites the host's memory, so the stream has to wait for the callback.
        check(acl.rt.launch_callback(on_copied, [turn, host], ACL_CALLBACK_BLOCK, stream))
    check(acl.rt.synchronize_stream(stream))
    assert seen == [(turn, bytes([turn]) * SIZE) for turn in range(TURNS)]
    print("%d callbacks, each between its copy and the next" % len(seen))

    check(acl.rt.unsubscribe_report(thread, stream))
    running[0] = False
    check(acl.util.stop_thread(thread))
    check(acl.rt.free_host(host))
    check(acl.rt.free(device))
    check(acl.rt.destroy_stream(stream))
    check(acl.rt.reset_device(0))
    check(acl.finalize())


main()
