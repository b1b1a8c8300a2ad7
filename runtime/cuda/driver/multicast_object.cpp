// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/driver/multicast_object.h"

#include <algorithm>

#include "device_sim/base/mutex.h"
#include "runtime/cuda/base/error.h"
#include "runtime/cuda/base/settings.h"
#include "runtime/cuda/driver/machine.h"

namespace cuda {
namespace {

struct Objects {
  sim::Mutex mutex;
  std::map<std::uint64_t, std::weak_ptr<MulticastObject>> live GUARDED_BY(mutex);  // by name
};

Objects& objects() {
  static Objects& made = *new Objects;
  return made;
}

}  // namespace

Machine& machine_with_multicast() {
  Machine& machine = Machine::get();
  if (!settings().multicast) {
    fail(CUDA_ERROR_NOT_SUPPORTED, "multicast is switched off (ACLSIM_CUDA_MULTICAST)");
  }
  return machine;
}

void require_multicast(const CUmulticastObjectProp& prop) {
  const int devices = Machine::get().device_count();
  if (prop.flags != 0) refuse("prop->flags is {:#x}; it is reserved and must be 0", prop.flags);
  // Teams may have devices that this process does not see.
  if (prop.numDevices == 0 || prop.numDevices > multicast::kMostDevices) {
    refuse("prop->numDevices is {}; expected 1 to {}", prop.numDevices, multicast::kMostDevices);
  }
  if (prop.numDevices > static_cast<unsigned>(devices) && prop.handleTypes == 0) {
    refuse("prop->numDevices is {}, but there are {} devices and no other process can add one",
           prop.numDevices, devices);
  }
  constexpr unsigned long long kKnown =
      CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR | CU_MEM_HANDLE_TYPE_FABRIC;
  if ((prop.handleTypes & ~kKnown) != 0) {
    fail(CUDA_ERROR_NOT_SUPPORTED,
         "prop->handleTypes is {:#x}; expected bits of file descriptors (1) and fabric handles (8)",
         prop.handleTypes);
  }
  if ((prop.handleTypes & CU_MEM_HANDLE_TYPE_FABRIC) != 0 && !settings().fabric) {
    fail(CUDA_ERROR_NOT_PERMITTED, "fabric handles are switched off (ACLSIM_CUDA_FABRIC)");
  }
}

MulticastObject::MulticastObject(std::unique_ptr<TeamFile> file) : file_(std::move(file)) {}

MulticastObject::~MulticastObject() {
  const sim::LockGuard guard(objects().mutex);
  const auto it = objects().live.find(name());
  if (it != objects().live.end() && it->second.expired()) objects().live.erase(it);
}

MulticastRef MulticastObject::create(const CUmulticastObjectProp& prop) {
  require_multicast(prop);
  if (prop.size == 0 || prop.size % multicast::kGranularity != 0) {
    refuse("prop->size is {}; expected a multiple of {} bytes (cuMulticastGetGranularity)",
           prop.size, multicast::kGranularity);
  }
  may_fail("create");
  {
    const sim::LockGuard guard(objects().mutex);
    if (objects().live.size() >= settings().most_objects) {
      fail(CUDA_ERROR_OUT_OF_MEMORY, "there are {} multicast objects, as many as there can be",
           objects().live.size());
    }
  }
  auto file = TeamFile::create({prop.numDevices, prop.size, prop.handleTypes});
  MulticastRef made(new MulticastObject(std::move(file)));
  const sim::LockGuard guard(objects().mutex);
  objects().live[made->name()] = made;
  return made;
}

MulticastRef MulticastObject::import(sim::OwnedFd file) {
  const std::uint64_t name = TeamFile::name_in(file.get());
  if (name == 0) return nullptr;
  machine_with_multicast();
  const sim::LockGuard guard(objects().mutex);
  if (const auto it = objects().live.find(name); it != objects().live.end()) {
    if (auto known = it->second.lock()) return known;
  }
  auto opened = TeamFile::open(std::move(file));
  if (!opened) return nullptr;
  MulticastRef made(new MulticastObject(std::move(opened)));
  objects().live[name] = made;
  return made;
}

// ---- the team ----

void MulticastObject::add(int device) {
  Machine::get().require_device(device);
  may_fail("add");
  file_->add(Machine::get().physical(device));
}

bool MulticastObject::has(int device) {
  return file_->locked(
      [&](multicast::Team& team) { return team.has(Machine::get().physical(device)); });
}

std::string MulticastObject::team() {
  std::string text = "devices ";
  const auto members = file_->locked([](multicast::Team& team) { return team.members(); });
  for (std::size_t i = 0; i < members.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", members[i]);
  }
  return text;
}

// ---- bindings ----

void MulticastObject::bind(std::size_t offset, const MemoryRef& memory, std::size_t memory_offset,
                           std::size_t size, int device, const multicast::Range& call) {
  if (!memory->on_device()) {
    fail(CUDA_ERROR_NOT_SUPPORTED, "memory of the host cannot be bound to a multicast object");
  }
  if (device >= 0 && device != memory->device()) {
    refuse("device is {}, but the memory is on device {}", device, memory->device());
  }
  may_fail("bind");
  const std::uint64_t name = memory->name();
  memory->bytes();  // now, so that kernels find it mapped
  const multicast::Memory what{name, memory->size(), Machine::get().physical(memory->device()),
                               memory->shareable()};
  const sim::LockGuard guard(mutex_);
  file_->locked([&](multicast::Team& team) { team.bind(offset, what, memory_offset, size, call); });
  bound_.emplace(name, memory);
}

void MulticastObject::unbind(int device, std::size_t offset, std::size_t size) {
  Machine::get().require_device(device);
  const sim::LockGuard guard(mutex_);
  const auto names = file_->locked([&](multicast::Team& team) {
    return team.unbind(Machine::get().physical(device), offset, size);
  });
  for (const std::uint64_t name : names) {
    if (const auto it = bound_.find(name); it != bound_.end()) bound_.erase(it);
  }
}

MemoryRef MulticastObject::memory_of(std::uint64_t name, int device, std::uint64_t size) {
  if (const auto it = bound_.find(name); it != bound_.end()) return it->second;
  if (const auto it = imported_.find(name); it != imported_.end()) return it->second;
  MemoryRef memory = PhysicalMemory::find(name);
  if (!memory) {
    CUmemAllocationProp prop{};
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    prop.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
    memory = PhysicalMemory::import(name, size, prop);
  }
  imported_.emplace(name, memory);
  return memory;
}

std::vector<ReplicatedSegment> MulticastObject::resolve(std::size_t offset, std::size_t size) {
  const sim::LockGuard guard(mutex_);
  std::map<std::uint64_t, std::uint64_t> sizes;
  std::uint32_t changes = 0;
  const auto pieces = file_->locked([&](multicast::Team& team) {
    changes = team.table().changes.load();
    for (const multicast::Binding& binding : team.table().bindings) {
      if (binding.live.load() != 0) sizes[binding.memory] = binding.memory_size;
    }
    return team.pieces(offset, size);
  });
  if (changes != pruned_at_) {
    std::erase_if(imported_, [&](const auto& entry) { return !sizes.contains(entry.first); });
    pruned_at_ = changes;
  }
  std::vector<ReplicatedSegment> resolved;
  for (const multicast::Segment& piece : pieces) {
    ReplicatedSegment& part = resolved.emplace_back();
    part.offset = piece.offset;
    part.size = piece.size;
    part.unbound = piece.unbound;
    for (const multicast::Target& target : piece.targets) {
      const int device = std::max(Machine::get().logical(target.device), 0);
      part.replicas.push_back({Machine::get().logical(target.device),
                               memory_of(target.memory, device, sizes[target.memory]),
                               target.offset});
    }
  }
  return resolved;
}

}  // namespace cuda
