// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "device_sim/base/error.h"
#include "device_sim/streams/wait_point.h"

namespace sim {

/// The condition under which a word releases a waiting stream.
struct WordTest {
  enum class Is : std::uint8_t {
    less,  // word < value
    equal,
    greater,
    greater_equal,
    not_before,    // as signed difference: (word - value) >= 0
    has_all_bits,  // (word & value) == value
    has_a_bit,     // (word & value) != 0
    lacks_a_bit,   // ~(word | value) != 0
  };
  Is is = Is::equal;
  bool clear = false;  // passing sets the word to 0: one stream passes at a time
  std::uint64_t value = 0;

  bool holds(std::uint64_t word) const noexcept;
};

enum class WordChange : std::uint8_t {
  set,
  add_32,  // modulo 2^32
  set_bits,
  keep_bits,
  raise,  // to at least the value
};

/// A number that streams change and wait for: a notify, a counter, a memory word. A word may be in
/// memory that other parties write without `change` (device memory, memory shared with another
/// process). The driver polls that word while streams wait for it (`Driver::watch`).
class Word : public WaitPoint {
 public:
  Word() noexcept : place_(&own_) {}
  /// A word at a place that others may write too. The place outlives this.
  explicit Word(std::atomic<std::uint64_t>* place, bool watched = true) noexcept
      : place_(place), watched_(watched) {}

  /// The id that the layer above gave it, for observers; 0: none. Set before the word is used.
  std::uint64_t id() const noexcept { return id_; }
  void set_id(std::uint64_t id) noexcept { id_ = id; }

  bool watched() const noexcept { return watched_.load(std::memory_order_acquire); }
  /// From now on others write it. For streams that wait already, the caller has the driver watch
  /// it.
  void watch_from_now() noexcept { watched_.store(true, std::memory_order_release); }
  std::uint64_t value() const noexcept { return place_->load(std::memory_order_acquire); }

  /// Changes the word and releases the streams that may pass now.
  void change(WordChange how, std::uint64_t value);
  /// Releases the streams that may pass since others wrote the word. True when streams still wait.
  bool look();

  /// For Stream. True: the stream is parked. False: it passes at once, was abandoned, or fails
  /// because the word is lost.
  bool park(Stream& stream, const WordTest& test);
  bool passes(const WordTest& test) noexcept;
  bool keeps(const Stream& stream) const noexcept override;

  /// A change of the word was submitted to the stream; `change_came`: its op has retired.
  void expect_change(Stream& stream) noexcept;
  void change_came() noexcept;
  /// The stream that submitted the newest change; null if no change is expected or other parties
  /// write the word.
  Ref<Stream> changer() const noexcept;

 protected:
  /// Why this word will never change again: streams that wait for it fail with this.
  virtual Failure lost() const noexcept { return {}; }

 private:
  Stream* take_passing() noexcept REQUIRES(lock_);

  std::atomic<std::uint64_t> own_{0};
  std::atomic<std::uint64_t>* const place_;
  std::atomic<bool> watched_{false};
  std::uint64_t id_ = 0;
  int expected_ GUARDED_BY(lock_) = 0;  // submitted changes that have not retired
  // The stream of the newest of them; one reference.
  Stream* changer_ GUARDED_BY(lock_) = nullptr;
};

}  // namespace sim
