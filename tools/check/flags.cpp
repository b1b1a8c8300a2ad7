// SPDX-License-Identifier: Apache-2.0
#include "tools/check/flags.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "runtime/order/engine/sentences.h"
#include "tools/trace/outcome.h"

namespace check {

using trace::kNone;
using trace::OpIndex;
using trace::OpKind;

namespace {

/// The events of the recordings that stay set, by rank and number.
std::set<std::pair<std::uint32_t, std::uint64_t>> events_that_stay_set(const trace::Trace& trace) {
  std::set<std::pair<std::uint32_t, std::uint64_t>> found;
  for (const trace::TrackIndex host : trace.hosts()) {
    const trace::Track& track = trace.tracks()[host];
    for (OpIndex op = track.begin; op < track.end; ++op) {
      if (trace[op].kind != OpKind::mark || trace.args(op).empty()) continue;
      const std::uint64_t event = trace::outcome_of(trace, op).stays_set;
      if (event != 0) found.emplace(track.rank, event);
    }
  }
  return found;
}

bool uses_event(OpKind kind) {
  return kind == OpKind::record || kind == OpKind::wait || kind == OpKind::reset;
}

}  // namespace

Flags::Flags(const trace::Trace& trace) {
  const auto events = events_that_stay_set(trace);
  if (events.empty()) return;
  std::unordered_map<std::uint32_t, std::vector<OpIndex>> uses;  // by object
  for (OpIndex op = 0; op < trace.size(); ++op) {
    if (!uses_event(trace[op].kind) || trace[op].use == kNone) continue;
    const std::uint32_t index = trace.sync(op).object;
    if (index == kNone) continue;
    const trace::Object& object = trace.objects()[index];
    if (events.contains({object.rank, object.id})) uses[index].push_back(op);
  }
  for (auto& [object, ops] : uses) {
    std::sort(ops.begin(), ops.end(),
              [&](OpIndex a, OpIndex b) { return trace.id(a) < trace.id(b); });
    follow(trace, ops);
  }
  std::sort(stale_.begin(), stale_.end(),
            [&](const Stale& a, const Stale& b) { return trace.id(a.wait) < trace.id(b.wait); });
}

/// `uses`: of one event, in the order of the calls.
void Flags::follow(const trace::Trace& trace, const std::vector<OpIndex>& uses) {
  OpIndex first = kNone;   // the record that has set the event
  OpIndex waited = kNone;  // the last wait since the reset
  bool again = false;      // a record follows that wait
  for (const OpIndex op : uses) {
    if (trace[op].kind == OpKind::reset) {
      first = waited = kNone;
      again = false;
    } else if (trace[op].kind == OpKind::record) {
      if (first == kNone) first = op;
      again = waited != kNone;
    } else {
      if (std::exchange(again, false)) stale_.push_back({op, waited});
      if (first != kNone) first_[op] = first;
      waited = op;
    }
  }
}

void Flags::tell(Findings& findings) const {
  for (const Stale& one : stale_) {
    auto* const made =
        findings.add({order::Rule::flag_not_reset, order::info(order::Rule::flag_not_reset).level,
                      one.wait, one.before});
    if (made) made->text = order::sentences::kFlagNotReset;
  }
}

}  // namespace check
