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

/// The way to one other rank: what it exposes, and an array of flags on each side.
class Channel : public std::enable_shared_from_this<Channel> {
 public:
  /// How many memories one exposes at most, the buffer among them.
  static constexpr std::size_t kMostExposed = 512;
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
    std::byte* here = nullptr;       // where this process reads and writes; null: on another host,
    std::uint64_t there = 0;         // at this offset of its device's file
    const Region* region = nullptr;  // as long as the channel
  };

  Channel(const std::shared_ptr<Communicator>& communicator, std::uint32_t remote,
          CommProtocol protocol, std::uint32_t notifies, std::vector<Region> exposed);
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// From here on the peer is told when memory that this end exposes is freed.
  void watch_exposed();
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
  /// Of the peer's memory, where the allocation that it exposed is not there any more.
  bool was_freed(const Region& region) const noexcept;
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
  // Behind the flags of a side: which of its own memories were freed, a bit for each, and those of
  // a peer on another host, which writes them there.
  enum class Side : std::uint8_t { own, peer };
  static constexpr std::size_t kFreedWords = kMostExposed / 64;
  std::uint64_t freed_offset(Side side) const noexcept;
  void set_freed(std::size_t region);
  void tell_freed(std::size_t word) const;
  std::byte* reach(const Region& region) const noexcept;

  const std::shared_ptr<Links> links_;
  const std::uint32_t remote_;
  const CommProtocol protocol_;
  Card card_;
  Card peer_;
  std::shared_ptr<void> memory_;  // of the flags, on the device
  std::uint64_t* own_flags_ = nullptr;
  std::uint64_t* peer_flags_ = nullptr;
  std::atomic<std::uint64_t> settings_{0};
  std::vector<std::shared_ptr<const std::function<void()>>>
      free_listeners_;  // by region of this end
  sim::Mutex telling_;
  bool connected_ = false;      // guarded by it
  std::vector<CommMem> shown_;  // of the peer's regions
  std::vector<char*> tags_;
};

}  // namespace hccl
