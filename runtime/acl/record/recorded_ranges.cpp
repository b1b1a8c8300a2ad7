// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/record/recorded_ranges.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "runtime/acl/record/member_text.h"
#include "runtime/acl/record/recorded_device.h"

namespace acl {

void RecordedRanges::append(std::string& out, std::span<const sim::MemoryRange> ranges) {
  for (const bool write : {false, true}) {
    segments_.clear();
    for (const sim::MemoryRange& range : ranges) {
      if (write ? range.written : range.read) buffers_.append(range.begin, range.size, segments_);
    }
    append_segments(out, write ? "wr" : "rd", segments_);
  }
}

void RecordedRanges::append_segments(std::string& out, const char* key,
                                     std::span<const RecordedBuffers::Segment> segments) {
  if (segments.empty()) return;
  print(out, R"(,"{}":)", key);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const RecordedBuffers::Segment& segment = segments[i];
    print(out, "{}[{},{},{}]", i == 0 ? '[' : ',', segment.buffer, segment.offset, segment.size);
  }
  out += ']';
}

void RecordedRanges::append_copy(std::string& out, std::span<const sim::MemoryRange> ranges,
                                 std::size_t bytes) {
  if (bytes != 0) print(out, R"(,"bytes":{})", bytes);
  bool pageable = false;
  bool written_down[] = {false, false};  // the source, the target
  // The last range that is read is the source: a reduction reads its target too.
  for (std::size_t i = ranges.size(); i-- != 0;) {
    const sim::MemoryRange& range = ranges[i];
    const auto found = runtime_.memory().find(range.begin);
    pageable = pageable || !found;
    if (std::exchange(written_down[range.written ? 1 : 0], true)) continue;
    print(out, R"(,"{}":{})", range.written ? "dst" : "src",
          recorded_device(runtime_, found ? found->device : sim::kHostDevice));
  }
  if (pageable) out += R"(,"pageable":true)";
  append(out, ranges);
}

std::uint64_t RecordedRanges::word_address(const void* address) {
  constexpr int kOffsetBits = 40;
  segments_.clear();
  buffers_.append(address, sizeof(std::uint64_t), segments_);
  return segments_.front().buffer << kOffsetBits | segments_.front().offset;
}

}  // namespace acl
