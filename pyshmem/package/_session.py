# SPDX-License-Identifier: Apache-2.0
"""Init in its shapes, and what returns objects of Python."""

import os
import sys
from typing import Any, Optional, Union

from . import _pyshmem
from ._types import InitAttr, InitStatus, MemType, OptionalAttr, OpEngineType, TeamConfig

_INVALID_PARAM = -1
_INVALID_VALUE = -2
_MAX_PES = 16384
_MAX_BYTES = 40 << 30
_defaults: Optional[InitAttr] = None  # of the last shmem_set_attributes


def _port(text: Optional[str], most: int) -> Optional[int]:
    if text is None or not text.isdigit() or not 1 <= int(text) <= most:
        return None
    return int(text)


def _address_from_environment() -> Optional[str]:
    address, port = os.environ.get("SHMEM_MASTER_ADDR"), os.environ.get("SHMEM_MASTER_PORT")
    if address and port is not None:
        number = _port(port, 65535)
        return "tcp://%s:%d" % (address, number) if number else None
    address, number = os.environ.get("MASTER_ADDR"), _port(os.environ.get("MASTER_PORT"), 65524)
    return "tcp://%s:%d" % (address, number + 11) if address and number else None


def _init(attributes: InitAttr) -> int:
    options = attributes.option_attr
    return _pyshmem._init(attributes.my_rank, attributes.n_ranks, attributes.local_mem_size,
                          attributes.ip_port, int(options.data_op_engine_type),
                          options.shm_init_timeout, options.shm_create_timeout,
                          options.control_operation_timeout)


def _init_by_numbers(mype: int, npes: int, mem_size: int) -> int:
    attributes = InitAttr()
    if _defaults is not None:
        attributes.option_attr = _defaults.option_attr
    address = _defaults.ip_port if _defaults is not None else _address_from_environment()
    if not address:
        print("shmem_init: where do PEs meet? Set SHMEM_MASTER_ADDR and SHMEM_MASTER_PORT (1 to "
              "65535), or MASTER_ADDR and MASTER_PORT (1 to 65524), or call shmem_set_attributes",
              file=sys.stderr)
        return _INVALID_PARAM
    attributes.ip_port = address
    attributes.my_rank, attributes.n_ranks, attributes.local_mem_size = mype, npes, mem_size
    return _init(attributes)


def shmem_init(mype: Union[int, InitAttr, None] = None, npes: Optional[int] = None,
               mem_size: Optional[int] = None, attributes: Optional[InitAttr] = None) -> int:
    """shmem_init(mype, npes, mem_size) or shmem_init(attributes); all PEs call it.

    mem_size: bytes of each PE's heap. With numbers the PEs meet where the last
    shmem_set_attributes said, else at SHMEM_MASTER_ADDR:SHMEM_MASTER_PORT, else at MASTER_ADDR and
    MASTER_PORT + 11. This thread must have a device (acl.rt.set_device).

    0, or a code: -1 (mype is not below npes; no address, or one of another form than
    tcp://host:port; TLS settings that cannot be used), -2 (out of range), -4 (no device, initialised
    already, PE 0 was not found within shm_init_timeout, a PE was lost), -6 (the port is taken, the PE
    is there already, or was refused), -7 (a PE did not come within shm_init_timeout). Raises
    TypeError for other arguments.
    """
    if isinstance(mype, InitAttr) and attributes is None:
        mype, attributes = None, mype
    numbers = (mype, npes, mem_size)
    if isinstance(attributes, InitAttr) and numbers == (None, None, None):
        return _init(attributes)
    if attributes is None and None not in numbers:
        return _init_by_numbers(*numbers)  # type: ignore[arg-type]
    raise TypeError("shmem_init: expected (mype, npes, mem_size) or an InitAttr")


