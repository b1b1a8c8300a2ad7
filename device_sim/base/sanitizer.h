// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>

#if defined(__SANITIZE_ADDRESS__)
#define SIM_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SIM_ADDRESS_SANITIZER 1
#endif
#endif

#if defined(__SANITIZE_THREAD__)
#define SIM_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SIM_THREAD_SANITIZER 1
#endif
#endif

#if defined(SIM_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#endif
#if defined(SIM_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

/// For a function that catches abi::__forced_unwind. When a thread is cancelled that reference is
/// null, which UndefinedBehaviorSanitizer reports, even where the function was inlined.
#if defined(SIM_ADDRESS_SANITIZER)
#define SIM_CATCHES_FORCED_UNWIND __attribute__((no_sanitize("null"), noinline))
#else
#define SIM_CATCHES_FORCED_UNWIND __attribute__((no_sanitize("null")))
#endif

namespace sim {

#if defined(SIM_ADDRESS_SANITIZER) || defined(SIM_THREAD_SANITIZER)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

// AddressSanitizer detects an overflow inside a pool only if the pool marks the ends of its
// allocations.
#if defined(SIM_ADDRESS_SANITIZER)
inline void poison(void* at, std::size_t bytes) { ASAN_POISON_MEMORY_REGION(at, bytes); }
inline void unpoison(void* at, std::size_t bytes) { ASAN_UNPOISON_MEMORY_REGION(at, bytes); }
#else
inline void poison(void*, std::size_t) {}
inline void unpoison(void*, std::size_t) {}
#endif

// For a thread that has read a word in code that ThreadSanitizer does not instrument: the accesses
// before the release of that word happen before the thread's next accesses.
#if defined(SIM_THREAD_SANITIZER)
inline void has_acquired(const void* word) { __tsan_acquire(const_cast<void*>(word)); }
#else
inline void has_acquired(const void*) {}
#endif

// Accesses to memory by devices. A program may have freed the memory by then: that is an error of
// the program, and must not be reported as one of the emulator.
#if defined(SIM_ADDRESS_SANITIZER)
__attribute__((no_sanitize("address"))) inline void device_copy(void* dst, const void* src,
                                                                std::size_t bytes) {
  auto* const to = static_cast<volatile unsigned char*>(dst);
  const auto* const from = static_cast<const volatile unsigned char*>(src);
  if (dst < src) {
    for (std::size_t i = 0; i < bytes; ++i) to[i] = from[i];
  } else {
    for (std::size_t i = bytes; i-- > 0;) to[i] = from[i];
  }
}
__attribute__((no_sanitize("address"))) inline void device_fill(void* dst, int value,
                                                                std::size_t bytes) {
  auto* const to = static_cast<volatile unsigned char*>(dst);
  for (std::size_t i = 0; i < bytes; ++i) to[i] = static_cast<unsigned char>(value);
}
#else
inline void device_copy(void* dst, const void* src, std::size_t bytes) {
  std::memmove(dst, src, bytes);
}
inline void device_fill(void* dst, int value, std::size_t bytes) { std::memset(dst, value, bytes); }
#endif

}  // namespace sim
