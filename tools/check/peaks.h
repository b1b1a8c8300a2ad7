// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "runtime/order/report/peaks.h"
#include "tools/trace/trace.h"

namespace check {

/// The most objects that a device had at a time, as a recording has them at its end.
struct RecordedPeaks {
  std::string name;  // "peak of device 0", with the rank if there are several
  order::DevicePeaks peaks;
};
std::vector<RecordedPeaks> peaks_of(const trace::Trace& trace);

}  // namespace check
