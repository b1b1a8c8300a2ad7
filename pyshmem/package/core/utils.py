# SPDX-License-Identifier: Apache-2.0
"""Errors, buffers, the log."""

import logging
from typing import Any, Optional, Tuple

from .. import _pyshmem
from .._memory import Memory

_LEVELS = ["DEBUG", "INFO", "WARN", "ERROR", "FATAL"]


class AclshmemError(Exception):
    """A function of the library failed."""


class AclshmemInvalid(AclshmemError):
    """An argument is not what it must be."""


class Buffer:
    """`length` bytes at the address `addr`."""

    def __init__(self, addr: int, length: int) -> None:
        """ValueError for an address below 0 and a length below 1."""
        if addr < 0 or length <= 0:
            raise ValueError("Buffer(%r, %r): expected an address and 1 byte or more" % (addr, length))
        self.addr = addr
        self.length = length
        self._release = False

    def __index__(self) -> int:
        return self.addr

    def __dlpack__(self, stream: Any = None, **options: Any) -> Any:
        return Memory(self.addr, self.length).__dlpack__(stream, **options)

    def __dlpack_device__(self) -> Tuple[int, int]:
        return (1, 0)

    def __del__(self) -> None:
        if getattr(self, "_release", False):
            _pyshmem.aclshmem_free(self.addr)


def setup_aclshmem_logger(log_level: str = "ERROR", log_file_path: Optional[str] = None) -> logging.Logger:
    """The library's log through a logger of Python's, which is returned; into a file if one is named.
    ValueError for a level that is none of DEBUG, INFO, WARN, ERROR, FATAL."""
    if log_level not in _LEVELS:
        raise ValueError("log_level is %r; expected one of %s" % (log_level, ", ".join(_LEVELS)))
    logger = logging.getLogger("aclshmem")
    logger.setLevel(log_level)
    if log_file_path is not None:
        logger.addHandler(logging.FileHandler(log_file_path))
    numbers = [logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL]
    _pyshmem.set_extern_logger(lambda level, text: logger.log(numbers[level], text))
    _pyshmem.set_log_level(_LEVELS.index(log_level))
    return logger
