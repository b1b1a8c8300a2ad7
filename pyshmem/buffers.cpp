// SPDX-License-Identifier: Apache-2.0
#include "pyshmem/buffers.h"

#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "acl/acl_rt.h"
#include "pyshmem/dlpack.h"
#include "shmem/device/shmem_device_rma.h"

namespace pyshmem {
namespace {

/// The attribute, or null with no exception set. A new reference.
PyObject* attribute(PyObject* object, const char* name) {
  PyObject* const found = PyObject_GetAttrString(object, name);
  if (!found) PyErr_Clear();
  return found;
}

bool as_unsigned(PyObject* number, unsigned long long& value) {
  value = number ? PyLong_AsUnsignedLongLong(number) : 0;
  if (number && !PyErr_Occurred()) return true;
  PyErr_Clear();
  return false;
}

/// object.name() as a number; false with no exception set.
bool asked(PyObject* object, const char* name, unsigned long long& value) {
  PyObject* const answer = PyObject_CallMethod(object, name, nullptr);
  if (!answer) PyErr_Clear();
  const bool is = as_unsigned(answer, value);
  Py_XDECREF(answer);
  return is;
}

bool not_contiguous(const Argument& at) {
  return pyacl::raise_wrong_value(at, "is not contiguous; expected an array of adjacent elements");
}

/// Bytes of one element, from "<f4".
std::size_t element_bytes(PyObject* typestr) {
  PyObject* const text = typestr ? PyUnicode_AsUTF8String(typestr) : nullptr;
  if (!text) {
    PyErr_Clear();
    return 0;
  }
  const std::string type = PyBytes_AsString(text);
  Py_DECREF(text);
  return type.size() > 2 ? std::strtoul(type.c_str() + 2, nullptr, 10) : 0;
}

std::size_t product(PyObject* shape) {
  std::size_t count = 1;
  for (Py_ssize_t i = 0; shape && i < PyTuple_Size(shape); ++i) {
    count *= PyLong_AsSize_t(PyTuple_GetItem(shape, i));
  }
  PyErr_Clear();
  return count;
}

/// numpy's description of an array; takes the reference over.
bool from_interface(PyObject* object, PyObject* interface, const Argument& at, Buffer& buffer) {
  PyObject* const data = PyDict_GetItemString(interface, "data");
  PyObject* const strides = PyDict_GetItemString(interface, "strides");
  unsigned long long address = 0;
  const bool named = data && PyTuple_Check(data) && PyTuple_Size(data) == 2 &&
                     as_unsigned(PyTuple_GetItem(data, 0), address);
  bool done = named;
  if (!named) {
    pyacl::raise_wrong_value(at, "has an array interface that names no address");
  } else if (strides && strides != Py_None) {
    done = not_contiguous(at);
  } else {
    buffer.address = reinterpret_cast<void*>(address);
    buffer.bytes = product(PyDict_GetItemString(interface, "shape")) *
                   element_bytes(PyDict_GetItemString(interface, "typestr"));
    buffer.sized = true;
    buffer.writable = PyObject_IsTrue(PyTuple_GetItem(data, 1)) == 0;
    Py_INCREF(object);
    buffer.keeper = object;
  }
  Py_DECREF(interface);
  return done;
}

bool from_tensor(PyObject* object, unsigned long long address, const Argument& at, Buffer& buffer) {
  PyObject* const contiguous = PyObject_CallMethod(object, "is_contiguous", nullptr);
  const bool is = !contiguous || PyObject_IsTrue(contiguous) != 0;
  Py_XDECREF(contiguous);
  PyErr_Clear();
  if (!is) return not_contiguous(at);
  unsigned long long count = 0;
  unsigned long long bytes = 0;
  buffer.sized = asked(object, "numel", count) && asked(object, "element_size", bytes);
  buffer.address = reinterpret_cast<void*>(address);
  buffer.bytes = count * bytes;
  Py_INCREF(object);
  buffer.keeper = object;
  return true;
}

bool contiguous(const DLTensor& tensor) {
  std::int64_t expected = 1;
  for (int i = tensor.ndim - 1; tensor.strides && i >= 0; --i) {
    if (tensor.shape[i] != 1 && tensor.strides[i] != expected) return false;
    expected *= tensor.shape[i];
  }
  return true;
}

bool from_capsule(PyObject* capsule, const Argument& at, Buffer& buffer) {
  auto* const managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, kDlpackName));
  if (!managed) return false;
  const DLTensor& tensor = managed->dl_tensor;
  if (!contiguous(tensor)) return not_contiguous(at);
  std::size_t count = 1;
  for (int i = 0; i < tensor.ndim; ++i) count *= static_cast<std::size_t>(tensor.shape[i]);
  buffer.address = static_cast<char*>(tensor.data) + tensor.byte_offset;
  buffer.bytes = count * ((tensor.dtype.bits * tensor.dtype.lanes + 7) / 8);
  buffer.sized = true;
  Py_INCREF(capsule);
  buffer.keeper = capsule;  // unused: its destructor gives the tensor back
  return true;
}

bool is_on_host(const void* address) {
  aclrtPtrAttributes attributes{};
  const bool known = aclrtPointerGetAttributes(address, &attributes) == ACL_SUCCESS;
  return known && attributes.location.type != ACL_MEM_LOCATION_TYPE_DEVICE;
}

}  // namespace

