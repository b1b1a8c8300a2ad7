# SPDX-License-Identifier: Apache-2.0
"""SHMEM on an emulated machine: memory of the same layout in all processes of a job.

A PE is a process. Sizes are bytes unless an argument is called nelems or counts elements, times are
seconds. Pointers are ints; wherever one is expected a torch tensor, a numpy array or an object with
__dlpack__ can stand. The local side of a blocking transfer may lie in host memory: it is copied.
Functions that C has without a result write errors to the log (standard error) and return None.
"""

from . import core, sim
from ._memory import Memory, aclshmem_create_tensor, aclshmem_free_tensor, as_array
from ._pyshmem import *  # noqa: F401,F403
from ._session import (aclshmem_init, aclshmem_team_get_config, aclshmemx_get_heap_base,
                       aclshmemx_init_status, shmem_init, shmem_init_status, shmem_set_attributes,
                       shmem_set_data_op_engine_type, shmem_set_timeout, shmem_team_get_config)
from ._types import (CmpOp, InitAttr, InitStatus, MemType, OpEngineType, OptionalAttr, SignalOp,
                     TeamConfig, UniqueId)
