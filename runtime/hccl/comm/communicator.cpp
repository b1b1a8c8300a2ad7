// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/comm/communicator.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "device_sim/base/mutex.h"
#include "runtime/hccl/base/error.h"

namespace hccl {
namespace {

/// Text in an array that should end with a zero.
template <std::size_t N>
std::string text_in(const char (&array)[N], const char* member) {
  const void* const end = std::memchr(array, 0, N);
  if (!end) fail(HCCL_E_PARA, "config->{} has no zero within its {} bytes", member, N);
  return array;
}

void require_sound(const HcclCommConfig& config, std::size_t size) {
  std::uint32_t magic = 0;
  std::memcpy(&magic, config.reserved + 8, sizeof magic);
  if (magic != HCCL_COMM_CONFIG_MAGIC_WORD) {
    fail(HCCL_E_PARA, "config has the magic word {:#x}; expected {:#x} (HcclCommConfigInit)", magic,
         HCCL_COMM_CONFIG_MAGIC_WORD);
  }
  constexpr std::size_t kFirstVersion = offsetof(HcclCommConfig, hcclDeterministic);
  if (size < kFirstVersion) {
    fail(HCCL_E_PARA, "config has {} bytes; expected {} or more", size, kFirstVersion);
  }
}

}  // namespace

CommOptions CommOptions::defaults(const Settings& settings) {
  CommOptions options;
  options.buffer_mb = settings.buffer_mb;
  options.deterministic = static_cast<std::uint32_t>(settings.deterministic);
  options.exec_timeout_s = static_cast<std::int32_t>(settings.exec_timeout.count());
  return options;
}

CommOptions CommOptions::from(const HcclCommConfig& config, const Settings& settings) {
  std::size_t size = 0;
  std::memcpy(&size, config.reserved, sizeof size);
  require_sound(config, size);
  CommOptions options = defaults(settings);
  const auto has = [&](std::size_t end) { return size >= end; };
  if (config.hcclBufferSize != HCCL_COMM_BUFFSIZE_CONFIG_NOT_SET) {
    if (config.hcclBufferSize < 1) {
      fail(HCCL_E_PARA, "config->hcclBufferSize is 0 MB; expected 1 or more");
    }
    options.buffer_mb = config.hcclBufferSize;
  }
  if (has(offsetof(HcclCommConfig, hcclCommName)) &&
      config.hcclDeterministic != HCCL_COMM_DETERMINISTIC_CONFIG_NOT_SET) {
    if (config.hcclDeterministic > 2) {
      fail(HCCL_E_PARA, "config->hcclDeterministic is {}; expected 0, 1 or 2",
           config.hcclDeterministic);
    }
    options.deterministic = config.hcclDeterministic;
  }
  if (has(offsetof(HcclCommConfig, hcclUdi))) {
    options.name = text_in(config.hcclCommName, "hcclCommName");
  }
  const auto not_set = static_cast<std::int32_t>(HCCL_COMM_EXECTIMEOUT_CONFIG_NOT_SET);
  if (has(offsetof(HcclCommConfig, hcclAlgo)) && config.hcclExecTimeOut != not_set) {
    if (config.hcclExecTimeOut < 0) {
      fail(HCCL_E_PARA, "config->hcclExecTimeOut is {} s; expected 0 (no limit) or more",
           config.hcclExecTimeOut);
    }
    options.exec_timeout_s = config.hcclExecTimeOut;
  }
  if (has(offsetof(HcclCommConfig, hcclRetryEnable))) {
    options.algorithm = text_in(config.hcclAlgo, "hcclAlgo");
  }
  return options;
}

fabric::Bytes RankCard::pack() const { return fabric::Writer().number(physical_device).take(); }

RankCard RankCard::unpack(const fabric::Bytes& bytes) {
  return {fabric::Reader(bytes).number<std::int32_t>()};
}

Communicator::Communicator(std::shared_ptr<fabric::Group> group, CommOptions options, int device,
                           std::shared_ptr<fabric::HostedStore> hosted, fabric::Moment end)
    : hosted_(std::move(hosted)),
      group_(std::move(group)),
      options_(std::move(options)),
      device_(device),
      physical_device_(card_of(rank()).physical_device) {
  find_servers(end);
  std::vector<int> devices;
  for (std::uint32_t of = 0; of < size(); ++of) devices.push_back(card_of(of).physical_device);
  links_ = Links::make(group_, name(), std::move(devices), servers_, end);
}

// A rank only knows the ranks of its own host. So each publishes the lowest rank of its host; ranks
// that publish the same number share a host.
void Communicator::find_servers(fabric::Moment end) {
  const std::vector<int> mine = group_->ranks_of_host();
  fabric::StoreCollectives collectives = group_->collectives("servers");
  const auto lowest = collectives.allgather(fabric::Writer().number(mine.front()).take(), end);
  std::vector<int> first;
  for (const fabric::Bytes& bytes : lowest) {
    const int leader = fabric::Reader(bytes).number<int>();
    const auto found = std::find(first.begin(), first.end(), leader);
    servers_.push_back(static_cast<std::uint32_t>(found - first.begin()));
    if (found == first.end()) first.push_back(leader);
  }
}

RankCard Communicator::card_of(std::uint32_t rank) const {
  return RankCard::unpack(group_->peer(static_cast<int>(rank)).about);
}

bool Communicator::same_server(std::uint32_t a, std::uint32_t b) const {
  return servers_.at(a) == servers_.at(b);
}

HcclResult Communicator::async_error() const {
  const auto trouble = links_ ? links_->trouble() : std::nullopt;
  if (trouble && trouble->code == ACL_ERROR_RT_INTERNAL_ERROR) return HCCL_E_PARA;
  if (trouble && trouble->code == ACL_ERROR_RT_LINK_ERROR) return HCCL_E_REMOTE;
  return group_->lost() ? HCCL_E_REMOTE : HCCL_SUCCESS;
}

std::uint64_t Communicator::count_sub(const std::string& description) {
  const sim::LockGuard guard(mutex_);
  return ++subs_[description];
}

}  // namespace hccl
