// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "bandwidth_test.h"

namespace bandwidth {

// `to` and `from` each point to one element of the type.
void store(HcclDataType type, double value, void* to);
double load(HcclDataType type, const void* from);

}  // namespace bandwidth
