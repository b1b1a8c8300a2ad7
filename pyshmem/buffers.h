// SPDX-License-Identifier: Apache-2.0
// Objects that stand for memory: torch tensors, numpy arrays, whatever speaks DLPack. None of their
// packages is imported: they are met through what they offer.
#pragma once

#include <cstddef>

#include "pyacl/convert.h"

namespace pyshmem {

using pyacl::Argument;

/// Memory that an argument names.
struct Buffer {
  void* address = nullptr;
  std::size_t bytes = 0;
  bool sized = false;  // false: an address alone
  bool writable = true;
  PyObject* keeper = nullptr;  // a new reference to what keeps the memory, or null
};

/// An int is an address, None is 0. Raises TypeError for what names no memory, ValueError for an
/// array that is not contiguous.
bool take_buffer(PyObject* object, const Argument& at, Buffer& buffer);

/// Memory of the host is copied to the device for the length of a call, and back if `back`.
struct Staged {
  void* device = nullptr;
};
/// Nothing for memory of a device, and for addresses alone. `buffer.address` is the copy then.
bool stage(const Argument& at, Buffer& buffer, Staged& staged);
/// Gives the copy back, after writing what is in it to `to` if that is not null.
void unstage(Staged& staged, void* to, std::size_t bytes);

/// A DLPack capsule of host-readable memory: `owner` is kept as long as the consumer wants it.
/// (address, shape, type code, bits, owner) -> capsule
PyObject* make_capsule(PyObject* self, PyObject* args);

/// (address, bytes): ValueError where the host cannot read all of it, as far as its ends tell.
PyObject* require_readable(PyObject* self, PyObject* args);

}  // namespace pyshmem
