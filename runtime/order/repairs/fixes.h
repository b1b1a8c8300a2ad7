// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/order/report/report.h"

namespace order {

/// Sets `fixes` of each finding whose repair can be written as code. Reads the files of its places;
/// a finding whose lines cannot be read, or do not name what the code needs, has none. Each repair
/// is one of its own: it does not expect that the others are made.
void add_fixes(Report& report);
Report with_fixes(Report report);

}  // namespace order
