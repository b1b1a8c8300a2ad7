// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <exception>
#include <string>
#include <utility>

#include "shmem/host/shmem_host_def.h"

namespace shmem {

/// A refused call: the documented code, and a text that names the argument, its value and what was
/// expected.
class Error : public std::exception {
 public:
  Error(aclshmem_error_code_t code, std::string text) : code_(code), text_(std::move(text)) {}
  aclshmem_error_code_t code() const noexcept { return code_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  aclshmem_error_code_t code_;
  std::string text_;
};

template <class... Args>
[[noreturn]] void fail(aclshmem_error_code_t code, fmt::format_string<Args...> format,
                       Args&&... args) {
  throw Error(code, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace shmem
