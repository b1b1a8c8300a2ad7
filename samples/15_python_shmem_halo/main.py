# SPDX-License-Identifier: Apache-2.0
"""A halo exchange with signals: heat in a rod that is distributed over all PEs.

Each PE has a part of the rod, and a cell at each end for the value of its neighbour. A put with a signal
writes such a cell and then increments a word beside it: a PE that sees the count sees the cell. The loop
has no barrier, so a fast PE may be one step ahead. Two alternating cells prevent it from overwriting a
value that its neighbour has not read yet.

aclsim run --ranks 4 -- python3 main.py
"""
import os

import numpy as np

import acl
import shmem

CELLS, STEPS = 64, 200
os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
os.environ.setdefault("MASTER_PORT", "29500")


def heat(rod):
    """One step; the ends keep their heat."""
    rod[1:-1] += 0.25 * (rod[:-2] - 2 * rod[1:-1] + rod[2:])


def main():
    me, pes = shmem.sim.rank_and_size()
    assert acl.rt.set_device(int(os.environ.get("LOCAL_RANK", "0"))) == 0
    assert shmem.shmem_init(me, pes, 1 << 20) == 0

    # Symmetric: [side][turn] cells and [side] counts. Side 0 holds the values from the left.
    cells, counts = shmem.shmem_calloc(4, 8), shmem.shmem_calloc(2, 4)
    edges = shmem.shmem_malloc(16)  # the values to send: the first and the last cell of this PE
    halo, edge = shmem.as_array(cells, (2, 2), "float64"), shmem.as_array(edges, 2, "float64")

    start = np.random.default_rng(1).random(CELLS * pes)
    piece = np.zeros(CELLS + 2)
    piece[1:-1] = start[CELLS * me:CELLS * (me + 1)]
    neighbours = [(0, me - 1, 1), (1, me + 1, -2)]  # own side, PE, own cell to send to it

    for step in range(1, STEPS + 1):
        turn = step % 2
        for side, pe, own in neighbours:
            if 0 <= pe < pes:
                edge[side] = piece[own]
                there = 1 - side  # this PE is on the neighbour's other side
                shmem.shmem_putmem_signal(cells + 8 * (2 * there + turn), edges + 8 * side, 8,
                                          counts + 4 * there, 1, shmem.SignalOp.SIGNAL_ADD, pe)
        for side, pe, _ in neighbours:
            if 0 <= pe < pes:
                shmem.aclshmem_signal_wait_until(counts + 4 * side, shmem.CmpOp.CMP_GE, step)
                piece[-1 if side else 0] = halo[side][turn]
        whole = piece[1 if me == 0 else 0:CELLS + 1 if me == pes - 1 else CELLS + 2]
        heat(whole)  # a view of the part, without halos at the ends of the rod

    for _ in range(STEPS):
        heat(start)
    assert (piece[1:-1] == start[CELLS * me:CELLS * (me + 1)]).all()
    if me == 0:
        print("%d PEs: %d steps of %d cells are those of one process" % (pes, STEPS, CELLS * pes))
    assert shmem.shmem_finalize() == 0


main()
