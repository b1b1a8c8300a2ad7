// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/links/published_order.h"

#include <algorithm>

#include "device_sim/base/mutex.h"
#include "device_sim/base/split_mix.h"

namespace shmem {
namespace {

// kind of a key for a change; kinds below it are the PEs of notifications
constexpr std::uint64_t kChange = 1ULL << 40;

}  // namespace

PublishedOrder::PublishedOrder(const SymmetricMemory& memory, int me)
    : memory_(memory), me_(me), on_(embedding().listened()) {
  if (!memory.checked_everywhere()) lost();
}

void PublishedOrder::lost() {
  if (on_ && !lost_.exchange(true)) embedding().tell_unknown_writers();
}

std::atomic_ref<std::uint64_t> PublishedOrder::count(int pe) const {
  return std::atomic_ref<std::uint64_t>(
      *reinterpret_cast<std::uint64_t*>(memory_.engine(pe) + kOffset));
}

PublishedOrder::Change& PublishedOrder::change(int pe, std::uint64_t number) const {
  auto* const first = reinterpret_cast<Change*>(memory_.engine(pe) + kOffset + 64);
  return first[number % kChanges];
}

std::uint64_t PublishedOrder::key(int pe, std::uint64_t kind, std::uint64_t number) const {
  return sim::split_mix(sim::split_mix(memory_.file(pe) ^ kind) + number);
}

void PublishedOrder::changes(int pe, std::size_t offset, std::size_t size, By by) {
  if (!on_ || !memory_.engine(pe)) return;
  if (embedding().in_kernel()) by = By::other;
  const std::uint64_t number = count(pe).fetch_add(1) + 1;
  Change& made = change(pe, number);
  made.offset = offset;
  made.size = size;
  made.by = static_cast<std::uint64_t>(by);
  made.number.store(number);
  if (by != By::host) return;
  const sim::LockGuard guard(mutex_);
  begun_.push_back(key(pe, kChange, number));
}

void PublishedOrder::settle() {
  if (!on_) return;
  std::vector<std::uint64_t> done;
  {
    const sim::LockGuard guard(mutex_);
    done.swap(begun_);
  }
  for (const std::uint64_t one : done) embedding().tell_released(one);
}

/// Returns false if the change with that number has not been recorded yet.
bool PublishedOrder::take_in(int pe, std::uint64_t number, std::size_t offset, std::size_t size) {
  const Change& made = change(pe, number);
  const std::uint64_t found = made.number.load();
  if (found < number) return false;
  // the entry was overwritten, so the change may concern these bytes
  const bool forgotten = found != number;
  if (!forgotten && (made.offset >= offset + size || offset >= made.offset + made.size))
    return true;
  if (!forgotten && made.by != static_cast<std::uint64_t>(By::host)) {
    lost();
  } else {
    embedding().tell_acquired(key(pe, kChange, number));
  }
  return true;
}

void PublishedOrder::saw(int pe, std::size_t offset, std::size_t size) {
  if (!on_ || !memory_.engine(pe)) return;
  if (embedding().in_kernel()) return lost();
  std::uint64_t from = 0;
  if (pe == me_) {
    const sim::LockGuard guard(mutex_);
    from = seen_[{offset, size}];
  }
  const std::uint64_t end = count(pe).load();
  while (from < end && take_in(pe, from + 1, offset, size)) ++from;
  if (pe != me_) return;
  const sim::LockGuard guard(mutex_);
  std::uint64_t& seen = seen_[{offset, size}];
  seen = std::max(seen, from);
}

void PublishedOrder::notified(int pe, std::uint64_t count) {
  if (!on_) return;
  if (embedding().in_kernel()) return lost();
  embedding().tell_released(key(pe, static_cast<std::uint64_t>(me_), count));
}

void PublishedOrder::was_notified_by(int pe, std::uint64_t count) {
  if (on_) embedding().tell_acquired(key(me_, static_cast<std::uint64_t>(pe), count));
}

std::vector<acl::embedding::Rendezvous> PublishedOrder::rendezvous(
    std::span<const Arrivals::Pair> round) const {
  std::vector<acl::embedding::Rendezvous> all;
  if (!on_ || lost_) return all;
  for (const auto& [tells, awaits] : round) {
    const std::uint64_t own = key(tells.pe, static_cast<std::uint64_t>(me_), tells.count);
    const std::uint64_t other = key(me_, static_cast<std::uint64_t>(awaits.pe), awaits.count);
    all.push_back({own, tells.count, 1, own, {other}});
  }
  return all;
}

}  // namespace shmem
