// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/comm/bring_up.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <set>
#include <thread>
#include <utility>

#include "runtime/fabric/store/held_stores.h"
#include "runtime/hccl/base/error.h"
#include "runtime/hccl/base/guard.h"
#include "runtime/hccl/comm/registry.h"
#include "runtime/hccl/links/links.h"

namespace hccl {
namespace {

using fabric::HostedStore;
using fabric::Identity;
using fabric::RootInfo;

/// Stores of the root infos that this process has made, until a rank of this process has joined.
fabric::HeldStores& held_stores() {
  static auto* const all = new fabric::HeldStores;  // programs call in until the process exits
  return *all;
}

std::string hex(const Identity::Nonce& nonce, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) {
    text += fmt::format("{:02x}", static_cast<unsigned>(nonce[i]));
  }
  return text;
}

std::int32_t physical(int device) {
  std::int32_t id = device;
  aclrtGetPhyDevIdByLogicDevId(device, &id);
  return id;
}

/// Two ranks of one host need two devices.
void require_own_device(const fabric::Group& group) {
  const RankCard mine = RankCard::unpack(group.peer(group.rank()).about);
  for (const int rank : group.ranks_of_host()) {
    if (rank == group.rank()) continue;
    if (RankCard::unpack(group.peer(rank).about).physical_device != mine.physical_device) continue;
    fail(HCCL_E_PARA,
         "ranks {} and {} have the same device, {}; each rank of a host needs one of its own "
         "(aclrtSetDevice; for more devices: ACLSIM_DEVICES)",
         std::min(rank, group.rank()), std::max(rank, group.rank()), mine.physical_device);
  }
}

struct Membership {
  std::uint32_t ranks = 0;
  std::uint32_t rank = 0;
  std::vector<std::string> servers{};
};

/// Forms the group after the store was joined.
std::shared_ptr<Communicator> form(std::unique_ptr<fabric::Store> store, const Membership& members,
                                   const CommOptions& options, int device, fabric::Moment end,
                                   std::shared_ptr<HostedStore> hosted) {
  fabric::GroupSpec spec;
  spec.rank = static_cast<int>(members.rank);
  spec.size = static_cast<int>(members.ranks);
  spec.servers = members.servers;
  spec.agreed = fmt::format("buffers of {} MB", options.buffer_mb);
  spec.about = RankCard{physical(device)}.pack();
  std::shared_ptr<fabric::Group> group = fabric::Group::form(std::move(store), spec, end);
  try {
    require_own_device(*group);
    return std::make_shared<Communicator>(group, options, device, std::move(hosted), end);
  } catch (const std::exception& error) {
    group->give_up(std::string("gave up: ") + error.what());
    throw;
  }
}

fabric::Moment connect_limit(const Settings& settings) {
  return fabric::Timekeeper::real().in(settings.connect_timeout);
}

std::shared_ptr<Communicator> join(std::uint32_t ranks, const RootInfo& info, std::uint32_t rank,
                                   CommOptions options, std::shared_ptr<HostedStore> hosted) {
  const Settings settings = Settings::from_environment();
  const int device = require_device();
  if (options.name.empty()) options.name = "hccl_" + hex(info.nonce, 16);
  const NameReservation reserved(options.name, rank);
  const fabric::Moment end = connect_limit(settings);
  auto store = fabric::join_store(
      info, settings.job_secret,
      {.rank = static_cast<int>(rank), .ranks = static_cast<int>(ranks), .end = end});
  return form(std::move(store), {ranks, rank}, options, device, end, std::move(hosted));
}

/// Reports the failure of a rank that has not joined the store, so that the other ranks do not wait
/// for it.
void give_up_for(HostedStore& hosted, int rank, const std::string& why) {
  fabric::Hub& hub = *hosted.hub();
  try {
    hub.lose(hub.join(rank, "a thread of HcclCommInitAll", [](const fabric::Departure&) {}), why);
  } catch (const fabric::FabricError&) {
    // the rank has joined, and its own store reports the failure
  }
}

}  // namespace

void make_root_info(HcclRootInfo& info) {
  const Settings settings = Settings::from_environment();
  const std::string address =
      settings.interface_address.empty() ? "::" : settings.interface_address;
  auto hosted = HostedStore::open(Identity::draw_nonce(), settings.job_secret, address);
  const fabric::Bytes bytes = hosted->root_info().pack();
  // The size of the array in HcclRootInfo.
  std::memset(info.internal, 0, RootInfo::kMostBytes);
  std::memcpy(info.internal, bytes.data(), bytes.size());
  held_stores().keep(std::move(hosted));
}

std::shared_ptr<Communicator> join_by_root_info(std::uint32_t ranks, const HcclRootInfo& info,
                                                std::uint32_t rank, const CommOptions& options) {
  const RootInfo root =
      RootInfo::unpack(std::as_bytes(std::span(info.internal).first(RootInfo::kMostBytes)));
  std::shared_ptr<HostedStore> held = held_stores().find(root.nonce);
  const acl::embedding::Outside outside(embedding());
  auto communicator = join(ranks, root, rank, options, held);
  // All ranks have joined: from here on the communicators of this process hold the store.
  held_stores().drop(root.nonce);
  return communicator;
}

