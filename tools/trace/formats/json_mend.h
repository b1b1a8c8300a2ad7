// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/trace/files/input_file.h"

namespace trace {

/// A copy without two things that profilers write and JSON does not have: `nan` and `inf` as C
/// prints them, which become NaN and Inf, and single halves of UTF-16 pairs (`\ud800`), which
/// become `\ufffd`. Empty if the text has neither.
Text mend_json(const Text& text);

}  // namespace trace
