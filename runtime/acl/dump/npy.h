// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "acl/acl_base.h"

namespace acl {

/// The beginning of a .npy file (version 1.0) of `size` bytes in row-major order. Types that NumPy
/// does not know, and shapes that do not fit the size, become one row of bytes.
std::string npy_header(aclDataType type, const std::vector<std::uint64_t>& shape, std::size_t size);

}  // namespace acl
