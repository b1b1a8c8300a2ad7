// SPDX-License-Identifier: Apache-2.0
// Which line of Python calls: what the order checker names in its reports.
#pragma once

namespace pyacl {

/// 1: calls say where they come from; 0: nobody wants to know; -1: not asked yet.
extern signed char lines_wanted;

/// With the GIL: tells the runtime the line that runs now, if it wants to know.
void name_caller();

}  // namespace pyacl
