// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ascendc/impl/launch.h"

namespace ascendc {

/// As aclsimLaunchKernelCode; `site` is where the program called it.
std::uint32_t launch(const aclsimKernelLaunchRequest& request, void* stream, const void* site);

/// As aclsimRunKernelCode.
std::int32_t run_now(const aclsimKernelRun& run);

}  // namespace ascendc
