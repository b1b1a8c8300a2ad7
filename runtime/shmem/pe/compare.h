// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

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

/// What other PEs change meanwhile. Who sees it sees what was written before it.
template <class T>
T load(const void* word) noexcept {
  return std::atomic_ref<T>(*static_cast<T*>(const_cast<void*>(word))).load();
}

}  // namespace shmem
