// SPDX-License-Identifier: Apache-2.0
// Derives a Python function from the type of a C function: the parameters that Python passes, the
// results that it gets back, and the conversion of each. No object in here has a destructor:
// CPython may end a thread with pthread_exit when it takes the GIL again, and must not run
// clean-ups then.
#pragma once

#include <array>
#include <bit>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include "pyacl/records.h"

namespace pyacl {

template <std::size_t N>
struct FixedText {
  char text[N] = {};
  consteval FixedText(const char (&from)[N]) {
    for (std::size_t i = 0; i < N; ++i) text[i] = from[i];
  }
};

// ---- parameter types for adapters, in addition to the types of C ----

/// A Python object: borrowed as a parameter; as a result a new reference, or null with an exception
/// set. `type` is used in stubs only, and never checked.
template <FixedText type>
struct Typed {
  PyObject* object;
};
using Object = Typed<"Any">;
/// A callable object; `type` is used in stubs only.
template <FixedText type>
struct Function {
  PyObject* object;
};
struct Bytes {
  PyObject* object;
};
/// A list or tuple, as a C array that lives during the call.
template <class T>
struct List {
  T* data;
  std::size_t size;
};
/// A buffer for text that C writes.
template <std::size_t N>
struct Text {
  char text[N];
};
/// An optional argument. If it is omitted or None, `value` is zero.
template <class T>
struct Optional {
  T value;
};

template <class C>
struct Param;

struct Taken {
  static constexpr bool takes = true;
  static constexpr bool gives = false;
  static constexpr bool optional = false;
  void close() {}
};
struct Given {
  static constexpr bool takes = false;
  static constexpr bool gives = true;
  static constexpr bool optional = false;
  void close() {}
};

// ---- values that Python passes ----

template <class C>
requires std::is_integral_v<C>
struct Param<C> : Taken {
  static constexpr const char* hint = "int";
  C value{};
  bool take(PyObject* object, const Argument& at) {
    if constexpr (std::is_unsigned_v<C>) {
      unsigned long long number = 0;
      if (!take_unsigned(object, at, number)) return false;
      value = static_cast<C>(number);
    } else {
      long long number = 0;
      const char* const type = sizeof(C) == 8 ? "64 bits" : "a C int";
      if (!take_signed(object, at, std::numeric_limits<C>::min(), std::numeric_limits<C>::max(),
                       type, number)) {
        return false;
      }
      value = static_cast<C>(number);
    }
    return true;
  }
  C pass() { return value; }
};

/// Any 32-bit value, as a C caller could pass it.
template <class C>
requires std::is_enum_v<C>
struct Param<C> : Taken {
  static constexpr const char* hint = "int";
  C value{};
  bool take(PyObject* object, const Argument& at) {
    long long number = 0;
    if (!take_signed(object, at, std::numeric_limits<std::int32_t>::min(),
                     std::numeric_limits<std::uint32_t>::max(), "a C enumeration", number)) {
      return false;
    }
    value = std::bit_cast<C>(static_cast<std::uint32_t>(number));
    return true;
  }
  C pass() { return value; }
};

template <>
struct Param<float> : Taken {
  static constexpr const char* hint = "float";
  float value = 0;
  bool take(PyObject* object, const Argument& at) {
    double number = 0;
    if (!take_double(object, at, number)) return false;
    value = static_cast<float>(number);
    return true;
  }
  float pass() { return value; }
};

template <>
struct Param<const char*> : Taken {
  static constexpr const char* hint = "Union[str, bytes]";
  const char* text = nullptr;
  PyObject* keeper = nullptr;
  bool take(PyObject* object, const Argument& at) { return take_text(object, at, text, keeper); }
  const char* pass() { return text; }
  void close() { Py_XDECREF(keeper); }
};

template <>
struct Param<Optional<const char*>> : Param<const char*> {
  static constexpr bool optional = true;
  bool take(PyObject* object, const Argument& at) {
    return object == Py_None || Param<const char*>::take(object, at);
  }
  Optional<const char*> pass() { return {text}; }
};

template <class C>
struct TakenObject : Taken {
  C value{};
  C pass() { return value; }
};

template <FixedText type>
struct Param<Typed<type>> : TakenObject<Typed<type>> {
  static constexpr const char* hint = type.text;
  bool take(PyObject* object, const Argument&) {
    this->value.object = object;
    return true;
  }
};

template <FixedText type>
struct Param<Function<type>> : TakenObject<Function<type>> {
  static constexpr const char* hint = type.text;
  bool take(PyObject* object, const Argument& at) {
    if (!PyCallable_Check(object)) return raise_wrong_type(at, "callable", object);
    this->value.object = object;
    return true;
  }
};

template <FixedText type>
struct Param<Optional<Function<type>>> : TakenObject<Optional<Function<type>>> {
  static constexpr const char* hint = type.text;
  static constexpr bool optional = true;
  bool take(PyObject* object, const Argument& at) {
    if (object == Py_None) return true;
    if (!PyCallable_Check(object)) return raise_wrong_type(at, "callable or None", object);
    this->value.value.object = object;
    return true;
  }
};

template <>
struct Param<Bytes> : TakenObject<Bytes> {
  static constexpr const char* hint = "bytes";
  bool take(PyObject* object, const Argument& at) {
    if (!PyBytes_Check(object)) return raise_wrong_type(at, "bytes", object);
    value.object = object;
    return true;
  }
};

template <class T>
struct Param<List<T>> : Taken {
  static constexpr const char* hint = list_hint<T>();
  List<T> list{};
  bool take(PyObject* object, const Argument& at) {
    if (!PySequence_Check(object) || is_text(object) || PyDict_Check(object)) {
      return raise_wrong_type(at, "list", object);
    }
    const Py_ssize_t size = PySequence_Size(object);
    if (size < 0) return false;
    list.data = static_cast<T*>(PyMem_Calloc(static_cast<std::size_t>(size) + 1, sizeof(T)));
    if (!list.data) return PyErr_NoMemory() != nullptr;
    for (; list.size < static_cast<std::size_t>(size); ++list.size) {
      PyObject* const item = PySequence_GetItem(object, static_cast<Py_ssize_t>(list.size));
      if (!item) return false;
      const auto number = static_cast<Py_ssize_t>(list.size);
      const bool done = take_value(item, at.at_item(number), list.data[list.size]);
      Py_DECREF(item);
      if (!done) return false;
    }
    return true;
  }
  List<T> pass() { return list; }
  void close() { PyMem_Free(list.data); }
};

/// A structure that Python passes as a dict.
template <Record T>
struct Param<const T*> : Taken {
  static constexpr const char* hint = record_hint<T>();
  T record{};
  bool take(PyObject* object, const Argument& at) { return take_record(object, at, record); }
  const T* pass() { return &record; }
};

/// {"attrs": [{"attr": ..., "value": ...}], "numAttrs": n}; without attributes a null pointer.
template <>
struct Param<aclrtMallocConfig*> : Taken {
  static constexpr const char* hint = "Dict[str, Any]";
  Param<List<aclrtMallocAttribute>> attributes{};
  aclrtMallocConfig config{};
  bool take(PyObject* object, const Argument& at) {
    if (!PyDict_Check(object)) return raise_wrong_type(at, "dict", object);
    PyObject* const attrs = PyDict_GetItemString(object, "attrs");
    if (!attrs) return true;
    Py_INCREF(attrs);
    const bool done = attributes.take(attrs, at.at_key("attrs"));
    Py_DECREF(attrs);
    if (!done) return false;
    config.numAttrs = attributes.list.size;
    std::size_t wanted = config.numAttrs;
    if (!take_field(object, at, "numAttrs", wanted)) return false;
    if (wanted < config.numAttrs) config.numAttrs = wanted;
    return true;
  }
  aclrtMallocConfig* pass() {
    config.attrs = attributes.list.data;
    return config.numAttrs != 0 ? &config : nullptr;
  }
  void close() { attributes.close(); }
};

/// A list of attributes for a structure with an array and its length; null pointer if it is empty.
template <class Config, class Item, Item* Config::*items, std::size_t Config::*count>
struct ItemsParam : Taken {
  static constexpr const char* hint = "List[Dict[str, Any]]";
  Param<List<Item>> list{};
  Config config{};
  bool take(PyObject* object, const Argument& at) { return list.take(object, at); }
  Config* pass() {
    config.*items = list.list.data;
    config.*count = list.list.size;
    return list.list.size != 0 ? &config : nullptr;
  }
  void close() { list.close(); }
};
template <>
struct Param<aclrtBinaryLoadOptions*>
    : ItemsParam<aclrtBinaryLoadOptions, aclrtBinaryLoadOption, &aclrtBinaryLoadOptions::options,
                 &aclrtBinaryLoadOptions::numOpt> {};
template <>
struct Param<const aclrtBinaryLoadOptions*> : Param<aclrtBinaryLoadOptions*> {};
template <>
struct Param<aclrtLaunchKernelCfg*>
    : ItemsParam<aclrtLaunchKernelCfg, aclrtLaunchKernelAttr, &aclrtLaunchKernelCfg::attrs,
                 &aclrtLaunchKernelCfg::numAttrs> {};

// ---- pointers: addresses and opaque handles are passed by value; values, handles and records are
// results ----

template <class T>
concept Opaque = std::is_void_v<T> ||(std::is_class_v<T> && !requires { sizeof(T); });

template <class T>
concept Result = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_pointer_v<T> || Record<T>;

template <class T>
requires Opaque<std::remove_const_t<T>>
struct Param<T*> : Taken {
  static constexpr const char* hint = "int";
  T* value = nullptr;
  bool take(PyObject* object, const Argument& at) {
    unsigned long long number = 0;
    if (!take_unsigned(object, at, number)) return false;
    value = reinterpret_cast<T*>(static_cast<std::uintptr_t>(number));
    return true;
  }
  T* pass() { return value; }
};

template <class T>
constexpr const char* value_hint() {
  if constexpr (Record<T>) {
    return record_hint<T>();
  } else if constexpr (std::is_floating_point_v<T>) {
    return "float";
  } else {
    return "int";
  }
}

template <class T>
requires(Result<T> && !std::is_const_v<T> && !std::is_same_v<T, char>) struct Param<T*> : Given {
  static constexpr const char* hint = value_hint<T>();
  T value{};
  T* pass() { return &value; }
  PyObject* give() { return give_value(value); }
};

template <std::size_t N>
struct Param<Text<N>*> : Given {
  static constexpr const char* hint = "str";
  Text<N> value{};
  Text<N>* pass() { return &value; }
  PyObject* give() { return give_text(value.text, N); }
};

template <FixedText type>
struct Param<Typed<type>*> : Given {
  static constexpr const char* hint = type.text;
  Typed<type> value{};
  Typed<type>* pass() { return &value; }
  PyObject* give() { return value.object; }
};

// ---- return values of functions ----

template <class R>
struct Return {
  static constexpr const char* hint = value_hint<R>();
  static PyObject* give(R value) { return give_value(value); }
};
template <>
struct Return<const char*> {
  static constexpr const char* hint = "Optional[str]";
  static PyObject* give(const char* value) { return give_text(value); }
};
template <FixedText type>
struct Return<Typed<type>> {
  static constexpr const char* hint = type.text;
  static PyObject* give(Typed<type> value) { return value.object; }
};

}  // namespace pyacl
