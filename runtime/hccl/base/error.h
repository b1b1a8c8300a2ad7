// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <utility>

#include "hccl/hccl_types.h"
#include "runtime/fabric/base/guard.h"

namespace hccl {

using Error = fabric::CodedError<HcclResult>;

template <class... Args>
[[noreturn]] void fail(HcclResult code, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(code, fmt::format(format, std::forward<Args>(args)...));
}

/// "parameter error"
const char* text_of(HcclResult code) noexcept;

}  // namespace hccl
