// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "runtime/fabric/transport/transport.h"

namespace fabric {
namespace {

template <class Word>
std::uint64_t apply(std::byte* place, const Atomic& what) {
  std::atomic_ref<Word> word(*reinterpret_cast<Word*>(place));
  const auto operand = static_cast<Word>(what.operand);
  switch (what.op) {
    case AtomicOp::add:
      return word.fetch_add(operand);
    case AtomicOp::set:
      return word.exchange(operand);
    case AtomicOp::bit_and:
      return word.fetch_and(operand);
    case AtomicOp::bit_or:
      return word.fetch_or(operand);
    case AtomicOp::bit_xor:
      return word.fetch_xor(operand);
    case AtomicOp::compare_and_set: {
      auto expected = static_cast<Word>(what.expected);
      word.compare_exchange_strong(expected, operand);
      return expected;
    }
  }
  return 0;
}

/// Memory that both sides map: everything has happened when the call returns.
class MemoryTransport final : public Transport {
 public:
  MemoryTransport(std::shared_ptr<Process> process, Peer peer)
      : process_(std::move(process)), peer_(std::move(peer)) {}

  const char* name() const noexcept override { return "memory"; }
  std::shared_ptr<PeerMemory> attach(const MemoryCard& card) override {
    return map_peer_memory(peer_, card);
  }

  void put(PeerMemory& to, std::size_t offset, std::span<const std::byte> source) override {
    to.require(offset, source.size(), "a put");
    // A rank may put into its own memory, from a place nearby.
    if (!source.empty()) std::memmove(to.mapped() + offset, source.data(), source.size());
  }
  void get(PeerMemory& from, std::size_t offset, std::span<std::byte> target) override {
    from.require(offset, target.size(), "a get");
    if (!target.empty()) std::memmove(target.data(), from.mapped() + offset, target.size());
  }
  void atomic(PeerMemory& at, std::size_t offset, const Atomic& what,
              std::uint64_t* before) override {
    if ((what.width != 4 && what.width != 8) || offset % what.width != 0) {
      throw FabricError(Status::invalid, "an atomic of " + std::to_string(what.width) +
                                             " bytes at offset " + std::to_string(offset) +
                                             "; expected 4 or 8 bytes at a multiple of that");
    }
    at.require(offset, what.width, "an atomic");
    std::byte* const place = at.mapped() + offset;
    const std::uint64_t was =
        what.width == 4 ? apply<std::uint32_t>(place, what) : apply<std::uint64_t>(place, what);
    if (before) *before = was;
  }
  void notify(PeerMemory& at, std::size_t offset, const Atomic& what) override {
    atomic(at, offset, what, nullptr);
    if (peer_.reached) {
      peer_.reached->doorbell().ring();
    } else {
      process_->tell();
    }
  }
  void flush(Done done) override { done(nullptr); }

 private:
  const std::shared_ptr<Process> process_;
  const Peer peer_;
};

}  // namespace

std::unique_ptr<Transport> make_transport(const Group& group, int rank) {
  const Peer& peer = group.peer(rank);
  if (peer.locality != Locality::remote) {
    return std::make_unique<MemoryTransport>(group.process(), peer);
  }
  throw FabricError(Status::broken, "rank " + std::to_string(rank) + " (process " +
                                        std::to_string(peer.process.pid) +
                                        ") is on another host; this build has no transport "
                                        "between hosts");
}

}  // namespace fabric
