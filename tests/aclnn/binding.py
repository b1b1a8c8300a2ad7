# SPDX-License-Identifier: Apache-2.0
"""The operators from Python: tensors in device memory as numpy arrays, and calls of both phases.

Signatures come from tests/abi/aclnn/functions.tsv, so any operator of the table can be called:

    call("aclnnAdd", x, y, Scalar(1.0, "f32"), out)
"""

import ctypes
import os
import pathlib
import re

import numpy as np

TABLE = pathlib.Path(__file__).resolve().parents[1] / "abi" / "aclnn" / "functions.tsv"

# name: (aclDataType, how numpy keeps an element). bf16 and c32 are kept as their bits.
TYPES = {
    "f32": (0, np.float32), "f16": (1, np.float16), "i8": (2, np.int8), "i32": (3, np.int32),
    "u8": (4, np.uint8), "i16": (6, np.int16), "u16": (7, np.uint16), "u32": (8, np.uint32),
    "i64": (9, np.int64), "u64": (10, np.uint64), "f64": (11, np.float64), "bool": (12, np.bool_),
    "c64": (16, np.complex64), "c128": (17, np.complex128), "bf16": (27, np.uint16),
    "c32": (33, np.uint32),
}
FLOATS = ("f32", "f16", "bf16", "f64")
COMPLEX = ("c32", "c64", "c128")
ND = 2

_folder = os.environ.get("ACLSIM_TEST_LIBRARY_DIR", "")


def _load(name):
    return ctypes.CDLL(os.path.join(_folder, name), mode=ctypes.RTLD_GLOBAL)


acl = _load("libascendcl.so")
opapi = _load("libopapi.so")
_pointer = ctypes.c_void_p
acl.aclGetRecentErrMsg.restype = ctypes.c_char_p
for _function in ("aclCreateTensor", "aclCreateScalar", "aclCreateIntArray", "aclCreateFloatArray",
                  "aclCreateBoolArray", "aclCreateTensorList"):
    getattr(opapi, _function).restype = _pointer
opapi.aclCreateTensor.argtypes = [_pointer, ctypes.c_uint64, ctypes.c_int, _pointer, ctypes.c_int64,
                                  ctypes.c_int, _pointer, ctypes.c_uint64, _pointer]


class OperatorError(Exception):
    def __init__(self, name, code):
        text = acl.aclGetRecentErrMsg()
        super().__init__(f"{name}: {code}: {text.decode() if text else ''}")
        self.code = code


def require(code, name):
    if code != 0:
        raise OperatorError(name, code)


class Memory:
    """Device memory, as bytes of numpy."""

    def __init__(self, size):
        self.address = ctypes.c_void_p()
        require(acl.aclrtMalloc(ctypes.byref(self.address), ctypes.c_size_t(max(size, 1)), 0), "aclrtMalloc")
        raw = (ctypes.c_uint8 * max(size, 1)).from_address(self.address.value)
        self.bytes = np.frombuffer(raw, np.uint8)

    def __del__(self):
        if acl is not None and self.address:
            acl.aclrtFree(self.address)


def bf16_bits(values):
    """Rounds f32 values to the nearest, ties to even."""
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32).astype(np.uint64)
    nan = (bits & 0x7FFFFFFF) > 0x7F800000
    rounded = (bits + 0x7FFF + ((bits >> np.uint64(16)) & np.uint64(1))) >> np.uint64(16)
    return np.where(nan, (bits >> np.uint64(16)) | np.uint64(0x40), rounded).astype(np.uint16)


def bf16_values(bits):
    return (np.asarray(bits).astype(np.uint32) << np.uint32(16)).view(np.float32)


def encode(values, dtype):
    """Values as numpy keeps them in memory: rounded to the type."""
    values = np.asarray(values)
    if dtype == "bf16":
        return bf16_bits(values.astype(np.float32)).reshape(values.shape)
    if dtype == "c32":
        parts = np.stack([values.real, values.imag], -1).astype(np.float16)
        return parts.view(np.uint32).reshape(values.shape)
    kept = TYPES[dtype][1]
    with np.errstate(all="ignore"):
        if values.dtype.kind == "f" and np.dtype(kept).kind in "iu":  # numpy leaves it open; truncated, NaN is 0
            values = np.trunc(np.where(np.isnan(values), 0.0, values))
            most = np.iinfo(np.int64).max
            values = np.where(values >= 2.0**63, most, np.clip(values, -(2.0**63), 2.0**62 * 1.999).astype(np.int64))
        return values.astype(kept)


