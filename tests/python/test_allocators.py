# SPDX-License-Identifier: Apache-2.0
"""Allocators in Python, registered with streams: C code receives C functions that call Python."""

import ctypes
import gc
import weakref

import pytest

import acl
from work import check

library = ctypes.CDLL("libascendcl.so")
HANDLE = ctypes.c_void_p
ALLOC = ctypes.CFUNCTYPE(HANDLE, HANDLE, ctypes.c_size_t)
FREE = ctypes.CFUNCTYPE(None, HANDLE, HANDLE)
ADVISE = ctypes.CFUNCTYPE(HANDLE, HANDLE, ctypes.c_size_t, HANDLE)
ADDRESS = ctypes.CFUNCTYPE(HANDLE, HANDLE)


class Pool:
    """The functions of a description; remembers its blocks."""

    def __init__(self):
        self.live = []
        self.during = lambda: None

    def alloc(self, obj, size):
        self.during()
        block = ["block", obj, size]
        self.live.append(block)
        return block

    def free(self, obj, block):
        self.live.remove(block)

    def alloc_advise(self, obj, size, address):
        return self.alloc(obj, size + address)

    def get_addr(self, block):
        return 4096 + block[2]


def describe(pool, obj="object"):
    desc = acl.rt.allocator_create_desc()
    check(acl.rt.allocator_set_obj_to_desc(desc, obj))
    check(acl.rt.allocator_set_alloc_func_to_desc(desc, pool.alloc))
    check(acl.rt.allocator_set_free_func_to_desc(desc, pool.free))
    check(acl.rt.allocator_set_alloc_advise_func_to_desc(desc, pool.alloc_advise))
    check(acl.rt.allocator_set_get_addr_from_block_func_to_desc(desc, pool.get_addr))
    return desc


class Lent:
    """The allocator that C receives for a stream."""

    def __init__(self, stream):
        desc, self.object = HANDLE(), HANDLE()
        functions = [ALLOC(), FREE(), ADVISE(), ADDRESS()]
        code = library.aclrtAllocatorGetByStream(
            HANDLE(stream), ctypes.byref(desc), ctypes.byref(self.object),
            *[ctypes.byref(function) for function in functions])
        assert code == 0, code
        self.alloc, self.free, self.advise, self.address = functions


def test_c_reaches_the_functions_with_the_object(stream):
    pool = Pool()
    desc = describe(pool)
    check(acl.rt.allocator_register(stream, desc))
    check(acl.rt.allocator_destroy_desc(desc))  # the stream keeps the registered allocator
    lent = Lent(stream)
    first, second = lent.alloc(lent.object, 64), lent.advise(lent.object, 64, 8)
    assert pool.live == [["block", "object", 64], ["block", "object", 72]]
    assert (lent.address(first), lent.address(second)) == (4160, 4168)
    lent.free(lent.object, first)
    lent.free(lent.object, second)
    assert pool.live == []
    check(acl.rt.allocator_unregister(stream))


def test_all_is_let_go_in_the_end(device):
    for end in ("unregister", "destroy_stream", "register another"):
        stream = check(acl.rt.create_stream())
        pool = Pool()
        seen = weakref.ref(pool)
        desc = describe(pool)
        check(acl.rt.allocator_register(stream, desc))
        check(acl.rt.allocator_destroy_desc(desc))
        del pool
        gc.collect()
        assert seen() is not None
        if end == "unregister":
            check(acl.rt.allocator_unregister(stream))
        if end == "destroy_stream":
            check(acl.rt.destroy_stream(stream))
            stream = check(acl.rt.create_stream())
        if end != "unregister":
            desc = describe(Pool())
            check(acl.rt.allocator_register(stream, desc))
            check(acl.rt.allocator_destroy_desc(desc))
            check(acl.rt.allocator_unregister(stream))
        gc.collect()
        assert seen() is None
        check(acl.rt.destroy_stream(stream))


def test_an_allocator_is_let_go_with_its_last_block(stream):
    pool = Pool()
    seen = weakref.ref(pool)
    desc = describe(pool)
    check(acl.rt.allocator_register(stream, desc))
    check(acl.rt.allocator_destroy_desc(desc))
    lent = Lent(stream)
    blocks = [lent.alloc(lent.object, 64), lent.advise(lent.object, 64, 8)]
    del pool
    check(acl.rt.allocator_unregister(stream))
    for block in blocks:
        gc.collect()
        assert seen() is not None
        assert lent.address(block)
        lent.free(lent.object, block)
    gc.collect()
    assert seen() is None


def test_a_function_may_take_its_own_allocator_back(stream):
    pool = Pool()
    desc = describe(pool)
    check(acl.rt.allocator_register(stream, desc))
    check(acl.rt.allocator_destroy_desc(desc))
    lent = Lent(stream)
    pool.during = lambda: (check(acl.rt.allocator_unregister(stream)), gc.collect())
    block = lent.alloc(lent.object, 64)
    assert lent.address(block) == 4160  # a block keeps its allocator
    lent.free(lent.object, block)
    assert pool.live == []


def test_what_is_let_go_may_use_allocators_itself(stream):
    class Meddler(Pool):
        def __del__(self):
            for other in descs:
                acl.rt.allocator_destroy_desc(other)
            acl.rt.allocator_unregister(stream)

    descs = [describe(Pool()) for _ in range(4)]
    for _ in range(20):
        desc = describe(Meddler())
        descs.append(desc)
        check(acl.rt.allocator_register(stream, desc))
        check(acl.rt.allocator_set_alloc_func_to_desc(desc, print))
        check(acl.rt.allocator_set_obj_to_desc(desc, 1))
        acl.rt.allocator_destroy_desc(desc)
        acl.rt.allocator_unregister(stream)
        gc.collect()


@pytest.mark.parametrize("seed", [1, 2])
def test_threads_under_a_seed_do_not_wait_for_each_other_s_gil(run_python, seed):
    done = run_python("""
        import threading
        import acl
        acl.init()
        acl.rt.set_device(0)
        context, _ = acl.rt.get_context()
        def work():
            acl.rt.set_context(context)
            stream, _ = acl.rt.create_stream()
            desc = acl.rt.allocator_create_desc()
            for turn in range(100):
                acl.rt.allocator_set_obj_to_desc(desc, turn)
                acl.rt.allocator_register(stream, desc)
                acl.rt.allocator_unregister(stream)
                acl.rt.set_stream_attribute(stream, 3, {"userCustomTag": turn})
                acl.rt.get_stream_attribute(stream, 3)
                acl.rt.device_get_uuid(0)
                acl.get_cann_attribute_list()
                acl.sim.launch_kernel(lambda context, args: 0, None, 1, stream)
                acl.rt.synchronize_stream(stream)
            acl.rt.destroy_stream(stream)
        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads: thread.start()
        work()
        for thread in threads: thread.join()
        print("end")
    """, env={"ACLSIM_SCHEDULE": "seeded", "ACLSIM_SEED": str(seed)}, timeout=60)
    assert done.stdout == "end\n", done.stderr
