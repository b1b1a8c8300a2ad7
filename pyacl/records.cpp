// SPDX-License-Identifier: Apache-2.0
#include "pyacl/records.h"

#include <algorithm>

namespace pyacl {
namespace {

/// Converts one entry of a dict. The value's __index__ may change that dict.
bool take_word(PyObject* key, PyObject* value, const Argument& at, unsigned long long& number) {
  Py_INCREF(key);
  Py_INCREF(value);
  const bool done = take_unsigned(value, at.at_key(key), number);
  Py_DECREF(value);
  Py_DECREF(key);
  return done;
}

}  // namespace

bool take_union(PyObject* object, const Argument& at, void* bytes, std::size_t size) {
  unsigned long long number = 0;
  if (!PyDict_Check(object)) {
    if (!take_unsigned(object, at, number)) return false;
    std::memcpy(bytes, &number, std::min(size, sizeof number));
    return true;
  }
  PyObject* key = nullptr;
  PyObject* value = nullptr;
  Py_ssize_t position = 0;
  if (PyDict_Size(object) == 1) {  // {"moduleId": 3}
    PyDict_Next(object, &position, &key, &value);
    const bool done = take_word(key, value, at, number);
    if (done) std::memcpy(bytes, &number, std::min(size, sizeof number));
    return done;
  }
  auto* word = static_cast<unsigned char*>(bytes);
  const unsigned char* const end = word + size;
  while (PyDict_Next(object, &position, &key, &value) && word + 4 <= end) {
    if (!take_word(key, value, at, number)) return false;
    std::memcpy(word, &number, 4);
    word += 4;
  }
  return true;
}

}  // namespace pyacl
