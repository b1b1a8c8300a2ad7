// SPDX-License-Identifier: Apache-2.0
// acl.util: addresses of Python's memory, and Python objects over addresses. numpy is imported when
// a call needs it, and used only through its array interface and the buffer protocol.
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "pyacl/adapters.h"
#include "pyacl/caller.h"
#include "pyacl/kernel.h"

namespace pyacl {
namespace {

constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  // Linux reads less than 2 GiB a call

/// Reads by a system call, so that a wrong address is an error and not a signal.
bool read_memory(char* to, const char* from, std::size_t size) {
  while (size != 0) {
    const std::size_t part = std::min(size, kMostAtOnce);
    const iovec local{to, part};
    const iovec remote{const_cast<char*>(from), part};
    const ssize_t got = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
    if (got < 0 && errno != EFAULT && errno != ENOMEM) {
      std::memcpy(to, from, size);  // the call is forbidden (containers): no check is possible
      return true;
    }
    if (got != static_cast<ssize_t>(part)) return false;
    to += part;
    from += part;
    size -= part;
  }
  return true;
}

/// Whether the whole range is mapped.
bool mapped(const char* first, std::size_t size) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(first) & ~(page - 1);
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(first) + size;
  return msync(reinterpret_cast<void*>(begin), end - begin, MS_ASYNC) == 0;
}

bool is_guarded_machine() {
  static const bool guarded = [] {
    aclsimMachine machine{};
    return get_machine(&machine) == ACL_SUCCESS && machine.guarded != 0;
  }();
  return guarded;
}

/// In a kernel, device memory that is closed to the host opens on the first access.
bool opens_when_touched() { return in_kernel() && is_guarded_machine(); }

/// The checker may close memory while a task uses it. The first access opens the memory, and is
/// reported. System calls fail there.
bool opens_for_checker(const void* ptr, std::size_t size) {
  if (lines_wanted != 1) return false;
  if (is_guarded_machine()) {  // memory of the device is closed for another reason
    aclrtPtrAttributes attributes{};
    if (aclrtPointerGetAttributes(ptr, &attributes) != ACL_SUCCESS) return false;
    if (attributes.location.type != ACL_MEM_LOCATION_TYPE_HOST) return false;
  }
  void* begin = nullptr;
  std::size_t whole = 0;
  if (aclrtMemGetAddressRange(const_cast<void*>(ptr), &begin, &whole) != ACL_SUCCESS) return false;
  const auto before =
      static_cast<std::size_t>(static_cast<const char*>(ptr) - static_cast<const char*>(begin));
  return before + size <= whole;
}

/// Whether the range is readable, judged by its first and last byte and the system's map.
bool readable(const void* ptr, std::size_t size) {
  if (size == 0) return true;
  const char* const first = static_cast<const char*>(ptr);
  if (!ptr || reinterpret_cast<std::uintptr_t>(first) + size < size) return false;
  if (!mapped(first, size)) return false;
  char byte;
  return opens_when_touched() ||
         (read_memory(&byte, first, 1) && read_memory(&byte, first + size - 1, 1)) ||
         opens_for_checker(ptr, size);
}

void raise_unreadable(const char* function, const void* ptr, std::size_t size) {
  PyErr_Format(PyExc_ValueError, "%s: argument 1 (ptr) is %p, where the host cannot read %zu bytes",
               function, ptr, size);
}

/// Returns array.__array_interface__. If the array has none, raises TypeError and returns null; any
/// other exception of the array is kept.
PyObject* array_interface(const Argument& at, PyObject* array) {
  PyObject* const interface = PyObject_GetAttrString(array, "__array_interface__");
  if (interface && PyDict_Check(interface)) return interface;
  if (!interface && !PyErr_ExceptionMatches(PyExc_AttributeError)) return nullptr;
  Py_XDECREF(interface);
  PyErr_Clear();
  raise_wrong_type(at, "numpy.ndarray", array);
  return nullptr;
}

/// The address in an array interface; a new reference.
PyObject* address_of(const Argument& at, PyObject* interface) {
  PyObject* const data = PyDict_GetItemString(interface, "data");
  const bool named = data && PyTuple_Check(data) && PyTuple_Size(data) != 0;
  PyObject* const address = named ? PyTuple_GetItem(data, 0) : nullptr;
  if (!address || !PyLong_Check(address)) {
    raise_wrong_value(at, "has an array interface that names no address");
    return nullptr;
  }
  Py_INCREF(address);
  return address;
}

struct TypeNumber {
  std::int32_t number;
  const char* dtype;
};
constexpr TypeNumber kTypeNumbers[] = {
    {0, "?"},  {1, "i1"}, {2, "u1"},  {3, "i2"},  {4, "u2"},  {5, "i4"},  {6, "u4"},   {7, "i8"},
    {8, "u8"}, {9, "i8"}, {10, "u8"}, {11, "f4"}, {12, "f8"}, {14, "c8"}, {15, "c16"}, {23, "f2"},
};

const char* dtype_of(std::int32_t number) {
  for (const TypeNumber& row : kTypeNumbers) {
    if (row.number == number) return row.dtype;
  }
  PyErr_Format(
      PyExc_ValueError,
      "acl.util.ptr_to_numpy: argument 3 (npy_typenum) is %d, which is no numpy type number",
      static_cast<int>(number));
  return nullptr;
}

/// numpy.dtype(text); a new reference.
PyObject* make_dtype(PyObject* numpy, const char* text) {
  return text ? PyObject_CallMethod(numpy, "dtype", "s", text) : nullptr;
}

constexpr Signature kToNumpy{"acl.util.ptr_to_numpy", "ptr, shape, npy_typenum"};
constexpr Argument kShape{kToNumpy, 1};

/// One number of a shape, as an int; a new reference.
PyObject* extent_of(PyObject* item, const Argument& at) {
  if (PyIndex_Check(item)) return PyNumber_Index(item);
  raise_wrong_type(at, "int", item);
  return nullptr;
}

/// The number of bytes of an array of this shape; false with an exception set.
bool array_bytes(PyObject* dtype, PyObject* shape, std::size_t& bytes) {
  PyObject* const item_size = PyObject_GetAttrString(dtype, "itemsize");
  if (!item_size) return false;
  bytes = PyLong_AsSize_t(item_size);
  Py_DECREF(item_size);
  for (Py_ssize_t i = 0; i < PyTuple_Size(shape); ++i) {
    const Py_ssize_t extent = PyLong_AsSsize_t(PyTuple_GetItem(shape, i));  // -1: out of range
    PyErr_Clear();
    if (extent < 0 || __builtin_mul_overflow(bytes, static_cast<std::size_t>(extent), &bytes) ||
        bytes > static_cast<std::size_t>(PY_SSIZE_T_MAX)) {
      return raise_wrong_value(kShape, "is no shape");
    }
  }
  return true;
}

/// numpy.ndarray(shape, dtype, memory); a new reference.
PyObject* make_array(PyObject* numpy, PyObject* shape, PyObject* dtype, void* ptr,
                     std::size_t bytes) {
  if (bytes == 0) return PyObject_CallMethod(numpy, "empty", "OO", shape, dtype);
  PyObject* const view =
      PyMemoryView_FromMemory(static_cast<char*>(ptr), static_cast<Py_ssize_t>(bytes), kWritable);
  if (!view) return nullptr;
  PyObject* const array = PyObject_CallMethod(numpy, "ndarray", "OOO", shape, dtype, view);
  Py_DECREF(view);
  return array;
}

/// Replaces numpy's message about an invalid shape by one in the form of this module.
void rename_refusal() {
  if (!PyErr_ExceptionMatches(PyExc_ValueError)) return;
  PyErr_Clear();
  raise_wrong_value(kShape, "is a shape that numpy refuses");
}

/// A tuple of ints from a tuple, a list or one number; a new reference.
PyObject* shape_tuple(PyObject* shape) {
  if (PyIndex_Check(shape)) {
    PyObject* const extent = extent_of(shape, kShape);
    PyObject* const tuple = extent ? PyTuple_Pack(1, extent) : nullptr;
    Py_XDECREF(extent);
    return tuple;
  }
  if (!PyTuple_Check(shape) && !PyList_Check(shape)) {
    raise_wrong_type(kShape, "tuple", shape);
    return nullptr;
  }
  PyObject* const tuple = PySequence_Tuple(shape);
  PyObject* const extents = tuple ? PyTuple_New(PyTuple_Size(tuple)) : nullptr;
  bool done = extents != nullptr;
  for (Py_ssize_t i = 0; done && i < PyTuple_Size(tuple); ++i) {
    PyObject* const extent = extent_of(PyTuple_GetItem(tuple, i), kShape.at_item(i));
    done = extent && PyTuple_SetItem(extents, i, extent) == 0;
  }
  Py_XDECREF(tuple);
  if (done) return extents;
  Py_XDECREF(extents);
  return nullptr;
}

}  // namespace

