// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/results/track_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "tools/replay/results/naming.h"

namespace replay {
namespace {

using trace::kNone;
using trace::OpIndex;
using trace::Trace;
using trace::TrackIndex;

/// A rank and a device of a trace that have work; the device is -1 for host threads.
using RankDevice = std::pair<std::int32_t, std::int32_t>;

RankDevice rank_device_of(const Trace& trace, const trace::Track& track) {
  return {trace.ranks()[track.rank].id,
          track.device == kNone ? -1 : trace.devices()[track.device].id};
}

std::map<RankDevice, std::vector<TrackIndex>> by_rank_device(const Trace& trace) {
  std::map<RankDevice, std::vector<TrackIndex>> devices;
  for (TrackIndex l = 0; l < trace.tracks().size(); ++l) {
    const trace::Track& track = trace.tracks()[l];
    if (track.size() != 0) devices[rank_device_of(trace, track)].push_back(l);
  }
  return devices;
}

std::vector<std::int32_t> ranks_with_work(const Trace& trace) {
  std::set<std::int32_t> found;
  for (const trace::Track& track : trace.tracks()) {
    if (track.size() != 0) found.insert(trace.ranks()[track.rank].id);
  }
  return {found.begin(), found.end()};
}

/// Names of a track with how often it has them.
std::map<std::string, std::uint32_t> words_of(const Trace& trace, TrackIndex l) {
  std::map<std::string, std::uint32_t> words;
  for (OpIndex op = trace.tracks()[l].begin; op < trace.tracks()[l].end; ++op) {
    ++words[op_title(trace, op)];
  }
  return words;
}

std::uint64_t common(const std::map<std::string, std::uint32_t>& a,
                     const std::map<std::string, std::uint32_t>& b) {
  std::uint64_t sum = 0;
  for (const auto& [word, count] : a) {
    const auto found = b.find(word);
    if (found != b.end()) sum += std::min(count, found->second);
  }
  return sum;
}

class Pairing {
 public:
  Pairing(const Trace& a, const Trace& b)
      : a_(a), b_(b), of_a_(by_rank_device(a)), of_b_(by_rank_device(b)) {}

  TrackPairs pair() {
    pair_ranks();
    for (const auto& [rank_a, rank_b] : ranks_) pair_devices(rank_a, rank_b);
    for (const auto& [place, tracks] : of_a_) {
      for (const TrackIndex l : tracks) found_.tracks.emplace_back(l, kNone);
    }
    for (const auto& [place, tracks] : of_b_) {
      for (const TrackIndex l : tracks) found_.tracks.emplace_back(kNone, l);
    }
    std::stable_sort(found_.tracks.begin(), found_.tracks.end(),
                     [](const auto& x, const auto& y) { return x.first < y.first; });
    return std::move(found_);
  }

 private:
  /// Pairs ranks with the same number, then the remaining ranks of both sides in their order.
  void pair_ranks() {
    std::vector<std::int32_t> a = ranks_with_work(a_);
    std::vector<std::int32_t> b = ranks_with_work(b_);
    std::vector<std::int32_t> left_a, left_b;
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(left_a));
    std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(left_b));
    for (const std::int32_t rank : a) {
      if (std::binary_search(b.begin(), b.end(), rank)) ranks_.emplace_back(rank, rank);
    }
    for (std::size_t r = 0; r < std::min(left_a.size(), left_b.size()); ++r) {
      ranks_.emplace_back(left_a[r], left_b[r]);
      found_.renamed.push_back(
          fmt::format("rank {} is compared with rank {}", left_a[r], left_b[r]));
    }
  }

  static std::vector<RankDevice> devices_of(
      const std::map<RankDevice, std::vector<TrackIndex>>& all, std::int32_t rank) {
    std::vector<RankDevice> found;
    for (const auto& [place, tracks] : all) {
      if (place.first == rank && place.second >= 0) found.push_back(place);
    }
    return found;
  }

