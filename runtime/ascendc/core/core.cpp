// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/core/core.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <new>
#include <utility>

#include "runtime/ascendc/core/group_memory.h"

namespace ascendc {
namespace {

constexpr std::size_t kPage = 4096;

// Behind a memory, so that no other one begins where an address that exceeds it points.
constexpr std::size_t kGuard = std::size_t{1} << 20;

std::size_t mapped_bytes(std::uint32_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

void unmap(std::byte* memory, std::uint32_t bytes) {
  if (memory) munmap(memory, mapped_bytes(bytes) + kGuard);
}

}  // namespace

Core::Core() : arch_(&arch_of(0)) {}

Core::~Core() {
  for (std::size_t i = 0; i < kMemories; ++i) {
    unmap(memories_[i], arch_->memories[i].all());
  }
}

void Core::reset(const Arch& arch, Host& host, const CoreOptions& options) {
  if (arch_ != &arch) {
    for (std::size_t i = 0; i < kMemories; ++i) {
      unmap(memories_[i], arch_->memories[i].all());
      memories_[i] = nullptr;
    }
  }
  arch_ = &arch;
  host_ = &host;
  options_ = options;
  unit_ = {};
  unit_.control = ACLSIM_CONTROL_AT_START(arch.number);
  issued_ = unit_;
  info = {};
  info.size = sizeof info;
  cube_registers = {};
  cube_registers.size = sizeof cube_registers;
  cube_registers.repeat_times = 1;
  unit_flags_.clear();
  clocks_ = {};
  pipes_.reset(options.seeded, options.seed);
  for (Shadow& shadow : local_) shadow.clear();
  global_.clear();
  register_depth_ = 0;
  register_call_.end();
  pointed_.clear();
  squeezed_ = 0;
  arrays_.clear();
  first_array_ = ~std::uint64_t{0};
  mutexes_.clear();
  mutex_ids_ = 0;
  for (std::size_t event = 0; any_flag_used_ && event < kEvents; ++event) {
    if (flags_used_[event] != 0) flags_[event].fill({});
  }
  if (any_flag_used_) flags_used_ = {};
  further_sets_.clear();
  any_flag_used_ = false;
  taken_ids_ = {};
  queues_.clear();
  ready_.clear();
  released_.clear();
  whats_.clear();
  told_.clear();
  pieces_ = {};
  global_bytes_ = 0;
  atomic_ = Atomic::none;
  pad_bytes_ = 0;
}

std::byte* Core::make_memory(Memory memory) {
  const std::size_t bytes = mapped_bytes(row_of(memory).all());
  void* const at =
      mmap(nullptr, bytes + kGuard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  if (mprotect(at, bytes, PROT_READ | PROT_WRITE) != 0) {
    munmap(at, bytes + kGuard);
    throw std::bad_alloc();
  }
  return memories_[static_cast<std::size_t>(memory)] = static_cast<std::byte*>(at);
}

void* Core::local_address(std::uint32_t position, std::uint64_t offset, std::uint64_t bytes,
                          const void* site) {
  const Memory where = memory_of(position);
  if (where == Memory::count) {
    violated("local-position", fmt::format("position {} is in no local memory", position), site);
  }
  const std::uint32_t size = row_of(where).all();
  if (offset > size || bytes > size - offset) {
    std::string text = fmt::format("{} bytes at offset {} do not fit into {}, which has {}", bytes,
                                   offset, row_of(where).name, size);
    if (offset > size) violated("local-exceeded", std::move(text), site);
    // An access to the bytes that do not exist ends the kernel.
    found_once("local-exceeded", std::move(text), site, Level::warning);
  }
  return memory(where) + offset;
}

std::uint64_t Core::arrays_begin(Memory memory) const noexcept {
  const auto lowest = std::find_if(arrays_.rbegin(), arrays_.rend(),
                                   [&](const LocalArray& one) { return one.memory == memory; });
  return lowest == arrays_.rend() ? memory_bytes(memory) : lowest->begin;
}

void* Core::local_array(LocalArray array) {
  for (const LocalArray& known : arrays_) {
    if (known.key == array.key) return memory(known.memory) + known.begin;
  }
  const MemoryRow& row = row_of(array.memory);
  const std::uint64_t room = arrays_begin(array.memory);
  if (array.bytes > room) {
    violated("local-exceeded",
             fmt::format("the array {} has {} bytes, and {} of {}'s {} are left", array.name,
                         array.bytes, room, row.name, row.bytes),
             array.site);
  }
  // A load of registers takes a whole register, also at the end of the last array.
  constexpr std::uint64_t kRegister = 256;
  const std::uint64_t whole = (array.bytes + kRegister - 1) / kRegister * kRegister;
  const bool last = array.memory == Memory::ub && room == row.bytes;
  const std::uint64_t taken = last && whole <= room ? whole : array.bytes;
  array.begin = (room - taken) / row.alignment * row.alignment;
  arrays_.push_back(array);
  if (array.memory == Memory::ub) first_array_ = array.begin;
  std::byte* const begin = memory(array.memory) + array.begin;
  pointer_taken(begin, array.bytes);
  return begin;
}

void Core::pointer_taken(const void* address, std::uint64_t bytes) {
  std::uint64_t offset = 0;
  const Memory where = locate(address, offset);
  if (!options_.checks || where == Memory::count) return;
  if (where == Memory::ub) pointed_.add(offset, offset + bytes);
  local_[static_cast<std::size_t>(where)].assume_values(offset, offset + bytes);
}

// The end address belongs to a memory too, so that an access that begins there counts as exceeding
// it.
Memory Core::locate(const void* address, std::uint64_t& offset) const noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (std::size_t i = 0; i < kMemories; ++i) {
    if (!memories_[i]) continue;
    offset = at - reinterpret_cast<std::uintptr_t>(memories_[i]);
    if (offset <= arch_->memories[i].all()) return static_cast<Memory>(i);
  }
  return Memory::count;
}

void Core::violated(const char* rule, std::string text, const void* site) {
  host_->found({.level = Level::error, .rule = rule, .text = std::move(text), .site = site});
  host_->end(End::violation);
  __builtin_unreachable();
}

}  // namespace ascendc
