// SPDX-License-Identifier: Apache-2.0
#include "tools/check/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "runtime/order/engine/sentences.h"
#include "tools/replay/results/naming.h"
#include "tools/trace/formats/format_table.h"
#include "tools/trace/outcome.h"

namespace check {

using trace::kNone;

order::Place parse_site(const std::string& site) {
  order::Place place;
  const std::size_t in = site.find(" in ");
  const std::string file = site.substr(0, in);
  if (in != std::string::npos) place.function = site.substr(in + 4);
  const std::size_t colon = file.rfind(':');
  const char* const end = file.data() + file.size();
  if (colon != std::string::npos) {
    const auto [at, error] = std::from_chars(file.data() + colon + 1, end, place.line);
    if (error != std::errc() || at != end) place.line = 0;
  }
  place.file = place.line == 0 ? file : file.substr(0, colon);
  return place;
}

std::size_t Findings::HashOfKey::operator()(const Key& key) const {
  std::uint64_t hash = 0;
  const auto mix = [&hash](std::uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 29;
  };
  mix(static_cast<std::uint64_t>(key.rule) << 32 | key.subject);
  for (const Side* const side : {&key.op, &key.other}) {
    mix(std::uint64_t{side->track} << 32 | side->name);
    mix(reinterpret_cast<std::uintptr_t>(side->site) + static_cast<std::uint64_t>(side->kind));
  }
  return static_cast<std::size_t>(hash);
}

Findings::Side Findings::side(OpIndex op) const {
  if (op == kNone) return {};
  return {trace_.track_of(op), trace_[op].name, &trace_.site(op), trace_[op].kind};
}

order::Place Findings::recorded_at(OpIndex op, TrackIndex track) const {
  order::Place place;
  const auto sources = trace_.sources();
  const std::uint32_t source = trace_.tracks()[track].source;
  if (source < sources.size()) place.file = trace_.text(sources[source].file);
  const bool lines = source < sources.size() && trace::has_lines(trace_, sources[source]);
  (lines ? place.line : place.element) = trace_.line(op);
  return place;
}

order::PlacedOp Findings::placed(OpIndex op) const {
  const TrackIndex track = trace_.track_of(op);
  const trace::Track& on = trace_.tracks()[track];
  order::PlacedOp op_info;
  op_info.what = replay::op_word(trace_, op);
  op_info.number = trace_.id(op);
  if (on.kind == trace::TrackKind::host) {
    op_info.thread = static_cast<std::uint32_t>(on.id);
  } else {
    op_info.stream = static_cast<std::uint32_t>(on.id);
    op_info.device = trace_.devices()[on.device].id;
    if (trace_[op].host != trace::kNoHost) {
      op_info.thread =
          static_cast<std::uint32_t>(trace_.tracks()[trace_.hosts()[trace_[op].host]].id);
    }
  }
  op_info.place = recorded_at(op, track);
  if (const std::string& site = trace_.site(op); !site.empty()) {
    op_info.recorded = std::move(op_info.place);
    op_info.place = parse_site(site);
  }
  return op_info;
}

/// Names the ranks, if there are several.
void Findings::name_ranks(const About& about, order::PlacedFinding& made) const {
  if (trace_.ranks().size() < 2) return;
  const auto rank = [&](OpIndex of) {
    return fmt::format("rank {}", trace_.ranks()[trace_.tracks()[trace_.track_of(of)].rank].id);
  };
  if (!made.other || rank(about.op) == rank(about.other)) {
    made.process = rank(about.op);
    return;
  }
  made.op_info.process = rank(about.op);
  made.other->process = rank(about.other);
}

order::PlacedFinding* Findings::add(const About& about) {
  const Key key{about.rule, about.level, about.subject, side(about.op), side(about.other)};
  const auto [at, fresh] = known_.try_emplace(key);
  Known& known = at->second;
  if (!fresh) {
    const bool in_graph = trace_.tracks()[trace_.track_of(about.op)].graph != kNone;
    const bool counted = std::exchange(known.counted, about.op) == about.op;
    if (known.finding && (!counted || in_graph)) ++known.finding->times;
    if (known.finding && about.recorded_later) early_waits_.emplace_back(about.op, known.finding);
    return nullptr;
  }
  std::uint32_t& count =
      counts_[static_cast<std::size_t>(about.rule)][static_cast<std::size_t>(about.level)];
  if (++count > kMost) {
    known_.erase(at);  // so that memory stays bounded: findings can occur millions of times
    ++left_out_;
    return nullptr;
  }
  order::PlacedFinding& made = found_.emplace_back();
  made.rule = about.rule;
  made.level = about.level;
  made.op_info = placed(about.op);
  if (about.other != kNone) made.other = placed(about.other);
  name_ranks(about, made);
  const bool two = about.rule == order::Rule::race || about.rule == order::Rule::host_buffer ||
                   about.rule == order::Rule::freed_in_use ||
                   about.rule == order::Rule::host_threads_only;
  if (two && about.other != kNone) unordered_.emplace_back(about.other, about.op);
  if (about.recorded_later) early_waits_.emplace_back(about.op, &made);
  known = {&made, about.op};
  return &made;
}

void Findings::weigh_early_waits() {
  const auto races = [this](OpIndex wait) {
    const trace::Track& track = trace_.tracks()[trace_.track_of(wait)];
    const bool recorded = track.source < trace_.sources().size() &&
                          trace::is_recording(trace_, trace_.sources()[track.source]);
    const auto after = [&](OpIndex op) { return op > wait && op < track.end; };
    return !recorded || std::any_of(unordered_.begin(), unordered_.end(), [&](const auto& pair) {
      return after(pair.first) || after(pair.second);
    });
  };
  std::unordered_map<order::PlacedFinding*, bool> race_follows;
  for (const auto& [wait, made] : early_waits_) race_follows[made] |= races(wait);
  for (const auto& [made, follows] : race_follows) {
    if (follows) continue;
    made->level = order::Level::note;
    made->repair = order::sentences::kFirstRoundRepair;
  }
}

void Findings::add(const trace::Remark& remark) {
  order::PlacedFinding& made = found_.emplace_back();
  made.rule = order::Rule::import_fault;
  made.level = order::Level::warning;
  made.op_info.what = "the file";
  if (remark.source < trace_.sources().size()) {
    made.op_info.place.file = trace_.text(trace_.sources()[remark.source].file);
  }
  const auto sources = trace_.sources();
  const bool lines =
      remark.source < sources.size() && trace::has_lines(trace_, sources[remark.source]);
  if (lines) made.op_info.place.line = remark.line;
  made.text = remark.text;
}

std::vector<order::PlacedFinding> Findings::take() {
  known_.clear();
  return {std::make_move_iterator(found_.begin()), std::make_move_iterator(found_.end())};
}

}  // namespace check
