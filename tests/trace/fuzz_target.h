// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fuzz {

/// Reads the bytes as any format; what is no trace must be refused by an InputError, and what is
/// one must come through the native format unchanged. Aborts where that is not so.
void read_any(const std::string& bytes);

}  // namespace fuzz
