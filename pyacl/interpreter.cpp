// SPDX-License-Identifier: Apache-2.0
#include "pyacl/interpreter.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>

#include "acl/acl_rt.h"
#include "pyacl/table.h"

namespace pyacl {

bool always_release = false;

namespace {

using namespace std::chrono_literals;

constexpr auto kLastPatience = 500ms;  // for calls that wait during finalization
constexpr auto kPatience = 200ms;      // for callbacks that still run when the interpreter ends

std::atomic<int> held{0};    // callbacks and kernels that the runtime holds
std::atomic<int> inside{0};  // threads of the runtime that run Python code or are about to
std::atomic<bool> going_away{false};
std::atomic<Closure*> given_back{nullptr};
std::atomic<bool> reap_pending{false};
std::mutex pending_mutex;  // orders Py_AddPendingCall before the end of the interpreter

int reap_when_called(void*) {
  reap();
  return 0;
}

void ask_for_reap() {
  if (reap_pending.exchange(true)) return;
  const std::lock_guard guard(pending_mutex);
  // The interpreter's queue is short; if it is full, the next blocking call reaps.
  if (going_away || Py_AddPendingCall(reap_when_called, nullptr) != 0) reap_pending = false;
}

/// Registered with atexit. From here on callbacks are dropped; running callbacks get kPatience.
PyObject* interpreter_ends(PyObject*, PyObject*) {
  PyThreadState* const state = PyEval_SaveThread();
  {
    const std::lock_guard guard(pending_mutex);
    going_away = true;
  }
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (inside != 0 && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1ms);
  PyEval_RestoreThread(state);
  reap();
  Py_RETURN_NONE;
}

/// A forked child has none of the threads that were counted.
void child_starts() {
  held = 0;
  inside = 0;
  reap_pending = false;
  new (&pending_mutex) std::mutex();
}

}  // namespace

Closure* hold(PyObject* function, PyObject* argument) {
  auto* const closure = new (std::nothrow) Closure{function, argument, nullptr};
  if (!closure) {
    PyErr_NoMemory();
    return nullptr;
  }
  Py_INCREF(function);
  Py_INCREF(argument);
  return closure;
}

void drop(Closure* closure) {
  Py_DECREF(closure->function);
  Py_DECREF(closure->argument);
  delete closure;
}

void count_held() { held.fetch_add(1); }

void give_back(void* data) {
  held.fetch_sub(1);
  auto* const closure = static_cast<Closure*>(data);
  closure->next = given_back.load(std::memory_order_relaxed);
  while (!given_back.compare_exchange_weak(closure->next, closure, std::memory_order_release,
                                           std::memory_order_relaxed)) {
  }
  ask_for_reap();
}

void reap() {
  if (!given_back.load(std::memory_order_relaxed)) return;
  reap_pending = false;
  Closure* closure = given_back.exchange(nullptr, std::memory_order_acquire);
  while (closure) {
    Closure* const next = closure->next;
    drop(closure);
    closure = next;
  }
}

bool finalizing() {
  if (!going_away) return false;
  PyObject* const function = PySys_GetObject("is_finalizing");  // borrowed; null at the very end
  PyObject* const answer = function ? PyObject_CallFunctionObjArgs(function, nullptr) : nullptr;
  const bool is = !answer || PyObject_IsTrue(answer) != 0;
  Py_XDECREF(answer);
  PyErr_Clear();
  return is;
}

struct Rescue {
  std::mutex mutex;
  std::condition_variable changed;
  bool returned = false;
  std::thread thread;

  void watch() {
    std::unique_lock lock(mutex);
    while (!changed.wait_for(lock, kLastPatience, [&] { return returned; })) {
      if (held <= 0) continue;  // the call does not wait for Python code
      std::uint32_t devices = 0;
      aclrtGetDeviceCount(&devices);
      for (std::uint32_t i = 0; i < devices; ++i) {
        aclrtDeviceTaskAbort(static_cast<std::int32_t>(i), 0);
      }
    }
  }
};

Rescue* rescue_when_finalizing() {
  if (!going_away || !finalizing()) return nullptr;
  auto* const rescue = new (std::nothrow) Rescue;
  try {
    if (rescue) rescue->thread = std::thread([rescue] { rescue->watch(); });
    return rescue;
  } catch (const std::system_error&) {  // the system provides no thread
    delete rescue;
    return nullptr;
  }
}

void end_rescue(Rescue* rescue) {
  {
    const std::lock_guard guard(rescue->mutex);
    rescue->returned = true;
  }
  rescue->changed.notify_one();
  rescue->thread.join();
  delete rescue;
}

bool enter_python() {
  inside.fetch_add(1);
  if (!going_away) return true;
  leave_python();
  return false;
}

void leave_python() { inside.fetch_sub(1); }

void stay_for_ever() {
  for (;;) pause();
}

bool watch_interpreter() {
  static bool watched = false;  // guarded by the GIL
  if (watched) return true;
  static PyMethodDef at_exit = {"acl_interpreter_ends", interpreter_ends, METH_NOARGS, nullptr};
  PyObject* const module = PyImport_ImportModule("atexit");
  if (!module) return false;
  PyObject* const function = PyCFunction_NewEx(&at_exit, nullptr, nullptr);
  PyObject* const result =
      function ? PyObject_CallMethod(module, "register", "O", function) : nullptr;
  Py_XDECREF(function);
  Py_DECREF(module);
  if (!result) return false;
  Py_DECREF(result);
  pthread_atfork(nullptr, nullptr, child_starts);
  watched = true;
  return true;
}

}  // namespace pyacl
