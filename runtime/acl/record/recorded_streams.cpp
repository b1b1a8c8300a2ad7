// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/record/recorded_streams.h"

#include <fmt/format.h>

#include <utility>

#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/record/record_thread.h"
#include "runtime/acl/record/recorded_device.h"

namespace acl {

RecordedStreams::Track& RecordedStreams::track(const sim::Stream& stream, bool is_default) {
  const auto [at, added] = tracks_.try_emplace(stream.id());
  if (added) {
    std::string line = fmt::format(R"({{"def":"stream","id":{},"dev":{})", stream.id(),
                                   recorded_device(runtime_, stream.device()));
    if (stream.priority() != 0) line += fmt::format(R"(,"prio":{})", stream.priority());
    if (is_default) line += R"(,"name":"default")";
    lines_.define(line + "}");
  }
  return at->second;
}

std::uint64_t RecordedStreams::add(const sim::Stream& stream, std::string_view op,
                                   std::string_view members, bool over) {
  RecordThread& recorded = record_thread();
  ++recorded.lines;
  Track& at = track(stream);
  trace_output::OpLine line{
      .text = fmt::format(R"("op":"{}","st":{},"h":{},"iss":{}{})", op, stream.id(),
                          hosts_.number(), recorded.call_time, members),
      .late = {},
      .site = call_site_of(thread_state()),
      .duration = over ? 0 : trace_output::kNotYet,
      .over = over};
  return at.last = lines_.add(std::move(line));
}

RecordedStreams::Queue* RecordedStreams::find_queue(const sim::Stream& stream) {
  const auto found = queues_.find(&stream);
  return found == queues_.end() ? nullptr : &found->second;
}

}  // namespace acl
