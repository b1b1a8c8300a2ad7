// SPDX-License-Identifier: Apache-2.0
// Calls from threads of the runtime into Python, and the Python objects that the runtime holds.
#pragma once

#include <cxxabi.h>

#include "pyacl/python.h"

namespace pyacl {

/// A function and its argument, while the runtime holds them. Has one reference to each.
struct Closure {
  PyObject* function;
  PyObject* argument;
  Closure* next;
};

/// With the GIL: takes references; null with MemoryError set.
Closure* hold(PyObject* function, PyObject* argument);
/// With the GIL: releases them at once.
void drop(Closure* closure);
/// From any thread, without the GIL: releases them soon (`reap`).
void give_back(void* closure);

/// Counts one more callback or kernel that the runtime holds; give_back counts it down.
void count_held();

/// With the GIL: whether CPython is finalizing. No other thread gets the GIL then.
bool finalizing();

/// Counts a thread that is about to enter Python; false if the interpreter is ending.
bool enter_python();
void leave_python();
/// Blocks the calling thread until the process ends.
[[noreturn]] void stay_for_ever();
/// Registers the handlers of this file when the module is created: false with an exception set.
bool watch_interpreter();

/// Runs `body` with the GIL, in any thread. During finalization CPython ends a thread that requests
/// the GIL by unwinding it. That must not unwind the runtime's frames, so the thread blocks here
/// instead. From Python 3.14 on CPython does the same.
template <class Body>
void with_gil(Body body) {
  try {
    const PyGILState_STATE state = PyGILState_Ensure();
    body();
    PyGILState_Release(state);
  } catch (abi::__forced_unwind&) {
    stay_for_ever();
  }
}

/// The same for callbacks: if the interpreter is ending, runs nothing and returns false.
template <class Body>
bool call_python(Body body) {
  if (!enter_python()) return false;
  with_gil(body);
  leave_python();
  return true;
}

}  // namespace pyacl
