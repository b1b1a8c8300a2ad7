// SPDX-License-Identifier: Apache-2.0
// The line of Python that makes a call, which the order checker prints in its reports.
#pragma once

namespace pyacl {

/// 1: the runtime wants the lines of calls; 0: it does not; -1: not queried yet.
extern signed char lines_wanted;

/// With the GIL: passes the current line to the runtime, if the runtime wants it.
void name_caller();

}  // namespace pyacl
