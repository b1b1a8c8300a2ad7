// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/hcomm/resources.h"

#include <algorithm>

#include "device_sim/base/mutex.h"
#include "runtime/fabric/base/identity.h"
#include "runtime/hccl/base/error.h"
#include "runtime/hccl/hcomm/handles.h"

namespace hccl {
namespace {

// Handles of both kinds are plain numbers for the compiler. Different ranges make a call with
// swapped handles fail.
constexpr std::uint64_t kFirstThread = 0x7468'0000'0000;
constexpr std::uint64_t kFirstChannel = 0x6368'0000'0000;

Handles<CommThread>& threads() {
  static auto& table = *new Handles<CommThread>("thread", kFirstThread);
  return table;
}
Handles<Channel>& channels() {
  static auto& table = *new Handles<Channel>("channel", kFirstChannel);
  return table;
}

constexpr std::uint32_t kMostNotifies = 65536;
constexpr std::uint32_t kMostThreads = 200;

}  // namespace

std::shared_ptr<CommThread> find_thread(ThreadHandle handle) { return threads().find(handle); }
std::shared_ptr<Channel> find_channel(ChannelHandle handle) { return channels().find(handle); }

// ---- threads ----

CommThread::~CommThread() {
  for (aclrtNotify const notify : notifies_) aclrtDestroyNotify(notify);
  if (owned_) aclrtDestroyStreamForce(stream_);
}

std::shared_ptr<Communicator> CommThread::communicator() const {
  auto communicator = communicator_.lock();
  if (!communicator) fail(HCCL_E_PARA, "the communicator of the thread was destroyed");
  return communicator;
}

void CommThread::want_notifies(std::uint32_t count) {
  const sim::LockGuard guard(mutex_);
  while (notifies_.size() < count) {
    aclrtNotify notify = nullptr;
    if (aclrtCreateNotify(&notify, 0) != ACL_SUCCESS) {
      fail(HCCL_E_UNAVAIL, "the device has no notify left, of {} for one thread", count);
    }
    notifies_.push_back(notify);
  }
}

aclrtNotify CommThread::notify(std::uint32_t index) const {
  const sim::LockGuard guard(mutex_);
  if (index < notifies_.size()) return notifies_[index];
  fail(HCCL_E_PTR, "notify {} of a thread that has {}", index, notifies_.size());
}

std::uint32_t CommThread::notify_count() const {
  const sim::LockGuard guard(mutex_);
  return static_cast<std::uint32_t>(notifies_.size());
}

// ---- all resources of a communicator ----

std::shared_ptr<Resources> Resources::of(const std::shared_ptr<Communicator>& communicator) {
  return communicator->resource<Resources>(
      [&] { return std::make_shared<Resources>(communicator); });
}

Resources::~Resources() {
  for (const ThreadHandle handle : threads_) threads().remove(handle);
  for (const auto& [identity, kept] : channels_) channels().remove(kept.handle);
  channels_.clear();  // their listeners for freed memory are removed first
  shared_names_.clear();
  if (buffer_) aclrtFree(buffer_);
}

std::shared_ptr<Communicator> Resources::communicator() const {
  auto communicator = communicator_.lock();
  if (!communicator) fail(HCCL_E_PARA, "the communicator was destroyed");
  return communicator;
}

std::uint64_t Resources::buffer_bytes() const {
  return std::uint64_t{2} * communicator()->options().buffer_mb << 20;
}

void* Resources::buffer() {
  const sim::LockGuard guard(mutex_);
  if (buffer_) return buffer_;
  const std::uint64_t bytes = buffer_bytes();
  if (aclrtMalloc(&buffer_, bytes, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) {
    buffer_ = nullptr;
    fail(HCCL_E_MEMORY, "the device has no {} bytes left for the buffer of the communicator",
         bytes);
  }
  return buffer_;
}

void* Resources::kernel_context() {
  const sim::LockGuard guard(mutex_);
  if (!kernel_context_) kernel_context_.emplace(*communicator());
  return kernel_context_->address();
}

ThreadHandle Resources::keep(std::shared_ptr<CommThread> thread) {
  const ThreadHandle handle = threads().add(std::move(thread));
  threads_.push_back(handle);
  return handle;
}

void Resources::require_left(std::size_t threads, std::uint64_t notifies) const {
  if (threads_.size() + threads > kMostThreads) {
    fail(HCCL_E_UNAVAIL,
         "the communicator has {} threads and is to have {} more; expected {} in all",
         threads_.size(), threads, kMostThreads);
  }
  if (notifies_ + notifies > kMostNotifies) {
    fail(HCCL_E_UNAVAIL,
         "the threads of the communicator have {} notifies and are to have {} more; expected {} in "
         "all",
         notifies_, notifies, kMostNotifies);
  }
}

ThreadHandle Resources::thread_of(aclrtStream stream, std::uint32_t notifies) {
  const sim::LockGuard guard(mutex_);
  const auto it = by_stream_.find(stream);
  const bool known = it != by_stream_.end();
  const std::uint32_t before = known ? find_thread(it->second)->notify_count() : 0;
  const std::uint32_t more = std::max(notifies, before) - before;
  require_left(0, more);
  auto thread =
      known ? find_thread(it->second) : std::make_shared<CommThread>(communicator(), stream, false);
  thread->want_notifies(notifies);
  notifies_ += more;
  return known ? it->second : by_stream_[stream] = keep(std::move(thread));
}

// All or none: otherwise the handles of some would be lost.
std::vector<ThreadHandle> Resources::new_threads(std::uint32_t count, std::uint32_t notifies) {
  const sim::LockGuard guard(mutex_);
  require_left(count, std::uint64_t{count} * notifies);
  std::vector<std::shared_ptr<CommThread>> made;
  for (std::uint32_t i = 0; i < count; ++i) {
    aclrtStream stream = nullptr;
    if (aclrtCreateStream(&stream) != ACL_SUCCESS) {
      fail(HCCL_E_RUNTIME, "the device has no stream left");
    }
    made.push_back(std::make_shared<CommThread>(communicator(), stream, true));
    made.back()->want_notifies(notifies);
  }
  notifies_ += count * notifies;
  std::vector<ThreadHandle> handles;
  for (auto& thread : made) handles.push_back(keep(std::move(thread)));
  return handles;
}

HcclMemHandle Resources::add_memory(Region region) {
  const sim::LockGuard guard(mutex_);
  for (const auto& [handle, other] : memories_) {
    if (other.tag == region.tag) fail(HCCL_E_PARA, "memTag \"{}\" is there already", region.tag);
  }
  auto* const handle = reinterpret_cast<HcclMemHandle>(++last_memory_);
  memories_.emplace(handle, std::move(region));
  return handle;
}

void Resources::remove_memory(const std::string& tag, HcclMemHandle handle) {
  const sim::LockGuard guard(mutex_);
  const auto it = memories_.find(handle);
  if (it != memories_.end() && it->second.tag == tag) memories_.erase(it);
}

std::vector<Region> Resources::exposed(const std::vector<HcclMemHandle>& handles) {
  if (!buffer_region_) {
    buffer_region_ = Region::at("HcclChannelAcquire", Region::kBufferTag, COMM_MEM_TYPE_DEVICE,
                                buffer_, buffer_bytes());
  }
  std::vector<Region> regions{*buffer_region_};
  for (HcclMemHandle const handle : handles) {
    const auto it = memories_.find(handle);
    if (it == memories_.end()) {
      fail(HCCL_E_PARA, "memHandles holds {}, which HcclCommMemReg has not given", handle);
    }
    if (it->second.was_freed()) {
      fail(HCCL_E_PARA, "memHandles holds {}, but the memory of \"{}\" was freed", handle,
           it->second.tag);
    }
    regions.push_back(it->second);
  }
  return regions;
}

// The n-th channel of a kind to a rank is connected with the n-th channel of this kind from that
// rank.
Resources::Kept& Resources::begin_channel(const Channel::Identity& identity,
                                          std::uint32_t notifies) {
  const auto& [engine, remote, protocol, memories] = identity;
  const auto before =
      std::count_if(channels_.begin(), channels_.end(), [&identity](const auto& entry) {
        const auto& other = entry.first;
        return std::get<0>(other) == std::get<0>(identity) &&
               std::get<1>(other) == std::get<1>(identity) &&
               std::get<2>(other) == std::get<2>(identity);
      });
  Kept kept;
  kept.name =
      fmt::format("channel/{}/{}/{}", static_cast<int>(engine), static_cast<int>(protocol), before);
  kept.channel =
      std::make_shared<Channel>(communicator(), remote, protocol, notifies, exposed(memories));
  kept.channel->watch_exposed();
  return channels_.emplace(identity, std::move(kept)).first->second;
}

// Reports a release to the checker, before the peer can receive the card.
void Resources::report_before(Channel& channel) {
  if (!channel.crosses() || !embedding().listened()) return;
  channel.set_release_key(fabric::random_number());
  embedding().tell_released(channel.card().release_key);
  for (const Region& region : channel.card().regions) {
    acl::embedding::Allocation whole;
    auto* const address = reinterpret_cast<const void*>(region.address);
    if (region.shared_name == 0 || !embedding().find_allocation(address, whole)) continue;
    shared_names_.try_emplace(region.shared_name, whole.begin, whole.size, region.shared_name, 0);
  }
}

// Everything that the peer did before it acquired its end happens before the following operations
// of this thread.
void Resources::report_connected(const Channel& channel) {
  const Channel::Card& peer = channel.peer_card();
  if (!channel.crosses() || peer.release_key == 0) return;
  embedding().tell_acquired(peer.release_key);
  for (std::size_t i = 0; i < peer.regions.size(); ++i) {
    const Region& region = peer.regions[i];
    if (region.shared_name == 0) continue;
    const auto shown = reinterpret_cast<std::uintptr_t>(channel.shown()[i].addr);
    shared_names_.try_emplace(region.shared_name, shown, region.bytes, region.shared_name,
                              region.shared_offset);
  }
}

void Resources::connect(Kept& kept, const fabric::Bytes& card) {
  kept.channel->connect(Channel::Card::unpack(card));
  kept.handle = channels().add(kept.channel);
  report_connected(*kept.channel);
}

namespace {

// One message sets and gets: the process that holds the store may leave once it has seen this
// rank's cards.
std::vector<fabric::Bytes> exchange(fabric::Store& store, fabric::Store::Entries published,
                                    const std::vector<std::string>& keys,
                                    const std::vector<std::uint32_t>& ranks) {
  const fabric::Moment end =
      fabric::Timekeeper::real().in(Settings::from_environment().connect_timeout);
  try {
    return store.exchange(std::move(published), keys, end);
  } catch (const fabric::StoreTimeout& timeout) {
    const auto missing = std::find(keys.begin(), keys.end(), timeout.missing().front());
    throw fabric::FabricError(
        fabric::Status::timed_out,
        fmt::format("rank {} has not acquired its end of the channel in time",
                    ranks.at(static_cast<std::size_t>(missing - keys.begin()))));
  }
}

}  // namespace

// All cards are published before the first peer is waited for: two ranks may list their peers in
// different orders.
void Resources::acquire(CommEngine engine, const HcclChannelDesc* descs, std::uint32_t count,
                        ChannelHandle* handles) {
  const auto own = communicator();
  const Communicator::Waiting waiting(*own);
  buffer();
  const auto key = [](const Kept& kept, std::uint32_t from, std::uint32_t to) {
    return fmt::format("{}/{}-{}", kept.name, from, to);
  };
  const sim::LockGuard guard(mutex_);
  std::vector<Kept*> wanted;
  fabric::Store::Entries published;
  std::vector<std::string> keys;     // keys of ends that are not connected
  std::vector<std::uint32_t> ranks;  // ranks that own these ends
  for (std::uint32_t i = 0; i < count; ++i) {
    const HcclChannelDesc& desc = descs[i];
    std::vector<HcclMemHandle> memories(desc.memHandles, desc.memHandles + desc.memHandleNum);
    const Channel::Identity identity{engine, desc.remoteRank, desc.channelProtocol,
                                     std::move(memories)};
    const auto known = channels_.find(identity);
    Kept& kept = known != channels_.end() ? known->second : begin_channel(identity, desc.notifyNum);
    if (known == channels_.end()) {
      report_before(*kept.channel);
      published.emplace_back(key(kept, own->rank(), desc.remoteRank), kept.channel->card().pack());
    }
    wanted.push_back(&kept);
    if (kept.handle != 0) continue;
    keys.push_back(key(kept, desc.remoteRank, own->rank()));
    ranks.push_back(desc.remoteRank);
  }
  std::vector<fabric::Bytes> cards;
  if (!keys.empty()) cards = exchange(own->group().store(), std::move(published), keys, ranks);
  for (std::uint32_t i = 0, next = 0; i < count; ++i) {
    if (wanted[i]->handle == 0) connect(*wanted[i], cards[next++]);
    handles[i] = wanted[i]->handle;
  }
}

}  // namespace hccl
