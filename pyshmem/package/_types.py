# SPDX-License-Identifier: Apache-2.0
"""Enumerations and structures."""

import enum
import operator
from typing import Any, Union

_VERSION = 1 << 16


class OpEngineType(enum.IntFlag):
    """The engine that transfers the data. Emulated transfers are the same for all of them."""

    MTE = 1
    SDMA = 2
    ROCE = 4
    UDMA = 8


class InitStatus(enum.IntEnum):
    """The state of init."""

    NOT_INITIALIZED = 0
    SHM_CREATED = 1
    INITIALIZED = 2
    SHMEM_STATUS_IS_INITIALIZED = 2
    INVALID = 0x7FFFFFFF


class SignalOp(enum.IntEnum):
    """The effect of a signal on its word."""

    SIGNAL_SET = 0
    SIGNAL_ADD = 1


class CmpOp(enum.IntEnum):
    """How a wait compares the word with the value."""

    CMP_EQ = 0
    CMP_NE = 1
    CMP_GT = 2
    CMP_GE = 3
    CMP_LT = 4
    CMP_LE = 5


class MemType(enum.IntEnum):
    """The kind of memory of a heap."""

    HOST_SIDE = 0
    DEVICE_SIDE = 1


def _whole(name: str, value: Any, least: int, most: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if not least <= number <= most:
        raise TypeError("%s must be an int from %d to %d, not %r" % (name, least, most, value))
    return number


class _Numbers:
    """Fields that hold ints of a C structure."""

    _limits = {}  # type: ignore[var-annotated]

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._limits:
            value = _whole(name, value, *self._limits[name])
        elif name not in self.__slots__:  # type: ignore[attr-defined]
            raise AttributeError("%s has no field %r" % (type(self).__name__, name))
        object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        fields = ", ".join("%s=%r" % (name, getattr(self, name))
                           for name in self.__slots__)  # type: ignore[attr-defined]
        return "%s(%s)" % (type(self).__name__, fields)


_INT = (-2 ** 31, 2 ** 31 - 1)
_UINT = (0, 2 ** 32 - 1)


class OptionalAttr(_Numbers):
    """The optional attributes of init. The timeouts are in seconds."""

    __slots__ = ("version", "data_op_engine_type", "shm_init_timeout", "shm_create_timeout",
                 "control_operation_timeout", "sockFd")
    _limits = {"version": _INT, "data_op_engine_type": _INT, "shm_init_timeout": _UINT,
               "shm_create_timeout": _UINT, "control_operation_timeout": _UINT, "sockFd": _INT}

    version: int
    data_op_engine_type: Union[int, OpEngineType]
    shm_init_timeout: int
    shm_create_timeout: int
    control_operation_timeout: int
    sockFd: int

    def __init__(self) -> None:
        self.version = _VERSION + 120
        self.data_op_engine_type = OpEngineType.MTE
        self.shm_init_timeout = 120
        self.shm_create_timeout = 120
        self.control_operation_timeout = 120
        self.sockFd = -1

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if name == "data_op_engine_type" and 0 < value <= 15:
            object.__setattr__(self, name, OpEngineType(value))


class InitAttr(_Numbers):
    """The attributes of init: ranks from 0, bytes, and "tcp://host:port", at which rank 0 listens."""

    __slots__ = ("my_rank", "n_ranks", "ip_port", "local_mem_size", "option_attr")
    _limits = {"my_rank": _INT, "n_ranks": _INT, "local_mem_size": (0, 2 ** 64 - 1)}

    my_rank: int
    n_ranks: int
    ip_port: str
    local_mem_size: int
    option_attr: OptionalAttr

    def __init__(self) -> None:
        self.my_rank = 0
        self.n_ranks = 0
        self.ip_port = ""
        self.local_mem_size = 0
        self.option_attr = OptionalAttr()

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "ip_port":
            if value is not None and not isinstance(value, str):
                raise TypeError("ip_port must be str, not %r" % (value,))
            value = (value or "")[:63]
        elif name == "option_attr" and not isinstance(value, OptionalAttr):
            raise TypeError("option_attr must be OptionalAttr, not %r" % (value,))
        super().__setattr__(name, value)


class TeamConfig(_Numbers):
    """The configuration of a team. It compares equal to its number of contexts, which is 0."""

    __slots__ = ("num_contexts",)
    _limits = {"num_contexts": _INT}

    num_contexts: int

    def __init__(self, num_contexts: int = 0) -> None:
        self.num_contexts = num_contexts

    def __index__(self) -> int:
        return self.num_contexts

    __int__ = __index__

    def __bool__(self) -> bool:
        return self.num_contexts != 0

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (int, TeamConfig)):
            return self.num_contexts == int(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.num_contexts)


class UniqueId(_Numbers):
    """Identifies a job; bytes() converts it to 136 bytes."""

    LENGTH = 124
    __slots__ = ("version", "my_pe", "n_pes", "internal")
    _limits = {"version": _INT, "my_pe": _INT, "n_pes": _INT}

    version: int
    my_pe: int
    n_pes: int
    internal: bytes

    def __init__(self) -> None:
        self.version = _VERSION + 136
        self.my_pe = 0
        self.n_pes = 0
        self.internal = bytes(self.LENGTH)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "internal" and (not isinstance(value, bytes) or len(value) != self.LENGTH):
            raise ValueError("internal must be %d bytes, not %r" % (self.LENGTH, value))
        if name == "version" and value != _VERSION + 136:
            raise ValueError("version must be %d, not %r" % (_VERSION + 136, value))
        super().__setattr__(name, value)

    def __bytes__(self) -> bytes:
        head = (self.version, self.my_pe, self.n_pes)
        return b"".join(word.to_bytes(4, "little", signed=True) for word in head) + self.internal

    @classmethod
    def from_bytes(cls, data: bytes) -> "UniqueId":
        """Raises ValueError unless aclshmem_get_unique_id() made the bytes."""
        if len(data) != 12 + cls.LENGTH:
            raise ValueError("a unique id has %d bytes, not %d" % (12 + cls.LENGTH, len(data)))
        uid = cls()
        words = [int.from_bytes(data[at:at + 4], "little", signed=True) for at in (0, 4, 8)]
        uid.version, uid.my_pe, uid.n_pes = words
        uid.internal = bytes(data[12:])
        return uid
