// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace trace {

/// Whether brackets or a text of JSON are open at the end, as after a full disk or a killed writer.
bool cut_off(std::string_view json);

}  // namespace trace
