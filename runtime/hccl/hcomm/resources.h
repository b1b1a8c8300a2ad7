// SPDX-License-Identifier: Apache-2.0
// What a program acquires of a communicator: its buffer, threads, channels.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

#include "hccl/hccl_channel.h"
#include "hccl/hccl_res.h"
#include "runtime/hccl/comm/communicator.h"
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
  mutable std::mutex mutex_;
  std::vector<aclrtNotify> notifies_;
};

/// The way to one other rank: what it exposes, and an array of flags on each side.
class Channel {
 public:
  /// What is acquired again gives the same channel: the memory that it exposes is part of that.
  using Identity = std::tuple<CommEngine, std::uint32_t, CommProtocol, std::vector<HcclMemHandle>>;
  /// What each side tells the other.
  struct Card {
    std::vector<Region> regions{};   // the first is the buffer
    std::uint64_t flags_offset = 0;  // in its device's file
    std::uint64_t flags_name = 0;    // of the first in its process
    std::uint32_t notifies = 0;
    std::uint64_t told_key = 0;  // what comes before the acquisition, for the checker; 0: nothing
    fabric::Bytes pack() const;
    static Card unpack(const fabric::Bytes& bytes);
  };
  /// Bytes of the peer.
  struct Spot {
    std::byte* here = nullptr;  // where this process reads and writes; null: on another host,
    std::uint64_t there = 0;    // at this offset of its device's file
    const Region* region = nullptr;  // as long as the channel
  };

  Channel(const std::shared_ptr<Communicator>& communicator, std::uint32_t remote,
          CommProtocol protocol, std::uint32_t notifies, std::vector<Region> exposed);
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  const Card& card() const noexcept { return card_; }
  void set_told_key(std::uint64_t key) noexcept { card_.told_key = key; }
  /// The peer has answered. Raises HCCL_E_PARA when it asked for another number of notifies,
  /// HCCL_E_NOT_SUPPORT when it exposes memory that this process does not reach.
  void connect(const Card& peer);
  std::uint32_t remote() const noexcept { return remote_; }
  CommProtocol protocol() const noexcept { return protocol_; }
  std::uint32_t notifies() const noexcept { return card_.notifies; }
  const std::shared_ptr<Links>& links() const noexcept { return links_; }
  /// What the peer exposes, as the program sees it; the first is its buffer.
  const std::vector<CommMem>& shown() const noexcept { return shown_; }
  const std::vector<char*>& shown_tags() const noexcept { return tags_; }
  /// Where [address, address + size) is, as the program calls it; nothing where that is not all in
  /// one memory that the peer exposes.
  std::optional<Spot> find(const void* address, std::uint64_t size) const noexcept;
  /// The peer is on another host: all of it is reached through `links`.
  bool is_remote() const noexcept { return links_->is_remote(static_cast<int>(remote_)); }
  bool is_here() const noexcept { return links_->is_here(static_cast<int>(remote_)); }
  /// The peer is in another process of this host.
  bool crosses() const noexcept { return !is_here() && !is_remote(); }
  /// Of a flag of this rank, or of the peer: what no other flag is called in this process.
  std::uint64_t flag_name(std::uint32_t index, bool of_peer) const noexcept {
    if (of_peer && crosses()) return card_.flags_name + card_.notifies + index;
    return (of_peer ? peer_ : card_).flags_name + index;
  }
  /// A number for each time that a flag of the peer is set.
  std::uint64_t next_setting() noexcept { return settings_.fetch_add(1); }
  const Card& peer_card() const noexcept { return peer_; }
  /// A flag of this rank, or of the peer; of a peer on another host the offset in its file alone.
  std::uint64_t& own_flag(std::uint32_t index) const noexcept { return own_flags_[index * 8]; }
  std::uint64_t& peer_flag(std::uint32_t index) const noexcept { return peer_flags_[index * 8]; }
  std::uint64_t peer_flag_offset(std::uint32_t index) const noexcept {
    return peer_.flags_offset + std::uint64_t{index} * 64;
  }

 private:
  std::byte* reach(const Region& region) const noexcept;

  const std::shared_ptr<Links> links_;
  const int physical_device_;
  const std::uint32_t remote_;
  const CommProtocol protocol_;
  Card card_;
  Card peer_;
  void* memory_ = nullptr;  // of the flags, on the device
  std::uint64_t* own_flags_ = nullptr;
  std::uint64_t* peer_flags_ = nullptr;
  std::atomic<std::uint64_t> settings_{0};
  std::vector<CommMem> shown_;  // of the peer's regions
  std::vector<char*> tags_;
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
  void tell_before(Channel& channel);
  void tell_connected(const Channel& channel);
  ThreadHandle keep(std::shared_ptr<CommThread> thread);
  void require_left(std::size_t threads, std::uint64_t notifies) const;

  const std::weak_ptr<Communicator> communicator_;
  std::mutex mutex_;
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
