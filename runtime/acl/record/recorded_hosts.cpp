// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/record/recorded_hosts.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/record/record_thread.h"
#include "runtime/trace/json_text.h"

namespace acl {

using sim::Nanoseconds;
using trace_output::kNotYet;

namespace {

constexpr std::uint32_t kMostThreads = 60'000;  // all later threads have the number of the last one

}  // namespace

std::uint32_t RecordedHosts::number() {
  RecordThread& recorded = record_thread();
  if (recorded.host == 0) {
    const bool fresh = threads_ < kMostThreads;
    recorded.host = fresh ? ++threads_ : threads_;
    const bool main = thread_state().thread_id == static_cast<std::uint32_t>(::getpid());
    if (fresh) {
      lines_.define(fmt::format(R"({{"def":"host","id":{},"rank":{}{}}})", threads_, rank_,
                                main ? R"(,"name":"main")" : ""));
    }
  }
  if (recorded.function != 0 && !std::exchange(recorded.function_marked, true)) {
    add_function_mark(recorded.host, "begins");
  }
  return recorded.host;
}

// ---- lines ----

std::uint64_t RecordedHosts::add(const char* op, const std::string& members, bool open) {
  RecordThread& recorded = record_thread();
  const Nanoseconds now = runtime_.driver().now_ns();
  if (const std::uint64_t before = std::exchange(recorded.open, 0)) {
    lines_.end(before, recorded.open_since, now - recorded.open_since);
  }
  ++recorded.lines;
  trace_output::OpLine line{.text = fmt::format(R"("op":"{}","h":{},"iss":{}{})", op, number(),
                                                recorded.call_time, members),
                            .late = {},
                            .site = call_site_of(thread_state()),
                            .start = now,
                            .duration = open ? kNotYet : 0,
                            .over = !open};
  const std::uint64_t added = lines_.add(std::move(line));
  if (open) {
    recorded.open = added;
    recorded.open_since = now;
  }
  return added;
}

void RecordedHosts::add_call(const char* name, Nanoseconds start, Nanoseconds end) {
  RecordThread& recorded = record_thread();
  if (const std::uint64_t open = std::exchange(recorded.open, 0)) {
    lines_.end(open, recorded.open_since, end - recorded.open_since);
  }
  if (recorded.lines != 0) return;
  recorded.lines = 1;
  lines_.add({.text = fmt::format(R"("op":"api","h":{},"n":{})", number(),
                                  trace_output::json_string(name)),
              .late = {},
              .site = call_site_of(thread_state()),
              .start = start,
              .duration = end - start,
              .over = true});
}

void RecordedHosts::add_mark(std::string_view text, const std::string& args, std::uint64_t site,
                             std::uint32_t by) {
  const Nanoseconds now = runtime_.driver().now_ns();
  lines_.add({.text = fmt::format(R"("op":"mark","h":{},"text":{},"args":{{{}}})",
                                  by != 0 ? by : number(), trace_output::json_string(text), args),
              .late = {},
              .site = site,
              .start = now,
              .duration = 0,
              .over = true});
}

// ---- accesses ----

void RecordedHosts::copied(std::span<const sim::MemoryRange> ranges) {
  std::size_t bytes = 0;
  for (const sim::MemoryRange& range : ranges) bytes += range.written ? range.size : 0;
  std::string members;
  ranges_.append_copy(members, ranges, bytes);
  add("memcpy", members + R"(,"sync":true)", true);
}

void RecordedHosts::filled(const sim::MemoryRange& range) {
  std::string members = fmt::format(R"(,"bytes":{})", range.size);
  ranges_.append(members, {&range, 1});
  add("memset", members, true);
}

void RecordedHosts::accessed(const sim::MemoryRange& range) {
  std::string members = R"(,"n":)" + trace_output::json_string(thread_state().call);
  ranges_.append(members, {&range, 1});
  add("api", members, true);
}

void RecordedHosts::touched(const sim::MemoryRange& byte, std::uint64_t site) {
  std::string members = fmt::format(R"("op":"api","h":{},"n":"the host")", number());
  ranges_.append(members, {&byte, 1});
  const Nanoseconds now = runtime_.driver().now_ns();
  lines_.add({.text = std::move(members),
              .late = {},
              .site = site,
              .start = now,
              .duration = 0,
              .over = true});
}

// ---- order ----

void RecordedHosts::function_begins(std::uint64_t number) {
  RecordThread& recorded = record_thread();
  recorded.function = number;
  recorded.function_time = runtime_.driver().now_ns();
  recorded.function_marked = false;
}

// Callbacks are served by threads of the program, which are ordered after them.
void RecordedHosts::function_ended() {
  RecordThread& recorded = record_thread();
  if (recorded.function == 0) return;
  if (recorded.function_marked) {
    add_function_mark(number(), "ends");
  } else if (!thread_state().of_crew) {
    recorded.function_marked = true;
    add_function_mark(number(), "runs");
  }
  recorded.function = 0;
}

void RecordedHosts::add_function_mark(std::uint32_t host, const char* role) {
  const RecordThread& recorded = record_thread();
  const bool ends = role == std::string_view("ends");
  lines_.add({.text = fmt::format(R"("op":"mark","h":{},"text":"function","args":{{"{}":{}}})",
                                  host, role, recorded.function),
              .late = {},
              .start = ends ? runtime_.driver().now_ns() : recorded.function_time,
              .duration = 0,
              .over = true});
}

void RecordedHosts::wait_ended(std::uint64_t number, bool reached) {
  constexpr std::string_view kSync = R"("op":"hsync")";
  const Nanoseconds now = runtime_.driver().now_ns();
  trace_output::OpLine* const line = lines_.find(number);
  const Nanoseconds start = line ? line->start : record_thread().open_since;
  if (line && !reached)
    line->text.replace(0, kSync.size(), R"("op":"hquery","saw":false,"args":{"limit":true})");
  lines_.end(number, start, now - start);
}

void RecordedHosts::released(const void* object) {
  releases_[object] = add("mark", R"(,"text":"aclsimCheckRelease")");
}

void RecordedHosts::acquired(const void* object) {
  std::string members = R"(,"text":"aclsimCheckAcquire")";
  if (const auto release = releases_.find(object); release != releases_.end()) {
    members += fmt::format(R"(,"dep":[{}])", release->second);
  }
  add("mark", members);
}

// ---- ranges and marks ----

void RecordedHosts::range_opened(const trace_output::Range& range) {
  add("rangeb", R"(,"text":)" + trace_output::json_string(range.name));
  open_ranges_[range.id] = range.name;
}

void RecordedHosts::range_closed(std::uint64_t id) {
  const auto open = open_ranges_.find(id);
  if (open == open_ranges_.end()) return;
  add("rangee", R"(,"text":)" + trace_output::json_string(open->second));
  open_ranges_.erase(open);
}

void RecordedHosts::marked(const trace_output::Range& mark) {
  add("mark", R"(,"text":)" + trace_output::json_string(mark.name));
}

}  // namespace acl