bool take_buffer(PyObject* object, const Argument& at, Buffer& buffer) {
  if (object == Py_None) return true;
  if (PyLong_Check(object)) {
    unsigned long long address = 0;
    if (!as_unsigned(object, address)) {
      return pyacl::raise_wrong_type(at, "an address (0 to 2**64 - 1)", object);
    }
    buffer.address = reinterpret_cast<void*>(address);
    return true;
  }
  if (PyObject* const interface = attribute(object, "__array_interface__")) {
    if (PyDict_Check(interface)) return from_interface(object, interface, at, buffer);
    Py_DECREF(interface);
  }
  unsigned long long address = 0;
  if (asked(object, "data_ptr", address)) return from_tensor(object, address, at, buffer);
  if (PyObject* const capsule = PyObject_CallMethod(object, "__dlpack__", nullptr)) {
    const bool done = from_capsule(capsule, at, buffer);
    Py_DECREF(capsule);
    return done;
  }
  PyErr_Clear();
  PyObject* const number = PyNumber_Index(object);
  if (number) {
    const bool is = as_unsigned(number, address);
    Py_DECREF(number);
    buffer.address = reinterpret_cast<void*>(address);
    if (is) return true;
  }
  PyErr_Clear();
  return pyacl::raise_wrong_type(at, "an address, a tensor or an array", object);
}

bool stage(const Argument& at, Buffer& buffer, Staged& staged) {
  if (!buffer.sized || buffer.bytes == 0 || !is_on_host(buffer.address)) return true;
  void* copy = nullptr;
  if (aclrtMalloc(&copy, buffer.bytes, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS) {
    staged.device = copy;
    if (aclrtMemcpy(copy, buffer.bytes, buffer.address, buffer.bytes, ACL_MEMCPY_HOST_TO_DEVICE) ==
        ACL_SUCCESS) {
      buffer.address = copy;
      return true;
    }
  }
  const char* const text = aclGetRecentErrMsg();
  PyErr_Format(PyExc_RuntimeError, "%s: no copy of argument %d on the device: %s",
               at.signature.name, at.index + 1, text ? text : "unknown");
  return false;
}

void unstage(Staged& staged, void* to, std::size_t bytes) {
  if (!staged.device) return;
  aclshmem_quiet();  // of a call whose work is done later
  if (to) aclrtMemcpy(to, bytes, staged.device, bytes, ACL_MEMCPY_DEVICE_TO_HOST);
  aclrtFree(staged.device);
  staged.device = nullptr;
}

namespace {

/// The data of a capsule that this module makes.
struct Carried {
  DLManagedTensor managed{};
  std::vector<std::int64_t> shape;
  PyObject* owner = nullptr;
};

void delete_carried(DLManagedTensor* managed) {
  auto* const carried = static_cast<Carried*>(managed->manager_ctx);
  const PyGILState_STATE state = PyGILState_Ensure();
  Py_XDECREF(carried->owner);
  PyGILState_Release(state);
  delete carried;
}

/// Frees a capsule that no consumer has taken. A consumer renames it to "used_dltensor".
void capsule_ends(PyObject* capsule) {
  if (!PyCapsule_IsValid(capsule, kDlpackName)) return;
  auto* const managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, kDlpackName));
  managed->deleter(managed);
}

/// Through the system: a wrong address is an error, not a signal.
bool readable(unsigned long long address) {
  char byte = 0;
  const iovec local{&byte, 1};
  const iovec remote{reinterpret_cast<void*>(address), 1};
  const ssize_t got = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
  return got == 1 || (got < 0 && errno != EFAULT && errno != ENOMEM);  // forbidden in containers
}

}  // namespace

PyObject* require_readable(PyObject*, PyObject* args) {
  unsigned long long address = 0;
  unsigned long long bytes = 0;
  if (!PyArg_ParseTuple(args, "KK", &address, &bytes)) return nullptr;
  if (bytes == 0 ||
      (address + bytes > address && readable(address) && readable(address + bytes - 1))) {
    Py_RETURN_NONE;
  }
  return PyErr_Format(PyExc_ValueError, "the host cannot read %llu bytes at %p", bytes,
                      reinterpret_cast<void*>(address));
}

PyObject* make_capsule(PyObject*, PyObject* args) {
  unsigned long long address = 0;
  PyObject* shape = nullptr;
  PyObject* owner = nullptr;
  int code = 0;
  int bits = 0;
  if (!PyArg_ParseTuple(args, "KO!iiO", &address, &PyTuple_Type, &shape, &code, &bits, &owner)) {
    return nullptr;
  }
  auto* const carried = new Carried;
  for (Py_ssize_t i = 0; i < PyTuple_Size(shape); ++i) {
    carried->shape.push_back(PyLong_AsLongLong(PyTuple_GetItem(shape, i)));
  }
  if (PyErr_Occurred()) {
    delete carried;
    return nullptr;
  }
  DLTensor& tensor = carried->managed.dl_tensor;
  tensor.data = reinterpret_cast<void*>(address);
  tensor.device = {kDlpackCpu, 0};
  tensor.ndim = static_cast<std::int32_t>(carried->shape.size());
  tensor.dtype = {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(bits), 1};
  tensor.shape = carried->shape.data();
  carried->managed.manager_ctx = carried;
  carried->managed.deleter = delete_carried;
  Py_INCREF(owner);
  carried->owner = owner;
  PyObject* const capsule = PyCapsule_New(&carried->managed, kDlpackName, capsule_ends);
  if (!capsule) delete_carried(&carried->managed);
  return capsule;
}

}  // namespace pyshmem
