// SPDX-License-Identifier: Apache-2.0
// From threads of the runtime into Python, and what the runtime holds for Python.
#pragma once

#include <cxxabi.h>

#include "pyacl/python.h"

namespace pyacl {

/// A function and what it is called with, while the runtime holds them. One reference to each.
struct Closure {
  PyObject* function;
  PyObject* argument;
  Closure* next;
};

/// With the GIL: takes references; null with MemoryError set.
Closure* hold(PyObject* function, PyObject* argument);
/// With the GIL: gives them back at once.
void drop(Closure* closure);
/// From any thread, without the GIL: gives them back soon (`reap`).
void give_back(void* closure);

/// The runtime holds one more callback or kernel; give_back ends that.
void count_held();

/// With the GIL: whether CPython is finalizing, when no other thread gets the GIL any more.
bool finalizing();

/// Counts a thread that is about to enter Python; false once the interpreter is going away.
bool enter_python();
void leave_python();
/// Keeps the calling thread until the process ends.
[[noreturn]] void stay_for_ever();
/// Arranges all that with the module that is being made: false with an exception set.
bool watch_interpreter();

/// Runs `body` with the GIL, in any thread. CPython ends a thread that wants the GIL during
/// finalization by unwinding it, which may not pass through the runtime's frames: such a thread
/// stays here instead, as from Python 3.14 on it does anyway.
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

/// The same for callbacks: false, and nothing is run, when the interpreter is going away.
template <class Body>
bool call_python(Body body) {
  if (!enter_python()) return false;
  with_gil(body);
  leave_python();
  return true;
}

}  // namespace pyacl
