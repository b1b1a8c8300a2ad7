# SPDX-License-Identifier: Apache-2.0
"""Two streams work on numpy arrays: one uploads, the other computes and downloads.

While one part of the data is computed the next part is copied: two buffers, and events for "filled" and
"free again". The computation is a kernel in Python (acl.sim, which only this emulator has) on the device's
memory, which it sees as an array.
"""
import numpy as np

import acl

ACL_MEM_MALLOC_HUGE_FIRST = 0
ACL_MEMCPY_HOST_TO_DEVICE = 1
ACL_MEMCPY_DEVICE_TO_HOST = 2
NPY_FLOAT32 = 11
ACL_EVENT_SYNC = 1
PARTS, COUNT = 16, 4096
BYTES = COUNT * 4


def check(result):
    *outputs, ret = result if isinstance(result, tuple) else (result,)
    if ret != 0:
        raise SystemExit("code %d: %s" % (ret, acl.get_recent_err_msg()))
    return outputs[0] if len(outputs) == 1 else outputs


def pinned_array(shape):
    """An array in pinned memory: asynchronous copies to and from it do not block the host."""
    pointer = check(acl.rt.malloc_host(int(np.prod(shape)) * 4))
    return pointer, acl.util.ptr_to_numpy(pointer, shape, NPY_FLOAT32)


def square_in_place(context, device_memory):
    array = acl.util.ptr_to_numpy(device_memory, (COUNT,), NPY_FLOAT32)
    np.multiply(array, array, out=array)


def main():
    check(acl.init())
    check(acl.rt.set_device(0))
    upload = check(acl.rt.create_stream())
    compute = check(acl.rt.create_stream())
    buffers = [check(acl.rt.malloc(BYTES, ACL_MEM_MALLOC_HUGE_FIRST)) for _ in range(2)]
    filled = [check(acl.rt.create_event_ex_with_flag(ACL_EVENT_SYNC)) for _ in buffers]
    emptied = [check(acl.rt.create_event_ex_with_flag(ACL_EVENT_SYNC)) for _ in buffers]
    source_pointer, source = pinned_array((PARTS, COUNT))
    result_pointer, result = pinned_array((PARTS, COUNT))
    source[:] = np.random.default_rng(1).random((PARTS, COUNT))

    for part in range(PARTS):
        turn = part % 2
        # A wait for an event of this kind that was never recorded does not block.
        check(acl.rt.stream_wait_event(upload, emptied[turn]))
        check(acl.rt.memcpy_async(buffers[turn], BYTES, source_pointer + part * BYTES, BYTES,
                                  ACL_MEMCPY_HOST_TO_DEVICE, upload))
        check(acl.rt.record_event(filled[turn], upload))

        check(acl.rt.stream_wait_event(compute, filled[turn]))
        check(acl.sim.next_kernel_writes(buffers[turn], BYTES))  # for `aclsim run --check`
        check(acl.sim.launch_kernel(square_in_place, buffers[turn], 1, compute))
        check(acl.rt.memcpy_async(result_pointer + part * BYTES, BYTES, buffers[turn], BYTES,
                                  ACL_MEMCPY_DEVICE_TO_HOST, compute))
        check(acl.rt.record_event(emptied[turn], compute))
    check(acl.rt.synchronize_stream(compute))

    assert (result == source * source).all()
    print("%d parts of %d numbers went through two buffers" % (PARTS, COUNT))

    del source, result  # they refer to memory that is freed now
    for pointer in (source_pointer, result_pointer):
        check(acl.rt.free_host(pointer))
    for event in filled + emptied:
        check(acl.rt.destroy_event(event))
    for pointer in buffers:
        check(acl.rt.free(pointer))
    for stream in (upload, compute):
        check(acl.rt.destroy_stream(stream))
    check(acl.rt.reset_device(0))
    check(acl.finalize())


main()
