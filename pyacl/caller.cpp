// SPDX-License-Identifier: Apache-2.0
#include "pyacl/caller.h"

#include <cstdint>
#include <set>
#include <string>

#include "acl/acl_sim_check.h"
#include "pyacl/python.h"

namespace pyacl {

signed char lines_wanted = -1;

namespace {

/// A new reference to the attribute, or null without an exception.
PyObject* attribute(PyObject* object, const char* name) {
  PyObject* const found = object ? PyObject_GetAttrString(object, name) : nullptr;
  if (!found) PyErr_Clear();
  return found;
}

/// The text at an address that stays valid until the process ends.
const char* kept(PyObject* text) {
  static auto& names =
      *new std::set<std::string>;  // guarded by the GIL; used by threads after exit
  PyObject* const bytes = text ? PyUnicode_AsUTF8String(text) : nullptr;
  if (!bytes) {
    PyErr_Clear();
    return nullptr;
  }
  const char* const name = names.insert(PyBytes_AsString(bytes)).first->c_str();
  Py_DECREF(bytes);
  return name;
}

}  // namespace

void name_caller() {
  if (lines_wanted < 0) {
    std::int32_t on = 0;
    lines_wanted = aclsimCheckSitesAreKept(&on) == 0 && on != 0;
    if (!lines_wanted) return;
  }
  PyObject* const frame = reinterpret_cast<PyObject*>(PyEval_GetFrame());  // borrowed
  PyObject* const line = attribute(frame, "f_lineno");
  PyObject* const code = attribute(frame, "f_code");
  PyObject* const file = attribute(code, "co_filename");
  const char* const name = kept(file);
  const long number = line ? PyLong_AsLong(line) : 0;
  PyErr_Clear();
  aclsimCheckSite(name, static_cast<std::uint32_t>(number));
  Py_XDECREF(file);
  Py_XDECREF(code);
  Py_XDECREF(line);
}

}  // namespace pyacl
