// SPDX-License-Identifier: Apache-2.0
#include "pyacl/caller.h"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "acl/acl_sim_check.h"
#include "pyacl/interpreter.h"
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

/// The line that the frame is at. The name is null if the frame has none.
struct Line {
  const char* file = nullptr;
  std::uint32_t number = 0;
};

Line line_of(PyObject* frame) {
  PyObject* const line = attribute(frame, "f_lineno");
  PyObject* const code = attribute(frame, "f_code");
  PyObject* const file = attribute(code, "co_filename");
  const Line at{kept(file), static_cast<std::uint32_t>(line ? PyLong_AsLong(line) : 0)};
  PyErr_Clear();
  Py_XDECREF(file);
  Py_XDECREF(code);
  Py_XDECREF(line);
  return at;
}

PyObject* current_frame() { return reinterpret_cast<PyObject*>(PyEval_GetFrame()); }  // borrowed

/// The folder of Python's own modules, with a slash; "" if it is not known.
const std::string& library_folder() {
  static const std::string& folder = *[] {
    auto* const found = new std::string;
    PyObject* const os = PyImport_ImportModule("os");
    PyObject* const path = attribute(os, "__file__");
    if (const char* const file = kept(path)) *found = file;
    PyErr_Clear();
    Py_XDECREF(path);
    Py_XDECREF(os);
    found->resize(found->rfind('/') + 1);
    return found;
  }();
  return folder;
}

/// Code of Python itself, or of an installed package such as numpy.
bool is_of_library(std::string_view file) {
  const auto begins = [&](std::string_view with) { return file.substr(0, with.size()) == with; };
  const auto holds = [&](std::string_view part) {
    return file.find(part) != std::string_view::npos;
  };
  const std::string& folder = library_folder();
  return begins("<frozen ") || begins("<__array_function__") || holds("/site-packages/") ||
         holds("/dist-packages/") || (!folder.empty() && begins(folder));
}

/// The line of the program: the innermost one outside of libraries, or else the innermost one.
Line line_of_program() {
  PyObject* frame = current_frame();
  Py_XINCREF(frame);
  Line innermost;
  while (frame) {
    const Line at = line_of(frame);
    if (!innermost.file) innermost = at;
    PyObject* const outer = attribute(frame, "f_back");
    Py_DECREF(frame);
    if (at.file && !is_of_library(at.file)) {
      Py_XDECREF(outer);
      return at;
    }
    frame = outer == Py_None ? nullptr : outer;
    if (!frame) Py_XDECREF(outer);
  }
  return innermost;
}

/// For the runtime: code of the calling thread has touched guarded memory. A library may
/// have released the GIL.
void name_toucher() {
  if (!PyGILState_GetThisThreadState()) return;  // no Python code is below
  call_python([] {
    PyObject* type = nullptr;
    PyObject* value = nullptr;
    PyObject* trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    const Line at = line_of_program();
    aclsimCheckSite(at.file, at.number);
    PyErr_Restore(type, value, trace);
  });
}

}  // namespace

void name_caller() {
  if (lines_wanted < 0) {
    std::int32_t on = 0;
    lines_wanted = aclsimCheckSitesAreKept(&on) == 0 && on != 0;
    if (!lines_wanted) return;
    library_folder();  // imports nothing later, in a signal handler
    aclsimCheckSiteSource(name_toucher);
  }
  const Line at = line_of(current_frame());
  aclsimCheckSite(at.file, at.number);
}

}  // namespace pyacl