void* bytes_to_ptr(Bytes data) { return PyBytes_AsString(data.object); }

Typed<"bytes"> ptr_to_bytes(const void* ptr, std::uint64_t size) {
  constexpr const char* kName = "acl.util.ptr_to_bytes";
  if (size > static_cast<std::uint64_t>(PY_SSIZE_T_MAX) || !readable(ptr, size)) {
    raise_unreadable(kName, ptr, size);
    return {};
  }
  PyObject* const bytes = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size));
  if (!bytes) return {};
  char* const to = PyBytes_AsString(bytes);
  if (!opens_when_touched()) {
    if (read_memory(to, static_cast<const char*>(ptr), size)) return {bytes};
    if (!opens_for_checker(ptr, size)) {
      Py_DECREF(bytes);
      raise_unreadable(kName, ptr, size);
      return {};
    }
  }
  std::memcpy(to, ptr, size);
  return {bytes};
}

Address numpy_to_ptr(Array array) {
  static constexpr Signature kSignature{"acl.util.numpy_to_ptr", "ndarray"};
  const Argument at{kSignature, 0};
  PyObject* const interface = array_interface(at, array.object);
  if (!interface) return {};
  PyObject* const strides = PyDict_GetItemString(interface, "strides");
  PyObject* address = nullptr;
  if (!strides || strides == Py_None ||
      PyErr_WarnEx(PyExc_UserWarning,
                   "acl.util.numpy_to_ptr: the array is not contiguous in C order; use "
                   "acl.util.numpy_contiguous_to_ptr",
                   1) == 0) {
    address = address_of(at, interface);
  }
  Py_DECREF(interface);
  return {address};
}

