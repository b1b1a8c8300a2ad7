// SPDX-License-Identifier: Apache-2.0
// Accesses of ops to memory and uses of events, and the findings about them.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "runtime/order/engine/sentences.h"
#include "tools/check/walk.h"
#include "tools/replay/results/naming.h"
#include "tools/trace/calls.h"

namespace check {

using order::Level;
using order::Rule;
using trace::kNone;
using trace::OpKind;

order::OpInfo Walk::op_info(TrackIndex track, OpIndex op) const {
  order::OpInfo made;
  made.what = replay::op_word(trace_, op).c_str();
  made.site = std::uint64_t{op} + 1;
  if (trace_.tracks()[track].kind == trace::TrackKind::stream) made.stream = track;
  made.number = engine_.now(track).count + 1;  // the moment of its walk
  // The line of an op of a graph shows its capture, not its launch.
  if (by_line_ && trace_.tracks()[track].graph == kNone) made.called = trace_.line(op);
  return made;
}

void Walk::perform(TrackIndex track, OpIndex op) {
  const trace::Op& it = trace_[op];
  if (outside_.waits(op)) first_outside_waits_.try_emplace(track, engine_.now(track));
  if (it.has(trace::kHasRanges) && it.kind != OpKind::free) touch(track, op);
  if (it.kind == OpKind::kernel) memory_.kernel_ended(op);
  if (it.use == kNone) return;
  if (it.kind == OpKind::alloc || it.kind == OpKind::free) return memory_op(track, op);
  if (moving_.empty() || (it.kind != OpKind::record && it.kind != OpKind::wait)) return;
  event_op(track, op);
}

// ---- memory ----

void Walk::touch(TrackIndex track, OpIndex op) {
  const auto all = trace_.ranges();
  std::uint32_t at = tracks_[track].range;
  // A graph that runs again begins anew.
  if (at >= all.size() || all[at].op > op) {
    at = static_cast<std::uint32_t>(trace_.ranges(op).data() - all.data());
  }
  while (all[at].op < op) ++at;
  accesses_.clear();
  for (; at < all.size() && all[at].op == op; ++at) {
    accesses_.push_back(memory_.access(all[at]));
    look_at(track, op, all[at], accesses_.back());
  }
  tracks_[track].range = at;
  memory_.set_kinds(op, accesses_);
  engine_.graph_runs().op(track, op_info(track, op), accesses_);
}

void Walk::look_at(TrackIndex track, OpIndex op, const trace::Range& range,
                   const order::Access& access) {
  use_after_free(track, op, range.buffer);
  if (memory_.beyond_end(range)) {
    if (auto* const made =
            findings_.add({Rule::out_of_bounds, Level::error, op, kNone, range.buffer})) {
      made->text =
          fmt::format("{{it}} {} {} at offset {} of a buffer of {}",
                      order::access_verb(range.write), order::size_text(range.bytes), range.offset,
                      order::size_text(trace_.buffers()[range.buffer].bytes));
      made->where = {range.offset, range.bytes, range.write, access.host};
      made->offset = range.offset;
      made->memory = memory_.name(range.buffer);
    }
  }
  if (access.host || !reads_content(op, range) || !memory_.content_is_known(range.buffer)) return;
  if (!engine_.shadow().written(access.begin, access.size)) unwritten(op, {range, access});
}

/// A reduction reads its target. A kernel that also writes to a range may have written it before it
/// reads it, so such a range does not count.
bool Walk::reads_content(OpIndex op, const trace::Range& range) const {
  const OpKind kind = trace_[op].kind;
  if (kind == OpKind::reduce) return true;
  if (range.write) return false;
  if (kind == OpKind::copy) return true;
  if (kind != OpKind::kernel || trace_.given(op).empty()) return false;
  const auto ranges = trace_.ranges(op);
  return std::none_of(ranges.begin(), ranges.end(), [&](const trace::Range& one) {
    return one.write && one.buffer == range.buffer && one.offset < range.offset + range.bytes &&
           range.offset < one.offset + one.bytes;
  });
}

/// Reported at the end: a race with a later write of the walk explains it.
void Walk::unwritten(OpIndex op, const Unwritten& read) {
  constexpr std::size_t kMost = 1 << 16;
  if (unwritten_.size() >= kMost) return tell_unwritten(op, read.range);
  unwritten_.emplace(op, read);
}

void Walk::drop_explained(OpIndex op, const order::Access& race) {
  const auto [first, last] = unwritten_.equal_range(op);
  for (auto at = first; at != last;) {
    const order::Access& read = at->second.access;
    const bool same = read.begin < race.begin + race.size && race.begin < read.begin + read.size;
    at = same ? unwritten_.erase(at) : std::next(at);
  }
}

void Walk::tell_unwritten(OpIndex op, const trace::Range& range) {
  auto* const made = findings_.add({Rule::unwritten_read, Level::warning, op, kNone, range.buffer});
  if (!made) return;
  made->text = order::sentences::kUnwrittenRead;
  made->where = {range.offset, range.bytes, false, false};
  made->offset = range.offset;
  made->memory = memory_.name(range.buffer);
}

void Walk::use_after_free(TrackIndex track, OpIndex op, std::uint32_t buffer) {
  const auto& end = memory_.end_of(buffer);
  const bool again = trace_[op].kind == OpKind::free;  // wrong in any order
  if (!end || (!again && !engine_.covers(track, end->when))) return;
  const OpIndex call = hosts_.caller(op);
  const bool by_host = !trace_[end->by].has(trace::kOrdered);
  if (!again && by_host && by_line_ && trace_.line(call) < trace_.line(end->by)) {
    return freed_while_enqueued(call, end->by, buffer);
  }
  auto* const made = findings_.add({Rule::dead_handle, Level::error, op, end->by, buffer});
  if (!made) return;
  const bool frees = trace_[op].kind == OpKind::free;
  made->title = frees ? "double free" : "use after free";
  made->text = frees ? "{it} frees a buffer that {other} has freed before"
                     : "{it} uses a buffer that {other} has freed before";
  made->repair = frees ? "free the buffer once: remove {it} here, or {other}"
                       : "move {other} after the last use of the buffer";
  made->memory = memory_.name(buffer);
}

/// The op was enqueued, or its graph launched, before the free, and runs after it.
void Walk::freed_while_enqueued(OpIndex op, OpIndex free, std::uint32_t buffer) {
  auto* const made = findings_.add({Rule::freed_in_use, Level::error, free, op, buffer});
  if (!made) return;
  made->text = std::string(order::sentences::kReleasedInUse) + "; no event orders them";
  made->repair = order::sentences::kUsedByStuckRepair;
  made->where = {0, trace_.buffers()[buffer].bytes, true, false};
  made->offset = 0;
  made->memory = memory_.name(buffer);
}

/// A free is an access to the whole buffer; each later access is compared with it. So is an
/// allocation in the order of a stream.
void Walk::memory_op(TrackIndex track, OpIndex op) {
  const std::uint32_t buffer = trace_.memory(op).buffer;
  if (buffer == kNone) return;
  order::Access all = memory_.whole(buffer);
  if (trace_[op].kind == OpKind::alloc) {
    memory_.allocated(buffer);
    if (!trace_[op].has(trace::kOrdered)) return;
    all.hands_out = true;
    return engine_.graph_runs().op(track, op_info(track, op), {&all, 1});
  }
  use_after_free(track, op, buffer);
  if (memory_.end_of(buffer)) return;
  const bool part = trace_[op].has(trace::kHasRanges);  // the bytes get a buffer of their own
  if (part) all = memory_.access(trace_.ranges(op).front());
  all.frees = true;
  engine_.graph_runs().op(track, op_info(track, op), {&all, 1});
  if (part) return engine_.renew(all);
  memory_.freed(buffer, {op, engine_.now(track)});
}

void Walk::conflict(const order::Finding& finding) {
  if (finding.rule == Rule::dead_handle) return;  // see use_after_free
  const auto op = static_cast<OpIndex>(finding.op_info.site - 1);
  const auto other = static_cast<OpIndex>(finding.other->site - 1);
  const TrackIndex on = trace_.track_of(op);
  const TrackIndex other_on = trace_.track_of(other);
  Conflict found{{finding.rule, finding.level, op, other},
                 {on, finding.op_info.number},
                 {other_on, finding.other->number},
                 finding.text,
                 finding.where};
  if (tracks_[on].guessed || tracks_[other_on].guessed) {
    found.about.level = Level::warning;
    found.text += "; a dependency of these tracks is inferred";
  }
  const bool threads = hosts_.several(trace_.tracks()[on].rank) &&
                       trace_.tracks()[on].rank == trace_.tracks()[other_on].rank;
  found.after_outside = !outside_.empty() && is_after_outside(on);
  found.other_after_outside = !outside_.empty() && was_after_outside(found.other_when);
  if (threads || found.after_outside || found.other_after_outside)
    return deferred_.push_back(std::move(found));
  tell(found);
}

void Walk::tell(const Conflict& found) {
  Findings::About about = found.about;
  if (about.rule == Rule::race) drop_explained(about.other, found.where);
  std::string text(found.text);
  if (trace_[about.other].kind == OpKind::free && trace_[about.op].kind != OpKind::free) {
    std::swap(about.op, about.other);
    if (about.rule != Rule::host_threads_only) about.rule = Rule::freed_in_use;
    text = std::string(order::sentences::kReleasedInUse) + "; no event orders them";
  }
  order::PlacedFinding* const made = findings_.add(about);
  if (!made) return;
  made->text = text;
  made->where = found.where;
  made->memory = memory_.name(memory_.locate(made->where));
  made->offset = made->where.begin;
}

/// Asked only when all calls of all threads, and all ops, have been taken in.
void Walk::tell_deferred() {
  for (Conflict& found : deferred_) {
    if (outside_may_order(found)) {
      ++withheld_;
      drop_explained(found.about.other, found.where);
      continue;
    }
    if (some_thread_knew(found.about.op, found.other_when) ||
        some_thread_knew(found.about.other, found.when)) {
      found.about.rule = Rule::host_threads_only;
      found.about.level = order::info(found.about.rule).level;
    }
    tell(found);
  }
  deferred_.clear();
}

// ---- other processes ----

void Walk::record_outside(TrackIndex track) {
  order::Node& node = last_outside_records_[track];
  node = {};
  engine_.graph_runs().record(track, order::OpInfo{}, node);
}

bool Walk::is_after_outside(TrackIndex track) const {
  return std::any_of(first_outside_waits_.begin(), first_outside_waits_.end(),
                     [&](const auto& wait) { return engine_.covers(track, wait.second); });
}

/// Asked only when all has been taken in: the order may come through a record that another process
/// has waited for.
bool Walk::outside_may_order(const Conflict& found) const {
  return std::any_of(last_outside_records_.begin(), last_outside_records_.end(),
                     [&](const auto& record) {
                       const order::VectorClock& known = record.second.clock;
                       return (found.after_outside && known.covers(found.other_when)) ||
                              (found.other_after_outside && known.covers(found.when));
                     });
}

bool Walk::was_after_outside(order::Epoch when) const {
  const auto wait = first_outside_waits_.find(when.actor);
  return wait != first_outside_waits_.end() && wait->second.count <= when.count;
}

/// Another thread of the process had waited for the end of the earlier op when this one was called
/// for. The trace does not record how threads synchronise with each other.
bool Walk::some_thread_knew(OpIndex op, order::Epoch earlier) {
  const std::vector<OpIndex> calls = hosts_.before_on_others(op);
  return std::any_of(calls.begin(), calls.end(), [&](OpIndex call) {
    const Source* const known = source(call);
    return known && known->done && known->node && known->node->clock.covers(earlier);
  });
}

// ---- events ----

void Walk::event_op(TrackIndex track, OpIndex op) {
  const auto at = moving_.find(trace_.sync(op).object);
  if (at == moving_.end()) return;
  if (trace_[op].kind == OpKind::record) return record_again(track, op, at->second);
  engine_.graph_runs().op(track, order::OpInfo{}, {});
  moved_waits_[op] = engine_.now(track);
}

/// Waits for the record before this one that may still be queued.
void Walk::record_again(TrackIndex track, OpIndex op, const MovingEvent& event) {
  const std::uint32_t generation = trace_.sync(op).generation;
  const auto own =
      std::lower_bound(event.records.begin(), event.records.end(), MovingEvent::Use{generation, 0});
  if (own == event.records.begin()) return;
  const MovingEvent::Use& before = *std::prev(own);
  if (trace_.track_of(before.op) == track) return;
  const auto waits = std::equal_range(event.waits.begin(), event.waits.end(),
                                      MovingEvent::Use{before.generation, 0});
  for (auto wait = waits.first; wait != waits.second; ++wait) {
    const auto over = moved_waits_.find(wait->op);
    if (over != moved_waits_.end() && engine_.covers(track, over->second)) continue;
    auto* const made = findings_.add(
        {Rule::record_moves_event, Level::warning, op, wait->op, trace_.sync(op).object});
    if (!made) continue;
    made->text = fmt::format(
        "{{it}} records {} again while {{other}} may still wait for an earlier "
        "record; later waits bind to the new record",
        replay::object_name(trace_, trace_.sync(op).object));
  }
}

namespace {

/// A call that ends or releases something waits because it must.
bool releases(std::string_view call) {
  for (const std::string_view part : {"Destroy", "Free", "Reset", "Finalize", "destroy", "free"}) {
    if (call.find(part) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

/// Whether the op had ended at the call, by the recorded times: a forced destruction drops nothing
/// then.
bool Walk::ended_before(OpIndex op, OpIndex call) const {
  const trace::Nanoseconds begin = trace_.start(op), called = trace::called(trace_, call);
  return begin != trace::kNoTime && called != trace::kNoTime &&
         trace_[op].has(trace::kHasDuration) && begin + trace_.duration(op) <= called;
}

void Walk::destroyed_in_use(OpIndex op, OpIndex last) {
  auto* const made = findings_.add({Rule::freed_in_use, Level::warning, op, last});
  if (!made) return;
  made->title = "destroyed while in use";
  made->text = "{it} destroys a stream with pending work, which is dropped";
}

void Walk::redundant(OpIndex op, const Need& need) {
  if (trace_[op].kind == OpKind::sync && releases(trace_.name(op))) return;
  auto* const made = findings_.add({Rule::redundant_wait, Level::note, op});
  if (!made) return;
  made->text = trace_[op].kind == OpKind::wait
                   ? "{it} adds no order; its record already happens before it"
                   : "{it} adds no order; everything that it waits for already happens before it";
  if (need.guess) {
    made->text += fmt::format(" (its dependency is inferred: {})", trace::word(need.how));
  }
}

}  // namespace check
