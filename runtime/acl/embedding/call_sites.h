// SPDX-License-Identifier: Apache-2.0
// Code addresses of calls as places in the program's source.
#pragma once

#include <span>

#include "runtime/order/report/report.h"

namespace acl::embedding {

/// Slow: reads the debugging information of the module when it is asked first.
order::Place place_of_call(const void* site);

/// See Runtime::own_site.
const void* own_site_of(std::span<const void* const> stack, const void* code);

}  // namespace acl::embedding
