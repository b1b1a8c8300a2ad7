# SPDX-License-Identifier: Apache-2.0
"""acl.util: addresses, bytes and arrays."""

import ctypes
import mmap
import os
import warnings

import numpy as np
import pytest

import acl
from work import check, device_memory, fetch, host_memory, store

TYPE_NUMBERS = {
    0: np.bool_, 1: np.int8, 2: np.uint8, 3: np.int16, 4: np.uint16, 5: np.int32, 6: np.uint32,
    7: np.int64, 8: np.uint64, 9: np.int64, 10: np.uint64, 11: np.float32, 12: np.float64,
    14: np.complex64, 15: np.complex128, 23: np.float16,
}


def test_it_has_exactly_these_functions():
    assert sorted(name for name in dir(acl.util) if not name.startswith("_")) == [
        "bytes_to_ptr", "numpy_contiguous_to_ptr", "numpy_to_ptr", "ptr_to_bytes", "ptr_to_numpy",
        "start_thread", "stop_thread"]


def test_bytes_to_ptr_is_the_object_s_own_memory():
    data = bytes(bytearray(16))
    ctypes.memmove(acl.util.bytes_to_ptr(data), b"written through", 15)
    assert data == b"written through\0"


def test_ptr_to_bytes_copies():
    source = ctypes.create_string_buffer(b"host memory")
    copied = acl.util.ptr_to_bytes(ctypes.addressof(source), 11)
    source[0] = b"H"
    assert copied == b"host memory"
    assert acl.util.ptr_to_bytes(ctypes.addressof(source), 0) == b""


def test_ptr_to_bytes_takes_what_malloc_host_gave(device):
    with host_memory(4096) as pointer:
        ctypes.memset(pointer, 5, 4096)
        assert acl.util.ptr_to_bytes(pointer, 4096) == b"\5" * 4096


def test_ptr_to_bytes_takes_much_at_once():
    data = np.arange(10_000_000, dtype=np.uint8)
    assert acl.util.ptr_to_bytes(data.ctypes.data, data.nbytes) == data.tobytes()


@pytest.mark.parametrize("wrong", [0, 1, 12345, 2**40 + 3, 2**63, 2**64 - 1, -1])
def test_an_address_that_nobody_can_read_is_an_exception_not_a_crash(wrong):
    with pytest.raises(ValueError, match="acl.util.ptr_to_bytes"):
        acl.util.ptr_to_bytes(wrong, 8)
    with pytest.raises(ValueError, match="acl.util.ptr_to_numpy"):
        acl.util.ptr_to_numpy(wrong, (8,), 2)


def test_a_size_that_no_memory_has_is_an_exception():
    data = b"small"
    with pytest.raises(ValueError, match="acl.util.ptr_to_bytes"):
        acl.util.ptr_to_bytes(acl.util.bytes_to_ptr(data), 2**63 - 1)
    with pytest.raises(ValueError, match="acl.util.ptr_to_bytes"):
        acl.util.ptr_to_bytes(acl.util.bytes_to_ptr(data), 2**64 - 1)


def test_memory_with_a_hole_in_it_is_an_exception():
    page = mmap.PAGESIZE
    library = ctypes.CDLL(None, use_errno=True)
    with mmap.mmap(-1, 3 * page) as memory:
        pin = ctypes.c_char.from_buffer(memory)
        begin = ctypes.addressof(pin)
        hole = ctypes.c_void_p(begin + page)
        assert library.munmap(hole, ctypes.c_size_t(page)) == 0
        with pytest.raises(ValueError, match="acl.util.ptr_to_bytes"):
            acl.util.ptr_to_bytes(begin, 3 * page)
        with pytest.raises(ValueError, match="acl.util.ptr_to_numpy"):
            acl.util.ptr_to_numpy(begin, (3 * page,), 2)
        assert acl.util.ptr_to_bytes(begin, page) == bytes(page)
        library.mmap.restype = ctypes.c_void_p  # maps the hole again, so that munmap covers the whole
        fixed_private_anonymous = 0x10 | 0x02 | 0x20
        assert library.mmap(hole, ctypes.c_size_t(page), 3, fixed_private_anonymous, -1,
                            ctypes.c_long(0)) == begin + page
        del pin


# Linux reports from 5.14 on where a mapped file ends.
POPULATES = tuple(int(part) for part in os.uname().release.split(".")[:2]) >= (5, 14)


