// SPDX-License-Identifier: Apache-2.0
#include "pyshmem/entry.h"

#include <cstring>
#include <string>

#include "acl/acl_base.h"
#include "acl/acl_rt.h"

namespace pyshmem {
namespace {

/// The position of a parameter's name; -1: none has it.
int position_of(const char* parameters, const char* name) {
  const std::size_t length = std::strlen(name);
  int index = 0;
  for (const char* at = parameters; *at != 0; ++index) {
    const char* const comma = std::strchr(at, ',');
    const std::size_t size = comma ? static_cast<std::size_t>(comma - at) : std::strlen(at);
    if (size == length && std::strncmp(at, name, size) == 0) return index;
    if (!comma) break;
    at = comma + 2;
  }
  return -1;
}

bool collect_keyword(const Row& row, PyObject* key, PyObject* value, PyObject** given) {
  PyObject* const text = PyUnicode_AsUTF8String(key);
  if (!text) return false;
  const std::string name = PyBytes_AsString(text);
  Py_DECREF(text);
  const int at = position_of(row.signature.parameters, name.c_str());
  if (at < 0 || given[at]) {
    PyErr_Format(PyExc_TypeError,
                 at < 0 ? "%s: there is no parameter '%s'; expected (%s)"
                        : "%s: parameter '%s' is given twice; expected (%s)",
                 row.signature.name, name.c_str(), row.signature.parameters);
    return false;
  }
  given[at] = value;
  return true;
}

}  // namespace

bool collect(const Row& row, PyObject* args, PyObject* keywords, PyObject** given, int count) {
  const Py_ssize_t size = PyTuple_Size(args);
  const Py_ssize_t named = keywords ? PyDict_Size(keywords) : 0;
  if (size + named > count) {
    return pyacl::raise_wrong_count(row.signature, size + named, row.required, count) != nullptr;
  }
  for (Py_ssize_t i = 0; i < size; ++i) given[i] = PyTuple_GetItem(args, i);
  PyObject* key = nullptr;
  PyObject* value = nullptr;
  Py_ssize_t position = 0;
  while (named != 0 && PyDict_Next(keywords, &position, &key, &value)) {
    if (!collect_keyword(row, key, value, given)) return false;
  }
  for (int i = 0; i < row.required; ++i) {
    if (!given[i]) {
      return pyacl::raise_wrong_count(row.signature, size + named, row.required, count) != nullptr;
    }
  }
  return true;
}

bool take_signed(PyObject* object, const Argument& at, long long least, long long most,
                 long long& value) {
  PyObject* const number = PyNumber_Index(object);
  int overflow = 0;
  if (number) value = PyLong_AsLongLongAndOverflow(number, &overflow);
  const bool is = number && overflow == 0 && value >= least && value <= most;
  Py_XDECREF(number);
  if (is) return true;
  PyErr_Clear();
  const std::string range = "an int from " + std::to_string(least) + " to " + std::to_string(most);
  return pyacl::raise_wrong_type(at, range.c_str(), object);
}

bool take_unsigned(PyObject* object, const Argument& at, unsigned long long most,
                   unsigned long long& value) {
  PyObject* const number = PyNumber_Index(object);
  if (number) value = PyLong_AsUnsignedLongLong(number);
  const bool is = number && !PyErr_Occurred() && value <= most;
  Py_XDECREF(number);
  if (is) return true;
  PyErr_Clear();
  const std::string range = "an int from 0 to " + std::to_string(most);
  return pyacl::raise_wrong_type(at, range.c_str(), object);
}

bool require_bytes(const Argument& at, const Buffer& buffer, std::size_t count, std::size_t width) {
  if (!buffer.sized || width == 0 || count <= buffer.bytes / width) return true;
  const std::string complaint = "has " + std::to_string(buffer.bytes) + " bytes; expected " +
                                std::to_string(count) + " times " + std::to_string(width);
  return pyacl::raise_wrong_value(at, complaint.c_str());
}

PyObject* raise_failed(const char* name) {
  const char* const all = aclGetRecentErrMsg();
  // Uses the newest line: earlier lines belong to earlier calls.
  const std::string text = all ? std::string(all, std::strcspn(all, "\n")) : std::string();
  if (!text.empty()) {
    return PyErr_Format(PyExc_RuntimeError, "%s failed: %s", name, text.c_str());
  }
  return PyErr_Format(PyExc_RuntimeError, "%s failed", name);
}

}  // namespace pyshmem
