// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace aclnn {

/// The results of operators (aclnnStatus).
enum Status : std::int32_t {
  kSuccess = 0,
  kNullPointer = 161001,
  kInvalid = 161002,
  kRuntimeError = 361001,
  kInner = 561000,
  kTilingFailed = 561002,
  kNoKernel = 561003,
  kInnerNullPointer = 561103,
};

/// A refused call: the code, and a text that names the argument, its value and the expected values.
class Error : public std::exception {
 public:
  Error(std::int32_t code, std::string text) : code_(code), text_(std::move(text)) {}
  std::int32_t code() const noexcept { return code_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::int32_t code_;
  std::string text_;
};

template <class... Args>
[[noreturn]] void fail(std::int32_t code, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(code, fmt::format(format, std::forward<Args>(args)...));
}

/// 161002, the code of wrong types, shapes and attributes.
template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(kInvalid, fmt::format(format, std::forward<Args>(args)...));
}

template <class... Args>
void require(bool condition, fmt::format_string<Args...> format, Args&&... args) {
  if (!condition) [[unlikely]]
    refuse(format, std::forward<Args>(args)...);
}

}  // namespace aclnn
