// SPDX-License-Identifier: Apache-2.0
// The resources that a program acquires from a communicator: its buffer, threads and channels.
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
#include "runtime/hccl/hcomm/kernel_context.h"
#include "runtime/hccl/hcomm/region.h"

namespace hccl {

/// A stream with an array of notifies; HCOMM calls it a thread.
class CommThread {
 public:
  /// `owned`: this object destroys the stream.
  CommThread(const std::shared_ptr<Communicator>& communicator, aclrtStream stream, bool owned)
      : communicator_(communicator), stream_(stream), owned_(owned) {}
  ~CommThread();
  CommThread(const CommThread&) = delete;
  CommThread& operator=(const CommThread&) = delete;

  aclrtStream stream() const noexcept { return stream_; }
  /// Raises HCCL_E_PARA if the communicator was destroyed.
  std::shared_ptr<Communicator> communicator() const;
  /// Makes sure that the thread has at least `count` notifies. Raises HCCL_E_UNAVAIL.
  void want_notifies(std::uint32_t count);
  /// Raises HCCL_E_PTR for an index past the end, as the real library does.
  aclrtNotify notify(std::uint32_t index) const;
  std::uint32_t notify_count() const;

 private:
  const std::weak_ptr<Communicator> communicator_;
  const aclrtStream stream_;
  const bool owned_;
  mutable sim::Mutex mutex_;
  std::vector<aclrtNotify> notifies_ GUARDED_BY(mutex_);
};

/// All resources of one communicator. They live as long as the communicator.
class Resources {
 public:
  static std::shared_ptr<Resources> of(const std::shared_ptr<Communicator>& communicator);
  explicit Resources(const std::shared_ptr<Communicator>& communicator)
      : communicator_(communicator) {}
  ~Resources();
  Resources(const Resources&) = delete;
  Resources& operator=(const Resources&) = delete;

  /// Allocated by the first call.
  void* buffer();
  std::uint64_t buffer_bytes() const;

  /// For kernels that call collectives; made by the first call. Raises as KernelWindows::of.
  void* kernel_context();

  ThreadHandle thread_of(aclrtStream stream, std::uint32_t notifies);
  /// Makes all of them or none. Both functions raise HCCL_E_UNAVAIL beyond the quota of the
  /// communicator.
  std::vector<ThreadHandle> new_threads(std::uint32_t count, std::uint32_t notifies);
  EngineContexts& contexts() noexcept { return contexts_; }
  CommLock& lock() noexcept { return lock_; }
  /// Registers memory that channels can expose. Raises HCCL_E_PARA if the tag is in use.
  HcclMemHandle add_memory(Region region);
  /// Has no effect for an unknown tag or handle. Channels that expose the memory continue to do so.
  void remove_memory(const std::string& tag, HcclMemHandle handle);
  /// Returns when all peers have acquired their ends.
  void acquire(CommEngine engine, const HcclChannelDesc* descs, std::uint32_t count,
               ChannelHandle* handles);

 private:
  struct Kept {
    std::shared_ptr<Channel> channel;
    std::string name{};        // name of this channel among the channels to the peer
    ChannelHandle handle = 0;  // 0: not connected yet
  };
  std::shared_ptr<Communicator> communicator() const;
  Kept& begin_channel(const Channel::Identity& identity, std::uint32_t notifies) REQUIRES(mutex_);
  std::vector<Region> exposed(const std::vector<HcclMemHandle>& handles) REQUIRES(mutex_);
  void connect(Kept& kept, const fabric::Bytes& card) REQUIRES(mutex_);
  void report_before(Channel& channel) REQUIRES(mutex_);
  void report_connected(const Channel& channel) REQUIRES(mutex_);
  ThreadHandle keep(std::shared_ptr<CommThread> thread) REQUIRES(mutex_);
  void require_left(std::size_t threads, std::uint64_t notifies) const REQUIRES(mutex_);

  const std::weak_ptr<Communicator> communicator_;
  sim::Mutex mutex_;
  void* buffer_ GUARDED_BY(mutex_) = nullptr;
  std::optional<Region> buffer_region_ GUARDED_BY(mutex_);
  std::optional<KernelContext> kernel_context_ GUARDED_BY(mutex_);
  std::map<aclrtStream, ThreadHandle> by_stream_ GUARDED_BY(mutex_);
  std::vector<ThreadHandle> threads_ GUARDED_BY(mutex_);
  std::uint32_t notifies_ GUARDED_BY(mutex_) = 0;
  EngineContexts contexts_;
  CommLock lock_;
  std::map<HcclMemHandle, Region> memories_ GUARDED_BY(mutex_);
  std::uintptr_t last_memory_ GUARDED_BY(mutex_) = 0;
  std::map<Channel::Identity, Kept> channels_ GUARDED_BY(mutex_);
  std::map<std::uint64_t, SharedMemoryName> shared_names_ GUARDED_BY(mutex_);  // by name
};

/// Find an object of the process by handle. Raise HCCL_E_PTR for 0, HCCL_E_PARA for an unknown
/// handle.
std::shared_ptr<CommThread> find_thread(ThreadHandle handle);
std::shared_ptr<Channel> find_channel(ChannelHandle handle);

}  // namespace hccl
