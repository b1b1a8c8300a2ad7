// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/base/error.h"

#include <array>

namespace hccl {
namespace {

constexpr std::array kTexts = {
    "no error",
    "parameter error",
    "empty pointer",
    "memory error",
    "internal error",
    "not support feature",
    "not found specific resource",
    "resource unavailable",
    "call system interface error",
    "timeout",
    "open file fail",
    "tcp connect fail",
    "roce connect fail",
    "tcp transfer fail",
    "roce transfer fail",
    "call runtime api fail",
    "call driver api fail",
    "call profiling api fail",
    "call cce api fail",
    "call network api fail",
    "try again",
    "error cqe",
    "error communicator suspending",
    "retry constraint",
    "out of memory",
};

}  // namespace

const char* text_of(HcclResult code) noexcept {
  const int number = code;
  if (number < 0 || number >= HCCL_E_RESERVED) return "unknown error";
  const auto index = static_cast<std::size_t>(number);
  return index < kTexts.size() ? kTexts[index] : "unknown err";
}

}  // namespace hccl
