// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device_sim/streams/op.h"
#include "device_sim/streams/task.h"

namespace sim {
class Memory;
}

namespace acl {

class Runtime;

/// Raises ACL_ERROR_RT_PARAM_INVALID unless 8 aligned bytes of device memory are at `address`.
void require_value_address(Runtime& runtime, void* address);

inline constexpr const char* kValueWait = "VALUE_WAIT";

/// Writes 8 bytes of device memory.
class ValueWrite final : public sim::Task {
 public:
  ValueWrite(const sim::Memory& memory, void* address, std::uint64_t value)
      : memory_(memory), address_(address), value_(value) {}
  void* address() const noexcept { return address_; }
  std::uint64_t value() const noexcept { return value_; }

  const char* name() const noexcept override { return "VALUE_WRITE"; }
  std::size_t bytes() const noexcept override { return sizeof value_; }
  bool sets_free() const noexcept override { return true; }
  sim::Failure run(sim::Stream& stream) const override;
  void append_ranges(std::vector<sim::MemoryRange>& ranges) const override;

 private:
  const sim::Memory& memory_;
  void* const address_;
  const std::uint64_t value_;
};

/// A write of 8 bytes of device memory, which sets free who waits for the value.
sim::Op make_value_write(Runtime& runtime, void* address, std::uint64_t value);
/// Holds a stream until the 8 bytes meet the condition `flag` (ACL_STREAM_WAIT_VALUE_...). Raises
/// ACL_ERROR_RT_PARAM_INVALID for an unknown one.
sim::Op make_value_wait(Runtime& runtime, void* address, std::uint64_t value, std::uint32_t flag);

}  // namespace acl
