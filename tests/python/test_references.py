# SPDX-License-Identifier: Apache-2.0
"""References are held exactly as long as the runtime needs them."""

import ctypes
import gc
import threading
import weakref

import pytest

import acl
from work import BLOCK, NO_BLOCK, check, eventually, served


class Thing:
    """An object whose destruction can be observed."""

    def __call__(self, *arguments):
        return 0


def watched():
    thing = Thing()
    return thing, weakref.ref(thing)


def test_a_callback_and_its_data_are_gone_when_the_stream_went_on(stream):
    with served(stream):
        for _ in range(20):
            function, seen_function = watched()
            data, seen_data = watched()
            check(acl.rt.launch_callback(function, data, BLOCK, stream))
            del function, data
            check(acl.rt.synchronize_stream(stream))
            assert seen_function() is None and seen_data() is None


def test_a_callback_that_does_not_block_is_gone_soon(stream):
    with served(stream):
        data, seen = watched()
        check(acl.rt.launch_callback(Thing(), data, NO_BLOCK, stream))
        del data
        eventually(lambda: seen() is None)
        check(acl.rt.synchronize_stream(stream))


def test_a_callback_is_held_until_it_ran(stream):
    gate = threading.Event()
    ran = []

    class Late:
        def __call__(self, data):
            ran.append(data)

    with served(stream):
        check(acl.rt.launch_callback(lambda data: gate.wait(10), None, BLOCK, stream))
        data, seen = watched()
        check(acl.rt.launch_callback(Late(), data, BLOCK, stream))
        del data
        gc.collect()
        assert seen() is not None
        gate.set()
        check(acl.rt.synchronize_stream(stream))
        assert len(ran) == 1
        ran.clear()
        assert seen() is None


def test_a_refused_callback_is_not_held(stream):
    data, seen = watched()
    assert acl.rt.launch_callback(Thing(), data, BLOCK, stream) == 107015
    del data
    assert seen() is None


@pytest.mark.parametrize("end", ["destroy_stream_force", "stream_abort", "reset_all"])
def test_what_is_dropped_with_a_stream_is_not_held(device, end):
    stream = check(acl.rt.create_stream())
    gate, running = threading.Event(), threading.Event()
    dropped = []
    with served(stream):
        check(acl.rt.launch_callback(lambda data: running.set() or gate.wait(10), None, BLOCK,
                                     stream))
        assert running.wait(10)
        for block in (BLOCK, NO_BLOCK):
            data, seen = watched()
            check(acl.rt.launch_callback(Thing(), data, block, stream))
            dropped.append(seen)
        del data
        if end == "reset_all":
            gate.set()
        check(acl.sim.reset_all() if end == "reset_all" else getattr(acl.rt, end)(stream))
        gate.set()
        eventually(lambda: [seen() for seen in dropped] == [None] * 2)
    if end == "stream_abort":
        check(acl.rt.destroy_stream(stream))
    if end == "reset_all":
        check(acl.init())
        check(acl.rt.set_device(0))


@pytest.mark.parametrize("end", ["stream_abort", "device_task_abort", "destroy_stream_force",
                                 "reset_device_force"])
def test_an_abort_lets_go_of_callbacks_that_nobody_has_begun(device, end):
    """This thread should serve the callbacks, but does not. After the abort neither the callback that the stream
    waits for nor the callbacks before and after it are held any longer."""
    stream, other = check(acl.rt.create_stream()), check(acl.rt.create_stream())
    me = threading.get_ident()
    check(acl.rt.subscribe_report(me, stream))
    check(acl.rt.subscribe_report(me, other))
    ran, held = [], []
    for block in (NO_BLOCK, BLOCK, NO_BLOCK, BLOCK):
        function, seen_function = watched()
        data, seen_data = watched()
        check(acl.rt.launch_callback(function, data, block, stream))
        held += [seen_function, seen_data]
    check(acl.rt.launch_callback(ran.append, "other", NO_BLOCK, other))
    del function, data
    assert acl.rt.synchronize_stream_with_timeout(stream, 20) == 507046
    assert None not in [seen() for seen in held]
    if end == "device_task_abort":
        check(acl.rt.device_task_abort(device, 0))
    else:
        check(getattr(acl.rt, end)(device if end == "reset_device_force" else stream))
    assert [seen() for seen in held] == [None] * len(held)
    if end == "reset_device_force":
        check(acl.rt.set_device(device))
        return
    if end == "device_task_abort":
        assert acl.rt.process_report(1) == 507012
    else:
        assert acl.rt.process_report(10000) == 0  # the machine may be slow to hand it over
    assert ran == ([] if end == "device_task_abort" else ["other"])
    for each in [stream, other] if end != "destroy_stream_force" else [other]:
        check(acl.rt.unsubscribe_report(me, each))
        check(acl.rt.destroy_stream(each))


