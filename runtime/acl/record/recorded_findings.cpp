// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/record/recorded_findings.h"

#include <fmt/format.h>

#include <string_view>

#include "runtime/acl/core/thread_state.h"
#include "runtime/order/engine/sentences.h"
#include "runtime/trace/json_text.h"

namespace acl {

using order::Finding;
using order::Rule;

order::OpInfo recorded_call() {
  const ThreadState& thread = thread_state();
  order::OpInfo call;
  call.what = thread.call;
  call.site = call_site_of(thread);
  call.thread = thread.thread_id;
  return call;
}

void RecordedFindings::memory_ended(const void* begin, std::size_t size) {
  freed_.add(reinterpret_cast<std::uintptr_t>(begin), size, recorded_call());
}

void RecordedFindings::handle_ended(const void* handle) {
  const ThreadState& thread = thread_state();
  if (*thread.call == 0) return;
  ended_.add(handle, thread.call, call_site_of(thread), thread.thread_id);
}

std::optional<Finding> RecordedFindings::memory(const void* address, const char* argument) const {
  const order::OpInfo* const by = freed_.find(reinterpret_cast<std::uintptr_t>(address));
  if (!by) return std::nullopt;
  Finding finding(Rule::dead_handle);
  finding.other = *by;
  finding.title = order::sentences::kUseAfterFreeTitle;
  finding.text = order::sentences::points_into_freed(argument);
  finding.repair = order::sentences::kUseAfterFreeRepair;
  return finding;
}

std::optional<Finding> RecordedFindings::handle(const void* handle) const {
  const std::optional<order::OpInfo> by = ended_.find(handle);
  if (!by) return std::nullopt;
  const bool again = std::string_view(thread_state().call) == by->what;
  Finding finding(Rule::dead_handle);
  finding.other = *by;
  finding.title = order::sentences::ended_title(again);
  finding.text = order::sentences::given_ended(noun_of_handle(handle));
  finding.repair = order::sentences::ended_repair(again);
  return finding;
}

Finding RecordedFindings::nothing_to_free() {
  Finding finding(Rule::dead_handle);
  finding.title = order::sentences::kInvalidFreeTitle;
  finding.text = "{it} is given an address at which no live allocation starts";
  return finding;
}

std::string found_args(const Finding& finding,
                       const std::function<std::string(std::uint64_t site)>& place) {
  std::string args;
  const auto add = [&](const char* key, std::string_view text) {
    if (text.empty()) return;
    args +=
        fmt::format(R"({}"{}":{})", args.empty() ? "" : ",", key, trace_output::json_string(text));
  };
  add("rule", order::info(finding.rule).id);
  add("found", finding.text);
  add("title", finding.title);
  add("repair", finding.repair);
  if (!finding.other) return args;
  add("other", finding.other->what);
  if (finding.other->site != 0) add("at", place(finding.other->site));
  return args;
}

}  // namespace acl
