# SPDX-License-Identifier: Apache-2.0
"""What the emulator adds. Programs that use it do not run with the vendor's package."""

import os
from typing import List, Tuple

from . import _pyshmem

_LAUNCHERS = [("RANK", "WORLD_SIZE"), ("RANK_ID", "RANK_SIZE"),
              ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), ("PMI_RANK", "PMI_SIZE"),
              ("PMIX_RANK", "PMIX_SIZE"), ("SLURM_PROCID", "SLURM_NTASKS")]


def barrier_all() -> None:
    """All PEs have called it, and what they began before is complete. Errors are logged."""
    _pyshmem._barrier_all()


def barrier(team: int) -> None:
    """The same for the PEs of a team; nothing for -1."""
    _pyshmem._barrier(team)


def rank_and_size() -> Tuple[int, int]:
    """This process's number and how many there are, as aclsim run, torchrun, mpirun and srun say it
    in the environment; (0, 1) where nobody does. ValueError for what is no number."""
    for rank, size in _LAUNCHERS:
        if rank in os.environ and size in os.environ:
            return int(os.environ[rank]), int(os.environ[size])
    return 0, 1


def _names() -> List[str]:
    return [row["name"] for row in _pyshmem._functions()]
