// SPDX-License-Identifier: Apache-2.0
// The sections [machine], [limits] and [link].
#include <fmt/format.h>

#include <stdexcept>

#include "device_sim/base/link_description.h"
#include "device_sim/base/strategy_spec.h"
#include "runtime/acl/base/config_tables.h"
#include "runtime/acl/base/config_values.h"

namespace acl::settings {
namespace {

using System = sim::SystemConfig;

template <class T>
Setter integer(T System::*field, T low, T high) {
  return [=](Config& config, const std::string& value, const std::string& where) {
    config.system.*field = number<T>(value, where, low, high);
  };
}

Setter size(std::size_t System::*field) {
  return [=](Config& config, const std::string& value, const std::string& where) {
    config.system.*field = bytes(value, where);
  };
}

template <class T>
Setter one_of(T System::*field, const std::vector<std::pair<const char*, T>>& choices) {
  return [=](Config& config, const std::string& value, const std::string& where) {
    config.system.*field = choice<T>(value, where, choices);
  };
}

void set_strategy(Config& config, const std::string& value, const std::string& where) {
  try {
    config.system.strategy = sim::parse_strategy(value);
  } catch (const std::invalid_argument& wrong) {
    refuse(where, value, wrong.what());
  }
}

void set_soc(Config& config, const std::string& value, const std::string& where) {
  if (value.empty() || value.size() > 31) refuse(where, value, "a name of 1 to 31 characters");
  config.system.soc_name = value;
}

void set_kernel_timeout_interval(Config& config, const std::string& value,
                                 const std::string& where) {
  config.kernel_timeout_interval_us =
      number<std::uint32_t>(value, where, 1, 16'000'000, " (microseconds)");
}

Setter device_limit(std::uint32_t Config::DeviceLimits::*field) {
  return [=](Config& config, const std::string& value, const std::string& where) {
    config.device_limits.*field = number<std::uint32_t>(value, where, 0, UINT32_MAX, " (bytes)");
  };
}

/// The place of a kind of link in the configuration; nullptr: the emulated machine has no link of
/// this kind, and only replays read its cost.
sim::LinkCost System::*link_field(std::string_view name) {
  if (name == "hccs") return &System::hccs;
  if (name == "pix") return &System::pix;
  if (name == "on_chip") return &System::on_chip;
  if (name == "host") return &System::host;
  return nullptr;
}

void add_link(Table& table, std::string_view name) {
  sim::LinkCost System::*const field = link_field(name);
  for (const std::string_view key : {sim::kLatencyKey, sim::kBandwidthKey}) {
    table.push_back({fmt::format("link.{}.{}", name, key), nullptr,
                     [=](Config& config, const std::string& value, const std::string& where) {
                       sim::LinkCost unused;
                       sim::LinkCost& link = field ? config.system.*field : unused;
                       try {
                         sim::set_link_value(link, key, value);
                       } catch (const std::invalid_argument& wrong) {
                         refuse(where, value, wrong.what());
                       }
                     }});
  }
}

}  // namespace

Table machine_table() {
  using sim::HostAccess;
  using sim::Schedule;
  using sim::Topology;
  return {
      {"machine.devices", "ACLSIM_DEVICES", integer<int>(&System::devices, 0, 1024)},
      {"machine.memory", "ACLSIM_MEMORY", size(&System::memory_bytes)},
      {"machine.pinned_memory", nullptr, size(&System::pinned_bytes)},
      {"machine.memory_budget", nullptr, size(&System::memory_budget_bytes)},
      {"machine.workers", "ACLSIM_WORKERS", integer<int>(&System::workers_per_device, 1, 64)},
      {"machine.pool_threads", nullptr, integer<int>(&System::pool_threads, 0, 1024)},
      {"machine.schedule", "ACLSIM_SCHEDULE",
       one_of<Schedule>(&System::schedule,
                        {{"threads", Schedule::threads}, {"seeded", Schedule::seeded}})},
      {"machine.seed", "ACLSIM_SEED", integer<std::uint64_t>(&System::seed, 0, UINT64_MAX)},
      {"machine.strategy", "ACLSIM_STRATEGY", set_strategy},
      {"machine.host_access", "ACLSIM_HOST_ACCESS",
       one_of<HostAccess>(&System::host_access,
                          {{"open", HostAccess::open}, {"guard", HostAccess::guard}})},
      {"machine.topology", "ACLSIM_TOPOLOGY",
       one_of<Topology>(&System::topology, {{"all-to-all", Topology::all_to_all},
                                            {"two-groups", Topology::two_groups}})},
      {"machine.soc", "ACLSIM_SOC", set_soc},
      {"machine.ai_cores", nullptr, integer<int>(&System::ai_cores, 1, 1024)},
      {"machine.vector_cores", nullptr, integer<int>(&System::vector_cores, 1, 1024)},
  };
}

Table limits_table() {
  using Limits = Config::DeviceLimits;
  return {
      {"limits.streams", nullptr, integer<int>(&System::streams_per_device, 1, 1 << 20)},
      {"limits.events", nullptr, integer<int>(&System::events_per_device, 1, 1 << 20)},
      {"limits.notifies", nullptr, integer<int>(&System::notifies_per_device, 1, 1 << 20)},
      {"limits.peers", nullptr, integer<int>(&System::peer_limit, 0, 1024)},
      {"limits.kernel_timeout_interval", nullptr, set_kernel_timeout_interval},
      {"limits.simt_stack", nullptr, device_limit(&Limits::simt_stack)},
      {"limits.simt_warp_stack", nullptr, device_limit(&Limits::simt_warp_stack)},
      {"limits.simd_stack", nullptr, device_limit(&Limits::simd_stack)},
      {"limits.simd_printf", nullptr, device_limit(&Limits::simd_printf)},
      {"limits.simt_printf", nullptr, device_limit(&Limits::simt_printf)},
  };
}

Table link_table() {
  Table table;
  for (const std::string_view name : sim::kLinkNames) add_link(table, name);
  return table;
}

}  // namespace acl::settings
