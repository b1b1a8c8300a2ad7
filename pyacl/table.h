// SPDX-License-Identifier: Apache-2.0
// One row for each function that Python programs see. The method tables, the stubs and the
// documentation page are generated from the rows, so only the rows define parameters and results.
#pragma once

#include <cstddef>
#include <string_view>

#include "pyacl/caller.h"
#include "pyacl/marshal.h"

namespace pyacl {

/// The state of the GIL during the C call.
enum class Gil {
  kept,      // the call neither waits nor runs code of the program
  released,  // it may wait, or run the program's code in this thread or another
  own,       // the function works on Python objects and releases the GIL at suitable points
};

struct Row {
  const char* name;        // "acl.rt.malloc"
  const char* parameters;  // "size, policy"
  const char* results;     // "dev_ptr, ret"; "None" for nothing
  const char* c_function;  // the C function that it calls; empty for functions of Python alone
  PyCFunctionWithKeywords function;
  const char* const* parameter_hints;
  const char* const* result_hints;
  int parameter_count;
  int optional_count;  // the last of the parameters
  int result_count;
  Gil gil;
};

struct Rows {
  const Row* first;
  std::size_t count;
  const Row* begin() const { return first; }
  const Row* end() const { return first + count; }
};
/// Every row, including functions that are absent because their C function is refused.
Rows rows();
/// False if the C function is only refused: such a function is not in any module.
bool present(const Row& row);

/// Set under a controlled schedule: entries with Gil::kept then release the GIL too, because any
/// call may run other threads, which may need the GIL. Once set it is never cleared.
extern bool always_release;

/// A watchdog for a call that may wait while CPython finalizes; null at any other time. The threads
/// that run the program's callbacks and kernels no longer run then: after a while the watchdog
/// aborts the devices' tasks, so that the call returns.
struct Rescue;
Rescue* rescue_when_finalizing();
void end_rescue(Rescue* rescue);

/// Releases the objects that the runtime returned without the GIL (interpreter.cpp).
void reap();

consteval int count_names(std::string_view list) {
  if (list.empty() || list == "None") return 0;
  int count = 1;
  for (const char c : list) count += c == ',';
  return count;
}

inline void take_gil_again(PyThreadState* state, Rescue* rescue) {
  if (rescue) end_rescue(rescue);
  PyEval_RestoreThread(state);
  reap();
}

template <Gil gil, class F, class... A>
auto without_gil(F function, A... arguments) {
  if (gil == Gil::own || (gil == Gil::kept && !always_release)) return function(arguments...);
  Rescue* const rescue = rescue_when_finalizing();
  PyThreadState* const state = PyEval_SaveThread();
  if constexpr (std::is_void_v<decltype(function(arguments...))>) {
    function(arguments...);
    take_gil_again(state, rescue);
  } else {
    const auto result = function(arguments...);
    take_gil_again(state, rescue);
    return result;
  }
}

/// The Python function for a C function of the type R(P...).
template <Gil gil, FixedText name, FixedText parameters, class R, class... P>
struct Entry {
  using Function = R (*)(P...);
  using Params = std::tuple<Param<P>...>;
  static_assert(std::is_trivially_destructible_v<Params>);

  static constexpr int kMost = (0 + ... + int{Param<P>::takes});
  static constexpr int kLeast = kMost - (0 + ... + int{Param<P>::optional});
  static constexpr bool kReturns = !std::is_void_v<R>;
  static constexpr int kResults = int{kReturns} + (0 + ... + int{Param<P>::gives});
  static_assert(count_names(parameters.text) == kMost, "a name for each parameter");

  static constexpr Signature kSignature{name.text, parameters.text};
  static constexpr auto kIndices = std::index_sequence_for<P...>{};

  /// For each C parameter, its position among the Python arguments.
  static constexpr auto kPositions = [] {
    std::array<int, sizeof...(P) + 1> positions{};
    const bool takes[] = {Param<P>::takes..., false};
    for (std::size_t i = 0; i < sizeof...(P); ++i) positions[i + 1] = positions[i] + takes[i];
    return positions;
  }();

  template <std::size_t i>
  static bool take(Params& params, PyObject* args, Py_ssize_t count) {
    if constexpr (std::tuple_element_t<i, Params>::takes) {
      constexpr int position = kPositions[i];
      if (position >= count) return true;  // an optional argument was omitted
      return std::get<i>(params).take(PyTuple_GetItem(args, position),
                                      Argument{kSignature, position});
    } else {
      return true;
    }
  }

