// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/links/published_order.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "device_sim/base/sanitizer.h"
#include "device_sim/base/split_mix.h"

namespace shmem {
namespace {

// Kinds of numbers: changes, waits, threads. The kinds below them are the PEs of notifications.
constexpr std::uint64_t kChange = 1ULL << 40;
constexpr std::uint64_t kWait = 1ULL << 41;
constexpr std::uint64_t kHost = 1ULL << 42;
// The flags of operations, in this process. Nothing in it waits for the first or sets the second.
constexpr std::uint64_t kSets = 1ULL << 62;
constexpr std::uint64_t kTakes = kSets + 1;

// The read is hidden from ThreadSanitizer: a task of the device may write the word at the same
// time. memcpy would be seen.
#if defined(SIM_THREAD_SANITIZER)
#define SHMEM_UNSEEN __attribute__((no_sanitize("thread"), noinline))
#else
#define SHMEM_UNSEEN
#endif
SHMEM_UNSEEN std::uint64_t load_unseen(const std::byte* word, std::size_t size) noexcept {
  const volatile std::byte* const from = word;
  std::byte bytes[sizeof(std::uint64_t)] = {};
  for (std::size_t i = 0; i < size; ++i) bytes[i] = from[i];
  return std::bit_cast<std::uint64_t>(bytes);
}
#undef SHMEM_UNSEEN

bool is_value(std::size_t size) { return size == 1 || size == 2 || size == 4 || size == 8; }

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

/// The value of a word in the heap of device memory, which only operations write.
std::optional<std::uint64_t> PublishedOrder::read(int pe, std::size_t offset,
                                                  std::size_t size) const {
  if (!is_value(size) || offset % size != 0 || offset + size > memory_.bytes()) return std::nullopt;
  return load_unseen(memory_.engine(pe) + offset, size);
}

/// The calling thread, in all processes.
std::uint64_t PublishedOrder::host() const { return key(me_, kHost, embedding().host_thread()); }

std::uint64_t PublishedOrder::changes(int pe, std::size_t offset, std::size_t size,
                                      const WordEffect& effect, By by, bool awaited) {
  if (!on_ || !memory_.engine(pe)) return 0;
  if (embedding().in_kernel()) by = By::other;
  const std::optional<std::uint64_t> before = read(pe, offset, size);
  const std::uint64_t number = count(pe).fetch_add(1) + 1;
  Change& made = change(pe, number);
  made.offset = offset;
  made.size = size;
  made.by = static_cast<std::uint64_t>(by);
  made.host = awaited && by == By::operation ? host() : 0;
  made.effect = effect;
  if (!before) made.effect.known = false;
  made.before = before.value_or(0);
  made.number.store(number);
  return by == By::operation ? key(pe, kChange, number) : 0;
}

acl::embedding::FlagUse PublishedOrder::setting(std::uint64_t key, std::uint64_t second_key) const {
  if (key == 0) std::swap(key, second_key);
  if (key == 0) return {};
  return {.flag = kSets, .sets = true, .crosses = true, .key = key, .second_key = second_key};
}

acl::embedding::FlagUse PublishedOrder::taking() const {
  if (!on_) return {};
  return {.flag = kTakes, .sets = false, .crosses = true};
}

/// Returns false if the change with that number has not been recorded yet. On entry `at.seen` is
/// the change of the word before; it becomes this one, if this is a change of the word.
bool PublishedOrder::take_in(const Word& word, std::uint64_t number, SeenChange& at,
                             const Ends& ends) {
  const Change& made = change(word.pe, number);
  const std::uint64_t found = made.number.load();
  if (found < number) return false;
  // the entry was overwritten, so the change may concern these bytes
  const bool forgotten = found != number;
  const bool apart =
      made.offset >= word.offset + word.size || word.offset >= made.offset + made.size;
  if (!forgotten && apart) return true;
  if (!forgotten && made.by != static_cast<std::uint64_t>(By::operation)) {
    lost();
    at.seen.value.reset();
    return true;
  }
  const bool exact = !forgotten && made.offset == word.offset && made.size == word.size;
  std::optional<std::uint64_t>& value = at.seen.value;
  // If the word held another value than the changes leave, something else has written it.
  if (at.seen.number == 0) value = made.before;
  if (exact && value && *value != made.before) value.reset();
  value = exact ? value_after(made.effect, value, word.size) : std::nullopt;
  at.seen.number = number;
  at.own = exact && made.host != 0 && made.host == host();
  const bool known = ends && value.has_value();
  at.change = {key(word.pe, kChange, number), known, known && ends(*value),
               !exact || made.effect.merges()};
  return true;
}

/// Reports the changes from the last one on that certainly is before the wait. Returns the key of
/// the wait; 0: there was no change.
std::uint64_t PublishedOrder::report(const Waiter& waiter, const Word& word, const Ends& ends) {
  const SeenBy by(waiter.stream, waiter.number, word.pe, word.offset, word.size);
  SeenChange at;
  {
    const sim::LockGuard guard(mutex_);
    at.seen = seen_[by];
  }
  bool begun = at.seen.number != 0;  // the first is before the wait
  std::vector<SeenChange> all;
  if (begun) {
    const bool known = ends && at.seen.value.has_value();
    at.change = {key(word.pe, kChange, at.seen.number), known, known && ends(*at.seen.value), true};
    all.push_back(at);
  }
  const std::uint64_t end = count(word.pe).load();
  for (std::uint64_t number = at.seen.number + 1; number <= end; ++number) {
    if (!take_in(word, number, at, ends)) break;
    if (at.seen.number != number) continue;
    if (!waiter.stream && at.own && !at.change.merges) {
      all.clear();
      begun = true;
    }
    all.push_back(at);
  }
  if (all.empty()) return 0;
  const auto may_end = [](const SeenChange& one) { return one.change.ends || !one.change.known; };
  const auto ended = begun && all.front().change.ends
                         ? all.begin()
                         : std::find_if(all.begin() + begun, all.end(), may_end);
  const bool sure = ended != all.end() && ended->change.ends;
  {
    const sim::LockGuard guard(mutex_);
    seen_[by] = sure ? ended->seen : all.back().seen;
  }
  std::vector<acl::embedding::WordChange> changes;
  for (const SeenChange& one : all) changes.push_back(one.change);
  const std::uint64_t wait = key(me_, kWait, ++waits_);
  embedding().tell_word_changes(wait, memory_.file(word.pe), word.offset, word.size, changes);
  return wait;
}

void PublishedOrder::saw(int pe, std::size_t offset, std::size_t size, const Ends& ends) {
  if (!on_ || !memory_.engine(pe)) return;
  if (embedding().in_kernel()) return lost();
  const std::uint64_t wait = report({false, embedding().host_thread()}, {pe, offset, size}, ends);
  if (wait != 0) embedding().tell_acquired(wait);
}

std::uint64_t PublishedOrder::took(std::uint64_t stream, std::size_t offset, std::size_t size,
                                   const Ends& ends) {
  if (!on_ || lost_) return 0;
  return report({true, stream}, {me_, offset, size}, ends);
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
