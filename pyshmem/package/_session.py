# SPDX-License-Identifier: Apache-2.0
"""The forms of init, and functions that return Python objects."""

import os
import sys
from typing import Any, Optional, Union

from . import _pyshmem
from ._types import InitAttr, InitStatus, MemType, OptionalAttr, OpEngineType, TeamConfig

_INVALID_PARAM = -1
_INVALID_VALUE = -2
_MAX_PES = 16384
_MAX_BYTES = 40 << 30
_LONG_TIMEOUT = 600  # a program that means milliseconds most likely asks for more
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

    mem_size: bytes of each PE's heap. The first form uses the address of the last
    shmem_set_attributes, otherwise SHMEM_MASTER_ADDR:SHMEM_MASTER_PORT, otherwise MASTER_ADDR and
    MASTER_PORT + 11. The calling thread must have a device (acl.rt.set_device).

    Returns 0, or a code: -1 (mype is not below npes; the address is missing or does not have the
    form tcp://host:port; TLS settings that cannot be used), -2 (out of range), -4 (no device, already
    initialised, PE 0 was not found within shm_init_timeout, a PE was lost), -6 (the port is taken, the
    PE has joined already or was refused), -7 (a PE did not arrive within shm_init_timeout). Raises
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
    """INITIALIZED from init to finalize; SHM_CREATED while another thread is in init and has made the
    heap of this PE; otherwise NOT_INITIALIZED."""
    return InitStatus(_pyshmem._init_status())


aclshmemx_init_status = shmem_init_status


def _require(function: str, attributes: Any) -> InitAttr:
    if not isinstance(attributes, InitAttr):
        raise TypeError("%s: attributes must be InitAttr, not %r" % (function, attributes))
    return attributes


def shmem_set_attributes(my_rank: int, n_ranks: int, local_mem_size: int, ip_port: str,
                         attributes: InitAttr) -> int:
    """Fills all of `attributes` (the options get their defaults), and sets the address for a later
    shmem_init(mype, npes, mem_size). Returns 0. Raises RuntimeError for an empty address and for
    numbers beyond the limits (16384 ranks, 40 GiB). Init checks whether the numbers are consistent."""
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
    """Accepts the misspelt keyword of older versions."""
    if (value is _MISSING) == (vaue is _MISSING):
        raise TypeError("%s: expected (attributes, value)" % function)
    return vaue if value is _MISSING else value


def shmem_set_data_op_engine_type(attributes: InitAttr, value: Union[int, OpEngineType] = _MISSING,  # type: ignore
                                  vaue: Union[int, OpEngineType] = _MISSING) -> int:  # type: ignore
    """Sets option_attr.data_op_engine_type, which init checks. Returns 0."""
    name = "shmem_set_data_op_engine_type"
    _require(name, attributes).option_attr.data_op_engine_type = _either(name, value, vaue)
    return 0


def shmem_set_timeout(attributes: InitAttr, value: int = _MISSING,  # type: ignore[assignment]
                      vaue: int = _MISSING) -> int:  # type: ignore[assignment]
    """Sets the three timeouts of option_attr, in seconds. Prints a notice above 600, since pages of
    the vendor say milliseconds. Returns 0. Raises TypeError outside of 0 to
    2**32 - 1; init refuses 0."""
    options = _require("shmem_set_timeout", attributes).option_attr
    options.shm_init_timeout = seconds = _either("shmem_set_timeout", value, vaue)
    if seconds > _LONG_TIMEOUT:
        print("aclsim: shmem_set_timeout: %d is taken as seconds, as in the headers; pages of the "
              "vendor say milliseconds" % seconds, file=sys.stderr)
    options.shm_create_timeout = seconds
    options.control_operation_timeout = seconds
    return 0


def shmem_team_get_config(team: int) -> TeamConfig:
    """Returns the configuration of a team, which is equal to 0. Raises RuntimeError for an unknown
    team and before init."""
    return TeamConfig(_pyshmem._team_contexts(team))


aclshmem_team_get_config = shmem_team_get_config


def aclshmemx_get_heap_base(mem_type: Optional[MemType] = None) -> int:
    """Returns the first address of this PE's heap; 0 before init, and for MemType.HOST_SIDE before the
    first allocation there."""
    return _pyshmem._heap_base(int(MemType.DEVICE_SIDE if mem_type is None else mem_type))
