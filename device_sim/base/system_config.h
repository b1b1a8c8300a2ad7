// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "device_sim/base/sanitizer.h"
#include "device_sim/base/strategy_spec.h"

namespace sim {

/// How ops are given to threads.
enum class Schedule : std::uint8_t {
  threads,  // a pool of workers: real concurrency, no order beyond what the program asks for
  seeded,   // one op at a time, the next chosen by a strategy with a seed
};

/// The accesses of the host to device memory that the machine allows.
enum class HostAccess : std::uint8_t {
  open,   // read and write it (programs that do by mistake still run)
  guard,  // nothing: the program stops with a diagnosis, as it would crash on hardware
};

/// How two devices are connected. The values are bits that the runtime interface reports.
enum class LinkKind : std::uint8_t {
  none = 0,
  hccs = 0x01,
  pix = 0x02,
  phb = 0x08,
  sys = 0x10,
  sio = 0x20,
  hccs_sw = 0x40,
};

/// The cost of using a link in one direction.
struct LinkCost {
  std::uint64_t latency_ns = 0;
  double bytes_per_second = 0;
};

enum class Topology : std::uint8_t {
  all_to_all,  // every device reaches every other through one switch
  two_groups,  // groups of four under one switch each; no path between groups
};

/// The machine as plain data. The defaults are a working machine of eight devices.
struct SystemConfig {
  int devices = 8;
  std::size_t memory_bytes = kSanitized ? std::size_t{1} << 30 : std::size_t{32} << 30;
  std::size_t pinned_bytes = kSanitized ? std::size_t{4} << 30 : std::size_t{64} << 30;
  // Addresses that programs can reserve to map memory at.
  std::size_t mapping_bytes = kSanitized ? std::size_t{16} << 30 : std::size_t{8} << 40;
  std::size_t memory_budget_bytes = 0;  // 0: 80 % of the host's available memory
  HostAccess host_access = HostAccess::open;
  bool bars_hosts = false;   // the owner of the machine may bar host threads from memory for a time
  bool closes_free = false;  // pages of devices that hold no allocation are closed to the program

  int workers_per_device = 2;
  int pool_threads = 0;  // 0: as many as the host has cores
  Schedule schedule = Schedule::threads;
  std::uint64_t seed = 1;
  StrategySpec strategy;       // of a seeded schedule
  std::string decisions_path;  // where its departures from the plain order are written; or empty

  Topology topology = Topology::all_to_all;
  int peer_limit = 0;  // peers that one device may enable at once; 0: no limit
  LinkCost hccs{700, 16.5e9};
  LinkCost pix{1500, 20e9};
  LinkCost on_chip{100, 580e9};
  LinkCost host{2000, 22e9};

  int streams_per_device = 1984;
  int events_per_device = 65536;
  int notifies_per_device = 65535;

  std::string soc_name = "Ascend910B1";
  int ai_cores = 24;
  int vector_cores = 48;
};

}  // namespace sim
