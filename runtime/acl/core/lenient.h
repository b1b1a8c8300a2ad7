// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace acl {

/// True under ACLSIM_LENIENT: `what`, which the rules refuse but some programs do, may pass. Warns
/// on stderr once per kind.
bool lenient(const char* what) noexcept;

}  // namespace acl
