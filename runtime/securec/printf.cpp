// SPDX-License-Identifier: Apache-2.0
// Text that is printed into memory.
#include <cstdio>
#include <cwchar>

#include "securec.h"

namespace {

template <class C>
bool usable(C* dest, std::size_t most, std::size_t limit, const C* format) {
  if (dest == nullptr || most == 0 || most > limit) return false;
  dest[0] = 0;
  return format != nullptr;
}

}  // namespace

extern "C" {

int vsprintf_s(char* strDest, size_t destMax, const char* format, va_list argList) {
  if (!usable(strDest, destMax, SECUREC_STRING_MAX_LEN, format)) return -1;
  const int length = std::vsnprintf(strDest, destMax, format, argList);
  if (length >= 0 && static_cast<std::size_t>(length) < destMax) return length;
  strDest[0] = 0;
  return -1;
}

int sprintf_s(char* strDest, size_t destMax, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsprintf_s(strDest, destMax, format, arguments);
  va_end(arguments);
  return length;
}

int vsnprintf_s(char* strDest, size_t destMax, size_t count, const char* format, va_list argList) {
  if (!usable(strDest, destMax, SECUREC_STRING_MAX_LEN, format)) return -1;
  const bool cut_at_end = count == static_cast<size_t>(-1);
  if (!cut_at_end && count >= SECUREC_STRING_MAX_LEN) return -1;
  const bool cut_before = count < destMax;
  const size_t room = cut_before ? count + 1 : destMax;
  const int length = std::vsnprintf(strDest, room, format, argList);
  if (length >= 0 && static_cast<size_t>(length) < room) return length;
  if (length < 0 || !(cut_before || cut_at_end)) strDest[0] = 0;
  return -1;
}

int snprintf_s(char* strDest, size_t destMax, size_t count, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf_s(strDest, destMax, count, format, arguments);
  va_end(arguments);
  return length;
}

int vswprintf_s(wchar_t* strDest, size_t destMax, const wchar_t* format, va_list argList) {
  if (!usable(strDest, destMax, SECUREC_WCHAR_STRING_MAX_LEN, format)) return -1;
  const int length = std::vswprintf(strDest, destMax, format, argList);
  if (length < 0) strDest[0] = 0;
  return length < 0 ? -1 : length;
}

int swprintf_s(wchar_t* strDest, size_t destMax, const wchar_t* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vswprintf_s(strDest, destMax, format, arguments);
  va_end(arguments);
  return length;
}

}  // extern "C"
