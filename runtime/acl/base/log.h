// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string_view>

#include "acl/acl_base.h"

namespace acl {

/// Writes one line when ASCEND_GLOBAL_LOG_LEVEL (0 debug, 1 info, 2 warning, 3 error, 4 none;
/// default 3) lets it through: to stdout under ASCEND_SLOG_PRINT_TO_STDOUT=1, else nowhere.
void log(aclLogLevel level, std::string_view text) noexcept;

/// Writes to stderr at every log level: for messages that a user must see.
void notice(std::string_view text) noexcept;

}  // namespace acl
