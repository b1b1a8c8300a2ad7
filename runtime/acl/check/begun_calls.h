// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace acl {

/// A function of a stream that a thread runs.
struct BegunCall {
  std::uint32_t completion_id = 0;  // 0: none
  std::uint32_t stream = 0;
};

/// Holds the function that one thread runs. Other threads read it, without a lock.
class BegunCallSlot {
 public:
  BegunCallSlot();
  ~BegunCallSlot();
  BegunCallSlot(const BegunCallSlot&) = delete;
  BegunCallSlot& operator=(const BegunCallSlot&) = delete;

  void set(BegunCall call) { slot_.packed.store(pack(call), std::memory_order_release); }
  BegunCall get() const { return unpack(slot_.packed.load(std::memory_order_relaxed)); }
  bool empty() const { return get().completion_id == 0; }

  /// The functions that all threads run.
  static std::vector<BegunCall> all();

 private:
  /// Slots are never freed: a thread that ends leaves its slot to another thread.
  struct Slot {
    std::atomic<std::uint64_t> packed{0};
    std::atomic<bool> owned{true};
    Slot* next = nullptr;
  };
  static std::uint64_t pack(BegunCall call) {
    return static_cast<std::uint64_t>(call.stream) << 32 | call.completion_id;
  }
  static BegunCall unpack(std::uint64_t packed) {
    return {static_cast<std::uint32_t>(packed), static_cast<std::uint32_t>(packed >> 32)};
  }
  static Slot& take_slot();

  static constinit std::atomic<Slot*> slots_;
  Slot& slot_;
};

}  // namespace acl
