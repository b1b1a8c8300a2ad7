// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ascendc {

class Run;

/// Runs the blocks of a launch in the calling thread and in those of the process's crew that are free.
void run_with_crew(Run& run);

}  // namespace ascendc
