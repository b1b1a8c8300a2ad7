// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

#include "tools/replay/engine/cost.h"
#include "tools/replay/engine/execution.h"

namespace replay {

/// The run as a Chrome/Perfetto timeline, in the layout of the vendor's profiler so that its viewer
/// takes it too: a process for each device with a row for each stream, host threads, links, arrows
/// from records to waits, counters. `put` is called with parts of the text.
void write_chrome(const trace::Trace& trace, const Execution& run, const Cost& cost,
                  const std::function<void(std::string_view)>& put);

}  // namespace replay
