// SPDX-License-Identifier: Apache-2.0
#include "tools/check/host_order.h"

#include <algorithm>
#include <utility>

#include "tools/trace/calls.h"

namespace check {

using trace::kNone;
using trace::OpKind;
using trace::TrackKind;

namespace {

/// Whether later calls of the thread are ordered after this op or after an op that it waits for.
bool matters(const trace::Trace& trace, const Functions& functions, const trace::Track& track,
             OpIndex op) {
  const trace::Op& it = trace[op];
  switch (it.kind) {
    case OpKind::sync:
      return it.use != kNone;
    case OpKind::query:
      return it.use != kNone && trace.host(op).saw != 0;
    case OpKind::copy:
      return it.has(trace::kBlocks);
    case OpKind::mark:
      return functions.is_mark(op) || it.has(trace::kHasDeps);
    default:
      return track.kind == TrackKind::host &&
             (it.has(trace::kHasRanges) || it.kind == OpKind::alloc || it.kind == OpKind::free);
  }
}

/// The mark of a function has no call of its own. Its time is the one at which the thread came to
/// it. Other marks belong to a call that has lines of its own, before or after them.
trace::Nanoseconds time_of_call(const trace::Trace& trace, const Functions& functions, OpIndex op) {
  return functions.is_mark(op) ? trace.start(op) : trace::called(trace, op);
}

}  // namespace

HostOrder::HostOrder(const trace::Trace& trace, const Functions& functions)
    : trace_(trace),
      functions_(functions),
      hosts_(trace.hosts().size()),
      threads_(trace.ranks().size()) {
  std::vector<bool> calls(hosts_.size());
  for (std::size_t h = 0; h < hosts_.size(); ++h) {
    hosts_[h].rank = trace.tracks()[trace.hosts()[h]].rank;
  }
  for (OpIndex op = 0; op < trace.size() && !hosts_.empty(); ++op) {
    const std::uint16_t host = trace[op].host;
    if (host == trace::kNoHost) continue;
    calls[host] = true;
    if (time_of_call(trace, functions_, op) != trace::kNoTime) hosts_[host].timed = true;
  }
  for (std::size_t h = 0; h < calls.size(); ++h) threads_[hosts_[h].rank] += calls[h];
  for (const trace::Track& track : trace.tracks()) {
    if (track.graph != kNone || hosts_.empty()) continue;
    for (OpIndex op = track.begin; op < track.end; ++op) {
      if (trace[op].host == trace::kNoHost || !matters(trace, functions, track, op)) {
        continue;
      }
      Host& host = hosts_[trace[op].host];
      Moment at;
      if (moment(host, op, at)) host.calls.push_back({at, op});
    }
  }
  for (const trace::Track& track : trace.tracks()) {
    if (track.kind == TrackKind::stream && !hosts_.empty()) add_functions(track);
  }
  for (Host& host : hosts_) {
    std::sort(host.calls.begin(), host.calls.end(),
              [](const Call& a, const Call& b) { return a.at < b.at; });
    any_ = any_ || !host.calls.empty();
  }
}

/// A function that the runtime runs by itself may let the program know how far the stream is.
void HostOrder::add_functions(const trace::Track& track) {
  Host made{track.rank, true, {}};
  for (OpIndex op = track.begin; op < track.end; ++op) {
    if (!runs_by_itself(trace_, op) || trace_.start(op) == trace::kNoTime) continue;
    made.calls.push_back({{trace_.start(op), trace_.id(op)}, op});
  }
  if (made.calls.empty()) return;
  ++threads_[track.rank];
  hosts_.push_back(std::move(made));
}

OpIndex HostOrder::caller(OpIndex op) const {
  if (trace_[op].host != trace::kNoHost) return op;
  const OpIndex begin = trace_.tracks()[trace_.track_of(op)].begin;
  for (OpIndex at = op + 1; at-- > begin;) {
    for (const trace::Edge& edge : trace_.deps(at)) {
      if (trace_[edge.from].host != trace::kNoHost) return edge.from;
    }
  }
  return op;
}

/// False if the trace does not record the time of the call.
bool HostOrder::moment(const Host& host, OpIndex op, Moment& at) const {
  const trace::Nanoseconds called = host.timed ? time_of_call(trace_, functions_, op) : 0;
  at = {called, trace_.id(op)};
  return called != trace::kNoTime;
}

OpIndex HostOrder::last_before(const Host& host, const Moment& at) const {
  const auto after =
      std::lower_bound(host.calls.begin(), host.calls.end(), at,
                       [](const Call& call, const Moment& m) { return call.at < m; });
  return after == host.calls.begin() ? kNone : std::prev(after)->op;
}

OpIndex HostOrder::before(OpIndex op) const {
  const std::uint16_t index = trace_[op].host;
  if (index == trace::kNoHost || hosts_[index].calls.empty()) return kNone;
  Moment at;
  return moment(hosts_[index], op, at) ? last_before(hosts_[index], at) : kNone;
}

std::vector<OpIndex> HostOrder::before_on_others(OpIndex op) const {
  std::vector<OpIndex> found;
  op = caller(op);
  const std::uint16_t index = trace_[op].host;
  Moment at;
  if (index == trace::kNoHost || !moment(hosts_[index], op, at)) return found;
  for (std::size_t h = 0; h < hosts_.size(); ++h) {
    const bool comparable = hosts_[h].timed == hosts_[index].timed;
    if (h == index || !comparable || hosts_[h].rank != hosts_[index].rank) continue;
    const OpIndex last = last_before(hosts_[h], at);
    if (last != kNone) found.push_back(last);
  }
  return found;
}

}  // namespace check