def aclshmem_init(attributes: InitAttr) -> int:
    """As shmem_init(attributes)."""
    if not isinstance(attributes, InitAttr):
        raise TypeError("aclshmem_init: attributes must be InitAttr, not %r" % (attributes,))
    return _init(attributes)


def shmem_init_status() -> InitStatus:
    """INITIALIZED between init and finalize; SHM_CREATED while another thread is in init and the
    heap of this PE is made; else NOT_INITIALIZED."""
    return InitStatus(_pyshmem._init_status())


aclshmemx_init_status = shmem_init_status


def _require(function: str, attributes: Any) -> InitAttr:
    if not isinstance(attributes, InitAttr):
        raise TypeError("%s: attributes must be InitAttr, not %r" % (function, attributes))
    return attributes


def shmem_set_attributes(my_rank: int, n_ranks: int, local_mem_size: int, ip_port: str,
                         attributes: InitAttr) -> int:
    """Fills all of `attributes`, the options with their defaults, and is where a later
    shmem_init(mype, npes, mem_size) meets. 0. RuntimeError for an empty address and for what
    exceeds the limits (16384 ranks, 40 GiB); whether the numbers fit together is seen by init."""
    _require("shmem_set_attributes", attributes)
    made = InitAttr()
    made.my_rank, made.n_ranks, made.local_mem_size = my_rank, n_ranks, local_mem_size
    made.ip_port = ip_port
    code = 0
    if not ip_port:
        code = _INVALID_PARAM if ip_port is None else _INVALID_VALUE
    elif made.local_mem_size > _MAX_BYTES or made.n_ranks > _MAX_PES or made.my_rank > _MAX_PES:
        code = _INVALID_VALUE
    if code:
        raise RuntimeError("shmem_set_attributes failed: %d; got rank %d of %d, %d bytes, address %r"
                           % (code, my_rank, n_ranks, local_mem_size, ip_port))
    for name in InitAttr.__slots__:
        setattr(attributes, name, getattr(made, name))
    global _defaults
    _defaults = made
    _defaults.option_attr = attributes.option_attr
    return 0


_MISSING = object()


def _either(function: str, value: Any, vaue: Any) -> Any:
    """The older keyword is misspelt."""
    if (value is _MISSING) == (vaue is _MISSING):
        raise TypeError("%s: expected (attributes, value)" % function)
    return vaue if value is _MISSING else value


def shmem_set_data_op_engine_type(attributes: InitAttr, value: Union[int, OpEngineType] = _MISSING,  # type: ignore
                                  vaue: Union[int, OpEngineType] = _MISSING) -> int:  # type: ignore
    """Sets option_attr.data_op_engine_type; init looks at it. 0."""
    name = "shmem_set_data_op_engine_type"
    _require(name, attributes).option_attr.data_op_engine_type = _either(name, value, vaue)
    return 0


def shmem_set_timeout(attributes: InitAttr, value: int = _MISSING,  # type: ignore[assignment]
                      vaue: int = _MISSING) -> int:  # type: ignore[assignment]
    """Sets the three timeouts of option_attr, in seconds. 0. TypeError outside of 0 to 2**32 - 1;
    init refuses 0."""
    options = _require("shmem_set_timeout", attributes).option_attr
    options.shm_init_timeout = seconds = _either("shmem_set_timeout", value, vaue)
    options.shm_create_timeout = seconds
    options.control_operation_timeout = seconds
    return 0


def shmem_team_get_config(team: int) -> TeamConfig:
    """The configuration of a team, which is equal to 0. RuntimeError for what is no team and before
    init."""
    return TeamConfig(_pyshmem._team_contexts(team))


aclshmem_team_get_config = shmem_team_get_config


def aclshmemx_get_heap_base(mem_type: Optional[MemType] = None) -> int:
    """The first address of this PE's heap; 0 before init, and for MemType.HOST_SIDE
    while nobody has allocated there."""
    return _pyshmem._heap_base(int(MemType.DEVICE_SIDE if mem_type is None else mem_type))
