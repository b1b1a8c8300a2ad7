// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/transport/memory.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <utility>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/fabric/transport/network.h"

namespace fabric {
namespace {

/// The registered memory of this process. Its threads reach each other's memory without a mapping.
struct Registered {
  sim::Mutex mutex;
  std::map<std::uint64_t, MemoryCard> by_key GUARDED_BY(mutex);
};

Registered& registered() {
  static auto* const all = new Registered;  // used until the process exits
  return *all;
}

class OwnMemory final : public PeerMemory {
 public:
  OwnMemory(int rank, const MemoryCard& card) : PeerMemory(rank, card) {
    mapped_ = reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(card.base));
  }
};

class MappedMemory final : public PeerMemory {
 public:
  MappedMemory(int rank, const MemoryCard& card, const sim::OwnedFd& file)
      : PeerMemory(rank, card) {
    struct stat about {};
    if (fstat(file.get(), &about) != 0 ||
        card.file_offset + card.bytes > static_cast<std::uint64_t>(about.st_size)) {
      throw FabricError(Status::broken,
                        "the memory of rank " + std::to_string(rank) + " is smaller than it says");
    }
    void* const at = mmap(nullptr, card.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                          file.get(), static_cast<off_t>(card.file_offset));
    if (at == MAP_FAILED) {
      throw FabricError(Status::broken, "no addresses are left for " + std::to_string(card.bytes) +
                                            " bytes of rank " + std::to_string(rank));
    }
    madvise(at, card.bytes, MADV_DONTFORK);
    mapped_ = static_cast<std::byte*>(at);
  }
  ~MappedMemory() override { munmap(mapped_, card_.bytes); }
};

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

void require_sound(const MemorySpec& spec) {
  const auto base = reinterpret_cast<std::uintptr_t>(spec.base);
  if (!spec.base || spec.bytes == 0 || !spec.file || !*spec.file) {
    throw FabricError(Status::invalid, "memory to register needs an address, a size and a file");
  }
  if (base % page_size() != 0 || spec.file_offset % page_size() != 0) {
    throw FabricError(Status::invalid, "memory to register has to start at a page");
  }
}

}  // namespace

Bytes MemoryCard::pack() const {
  return Writer()
      .raw(process)
      .number(key)
      .number(base)
      .number(bytes)
      .number(file_offset)
      .bytes(network)
      .take();
}

MemoryCard MemoryCard::unpack(std::span<const std::byte> packed) {
  Reader reader(packed);
  MemoryCard card;
  reader.fill(card.process);
  card.key = reader.number<std::uint64_t>();
  card.base = reader.number<std::uint64_t>();
  card.bytes = reader.number<std::uint64_t>();
  card.file_offset = reader.number<std::uint64_t>();
  const auto rest = reader.bytes();
  card.network.assign(rest.begin(), rest.end());
  reader.end();
  return card;
}

std::shared_ptr<RegisteredMemory> RegisteredMemory::of(const Group& group, const MemorySpec& spec) {
  require_sound(spec);
  const std::shared_ptr<Process>& process = group.process();
  MemoryCard card{process->card().id, 0, reinterpret_cast<std::uintptr_t>(spec.base), spec.bytes,
                  spec.file_offset,   {}};
  const ProcessId& id = process->card().id;
  card.key = process->broker().export_object({static_cast<std::uint32_t>(SharedKind::memory),
                                              Bytes(id.begin(), id.end()), spec.file->duplicate()});
  std::vector<pid_t> pids;
  for (int rank = 0; rank < group.size(); ++rank) {
    if (group.peer(rank).locality == Locality::host) pids.push_back(group.peer(rank).process.pid);
  }
  process->broker().allow(card.key, pids);
  const std::shared_ptr<RegisteredMemory> made(new RegisteredMemory(process, card));
  if (static_cast<int>(group.ranks_of_host().size()) < group.size()) made->expose_to_hosts();
  return made;
}

std::shared_ptr<RegisteredMemory> RegisteredMemory::for_hosts(const Group& group,
                                                              std::span<std::byte> memory) {
  const std::shared_ptr<Process>& process = group.process();
  MemoryCard card{process->card().id, 0, reinterpret_cast<std::uintptr_t>(memory.data()),
                  memory.size(),      0, {}};
  fill_random(std::as_writable_bytes(std::span(&card.key, 1)));
  const std::shared_ptr<RegisteredMemory> made(new RegisteredMemory(process, card));
  made->expose_to_hosts();
  return made;
}

RegisteredMemory::RegisteredMemory(std::shared_ptr<Process> process, const MemoryCard& card)
    : process_(std::move(process)), card_(card) {
  const sim::LockGuard guard(registered().mutex);
  registered().by_key[card_.key] = card_;
}

void RegisteredMemory::expose_to_hosts() {
  exposure_ = expose(process_, card_);
  if (exposure_) card_.network = exposure_->card();
}

RegisteredMemory::~RegisteredMemory() {
  process_->broker().withdraw(card_.key);
  const sim::LockGuard guard(registered().mutex);
  registered().by_key.erase(card_.key);
}

std::size_t PeerMemory::offset_of(std::uint64_t address, std::size_t size) const {
  const std::uint64_t offset = address - card_.base;
  if (address >= card_.base && offset <= card_.bytes && size <= card_.bytes - offset) return offset;
  throw FabricError(Status::invalid,
                    std::to_string(size) + " bytes at address " + std::to_string(address) +
                        " are not inside the memory of rank " + std::to_string(rank_) + ", " +
                        std::to_string(card_.bytes) + " bytes at " + std::to_string(card_.base));
}

void PeerMemory::require(std::size_t offset, std::size_t size, const char* what) const {
  if (offset <= card_.bytes && size <= card_.bytes - offset) return;
  throw FabricError(Status::invalid, std::string(what) + " of " + std::to_string(size) +
                                         " bytes at offset " + std::to_string(offset) +
                                         " passes the end of the memory of rank " +
                                         std::to_string(rank_) + ", which has " +
                                         std::to_string(card_.bytes) + " bytes");
}

std::shared_ptr<PeerMemory> map_peer_memory(const Peer& peer, const MemoryCard& card) {
  const std::string rank = "rank " + std::to_string(peer.rank);
  if (card.process != peer.process.id) {
    throw FabricError(Status::invalid, "this memory is not of " + rank);
  }
  if (peer.locality == Locality::self || peer.locality == Locality::thread) {
    const sim::LockGuard guard(registered().mutex);
    const auto it = registered().by_key.find(card.key);
    if (it == registered().by_key.end()) {
      throw FabricError(Status::lost, rank + " does not share this memory any more");
    }
    return std::make_shared<OwnMemory>(peer.rank, it->second);
  }
  try {
    const sim::IpcObject object = sim::IpcBroker::import_object(card.key);
    if (object.kind != static_cast<std::uint32_t>(SharedKind::memory)) {
      throw FabricError(Status::invalid, "this memory is not of " + rank);
    }
    return std::make_shared<MappedMemory>(peer.rank, card, object.file);
  } catch (const sim::IpcError& error) {
    const bool gone =
        error.status() == sim::IpcStatus::gone || error.status() == sim::IpcStatus::unknown;
    throw FabricError(gone ? Status::lost : Status::broken,
                      "memory of " + rank + ": " + error.what());
  }
}

}  // namespace fabric
