// SPDX-License-Identifier: Apache-2.0
#include "tools/check/needs.h"

#include <algorithm>

#include "tools/check/rendezvous.h"
#include "tools/trace/calls.h"
#include "tools/trace/outcome.h"

namespace check {

using trace::kNone;
using trace::kNoTime;
using trace::OpKind;
using trace::Provenance;
using trace::TrackKind;
using Why = Need::Why;

Needs::Needs(const trace::Trace& trace, const HostOrder& hosts, const Flags& flags,
             replay::Sends sends)
    : trace_(trace), hosts_(hosts), flags_(flags), sends_(sends) {
  find_shared();
  find_devices();
  find_values();
}

std::span<const Need> Needs::of(OpIndex op, const trace::Track& track) {
  needs_.clear();
  const trace::Op& it = trace_[op];
  if (it.use != kNone) add_partner(op, it);
  if (it.has(trace::kHasDeps)) {
    for (const trace::Edge& edge : trace_.deps(op)) {
      add({edge.from, Why::edge, edge.how, inferred(edge.how) || edge.candidates > 1});
    }
  }
  if (it.host != trace::kNoHost && hosts_.any() && track.graph == kNone) {
    const OpIndex before = hosts_.before(op);
    if (before != kNone) add({before, Why::issue});
  }
  return needs_;
}

/// The wait came to its time limit, or was dropped. The record of an event that was called for
/// before a dropped wait orders what the program called for behind the wait all the same.
bool Needs::waits_for_nothing(OpIndex op, const trace::Op& it) const {
  if (!trace::waits(it.kind) || trace_.args(op).empty()) return false;
  const trace::Outcome outcome = trace::outcome_of(trace_, op);
  if (!outcome.fails || outcome.limit) return outcome.limit;
  const OpIndex record = it.kind == OpKind::wait ? trace_.sync(op).partner : kNone;
  return record == kNone || trace_.line(record) == 0 || trace_.line(record) > trace_.line(op);
}

void Needs::add_partner(OpIndex op, const trace::Op& it) {
  if (waits_for_nothing(op, it)) return;
  const bool event = it.kind == OpKind::wait;
  if (event || it.kind == OpKind::notify_wait) {
    const trace::SyncUse& use = trace_.sync(op);
    if (use.partner == kNone) return;
    const bool guess = inferred(use.how) || use.ambiguous() || (!event && shared(use.object));
    const OpIndex record = event ? flags_.record_of(op, use.partner) : use.partner;
    add({record, event ? Why::event : Why::notify, use.how, guess});
  } else if (it.kind == OpKind::value_wait) {
    const auto found = values_.find(op);
    if (found != values_.end()) add(found->second);
  } else if (it.kind == OpKind::sync || (it.kind == OpKind::query && trace_.host(op).saw != 0)) {
    add_sync(op);
  } else if (it.kind == OpKind::recv) {
    const trace::CommUse& use = trace_.comm(op);
    if (use.partner == kNone || waits_for_receive(trace_.comm(use.partner), sends_)) return;
    add({use.partner, Why::message, use.how});
  }
}

void Needs::add_sync(OpIndex op) {
  const trace::HostUse& use = trace_.host(op);
  if (use.target != trace::Target::device) {
    if (use.partner != kNone) add({use.partner, Why::sync});
    return;
  }
  const auto found = device_syncs_.find(op);
  if (found == device_syncs_.end()) return;
  for (const OpIndex last : found->second) add({last, Why::sync});
}

/// If several tracks set a notify, the trace does not record which one let which wait pass.
void Needs::find_shared() {
  std::vector<TrackIndex> first(trace_.objects().size(), kNone);
  shared_.resize(first.size());
  for (TrackIndex l = 0; l < trace_.tracks().size(); ++l) {
    const trace::Track& track = trace_.tracks()[l];
    for (OpIndex op = track.begin; op < track.end; ++op) {
      if (trace_[op].kind != OpKind::notify || trace_[op].use == kNone) continue;
      const std::uint32_t object = trace_.sync(op).object;
      if (object == kNone) continue;
      if (first[object] == kNone) first[object] = l;
      if (first[object] != l) shared_[object] = true;
    }
  }
}

// ---- synchronises of devices ----

/// Streams to which the thread issued nothing since its last synchronise are not listed again.
void Needs::find_devices() {
  std::unordered_map<std::uint64_t, OpIndex> last;
  for (const TrackIndex host : trace_.hosts()) {
    const trace::Track& track = trace_.tracks()[host];
    last.clear();
    for (OpIndex op = track.begin; op < track.end; ++op) {
      const OpKind kind = trace_[op].kind;
      if ((kind != OpKind::sync && kind != OpKind::query) || trace_[op].use == kNone) continue;
      if (trace_.host(op).target == trace::Target::device) find_device(op, last);
    }
  }
}

void Needs::find_device(OpIndex op, std::unordered_map<std::uint64_t, OpIndex>& last) {
  std::vector<OpIndex>& found = device_syncs_[op];
  for (TrackIndex l = 0; l < trace_.tracks().size(); ++l) {
    const trace::Track& track = trace_.tracks()[l];
    const OpIndex target = trace::last_before_device_sync(trace_, op, track);
    if (target == kNone) continue;
    const auto [at, fresh] = last.try_emplace(l, target);
    if (!fresh && at->second == target) continue;
    at->second = target;
    found.push_back(target);
  }
}

// ---- values ----

namespace {

bool satisfies(const trace::ValueUse& wait, std::uint64_t value) {
  switch (wait.compare) {
    case trace::Compare::equal:
      return value == wait.value;
    case trace::Compare::greater_equal:
      return value >= wait.value;
    case trace::Compare::bits_and:
      return (value & wait.value) != 0;
    case trace::Compare::bits_nor:
      return (value | wait.value) != ~std::uint64_t{0};
  }
  return false;
}

}  // namespace

void Needs::find_values() {
  std::unordered_map<std::uint32_t, std::vector<OpIndex>> writes;  // by address, track by track
  for (OpIndex op = 0; op < trace_.size(); ++op) {
    if (trace_[op].kind == OpKind::value_write && trace_[op].use != kNone) {
      writes[trace_.value(op).object].push_back(op);
    }
  }
  for (TrackIndex l = 0; l < trace_.tracks().size(); ++l) {
    const trace::Track& track = trace_.tracks()[l];
    for (OpIndex op = track.begin; op < track.end; ++op) {
      if (trace_[op].kind != OpKind::value_wait || trace_[op].use == kNone) continue;
      find_value(op, l, writes[trace_.value(op).object]);
    }
  }
}

/// The first write that satisfies it; of equal ones the k-th wait of a track takes the k-th. With
/// writes on several tracks that is a guess.
void Needs::find_value(OpIndex op, TrackIndex track, const std::vector<OpIndex>& writes) {
  const trace::ValueUse& use = trace_.value(op);
  if (use.partner != kNone) {
    values_[op] = {use.partner, Why::value, use.how, inferred(use.how)};
    return;
  }
  if (satisfies(use, 0)) return;  // passes at once
  std::vector<OpIndex> found;
  bool several = false;
  for (const OpIndex write : writes) {
    if (!satisfies(use, trace_.value(write).value)) continue;
    const TrackIndex on = trace_.track_of(write);
    if (on == track && write > op) continue;
    several = several || (!found.empty() && trace_.track_of(found.front()) != on);
    found.push_back(write);
  }
  if (found.empty()) {
    const bool passed = trace_.start(op) != kNoTime && trace_[op].has(trace::kHasDuration);
    if (!passed) never_written_.push_back(op);
    return;
  }
  std::size_t which = 0;
  if (use.compare == trace::Compare::equal) {
    const std::uint64_t key =
        (use.value * 0x9E3779B97F4A7C15U) ^ (std::uint64_t{use.object} << 32) ^ track;
    which = std::min<std::size_t>(same_values_[key]++, found.size() - 1);
  }
  values_[op] = {found[which], Why::value, several ? Provenance::issue : Provenance::exact,
                 several};
}

}  // namespace check
