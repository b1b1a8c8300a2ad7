# SPDX-License-Identifier: Apache-2.0
"""Teams: PEs as a grid of rows and columns, sums along both.

A PE is a process: aclsim run --ranks 4 -- python3 main.py. Alone it is a grid of one.
"""
import os

import numpy as np

import acl
import shmem

os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
os.environ.setdefault("MASTER_PORT", "29500")


def sum_in(team, values):
    """The sum of an array over the PEs of a team, at every PE: each PE gets the values of all."""
    sums = np.zeros_like(array_of(values))
    for index in range(shmem.team_n_pes(team)):
        world_pe = shmem.team_translate_pe(team, index, 0)
        part = np.empty_like(sums)
        shmem.shmem_getmem(part, values, part.nbytes, world_pe)
        sums += part
    return sums


def array_of(pointer):
    return shmem.as_array(pointer, 4, "float64")


def main():
    me, pes = shmem.sim.rank_and_size()
    assert acl.rt.set_device(int(os.environ.get("LOCAL_RANK", "0"))) == 0
    assert shmem.shmem_init(me, pes, 1 << 20) == 0
    columns = 2 if pes % 2 == 0 else 1

    values = shmem.shmem_malloc(32)
    array_of(values)[:] = me
    # The call includes a barrier of all PEs: data that they wrote before it is visible after it.
    shmem.shmem_free(shmem.shmem_malloc(16))

    row, column = shmem.team_split_2d(0, columns)
    x, y = shmem.team_my_pe(row), shmem.team_my_pe(column)
    assert me == y * columns + x
    assert (sum_in(row, values) == sum(range(y * columns, (y + 1) * columns))).all()
    assert (sum_in(column, values) == sum(range(x, pes, columns))).all()

    even = shmem.team_split_strided(0, 0, 2, (pes + 1) // 2)
    assert (even == -1) == (me % 2 == 1)  # a PE outside of the team gets no team
    if even != -1:
        assert (sum_in(even, values) == sum(range(0, pes, 2))).all()
        shmem.team_destroy(even)
    if me == 0:
        print("%d PEs: %d rows of %d" % (pes, pes // columns, columns))
    shmem.shmem_free(values)
    assert shmem.shmem_finalize() == 0


main()
