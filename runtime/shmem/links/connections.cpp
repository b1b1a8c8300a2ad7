// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/links/connections.h"

#include <utility>

namespace shmem {
namespace {

/// The maximum number of pending operations for one PE.
constexpr std::uint64_t kMostPending = 512;

void raise_to(std::atomic<std::uint64_t>& count, std::uint64_t to) {
  std::uint64_t now = count.load();
  while (now < to && !count.compare_exchange_weak(now, to)) {
  }
}

/// Exchanges the cards of registered memory among all PEs.
std::vector<fabric::MemoryCard> exchange(fabric::StoreCollectives& collectives,
                                         const fabric::RegisteredMemory& own, fabric::Moment end) {
  std::vector<fabric::MemoryCard> cards;
  for (const fabric::Bytes& packed : collectives.allgather(own.card().pack(), end)) {
    cards.push_back(fabric::MemoryCard::unpack(packed));
  }
  return cards;
}

}  // namespace

Connections::Connections(const std::shared_ptr<fabric::Group>& group, std::span<std::byte> block,
                         std::shared_ptr<Bell> bell, fabric::Moment end)
    : bell_(std::move(bell)), connections_(static_cast<std::size_t>(group->size())) {
  if (static_cast<int>(group->ranks_of_host().size()) == group->size()) return;
  own_ = fabric::RegisteredMemory::for_hosts(*group, block);
  fabric::StoreCollectives collectives = group->collectives("ways");
  const auto cards = exchange(collectives, *own_, end);
  for (int pe = 0; pe < group->size(); ++pe) {
    if (group->peer(pe).locality != fabric::Locality::remote) continue;
    Way& made = way(pe);
    made.arrived = std::make_shared<std::atomic<std::uint64_t>>(0);
    made.transport = fabric::make_transport(*group, pe);
    made.block = made.transport->attach(cards[static_cast<std::size_t>(pe)]);
    remote_.push_back(pe);
  }
  collectives.barrier(end);
}

void Connections::add_host_side(const std::shared_ptr<fabric::Group>& group,
                                std::span<std::byte> block, fabric::Moment end) {
  if (!any()) return;
  own_host_ = fabric::RegisteredMemory::for_hosts(*group, block);
  fabric::StoreCollectives collectives = group->collectives("ways of the host");
  const auto cards = exchange(collectives, *own_host_, end);
  for (const int pe : remote_) {
    way(pe).host_block = way(pe).transport->attach(cards[static_cast<std::size_t>(pe)]);
  }
  collectives.barrier(end);
}

Connections::Target Connections::target(int pe, std::size_t offset) noexcept {
  const bool of_host = offset >= kHostSide;
  return {of_host ? *way(pe).host_block : *way(pe).block, of_host ? offset - kHostSide : offset};
}

void Connections::put(int pe, std::size_t offset, std::span<const std::byte> bytes) {
  const Target to = target(pe, offset);
  way(pe).transport->put(to.block, to.offset, bytes);
  way(pe).issued.fetch_add(1);
}

void Connections::get(int pe, std::size_t offset, std::span<std::byte> bytes) {
  const Target from = target(pe, offset);
  way(pe).transport->get(from.block, from.offset, bytes);
  way(pe).issued.fetch_add(1);
}

void Connections::change(int pe, std::size_t offset, const fabric::Atomic& what,
                         std::uint64_t* before) {
  const Target at = target(pe, offset);
  way(pe).transport->notify(at.block, at.offset, what, before);
  way(pe).issued.fetch_add(1);
}

void Connections::tell(int pe, std::size_t offset) {
  const Target at = target(pe, offset);
  way(pe).transport->notify(at.block, at.offset, {.op = fabric::AtomicOp::add, .operand = 1});
}

void Connections::push(int pe) { way(pe).transport->push(); }

void Connections::wake(int pe) { way(pe).transport->wake(); }

bool Connections::settled(int pe) const noexcept {
  return way(pe).arrived->load() >= way(pe).issued.load();
}

bool Connections::is_full(int pe) const noexcept {
  return way(pe).issued.load() - way(pe).arrived->load() > kMostPending;
}

// The callback may run after this object is destroyed.
void Connections::begin_flush(int pe, const std::shared_ptr<Arrival>& arrival) {
  const std::uint64_t upto = way(pe).issued.load();
  way(pe).transport->flush(
      [arrival, upto, arrived = way(pe).arrived, bell = bell_](const fabric::FabricError* error) {
        if (error) {
          arrival->failed_ = true;
        } else {
          raise_to(*arrived, upto);
        }
        if (arrival->missing_.fetch_sub(1) == 1) bell->ring();
      });
}

std::shared_ptr<const Arrival> Connections::flush_those(const std::vector<int>& pes) {
  const auto arrival = std::make_shared<Arrival>();
  arrival->missing_ = 1;  // released when all flushes have begun
  for (const int pe : pes) {
    arrival->missing_.fetch_add(1);
    begin_flush(pe, arrival);
  }
  arrival->missing_.fetch_sub(1);
  return arrival;
}

std::shared_ptr<const Arrival> Connections::flush(int pe) { return flush_those({pe}); }

std::shared_ptr<const Arrival> Connections::flush_all() {
  std::vector<int> pes;
  for (const int pe : remote_) {
    if (!settled(pe)) pes.push_back(pe);
  }
  return flush_those(pes);
}

std::shared_ptr<const Arrival> Connections::flush_told() { return flush_those(remote_); }

}  // namespace shmem
