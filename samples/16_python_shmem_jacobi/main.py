# SPDX-License-Identifier: Apache-2.0
"""A Jacobi solver in two dimensions: four PEs hold a quarter of a plate each.

The edges of the plate keep their heat; each inner point becomes the mean of its four neighbours. PEs exchange
the borders of their quarters by puts with signals; columns are not contiguous, so they go through a buffer.
The result is compared with the result of one process, and is equal to the last bit.

aclsim run --ranks 4 -- python3 main.py
"""
import os

import numpy as np

import acl
import shmem

SIZE, STEPS = 96, 150  # inner points of the plate in each direction
os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
os.environ.setdefault("MASTER_PORT", "29500")


def plate():
    points = np.zeros((SIZE + 2, SIZE + 2))
    points[0, :] = 100.0
    points[:, -1] = np.linspace(100.0, 0.0, SIZE + 2)
    return points


def relax(points):
    inner = points[:-2, 1:-1] + points[2:, 1:-1]
    inner += points[1:-1, :-2]
    inner += points[1:-1, 2:]
    points[1:-1, 1:-1] = 0.25 * inner


class Border:
    """The data that one side of a block exchanges with its neighbour."""

    def __init__(self, side, pe, send, receive, length):
        self.side, self.pe, self.send, self.receive, self.length = side, pe, send, receive, length


class Exchange:
    """Symmetric buffers: [side][turn] received, [side] to send, [side] the number of arrivals."""

    def __init__(self, borders, most):
        self.borders, self.bytes = borders, 8 * most
        self.came = shmem.shmem_malloc(8 * self.bytes)
        self.goes = shmem.shmem_malloc(4 * self.bytes)
        self.counts = shmem.shmem_calloc(4, 4)

    def swap(self, points, step):
        turn = step % 2
        for border in self.borders:
            other = border.side ^ 1  # up 0 and down 1, left 2 and right 3
            buffer = self.goes + border.side * self.bytes
            shmem.as_array(buffer, border.length, "float64")[:] = points[border.send]
            shmem.shmem_putmem_signal_nbi(
                self.came + (2 * other + turn) * self.bytes, buffer, 8 * border.length,
                self.counts + 4 * other, 1, shmem.SignalOp.SIGNAL_ADD, border.pe)
        for border in self.borders:
            shmem.aclshmem_signal_wait_until(self.counts + 4 * border.side, shmem.CmpOp.CMP_GE, step)
            came = self.came + (2 * border.side + turn) * self.bytes
            points[border.receive] = shmem.as_array(came, border.length, "float64")


def main():
    me, pes = shmem.sim.rank_and_size()
    assert pes in (1, 4), "one process or four, not %d" % pes
    assert acl.rt.set_device(int(os.environ.get("LOCAL_RANK", "0"))) == 0
    assert shmem.shmem_init(me, pes, 4 << 20) == 0
    across = 2 if pes == 4 else 1
    row_team, column_team = shmem.team_split_2d(0, across)
    x, y = shmem.team_my_pe(row_team), shmem.team_my_pe(column_team)
    length = SIZE // across
    block = np.s_[y * length:y * length + length + 2, x * length:x * length + length + 2]
    points = plate()[block].copy()

    borders = []
    for side, dy, dx, send, receive in (
            (0, -1, 0, np.s_[1, 1:-1], np.s_[0, 1:-1]), (1, 1, 0, np.s_[-2, 1:-1], np.s_[-1, 1:-1]),
            (2, 0, -1, np.s_[1:-1, 1], np.s_[1:-1, 0]), (3, 0, 1, np.s_[1:-1, -2], np.s_[1:-1, -1])):
        if 0 <= y + dy < across and 0 <= x + dx < across:
            borders.append(Border(side, (y + dy) * across + x + dx, send, receive, length))
    exchange = Exchange(borders, length)
    for step in range(1, STEPS + 1):
        exchange.swap(points, step)
        relax(points)

    # PE 0 gets the quarters. The barrier of the allocation guarantees that all PEs are done.
    mine = shmem.shmem_malloc(8 * length * length)
    shmem.as_array(mine, (length, length), "float64")[:] = points[1:-1, 1:-1]
    shmem.shmem_free(shmem.shmem_malloc(16))
    if me == 0:
        serial = plate()
        for _ in range(STEPS):
            relax(serial)
        result = plate()
        for pe in range(pes):
            quarter = np.empty((length, length))
            shmem.shmem_getmem(quarter, mine, quarter.nbytes, pe)
            top, left = pe // across * length + 1, pe % across * length + 1
            result[top:top + length, left:left + length] = quarter
        assert (result == serial).all()
        print("%d PEs: %d steps of %d x %d points are those of one process" % (pes, STEPS, SIZE, SIZE))
    shmem.shmem_free(mine)
    assert shmem.shmem_finalize() == 0


main()
