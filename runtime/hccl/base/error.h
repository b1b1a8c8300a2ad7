// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <exception>
#include <string>
#include <utility>

#include "hccl/hccl_types.h"

namespace hccl {

/// A refused call: the documented code, and a text that names the argument, its value and what was
/// expected.
class Error : public std::exception {
 public:
  Error(HcclResult code, std::string text) : code_(code), text_(std::move(text)) {}
  HcclResult code() const noexcept { return code_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  HcclResult code_;
  std::string text_;
};

template <class... Args>
[[noreturn]] void fail(HcclResult code, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(code, fmt::format(format, std::forward<Args>(args)...));
}

/// "parameter error"
const char* text_of(HcclResult code) noexcept;

}  // namespace hccl