@pytest.mark.skipif(not POPULATES, reason="this Linux does not tell where a mapped file ends")
@pytest.mark.parametrize("pages", [3, 500])
@pytest.mark.parametrize("access", [mmap.ACCESS_WRITE, mmap.ACCESS_COPY])
def test_a_mapped_file_ends_where_it_ends_not_in_a_signal(run_python, tmp_path, pages, access):
    """Runs in a process of its own, which must survive."""
    done = run_python("""
        import ctypes, mmap, os, sys
        import acl
        path, pages, access = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
        page = mmap.PAGESIZE
        size = pages * page
        with open(path, "wb+") as file:
            file.truncate(size)
            memory = mmap.mmap(file.fileno(), size, access=access)
            file.truncate(page + 1)
        pin = ctypes.c_char.from_buffer(memory)
        begin = ctypes.addressof(pin)
        assert acl.init() == 0 and acl.rt.set_device(0) == 0
        device, ret = acl.rt.malloc(size, 2)
        for count, code in ((2 * page, 0), (2 * page + 1, 107000), (size, 107000)):
            assert acl.rt.memcpy(device, size, begin, count, 1) == code
            assert acl.rt.memcpy(begin, size, device, count, 2) == code
            assert acl.rt.memcpy_async(begin, size, device, count, 2, 0) == code
            assert acl.rt.memset(begin, size, 1, count) == code
            assert acl.rt.memcpy2d(begin, count, device, count, count, 1, 2) == code
            assert acl.rt.memcpy(begin, size, begin, count, 0) == code
        for read in (lambda: acl.util.ptr_to_bytes(begin, size),
                     lambda: acl.util.ptr_to_numpy(begin, (size,), 2)):
            try:
                read()
            except ValueError as error:
                assert "cannot read" in str(error)
            else:
                raise SystemExit("read past the end")
        assert len(acl.util.ptr_to_bytes(begin, 2 * page)) == 2 * page
        print("alive")
    """, str(tmp_path / "short"), str(pages), str(access))
    assert done.returncode == 0 and done.stdout == "alive\n", (done.returncode, done.stderr)


def test_a_copy_onto_itself_is_looked_at_too(device):
    for wrong in (1, 12345, 2**40 + 3, 2**63):
        assert acl.rt.memcpy(wrong, 8, wrong, 8, 0) == 107000
        assert acl.rt.memcpy_async(wrong, 8, wrong, 8, 3, 0) == 107000
    with device_memory(64) as pointer:
        assert acl.rt.memcpy(pointer, 64, pointer, 64, 3) == 0
    assert acl.rt.memcpy(pointer, 64, pointer, 64, 3) == 107000


@pytest.mark.skipif(os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGESIZE") < 6 << 30
                    or any(name.startswith("ACLSIM_") and name != "ACLSIM_TEST_SOURCE_DIR"
                           for name in os.environ),
                    reason="needs much memory and seconds; once is enough")
def test_ptr_to_bytes_takes_more_than_linux_reads_at_once():
    size = (1 << 31) + 5
    source = np.zeros(size, dtype=np.uint8)
    source[-1] = 7
    copied = acl.util.ptr_to_bytes(source.ctypes.data, size)
    assert len(copied) == size and copied[-1] == 7 and copied[1 << 30] == 0


@pytest.mark.parametrize("wrong", [None, 1, "text", bytearray(4)])
def test_only_bytes_have_a_pointer(wrong):
    with pytest.raises(TypeError, match=r"acl.util.bytes_to_ptr: argument 1 \(data\) must be bytes"):
        acl.util.bytes_to_ptr(wrong)


def test_numpy_to_ptr_is_the_array_s_data():
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert acl.util.numpy_to_ptr(array) == array.ctypes.data
    read_only = np.arange(3)
    read_only.flags.writeable = False
    assert acl.util.numpy_to_ptr(read_only) == read_only.ctypes.data


def test_numpy_to_ptr_warns_of_an_array_that_is_not_contiguous():
    array = np.arange(6).reshape(2, 3).T
    with pytest.warns(UserWarning, match="numpy_contiguous_to_ptr"):
        assert acl.util.numpy_to_ptr(array) == array.ctypes.data
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning):
            acl.util.numpy_to_ptr(array)


