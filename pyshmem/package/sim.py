# SPDX-License-Identifier: Apache-2.0
"""Additions of the emulator. Programs that use them do not run with the vendor's package."""

import os
from typing import List, Tuple

from . import _pyshmem

_LAUNCHERS = [("RANK", "WORLD_SIZE"), ("RANK_ID", "RANK_SIZE"),
              ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), ("PMI_RANK", "PMI_SIZE"),
              ("PMIX_RANK", "PMIX_SIZE"), ("SLURM_PROCID", "SLURM_NTASKS")]


def barrier_all() -> None:
    """Returns when all PEs have called it and all their earlier operations are complete. Errors are
    logged."""
    _pyshmem._barrier_all()


def barrier(team: int) -> None:
    """The same for the PEs of a team; no effect for -1."""
    _pyshmem._barrier(team)


def rank_and_size() -> Tuple[int, int]:
    """Returns the rank of this process and the number of processes, from the environment variables of
    aclsim run, torchrun, mpirun or srun; (0, 1) without them. Raises ValueError if a variable is not
    a number."""
    for rank, size in _LAUNCHERS:
        if rank in os.environ and size in os.environ:
            return int(os.environ[rank]), int(os.environ[size])
    return 0, 1


def _names() -> List[str]:
    return [row["name"] for row in _pyshmem._functions()]
