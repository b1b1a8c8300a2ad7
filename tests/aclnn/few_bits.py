# SPDX-License-Identifier: Apache-2.0
"""Tensors of numbers of four bits."""

import ctypes

import numpy as np

from binding import Tensor, opapi


class FourBits:
    """Numbers of four bits side by side, as INT4 or eight in an INT32."""

    def __init__(self, values, words=False, offset=0):
        self.shape, self.words, self.offset = np.shape(values), words, offset
        flat = np.concatenate([np.zeros(offset, int), np.ravel(values), np.zeros(8, int)]) & 15
        flat = flat[:flat.size // 8 * 8]
        self.memory = Tensor((flat.size // 2,), "u8", values=(flat[::2] | flat[1::2] << 4))

    def handle(self):
        unit, shape = (8 if self.words else 1), list(self.shape)
        shape[-1] //= unit
        dims, storage = ((ctypes.c_int64 * len(a))(*a) for a in (shape, [int(np.prod(shape))]))
        return opapi.aclCreateTensor(dims, len(shape), 3 if self.words else 29, None, self.offset // unit, 2, storage,
                                     1, self.memory.data)

    def values(self):
        pairs = self.memory.values().astype(int)
        flat = np.stack([pairs & 15, pairs >> 4], -1).ravel()[self.offset:][:int(np.prod(self.shape))]
        return np.where(flat > 7, flat - 16, flat).reshape(self.shape)
