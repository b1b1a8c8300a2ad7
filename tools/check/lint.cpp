// SPDX-License-Identifier: Apache-2.0
#include "tools/check/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/order/engine/sentences.h"
#include "tools/check/rendezvous.h"
#include "tools/replay/engine/simulator.h"
#include "tools/replay/results/naming.h"
#include "tools/trace/formats/format_table.h"
#include "tools/trace/outcome.h"

namespace check {

using order::Level;
using order::Rule;
using trace::kNone;
using trace::kNoTime;
using trace::Nanoseconds;
using trace::OpKind;

namespace {

/// f(track, op) for each op that has an entry in the table of its kind.
template <class F>
void each(const trace::Trace& trace, F&& f) {
  for (TrackIndex l = 0; l < trace.tracks().size(); ++l) {
    const trace::Track& track = trace.tracks()[l];
    for (OpIndex op = track.begin; op < track.end; ++op) {
      if (trace[op].use != kNone) f(l, op);
    }
  }
}

/// The op failed or was dropped, so it waited for nothing.
bool fails(const trace::Trace& trace, OpIndex op) {
  return !trace.args(op).empty() && trace::outcome_of(trace, op).fails;
}

}  // namespace

Coverage::Coverage(const trace::Trace& trace) : trace_(trace), outside_(trace) {
  for (const trace::Source& source : trace.sources()) {
    const trace::Format* const format = trace::origin_of(trace, source);
    infers_.push_back(format && format->profile);
    partial_.push_back(format && format->partial);
  }
  if (infers_.empty()) infers_ = partial_ = {false};
  present_.resize(trace.ranks().size());
  for (const trace::Track& track : trace.tracks()) {
    if (track.size() != 0) present_[track.rank] = true;
  }
  absent_ = std::find(present_.begin(), present_.end(), false) != present_.end();
}

// ---- events ----

namespace {

/// The first record of each event that some wait was too early for.
std::unordered_map<std::uint32_t, OpIndex> later_records(const trace::Trace& trace) {
  std::unordered_map<std::uint32_t, OpIndex> found;
  each(trace, [&](TrackIndex, OpIndex op) {
    if (trace[op].kind == OpKind::wait && trace.sync(op).generation == 0) {
      found.try_emplace(trace.sync(op).object, kNone);
    }
  });
  if (found.empty()) return found;
  each(trace, [&](TrackIndex, OpIndex op) {
    if (trace[op].kind != OpKind::record) return;
    const auto at = found.find(trace.sync(op).object);
    if (at == found.end()) return;
    const bool earlier = at->second == kNone || trace.id(op) < trace.id(at->second);
    if (earlier) at->second = op;
  });
  return found;
}

void early_wait(const trace::Trace& trace, OpIndex op, OpIndex record, Findings& findings) {
  const std::uint32_t object = trace.sync(op).object;
  if (auto* const made =
          findings.add({Rule::wait_before_record, Level::warning, op, record, object, true})) {
    made->text = order::sentences::recorded_later(replay::object_name(trace, object));
  }
}

void unrecorded_wait(const trace::Trace& trace, const Coverage& coverage, TrackIndex track,
                     OpIndex op, bool recorded_later, Findings& findings) {
  const trace::SyncUse& use = trace.sync(op);
  const bool unknown = coverage.infers(track);
  const bool before = use.generation != 0 && coverage.ran(op);
  const std::uint32_t subject = unknown ? kNone : use.object;
  const Level level = unknown || before ? Level::note : Level::warning;
  auto* const made = findings.add({Rule::wait_never_recorded, level, op, kNone, subject,
                                   recorded_later && level == Level::warning});
  if (!made) return;
  const std::string event = replay::object_name(trace, use.object);
  made->text = unknown ? "{it} waits for an event that the file does not name, and no record fits"
               : use.generation != 0
                   ? fmt::format("{{it}} waits for record {} of {}, which the trace does not hold",
                                 use.generation, event)
                   : fmt::format("{{it}} orders nothing; {} was not recorded before", event);
}

/// The number of the first record of each event; kNone: it has none.
std::vector<std::uint32_t> first_records(const trace::Trace& trace) {
  std::vector<std::uint32_t> first(trace.objects().size(), kNone);
  each(trace, [&](TrackIndex, OpIndex op) {
    if (trace[op].kind != OpKind::record || trace.sync(op).object == kNone) return;
    std::uint32_t& known = first[trace.sync(op).object];
    known = std::min(known, trace.id(op));
  });
  return first;
}

/// A host thread synchronises with an event that was not recorded before: it does not wait.
void unrecorded_sync(const trace::Trace& trace, const Coverage& coverage, TrackIndex track,
                     OpIndex op, std::uint32_t first_record, Findings& findings) {
  const trace::HostUse& use = trace.host(op);
  if (use.generation != 0 || first_record < trace.id(op) || coverage.infers(track)) return;
  auto* const made = findings.add(
      {Rule::wait_never_recorded, Level::warning, op, kNone, use.index, first_record != kNone});
  if (!made) return;
  made->text = fmt::format("{{it}} orders nothing; {} was not recorded before",
                           replay::object_name(trace, use.index));
}

}  // namespace

void lint_events(const trace::Trace& trace, const Coverage& coverage, Findings& findings) {
  const auto records = later_records(trace);
  const auto first = first_records(trace);
  each(trace, [&](TrackIndex track, OpIndex op) {
    if (trace[op].kind == OpKind::sync && trace.host(op).target == trace::Target::event) {
      const std::uint32_t event = trace.host(op).index;
      if (event != kNone) unrecorded_sync(trace, coverage, track, op, first[event], findings);
    }
    if (trace[op].kind != OpKind::wait) return;
    const trace::SyncUse& use = trace.sync(op);
    if (use.partner != kNone) return;
    if (use.generation != 0 && coverage.outside().shares(use.object)) return;
    if (fails(trace, op)) return;
    const auto later = records.find(use.object);
    const bool early = use.generation == 0 && later != records.end() && later->second != kNone &&
                       trace.id(later->second) > trace.id(op);
    const bool elsewhere = early && trace.track_of(later->second) != track;
    if (elsewhere && !coverage.infers(track)) return early_wait(trace, op, later->second, findings);
    unrecorded_wait(trace, coverage, track, op, early, findings);
  });
}

// ---- notifies ----

namespace {

constexpr const char* kOthers = "also give the traces of the other ranks";

struct NotifyCount {
  std::uint64_t records = 0;
  std::uint64_t waits = 0;
  OpIndex last_record = kNone;
  bool outside = false;  // the other side may not be in the trace
};

/// The host thread's call that a recording ends in, which waits for the stream.
OpIndex hanging_call(const trace::Trace& trace, TrackIndex stream) {
  const trace::Track& on = trace.tracks()[stream];
  if (on.source >= trace.sources().size()) return kNone;
  if (!trace::is_recording(trace, trace.sources()[on.source])) return kNone;
  for (const TrackIndex host : trace.hosts()) {
    const trace::Track& track = trace.tracks()[host];
    if (track.size() == 0 || track.source != on.source) continue;
    OpIndex last = track.end - 1;
    while (last > track.begin && trace[last].kind == OpKind::mark) --last;
    const trace::Op& op = trace[last];
    if (op.kind != OpKind::sync || op.use == kNone || op.has(trace::kHasDuration)) continue;
    const trace::HostUse& use = trace.host(last);
    const bool same = use.target == trace::Target::stream ? use.index == stream
                                                          : use.target == trace::Target::device;
    if (same) return last;
  }
  return kNone;
}

/// The text that the check of a running program has.
void hang(const trace::Trace& trace, OpIndex call, OpIndex wait, Findings& findings) {
  const std::uint32_t object = trace.sync(wait).object;
  if (auto* const made = findings.add({Rule::deadlock, Level::warning, call, wait, object})) {
    made->text = fmt::format(
        "{{it}} never returned; no operation in the recording records {}, for which {{other}} "
        "waits",
        replay::object_name(trace, object));
    made->repair = "record the notify once for this wait, on a stream that is not ordered after it";
  }
}

void unended_wait(const trace::Trace& trace, const Coverage& coverage, TrackIndex track, OpIndex op,
                  Findings& findings) {
  if (const OpIndex call = hanging_call(trace, track); call != kNone) {
    return hang(trace, call, op, findings);
  }
  const bool outside = coverage.partial(track) || coverage.ran(op);
  const std::uint32_t object = trace.sync(op).object;
  auto* const made = findings.add({Rule::notify_unpaired, outside ? Level::note : Level::error, op,
                                   kNone, outside ? kNone : object});
  if (!made) return;
  const std::string notify = replay::object_name(trace, object);
  made->text =
      outside
          ? fmt::format("{{it}} waits for {}, which no operation in these files records", notify)
          : fmt::format("{{it}} never returns; no operation records {} for this wait", notify);
  if (outside) made->repair = kOthers;
}

}  // namespace

void lint_notifies(const trace::Trace& trace, const Coverage& coverage, Findings& findings) {
  std::vector<NotifyCount> counts(trace.objects().size());
  each(trace, [&](TrackIndex track, OpIndex op) {
    const OpKind kind = trace[op].kind;
    if (kind != OpKind::notify && kind != OpKind::notify_wait) return;
    const trace::SyncUse& use = trace.sync(op);
    if (use.object == kNone || coverage.outside().shares(use.object)) return;
    if (fails(trace, op) || coverage.outside().resets(trace.tracks()[track].rank)) return;
    NotifyCount& count = counts[use.object];
    (kind == OpKind::notify ? count.records : count.waits) += std::max(1U, use.generation);
    if (kind == OpKind::notify) count.last_record = op;
    count.outside = count.outside || coverage.partial(track);
    if (kind == OpKind::notify_wait && use.partner == kNone) {
      unended_wait(trace, coverage, track, op, findings);
    }
  });
  for (std::uint32_t object = 0; object < counts.size(); ++object) {
    const NotifyCount& count = counts[object];
    if (count.records <= count.waits) continue;
    const Level level = count.outside ? Level::note : Level::warning;
    auto* const made = findings.add(
        {Rule::notify_unpaired, level, count.last_record, kNone, count.outside ? kNone : object});
    if (!made) continue;
    made->text = fmt::format("{}: {} records, {} waits{}", replay::object_name(trace, object),
                             count.records, count.waits, count.outside ? " in these files" : "");
    if (count.outside) made->repair = kOthers;
  }
}

// ---- messages and collectives ----

void lint_messages(const trace::Trace& trace, const Coverage& coverage, Findings& findings) {
  each(trace, [&](TrackIndex track, OpIndex op) {
    const OpKind kind = trace[op].kind;
    if (kind != OpKind::send && kind != OpKind::recv) return;
    if (trace.comm(op).partner != kNone) return;
    const bool outside = coverage.partial(track) || coverage.ran(op);
    auto* const made =
        findings.add({Rule::no_producer, outside ? Level::note : Level::warning, op});
    if (!made) return;
    made->text = kind == OpKind::recv ? "{it} has no matching send in the trace"
                                      : "{it} has no matching receive in the trace";
  });
}

namespace {

std::string collective_name(const trace::Trace& trace, OpIndex op) {
  const trace::CommUse& use = trace.comm(op);
  const std::string number = use.tag == 0 ? "" : fmt::format(" {}", use.tag);
  return fmt::format("{}{}", trace::word(use.kind), number);
}

/// Without numbers, and in windows of recordings, the k-th may not be the k-th everywhere.
bool counted_only(const trace::Trace& trace, const Coverage& coverage, OpIndex op) {
  return trace.comm(op).tag == 0 && coverage.ran(op);
}

void compare_uses(const trace::Trace& trace, const Coverage& coverage, const GroupUse& a,
                  const GroupUse& b, Findings& findings) {
  const std::size_t both = std::min(a.ops.size(), b.ops.size());
  for (std::size_t k = 0; k < both; ++k) {
    const trace::CommUse& left = trace.comm(a.ops[k]);
    const trace::CommUse& right = trace.comm(b.ops[k]);
    if (left.kind == right.kind && left.tag == right.tag) continue;
    const bool guess = counted_only(trace, coverage, a.ops[k]);
    auto* const made = findings.add({Rule::collective_order, guess ? Level::warning : Level::error,
                                     b.ops[k], a.ops[k], a.group});
    if (!made) return;
    made->text = fmt::format("collective {} of the group is {} here, but {} at {{other}}", k + 1,
                             collective_name(trace, b.ops[k]), collective_name(trace, a.ops[k]));
    if (guess) made->text += "; the trace has no numbers, so which collectives match is inferred";
    return;  // one difference brings all others
  }
  if (a.ops.size() == b.ops.size()) return;
  const GroupUse& longer = a.ops.size() > b.ops.size() ? a : b;
  const OpIndex op = longer.ops[both];
  const bool cut = coverage.ran(op);
  auto* const made =
      findings.add({Rule::collective_order, cut ? Level::note : Level::error, op, kNone, a.group});
  if (!made) return;
  made->text = fmt::format("one device of the group issues {} collectives, another one {}",
                           longer.ops.size(), both);
}

/// Ranks of the group that are in the trace and never take part. `uses`: all of one group.
void look_for_absent(const trace::Trace& trace, const Coverage& coverage,
                     std::span<const GroupUse> uses, Findings& findings) {
  const OpIndex op = uses.front().ops.front();
  if (coverage.ran(op)) return;  // they did meet
  for (const std::uint32_t rank : trace.groups()[uses.front().group].ranks) {
    const bool there = std::any_of(uses.begin(), uses.end(), [&](const GroupUse& use) {
      return trace.devices()[use.device].rank == rank;
    });
    if (there || !coverage.holds(rank)) continue;
    auto* const made =
        findings.add({Rule::collective_order, Level::error, op, kNone, uses.front().group});
    if (!made) return;
    made->text = fmt::format("rank {} belongs to the group and never issues a collective",
                             trace.ranks()[rank].id);
  }
}

}  // namespace

void lint_collectives(const trace::Trace& trace, const Coverage& coverage, Findings& findings) {
  const std::vector<GroupUse> uses = group_uses(trace);
  for (std::size_t first = 0, next = 0; first < uses.size(); first = next) {
    for (next = first + 1; next < uses.size() && uses[next].group == uses[first].group; ++next) {
      compare_uses(trace, coverage, uses[first], uses[next], findings);
    }
    look_for_absent(trace, coverage, std::span(uses).subspan(first, next - first), findings);
  }
}

// ---- edges and copies ----

namespace {

void ambiguous(OpIndex op, OpIndex from, unsigned candidates, trace::Provenance how,
               Findings& findings) {
  auto* const made = findings.add({Rule::ambiguous_edge, Level::warning, op, from});
  if (!made) return;
  made->text =
      fmt::format("{{it}} waits for {{other}} by inference ({}); {} candidates are possible",
                  trace::word(how), candidates);
}

}  // namespace

void lint_edges(const trace::Trace& trace, Findings& findings) {
  each(trace, [&](TrackIndex, OpIndex op) {
    if (trace[op].kind != OpKind::wait) return;
    const trace::SyncUse& use = trace.sync(op);
    if (use.partner == kNone || !inferred(use.how) || !use.ambiguous()) return;
    ambiguous(op, use.partner, use.candidates, use.how, findings);
  });
  for (const trace::Edge& edge : trace.edges()) {
    if (!inferred(edge.how) || edge.candidates < 2) continue;
    ambiguous(edge.to, edge.from, edge.candidates, edge.how, findings);
  }
}

namespace {

std::string device_name(const trace::Trace& trace, std::int32_t device) {
  if (device < 0) return "the host";
  return fmt::format("device {}", trace.devices()[static_cast<std::size_t>(device)].id);
}

void look_at_direction(const trace::Trace& trace, OpIndex op, Findings& findings) {
  const trace::CopyUse& use = trace.copy(op);
  for (const trace::Range& range : trace.ranges(op)) {
    const std::int32_t said = range.write ? use.dst : use.src;
    const std::int32_t is = trace.buffers()[range.buffer].device;
    if (said == trace::kUnknownDevice || said == is) continue;
    auto* const made = findings.add({Rule::wrong_direction, Level::warning, op});
    if (!made) continue;
    made->text = fmt::format("{{it}} {} {}, but buffer {} is on {}",
                             range.write ? "writes to" : "reads from", device_name(trace, said),
                             trace.buffers()[range.buffer].id, device_name(trace, is));
  }
}

}  // namespace

void lint_copies(const trace::Trace& trace, Findings& findings) {
  each(trace, [&](TrackIndex track, OpIndex op) {
    const trace::Op& it = trace[op];
    if (it.kind != OpKind::copy) return;
    if (it.has(trace::kPageable) && !it.has(trace::kBlocks)) {
      findings.add({Rule::hidden_synchronize, Level::note, op});
    }
    const trace::Track& on = trace.tracks()[track];
    const bool recorded = on.source < trace.sources().size() &&
                          trace::is_recording(trace, trace.sources()[on.source]);
    // The addresses of a recorded copy give its devices; a wrong kind has a mark.
    if (it.has(trace::kHasRanges) && !recorded) look_at_direction(trace, op, findings);
  });
}

// ---- times ----

namespace {

/// The op ended before the op that it waited for began. Within one device the trace is wrong.
void look_at_cause(const trace::Trace& trace, TrackIndex track, OpIndex op, OpIndex from,
                   Findings& findings) {
  if (trace.start(op) == kNoTime || trace.start(from) == kNoTime) return;
  const trace::Track& here = trace.tracks()[track];
  const trace::Track& there = trace.tracks()[trace.track_of(from)];
  const Nanoseconds bound =
      std::max({trace.ranks()[here.rank].clock_bound_ns, trace.ranks()[there.rank].clock_bound_ns,
                Nanoseconds{1000}});  // profilers' clocks differ by as much within a device
  const Nanoseconds early = trace.start(from) - trace.start(op) - trace.duration(op);
  if (early <= bound) return;
  const Rule rule = here.device == there.device ? Rule::import_fault : Rule::clock_skew;
  auto* const made = findings.add({rule, Level::warning, op, from});
  if (!made) return;
  made->text = fmt::format("{{it}} ends {} before the start of {{other}}, which it waits for",
                           replay::time_text(early));
}

/// One finding for each track is enough.
void look_for_overlap(const trace::Trace& trace, TrackIndex l, Findings& findings) {
  const trace::Track& track = trace.tracks()[l];
  if (track.kind == trace::TrackKind::host) return;
  Nanoseconds end = kNoTime;
  OpIndex before = kNone, first = kNone, over = kNone;
  std::uint64_t times = 0;
  for (OpIndex op = track.begin; op < track.end; ++op) {
    const Nanoseconds start = trace.start(op);
    if (start == kNoTime || replay::annotates(trace[op].kind)) continue;
    if (before != kNone && start < end && ++times == 1) {
      first = op;
      over = before;
    }
    if (before != kNone && start + trace.duration(op) < end) continue;
    end = start + trace.duration(op);
    before = op;
  }
  if (times == 0) return;
  auto* const made = findings.add({Rule::overlap, Level::note, first, over, l});
  if (!made) return;
  made->text = "{it} starts before the end of {other}, which precedes it on the stream";
  made->times = times;
}

}  // namespace

void lint_times(const trace::Trace& trace, const Flags& flags, Findings& findings) {
  each(trace, [&](TrackIndex track, OpIndex op) {
    const OpKind kind = trace[op].kind;
    const bool pair = kind == OpKind::wait || kind == OpKind::notify_wait;
    // If the event stayed set, the wait could pass before the record that it is meant for.
    const OpIndex from = pair                   ? flags.record_of(op, trace.sync(op).partner)
                         : kind == OpKind::recv ? trace.comm(op).partner
                                                : kNone;
    if (from != kNone && !fails(trace, op)) look_at_cause(trace, track, op, from, findings);
  });
  for (TrackIndex l = 0; l < trace.tracks().size(); ++l) look_for_overlap(trace, l, findings);
}

}  // namespace check
