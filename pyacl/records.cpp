// SPDX-License-Identifier: Apache-2.0
#include "pyacl/records.h"

#include <algorithm>

namespace pyacl {

bool take_union(PyObject* object, const Argument& at, void* bytes, std::size_t size) {
  unsigned long long number = 0;
  if (!PyDict_Check(object)) {
    if (!take_unsigned(object, at, number)) return false;
    std::memcpy(bytes, &number, std::min(size, sizeof number));
    return true;
  }
  PyObject* value = nullptr;
  Py_ssize_t position = 0;
  if (PyDict_Size(object) == 1) {  // {"moduleId": 3}
    PyDict_Next(object, &position, nullptr, &value);
    Py_INCREF(value);  // its __index__ may change the dict
    const bool done = take_unsigned(value, at, number);
    Py_DECREF(value);
    if (done) std::memcpy(bytes, &number, std::min(size, sizeof number));
    return done;
  }
  auto* word = static_cast<unsigned char*>(bytes);
  const unsigned char* const end = word + size;
  while (PyDict_Next(object, &position, nullptr, &value) && word + 4 <= end) {
    Py_INCREF(value);
    const bool done = take_unsigned(value, at, number);
    Py_DECREF(value);
    if (!done) return false;
    std::memcpy(word, &number, 4);
    word += 4;
  }
  return true;
}

}  // namespace pyacl
