# SPDX-License-Identifier: Apache-2.0
"""Functions and enumerations as they are."""

from .._pyshmem import get_my_pe as my_pe
from .._pyshmem import get_pe_count as n_pes
from .._pyshmem import team_my_pe, team_n_pes
from .._session import shmem_init_status as init_status
from .._types import CmpOp as ComparisonType
from .._types import InitStatus, SignalOp

__all__ = ["ComparisonType", "InitStatus", "SignalOp", "init_status", "my_pe", "n_pes", "team_my_pe",
           "team_n_pes"]
