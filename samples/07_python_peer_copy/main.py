# SPDX-License-Identifier: Apache-2.0
"""Two devices exchange data, in Python: query, enable both directions, copy.

pyACL's functions return the C function's outputs and then a code; an ACL error raises no exception.
"""
import acl

ACL_MEM_MALLOC_NORMAL_ONLY_P2P = 5
ACL_MEMCPY_HOST_TO_DEVICE = 1
ACL_MEMCPY_DEVICE_TO_HOST = 2
ACL_MEMCPY_DEVICE_TO_DEVICE = 3
SIZE = 1024


def check(result):
    """Removes the code from a result and ends the program if it is not 0."""
    *outputs, ret = result if isinstance(result, tuple) else (result,)
    if ret != 0:
        raise SystemExit("code %d: %s" % (ret, acl.get_recent_err_msg()))
    return outputs[0] if len(outputs) == 1 else outputs


def read_back(device_memory):
    data = bytes(SIZE)  # the copy writes into this object itself
    check(acl.rt.memcpy(acl.util.bytes_to_ptr(data), SIZE, device_memory, SIZE,
                        ACL_MEMCPY_DEVICE_TO_HOST))
    return data


def main():
    check(acl.init(""))
    if check(acl.rt.get_device_count()) < 2:
        print("fewer than two devices: skipped")
        return
    here, there = 0, 1

    check(acl.rt.set_device(here))
    if not check(acl.rt.device_can_access_peer(here, there)):
        print("no path between the devices: skipped")
        return
    check(acl.rt.device_enable_peer_access(there, 0))
    first = check(acl.rt.malloc(SIZE, ACL_MEM_MALLOC_NORMAL_ONLY_P2P))
    text = b"from the host".ljust(SIZE, b".")
    check(acl.rt.memcpy(first, SIZE, acl.util.bytes_to_ptr(text), SIZE, ACL_MEMCPY_HOST_TO_DEVICE))

    check(acl.rt.set_device(there))
    check(acl.rt.device_enable_peer_access(here, 0))
    second = check(acl.rt.malloc(SIZE, ACL_MEM_MALLOC_NORMAL_ONLY_P2P))

    check(acl.rt.memcpy(second, SIZE, first, SIZE, ACL_MEMCPY_DEVICE_TO_DEVICE))
    assert read_back(second) == text
    check(acl.rt.memset(second, SIZE, ord("x"), SIZE))
    check(acl.rt.memcpy(first, SIZE, second, SIZE, ACL_MEMCPY_DEVICE_TO_DEVICE))
    assert read_back(first) == b"x" * SIZE
    print("both devices have seen each other's data")

    check(acl.rt.free(second))
    check(acl.rt.free(first))
    check(acl.rt.reset_device(there))
    check(acl.rt.set_device(here))
    check(acl.rt.reset_device(here))
    check(acl.finalize())


main()
