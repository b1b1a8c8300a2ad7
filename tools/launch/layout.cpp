// SPDX-License-Identifier: Apache-2.0
#include "tools/launch/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

namespace launch {
namespace {

/// Divides `count` by `parts` as evenly as possible; the first parts receive one more.
int share(int count, int parts, int part) { return count / parts + (part < count % parts ? 1 : 0); }

std::vector<int> spread(int ranks, const std::vector<Host>& hosts) {
  std::vector<int> counts(hosts.size(), 0);
  int left = ranks;
  int open = 0;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    counts[i] = std::min(left, hosts[i].slots);
    left -= counts[i];
    if (hosts[i].slots == 0) ++open;
  }
  if (left > 0 && open == 0) {
    throw std::runtime_error(
        fmt::format("{} ranks, but the hosts have {} slots", ranks, ranks - left));
  }
  for (std::size_t i = 0, part = 0; i < hosts.size(); ++i) {
    if (hosts[i].slots == 0) counts[i] = share(left, open, static_cast<int>(part++));
  }
  return counts;
}

}  // namespace

Layout::Layout(int ranks) : ranks_(ranks), counts_{ranks} {}

Layout::Layout(int ranks, std::vector<Host> hosts)
    : ranks_(ranks), names_(std::move(hosts)), counts_(spread(ranks, names_)) {}

int Layout::first_of(int host) const {
  return std::accumulate(counts_.begin(), counts_.begin() + host, 0);
}

std::string Layout::rank_table(const std::vector<std::string>& addresses) const {
  nlohmann::ordered_json servers = nlohmann::ordered_json::array();
  for (int host = 0; host < hosts(); ++host) {
    nlohmann::ordered_json devices = nlohmann::ordered_json::array();
    for (int local = 0; local < count_of(host); ++local) {
      devices.push_back({{"device_id", std::to_string(local)},
                         {"device_ip", fmt::format("192.168.{}.{}", host % 256, 100 + local % 150)},
                         {"rank_id", std::to_string(first_of(host) + local)}});
    }
    if (!devices.empty()) {
      const std::string& address = addresses[static_cast<std::size_t>(host)];
      servers.push_back({{"server_id", address}, {"host_ip", address}, {"device", devices}});
    }
  }
  const nlohmann::ordered_json table = {{"version", "1.0"},
                                        {"server_count", std::to_string(servers.size())},
                                        {"server_list", servers},
                                        {"status", "completed"}};
  return table.dump(2) + "\n";
}

Variables variables_of(const Layout& layout, int host, int local_rank,
                       const Rendezvous& rendezvous) {
  const std::string rank = std::to_string(layout.first_of(host) + local_rank);
  const std::string ranks = std::to_string(layout.ranks());
  const std::string local = std::to_string(local_rank);
  return {{"RANK_TABLE_FILE", rendezvous.rank_table},
          {"RANK_ID", rank},
          {"RANK_SIZE", ranks},
          {"DEVICE_ID", local},
          {"ASCEND_DEVICE_ID", local},
          {"RANK", rank},
          {"WORLD_SIZE", ranks},
          {"LOCAL_RANK", local},
          {"LOCAL_WORLD_SIZE", std::to_string(layout.count_of(host))},
          {"MASTER_ADDR", rendezvous.address},
          {"MASTER_PORT", std::to_string(rendezvous.port)}};
}

}  // namespace launch
