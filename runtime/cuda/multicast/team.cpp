// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/multicast/team.h"

#include <algorithm>

#include "runtime/cuda/base/error.h"

namespace cuda::multicast {
namespace {

void require_multiple(std::uint64_t value, const char* argument) {
  if (value % kGranularity != 0) {
    refuse("{} is {}; expected a multiple of {} bytes (cuMulticastGetGranularity)", argument, value,
           kGranularity);
  }
}

bool overlap(const Binding& binding, std::uint64_t offset, std::uint64_t size) {
  return binding.offset < offset + size && offset < binding.offset + binding.size;
}

}  // namespace

void Team::start(Table& table, const Properties& properties, std::uint64_t name) {
  if (properties.team_size == 0 || properties.team_size > kMostDevices) {
    refuse("prop->numDevices is {}; expected 1 to {}", properties.team_size, kMostDevices);
  }
  if (properties.size == 0) refuse("prop->size is 0");
  require_multiple(properties.size, "prop->size");
  table.magic = Table::kMagic;
  table.version = Table::kVersion;
  table.team_size = properties.team_size;
  table.size = properties.size;
  table.handle_types = properties.handle_types;
  table.name = name;
}

bool Team::has(int device) const noexcept {
  const std::int32_t* const begin = table_.member;
  const std::int32_t* const end = begin + table_.members.load();
  return std::find(begin, end, device) != end;
}

std::vector<int> Team::members() const {
  return {table_.member, table_.member + table_.members.load()};
}

void Team::add(int device, std::uint32_t holder) {
  if (complete()) {
    refuse("the multicast object has all of its {} devices already", table_.team_size);
  }
  if (has(device)) refuse("device {} was added to the multicast object before", device);
  const std::uint32_t count = table_.members.load();
  table_.member[count] = device;
  if (holder < kMostHolders) ++table_.holders[holder].added;
  table_.members.store(count + 1);
}

// ---- bindings ----

void Team::require_range(std::uint64_t offset, std::uint64_t size, const char* what) const {
  require_multiple(offset, "mcOffset");
  if (size == 0) refuse("size is 0");
  require_multiple(size, "size");
  if (offset > table_.size || size > table_.size - offset) {
    refuse("{} bytes from mcOffset {} on pass the end of the multicast object, which has {} ({})",
           size, offset, table_.size, what);
  }
}

void Team::require_member(const Memory& memory) const {
  if (!has(memory.device)) {
    refuse("the memory is on device {}, which is not in the team of the multicast object",
           memory.device);
  }
  if (table_.handle_types != 0 && !memory.shareable) {
    refuse(
        "the multicast object can be shared (handleTypes {:#x}), but the memory was created "
        "without requestedHandleTypes",
        table_.handle_types);
  }
}

void Team::require_free(int device, std::uint64_t offset, std::uint64_t size) const {
  for (const Binding& binding : table_.bindings) {
    if (binding.live.load() == 0 || binding.device != device) continue;
    if (overlap(binding, offset, size)) {
      refuse("device {} has memory bound at mcOffset {}, {} bytes, which overlaps; unbind it first",
             device, binding.offset, binding.size);
    }
  }
}

void Team::bind(std::uint64_t offset, const Memory& memory, std::uint64_t memory_offset,
                std::uint64_t size, const Range& call) {
  require_range(offset, size, "bind");
  require_multiple(memory_offset, "memOffset");
  if (memory_offset > memory.size || size > memory.size - memory_offset) {
    refuse("{} bytes from memOffset {} on pass the end of the memory, which has {}", size,
           memory_offset, memory.size);
  }
  require_member(memory);
  require_free(memory.device, offset, size);
  for (Binding& binding : table_.bindings) {
    if (binding.live.load() != 0) continue;
    binding.device = memory.device;
    binding.offset = offset;
    binding.size = size;
    binding.memory = memory.name;
    binding.memory_offset = memory_offset;
    binding.memory_size = memory.size;
    binding.call_offset = call.size != 0 ? call.offset : offset;
    binding.call_size = call.size != 0 ? call.size : size;
    binding.live.store(1);
    table_.changes.fetch_add(1);
    return;
  }
  fail(CUDA_ERROR_OUT_OF_MEMORY, "the multicast object has {} bindings, as many as there can be",
       kMostBindings);
}

std::vector<std::uint64_t> Team::unbind(int device, std::uint64_t offset, std::uint64_t size) {
  if (!has(device)) {
    fail(CUDA_ERROR_INVALID_DEVICE, "device {} is not in the team of the multicast object", device);
  }
  require_range(offset, size, "unbind");
  std::vector<std::uint64_t> names;
  for (Binding& binding : table_.bindings) {
    if (binding.live.load() == 0 || binding.device != device) continue;
    if (binding.call_offset != offset || binding.call_size != size) continue;
    binding.live.store(0);
    table_.changes.fetch_add(1);
    names.push_back(binding.memory);
  }
  if (names.empty()) {
    refuse(
        "device {} has nothing bound with mcOffset {} and size {}; expected the values of the bind",
        device, offset, size);
  }
  return names;
}

std::vector<std::uint64_t> Team::bound_memory() const {
  std::vector<std::uint64_t> names;
  for (const Binding& binding : table_.bindings) {
    if (binding.live.load() != 0) names.push_back(binding.memory);
  }
  return names;
}

// ---- look-ups ----

std::vector<Segment> Team::pieces(std::uint64_t offset, std::uint64_t size) const {
  const std::uint64_t end = offset + size;
  std::vector<const Binding*> touched;
  std::vector<std::uint64_t> cuts{offset, end};
  for (const Binding& binding : table_.bindings) {
    if (binding.live.load() == 0 || !overlap(binding, offset, size)) continue;
    touched.push_back(&binding);
    cuts.push_back(std::clamp(binding.offset, offset, end));
    cuts.push_back(std::clamp(binding.offset + binding.size, offset, end));
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());

  std::vector<Segment> all;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    Segment piece{cuts[i], cuts[i + 1] - cuts[i], {}, {}};
    for (const int device : members()) {
      const auto it = std::find_if(touched.begin(), touched.end(), [&](const Binding* binding) {
        return binding->device == device && overlap(*binding, piece.offset, piece.size);
      });
      if (it == touched.end()) {
        piece.unbound.push_back(device);
      } else {
        piece.targets.push_back(
            {device, (*it)->memory, (*it)->memory_offset + (piece.offset - (*it)->offset)});
      }
    }
    all.push_back(std::move(piece));
  }
  return all;
}

