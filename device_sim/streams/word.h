// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "device_sim/base/error.h"
#include "device_sim/streams/wait_point.h"

namespace sim {

/// What a waiting stream wants to read in a word.
struct WordTest {
  enum class Is : std::uint8_t {
    less,             // word < value
    equal,
    greater,
    greater_equal,
    not_before,       // as signed difference: (word - value) >= 0
    has_all_bits,     // (word & value) == value
    has_a_bit,        // (word & value) != 0
    lacks_a_bit,      // ~(word | value) != 0
  };
  Is is = Is::equal;
  bool clear = false;  // who passes sets the word to 0: one passes at a time
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

/// A number that streams change and wait for: a notify, a counter, a word of memory. A word may
/// lie where others write it too (device memory, memory shared with another process): streams that
/// wait for such a one are looked after by the driver's `watch`.
class Word : public WaitPoint {
 public:
  Word() noexcept : place_(&own_) {}
  /// A word that others write too. The place outlives this.
  explicit Word(std::atomic<std::uint64_t>* place, bool watched = true) noexcept
      : place_(place), watched_(watched) {}

  /// What the layer above calls it, for observers; 0: nothing. Set before anybody uses the word.
  std::uint64_t id() const noexcept { return id_; }
  void set_id(std::uint64_t id) noexcept { id_ = id; }

  bool watched() const noexcept { return watched_.load(std::memory_order_acquire); }
  /// From now on others write it. The caller has the driver watch it once, for who waits already.
  void watch_from_now() noexcept { watched_.store(true, std::memory_order_release); }
  std::uint64_t value() const noexcept { return place_->load(std::memory_order_acquire); }

  /// Changes the word and sets free who may pass now.
  void change(WordChange how, std::uint64_t value);
  /// Sets free who may pass now, after somebody else wrote the word. True when streams still wait.
  bool look();

  /// Order rules' side: true when the stream was parked, false when it passes at once, was
  /// abandoned, or fails since the word is lost.
  bool park(Stream& stream, const WordTest& test);
  bool passes(const WordTest& test) noexcept;

  /// A change of the word was submitted to the stream; `came`: it has left the stream again.
  void expect_change(Stream& stream) noexcept;
  void change_came() noexcept;
  /// A stream with such a change, while one is submitted; none where others write the word too.
  Ref<Stream> changer() const noexcept;

 protected:
  /// Why this word will not change any more; streams that wait then fail with it.
  virtual Failure lost() const noexcept { return {}; }

 private:
  Stream* take_passing() noexcept;  // with lock_

  std::atomic<std::uint64_t> own_{0};
  std::atomic<std::uint64_t>* const place_;
  std::atomic<bool> watched_{false};
  std::uint64_t id_ = 0;
  int expected_ = 0;           // changes, with lock_
  Stream* changer_ = nullptr;  // of the newest of them, with lock_; one reference
};

}  // namespace sim
