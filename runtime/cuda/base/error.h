// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <exception>
#include <string>
#include <utility>

#include "cuda/cuda_multicast.h"

namespace cuda {

/// A refused call: the code, and a text that names the argument, its value and the expected values.
class Error : public std::exception {
 public:
  Error(CUresult code, std::string text) : code_(code), text_(std::move(text)) {}
  CUresult code() const noexcept { return code_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  CUresult code_;
  std::string text_;
};

template <class... Args>
[[noreturn]] void fail(CUresult code, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(code, fmt::format(format, std::forward<Args>(args)...));
}

/// CUDA_ERROR_INVALID_VALUE, the code of most mistakes.
template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(CUDA_ERROR_INVALID_VALUE, fmt::format(format, std::forward<Args>(args)...));
}

/// "CUDA_ERROR_INVALID_VALUE" and "invalid argument"; null for numbers that are no code.
const char* name_of(CUresult code) noexcept;
const char* text_of(CUresult code) noexcept;

}  // namespace cuda