  void pair_devices(std::int32_t rank_a, std::int32_t rank_b) {
    pair_device({rank_a, -1}, {rank_b, -1});
    std::vector<RankDevice> a = devices_of(of_a_, rank_a);
    std::vector<RankDevice> b = devices_of(of_b_, rank_b);
    const auto take = [&](std::size_t i, std::size_t k) {
      pair_device(a[i], b[k]);
      a.erase(a.begin() + static_cast<std::ptrdiff_t>(i));
      b.erase(b.begin() + static_cast<std::ptrdiff_t>(k));
    };
    for (std::size_t i = a.size(); i-- > 0;) {
      const auto same = std::find_if(b.begin(), b.end(),
                                     [&](const RankDevice& p) { return p.second == a[i].second; });
      if (same != b.end()) take(i, static_cast<std::size_t>(same - b.begin()));
    }
    while (!a.empty() && !b.empty()) take(0, 0);
  }

  void pair_device(const RankDevice& device_a, const RankDevice& device_b) {
    const auto found_a = of_a_.find(device_a);
    const auto found_b = of_b_.find(device_b);
    if (found_a == of_a_.end() || found_b == of_b_.end()) return;
    std::vector<TrackIndex> a = found_a->second;
    std::vector<TrackIndex> b = found_b->second;
    pair_same_numbers(a, b);
    pair_alike(a, b);
    set_left(found_a, of_a_, a);
    set_left(found_b, of_b_, b);
  }
  using ByRankDevice = std::map<RankDevice, std::vector<TrackIndex>>;
  static void set_left(ByRankDevice::iterator at, ByRankDevice& all,
                       const std::vector<TrackIndex>& left) {
    at->second = left;
    if (left.empty()) all.erase(at);
  }

  void pair_same_numbers(std::vector<TrackIndex>& a, std::vector<TrackIndex>& b) {
    std::erase_if(a, [&](TrackIndex l) {
      const auto same = std::find_if(b.begin(), b.end(), [&](TrackIndex m) {
        return a_.tracks()[l].id == b_.tracks()[m].id;  // planes of one stream have their order
      });
      if (same == b.end()) return false;
      found_.tracks.emplace_back(l, *same);
      b.erase(same);
      return true;
    });
  }

  /// The pairs with the most operations in common, the best pair first.
  void pair_alike(std::vector<TrackIndex>& a, std::vector<TrackIndex>& b) {
    constexpr std::size_t kCompared = 64;  // tracks of a side
    if (a.size() > kCompared || b.size() > kCompared || a.empty() || b.empty()) return;
    std::vector<std::map<std::string, std::uint32_t>> words_b;
    for (const TrackIndex m : b) words_b.push_back(words_of(b_, m));
    std::vector<std::tuple<std::uint64_t, std::size_t, std::size_t>> alike;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const auto words = words_of(a_, a[i]);
      for (std::size_t k = 0; k < b.size(); ++k) {
        const std::uint64_t count = common(words, words_b[k]);
        if (count != 0) alike.emplace_back(count, i, k);
      }
    }
    std::stable_sort(alike.begin(), alike.end(),
                     [](const auto& x, const auto& y) { return std::get<0>(x) > std::get<0>(y); });
    std::set<TrackIndex> used_a, used_b;
    for (const auto& [count, i, k] : alike) {
      if (used_a.contains(a[i]) || used_b.contains(b[k])) continue;
      used_a.insert(a[i]);
      used_b.insert(b[k]);
      found_.tracks.emplace_back(a[i], b[k]);
      found_.renamed.push_back(
          fmt::format("{} is compared with {}", track_name(a_, a[i]), track_name(b_, b[k])));
    }
    std::erase_if(a, [&](TrackIndex l) { return used_a.contains(l); });
    std::erase_if(b, [&](TrackIndex l) { return used_b.contains(l); });
  }

  const Trace& a_;
  const Trace& b_;
  ByRankDevice of_a_, of_b_;  // not paired yet
  std::vector<std::pair<std::int32_t, std::int32_t>> ranks_;
  TrackPairs found_;
};

}  // namespace

TrackPairs pair_tracks(const trace::Trace& a, const trace::Trace& b) {
  return Pairing(a, b).pair();
}

}  // namespace replay
