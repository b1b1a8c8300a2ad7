// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/driver/sharing.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>

#include "device_sim/base/mutex.h"
#include "device_sim/sharing/ipc_broker.h"
#include "runtime/cuda/base/error.h"
#include "runtime/cuda/base/settings.h"
#include "runtime/cuda/driver/machine.h"

namespace cuda::sharing {
namespace {

constexpr std::uint32_t kMulticastKind = 0x4355;  // "CU"

/// The data with which another process imports memory or a multicast object.
struct Ticket {
  static constexpr std::uint64_t kMagic = 0x544b434944554341;  // "ACUDICKT"
  std::uint64_t magic = kMagic;
  std::uint32_t version = 1;
  std::uint32_t multicast = 0;
  std::uint64_t key = 0;  // of memory: ACL's; of a multicast object: of the broker here
  std::uint64_t size = 0;
  std::int32_t device = -1;  // of the machine; -1: the host
  std::uint32_t handle_types = 0;
  std::uint32_t location = 0;
  std::uint32_t reserved = 0;

  bool good() const { return magic == kMagic && version == 1; }
};
static_assert(sizeof(Ticket) <= sizeof(CUmemFabricHandle));

sim::IpcBroker& broker() {
  static sim::IpcBroker& made = *new sim::IpcBroker;
  return made;
}

Ticket ticket_of(PhysicalMemory& memory) {
  Ticket ticket;
  ticket.key = memory.name();  // its key; from now on it is known by it here too
  ticket.size = memory.size();
  ticket.device = memory.on_device() ? Machine::get().physical(memory.device()) : -1;
  ticket.handle_types = static_cast<std::uint32_t>(memory.properties().requestedHandleTypes);
  ticket.location = static_cast<std::uint32_t>(memory.properties().location.type);
  return ticket;
}

// The object's key, exported once.
sim::IpcKey key_of(const MulticastObject& object) {
  static sim::Mutex mutex;
  static auto& keys = *new std::map<std::uint64_t, sim::IpcKey>;
  const sim::LockGuard guard(mutex);
  sim::IpcKey& key = keys[object.name()];
  if (key == 0) {
    key = broker().export_object({kMulticastKind, {}, object.file().duplicate()});
    broker().allow_everybody(key);
  }
  return key;
}

CUmemGenericAllocationHandle import_memory(const Ticket& ticket) {
  CUmemAllocationProp prop{};
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.requestedHandleTypes = static_cast<CUmemAllocationHandleType>(ticket.handle_types);
  prop.location.type = static_cast<CUmemLocationType>(ticket.location);
  prop.location.id = ticket.device < 0 ? 0 : Machine::get().logical(ticket.device);
  if (prop.location.id < 0) {
    fail(CUDA_ERROR_INVALID_DEVICE, "the memory is on a device that this process does not see");
  }
  return handles::add(PhysicalMemory::import(ticket.key, ticket.size, prop));
}

int caller_owned(const sim::OwnedFd& file) {
  const int copy = fcntl(file.get(), F_DUPFD_CLOEXEC, 3);
  if (copy < 0) fail(CUDA_ERROR_OPERATING_SYSTEM, "no descriptor is left: {}", strerror(errno));
  return copy;
}

int export_ticket(const Ticket& ticket) {
  const sim::OwnedFd file = sim::make_memory_file("aclsim-memory-ticket", sizeof ticket);
  void* const at = mmap(nullptr, sizeof ticket, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (at == MAP_FAILED) fail(CUDA_ERROR_OUT_OF_MEMORY, "a ticket cannot be mapped");
  std::memcpy(at, &ticket, sizeof ticket);
  munmap(at, sizeof ticket);
  return caller_owned(file);
}

bool read_ticket(int file, Ticket& ticket) {
  struct stat info {};
  if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode) ||
      info.st_size != static_cast<off_t>(sizeof ticket)) {
    return false;
  }
  void* const at = mmap(nullptr, sizeof ticket, PROT_READ, MAP_SHARED, file, 0);
  if (at == MAP_FAILED) return false;
  std::memcpy(&ticket, at, sizeof ticket);
  munmap(at, sizeof ticket);
  return ticket.good();
}

}  // namespace

int export_file(const Handle& handle) {
  return handle.memory ? export_ticket(ticket_of(*handle.memory))
                       : caller_owned(handle.multicast->file());
}

CUmemFabricHandle export_fabric(const Handle& handle) {
  Ticket ticket;
  if (handle.memory) {
    ticket = ticket_of(*handle.memory);
  } else {
    ticket.multicast = 1;
    ticket.key = key_of(*handle.multicast);
  }
  CUmemFabricHandle fabric{};
  std::memcpy(fabric.data, &ticket, sizeof ticket);
  return fabric;
}

CUmemGenericAllocationHandle import_file(int file) {
  sim::OwnedFd own(fcntl(file, F_DUPFD_CLOEXEC, 3));
  if (!own) refuse("osHandle is {}, which is no open file descriptor", file);
  Ticket ticket;
  if (read_ticket(own.get(), ticket)) return import_memory(ticket);
  MulticastRef object = MulticastObject::import(std::move(own));
  if (!object) {
    fail(CUDA_ERROR_NOT_SUPPORTED,
         "osHandle is {}, a file that is neither memory nor a multicast object of this driver",
         file);
  }
  return handles::add(std::move(object));
}

CUmemGenericAllocationHandle import_fabric(const CUmemFabricHandle& fabric) {
  if (!settings().fabric) {
    fail(CUDA_ERROR_NOT_PERMITTED, "fabric handles are switched off (ACLSIM_CUDA_FABRIC)");
  }
  Ticket ticket;
  std::memcpy(&ticket, fabric.data, sizeof ticket);
  if (!ticket.good()) refuse("the fabric handle is none of this driver");
  if (ticket.multicast == 0) return import_memory(ticket);
  try {
    sim::IpcObject object = sim::IpcBroker::import_object(ticket.key);
    if (object.kind == kMulticastKind) {
      if (MulticastRef found = MulticastObject::import(std::move(object.file))) {
        return handles::add(std::move(found));
      }
    }
  } catch (const sim::IpcError& error) {
    refuse("the multicast object of another process cannot be had: {}", error.what());
  }
  refuse("the fabric handle names something else than a multicast object");
}

}  // namespace cuda::sharing
