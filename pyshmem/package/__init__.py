# SPDX-License-Identifier: Apache-2.0
"""SHMEM on an emulated machine: memory of the same layout in all processes of a job.

A PE is a process. Sizes are in bytes unless an argument is called nelems or counts elements; times
are in seconds. Pointers are ints. A torch tensor, a numpy array or an object with __dlpack__ is
accepted in place of a pointer. The local side of a blocking transfer may be in host memory: it is
copied. Functions whose C form has no result write errors to the log (standard error) and return None.
"""

from . import core, sim
from ._memory import Memory, aclshmem_create_tensor, aclshmem_free_tensor, as_array
from ._pyshmem import *  # noqa: F401,F403
from ._session import (aclshmem_init, aclshmem_team_get_config, aclshmemx_get_heap_base,
                       aclshmemx_init_status, shmem_init, shmem_init_status, shmem_set_attributes,
                       shmem_set_data_op_engine_type, shmem_set_timeout, shmem_team_get_config)
from ._types import (CmpOp, InitAttr, InitStatus, MemType, OpEngineType, OptionalAttr, SignalOp,
                     TeamConfig, UniqueId)
