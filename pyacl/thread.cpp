// SPDX-License-Identifier: Apache-2.0
// acl.util.start_thread and stop_thread.
#include <pthread.h>

#include <ctime>
#include <mutex>
#include <new>
#include <semaphore>
#include <set>

#include "pyacl/adapters.h"
#include "pyacl/interpreter.h"
#include "pyacl/table.h"

namespace pyacl {
namespace {

/// The threads that were started and not stopped. Never destroyed: threads may outlive main.
struct Threads {
  std::mutex mutex;
  std::set<pthread_t> ids;
};

Threads& threads() {
  static Threads* const all = [] {
    static Threads* made = new Threads;
    // A forked child has none of these threads.
    pthread_atfork(nullptr, nullptr, [] { new (made) Threads; });
    return made;
  }();
  return *all;
}

struct Start {
  Closure* closure;
  std::binary_semaphore running{0};
};

aclError join(pthread_t thread) {
  return pthread_join(thread, nullptr) == 0 ? ACL_SUCCESS : ACL_ERROR_INTERNAL_ERROR;
}

/// While CPython finalizes, a thread that requests the GIL ends or blocks: in both cases it runs no
/// more code of the program.
aclError leave(pthread_t thread) {
  timespec end{};
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_nsec += 200'000'000;
  end.tv_sec += end.tv_nsec / 1'000'000'000;
  end.tv_nsec %= 1'000'000'000;
  if (pthread_timedjoin_np(thread, nullptr, &end) != 0) pthread_detach(thread);
  return ACL_SUCCESS;
}

void* run_thread(void* argument) {
  auto* const start = static_cast<Start*>(argument);
  with_gil([&] {
    Closure* const closure = start->closure;
    start->running.release();  // `start` is destroyed after this
    PyObject* const result =
        PyObject_CallFunctionObjArgs(closure->function, closure->argument, nullptr);
    if (result) {
      Py_DECREF(result);
    } else {
      PyErr_WriteUnraisable(closure->function);
    }
    drop(closure);
  });
  return nullptr;
}

}  // namespace

aclError start_thread(Function<"Callable[[Any], object]"> function, Object arguments,
                      std::uint64_t* id) {
  if (finalizing()) return ACL_ERROR_INTERNAL_ERROR;  // the thread would never get the GIL
  Start start{hold(function.object, arguments.object)};
  if (!start.closure) return ACL_ERROR_INTERNAL_ERROR;
  pthread_t thread{};
  if (pthread_create(&thread, nullptr, run_thread, &start) != 0) {
    drop(start.closure);
    return ACL_ERROR_RT_RESOURCE_ALLOC_FAIL;
  }
  // Waits until the thread has the GIL, because an interpreter that ends earlier ignores the
  // thread.
  without_gil<Gil::released>([&] { start.running.acquire(); });
  const std::lock_guard guard(threads().mutex);
  threads().ids.insert(thread);
  *id = static_cast<std::uint64_t>(thread);
  return ACL_SUCCESS;
}

aclError stop_thread(std::uint64_t id) {
  const auto thread = static_cast<pthread_t>(id);
  {
    const std::lock_guard guard(threads().mutex);
    if (pthread_equal(thread, pthread_self()) != 0 || threads().ids.erase(thread) == 0) {
      return ACL_ERROR_INVALID_PARAM;
    }
  }
  const bool late = finalizing();
  return without_gil<Gil::released>([&] { return late ? leave(thread) : join(thread); });
}

}  // namespace pyacl
