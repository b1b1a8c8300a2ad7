// SPDX-License-Identifier: Apache-2.0
#include "tools/check/functions.h"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/trace/outcome.h"

namespace check {

using trace::kNone;
using trace::OpKind;

namespace {

constexpr std::string_view kHostFunction = "host function";

struct Mark {
  OpIndex op;
  std::uint64_t begins, ends;  // numbers of ops
};

std::uint64_t key_of(const trace::Track& track, std::uint64_t number) {
  return std::uint64_t{track.source} << 32 | number;
}

}  // namespace

Functions::Functions(const trace::Trace& trace) {
  std::vector<Mark> all;
  std::unordered_map<std::uint64_t, OpIndex> calls;  // by source and number
  for (const trace::TrackIndex host : trace.hosts()) {
    const trace::Track& track = trace.tracks()[host];
    for (OpIndex op = track.begin; op < track.end; ++op) {
      if (trace[op].kind != OpKind::mark || trace.args(op).empty()) continue;
      const trace::Outcome outcome = trace::outcome_of(trace, op);
      if (outcome.begins == 0 && outcome.ends == 0) continue;
      all.push_back({op, key_of(track, outcome.begins), key_of(track, outcome.ends)});
      if (outcome.begins == 0) all.back().begins = 0;
      if (outcome.ends == 0) all.back().ends = 0;
    }
  }
  if (all.empty()) return;
  for (const trace::Track& track : trace.tracks()) {
    for (OpIndex op = track.begin; op < track.end; ++op) {
      if (trace[op].kind == OpKind::callback) calls[key_of(track, trace.id(op))] = op;
    }
  }
  for (const Mark& mark : all) {
    const auto begins = calls.find(mark.begins);
    if (mark.begins != 0 && begins != calls.end()) {
      rows_[begins->second].begin = mark.op;
      begins_[mark.op] = begins->second;
    }
    const auto ends = calls.find(mark.ends);
    if (mark.ends != 0 && ends != calls.end()) {
      rows_[ends->second].end = mark.op;
      ends_[mark.op] = ends->second;
    }
  }
}

bool runs_by_itself(const trace::Trace& trace, OpIndex op) {
  return trace[op].kind == OpKind::callback && trace.name(op) == kHostFunction;
}

}  // namespace check
