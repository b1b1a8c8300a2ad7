# SPDX-License-Identifier: Apache-2.0
"""Symmetric memory as buffers with a length. Errors are raised as AclshmemError, errors of arguments
as AclshmemInvalid."""

from typing import Any, Optional, Union

from .. import _pyshmem
from .._types import CmpOp, SignalOp, UniqueId
from . import direct, utils
from .utils import AclshmemError, AclshmemInvalid, Buffer

UniqueID = UniqueId


def get_version() -> str:
    """"libaclshmem_version=1.1"."""
    return "libaclshmem_version=%d.%d" % _pyshmem.aclshmem_info_get_version()


def get_unique_id(empty: bool = False) -> UniqueId:
    """Makes the unique id that PE 0 carries to the other PEs. `empty`: an id to be filled. Raises
    AclshmemError if no port is free."""
    if empty:
        return UniqueId()
    try:
        return UniqueId.from_bytes(_pyshmem.aclshmem_get_unique_id())
    except RuntimeError as error:
        raise AclshmemError(str(error)) from error


def init(device: Any = None, uid: Union[UniqueId, bytes, None] = None, rank: Optional[int] = None,
         nranks: Optional[int] = None, mpi_comm: Any = None, initializer_method: str = "",
         mem_size: int = 1 << 30) -> None:
    """Joins a job; initializer_method must be "uid". mem_size: bytes of each PE's heap. device: a
    number makes that device current in this thread. Raises AclshmemError with the code of
    shmem_init."""
    if initializer_method != "uid":
        raise AclshmemInvalid("initializer_method is %r; expected 'uid'" % (initializer_method,))
    if uid is None or rank is None or nranks is None:
        raise AclshmemInvalid("uid, rank and nranks are needed; got %r, %r, %r" % (uid, rank, nranks))
    if isinstance(device, int):
        import acl
        ret = acl.rt.set_device(device)
        if ret != 0:
            raise AclshmemError("device %d: %d" % (device, ret))
    code = _pyshmem.aclshmem_init_using_unique_id(rank, nranks, mem_size, bytes(uid))
    if code != 0:
        raise AclshmemError("init failed: %d" % code)


def finalize() -> None:
    """Ends this PE; all PEs call it. Raises AclshmemError if one was lost or did not arrive."""
    code = _pyshmem.aclshmem_finalize()
    if code != 0:
        raise AclshmemError("finalize failed: %d" % code)


def buffer(size: int, release: bool = False, except_on_del: bool = True) -> Buffer:
    """Allocates `size` bytes of symmetric memory; all PEs call it. release: the memory is freed with
    the object. All PEs must then delete their objects in the same order."""
    try:
        made = Buffer(_pyshmem.aclshmem_malloc(size), size)
    except RuntimeError as error:
        raise AclshmemError(str(error)) from error
    made._release = release
    return made


def free(buf: Buffer) -> None:
    """Frees a buffer that buffer() returned; all PEs call it."""
    buf._release = False
    _pyshmem.aclshmem_free(buf.addr)


def get_peer_buffer(buf: Buffer, pe: int) -> Buffer:
    """Returns the same memory of PE `pe`."""
    address = _pyshmem.aclshmem_ptr(buf.addr, pe)
    if not address:
        raise AclshmemError("the buffer has no counterpart at PE %d" % pe)
    return Buffer(address, buf.length)


def _length(dst: Buffer, src: Buffer) -> int:
    if src.length > dst.length:
        raise AclshmemInvalid("src has %d bytes, dst has room for %d" % (src.length, dst.length))
    return src.length


def _require_stream(stream: Optional[int]) -> int:
    if stream is None:
        raise AclshmemInvalid("stream is None; expected a stream's handle")
    return stream


def put(dst: Buffer, src: Buffer, remote_pe: int = -1, stream: Optional[int] = None) -> None:
    """Copies all of src to dst at PE remote_pe, immediately or as a task of the stream."""
    if stream is None:
        _pyshmem.aclshmem_putmem(dst.addr, src.addr, _length(dst, src), remote_pe)
    else:
        _pyshmem.aclshmemx_putmem_on_stream(dst.addr, src.addr, _length(dst, src), remote_pe, stream)


def get(dst: Buffer, src: Buffer, remote_pe: int = -1, stream: Optional[int] = None) -> None:
    """Copies all of src at PE remote_pe to dst, immediately or as a task of the stream."""
    if stream is None:
        _pyshmem.aclshmem_getmem(dst.addr, src.addr, _length(dst, src), remote_pe)
    else:
        _pyshmem.aclshmemx_getmem_on_stream(dst.addr, src.addr, _length(dst, src), remote_pe, stream)


def put_signal(dst: Buffer, src: Buffer, signal_var: Buffer, signal_val: int,
               signal_operation: SignalOp, remote_pe: int = -1, stream: Optional[int] = None) -> None:
    """Copies, then changes the word at signal_var of the same PE."""
    if stream is None:
        _pyshmem.aclshmemx_putmem_signal(dst.addr, src.addr, _length(dst, src), signal_var.addr,
                                         signal_val, signal_operation, remote_pe)
    else:
        put(dst, src, remote_pe, stream)
        signal_op(signal_var, signal_val, signal_operation, remote_pe, stream)


def signal_op(signal_var: Buffer, signal_val: int, signal_operation: SignalOp, remote_pe: int = -1,
              stream: Optional[int] = None) -> None:
    """Changes the word at signal_var of PE remote_pe, as a task of the stream."""
    _pyshmem.aclshmemx_signal_op_on_stream(signal_var.addr, signal_val, signal_operation, remote_pe,
                                           _require_stream(stream))


def signal_wait(signal_var: Buffer, signal_val: int, signal_operation: CmpOp,
                stream: Optional[int] = None) -> None:
    """Lets the stream wait until the comparison of this PE's word with signal_val is true."""
    _pyshmem.aclshmemx_signal_wait_until_on_stream(signal_var.addr, signal_operation, signal_val,
                                                   _require_stream(stream))


def quiet(stream: Optional[int] = None) -> None:
    """Lets the stream wait until all operations that this PE has begun are complete."""
    _pyshmem.aclshmemx_quiet_on_stream(_require_stream(stream))
