// SPDX-License-Identifier: Apache-2.0
// Converts a C function to a Python function with keywords. A tag beside the C type of each
// parameter describes its meaning. No type in this file has a destructor: CPython may end a thread
// with pthread_exit when it takes the GIL again.
#pragma once

#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include "pyacl/caller.h"
#include "pyshmem/buffers.h"

namespace pyshmem {

/// One function of the module. Rows live as long as the process.
struct Row {
  pyacl::Signature signature;  // its name and "dst, src, elem_size, pe"
  const char* text;            // the rest of its documentation
  PyCFunctionWithKeywords function;
  const char* const* hints;  // of the parameters
  const char* result_hint;
  void (*target)();  // the C function
  int required;      // parameters that cannot be left out
};

// --- what a parameter is ---
struct Value {};      // a number, a truth value, a text
struct Symmetric {};  // an address of this PE's heap
struct Source {};     // memory of this process, read
struct Target {};     // memory of this process, written
struct Host {};       // memory of the host
struct Needed {};     // any memory, and not null (ValueError)
struct Stream {};     // a handle; 0: the library's own
struct Whole {};      // any object, borrowed
struct Bytes {};      // the same for these, which the function looks at itself
struct Decrypts {};
struct Logs {};
template <std::size_t width>
struct Count {};  // elements of so many bytes: sources and targets must hold them

/// Arguments by position and by name, borrowed, in the order of the parameters.
bool collect(const Row& row, PyObject* args, PyObject* keywords, PyObject** given, int count);
/// An int in [least, most]. Raises TypeError.
bool take_signed(PyObject* object, const Argument& at, long long least, long long most,
                 long long& value);
bool take_unsigned(PyObject* object, const Argument& at, unsigned long long most,
                   unsigned long long& value);
bool require_bytes(const Argument& at, const Buffer& buffer, std::size_t count, std::size_t width);
/// RuntimeError "NAME failed: " followed by ACL's recent error message.
PyObject* raise_failed(const char* name);

template <class Tag, class C>
struct Param;

struct NoBuffer {
  bool prepare(const Argument&, std::size_t, std::size_t) { return true; }
  void close() {}
};

template <class C>
struct Number : NoBuffer {
  static constexpr const char* hint = std::is_same_v<C, char>       ? "str"
                                      : std::is_same_v<C, bool>     ? "bool"
                                      : std::is_floating_point_v<C> ? "float"
                                                                    : "int";
  C value{};
  bool take(PyObject* object, const Argument& at) {
    if constexpr (std::is_same_v<C, bool>) {
      value = PyObject_IsTrue(object) == 1;
      return true;
    } else if constexpr (std::is_same_v<C, char>) {
      PyObject* const text = PyUnicode_Check(object) ? PyUnicode_AsLatin1String(object) : nullptr;
      const bool one = text && PyBytes_Size(text) == 1;
      if (one) value = *PyBytes_AsString(text);
      Py_XDECREF(text);
      PyErr_Clear();
      return one || pyacl::raise_wrong_type(at, "a str of one character below 256", object);
    } else if constexpr (std::is_floating_point_v<C>) {
      double number = 0;
      if (!pyacl::take_double(object, at, number)) return false;
      value = static_cast<C>(number);
      return true;
    } else if constexpr (std::is_signed_v<C>) {
      long long number = 0;
      using Limits = std::numeric_limits<C>;
      if (!take_signed(object, at, Limits::min(), Limits::max(), number)) return false;
      value = static_cast<C>(number);
      return true;
    } else {
      unsigned long long number = 0;
      if (!take_unsigned(object, at, std::numeric_limits<C>::max(), number)) return false;
      value = static_cast<C>(number);
      return true;
    }
  }
  C pass() { return value; }
};

template <class C>
requires(std::is_arithmetic_v<C>) struct Param<Value, C> : Number<C> {
};
template <std::size_t width>
struct Param<Count<width>, std::size_t> : Number<std::size_t> {};
template <std::size_t width>
struct Param<Count<width>, std::uint32_t> : Number<std::uint32_t> {};

template <>
struct Param<Value, const char*> : NoBuffer {
  static constexpr const char* hint = "Union[str, bytes]";
  const char* text = nullptr;
  PyObject* keeper = nullptr;
  bool take(PyObject* object, const Argument& at) {
    return pyacl::take_text(object, at, text, keeper);
  }
  const char* pass() { return text; }
  void close() { Py_XDECREF(keeper); }
};

template <>
struct Param<Whole, PyObject*> : NoBuffer {
  static constexpr const char* hint = "Any";
  PyObject* object = nullptr;
  bool take(PyObject* given, const Argument&) {
    object = given;
    return true;
  }
  PyObject* pass() { return object; }
};

template <>
struct Param<Bytes, PyObject*> : Param<Whole, PyObject*> {
  static constexpr const char* hint = "bytes";
};
template <>
struct Param<Decrypts, PyObject*> : Param<Whole, PyObject*> {
  static constexpr const char* hint = "Optional[Callable[[str], str]]";
};
template <>
struct Param<Logs, PyObject*> : Param<Whole, PyObject*> {
  static constexpr const char* hint = "Optional[Callable[[int, str], Any]]";
};

template <class C>
struct Param<Stream, C> : NoBuffer {
  static constexpr const char* hint = "int";
  unsigned long long value = 0;
  bool take(PyObject* object, const Argument& at) {
    return take_unsigned(object, at, std::numeric_limits<std::uint64_t>::max(), value);
  }
  C pass() { return reinterpret_cast<C>(value); }
};

template <class Tag, class C>
struct Address : NoBuffer {
  static constexpr const char* hint = "Buffer";
  Buffer buffer;
  bool take(PyObject* object, const Argument& at) {
    if (!take_buffer(object, at, buffer)) return false;
    if (!std::is_same_v<Tag, Needed> || buffer.address) return true;
    return pyacl::raise_wrong_value(at, "is null; expected an address");
  }
  C pass() { return static_cast<C>(buffer.address); }
  void close() { Py_XDECREF(buffer.keeper); }
};
template <class C>
struct Param<Symmetric, C> : Address<Symmetric, C> {};
template <class C>
struct Param<Host, C> : Address<Host, C> {};
template <class C>
struct Param<Needed, C> : Address<Needed, C> {};

/// The local end of a transfer. Host memory is replaced by a copy in device memory.
template <bool written, class C>
struct Local {
  static constexpr const char* hint = "Buffer";
  Buffer buffer;
  void* own = nullptr;
  Staged staged;
  bool take(PyObject* object, const Argument& at) {
    if (!take_buffer(object, at, buffer)) return false;
    own = buffer.address;
    return !written || buffer.writable || pyacl::raise_wrong_value(at, "is read-only");
  }
  bool prepare(const Argument& at, std::size_t count, std::size_t width) {
    return require_bytes(at, buffer, count, width) && stage(at, buffer, staged);
  }
  C pass() { return static_cast<C>(buffer.address); }
  void close() {
    unstage(staged, written ? own : nullptr, buffer.bytes);
    Py_XDECREF(buffer.keeper);
  }
};
template <class C>
struct Param<Source, C> : Local<false, C> {};
template <class C>
struct Param<Target, C> : Local<true, C> {};

// --- results ---

/// An address; null is None, or RuntimeError.
struct OrNone {
  void* address;
};
struct OrRaise {
  void* address;
};

template <class R>
PyObject* give(const Row& row, R value) {
  if constexpr (std::is_same_v<R, char>) {
    return PyUnicode_DecodeLatin1(&value, 1, nullptr);
  } else if constexpr (std::is_same_v<R, OrNone> || std::is_same_v<R, OrRaise>) {
    if (value.address) return PyLong_FromVoidPtr(value.address);
    if (std::is_same_v<R, OrRaise>) return raise_failed(row.signature.name);
    Py_RETURN_NONE;
  } else if constexpr (std::is_pointer_v<R>) {
    return PyLong_FromVoidPtr(value);
  } else if constexpr (std::is_floating_point_v<R>) {
    return PyFloat_FromDouble(value);
  } else if constexpr (std::is_signed_v<R>) {
    return PyLong_FromLongLong(value);
  } else {
    return PyLong_FromUnsignedLongLong(value);
  }
}

template <class R>
constexpr const char* result_hint() {
  if constexpr (std::is_void_v<R>) {
    return "None";
  } else if constexpr (std::is_same_v<R, OrNone>) {
    return "Optional[int]";
  } else if constexpr (std::is_same_v<R, PyObject*>) {
    return "Any";
  } else {
    return std::is_same_v<R, char> ? "str" : std::is_floating_point_v<R> ? "float" : "int";
  }
}

template <class... Tags>
constexpr std::size_t width_of() {
  std::size_t width = 0;
  const auto look = [&]<class Tag>(Tag*) {
    if constexpr (requires { []<std::size_t w>(Count<w>*) {}(static_cast<Tag*>(nullptr)); }) {
      width = []<std::size_t w>(Count<w>*) { return w; }(static_cast<Tag*>(nullptr));
    }
  };
  (look(static_cast<Tags*>(nullptr)), ...);
  return width;
}

template <class F, class... Tags>
struct Entry;

template <class R, class... P, class... Tags>
struct Entry<R (*)(P...), Tags...> {
  static_assert(sizeof...(P) == sizeof...(Tags), "a tag for each parameter");
  using Function = R (*)(P...);
  using Params = std::tuple<Param<Tags, std::remove_const_t<P>>...>;
  static constexpr int kCount = sizeof...(P);
  static constexpr auto kIndices = std::index_sequence_for<P...>{};
  static constexpr std::size_t kWidth = width_of<Tags...>();
  static constexpr const char* kHints[kCount + 1] = {Param<Tags, std::remove_const_t<P>>::hint...,
                                                     nullptr};