def decode(array, dtype):
    """The numbers in memory, in a type that holds them all: f64, i64, u64, bool, c128."""
    if dtype == "bf16":
        return bf16_values(array).astype(np.float64)
    if dtype == "c32":
        parts = np.ascontiguousarray(array).view(np.float16).reshape(array.shape + (2,)).astype(np.float64)
        return parts[..., 0] + 1j * parts[..., 1]
    kind = np.dtype(TYPES[dtype][1]).kind
    wide = {"f": np.float64, "i": np.int64, "u": np.uint64, "b": np.bool_, "c": np.complex128}[kind]
    return np.asarray(array).astype(wide)


class Tensor:
    """A view of device memory; `array` is that memory, strided alike.

    The bytes around it, and in the gaps between its elements, must not change: `intact` checks them.
    """

    GUARD = 64

    def __init__(self, shape, dtype, strides=None, values=None, offset=0):
        shape = tuple(int(n) for n in shape)
        self.dtype, self.shape = dtype, shape
        kept = np.dtype(TYPES[dtype][1])
        if strides is None:
            strides = [0] * len(shape)
            step = 1
            for d in reversed(range(len(shape))):
                strides[d], step = step, step * shape[d]
        self.strides, self.offset = tuple(int(s) for s in strides), offset
        low = sum(min(0, (n - 1) * s) for n, s in zip(shape, self.strides) if n)
        high = sum(max(0, (n - 1) * s) for n, s in zip(shape, self.strides) if n)
        if 0 in shape:
            low = high = 0
        self.storage = offset - low + high + 1
        self.memory = Memory(self.storage * kept.itemsize + 2 * self.GUARD)
        self.memory.bytes[:] = np.arange(self.memory.bytes.size, dtype=np.uint64).astype(np.uint8) ^ 0x5A
        self.data = self.memory.address.value + self.GUARD  # what the tensor's address is
        self.first = offset - low                           # element 0, counted from there
        start = self.GUARD + self.first * kept.itemsize
        flat = self.memory.bytes[start % kept.itemsize:]
        flat = flat[:flat.size // kept.itemsize * kept.itemsize].view(kept)
        self.array = np.lib.stride_tricks.as_strided(
            flat[start // kept.itemsize:], shape, [s * kept.itemsize for s in self.strides])
        if values is not None:
            self.set(values)
        self.before = None

    def set(self, values):
        self.array[...] = encode(np.broadcast_to(values, self.shape), self.dtype)
        return self

    def values(self):
        return decode(self.array.copy(), self.dtype)

    def watch(self):
        """From here on only its elements may change."""
        self.before = self.memory.bytes.copy()

    def intact(self):
        after = self.memory.bytes.copy()
        now = self.array.copy()
        kept = self.memory.bytes.copy()
        # Put the elements of before into their places: what then differs was written beside them.
        self.memory.bytes[:] = self.before
        elements = self.array.copy()
        self.memory.bytes[:] = after
        self.array[...] = elements
        same = np.array_equal(self.memory.bytes, self.before)
        self.memory.bytes[:] = kept
        self.array[...] = now
        return same

    def handle(self):
        dims = (ctypes.c_int64 * len(self.shape))(*self.shape)
        strides = (ctypes.c_int64 * len(self.shape))(*self.strides)
        storage = (ctypes.c_int64 * 1)(self.storage)
        return opapi.aclCreateTensor(dims, len(self.shape), TYPES[self.dtype][0], strides, self.first,
                                     ND, storage, 1, self.data)


class Scalar:
    """A value of the host; what is given to an aclScalar."""

    def __init__(self, value, dtype):
        self.dtype = dtype
        self.bytes = np.ascontiguousarray(encode(np.array(value), dtype))

    def value(self):
        return decode(self.bytes, self.dtype).reshape(())[()]

    def handle(self):
        return opapi.aclCreateScalar(ctypes.c_void_p(self.bytes.ctypes.data), TYPES[self.dtype][0])


def _array(values, kind, make):
    data = (kind * max(len(values), 1))(*values)
    return getattr(opapi, make)(data, ctypes.c_uint64(len(values)))


_SIMPLE = {
    "int64_t": ctypes.c_int64, "uint64_t": ctypes.c_uint64, "int": ctypes.c_int, "double": ctypes.c_double,
    "float": ctypes.c_float, "bool": ctypes.c_bool, "int8_t": ctypes.c_int8, "char *": ctypes.c_char_p,
}
_DESTROY = {
    "aclTensor *": "aclDestroyTensor", "aclScalar *": "aclDestroyScalar",
    "aclIntArray *": "aclDestroyIntArray", "aclFloatArray *": "aclDestroyFloatArray",
    "aclBoolArray *": "aclDestroyBoolArray", "aclTensorList *": "aclDestroyTensorList",
}


def read_table():
    """name: the types of its own parameters, without the parameters that every operator has."""
    table = {}
    for line in TABLE.read_text().splitlines()[1:]:
        _, section, _, name, parameters, *_ = line.split("\t")
        if section != "first phases" and not name.startswith("aclnnCalculate"):
            continue
        kinds = []
        for parameter in parameters.split(", "):
            kind = re.sub(r"\bconst\b", "", parameter)
            match = re.match(r"\s*(\w+)\s*(\**)\s*\w+$", kind)
            kinds.append(match.group(1) + (" " + match.group(2) if match.group(2) else ""))
        two = name.endswith("GetWorkspaceSize")
        table[name.removesuffix("GetWorkspaceSize")] = kinds[:-2] if two else kinds
    return table


OPERATORS = read_table()


class Arguments:
    """Handles of a call's arguments, destroyed as soon as the second phase has returned."""

    def __init__(self, kinds, values):
        self.made, self.passed = [], []
        for kind, value in zip(kinds, values, strict=True):
            self.passed.append(self.convert(kind, value))

    def convert(self, kind, value):
        if kind in _SIMPLE:
            return _SIMPLE[kind](value)
        if kind == "aclDataType":
            return ctypes.c_int(TYPES[value][0] if isinstance(value, str) else value)
        if value is None:
            return ctypes.c_void_p(None)
        if kind in ("aclTensor *", "aclScalar *"):
            handle = value.handle()
        elif kind == "aclIntArray *":
            handle = _array([int(v) for v in value], ctypes.c_int64, "aclCreateIntArray")
        elif kind == "aclFloatArray *":
            handle = _array(value, ctypes.c_float, "aclCreateFloatArray")
        elif kind == "aclBoolArray *":
            handle = _array(value, ctypes.c_bool, "aclCreateBoolArray")
        elif kind == "aclTensorList *":
            handle = _array([v.handle() if v else None for v in value], ctypes.c_void_p,
                            "aclCreateTensorList")
        else:
            raise TypeError(f"no way to pass a {kind}")
        self.made.append((kind, handle))
        return ctypes.c_void_p(handle)

    def destroy(self):
        for kind, handle in self.made:
            getattr(opapi, _DESTROY[kind])(ctypes.c_void_p(handle))
        self.made = []


def first_phase(name, *values):
    """The executor, and the arguments to be destroyed."""
    arguments = Arguments(OPERATORS[name], values)
    size, executor = ctypes.c_uint64(77), ctypes.c_void_p()
    code = getattr(opapi, name + "GetWorkspaceSize")(*arguments.passed, ctypes.byref(size),
                                                     ctypes.byref(executor))
    if code != 0:
        arguments.destroy()
        raise OperatorError(name, code)
    return executor, arguments


def call(name, *values, stream=None, wait=True):
    executor, arguments = first_phase(name, *values)
    code = getattr(opapi, name)(None, ctypes.c_uint64(0), executor, ctypes.c_void_p(stream))
    arguments.destroy()
    require(code, name)
    if wait:
        require(acl.aclrtSynchronizeStream(ctypes.c_void_p(stream)), name)


def start():
    require(acl.aclInit(None), "aclInit")
    require(acl.aclrtSetDevice(0), "aclrtSetDevice")
