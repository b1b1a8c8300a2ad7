// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tools/launch/hosts.h"

namespace launch {

using Variables = std::vector<std::pair<std::string, std::string>>;

/// The assignment of ranks to hosts.
class Layout {
 public:
  /// All ranks on this host.
  explicit Layout(int ranks);
  /// Ranks are assigned in the order of the hosts. Hosts without slots share the ranks that the
  /// others leave. Throws std::runtime_error if the slots do not suffice.
  Layout(int ranks, std::vector<Host> hosts);

  int ranks() const { return ranks_; }
  int hosts() const { return static_cast<int>(counts_.size()); }
  int first_of(int host) const;
  int count_of(int host) const { return counts_[static_cast<std::size_t>(host)]; }
  const std::vector<Host>& names() const { return names_; }

  /// The rank table in the form of version 1.0, the same text on every host. `addresses` contains
  /// the address of each host.
  std::string rank_table(const std::vector<std::string>& addresses) const;

 private:
  int ranks_;
  std::vector<Host> names_;  // empty: this host alone
  std::vector<int> counts_;
};

/// The address and the file by which the ranks of a job find each other.
struct Rendezvous {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;
  std::string rank_table;  // the path
};

/// The variables that programs read: RANK_TABLE_FILE, RANK_ID, RANK_SIZE, DEVICE_ID,
/// ASCEND_DEVICE_ID, RANK, WORLD_SIZE, LOCAL_RANK, LOCAL_WORLD_SIZE, MASTER_ADDR, MASTER_PORT.
Variables variables_of(const Layout& layout, int host, int local_rank,
                       const Rendezvous& rendezvous);

}  // namespace launch