def test_numpy_contiguous_to_ptr_gives_the_owner_of_the_memory():
    array = np.arange(6).reshape(2, 3)
    pointer, same = acl.util.numpy_contiguous_to_ptr(array)
    assert same is array and pointer == array.ctypes.data
    pointer, copied = acl.util.numpy_contiguous_to_ptr(array.T)
    assert copied.flags.c_contiguous and pointer == copied.ctypes.data
    assert (copied == array.T).all()


@pytest.mark.parametrize("number", TYPE_NUMBERS)
def test_ptr_to_numpy_is_a_view(number):
    dtype = TYPE_NUMBERS[number]
    source = np.ones((2, 3), dtype=dtype)
    view = acl.util.ptr_to_numpy(source.ctypes.data, (2, 3), number)
    assert view.dtype == dtype and view.shape == (2, 3)
    assert (view == source).all()
    view[1, 2] = 0
    assert source[1, 2] == 0 and view.flags.writeable
    if number not in (9, 10):  # the second names of 64-bit types
        assert np.dtype(dtype).num in (number, np.dtype(dtype).num)


def test_ptr_to_numpy_takes_lists_numbers_and_empty_shapes():
    source = np.arange(6, dtype=np.int32)
    assert acl.util.ptr_to_numpy(source.ctypes.data, [2, 3], 5).shape == (2, 3)
    assert acl.util.ptr_to_numpy(source.ctypes.data, 6, 5).shape == (6,)
    assert acl.util.ptr_to_numpy(source.ctypes.data, (), 5).shape == ()
    assert acl.util.ptr_to_numpy(source.ctypes.data, (0, 3), 5).shape == (0, 3)
    assert acl.util.ptr_to_numpy(0, (0,), 5).shape == (0,)


@pytest.mark.parametrize("shape", [(-1,), (2**62, 2**62), (2**63,), ("2",), (2.0,)])
def test_ptr_to_numpy_refuses_what_is_no_shape(shape):
    source = np.arange(6, dtype=np.int32)
    with pytest.raises((ValueError, TypeError)):
        acl.util.ptr_to_numpy(source.ctypes.data, shape, 5)


def test_ptr_to_numpy_refuses_what_is_no_type():
    source = np.arange(6, dtype=np.int32)
    for number in (-1, 13, 24, 10**6):
        with pytest.raises(ValueError, match=r"acl.util.ptr_to_numpy: argument 3 \(npy_typenum\)"):
            acl.util.ptr_to_numpy(source.ctypes.data, (6,), number)
    with pytest.raises(TypeError, match=r"acl.util.ptr_to_numpy: argument 2 \(shape\)"):
        acl.util.ptr_to_numpy(source.ctypes.data, "6", 5)


@pytest.mark.parametrize("name", ["numpy_to_ptr", "numpy_contiguous_to_ptr"])
@pytest.mark.parametrize("wrong", [None, 5, [1, 2], b"bytes"])
def test_only_arrays_are_arrays(name, wrong):
    with pytest.raises(TypeError, match=r"acl.util.%s: argument 1 \(ndarray\)" % name):
        getattr(acl.util, name)(wrong)


def test_numbers_of_numpy_are_integers(device):
    pointer = check(acl.rt.malloc(np.int64(64), np.int32(2)))
    check(acl.rt.memset(np.uint64(pointer), np.int64(64), np.uint8(3), np.int16(64)))
    assert fetch(pointer, 64) == b"\3" * 64
    check(acl.rt.free(np.uint64(pointer)))


def test_arrays_travel_to_the_device_and_back(device):
    array = np.random.default_rng(1).random((64, 64), dtype=np.float32)
    with device_memory(array.nbytes) as pointer:
        check(acl.rt.memcpy(pointer, array.nbytes, acl.util.numpy_to_ptr(array), array.nbytes, 1))
        back = np.zeros_like(array)
        check(acl.rt.memcpy(acl.util.numpy_to_ptr(back), back.nbytes, pointer, back.nbytes, 2))
    assert (array == back).all()


def test_a_nonsense_room_at_the_destination_is_no_error(device):
    with device_memory(16) as pointer:
        store(pointer, b"x" * 16)
        data = bytes(16)
        target = acl.util.bytes_to_ptr(data)
        check(acl.rt.memcpy(target, pointer + 32, pointer, 16, 2))
        assert data == b"x" * 16
