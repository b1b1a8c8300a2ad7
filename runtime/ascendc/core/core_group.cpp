// SPDX-License-Identifier: Apache-2.0
// Instructions that write the memory of another core of the group.
#include <fmt/format.h>

#include <functional>

#include "runtime/ascendc/core/core.h"
#include "runtime/ascendc/core/group_memory.h"

namespace ascendc {
namespace {

/// Offsets of the memories that cores share in one address range.
constexpr std::uint64_t address_of(Memory memory, std::uint64_t offset) {
  return (static_cast<std::uint64_t>(memory) << 32) + offset;
}

}  // namespace

void Core::join_group(std::uint64_t group) {
  if (!group_memory_) group_memory_ = std::make_unique<GroupMemory>();
  grouped_ = true;
  group_memory_->join(group, memory(Memory::ub), memory(Memory::l1));
  shared_ = {};
  group_reads_.clear();
}

void Core::drop_group() {
  grouped_ = false;
  group_memory_->leave();
  shared_ = {};
}

std::int8_t Core::receiver_of(const aclsimOperand& to, std::uint32_t sub_block) const {
  if (!grouped_) return kNoReceiver;
  const Memory memory = memory_of(to.position);
  const bool cube = info.kind == ACLSIM_AIC;
  if (cube && memory == Memory::ub) return static_cast<std::int8_t>(1 + sub_block);
  return !cube && memory == Memory::l1 ? 0 : kNoReceiver;
}

void Core::require_receiver(const Issued& issued, std::uint32_t sub_block) {
  const aclsimOperand& to = issued.instruction.operand[0];
  if (memory_of(to.position) != Memory::ub || info.kind != ACLSIM_AIC) return;
  const std::int8_t receiver = receiver_of(to, sub_block);
  if (receiver != kNoReceiver && host_->core_of_group(static_cast<std::uint32_t>(receiver))) return;
  violated("cube-position",
           fmt::format("{}: dst is in the unified buffer of vector core {}, and the kernel runs "
                       "without this core",
                       issued.name, sub_block),
           issued.site);
}

void Core::forward(std::int8_t receiver, std::uintptr_t at, std::uint64_t bytes,
                   const Moved& moved) {
  const auto number = static_cast<std::uint32_t>(receiver);
  Core* const other = host_->core_of_group(number);
  std::uint64_t offset = 0;
  const auto* const values = reinterpret_cast<const std::byte*>(at);
  const Memory memory = locate(values, offset);
  if (!other || !other->group_memory_ || memory == Memory::count) return;
  std::function<void(bool)> before;
  if (options_.checks) {
    before = [&](bool same) {
      host_->writes_local(number, {address_of(memory, offset), nullptr, bytes, false, moved.site,
                                   moved.pipe, moved.tick, moved.seen, same});
    };
  }
  other->group_memory_->receive(group_memory_->group(), {memory, offset, values, bytes}, before);
}

void Core::take_received() {
  if (!group_memory_->has_received()) return;
  for (const GroupMemory::Bytes& bytes : group_memory_->take()) {
    const auto index = static_cast<std::size_t>(bytes.memory);
    local_[index].assume_values(bytes.begin, bytes.end);
    shared_[index] = true;
  }
}

void Core::record_shared(const Place& place, const Issued& issued, std::uint64_t bytes, bool write,
                         std::uint32_t what) {
  const std::uint64_t at = address_of(place.memory, place.at);
  if (write) {
    const std::uint32_t self =
        info.kind == ACLSIM_AIC ? 0 : 1 + static_cast<std::uint32_t>(info.sub_block);
    host_->writes_local(self, {at, nullptr, bytes, false, issued.site, issued.pipe, issued.tick});
  } else {
    conflicts_.clear();
    group_reads_.read(at, at + bytes, issued.pipe, {issued.tick, what}, clocks_, conflicts_);
    conflicts_.clear();
  }
}

}  // namespace ascendc
