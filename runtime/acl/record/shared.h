// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace acl {

/// A member of ops that other processes can let pass, or whose effect they can see.
inline constexpr const char* kShared = R"(,"args":{"shared":true})";

}  // namespace acl
