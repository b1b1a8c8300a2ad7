// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>

namespace sim {

/// One T per thread, made on first use and deleted when its thread ends. Unlike a thread_local
/// object the main thread's outlives static destructors, which may still call into the machine.
template <class T>
class PerThread {
 public:
  static T& get() { return mine_ ? *mine_ : make(); }
  /// Null before the first use.
  static T* get_if_made() noexcept { return mine_; }

 private:
  [[gnu::noinline]] static T& make() {
    static const pthread_key_t key = [] {
      pthread_key_t made{};
      pthread_key_create(&made, [](void* object) {
        delete static_cast<T*>(object);
        mine_ = nullptr;
      });
      return made;
    }();
    mine_ = new T;
    pthread_setspecific(key, mine_);
    return *mine_;
  }
  static constinit thread_local inline T* mine_ =
      nullptr;  // no destructor that could come too early
};

template <class T>
T& per_thread() {
  return PerThread<T>::get();
}
template <class T>
T* per_thread_if_made() noexcept {
  return PerThread<T>::get_if_made();
}

}  // namespace sim