void numpy_contiguous_to_ptr(Array array, Address* ptr, Array* contiguous) {
  static constexpr Signature kSignature{"acl.util.numpy_contiguous_to_ptr", "ndarray"};
  const Argument at{kSignature, 0};
  PyObject* interface = array_interface(at, array.object);
  if (!interface) return;
  Py_DECREF(interface);
  PyObject* const numpy = PyImport_ImportModule("numpy");
  if (!numpy) return;
  contiguous->object = PyObject_CallMethod(numpy, "ascontiguousarray", "O", array.object);
  Py_DECREF(numpy);
  if (!contiguous->object) return;
  interface = array_interface(at, contiguous->object);
  if (!interface) return;
  ptr->object = address_of(at, interface);
  Py_DECREF(interface);
}

Array ptr_to_numpy(void* ptr, Shape shape, std::int32_t typenum) {
  PyObject* const numpy = PyImport_ImportModule("numpy");
  if (!numpy) return {};
  PyObject* array = nullptr;
  PyObject* const dtype = make_dtype(numpy, dtype_of(typenum));
  PyObject* const extents = dtype ? shape_tuple(shape.object) : nullptr;
  std::size_t bytes = 0;
  if (extents && array_bytes(dtype, extents, bytes)) {
    if (readable(ptr, bytes)) {
      array = make_array(numpy, extents, dtype, ptr, bytes);
      if (!array) rename_refusal();
    } else {
      raise_unreadable("acl.util.ptr_to_numpy", ptr, bytes);
    }
  }
  Py_XDECREF(extents);
  Py_XDECREF(dtype);
  Py_DECREF(numpy);
  return {array};
}

}  // namespace pyacl
