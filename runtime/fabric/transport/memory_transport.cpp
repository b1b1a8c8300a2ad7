// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <utility>

#include "runtime/fabric/transport/atomic.h"
#include "runtime/fabric/transport/network.h"
#include "runtime/fabric/transport/transport.h"

namespace fabric {
namespace {

/// Memory that both sides map: an operation is complete when its call returns.
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
    // A rank may put into its own memory from an overlapping source.
    if (!source.empty()) std::memmove(to.mapped() + offset, source.data(), source.size());
  }
  void get(PeerMemory& from, std::size_t offset, std::span<std::byte> target) override {
    from.require(offset, target.size(), "a get");
    if (!target.empty()) std::memmove(target.data(), from.mapped() + offset, target.size());
  }
  void atomic(PeerMemory& at, std::size_t offset, const Atomic& what,
              std::uint64_t* before) override {
    require_word(at, offset, what);
    const std::uint64_t was = apply(at.mapped() + offset, what);
    if (before) *before = was;
  }
  void notify(PeerMemory& at, std::size_t offset, const Atomic& what,
              std::uint64_t* before) override {
    atomic(at, offset, what, before);
    push();
  }
  void push() override {
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

std::unique_ptr<Transport> make_transport(Group& group, int rank) {
  const Peer& peer = group.peer(rank);
  if (peer.locality == Locality::remote) return make_network_transport(group, rank);
  return std::make_unique<MemoryTransport>(group.process(), peer);
}

}  // namespace fabric
