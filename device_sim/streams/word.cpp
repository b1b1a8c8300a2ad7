// SPDX-License-Identifier: Apache-2.0
#include "device_sim/streams/word.h"

#include <utility>

#include "device_sim/base/mutex.h"
#include "device_sim/base/sanitizer.h"
#include "device_sim/streams/stream.h"

namespace sim {

bool WordTest::holds(std::uint64_t word) const noexcept {
  switch (is) {
    case Is::less:
      return word < value;
    case Is::equal:
      return word == value;
    case Is::greater:
      return word > value;
    case Is::greater_equal:
      return word >= value;
    case Is::not_before:
      return static_cast<std::int64_t>(word - value) >= 0;
    case Is::has_all_bits:
      return (word & value) == value;
    case Is::has_a_bit:
      return (word & value) != 0;
    case Is::lacks_a_bit:
      return ~(word | value) != 0;
  }
  return false;
}

namespace {
// Copies by the host and kernels may write such a word without atomics. That is allowed.
#if defined(SIM_THREAD_SANITIZER)
__attribute__((no_sanitize("thread")))
#endif
std::uint64_t
look_at(const std::atomic<std::uint64_t>* place) noexcept {
  return __atomic_load_n(reinterpret_cast<const std::uint64_t*>(place), __ATOMIC_ACQUIRE);
}
}  // namespace

bool Word::passes(const WordTest& test) noexcept {
  std::uint64_t seen = look_at(place_);
  while (test.holds(seen)) {
    has_acquired(place_);
    // Another process may try to pass at the same time: only one may succeed.
    if (!test.clear || place_->compare_exchange_weak(seen, 0, std::memory_order_acq_rel))
      return true;
  }
  return false;
}

// First come, first served. Each stream tests the value that the one before it left.
Stream* Word::take_passing() noexcept {
  Stream* passing = nullptr;
  Stream* last = nullptr;
  Stream* previous = nullptr;
  const Failure failure = lost();
  for (Stream* at = first_parked(); at;) {
    Stream* const next = next_parked(*at);
    if (failure) at->record_failure(failure);
    if (failure || passes(at->word_test_)) {
      unlink(previous, *at);
      (last ? last->next_parked_ : passing) = at;
      last = at;
    } else {
      previous = at;
    }
    at = next;
  }
  return passing;
}

void Word::change(WordChange how, std::uint64_t value) {
  Stream* passing = nullptr;
  {
    const sim::LockGuard guard(lock_);
    switch (how) {
      case WordChange::set:
        place_->store(value, std::memory_order_release);
        break;
      case WordChange::add_32:
        place_->store((place_->load(std::memory_order_acquire) + value) & 0xffffffff,
                      std::memory_order_release);
        break;
      case WordChange::set_bits:
        place_->fetch_or(value, std::memory_order_acq_rel);
        break;
      case WordChange::raise:
        for (std::uint64_t seen = place_->load(); seen < value;) {
          if (place_->compare_exchange_weak(seen, value, std::memory_order_acq_rel)) break;
        }
        break;
      case WordChange::keep_bits:
        place_->fetch_and(value, std::memory_order_acq_rel);
        break;
    }
    passing = take_passing();
  }
  set_free(passing);
}

bool Word::look() {
  Stream* passing = nullptr;
  bool waiting = false;
  {
    const sim::LockGuard guard(lock_);
    passing = take_passing();
    waiting = first_parked() != nullptr;
  }
  set_free(passing);
  return waiting;
}

bool Word::park(Stream& stream, const WordTest& test) {
  const sim::LockGuard guard(lock_);
  if (const Failure failure = lost()) {
    stream.record_failure(failure);
    return false;
  }
  // Streams that wait already pass first: the thread that changes the word releases them.
  if (passes(test)) return false;
  stream.word_test_ = test;
  return add_parked(stream);
}

// A value that others have written counts before the driver looks at the word.
bool Word::keeps(const Stream& stream) const noexcept {
  const sim::LockGuard guard(lock_);
  return has(stream) && !lost() && !stream.word_test_.holds(look_at(place_));
}

void Word::expect_change(Stream& stream) noexcept {
  stream.retain();
  Stream* old = &stream;
  {
    const sim::LockGuard guard(lock_);
    ++expected_;
    std::swap(old, changer_);
  }
  if (old) old->release();
}

void Word::change_came() noexcept {
  Stream* old = nullptr;
  {
    const sim::LockGuard guard(lock_);
    if (--expected_ == 0) std::swap(old, changer_);
  }
  if (old) old->release();
}

Ref<Stream> Word::changer() const noexcept {
  if (watched()) return {};
  const sim::LockGuard guard(lock_);
  return Ref<Stream>::share(changer_);
}

}  // namespace sim
