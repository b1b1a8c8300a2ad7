// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "runtime/fabric/ranks/group.h"
#include "runtime/fabric/transport/memory.h"

namespace fabric {

/// The effect of an atomic on a word of 4 or 8 bytes, which is aligned to its size.
enum class AtomicOp : std::uint8_t { add, set, bit_and, bit_or, bit_xor, compare_and_set };

struct Atomic {
  AtomicOp op = AtomicOp::add;
  std::uint8_t width = 8;
  std::uint64_t operand = 0;
  std::uint64_t expected = 0;  // for compare_and_set
};

/// Puts of at most this size are copied by the call that issues them.
inline constexpr std::size_t kCopiedPut = 64 << 10;

/// The connection from this rank to one other. No function blocks, except the destructor: it first
/// sends everything that was issued, if the peer accepts it within seconds. Operations are not
/// ordered among each other, with one exception: `notify` comes after every put and atomic that was
/// issued before it on the same transport, and a thread that sees the notified word sees their
/// effects.
///
/// A connection that fails while operations are pending, or that is used after a failure, loses the
/// rank for its group.
///
/// Any thread may call. Offsets and sizes that are not inside throw FabricError(invalid). Later
/// errors of the network are reported by `flush`.
class Transport {
 public:
  /// Called once, by any thread. Null: all operations have arrived.
  using Done = std::function<void(const FabricError*)>;

  virtual ~Transport() = default;
  /// "memory" or "ucx", for traces.
  virtual const char* name() const noexcept = 0;
  /// Attaches registered memory of the peer. Throws as map_peer_memory.
  virtual std::shared_ptr<PeerMemory> attach(const MemoryCard& card) = 0;

  /// The caller may not change `source` before `flush` or `flush_sources` has called back, unless
  /// it has kCopiedPut bytes or fewer. The transport may hold the bytes back until the next notify,
  /// atomic, push or flush, and send them together.
  virtual void put(PeerMemory& to, std::size_t offset, std::span<const std::byte> source) = 0;
  /// `target` holds the bytes when `flush` has called back.
  virtual void get(PeerMemory& from, std::size_t offset, std::span<std::byte> target) = 0;
  /// `before`: receives the old value of the word before `flush` calls back; null: not wanted.
  virtual void atomic(PeerMemory& at, std::size_t offset, const Atomic& what,
                      std::uint64_t* before) = 0;
  /// An atomic on a word that the peer waits for. Wakes the peer's process.
  virtual void notify(PeerMemory& at, std::size_t offset, const Atomic& what,
                      std::uint64_t* before = nullptr) = 0;
  /// Sends everything that was held back, and then wakes the peer's process.
  virtual void push() = 0;
  /// As `push`, but `flush` does not wait until the peer's process is awake.
  virtual void wake() { push(); }
  /// Calls back when everything that was issued before has arrived, possibly during the call.
  virtual void flush(Done done) = 0;
  /// Calls back when the sources of puts may be changed and all gets are complete, possibly during
  /// the call. Cheaper than `flush`, because the peer need not answer.
  virtual void flush_sources(Done done) { flush(std::move(done)); }

  /// Makes the progress that is possible now, for a thread that would otherwise only poll memory.
  /// Returns true if a message arrived. Without polls the I/O thread makes the progress.
  virtual bool poll() { return false; }
  /// Marks a series of polls. During the series, and for a moment after it, the I/O thread does not
  /// poll, so that it takes no processor time from this thread.
  virtual void begin_polls() noexcept {}
  virtual void end_polls() noexcept {}
};

/// Chooses the transport by the location of the rank. Throws FabricError(broken) for a rank of
/// another host if this build, or this system, has no transport to it.
std::unique_ptr<Transport> make_transport(Group& group, int rank);

}  // namespace fabric
