// SPDX-License-Identifier: Apache-2.0
// A rank with memory and the ways to all others.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/fabric/store/hosted_store.h"
#include "runtime/fabric/transport/transport.h"
#include "tests/fabric/ranks.h"
#include "tests/support/waiting.h"

namespace fabrictest {

/// Memory that can be registered.
struct Block {
  static constexpr std::size_t kOffset = 4096;  // of the memory in its file

  explicit Block(std::size_t size)
      : bytes(size), file(sim::make_memory_file("block", size + kOffset)) {
    void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), kOffset);
    if (at == MAP_FAILED) throw std::runtime_error("mmap");
    base = static_cast<std::byte*>(at);
  }
  ~Block() { munmap(base, bytes); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  fabric::MemorySpec spec() const { return {base, bytes, &file, kOffset}; }
  std::atomic_ref<std::uint64_t> word(std::size_t index) const {
    return std::atomic_ref<std::uint64_t>(reinterpret_cast<std::uint64_t*>(base)[index]);
  }

  const std::size_t bytes;
  sim::OwnedFd file;
  std::byte* base = nullptr;
};

/// One rank with its memory and the ways to all others.
struct Rank {
  static constexpr std::size_t kBytes = 64 << 10;

  Rank(const fabric::RootInfo& info, int number, int size, std::size_t bytes = kBytes)
      : block(bytes) {
    auto store = fabric::join_store(info, {}, {.rank = number, .end = soon()});
    group = fabric::Group::form(std::move(store), {.rank = number, .size = size}, soon());
    registered = fabric::RegisteredMemory::of(*group, block.spec());
    const auto cards = group->collectives("memory").allgather(registered->card().pack(), soon());
    for (int rank = 0; rank < size; ++rank) {
      ways.push_back(make_transport(*group, rank));
      memories.push_back(
          ways.back()->attach(fabric::MemoryCard::unpack(cards[static_cast<std::size_t>(rank)])));
    }
    group->collectives("attached").barrier(soon());
  }
  fabric::Transport& way(int rank) { return *ways[static_cast<std::size_t>(rank)]; }
  fabric::PeerMemory& memory(int rank) { return *memories[static_cast<std::size_t>(rank)]; }

  Block block;
  std::shared_ptr<fabric::Group> group;
  std::shared_ptr<fabric::RegisteredMemory> registered;
  std::vector<std::unique_ptr<fabric::Transport>> ways;
  std::vector<std::shared_ptr<fabric::PeerMemory>> memories;
};

/// A rank waits for its word 0 to reach a number, asleep until its doorbell is rung.
inline bool sleep_until_word_is(const Rank& rank, std::uint64_t wanted) {
  sim::Mutex mutex;
  sim::CondVar changed;
  fabric::Process& process = *rank.group->process();
  const auto listener = process.listen([&] {
    const sim::LockGuard guard(mutex);
    changed.notify_all();
  });
  bool woken = true;
  sim::UniqueLock lock(mutex);
  for (;;) {
    process.doorbell().arm();
    if (rank.block.word(0) >= wanted || !woken) break;
    woken = changed.wait_for(lock, support::kDeadline) == std::cv_status::no_timeout;
  }
  lock.unlock();
  process.forget(listener);
  return woken;
}

/// Waits until everything that was issued has arrived: "", or why it has not.
inline std::string flush(fabric::Transport& way, bool sources_only = false) {
  sim::Mutex mutex;
  sim::CondVar changed;
  bool done = false;
  std::string problem;
  const auto over = [&](const fabric::FabricError* error) {
    const sim::LockGuard guard(mutex);
    done = true;
    if (error) problem = error->what();
    changed.notify_all();
  };
  sources_only ? way.flush_sources(over) : way.flush(over);
  sim::UniqueLock lock(mutex);
  if (!changed.wait_for(lock, support::kDeadline, [&] { return done; })) return "nothing came back";
  return problem;
}

}  // namespace fabrictest
