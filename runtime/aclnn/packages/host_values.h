// SPDX-License-Identifier: Apache-2.0
// Operands whose values the program passes on the host: scalars and arrays.
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/aclnn/base/objects.h"

namespace aclnn::packages {

/// Appends a scalar as an element of the type; rounds and wraps around as conversions in C do.
/// False for types that scalars do not become.
bool append(const aclScalar& scalar, aclDataType type, std::vector<std::byte>& to);

/// The same for the elements of arrays.
bool append(const std::vector<std::int64_t>& values, aclDataType type, std::vector<std::byte>& to);
bool append(const std::vector<float>& values, aclDataType type, std::vector<std::byte>& to);
bool append(const std::vector<char>& values, aclDataType type, std::vector<std::byte>& to);

}  // namespace aclnn::packages
