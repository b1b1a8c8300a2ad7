// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>

namespace sim {

/// One T per thread, made on first use and deleted when its thread ends. Unlike a thread_local
/// object the main thread's outlives static destructors, which may still call into the machine.
template <class T>
T& per_thread() {
  thread_local T* mine = nullptr;  // trivial: no destructor that could come too early
  if (!mine) [[unlikely]] {
    static const pthread_key_t key = [] {
      pthread_key_t made{};
      pthread_key_create(&made, [](void* object) {
        delete static_cast<T*>(object);
        mine = nullptr;
      });
      return made;
    }();
    mine = new T;
    pthread_setspecific(key, mine);
  }
  return *mine;
}

}  // namespace sim