@pytest.mark.parametrize("block", [BLOCK, NO_BLOCK])
def test_an_aborted_stream_serves_new_callbacks(stream, block):
    with served(stream):
        for _ in range(20):
            ran = []
            check(acl.rt.launch_callback(ran.append, 1, block, stream))
            check(acl.rt.stream_abort(stream))
            check(acl.rt.launch_callback(ran.append, 2, BLOCK, stream))
            check(acl.rt.synchronize_stream(stream))
            assert ran in ([2], [1, 2])


def test_a_kernel_and_its_arguments_are_gone_when_it_ran(stream):
    for returned in (0, 507015):
        data, seen = watched()
        check(acl.sim.launch_kernel(lambda context, args: returned, data, 3, stream))
        del data
        assert acl.rt.synchronize_stream(stream) == returned
        assert seen() is None


@pytest.mark.parametrize("end", ["destroy_stream_force", "stream_abort", "reset_device_force"])
def test_a_kernel_that_is_dropped_with_its_stream_is_not_held(device, end):
    stream = check(acl.rt.create_stream())
    gate, running = threading.Event(), threading.Event()
    check(acl.sim.launch_kernel(lambda context, args: running.set() or gate.wait(10) and 0, None, 3,
                                stream))
    assert running.wait(10)
    function, seen_function = watched()
    data, seen_data = watched()
    check(acl.sim.launch_kernel(function, data, 1, stream))
    del function, data
    check(getattr(acl.rt, end)(0 if end == "reset_device_force" else stream))
    gate.set()
    eventually(lambda: acl.rt.get_device() and (seen_function(), seen_data()) == (None, None))
    if end == "stream_abort":
        check(acl.rt.destroy_stream(stream))
    if end == "reset_device_force":
        check(acl.rt.set_device(0))


def test_a_kernel_in_a_graph_is_held_until_the_graph_is_destroyed(stream):
    """The library's own functions, which a program may call with ctypes."""
    library = ctypes.CDLL("libascendcl.so")
    handle, graph = ctypes.c_void_p(stream), ctypes.c_void_p()
    data, seen = watched()
    runs = []
    assert library.aclmdlRICaptureBegin(handle, 0) == 0
    check(acl.sim.launch_kernel(lambda context, args: runs.append(args is seen()), data, 2, stream))
    assert library.aclmdlRICaptureEnd(handle, ctypes.byref(graph)) == 0
    del data
    for turn in (1, 2, 3):
        assert library.aclmdlRIExecuteAsync(graph, handle) == 0
        check(acl.rt.synchronize_stream(stream))
        assert runs == [True] * 2 * turn
    assert library.aclmdlRIDestroy(graph) == 0
    eventually(lambda: acl.rt.stream_query(stream) and seen() is None)


def test_a_refused_kernel_is_not_held(stream):
    data, seen = watched()
    assert acl.sim.launch_kernel(Thing(), data, 0, stream) == 100000
    del data
    assert seen() is None


def test_the_exception_callback_is_held_until_it_is_replaced(device):
    function, seen = watched()
    check(acl.rt.set_exception_info_callback(function))
    del function
    gc.collect()
    assert seen() is not None
    other, seen_other = watched()
    check(acl.rt.set_exception_info_callback(other))
    del other
    assert seen() is None and seen_other() is not None
    check(acl.rt.set_exception_info_callback())
    assert seen_other() is None


def test_a_reset_of_everything_forgets_the_exception_callback_and_allocators():
    check(acl.init())
    check(acl.rt.set_device(0))
    function, seen = watched()
    data, seen_data = watched()
    check(acl.rt.set_exception_info_callback(function))
    check(acl.rt.allocator_set_obj_to_desc(acl.rt.allocator_create_desc(), data))
    del function, data
    assert seen() is not None and seen_data() is not None
    check(acl.sim.reset_all())
    assert seen() is None and seen_data() is None


def test_a_thread_holds_its_function_until_it_returned():
    data, seen = watched()
    thread_id = check(acl.util.start_thread(Thing(), data))
    del data
    check(acl.util.stop_thread(thread_id))
    assert seen() is None


def test_a_callback_s_data_may_use_acl_when_it_goes(stream):
    codes = []

    class Owner:
        def __init__(self):
            self.pointer = check(acl.rt.malloc_host(64))

        def __del__(self):
            codes.append(acl.rt.free_host(self.pointer))

    with served(stream):
        check(acl.rt.launch_callback(Thing(), Owner(), BLOCK, stream))
        check(acl.rt.synchronize_stream(stream))
        eventually(lambda: codes == [0])  # the thread that releases it gives the GIL away
