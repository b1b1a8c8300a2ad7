// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/hcomm/resources.h"

#include <algorithm>

#include "runtime/hccl/base/error.h"

namespace hccl {
namespace {

/// Handles are numbers, never dereferenced.
template <class T>
class Table {
 public:
  explicit Table(const char* noun) : noun_(noun) {}
  std::uint64_t add(std::shared_ptr<T> object) {
    const std::lock_guard guard(mutex_);
    all_.emplace(++last_, std::move(object));
    return last_;
  }
  void remove(std::uint64_t handle) {
    std::shared_ptr<T> removed;
    const std::lock_guard guard(mutex_);
    const auto it = all_.find(handle);
    if (it == all_.end()) return;
    removed = std::move(it->second);
    all_.erase(it);
  }
  std::shared_ptr<T> find(std::uint64_t handle) const {
    if (handle == 0) fail(HCCL_E_PTR, "{} is 0", noun_);
    const std::lock_guard guard(mutex_);
    const auto it = all_.find(handle);
    if (it == all_.end()) {
      fail(HCCL_E_PARA, "{} is {:#x}, which is none, or one of a destroyed communicator", noun_,
           handle);
    }
    return it->second;
  }

 private:
  const char* const noun_;
  mutable std::mutex mutex_;
  std::map<std::uint64_t, std::shared_ptr<T>> all_;
  std::uint64_t last_ = 0x7468'0000'0000;
};

Table<CommThread>& threads() {
  static auto& table = *new Table<CommThread>("thread");
  return table;
}
Table<Channel>& channels() {
  static auto& table = *new Table<Channel>("channel");
  return table;
}

constexpr std::uint32_t kMostNotifies = 65536;
constexpr std::uint32_t kMostThreads = 200;
constexpr std::size_t kFlagBytes = 64;

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
  const std::lock_guard guard(mutex_);
  while (notifies_.size() < count) {
    aclrtNotify notify = nullptr;
    if (aclrtCreateNotify(&notify, 0) != ACL_SUCCESS) {
      fail(HCCL_E_UNAVAIL, "the device has no notify left, of {} for one thread", count);
    }
    notifies_.push_back(notify);
  }
}

aclrtNotify CommThread::notify(std::uint32_t index) const {
  const std::lock_guard guard(mutex_);
  if (index < notifies_.size()) return notifies_[index];
  fail(HCCL_E_PTR, "notify {} of a thread that has {}", index, notifies_.size());
}

std::uint32_t CommThread::notify_count() const {
  const std::lock_guard guard(mutex_);
  return static_cast<std::uint32_t>(notifies_.size());
}

// ---- channels ----

fabric::Bytes Channel::Card::pack() const {
  return fabric::Writer()
      .number(buffer_offset)
      .number(buffer_address)
      .number(buffer_bytes)
      .number(flags_offset)
      .number(notifies)
      .take();
}

Channel::Card Channel::Card::unpack(const fabric::Bytes& bytes) {
  fabric::Reader reader(bytes);
  Card card;
  card.buffer_offset = reader.number<std::uint64_t>();
  card.buffer_address = reader.number<std::uint64_t>();
  card.buffer_bytes = reader.number<std::uint64_t>();
  card.flags_offset = reader.number<std::uint64_t>();
  card.notifies = reader.number<std::uint32_t>();
  return card;
}

Channel::Channel(const std::shared_ptr<Communicator>& communicator, std::uint32_t remote,
                 std::uint32_t notifies, const Card& buffer)
    : links_(communicator->links()),
      physical_device_(communicator->physical_device()),
      remote_(remote),
      card_(buffer) {
  card_.notifies = notifies;
  const std::size_t bytes = std::max<std::size_t>(notifies, 1) * kFlagBytes;
  if (const auto error = embedding().allocate(physical_device_, bytes, memory_)) {
    fail(HCCL_E_MEMORY, "no memory for {} notifies: {}", notifies, error.text);
  }
  own_flags_ = static_cast<std::uint64_t*>(embedding().engine(memory_));
  for (std::uint32_t i = 0; i < notifies; ++i) own_flag(i) = 0;
  acl::embedding::DeviceFile file;
  embedding().device_file(physical_device_, file);
  card_.flags_offset =
      static_cast<std::uint64_t>(reinterpret_cast<std::byte*>(own_flags_) - file.engine);
}

Channel::~Channel() { embedding().free(physical_device_, memory_); }

void Channel::connect(const Card& peer) {
  if (peer.notifies != card_.notifies) {
    fail(HCCL_E_PARA, "notifyNum is {}, but rank {} asked for {}", card_.notifies, remote_,
         peer.notifies);
  }
  peer_ = peer;
  const int rank = static_cast<int>(remote_);
  // A peer of this process, and one that is not mapped, is shown as it addresses its buffer itself.
  const bool as_its_owner = links_->is_here(rank) || links_->is_remote(rank);
  shown_ = as_its_owner ? reinterpret_cast<void*>(static_cast<std::uintptr_t>(peer.buffer_address))
                        : reach(peer.buffer_offset);
  if (is_remote()) return;
  peer_flags_ = reinterpret_cast<std::uint64_t*>(reach(peer.flags_offset));
}

std::optional<std::uint64_t> Channel::offset_of(const void* address,
                                                std::uint64_t size) const noexcept {
  const std::uint64_t offset =
      reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(shown_);
  if (offset > peer_.buffer_bytes || size > peer_.buffer_bytes - offset) return std::nullopt;
  return peer_.buffer_offset + offset;
}

// ---- all of a communicator ----

std::shared_ptr<Resources> Resources::of(const std::shared_ptr<Communicator>& communicator) {
  return communicator->resource<Resources>(
      [&] { return std::make_shared<Resources>(communicator); });
}

Resources::~Resources() {
  for (const ThreadHandle handle : threads_) threads().remove(handle);
  for (const auto& [identity, kept] : channels_) channels().remove(kept.handle);
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
  const std::lock_guard guard(mutex_);
  if (buffer_) return buffer_;
  const std::uint64_t bytes = buffer_bytes();
  if (aclrtMalloc(&buffer_, bytes, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) {
    buffer_ = nullptr;
    fail(HCCL_E_MEMORY, "the device has no {} bytes left for the buffer of the communicator", bytes);
  }
  return buffer_;
}

ThreadHandle Resources::keep(std::shared_ptr<CommThread> thread) {
  const ThreadHandle handle = threads().add(std::move(thread));
  threads_.push_back(handle);
  return handle;
}

ThreadHandle Resources::thread_of(aclrtStream stream, std::uint32_t notifies) {
  const std::lock_guard guard(mutex_);
  ThreadHandle& handle = by_stream_[stream];
  if (handle == 0) handle = keep(std::make_shared<CommThread>(communicator(), stream, false));
  find_thread(handle)->want_notifies(notifies);
  return handle;
}

ThreadHandle Resources::new_thread(std::uint32_t notifies) {
  const std::lock_guard guard(mutex_);
  if (threads_.size() >= kMostThreads || notifies_ + notifies > kMostNotifies) {
    fail(HCCL_E_UNAVAIL, "the communicator has {} threads with {} notifies; that is the most",
         threads_.size(), notifies_);
  }
  aclrtStream stream = nullptr;
  if (aclrtCreateStream(&stream) != ACL_SUCCESS) {
    fail(HCCL_E_RUNTIME, "the device has no stream left");
  }
  auto thread = std::make_shared<CommThread>(communicator(), stream, true);
  thread->want_notifies(notifies);
  notifies_ += notifies;
  return keep(std::move(thread));
}

Channel::Card Resources::buffer_card() {
  Channel::Card card;
  void* const address = buffer();
  const auto own = communicator();
  acl::embedding::Place place;
  if (const auto error = embedding().locate("HcclChannelAcquire", address, 1, "buffer", false,
                                            place)) {
    fail(HCCL_E_INTERNAL, "{}", error.text);
  }
  card.buffer_offset = place.file_offset;
  card.buffer_address = reinterpret_cast<std::uintptr_t>(address);
  card.buffer_bytes = buffer_bytes();
  return card;
}

std::string Resources::key(const Channel::Identity& identity, std::uint32_t from,
                           std::uint32_t to) const {
  return fmt::format("channel/{}/{}/{}-{}", static_cast<int>(std::get<0>(identity)),
                     static_cast<int>(std::get<2>(identity)), from, to);
}

// All ends are told before the first is waited for: two ranks may name their peers in any order.
void Resources::acquire(CommEngine engine, const HcclChannelDesc* descs, std::uint32_t count,
                        ChannelHandle* handles) {
  const auto own = communicator();
  const Channel::Card card = buffer_card();
  const fabric::Moment end =
      fabric::Timekeeper::real().in(Settings::from_environment().connect_timeout);
  fabric::Store& store = own->group().store();
  const std::lock_guard guard(mutex_);
  std::vector<Kept*> wanted;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Channel::Identity identity{engine, descs[i].remoteRank, descs[i].channelProtocol};
    Kept& kept = channels_[identity];
    wanted.push_back(&kept);
    if (kept.channel) continue;
    kept.channel = std::make_shared<Channel>(own, descs[i].remoteRank, descs[i].notifyNum, card);
    store.set(key(identity, own->rank(), descs[i].remoteRank), kept.channel->card().pack());
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    Kept& kept = *wanted[i];
    if (kept.handle == 0) {
      const Channel::Identity identity{engine, descs[i].remoteRank, descs[i].channelProtocol};
      const auto answer = store.get(key(identity, descs[i].remoteRank, own->rank()), end);
      kept.channel->connect(Channel::Card::unpack(answer));
      kept.handle = channels().add(kept.channel);
    }
    handles[i] = kept.handle;
  }
  embedding().tell_unknown_writers();  // the peers
}

}  // namespace hccl
