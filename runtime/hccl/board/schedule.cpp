// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/board/schedule.h"

#include <algorithm>
#include <map>

namespace hccl {
namespace {

std::uint64_t whole(std::uint64_t bytes) { return (bytes + kGrain - 1) / kGrain * kGrain; }

/// Numbers the parts between each two ranks. Both ranks count them in the order of their steps.
Schedule numbered(Schedule schedule) {
  std::map<int, std::uint64_t> given;
  std::map<int, std::uint64_t> taken;
  for (Step& step : schedule.steps) {
    if (step.given.peer >= 0) step.given.number = ++given[step.given.peer];
    if (step.taken.peer >= 0) step.taken.number = ++taken[step.taken.peer];
  }
  return schedule;
}

/// A chunk of the buffer as it passes a rank of the ring.
struct Pass {
  std::uint64_t time;
  bool result;
  Step step;
};

/// Chunks are small enough for ranks to work at the same time, and large enough that bytes cost
/// more than messages.
std::uint64_t chunk_bytes(std::uint64_t bytes) {
  constexpr std::uint64_t kLeast = 128 << 10;
  constexpr std::uint64_t kPieces = 32;
  return std::max(kLeast, whole((bytes + kPieces - 1) / kPieces));
}

Range half(const Range& of, bool second) {
  const std::uint64_t middle = std::min(of.end, of.begin + whole((of.end - of.begin + 1) / 2));
  return second ? Range{middle, of.end} : Range{of.begin, middle};
}

Step::Part part_of(int peer, const Range& range) {
  if (range.begin == range.end) return {};
  return {.peer = peer, .offset = range.begin, .bytes = range.end - range.begin};
}

}  // namespace

Schedule ring_all_reduce(int me, int ranks, std::uint64_t bytes) {
  const int next = (me + 1) % ranks;
  const int before = (me + ranks - 1) % ranks;
  const int last = ranks - 1;
  const auto at = static_cast<std::uint64_t>(me);
  const std::uint64_t each = chunk_bytes(bytes);
  std::vector<Pass> passes;
  std::uint64_t time = 0;
  for (std::uint64_t begin = 0; begin < bytes; begin += each, ++time) {
    const Range chunk{begin, std::min(begin + each, bytes)};
    Step partial{.given = part_of(next, chunk), .own = true};
    partial.given.staged = me != last;
    partial.given.place = begin;
    if (me != 0) partial.taken = part_of(before, chunk);
    partial.taken.staged = me != 0;
    partial.taken.place = begin;
    partial.completes = me == last;
    passes.push_back({time + at, false, partial});
    if (me == last) continue;
    Step result{.taken = part_of(before, chunk), .completes = true};
    if (next != last) result.given = part_of(next, chunk);
    passes.push_back({time + at + static_cast<std::uint64_t>(ranks), true, result});
  }
  // Sorted by the time at which the chunk passes, assuming equal steps: both ends of a connection
  // have the same order.
  std::stable_sort(passes.begin(), passes.end(), [](const Pass& one, const Pass& other) {
    return one.time != other.time ? one.time < other.time : one.result < other.result;
  });
  Schedule schedule{.staging_bytes = me == 0 ? 0 : whole(bytes)};
  for (const Pass& pass : passes) schedule.steps.push_back(pass.step);
  return numbered(std::move(schedule));
}

Schedule halving_doubling_all_reduce(int me, int ranks, std::uint64_t bytes) {
  Schedule schedule;
  std::vector<Range> parts{{0, bytes}};  // the part of this rank after each halving
  std::uint64_t largest = bytes;         // size of the largest part of any rank
  for (int distance = 1; distance < ranks; distance *= 2) {
    const int partner = me ^ distance;
    const bool second = (me & distance) != 0;
    largest = whole((largest + 1) / 2);
    Step gives{.given = part_of(partner, half(parts.back(), !second)), .own = distance == 1};
    Step takes{.taken = part_of(partner, half(parts.back(), second)), .own = distance == 1};
    takes.completes = distance == ranks / 2;
    for (Step::Part* const part : {&gives.given, &takes.taken}) {
      part->staged = true;
      part->place = schedule.staging_bytes;  // a separate place, as the next partner may be early
    }
    schedule.steps.push_back(gives);
    schedule.steps.push_back(takes);
    schedule.staging_bytes += largest;
    parts.push_back(half(parts.back(), second));
  }
  for (int distance = ranks / 2; distance >= 1; distance /= 2) {
    const Range mine = parts.back();
    parts.pop_back();
    const bool second = (me & distance) != 0;
    const int partner = me ^ distance;
    schedule.steps.push_back({.given = part_of(partner, mine)});
    schedule.steps.push_back(
        {.taken = part_of(partner, half(parts.back(), !second)), .completes = true});
  }
  return numbered(std::move(schedule));
}

Schedule ring_all_gather(int me, const std::vector<std::vector<Range>>& ranges) {
  const auto ranks = static_cast<int>(ranges.size());
  Schedule schedule;
  for (int turn = 0; turn < ranks; ++turn) {
    for (const Range& range : ranges[static_cast<std::size_t>((me - turn + ranks) % ranks)]) {
      Step step{.completes = turn > 0};
      if (turn > 0) step.taken = part_of((me + ranks - 1) % ranks, range);
      if (turn + 1 < ranks) step.given = part_of((me + 1) % ranks, range);
      schedule.steps.push_back(step);
    }
  }
  return numbered(std::move(schedule));
}

}  // namespace hccl
