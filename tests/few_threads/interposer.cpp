// SPDX-License-Identifier: Apache-2.0
// Stands before the pthread_create of the C library, as the limits of a system do.
#include "tests/few_threads/interposer.h"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

namespace {

std::atomic<int>& left() {
  static std::atomic<int> count{[] {
    const char* const text = std::getenv("THREADS_LEFT");
    return text ? std::atoi(text) : -1;
  }()};
  return count;
}

}  // namespace

void allow_threads(int count) { left() = count; }

extern "C" __attribute__((visibility("default"))) int pthread_create(
    pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
    void* argument) noexcept {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto real = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  for (int count = left(); count >= 0;) {
    if (count == 0) return EAGAIN;
    if (left().compare_exchange_weak(count, count - 1)) break;
  }
  return real(thread, attributes, body, argument);
}
