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

/// What an atomic does with a word of 4 or 8 bytes, which lies at a multiple of its size.
enum class AtomicOp : std::uint8_t { add, set, bit_and, bit_or, bit_xor, compare_and_set };

struct Atomic {
  AtomicOp op = AtomicOp::add;
  std::uint8_t width = 8;
  std::uint64_t operand = 0;
  std::uint64_t expected = 0;  // compare_and_set
};

/// Puts of up to so many bytes are copied by the call that issues them.
inline constexpr std::size_t kCopiedPut = 64 << 10;

/// The way from this rank to one other. Nothing blocks, but going: what was issued is sent first,
/// if the peer takes it within seconds. Operations are not ordered among each other but where it
/// says so: `notify` comes after every put and atomic that was issued before it on the same
/// transport, and who sees the notified word sees these.
///
/// A way that fails while something is on it, or when it is used again, loses the rank for its
/// group.
///
/// Any thread may call; offsets and sizes that are not inside throw FabricError(invalid), and what
/// the network reports later comes out of `flush`.
class Transport {
 public:
  /// Called once, in any thread; a null pointer: everything has arrived.
  using Done = std::function<void(const FabricError*)>;

  virtual ~Transport() = default;
  /// "memory", "ucx": for traces.
  virtual const char* name() const noexcept = 0;
  /// The peer's registered memory. Throws as map_peer_memory.
  virtual std::shared_ptr<PeerMemory> attach(const MemoryCard& card) = 0;

  /// `source` is not changed before `flush` or `flush_sources` has called back, unless it has
  /// kCopiedPut bytes or fewer. What is put may stay here until the next notify, atomic, push or
  /// flush, and travel with that.
  virtual void put(PeerMemory& to, std::size_t offset, std::span<const std::byte> source) = 0;
  /// `target` holds the bytes when `flush` has called back.
  virtual void get(PeerMemory& from, std::size_t offset, std::span<std::byte> target) = 0;
  /// `before`: where the word as it was goes until `flush` calls back; null: nobody wants it.
  virtual void atomic(PeerMemory& at, std::size_t offset, const Atomic& what,
                      std::uint64_t* before) = 0;
  /// An atomic on a word that somebody at the other side waits for; wakes that process.
  virtual void notify(PeerMemory& at, std::size_t offset, const Atomic& what,
                      std::uint64_t* before = nullptr) = 0;
  /// Sends what stays here, and wakes the process at the other side behind it.
  virtual void push() = 0;
  /// The same, and `flush` does not wait until the process is awake.
  virtual void wake() { push(); }
  /// Calls back when everything that was issued before has arrived, perhaps at once.
  virtual void flush(Done done) = 0;
  /// Calls back when the sources of puts may be changed and gets have ended, perhaps at once.
  /// Cheaper than `flush`, as the peer need not answer.
  virtual void flush_sources(Done done) { flush(std::move(done)); }

  /// Makes the progress that can be made now, for a thread that waits and would only look again;
  /// true: something came. Without it the I/O thread does.
  virtual bool poll() { return false; }
  /// Around a row of polls: as long as it lasts, and for a moment behind it, the I/O thread does
  /// not look, so that it does not stand in the way.
  virtual void begin_polls() noexcept {}
  virtual void end_polls() noexcept {}
};

/// By where the rank is. Throws FabricError(broken) for a rank of another host that this build, or
/// this system, has no transport to.
std::unique_ptr<Transport> make_transport(Group& group, int rank);

}  // namespace fabric
