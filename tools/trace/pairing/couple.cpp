// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/pairing/couple.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "tools/trace/pairing/evidence.h"

namespace trace {
namespace {

using Row = std::vector<OpIndex>;           // collectives of one rank, by their number
using Rows = std::map<std::uint32_t, Row>;  // by rank

bool guessed(Provenance how) { return how == Provenance::issue || how == Provenance::order; }

/// Groups that are guessed, or that files name without members.
std::map<std::uint32_t, Rows> guessed_groups(const Trace& trace) {
  std::map<std::uint32_t, Rows> groups;
  for (const Track& track : trace.tracks()) {
    for (OpIndex op = track.begin; op < track.end; ++op) {
      if (trace[op].kind != OpKind::collective || trace[op].use == kNone) continue;
      const CommUse& use = trace.comm(op);
      if (use.group != kNone && guessed(use.how)) {
        groups[use.group][track.rank].push_back(op);
      }
    }
  }
  for (auto& [group, rows] : groups) {
    for (auto& [rank, row] : rows) {
      std::sort(row.begin(), row.end(),
                [&](OpIndex a, OpIndex b) { return trace.comm(a).tag < trace.comm(b).tag; });
    }
  }
  return groups;
}

bool same_order(const Trace& trace, const Row& a, const Row& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](OpIndex x, OpIndex y) { return trace.comm(x).kind == trace.comm(y).kind; });
}

/// Whether more than one in twenty pairs did not run at one time.
bool times_contradict(const Trace& trace, const Row& a, const Row& b) {
  std::size_t apart = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (trace.start(a[k]) == kNoTime || trace.start(b[k]) == kNoTime) continue;
    const Nanoseconds last_start = std::max(trace.start(a[k]), trace.start(b[k]));
    const Nanoseconds first_end = std::min(trace.start(a[k]) + trace.duration(a[k]),
                                           trace.start(b[k]) + trace.duration(b[k]));
    apart += last_start > first_end + kClockSlack;
  }
  return apart * 20 > a.size();
}

const char* against(const Trace& trace, const Rows& rows) {
  const Row& first = rows.begin()->second;
  for (const auto& [rank, row] : rows) {
    if (!same_order(trace, first, row)) return "ranks have others, or in another order";
  }
  for (const auto& [rank, row] : rows) {
    if (times_contradict(trace, first, row)) return "ranks ran them at other times";
  }
  return nullptr;
}

}  // namespace

void couple_collectives(Trace& trace) {
  for (const auto& [group, rows] : guessed_groups(trace)) {
    const char* const why = rows.size() < 2 ? nullptr : against(trace, rows);
    // One rank of a group of known size meets no other rank here, but its size gives the cost.
    const bool sized = rows.size() < 2 && trace.groups()[group].size > 1;
    if ((rows.size() < 2 && !sized) || why) {
      for (const auto& [rank, row] : rows) {
        for (const OpIndex op : row) trace.comm(op).group = kNone;
      }
    }
    if (rows.size() < 2) continue;
    const std::string& name = trace.text(trace.groups()[group].name);
    const std::size_t count = rows.begin()->second.size();
    trace.add_remark(
        why ? Remark{Level::warning,
                     fmt::format("collectives of {} are not coupled: {}", name, why), kNone, 0}
            : Remark{Level::note,
                     fmt::format("{} collectives of {} ranks ({}) are known by their names; the "
                                 "k-th of each rank are taken as one",
                                 count, rows.size(), name),
                     kNone, 0});
  }
}

}  // namespace trace