  template <class Tag>
  static void note_count(std::size_t& count, auto& param) {
    if constexpr (requires { []<std::size_t w>(Count<w>*) {}(static_cast<Tag*>(nullptr)); }) {
      count = param.value;
    }
  }

  template <std::size_t... i>
  static bool prepare(const Row& row, PyObject* const* given, Params& params,
                      std::index_sequence<i...>) {
    [[maybe_unused]] const auto take = [&](auto& param, int index) {
      return !given[index] || param.take(given[index], Argument{row.signature, index});
    };
    if (!(take(std::get<i>(params), static_cast<int>(i)) && ...)) return false;
    [[maybe_unused]] std::size_t count = 0;
    (note_count<Tags>(count, std::get<i>(params)), ...);
    return (
        std::get<i>(params).prepare(Argument{row.signature, static_cast<int>(i)}, count, kWidth) &&
        ...);
  }

  template <std::size_t... i>
  static PyObject* run(const Row& row, Params& params, std::index_sequence<i...>) {
    const auto function = reinterpret_cast<Function>(row.target);
    if constexpr (std::is_same_v<R, PyObject*>) {
      return function(std::get<i>(params).pass()...);  // works on objects, with the GIL
    } else {
      PyThreadState* const state = PyEval_SaveThread();
      if constexpr (std::is_void_v<R>) {
        function(std::get<i>(params).pass()...);
        PyEval_RestoreThread(state);
        Py_RETURN_NONE;
      } else {
        const R value = function(std::get<i>(params).pass()...);
        PyEval_RestoreThread(state);
        return give<R>(row, value);
      }
    }
  }

