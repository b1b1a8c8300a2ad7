// SPDX-License-Identifier: Apache-2.0
// What a program acquires of a communicator: its buffer, threads, channels.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "device_sim/base/mutex.h"
#include "hccl/hccl_channel.h"
#include "hccl/hccl_res.h"
#include "runtime/hccl/comm/communicator.h"
#include "runtime/hccl/hcomm/channel.h"
#include "runtime/hccl/hcomm/comm_lock.h"
#include "runtime/hccl/hcomm/contexts.h"
#include "runtime/hccl/hcomm/region.h"

namespace hccl {

/// A stream with an array of notifies; what HCOMM calls a thread.
class CommThread {
 public:
  /// `owned`: the stream goes with it.
  CommThread(const std::shared_ptr<Communicator>& communicator, aclrtStream stream, bool owned)
      : communicator_(communicator), stream_(stream), owned_(owned) {}
  ~CommThread();
  CommThread(const CommThread&) = delete;
  CommThread& operator=(const CommThread&) = delete;

  aclrtStream stream() const noexcept { return stream_; }
  /// Raises HCCL_E_PARA when the communicator was destroyed.
  std::shared_ptr<Communicator> communicator() const;
  /// There are at least so many notifies. Raises HCCL_E_UNAVAIL.
  void want_notifies(std::uint32_t count);
  /// Raises HCCL_E_PTR for an index past the end, as the real library answers.
  aclrtNotify notify(std::uint32_t index) const;
  std::uint32_t notify_count() const;

 private:
  const std::weak_ptr<Communicator> communicator_;
  const aclrtStream stream_;
  const bool owned_;
  mutable sim::Mutex mutex_;
  std::vector<aclrtNotify> notifies_;
};

/// All of one communicator. Goes with it.
class Resources {
 public:
  static std::shared_ptr<Resources> of(const std::shared_ptr<Communicator>& communicator);
  explicit Resources(const std::shared_ptr<Communicator>& communicator)
      : communicator_(communicator) {}
  ~Resources();
  Resources(const Resources&) = delete;
  Resources& operator=(const Resources&) = delete;

  /// Made by the first call.
  void* buffer();
  std::uint64_t buffer_bytes() const;

  ThreadHandle thread_of(aclrtStream stream, std::uint32_t notifies);
  /// All of them, or none. Both raise HCCL_E_UNAVAIL past the quota of the communicator.
  std::vector<ThreadHandle> new_threads(std::uint32_t count, std::uint32_t notifies);
  EngineContexts& contexts() noexcept { return contexts_; }
  CommLock& lock() noexcept { return lock_; }
  /// Memory that channels can expose. Raises HCCL_E_PARA for a tag that is there already.
  HcclMemHandle add_memory(Region region);
  /// Nothing happens where there is none of that tag and handle. Channels that expose it go on
  /// doing so.
  void remove_memory(const std::string& tag, HcclMemHandle handle);
  /// Returns when all peers have acquired their ends.
  void acquire(CommEngine engine, const HcclChannelDesc* descs, std::uint32_t count,
               ChannelHandle* handles);

 private:
  struct Kept {
    std::shared_ptr<Channel> channel;
    std::string name{};        // of this channel among those to the peer
    ChannelHandle handle = 0;  // 0: not connected yet
  };
  std::shared_ptr<Communicator> communicator() const;
  Kept& begin_channel(const Channel::Identity& identity, std::uint32_t notifies);
  std::vector<Region> exposed(const std::vector<HcclMemHandle>& handles);
  void connect(Kept& kept, const fabric::Bytes& card);
  void tell_before(Channel& channel);
  void tell_connected(const Channel& channel);
  ThreadHandle keep(std::shared_ptr<CommThread> thread);
  void require_left(std::size_t threads, std::uint64_t notifies) const;

  const std::weak_ptr<Communicator> communicator_;
  sim::Mutex mutex_;
  void* buffer_ = nullptr;
  std::optional<Region> buffer_region_;
  std::map<aclrtStream, ThreadHandle> by_stream_;
  std::vector<ThreadHandle> threads_;
  std::uint32_t notifies_ = 0;
  EngineContexts contexts_;
  CommLock lock_;
  std::map<HcclMemHandle, Region> memories_;
  std::uintptr_t last_memory_ = 0;
  std::map<Channel::Identity, Kept> channels_;
  std::map<std::uint64_t, ToldMemory> told_;  // by name
};

/// The objects of the process by handle. Raise HCCL_E_PTR for 0, HCCL_E_PARA for what is none.
std::shared_ptr<CommThread> find_thread(ThreadHandle handle);
std::shared_ptr<Channel> find_channel(ChannelHandle handle);

}  // namespace hccl