// ---- processes ----

std::uint32_t Team::take_slot(std::int32_t process) {
  for (std::uint32_t i = 0; i < kMostHolders; ++i) {
    Holder& holder = table_.holders[i];
    if (holder.used != 0) continue;
    holder = {1, process, 0};
    return i;
  }
  fail(CUDA_ERROR_OUT_OF_MEMORY, "{} processes have the multicast object, as many as can",
       kMostHolders);
}

void Team::give_slot(std::uint32_t holder) noexcept { table_.holders[holder] = {}; }

bool Team::holder_died(std::uint32_t holder) noexcept {
  const Holder died = table_.holders[holder];
  table_.holders[holder] = {};
  if (complete() || died.added != 0) return false;
  table_.lost_process = died.process;
  return true;
}

std::string Team::missing() const {
  std::string added;
  for (const int device : members())
    added += fmt::format("{}{}", added.empty() ? "" : ", ", device);
  std::string text = fmt::format("{} of {} devices were added{}", table_.members.load(),
                                 table_.team_size, added.empty() ? "" : " (" + added + ")");
  std::string processes;
  for (const Holder& holder : table_.holders) {
    if (holder.used == 0 || holder.added != 0) continue;
    processes += fmt::format("{}{}", processes.empty() ? "" : ", ", holder.process);
  }
  return text + (processes.empty() ? "; every process that has the object has added a device"
                                   : "; processes that have added none: " + processes);
}

}  // namespace cuda::multicast
