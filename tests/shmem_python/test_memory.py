# SPDX-License-Identifier: Apache-2.0
"""Symmetric memory as tensors, copies of it, and allocations that fail."""

import pytest


def test_a_failed_allocation_says_why_and_nothing_of_earlier_calls(run_pes):
    run_pes("""
    start()
    def reason(call, *arguments):
        assert acl.rt.set_device(-7) != 0  # leaves an older text, which is not read
        try:
            call(*arguments)
        except RuntimeError as error:
            return str(error)
        raise AssertionError("nothing was raised")
    for call, arguments, text in ((shmem.aclshmem_malloc, (0,), "size is 0"),
                                  (shmem.aclshmem_malloc, (2 << 20,), "no room for 2097152 of 1048576"),
                                  (shmem.aclshmem_align, (3, 16), "alignment is 3; expected a power of two")):
        said = reason(call, *arguments)
        assert text in said and "aclrtSetDevice" not in said and "\\n" not in said, said
    assert shmem.shmem_malloc(0) is None
    assert "size is 0" in acl.get_recent_err_msg()
    end()
    """, 2).expect_success()


def test_a_capsule_is_a_copy_if_asked_and_of_no_other_device(run_pes):
    run_pes("""
    start()
    class Asks:  # as newer versions of numpy ask
        def __init__(self, memory, **how): self.memory, self.how = memory, how
        def __dlpack__(self, stream=None): return self.memory.__dlpack__(stream, **self.how)
        def __dlpack_device__(self): return self.memory.__dlpack_device__()
    pointer = shmem.shmem_calloc(4, 4)
    seen = shmem.as_array(pointer, 4, "int32")
    memory = shmem.Memory(pointer, 4, "int32")
    copy, view = (np.from_dlpack(Asks(memory, copy=copy)) for copy in (True, False))
    here = np.from_dlpack(Asks(memory, dl_device=(1, 0)))
    seen[:] = 7
    assert copy.tolist() == [0] * 4 and view.tolist() == here.tolist() == [7] * 4
    for one in (memory, shmem.core.Buffer(pointer, 16)):
        try:
            one.__dlpack__(dl_device=(2, 0))
        except BufferError as error:
            assert "(2, 0)" in str(error)
        else:
            raise AssertionError("memory of another device")
    end()
    """, 1).expect_success()


def test_torch_tensors_lie_in_symmetric_memory(run_pes):
    pytest.importorskip("torch")
    run_pes("""
    import torch
    start()
    target = shmem.aclshmem_create_tensor((2, 3), torch.float32, me)
    target.zero_()
    source = torch.full((2, 3), float(me + 1))
    shmem.sim.barrier_all()
    shmem.shmem_putmem(target, source, 24, (me + 1) % pes)  # by data_ptr
    shmem.sim.barrier_all()
    assert target.tolist() == [[float((me - 1) % pes + 1)] * 3] * 2, target
    own = torch.zeros(6)
    shmem.shmem_getmem(own, target, 24, me)
    assert own.tolist() == target.reshape(-1).tolist()
    pointer = shmem.shmem_calloc(6, 4)
    by_capsule = torch.from_dlpack(shmem.Memory(pointer, (2, 3), torch.float32))
    by_capsule[1, 2] = 5
    assert shmem.as_array(pointer, 6, "float32")[5] == 5
    class Exporter:
        def __dlpack__(self, stream=None): return torch.utils.dlpack.to_dlpack(source)
    shmem.shmem_putmem(pointer, Exporter(), 24, me)
    assert by_capsule.tolist() == source.tolist()
    shmem.aclshmem_free_tensor(target)
    end()
    """, 2).expect_success()


def test_tensors_that_cannot_be_made_or_freed_say_why(run_pes):
    pytest.importorskip("torch")
    run_pes("""
    import torch
    def refused(kind, text, call, *arguments):
        try:
            call(*arguments)
        except kind as error:
            assert text in str(error), error
        else:
            raise AssertionError("expected %s" % text)
    make, free = shmem.aclshmem_create_tensor, shmem.aclshmem_free_tensor
    refused(RuntimeError, "not initialised", make, 4, "int8")
    start()
    refused(ValueError, "device_id is 99", make, 4, "int8", 99)
    refused(ValueError, "device_id is -1", make, 4, "int8", -1)
    refused(ValueError, "shape", make, (2, -1), "int8")
    refused(TypeError, "dtype", make, 4, "int7")
    refused(RuntimeError, "no room", make, 2 << 20, torch.int8)
    refused(RuntimeError, "size is 0", make, 0, torch.int8)
    refused(ValueError, "none of", free, torch.zeros(2))
    tensor = make(4, torch.int8)
    free(tensor)
    refused(ValueError, "was freed", free, tensor)
    end()
    """, 1).expect_success()


def test_finalize_of_core_raises_when_a_pe_is_lost(run_pes):
    job = run_pes("""
    start()
    if me == 1: os._exit(9)
    try:
        shmem.core.finalize()
    except shmem.core.AclshmemError as error:
        print(error)
    """, 2)
    assert job.codes[0] == 0 and "finalize failed: -4" in job.out[0]
