// SPDX-License-Identifier: Apache-2.0
// Memory: copied, moved, filled.
#include <cstdint>
#include <cstring>

#include "securec.h"

namespace {

bool overlap(const void* a, const void* b, std::size_t bytes) {
  const auto x = reinterpret_cast<std::uintptr_t>(a);
  const auto y = reinterpret_cast<std::uintptr_t>(b);
  return x < y ? y - x < bytes : x - y < bytes;
}

errno_t reset(void* dest, std::size_t bytes, errno_t code) {
  std::memset(dest, 0, bytes);
  return code;
}

// Sizes are numbers of elements of `width` bytes.
errno_t move(void* dest, std::size_t most, const void* src, std::size_t count, std::size_t width,
             bool may_overlap) {
  if (most == 0 || most > SECUREC_MEM_MAX_LEN / width) return ERANGE;
  if (dest == nullptr) return EINVAL;
  if (src == nullptr) return reset(dest, most * width, EINVAL_AND_RESET);
  if (count > most) return reset(dest, most * width, ERANGE_AND_RESET);
  if (count == 0 || dest == src) return EOK;
  if (!may_overlap && overlap(dest, src, count * width)) {
    return reset(dest, most * width, EOVERLAP_AND_RESET);
  }
  std::memmove(dest, src, count * width);
  return EOK;
}

}  // namespace

extern "C" {

errno_t memcpy_s(void* dest, size_t destMax, const void* src, size_t count) {
  return move(dest, destMax, src, count, 1, false);
}

errno_t memmove_s(void* dest, size_t destMax, const void* src, size_t count) {
  return move(dest, destMax, src, count, 1, true);
}

errno_t wmemcpy_s(wchar_t* dest, size_t destMax, const wchar_t* src, size_t count) {
  return move(dest, destMax, src, count, sizeof(wchar_t), false);
}

errno_t wmemmove_s(wchar_t* dest, size_t destMax, const wchar_t* src, size_t count) {
  return move(dest, destMax, src, count, sizeof(wchar_t), true);
}

errno_t memset_s(void* dest, size_t destMax, int c, size_t count) {
  if (destMax == 0 || destMax > SECUREC_MEM_MAX_LEN) return ERANGE;
  if (dest == nullptr) return EINVAL;
  std::memset(dest, c, count > destMax ? destMax : count);
  return count > destMax ? ERANGE_AND_RESET : EOK;
}

}  // extern "C"
