// SPDX-License-Identifier: Apache-2.0
#include "tools/check/outside.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "tools/trace/outcome.h"

namespace check {

using trace::kNone;
using trace::OpKind;

namespace {

bool has_several_threads(const trace::Trace& trace, const trace::Track& track) {
  if (track.kind != trace::TrackKind::stream || track.graph != kNone) return false;
  std::uint16_t first = trace::kNoHost;
  for (OpIndex op = track.begin; op < track.end; ++op) {
    const std::uint16_t host = trace[op].host;
    if (host == trace::kNoHost) continue;
    if (first == trace::kNoHost) first = host;
    if (first != host) return true;
  }
  return false;
}

}  // namespace

Outside::Outside(const trace::Trace& trace) : resets_(trace.ranks().size()) {
  for (const trace::Track& track : trace.tracks()) {
    const bool recorded = track.source < trace.sources().size() &&
                          trace::is_recording(trace, trace.sources()[track.source]);
    if (recorded && has_several_threads(trace, track)) ++threads_;
    int depth = 0;  // in functions of streams
    for (OpIndex op = track.begin; recorded && op < track.end; ++op) {
      const OpKind kind = trace[op].kind;
      if (kind == OpKind::api) {
        peers_ += trace.name(op) == "aclrtDeviceDisablePeerAccess";
        notify_ends_ = notify_ends_ || trace.name(op) == "aclrtDestroyNotify";
      }
      if (depth > 0 && (kind == OpKind::sync || kind == OpKind::query)) ++in_functions_;
      if (trace.args(op).empty()) continue;
      if (kind == OpKind::mark) {
        const trace::Outcome outcome = trace::outcome_of(trace, op);
        if (outcome.begins != 0 && outcome.ends == 0) ++depth;
        if (outcome.ends != 0 && outcome.begins == 0) --depth;
      }
      look_at(trace, track, op);
    }
  }
  shared_.resize(trace.objects().size());
  for (const auto& [op, how] : how_) {
    if (trace[op].use == kNone) continue;
    const OpKind kind = trace[op].kind;
    const bool event = kind == OpKind::record || kind == OpKind::wait;
    if (event || kind == OpKind::notify || kind == OpKind::notify_wait) {
      shared_[trace.sync(op).object] = true;
    }
  }
  find_values(trace);
}

void Outside::look_at(const trace::Trace& trace, const trace::Track& track, OpIndex op) {
  const std::string_view args = trace.args(op);
  const OpKind kind = trace[op].kind;
  if (kind == OpKind::mark) {
    sharing_ += args.find(R"("shares":true)") != std::string_view::npos;
    const std::string unknown = trace::outcome_of(trace, op).unknown;
    if (unknown == "notifies") resets_[track.rank] = true;
    anywhere_ = anywhere_ || unknown == "memory";
    blocks_ = blocks_ || unknown == "blocks";
    return;
  }
  if (kind == OpKind::query) limits_ += args.find(R"("limit":true)") != std::string_view::npos;
  if (args.find(R"("shared":true)") == std::string_view::npos) return;
  const bool between_ranks = kind == OpKind::kernel || kind == OpKind::collective;
  how_[op] = between_ranks                                      ? kWaits | kRecords
             : kind == OpKind::record || kind == OpKind::notify ? kRecords
                                                                : kWaits;
}

/// The words that are waited for and that other ops than `vwrite` write.
void Outside::find_values(const trace::Trace& trace) {
  constexpr int kOffsetBits = 40;  // docs/trace-format.md, of recordings
  std::unordered_map<std::uint64_t, std::vector<OpIndex>> waits, writes;  // by word
  for (OpIndex op = 0; op < trace.size(); ++op) {
    const OpKind kind = trace[op].kind;
    if (trace[op].use == kNone) continue;
    if (kind == OpKind::value_wait) waits[trace.objects()[trace.value(op).object].id].push_back(op);
    if (kind == OpKind::value_write) {
      writes[trace.objects()[trace.value(op).object].id].push_back(op);
    }
  }
  for (const auto& [word, ops] : waits) {
    const trace::Track& track = trace.tracks()[trace.track_of(ops.front())];
    if (track.source >= trace.sources().size() ||
        !trace::is_recording(trace, trace.sources()[track.source])) {
      continue;
    }
    const std::uint64_t buffer = word >> kOffsetBits;
    const std::uint64_t offset = word & ((std::uint64_t{1} << kOffsetBits) - 1);
    std::vector<OpIndex> others;
    OpIndex first = kNone;  // it fills the word before there is a wait
    for (const trace::Range& range : trace.ranges()) {
      const OpKind kind = trace[range.op].kind;
      if (!range.write || kind == OpKind::value_write || kind == OpKind::free) continue;
      if (trace.buffers()[range.buffer].id != buffer) continue;
      if (range.offset >= offset + 8 || offset >= range.offset + range.bytes) continue;
      others.push_back(range.op);
      if (first == kNone || trace.id(range.op) < trace.id(first)) first = range.op;
    }
    const bool before = std::all_of(ops.begin(), ops.end(), [&](OpIndex wait) {
      return first != kNone && trace.id(first) < trace.id(wait);
    });
    if (others.size() <= (before ? 1U : 0U)) continue;
    for (const OpIndex wait : ops) how_[wait] |= kWaits;
    for (const OpIndex write : others) how_[write] |= kRecords;
    for (const OpIndex write : writes[word]) how_[write] |= kRecords;
    values_ += ops.size();
  }
}

namespace {

std::string counted(std::size_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace

std::vector<std::string> Outside::not_checked() const {
  std::vector<std::string> parts;
  const std::size_t with_others =
      static_cast<std::size_t>(std::count(shared_.begin(), shared_.end(), true));
  if (with_others != 0 || sharing_ != 0) {
    std::string text = "actions of other processes";
    if (!how_.empty()) {
      text += ", and the order that " + counted(how_.size(), "operation") + " with them give";
      if (how_.size() == 1) text += "s";
    }
    parts.push_back(std::move(text));
  } else if (how_.size() > values_ && values_ == 0) {
    parts.push_back("the order that " + counted(how_.size(), "operation") + " between ranks give");
  }
  if (values_ != 0) {
    parts.push_back("the order of " + counted(values_, "wait") +
                    " for values that copies or fills write");
  }
  if (limits_ != 0)
    parts.push_back("deadlocks of " + counted(limits_, "wait") + " with a time limit");
  if (in_functions_ != 0) {
    parts.push_back(counted(in_functions_, "wait") + " in functions that streams call");
  }
  if (peers_ != 0) parts.push_back("copies after the end of a peer's access");
  if (threads_ != 0) {
    parts.push_back("the order of calls of several threads on " + counted(threads_, "stream"));
  }
  if (notify_ends_) parts.emplace_back("waits for notifies when the program destroys them");
  if (blocks_) parts.emplace_back("uses of blocks that a pool of the program took back");
  if (anywhere_) parts.emplace_back("reads of unwritten memory: a task may have written anywhere");
  if (std::find(resets_.begin(), resets_.end(), true) != resets_.end()) {
    parts.emplace_back("records without waits of notifies: the host has reset one");
  }
  return parts;
}

}  // namespace check
