// SPDX-License-Identifier: Apache-2.0
// acl.rt.allocator_*: allocators that are written in Python and registered with streams. C receives
// one trampoline for each function and a PythonAllocator as the object. The blocks that C sees are
// PythonBlocks, because the allocator must be found from a block alone.
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "acl/acl_rt_allocator.h"
#include "pyacl/adapters.h"
#include "pyacl/interpreter.h"
#include "pyacl/table.h"

namespace pyacl {
namespace {

enum Part { kObject, kAlloc, kFree, kAdvise, kAddress, kParts };

/// The GIL guards all of this.
struct PythonAllocator {
  PyObject* parts[kParts];  // each may be null
  int users;                // one for its description, and for each stream and block
};

struct PythonBlock {
  PythonAllocator* allocator;
  PyObject* block;
};

std::map<aclrtAllocatorDesc, PythonAllocator*>& described() {
  static auto& all = *new std::map<aclrtAllocatorDesc, PythonAllocator*>;
  return all;
}

std::map<aclrtStream, PythonAllocator*>& lent() {
  static auto& all = *new std::map<aclrtStream, PythonAllocator*>;
  return all;
}

void let_go(PythonAllocator* allocator) {
  if (--allocator->users != 0) return;
  for (PyObject* const part : allocator->parts) Py_XDECREF(part);
  delete allocator;
}

template <class Map>
void forget(Map& map, typename Map::key_type key) {
  const auto it = map.find(key);
  if (it == map.end()) return;
  PythonAllocator* const allocator = it->second;
  map.erase(it);
  let_go(allocator);
}

/// Removes the registrations of streams that no longer exist.
void forget_ended_streams() {
  std::vector<aclrtStream> streams;  // a copy: releasing objects may call back and change the map
  for (const auto& [stream, allocator] : lent()) streams.push_back(stream);
  for (const aclrtStream stream : streams) {
    std::int32_t id = 0;
    if (without_gil<Gil::kept>(aclrtStreamGetId, stream, &id) != ACL_SUCCESS) {
      forget(lent(), stream);
    }
  }
}

/// Calls one part; returns null if it raised an exception, which is reported as unraisable.
PyObject* call(PythonAllocator* allocator, Part part, PyObject* first, PyObject* second = nullptr,
               PyObject* third = nullptr) {
  PyObject* const function = allocator->parts[part];
  if (!function) return nullptr;
  Py_INCREF(function);  // the program may replace it during the call
  PyObject* const result = PyObject_CallFunctionObjArgs(function, first, second, third, nullptr);
  if (!result) PyErr_WriteUnraisable(function);
  Py_DECREF(function);
  return result;
}

PythonBlock* make_block(PythonAllocator* allocator, PyObject* block) {
  if (!block) return nullptr;
  if (block == Py_None) {
    Py_DECREF(block);
    return nullptr;
  }
  ++allocator->users;
  return new PythonBlock{allocator, block};
}

void* on_alloc(aclrtAllocator object, std::size_t size) {
  auto* const allocator = static_cast<PythonAllocator*>(object);
  PythonBlock* made = nullptr;
  call_python([&] {
    ++allocator->users;  // the program may destroy it during the call
    PyObject* const number = PyLong_FromSize_t(size);
    if (number) {
      made = make_block(allocator, call(allocator, kAlloc, allocator->parts[kObject], number));
    }
    Py_XDECREF(number);
    let_go(allocator);
  });
  return made;
}

void* on_alloc_advise(aclrtAllocator object, std::size_t size, aclrtAllocatorAddr address) {
  auto* const allocator = static_cast<PythonAllocator*>(object);
  PythonBlock* made = nullptr;
  call_python([&] {
    ++allocator->users;
    PyObject* const number = PyLong_FromSize_t(size);
    PyObject* const near = PyLong_FromVoidPtr(address);
    if (number && near) {
      made =
          make_block(allocator, call(allocator, kAdvise, allocator->parts[kObject], number, near));
    }
    Py_XDECREF(near);
    Py_XDECREF(number);
    let_go(allocator);
  });
  return made;
}

void on_free(aclrtAllocator object, aclrtAllocatorBlock block) {
  auto* const allocator = static_cast<PythonAllocator*>(object);
  auto* const made = static_cast<PythonBlock*>(block);
  if (!made) return;
  call_python([&] {
    Py_XDECREF(call(allocator, kFree, allocator->parts[kObject], made->block));
    Py_DECREF(made->block);
    let_go(made->allocator);
    delete made;
  });
}

void* on_get_address(aclrtAllocatorBlock block) {
  auto* const made = static_cast<PythonBlock*>(block);
  void* address = nullptr;
  if (!made) return address;
  call_python([&] {
    PyObject* const number = call(made->allocator, kAddress, made->block);
    if (number) address = PyLong_AsVoidPtr(number);
    if (PyErr_Occurred()) PyErr_WriteUnraisable(made->allocator->parts[kAddress]);
    Py_XDECREF(number);
  });
  return address;
}

/// A copy of the allocator with one part exchanged, and no users yet.
PythonAllocator* changed(const PythonAllocator* current, Part part, PyObject* value) {
  auto* const next = new PythonAllocator{};
  for (int i = 0; i < kParts; ++i) {
    next->parts[i] = i == part ? value : current ? current->parts[i] : nullptr;
    Py_XINCREF(next->parts[i]);
  }
  return next;
}

/// `code` is the result of the C call, which fails if the description does not exist. Streams keep
/// the allocator that they were registered with.
aclError change(aclrtAllocatorDesc desc, Part part, PyObject* value, aclError code) {
  if (code != ACL_SUCCESS) return code;
  PythonAllocator*& current = described()[desc];
  PythonAllocator* const next = changed(current, part, value);
  next->users = 2;  // the description and this call
  PythonAllocator* const before = std::exchange(current, next);
  if (next->parts[kObject]) {
    code = without_gil<Gil::kept>(aclrtAllocatorSetObjToDesc, desc, next);
  }
  let_go(next);
  if (before) let_go(before);  // may run code of the program
  return code;
}

}  // namespace

aclError allocator_set_obj(aclrtAllocatorDesc desc, Object object) {
  static char placeholder;  // replaced at once if the description exists
  return change(desc, kObject, object.object,
                without_gil<Gil::kept>(aclrtAllocatorSetObjToDesc, desc, &placeholder));
}

aclError allocator_set_alloc(aclrtAllocatorDesc desc,
                             Function<"Callable[[Any, int], Any]"> function) {
  return change(desc, kAlloc, function.object,
                without_gil<Gil::kept>(aclrtAllocatorSetAllocFuncToDesc, desc, on_alloc));
}

aclError allocator_set_free(aclrtAllocatorDesc desc,
                            Function<"Callable[[Any, Any], object]"> function) {
  return change(desc, kFree, function.object,
                without_gil<Gil::kept>(aclrtAllocatorSetFreeFuncToDesc, desc, on_free));
}

aclError allocator_set_alloc_advise(aclrtAllocatorDesc desc,
                                    Function<"Callable[[Any, int, int], Any]"> function) {
  return change(
      desc, kAdvise, function.object,
      without_gil<Gil::kept>(aclrtAllocatorSetAllocAdviseFuncToDesc, desc, on_alloc_advise));
}

aclError allocator_set_get_addr(aclrtAllocatorDesc desc,
                                Function<"Callable[[Any], int]"> function) {
  return change(
      desc, kAddress, function.object,
      without_gil<Gil::kept>(aclrtAllocatorSetGetAddrFromBlockFuncToDesc, desc, on_get_address));
}

aclError allocator_register(aclrtStream stream, aclrtAllocatorDesc desc) {
  const aclError code = without_gil<Gil::kept>(aclrtAllocatorRegister, stream, desc);
  if (code != ACL_SUCCESS) return code;
  forget_ended_streams();
  forget(lent(), stream);
  const auto it = described().find(desc);
  if (it != described().end()) {
    ++it->second->users;
    lent()[stream] = it->second;
  }
  return code;
}

aclError allocator_unregister(aclrtStream stream) {
  const aclError code = without_gil<Gil::kept>(aclrtAllocatorUnregister, stream);
  if (code == ACL_SUCCESS) forget(lent(), stream);
  return code;
}

aclError allocator_destroy(aclrtAllocatorDesc desc) {
  const aclError code = without_gil<Gil::kept>(aclrtAllocatorDestroyDesc, desc);
  if (code == ACL_SUCCESS) forget(described(), desc);
  return code;
}

void forget_allocators() {
  while (!described().empty()) forget(described(), described().begin()->first);
  while (!lent().empty()) forget(lent(), lent().begin()->first);
}

}  // namespace pyacl