  template <std::size_t... i>
  static void close(Params& params, std::index_sequence<i...>) {
    (std::get<i>(params).close(), ...);
  }

  static PyObject* call(PyObject* self, PyObject* args, PyObject* keywords) {
    const Row& row = *static_cast<const Row*>(PyCapsule_GetPointer(self, nullptr));
    PyObject* given[kCount + 1] = {};
    if (!collect(row, args, keywords, given, kCount)) return nullptr;
    if (pyacl::lines_wanted != 0) [[unlikely]]
      pyacl::name_caller();
    Params params{};
    PyObject* const result =
        prepare(row, given, params, kIndices) ? run(row, params, kIndices) : nullptr;
    close(params, kIndices);
    return result;
  }
};

/// `optional`: how many parameters at the end may be left out; they are zero then.
template <class... Tags, class F>
Row row(const char* name, const char* parameters, F function, const char* text, int optional = 0) {
  using E = Entry<F, Tags...>;
  using R = decltype([]<class Result, class... P>(Result (*)(P...)) -> Result* {
    return nullptr;
  }(static_cast<F>(nullptr)));
  return {{name, parameters},
          text,
          &E::call,
          E::kHints,
          result_hint<std::remove_pointer_t<R>>(),
          reinterpret_cast<void (*)()>(function),
          E::kCount - optional};
}

/// For functions that give objects.
inline Row giving(const char* type, Row row) {
  row.result_hint = type;
  return row;
}

}  // namespace pyshmem
