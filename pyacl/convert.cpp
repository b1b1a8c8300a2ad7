// SPDX-License-Identifier: Apache-2.0
#include "pyacl/convert.h"

#include <cstring>
#include <string>

namespace pyacl {
namespace {

std::string parameter_name(const Argument& at) {
  const char* begin = at.signature.parameters;
  for (int i = 0; i < at.index; ++i) {
    const char* const comma = std::strchr(begin, ',');
    if (!comma) return {};
    begin = comma + 2;
  }
  const char* const end = std::strchr(begin, ',');
  return end ? std::string(begin, end) : std::string(begin);
}

/// Returns the text of a str and releases the str; "?" for null and for other objects.
std::string text_of(PyObject* text) {
  std::string result = "?";
  PyObject* const bytes = text ? PyUnicode_AsUTF8String(text) : nullptr;
  if (bytes) result = PyBytes_AsString(bytes);
  PyErr_Clear();
  Py_XDECREF(bytes);
  Py_XDECREF(text);
  return result;
}

std::string type_name(PyObject* object) {
  PyObject* const type = reinterpret_cast<PyObject*>(Py_TYPE(object));
  return text_of(PyObject_GetAttrString(type, "__name__"));
}

/// "['location']['id']"; empty for the argument itself.
std::string path_inside(const Argument& at) {
  if (!at.outer) return {};
  const std::string before = path_inside(*at.outer);
  if (at.key) return before + "['" + at.key + "']";
  if (at.object_key) return before + "[" + text_of(PyObject_Repr(at.object_key)) + "]";
  return before + "[" + std::to_string(at.item) + "]";
}

/// "acl.rt.malloc: argument 1 (size)".
std::string place_of(const Argument& at) {
  return std::string(at.signature.name) + ": argument " + std::to_string(at.index + 1) + " (" +
         parameter_name(at) + ")" + path_inside(at);
}

bool take_index(PyObject* object, const Argument& at, PyObject*& number) {
  number = PyNumber_Index(object);
  if (number) return true;
  if (!PyErr_ExceptionMatches(PyExc_TypeError)) return false;
  PyErr_Clear();
  return raise_wrong_type(at, "int", object);
}

}  // namespace

bool raise_wrong_type(const Argument& at, const char* expected, PyObject* got) {
  const std::string type = got == Py_None ? "None" : type_name(got);
  PyErr_Format(PyExc_TypeError, "%s must be %s, not %s", place_of(at).c_str(), expected,
               type.c_str());
  return false;
}

bool raise_out_of_range(const Argument& at, const char* type) {
  PyErr_Format(PyExc_OverflowError, "%s does not fit into %s", place_of(at).c_str(), type);
  return false;
}

bool raise_wrong_value(const Argument& at, const char* complaint) {
  PyErr_Format(PyExc_ValueError, "%s %s", place_of(at).c_str(), complaint);
  return false;
}

PyObject* raise_keywords(const Signature& signature, PyObject* keywords) {
  PyObject* key = nullptr;
  Py_ssize_t position = 0;
  PyDict_Next(keywords, &position, &key, nullptr);
  Py_INCREF(key);
  PyErr_Format(PyExc_TypeError, "%s: arguments have no keywords, got '%s'; expected (%s)",
               signature.name, text_of(key).c_str(), signature.parameters);
  return nullptr;
}

PyObject* raise_wrong_count(const Signature& signature, Py_ssize_t count, int least, int most) {
  const char* const format = least == most ? "%s: expected %d arguments (%s), got %zd"
                                           : "%s: expected at least %d arguments of (%s), got %zd";
  const char* const too_many = "%s: expected at most %d arguments (%s), got %zd";
  const bool more = least != most && count > most;
  PyErr_Format(PyExc_TypeError, more ? too_many : format, signature.name, more ? most : least,
               signature.parameters, count);
  return nullptr;
}

bool take_unsigned(PyObject* object, const Argument& at, unsigned long long& value) {
  if (PyLong_Check(object)) {
    value = PyLong_AsUnsignedLongLongMask(object);
    return true;
  }
  PyObject* number = nullptr;
  if (!take_index(object, at, number)) return false;
  value = PyLong_AsUnsignedLongLongMask(number);
  Py_DECREF(number);
  return true;
}

bool take_signed(PyObject* object, const Argument& at, long long least, long long most,
                 const char* type, long long& value) {
  PyObject* number = object;
  if (PyLong_Check(object)) {
    Py_INCREF(object);
  } else if (!take_index(object, at, number)) {
    return false;
  }
  int overflow = 0;
  value = PyLong_AsLongLongAndOverflow(number, &overflow);
  Py_DECREF(number);
  if (overflow != 0 || value < least || value > most) return raise_out_of_range(at, type);
  return true;
}

bool take_double(PyObject* object, const Argument& at, double& value) {
  value = PyFloat_AsDouble(object);
  if (value != -1.0 || !PyErr_Occurred()) return true;
  const bool too_large = PyErr_ExceptionMatches(PyExc_OverflowError);
  if (!too_large && !PyErr_ExceptionMatches(PyExc_TypeError)) return false;
  PyErr_Clear();
  return too_large ? raise_out_of_range(at, "a float") : raise_wrong_type(at, "float", object);
}

bool is_text(PyObject* object) { return PyUnicode_Check(object) || PyBytes_Check(object); }

bool take_text(PyObject* object, const Argument& at, const char*& text, PyObject*& keeper) {
  if (!is_text(object)) return raise_wrong_type(at, "str", object);
  if (PyUnicode_Check(object)) {
    keeper = PyUnicode_AsUTF8String(object);
    if (!keeper) {
      PyErr_Clear();
      return raise_wrong_value(at, "is no text that UTF-8 can hold");
    }
  } else {
    Py_INCREF(object);
    keeper = object;
  }
  char* bytes = nullptr;
  Py_ssize_t size = 0;
  if (PyBytes_AsStringAndSize(keeper, &bytes, &size) != 0) return false;
  if (std::memchr(bytes, 0, static_cast<std::size_t>(size))) {
    return raise_wrong_value(at, "holds a zero byte");
  }
  text = bytes;
  return true;
}

PyObject* give_text(const char* text) {
  if (!text) Py_RETURN_NONE;
  return PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(std::strlen(text)), "replace");
}

PyObject* give_text(const char* text, std::size_t most) {
  return PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(strnlen(text, most)), "replace");
}

bool set_item(PyObject* dict, const char* key, PyObject* value) {
  if (!value) return false;
  const bool done = PyDict_SetItemString(dict, key, value) == 0;
  Py_DECREF(value);
  return done;
}

}  // namespace pyacl
