// SPDX-License-Identifier: Apache-2.0
// The most objects that a device had at a time, and its limits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace order {

/// Captured graphs of one place, and the streams that they hold.
struct GraphsAt {
  std::string place;  // "capture.cpp:40"; "": not known
  std::uint64_t graphs = 0;
  std::uint64_t streams = 0;
};

struct Peak {
  std::uint64_t most = 0;
  std::uint64_t limit = 0;
};

struct DevicePeaks {
  std::int32_t device = 0;
  Peak streams, events, notifies, bytes;
  std::vector<GraphsAt> graphs;  // when there were the most streams
};

/// "1,984".
std::string grouped(std::uint64_t number);
/// "1,982 of them held by 31 captured graphs (capture.cpp:40)"; empty if graphs hold no stream.
std::string held_by_graphs(std::vector<GraphsAt> graphs);
/// "1,984 of 1,984 streams, 1,982 of them held by ...; 2 of 65,536 events; ...".
std::string to_text(const DevicePeaks& peaks);
/// Whether a tenth of a limit or less is left.
bool is_near_limit(const DevicePeaks& peaks);
/// "peak of device 0", the name of the fact in a report.
std::string name_of_fact(const DevicePeaks& peaks);

}  // namespace order
