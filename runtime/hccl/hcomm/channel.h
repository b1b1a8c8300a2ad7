// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "device_sim/base/mutex.h"
#include "hccl/hccl_channel.h"
#include "hccl/hccl_res.h"
#include "runtime/hccl/comm/communicator.h"
#include "runtime/hccl/hcomm/region.h"

namespace hccl {

/// The connection to one other rank: the memory that it exposes, and an array of flags on each
/// side.
class Channel : public std::enable_shared_from_this<Channel> {
 public:
  /// The maximum number of memories that one side exposes, including the buffer.
  static constexpr std::size_t kMostExposed = 512;
  /// Acquiring with an equal identity returns the same channel. The exposed memory is part of the
  /// identity.
  using Identity = std::tuple<CommEngine, std::uint32_t, CommProtocol, std::vector<HcclMemHandle>>;
  /// The data that each side sends to the other.
  struct Card {
    std::vector<Region> regions{};   // the first is the buffer
    std::uint64_t flags_offset = 0;  // in its device's file
    std::uint64_t flags_name = 0;    // checker's name of the first flag in its process
    std::uint32_t notifies = 0;
    // for the checker: key of the release before the acquisition; 0: none
    std::uint64_t release_key = 0;
    fabric::Bytes pack() const;
    static Card unpack(const fabric::Bytes& bytes);
  };
  /// Bytes of the peer.
  struct PeerAddress {
    std::byte* here = nullptr;       // address in this process; null if the peer is on another host
    std::uint64_t there = 0;         // offset in the peer's device file, for a peer on another host
    const Region* region = nullptr;  // lives as long as the channel
  };

  Channel(const std::shared_ptr<Communicator>& communicator, std::uint32_t remote,
          CommProtocol protocol, std::uint32_t notifies, std::vector<Region> exposed);
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// From here on, the peer is notified when memory that this end exposes is freed.
  void watch_exposed();
  const Card& card() const noexcept { return card_; }
  void set_release_key(std::uint64_t key) noexcept { card_.release_key = key; }
  /// Completes the channel with the card of the peer. Raises HCCL_E_PARA if the peer has another
  /// number of notifies, HCCL_E_NOT_SUPPORT if it exposes memory that this process cannot reach.
  void connect(const Card& peer);
  std::uint32_t remote() const noexcept { return remote_; }
  CommProtocol protocol() const noexcept { return protocol_; }
  std::uint32_t notifies() const noexcept { return card_.notifies; }
  const std::shared_ptr<Links>& links() const noexcept { return links_; }
  /// The memory that the peer exposes, with the addresses that the program uses; the first is the
  /// peer's buffer.
  const std::vector<CommMem>& shown() const noexcept { return shown_; }
  const std::vector<char*>& shown_tags() const noexcept { return tags_; }
  /// Finds [address, address + size), an address that the program uses. Returns nothing if it is
  /// not inside one memory that the peer exposes.
  std::optional<PeerAddress> find(const void* address, std::uint64_t size) const noexcept;
  /// Whether the peer has freed the allocation.
  bool was_freed(const Region& region) const noexcept;
  /// The peer is on another host: its memory is reached through `links`.
  bool is_remote() const noexcept { return links_->is_remote(static_cast<int>(remote_)); }
  bool is_here() const noexcept { return links_->is_here(static_cast<int>(remote_)); }
  /// The peer is in another process of this host.
  bool crosses() const noexcept { return !is_here() && !is_remote(); }
  /// The checker's name of a flag of this rank or of the peer, unique in this process.
  std::uint64_t flag_name(std::uint32_t index, bool of_peer) const noexcept {
    if (of_peer && crosses()) return card_.flags_name + card_.notifies + index;
    return (of_peer ? peer_ : card_).flags_name + index;
  }
  /// A number for each setting of a flag of the peer.
  std::uint64_t next_setting() noexcept { return settings_.fetch_add(1); }
  const Card& peer_card() const noexcept { return peer_; }
  /// A flag of this rank or of the peer. For a peer on another host only the offset in its file is
  /// available.
  std::uint64_t& own_flag(std::uint32_t index) const noexcept { return own_flags_[index * 8]; }
  std::uint64_t& peer_flag(std::uint32_t index) const noexcept { return peer_flags_[index * 8]; }
  std::uint64_t peer_flag_offset(std::uint32_t index) const noexcept {
    return peer_.flags_offset + std::uint64_t{index} * 64;
  }

 private:
  // After the flags of a side come two bit sets. One marks the memories of this side that were
  // freed. The other is written by a peer on another host and marks its freed memories.
  enum class Side : std::uint8_t { own, peer };
  static constexpr std::size_t kFreedWords = kMostExposed / 64;
  std::uint64_t freed_offset(Side side) const noexcept;
  void set_freed(std::size_t region);
  void send_freed(std::size_t word) const REQUIRES(freed_mutex_);
  std::byte* reach(const Region& region) const noexcept;

  const std::shared_ptr<Links> links_;
  const std::uint32_t remote_;
  const CommProtocol protocol_;
  Card card_;
  Card peer_;
  std::shared_ptr<void> memory_;  // device memory that holds the flags
  std::uint64_t* own_flags_ = nullptr;
  std::uint64_t* peer_flags_ = nullptr;
  std::atomic<std::uint64_t> settings_{0};
  std::vector<std::shared_ptr<const std::function<void()>>>
      free_listeners_;  // by region of this end
  sim::Mutex freed_mutex_;
  bool connected_ GUARDED_BY(freed_mutex_) = false;
  std::vector<CommMem> shown_;  // the regions of the peer
  std::vector<char*> tags_;
};

}  // namespace hccl
