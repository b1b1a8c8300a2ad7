// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <utility>

#include "runtime/fabric/base/guard.h"
#include "shmem/host/shmem_host_def.h"

namespace shmem {

using Error = fabric::CodedError<aclshmem_error_code_t>;

template <class... Args>
[[noreturn]] void fail(aclshmem_error_code_t code, fmt::format_string<Args...> format,
                       Args&&... args) {
  throw Error(code, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace shmem
