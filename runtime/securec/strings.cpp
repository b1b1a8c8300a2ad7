// SPDX-License-Identifier: Apache-2.0
// Strings: copied, joined, cut at delimiters; of char and of wchar_t alike.
#include <cstdint>
#include <cstring>
#include <cwchar>

#include "securec.h"

namespace {

constexpr std::size_t kAll = static_cast<std::size_t>(-1);

template <class C>
constexpr std::size_t kMost = SECUREC_STRING_MAX_LEN / sizeof(C);

// Never looks behind `most` characters.
template <class C>
std::size_t length_within(const C* text, std::size_t most) {
  std::size_t length = 0;
  while (length < most && text[length] != 0) ++length;
  return length;
}

template <class C>
errno_t reset(C* dest, errno_t code) {
  dest[0] = 0;
  return code;
}

template <class C>
errno_t check(C* dest, std::size_t most, const C* src) {
  if (most == 0 || most > kMost<C>) return ERANGE;
  if (dest == nullptr) return EINVAL;
  return src == nullptr ? reset(dest, EINVAL_AND_RESET) : EOK;
}

// Whether [a, a + a_size) and [b, b + b_size) share a character.
template <class C>
bool overlap(const C* a, std::size_t a_size, const C* b, std::size_t b_size) {
  const auto x = reinterpret_cast<std::uintptr_t>(a);
  const auto y = reinterpret_cast<std::uintptr_t>(b);
  return x < y ? y - x < a_size * sizeof(C) : x - y < b_size * sizeof(C);
}

// At most `count` characters of `src` to `dest + at`; `most` is the size of all of `dest`.
template <class C>
errno_t append(C* dest, std::size_t most, std::size_t at, const C* src, std::size_t count) {
  if (count != kAll && count > kMost<C>) return reset(dest, ERANGE_AND_RESET);
  const std::size_t room = most - at;
  const std::size_t wanted = length_within(src, count < room ? count : room);
  if (wanted == room) return reset(dest, ERANGE_AND_RESET);  // none is left for the end
  // The source's end was read only where the count did not stop before it.
  const std::size_t read = wanted < count ? wanted + 1 : wanted;
  if (at == 0 && dest == src) {
    dest[wanted] = 0;
    return EOK;
  }
  if (overlap(dest, at + wanted + 1, src, read)) return reset(dest, EOVERLAP_AND_RESET);
  std::memcpy(dest + at, src, wanted * sizeof(C));
  dest[at + wanted] = 0;
  return EOK;
}

template <class C>
errno_t copy(C* dest, std::size_t most, const C* src, std::size_t count) {
  const errno_t code = check(dest, most, src);
  return code != EOK ? code : append(dest, most, 0, src, count);
}

template <class C>
errno_t join(C* dest, std::size_t most, const C* src, std::size_t count) {
  const errno_t code = check(dest, most, src);
  if (code != EOK) return code;
  const std::size_t at = length_within(dest, most);
  if (at == most) return reset(dest, EINVAL_AND_RESET);
  if (dest == src) return reset(dest, EOVERLAP_AND_RESET);
  return append(dest, most, at, src, count);
}

// The count (size_t)-1 does not mean "all" here: it is refused as too large a size.
std::size_t as_size(std::size_t count) { return count == kAll ? kAll - 1 : count; }

}  // namespace

extern "C" {

errno_t strcpy_s(char* strDest, size_t destMax, const char* strSrc) {
  return copy(strDest, destMax, strSrc, kAll);
}

errno_t strncpy_s(char* strDest, size_t destMax, const char* strSrc, size_t count) {
  return copy(strDest, destMax, strSrc, as_size(count));
}

errno_t strcat_s(char* strDest, size_t destMax, const char* strSrc) {
  return join(strDest, destMax, strSrc, kAll);
}

errno_t strncat_s(char* strDest, size_t destMax, const char* strSrc, size_t count) {
  return join(strDest, destMax, strSrc, as_size(count));
}

char* strtok_s(char* strToken, const char* strDelimit, char** context) {
  if (strDelimit == nullptr || context == nullptr) return nullptr;
  if (strToken == nullptr && *context == nullptr) return nullptr;
  return strtok_r(strToken, strDelimit, context);
}

errno_t wcscpy_s(wchar_t* strDest, size_t destMax, const wchar_t* strSrc) {
  return copy(strDest, destMax, strSrc, kAll);
}

errno_t wcsncpy_s(wchar_t* strDest, size_t destMax, const wchar_t* strSrc, size_t count) {
  return copy(strDest, destMax, strSrc, as_size(count));
}

errno_t wcscat_s(wchar_t* strDest, size_t destMax, const wchar_t* strSrc) {
  return join(strDest, destMax, strSrc, kAll);
}

errno_t wcsncat_s(wchar_t* strDest, size_t destMax, const wchar_t* strSrc, size_t count) {
  return join(strDest, destMax, strSrc, as_size(count));
}

wchar_t* wcstok_s(wchar_t* strToken, const wchar_t* strDelimit, wchar_t** context) {
  if (strDelimit == nullptr || context == nullptr) return nullptr;
  if (strToken == nullptr && *context == nullptr) return nullptr;
  return std::wcstok(strToken, strDelimit, context);
}

}  // extern "C"
