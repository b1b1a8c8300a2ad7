// SPDX-License-Identifier: Apache-2.0
// Objects that own memory: torch tensors, numpy arrays, and other objects with DLPack. Their
// packages are not imported; the objects are used through their protocols.
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
  PyObject* keeper = nullptr;  // a new reference to the object that owns the memory, or null
};

/// An int is an address, None is 0. Raises TypeError for an object without memory, ValueError for
/// an array that is not contiguous.
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

/// (address, bytes): raises ValueError if the host cannot read the range; only its two ends are
/// checked.
PyObject* require_readable(PyObject* self, PyObject* args);

}  // namespace pyshmem