  template <std::size_t i>
  static void give(Params& params, PyObject** results, int& at) {
    if constexpr (std::tuple_element_t<i, Params>::gives) {
      results[at++] = std::get<i>(params).give();
    }
  }

  static PyObject* bundle(PyObject* const* results) {
    PyObject* tuple = PyTuple_New(kResults);
    for (int i = 0; i < kResults; ++i) {
      if (!results[i]) {
        for (int rest = i; rest < kResults; ++rest) Py_XDECREF(results[rest]);
        Py_XDECREF(tuple);
        return nullptr;
      }
      if (tuple) {
        PyTuple_SetItem(tuple, i, results[i]);
      } else {
        Py_DECREF(results[i]);
      }
    }
    return tuple;
  }

  template <Function function, std::size_t... i>
  static PyObject* run([[maybe_unused]] PyObject* args, [[maybe_unused]] Py_ssize_t count,
                       std::index_sequence<i...>) {
    Params params{};
    PyObject* results[kResults + 1] = {};
    if ((take<i>(params, args, count) && ...)) {
      [[maybe_unused]] int at = 0;
      if constexpr (kReturns) {
        const R value = without_gil<gil>(function, std::get<i>(params).pass()...);
        (give<i>(params, results, at), ...);
        results[at] = Return<R>::give(value);
      } else {
        without_gil<gil>(function, std::get<i>(params).pass()...);
        (give<i>(params, results, at), ...);
      }
      (std::get<i>(params).close(), ...);
    } else {
      (std::get<i>(params).close(), ...);
      return nullptr;
    }
    if constexpr (gil == Gil::own) {
      if (PyErr_Occurred()) {
        for (PyObject* const result : results) Py_XDECREF(result);
        return nullptr;
      }
    }
    if constexpr (kResults == 0) {
      Py_RETURN_NONE;
    } else if constexpr (kResults == 1) {
      return results[0];
    } else {
      return bundle(results);
    }
  }

  /// The fast call convention entered the stable ABI with 3.10; it would save 3 to 5 ns a call.
  template <Function function>
  static PyObject* call(PyObject*, PyObject* args, PyObject* keywords) {
    if (keywords && PyDict_Size(keywords) != 0) [[unlikely]] {
      return raise_keywords(kSignature, keywords);
    }
    const Py_ssize_t count = PyTuple_Size(args);
    // Functions without parameters accept any arguments, because some programs pass some.
    if (kMost != 0 && (count < kLeast || count > kMost)) {
      return raise_wrong_count(kSignature, count, kLeast, kMost);
    }
    if (lines_wanted != 0) [[unlikely]]
      name_caller();
    return run<function>(args, count, kIndices);
  }

  struct Hints {
    const char* takes[kMost + 1];
    const char* gives[kResults + 1];
  };
  static constexpr Hints kHints = [] {
    Hints hints{};
    int p = 0;
    int r = 0;
    ((Param<P>::takes ? void(hints.takes[p++] = Param<P>::hint) : void()), ...);
    ((Param<P>::gives ? void(hints.gives[r++] = Param<P>::hint) : void()), ...);
    if constexpr (kReturns) hints.gives[r] = Return<R>::hint;
    return hints;
  }();
};

template <Gil gil, FixedText name, FixedText parameters, FixedText results, auto function>
struct RowOf;

template <Gil gil, FixedText name, FixedText parameters, FixedText results, class R, class... P,
          R (*function)(P...)>
struct RowOf<gil, name, parameters, results, function> {
  using E = Entry<gil, name, parameters, R, P...>;
  static_assert(count_names(results.text) == E::kResults, "a name for each result");
  static constexpr FixedText kName = name;
  static constexpr FixedText kParameters = parameters;
  static constexpr FixedText kResults = results;

  static constexpr Row make(const char* c_function) {
    return {kName.text,
            kParameters.text,
            kResults.text,
            c_function,
            &E::template call<function>,
            E::kHints.takes,
            E::kHints.gives,
            E::kMost,
            E::kMost - E::kLeast,
            E::kResults,
            gil};
  }
};

}  // namespace pyacl
