// SPDX-License-Identifier: Apache-2.0
// What a program acquires of a communicator: its buffer, threads, channels.
#pragma once

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

/// The way to one other rank: its buffer, and an array of flags on each side.
class Channel {
 public:
  using Identity = std::tuple<CommEngine, std::uint32_t, CommProtocol>;
  /// What each side tells the other.
  struct Card {
    std::uint64_t buffer_offset = 0;   // in its device's file
    std::uint64_t buffer_address = 0;  // for threads of its process
    std::uint64_t buffer_bytes = 0;
    std::uint64_t flags_offset = 0;    // in the file
    std::uint32_t notifies = 0;
    fabric::Bytes pack() const;
    static Card unpack(const fabric::Bytes& bytes);
  };

  Channel(const std::shared_ptr<Communicator>& communicator, std::uint32_t remote,
          std::uint32_t notifies, const Card& buffer);
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  const Card& card() const noexcept { return card_; }
  /// The peer has answered. Raises HCCL_E_PARA when it asked for another number of notifies.
  void connect(const Card& peer);
  std::uint32_t remote() const noexcept { return remote_; }
  std::uint32_t notifies() const noexcept { return card_.notifies; }
  const std::shared_ptr<Links>& links() const noexcept { return links_; }
  /// The peer's buffer as the program sees it.
  void* shown_buffer() const noexcept { return shown_; }
  std::uint64_t buffer_bytes() const noexcept { return peer_.buffer_bytes; }
  /// Of what the program calls so: its offset in the file of the peer's device; nothing where
  /// [address, address + size) is not in the peer's buffer.
  std::optional<std::uint64_t> offset_of(const void* address, std::uint64_t size) const noexcept;
  /// The peer is on another host: all of it is reached through `links`.
  bool is_remote() const noexcept { return links_->is_remote(static_cast<int>(remote_)); }
  /// Where this process reads and writes at that offset, on one host.
  std::byte* reach(std::uint64_t offset) const noexcept {
    return links_->locate(static_cast<int>(remote_), {offset, true});
  }
  /// A flag of this rank, or of the peer; of a peer on another host the offset in its file alone.
  std::uint64_t& own_flag(std::uint32_t index) const noexcept { return own_flags_[index * 8]; }
  std::uint64_t& peer_flag(std::uint32_t index) const noexcept { return peer_flags_[index * 8]; }
  std::uint64_t peer_flag_offset(std::uint32_t index) const noexcept {
    return peer_.flags_offset + std::uint64_t{index} * 64;
  }

 private:
  const std::shared_ptr<Links> links_;
  const int physical_device_;
  const std::uint32_t remote_;
  Card card_;
  Card peer_;
  void* memory_ = nullptr;  // of the flags, on the device
  std::uint64_t* own_flags_ = nullptr;
  std::uint64_t* peer_flags_ = nullptr;
  void* shown_ = nullptr;
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
  ThreadHandle new_thread(std::uint32_t notifies);
  /// Returns when all peers have acquired their ends.
  void acquire(CommEngine engine, const HcclChannelDesc* descs, std::uint32_t count,
               ChannelHandle* handles);

 private:
  struct Kept {
    std::shared_ptr<Channel> channel;
    ChannelHandle handle = 0;  // 0: not connected yet
  };
  std::shared_ptr<Communicator> communicator() const;
  Channel::Card buffer_card();
  std::string key(const Channel::Identity& identity, std::uint32_t from, std::uint32_t to) const;
  ThreadHandle keep(std::shared_ptr<CommThread> thread);

  const std::weak_ptr<Communicator> communicator_;
  std::mutex mutex_;
  void* buffer_ = nullptr;
  std::map<aclrtStream, ThreadHandle> by_stream_;
  std::vector<ThreadHandle> threads_;
  std::uint32_t notifies_ = 0;
  std::map<Channel::Identity, Kept> channels_;
};

/// The objects of the process by handle. Raise HCCL_E_PTR for 0, HCCL_E_PARA for what is none.
std::shared_ptr<CommThread> find_thread(ThreadHandle handle);
std::shared_ptr<Channel> find_channel(ChannelHandle handle);

}  // namespace hccl
