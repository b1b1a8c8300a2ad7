// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/hcomm/channel.h"

#include <algorithm>

#include "device_sim/base/mutex.h"
#include "runtime/hccl/base/error.h"

namespace hccl {
namespace {

constexpr std::size_t kFlagBytes = 64;  // of each flag
constexpr std::size_t kFlagWords = kFlagBytes / sizeof(std::uint64_t);

}  // namespace

fabric::Bytes Channel::Card::pack() const {
  fabric::Writer writer;
  writer.number(flags_offset).number(flags_name).number(notifies).number(release_key);
  writer.number(static_cast<std::uint32_t>(regions.size()));
  for (const Region& region : regions) region.pack(writer);
  return writer.take();
}

Channel::Card Channel::Card::unpack(const fabric::Bytes& bytes) {
  fabric::Reader reader(bytes);
  Card card;
  card.flags_offset = reader.number<std::uint64_t>();
  card.flags_name = reader.number<std::uint64_t>();
  card.notifies = reader.number<std::uint32_t>();
  card.release_key = reader.number<std::uint64_t>();
  const auto count = reader.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < count; ++i) card.regions.push_back(Region::unpack(reader));
  return card;
}

Channel::Channel(const std::shared_ptr<Communicator>& communicator, std::uint32_t remote,
                 CommProtocol protocol, std::uint32_t notifies, std::vector<Region> exposed)
    : links_(communicator->links()), remote_(remote), protocol_(protocol) {
  if (exposed.size() > kMostExposed) {
    fail(HCCL_E_UNAVAIL, "a channel exposes {} memories beside the buffer; expected {} at most",
         exposed.size() - 1, kMostExposed - 1);
  }
  card_.regions = std::move(exposed);
  card_.notifies = notifies;
  static std::atomic<std::uint64_t> names{1};
  card_.flags_name = names.fetch_add(std::uint64_t{2} * notifies);
  const std::size_t bytes = (std::size_t{notifies} + 2) * kFlagBytes;
  const int device = communicator->physical_device();
  void* memory = nullptr;
  if (const auto error = embedding().allocate(device, bytes, memory)) {
    fail(HCCL_E_MEMORY, "no memory for {} notifies: {}", notifies, error.text);
  }
  memory_ = {memory, [device](void* mine) { embedding().free(device, mine); }};
  own_flags_ = static_cast<std::uint64_t*>(embedding().engine(memory));
  std::fill_n(own_flags_, bytes / sizeof *own_flags_, 0);
  acl::embedding::DeviceFile file;
  embedding().device_file(device, file);
  card_.flags_offset =
      static_cast<std::uint64_t>(reinterpret_cast<std::byte*>(own_flags_) - file.engine);
}

// Memory that was freed before the listener was registered is found by its serial number.
void Channel::watch_exposed() {
  for (std::size_t i = 0; i < card_.regions.size(); ++i) {
    const Region& region = card_.regions[i];
    if (!region.in_file)
      continue;  // only threads of this process reach it, and they check the allocation directly
    auto listener = std::make_shared<const std::function<void()>>([weak = weak_from_this(), i] {
      if (const auto channel = weak.lock()) channel->set_freed(i);
    });
    const bool listens =
        embedding().on_free(reinterpret_cast<const void*>(region.address), listener);
    if (!listens || region.was_freed()) set_freed(i);
    free_listeners_.push_back(std::move(listener));
  }
}

std::uint64_t Channel::freed_offset(Side side) const noexcept {
  return (std::uint64_t{card_.notifies} + (side == Side::own ? 0 : 1)) * kFlagWords;
}

void Channel::set_freed(std::size_t region) {
  const sim::LockGuard guard(freed_mutex_);
  const std::size_t word = region / 64;
  std::atomic_ref<std::uint64_t>(own_flags_[freed_offset(Side::own) + word])
      .fetch_or(std::uint64_t{1} << (region % 64));
  if (connected_ && is_remote()) send_freed(word);
}

// Notifies a peer on another host.
void Channel::send_freed(std::size_t word) const {
  const std::uint64_t bits = own_flags_[freed_offset(Side::own) + word];
  const std::uint64_t there = peer_.flags_offset + (freed_offset(Side::peer) + word) * sizeof bits;
  links_->set_word(static_cast<int>(remote_), there, bits);
}

bool Channel::was_freed(const Region& region) const noexcept {
  if (is_here()) return region.was_freed();
  const auto index = static_cast<std::size_t>(&region - peer_.regions.data());
  std::uint64_t* const words =
      is_remote() ? own_flags_ + freed_offset(Side::peer) : peer_flags_ + freed_offset(Side::own);
  return (std::atomic_ref<std::uint64_t>(words[index / 64]).load() >> (index % 64) & 1) != 0;
}

// A peer on another host may still send the notification that it has freed memory.
Channel::~Channel() { links_->keep(std::move(memory_)); }

void Channel::connect(const Card& peer) {
  if (peer.notifies != card_.notifies) {
    fail(HCCL_E_PARA, "notifyNum is {}, but rank {} asked for {}", card_.notifies, remote_,
         peer.notifies);
  }
  const int rank = static_cast<int>(remote_);
  for (const Region& region : peer.regions) {
    if (region.in_file || links_->is_here(rank)) continue;
    fail(HCCL_E_NOT_SUPPORT,
         "rank {} exposes \"{}\", which is no device memory, to a rank of another process", remote_,
         region.tag);
  }
  peer_ = peer;
  // A peer of this process, and a peer whose memory is not mapped, is shown with its own addresses.
  const bool as_its_owner = links_->is_here(rank) || links_->is_remote(rank);
  for (Region& region : peer_.regions) {
    if (links_->is_here(rank)) region.find_serial();
    void* const address = as_its_owner
                              ? reinterpret_cast<void*>(static_cast<std::uintptr_t>(region.address))
                              : reach(region);
    shown_.push_back({region.type, address, region.bytes});
    tags_.push_back(region.tag.data());
  }
  if (is_remote()) {
    const sim::LockGuard guard(freed_mutex_);
    connected_ = true;
    for (std::size_t word = 0; word < kFreedWords; ++word) {
      if (own_flags_[freed_offset(Side::own) + word] != 0) send_freed(word);
    }
    return;
  }
  peer_flags_ = reinterpret_cast<std::uint64_t*>(links_->locate(rank, {peer.flags_offset, true}));
}

std::byte* Channel::reach(const Region& region) const noexcept {
  return links_->locate(static_cast<int>(remote_), {region.place, region.in_file});
}

std::optional<Channel::PeerAddress> Channel::find(const void* address,
                                                  std::uint64_t size) const noexcept {
  for (std::size_t i = 0; i < shown_.size(); ++i) {
    const std::uint64_t offset = reinterpret_cast<std::uintptr_t>(address) -
                                 reinterpret_cast<std::uintptr_t>(shown_[i].addr);
    if (offset > shown_[i].size || size > shown_[i].size - offset) continue;
    const Region& region = peer_.regions[i];
    return PeerAddress{is_remote() ? nullptr : reach(region) + offset, region.place + offset,
                       &region};
  }
  return std::nullopt;
}

}  // namespace hccl
