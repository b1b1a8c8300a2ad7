// SPDX-License-Identifier: Apache-2.0
// Conversion of Python objects to C values and back, except templates. All functions need the GIL.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pyacl/python.h"

namespace pyacl {

/// A function, as messages name it.
struct Signature {
  const char* name;        // dotted
  const char* parameters;  // "size, policy"
};

/// One argument of a call that is being converted, or a value inside of it.
struct Argument {
  const Signature& signature;
  int index;                        // from 0
  const Argument* outer = nullptr;  // the value that contains this one; null: this is the argument
  const char* key = nullptr;        // its key in `outer`,
  PyObject* object_key = nullptr;   // or its key as an object (borrowed),
  Py_ssize_t item = 0;              // or its index

  Argument at_key(const char* name) const { return {signature, index, this, name}; }
  Argument at_key(PyObject* name) const { return {signature, index, this, nullptr, name}; }
  Argument at_item(Py_ssize_t number) const {
    return {signature, index, this, nullptr, nullptr, number};
  }
};

/// Raises TypeError with "name: argument 1 (size) must be int, not str", or, for a nested value,
/// "name: argument 2 (prop)['location']['id'] must be int, not str"; returns false.
bool raise_wrong_type(const Argument& at, const char* expected, PyObject* got);
/// Raises OverflowError for a number that does not fit; returns false.
bool raise_out_of_range(const Argument& at, const char* type);
/// Raises ValueError with "name: argument 1 (size) " and the complaint; returns false.
bool raise_wrong_value(const Argument& at, const char* complaint);
/// Raises TypeError for a number of arguments outside [least, most]; returns null.
PyObject* raise_wrong_count(const Signature& signature, Py_ssize_t count, int least, int most);
/// Raises TypeError for arguments by keyword; returns null.
PyObject* raise_keywords(const Signature& signature, PyObject* keywords);

/// Any object with __index__. Wraps around as in C: negative handles and 64-bit addresses pass.
bool take_unsigned(PyObject* object, const Argument& at, unsigned long long& value);
/// Any object with __index__ whose value is in [least, most].
bool take_signed(PyObject* object, const Argument& at, long long least, long long most,
                 const char* type, long long& value);
/// A float, or any object that converts to one, except text.
bool take_double(PyObject* object, const Argument& at, double& value);
/// A str or bytes without zero bytes. `keeper` (a new reference) owns the text.
bool take_text(PyObject* object, const Argument& at, const char*& text, PyObject*& keeper);
bool is_text(PyObject* object);

/// A str from UTF-8; invalid bytes become replacement characters. Null gives None.
PyObject* give_text(const char* text);
PyObject* give_text(const char* text, std::size_t most);

/// Sets dict[key] and takes ownership of `value`. If it is null (with an exception), returns false.
bool set_item(PyObject* dict, const char* key, PyObject* value);
/// A new list, or null; takes the items from `make(i)`.
template <class Make>
PyObject* give_list(std::size_t size, Make make) {
  PyObject* const list = PyList_New(static_cast<Py_ssize_t>(size));
  for (std::size_t i = 0; list && i < size; ++i) {
    PyObject* const item = make(i);
    if (!item) {
      Py_DECREF(list);
      return nullptr;
    }
    PyList_SetItem(list, static_cast<Py_ssize_t>(i), item);
  }
  return list;
}

}  // namespace pyacl