std::shared_ptr<Communicator> join_by_table(const RankTable& table, std::uint32_t rank,
                                            CommOptions options) {
  const Settings settings = Settings::from_environment();
  const int device = require_device();
  if (rank >= table.ranks.size()) {
    fail(HCCL_E_PARA, "rank is {}; the rank table has ranks 0 to {}", rank, table.ranks.size() - 1);
  }
  if (options.name.empty()) options.name = "hccl_world_group";
  const NameReservation reserved(options.name, rank);
  const acl::embedding::Outside outside(embedding());
  const Identity::Nonce nonce = Identity::nonce_of(table.canonical());
  // Any process of the host can read or guess a rank table.
  const auto users = settings.job_secret.empty() ? Identity::Users::same : Identity::Users::any;
  std::shared_ptr<HostedStore> hosted;
  constexpr std::uint16_t kPorts = 16;
  std::vector<fabric::StorePlace> places;
  for (const std::string& address : table.store_addresses()) {
    for (std::uint16_t i = 0; i < kPorts; ++i) {
      places.push_back({address, static_cast<std::uint16_t>(settings.base_port + i)});
    }
  }
  for (std::uint16_t i = 0; rank == 0 && !hosted; ++i) {
    try {
      hosted = HostedStore::open(nonce, settings.job_secret,
                                 "::", static_cast<std::uint16_t>(settings.base_port + i), nullptr,
                                 users);
    } catch (const fabric::FabricError& error) {
      if (error.status() != fabric::Status::broken || i + 1 == kPorts) throw;
    }
  }
  const fabric::Moment end = connect_limit(settings);
  auto store = fabric::join_store(
      Identity(nonce, settings.job_secret, users), places,
      {.rank = static_cast<int>(rank), .ranks = static_cast<int>(table.ranks.size()), .end = end});
  Membership membership{static_cast<std::uint32_t>(table.ranks.size()), rank};
  for (const RankTable::Rank& each : table.ranks) membership.servers.push_back(each.server);
  return form(std::move(store), membership, options, device, end, std::move(hosted));
}

// The members have a store of their own. Its root info is published by their rank 0 in the store of
// the parent.
namespace {

RootInfo root_info_of_sub(Communicator& parent, const std::string& key, std::uint32_t first,
                          fabric::Moment end) {
  try {
    return RootInfo::unpack(parent.group().store().get(key, end));
  } catch (const fabric::StoreTimeout&) {
    throw fabric::FabricError(fabric::Status::timed_out,
                              fmt::format("rank {} of '{}', the first of rankIds, has not called "
                                          "with the same rankIds and subCommId in time",
                                          first, parent.name()));
  }
}

}  // namespace

std::shared_ptr<Communicator> join_sub(Communicator& parent,
                                       const std::vector<std::uint32_t>& members, std::uint64_t id,
                                       std::uint32_t rank, CommOptions options) {
  const Settings settings = Settings::from_environment();
  std::string description = fmt::format("sub/{}", id);
  for (const std::uint32_t member : members) description += fmt::format("/{}", member);
  const std::string key = fmt::format("{}#{}", description, parent.count_sub(description));
  if (options.name.empty()) options.name = fmt::format("{}_sub_{}", parent.name(), id);
  if (options.name.size() >= COMM_NAME_MAX_LENGTH) {  // HcclGetCommName has no room for more
    fail(HCCL_E_PARA, "the name '{}' has {} bytes; expected less than {} (config->hcclCommName)",
         options.name, options.name.size(), COMM_NAME_MAX_LENGTH);
  }
  const NameReservation reserved(options.name, rank);
  const acl::embedding::Outside outside(embedding());
  const fabric::Moment end = connect_limit(settings);
  std::shared_ptr<HostedStore> hosted;
  if (rank == 0) {
    hosted = HostedStore::open(Identity::draw_nonce(), settings.job_secret);
    parent.group().store().set(key, hosted->root_info().pack());
  }
  const RootInfo info = root_info_of_sub(parent, key, members.front(), end);
  auto store = fabric::join_store(
      info, settings.job_secret,
      {.rank = static_cast<int>(rank), .ranks = static_cast<int>(members.size()), .end = end});
  Membership membership{static_cast<std::uint32_t>(members.size()), rank};
  for (const std::uint32_t member : members) {
    membership.servers.push_back(std::to_string(parent.servers().at(member)));
  }
  return form(std::move(store), membership, options, parent.device(), end, std::move(hosted));
}

std::vector<std::shared_ptr<Communicator>> make_all(const std::vector<int>& devices) {
  const Settings settings = Settings::from_environment();
  if (std::set<int>(devices.begin(), devices.end()).size() != devices.size()) {
    fail(HCCL_E_PARA, "a device is named twice; expected one rank for each device");
  }
  const auto hosted = HostedStore::inside(Identity::draw_nonce(), settings.job_secret);
  std::vector<std::shared_ptr<Communicator>> made(devices.size());
  std::vector<std::string> problems(devices.size());
  const acl::embedding::Outside outside(embedding());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    threads.emplace_back([&, i] {
      const acl::embedding::Outside of_library(embedding());
      try {
        if (aclrtSetDevice(devices[i]) != ACL_SUCCESS) {
          fail(HCCL_E_INTERNAL, "device {} cannot be set: {}", devices[i], aclGetRecentErrMsg());
        }
        made[i] = join(static_cast<std::uint32_t>(devices.size()), hosted->root_info(),
                       static_cast<std::uint32_t>(i), CommOptions::defaults(settings), hosted);
      } catch (const std::exception& error) {
        problems[i] = fmt::format("rank {}: {}", i, error.what());
        give_up_for(*hosted, static_cast<int>(i), problems[i]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& problem : problems) {
    if (!problem.empty()) fail(HCCL_E_INTERNAL, "{}", problem);
  }
  return made;
}

}  // namespace hccl
