// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/acl/watch/listener.h"
#include "runtime/order/engine/op_info.h"

namespace acl {

/// A call of a host thread that waits, as other threads see it.
struct HostWaitView {
  pid_t thread = 0;
  std::uint64_t serial = 0;  // of the wait, among all of the thread
  watch::Wait::For what{};
  bool untimed = true;
  bool in_function = false;    // the thread waits in a function of a stream
  std::uint32_t serves = 0;    // the stream that this function blocks, + 1; 0: none
  std::uint32_t stream = 0;    // the id of the stream that it waits for
  const void* core = nullptr;  // of that stream, to compare; null: another process moves it
  std::uint64_t target = 0;    // the number of its ops that must have left
  order::OpInfo call{};
};

/// The waits of one host thread, and whether it runs a function of a stream. The thread writes
/// them; other threads read them at any time, without a lock. A slot is never freed: a thread that
/// ends leaves it to another thread.
class HostWaitSlot {
 public:
  HostWaitSlot();
  ~HostWaitSlot();
  HostWaitSlot(const HostWaitSlot&) = delete;
  HostWaitSlot& operator=(const HostWaitSlot&) = delete;

  /// The thread begins to wait, in that call. Waits nest: a function that runs inside a wait may
  /// wait, too. `stream`, `serves`: as in HostWaitView.
  void begin(const watch::Wait& wait, std::uint32_t stream, std::uint32_t serves, const char* call,
             std::uint64_t site) noexcept {
    const std::size_t depth = slot_.depth.load(std::memory_order_relaxed);
    const std::uint64_t serial = begin_change();
    Entry& entry = slot_.waits[depth < kMost ? depth : kMost - 1];
    const bool inside = slot_.functions.load(std::memory_order_relaxed) != 0;
    entry.bits.store(
        static_cast<std::uint64_t>(wait.what) << 2 | (wait.untimed ? 2 : 0) | (inside ? 1 : 0),
        std::memory_order_release);
    entry.streams.store(static_cast<std::uint64_t>(serves) << 32 | stream,
                        std::memory_order_release);
    entry.core.store(wait.core, std::memory_order_release);
    entry.target.store(wait.target, std::memory_order_release);
    entry.call.store(call, std::memory_order_release);
    entry.site.store(site, std::memory_order_release);
    slot_.depth.store(depth + 1, std::memory_order_release);
    end_change(serial);
  }
  /// Its last wait has ended.
  void end() noexcept {
    const std::size_t depth = slot_.depth.load(std::memory_order_relaxed);
    const std::uint64_t serial = begin_change();
    slot_.depth.store(depth - 1, std::memory_order_release);
    end_change(serial);
  }
  void function_begins() noexcept { count_functions(1); }
  void function_ends() noexcept { count_functions(-1); }

  struct State {
    std::vector<HostWaitView> waits;  // the last wait of each thread
    std::vector<pid_t> busy;          // threads that run a function and wait for nothing in it
    std::uint64_t events = 0;         // grows with each wait that begins or ends
  };
  static State all();

 private:
  static constexpr std::size_t kMost = 4;  // nested waits that are kept
  struct Entry {
    std::atomic<std::uint64_t> bits{0};     // kind, untimed, in a function
    std::atomic<std::uint64_t> streams{0};  // serves, stream
    std::atomic<const void*> core{nullptr};
    std::atomic<std::uint64_t> target{0};
    std::atomic<const char*> call{""};
    std::atomic<std::uint64_t> site{0};
  };
  struct alignas(64) Slot {
    std::atomic<std::uint64_t> serial{0};  // odd while the thread changes the rest
    std::atomic<std::size_t> depth{0};
    std::atomic<int> functions{0};
    std::atomic<pid_t> thread{0};
    std::atomic<bool> owned{true};
    std::array<Entry, kMost> waits;
    Slot* next = nullptr;

    /// Nothing: the thread is changing it. A view without a call: the thread does not wait.
    std::optional<HostWaitView> read() const;
  };
  static Slot& take_slot();

  // Only the thread itself writes. Stores in between are ordered behind the first of these, and
  // before the second.
  std::uint64_t begin_change() noexcept {
    const std::uint64_t serial = slot_.serial.load(std::memory_order_relaxed) + 1;
    slot_.serial.store(serial, std::memory_order_relaxed);
    return serial;
  }
  void end_change(std::uint64_t serial) noexcept {
    slot_.serial.store(serial + 1, std::memory_order_release);
  }
  void count_functions(int change) noexcept {
    slot_.functions.store(slot_.functions.load(std::memory_order_relaxed) + change,
                          std::memory_order_relaxed);
  }

  static constinit std::atomic<Slot*> slots_;
  Slot& slot_;
};

}  // namespace acl
