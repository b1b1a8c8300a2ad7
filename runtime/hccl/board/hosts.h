// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace hccl {

/// The mapping from ranks to hosts, and the choice of the rank that represents a host towards a
/// rank of another host. All ranks compute the same results.
class Hosts {
 public:
  /// `servers`: the server number of each rank, from 0. Ranks with the same number share a host.
  explicit Hosts(std::vector<std::uint32_t> servers) : servers_(std::move(servers)) {
    for (std::size_t rank = 0; rank < servers_.size(); ++rank) {
      if (servers_[rank] >= ranks_.size()) ranks_.resize(servers_[rank] + 1);
      ranks_[servers_[rank]].push_back(static_cast<int>(rank));
    }
    fewest_ = servers_.size();
    for (const std::vector<int>& ranks : ranks_) fewest_ = std::min(fewest_, ranks.size());
    in_order_ = std::is_sorted(servers_.begin(), servers_.end());
  }

  std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(ranks_.size()); }
  std::uint32_t ranks() const noexcept { return static_cast<std::uint32_t>(servers_.size()); }
  std::uint32_t host_of(int rank) const noexcept {
    return servers_[static_cast<std::size_t>(rank)];
  }
  const std::vector<int>& ranks_of(std::uint32_t host) const noexcept { return ranks_[host]; }
  /// Whether the ranks of each host are consecutive.
  bool in_order() const noexcept { return in_order_; }
  /// Whether there are several hosts, one of them with several ranks.
  bool layered() const noexcept { return count() > 1 && count() < servers_.size(); }
  /// The rank of `host` that communicates with rank `other` of another host. The ranks of the host
  /// share these tasks evenly.
  int agent(std::uint32_t host, int other) const noexcept {
    const std::vector<int>& ranks = ranks_[host];
    return ranks[static_cast<std::size_t>(other) % ranks.size()];
  }
  /// The index of the rank among the ranks of its host, from 0.
  std::size_t place_on_host(int rank) const noexcept {
    const std::vector<int>& ranks = ranks_of(host_of(rank));
    return static_cast<std::size_t>(std::find(ranks.begin(), ranks.end(), rank) - ranks.begin());
  }
  /// The number of ranks of the host that has the fewest.
  std::size_t fewest_ranks() const noexcept { return fewest_; }
  /// The index of `from` among the ranks of other hosts, as seen by `to`.
  std::size_t place_of_rank(int from, int to) const noexcept {
    const std::uint32_t host = host_of(to);
    return static_cast<std::size_t>(
        std::count_if(servers_.begin(), servers_.begin() + from,
                      [&](std::uint32_t other) { return other != host; }));
  }
  /// The index of the host among all hosts without the one of `to`.
  std::size_t place_of_host(std::uint32_t host, int to) const noexcept {
    return host < host_of(to) ? host : host - std::size_t{1};
  }

 private:
  std::vector<std::uint32_t> servers_;
  std::vector<std::vector<int>> ranks_;
  std::size_t fewest_ = 0;
  bool in_order_ = true;
};

}  // namespace hccl
