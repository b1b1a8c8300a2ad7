# SPDX-License-Identifier: Apache-2.0
"""Symmetric memory as arrays and tensors. Neither numpy nor torch is imported before it is needed."""

import ctypes
import operator
from typing import Any, Dict, Optional, Tuple, Union

from . import _pyshmem

# name: type string of numpy ("" if numpy has no such type), DLPack's code, bits
_TYPES = {"bool": ("|b1", 6, 8), "bfloat16": ("", 4, 16), "complex64": ("<c8", 5, 64),
          "complex128": ("<c16", 5, 128)}
for _bits in (8, 16, 32, 64):
    _TYPES["int%d" % _bits] = ("%si%d" % ("|" if _bits == 8 else "<", _bits // 8), 0, _bits)
    _TYPES["uint%d" % _bits] = ("%su%d" % ("|" if _bits == 8 else "<", _bits // 8), 1, _bits)
    if _bits > 8:
        _TYPES["float%d" % _bits] = ("<f%d" % (_bits // 8), 2, _bits)
_BY_STRING = {kind.lstrip("<|"): name for name, (kind, _, _) in _TYPES.items() if kind}
_BUILT_IN = {float: "float64", int: "int64", bool: "bool", complex: "complex128"}
_OTHER_NAMES = {"half": "float16", "float": "float32", "double": "float64", "short": "int16",
                "int": "int32", "long": "int64", "cfloat": "complex64", "cdouble": "complex128"}


def _type_name(dtype: Any) -> str:
    if dtype in _BUILT_IN:
        return _BUILT_IN[dtype]
    name = dtype if isinstance(dtype, str) else getattr(dtype, "name", None)
    if name is None:
        name = getattr(dtype, "__name__", None) or str(dtype)
    name = name.rsplit(".", 1)[-1]
    name = _BY_STRING.get(name.lstrip("<|="), name)
    name = name if name in _TYPES else _OTHER_NAMES.get(name, name)
    if name not in _TYPES:
        raise TypeError("dtype is %r; expected one of %s" % (dtype, ", ".join(sorted(_TYPES))))
    return name


def _shape_of(shape: Any) -> Tuple[int, ...]:
    try:
        extents = (operator.index(shape),)
    except TypeError:
        extents = tuple(operator.index(extent) for extent in shape)
    if any(extent < 0 for extent in extents):
        raise ValueError("shape is %r; expected extents of 0 or more" % (shape,))
    return extents


class Memory:
    """Elements at an address, for numpy.asarray(), torch.from_dlpack() and the functions of this
    package. It does not own the memory: shmem_free and finalize free the memory although it exists."""

    def __init__(self, pointer: int, shape: Union[int, Tuple[int, ...]], dtype: Any = "uint8") -> None:
        """pointer: a result of shmem_malloc or shmem_ptr, or a later address in the same memory. Raises
        ValueError if the host cannot read all elements, TypeError for an unknown type."""
        self.pointer = operator.index(pointer)
        self.shape = _shape_of(shape)
        self.dtype = _type_name(dtype)
        self.nbytes = _TYPES[self.dtype][2] // 8
        for extent in self.shape:
            self.nbytes *= extent
        if self.nbytes >= 2 ** 63:
            raise ValueError("shape %r has more elements than memory has bytes" % (self.shape,))
        _pyshmem._require_readable(self.pointer, self.nbytes)

    def __repr__(self) -> str:
        return "shmem.Memory(%#x, %r, %r)" % (self.pointer, self.shape, self.dtype)

    def __index__(self) -> int:
        return self.pointer

    @property
    def __array_interface__(self) -> Dict[str, Any]:
        kind = _TYPES[self.dtype][0]
        if not kind:
            raise TypeError("numpy has no type %s; take uint16" % self.dtype)
        return {"version": 3, "shape": self.shape, "typestr": kind, "data": (self.pointer, False)}

    def __dlpack__(self, stream: Any = None, max_version: Any = None, dl_device: Any = None,
                   copy: Optional[bool] = None) -> Any:
        """Raises BufferError for a device other than __dlpack_device__(). copy: copies the elements."""
        if dl_device is not None and tuple(map(int, dl_device)) != self.__dlpack_device__():
            raise BufferError("dl_device is %r; expected %r" % (dl_device, self.__dlpack_device__()))
        _, code, bits = _TYPES[self.dtype]
        pointer, owner = self.pointer, self  # type: int, Any
        if copy:
            owner = (ctypes.c_char * max(self.nbytes, 1))()
            pointer = ctypes.addressof(owner)
            ctypes.memmove(pointer, self.pointer, self.nbytes)
        return _pyshmem._make_capsule(pointer, self.shape, code, bits, owner)

    def __dlpack_device__(self) -> Tuple[int, int]:
        return (1, 0)  # host memory: the host can read and write it


def as_array(pointer: int, shape: Union[int, Tuple[int, ...]], dtype: Any = "uint8") -> Any:
    """Returns a numpy array over symmetric memory, without a copy. Raises the errors of Memory(), and
    ImportError without numpy."""
    import numpy
    return numpy.asarray(Memory(pointer, shape, dtype))


def _require_device(device_id: int) -> None:
    import acl
    count, ret = acl.rt.get_device_count()
    if ret == 0 and not 0 <= operator.index(device_id) < count:
        raise ValueError("device_id is %r; expected 0 to %d" % (device_id, count - 1))


_tensors: Dict[int, int] = {}  # data_ptr: pointer


def aclshmem_create_tensor(shape: Union[int, Tuple[int, ...]], dtype: Any, device_id: int = 0) -> Any:
    """Returns a torch tensor over new symmetric memory of this PE's device; all PEs call it. It is a
    CPU tensor, because the CPU can read emulated devices. Raises RuntimeError if there is no room and
    before init, ValueError for an invalid shape or a device that does not exist, TypeError for an
    unknown type."""
    import torch
    _require_device(device_id)
    extents = _shape_of(shape)
    name = _type_name(dtype)
    nbytes = _TYPES[name][2] // 8
    for extent in extents:
        nbytes *= extent
    pointer = _pyshmem.aclshmem_malloc(nbytes)
    tensor = torch.from_dlpack(Memory(pointer, extents, name))
    _tensors[tensor.data_ptr()] = pointer
    return tensor


def aclshmem_free_tensor(tensor: Any) -> None:
    """Frees the memory of a tensor of aclshmem_create_tensor; all PEs call it. Raises ValueError for
    other tensors."""
    pointer = _tensors.pop(tensor.data_ptr(), None)
    if pointer is None:
        raise ValueError("the tensor is none of aclshmem_create_tensor's, or was freed")
    _pyshmem.aclshmem_free(pointer)
