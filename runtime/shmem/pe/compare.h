// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device_sim/base/sanitizer.h"
#include "runtime/shmem/base/error.h"

namespace shmem {

/// Raises ACLSHMEM_INVALID_PARAM.
inline void require_comparison(int cmp) {
  if (cmp < ACLSHMEM_CMP_EQ || cmp > ACLSHMEM_CMP_LE) {
    fail(ACLSHMEM_INVALID_PARAM, "cmp is {}; expected 0 (EQ) to 5 (LE)", cmp);
  }
}

template <class T>
bool compare(T word, int cmp, T value) noexcept {
  switch (cmp) {
    case ACLSHMEM_CMP_EQ:
      return word == value;
    case ACLSHMEM_CMP_NE:
      return word != value;
    case ACLSHMEM_CMP_GT:
      return word > value;
    case ACLSHMEM_CMP_GE:
      return word >= value;
    case ACLSHMEM_CMP_LT:
      return word < value;
    default:
      return word <= value;
  }
}

// The read is hidden from ThreadSanitizer: as on hardware, a task of the device may write the word
// at the same time.
#if defined(SIM_THREAD_SANITIZER)
#define SHMEM_UNSEEN __attribute__((no_sanitize("thread"), noinline))
#else
#define SHMEM_UNSEEN
#endif
template <class T>
SHMEM_UNSEEN T load_unseen(const void* word) noexcept {
  T value;
  __atomic_load(static_cast<T*>(const_cast<void*>(word)), &value, __ATOMIC_SEQ_CST);
  return value;
}
#undef SHMEM_UNSEEN

/// Reads a word that other PEs change. A thread that reads a new value sees everything that was
/// written before it.
template <class T>
T load(const void* word) noexcept {
  const T value = load_unseen<T>(word);
  sim::has_acquired(word);
  return value;
}

}  // namespace shmem
