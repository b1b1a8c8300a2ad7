// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "ascendc/impl/instruction.h"
#include "ascendc/impl/machine.h"
#include "runtime/ascendc/core/arch.h"
#include "runtime/ascendc/core/host.h"
#include "runtime/ascendc/vector/unit.h"

namespace ascendc {

/// One core of a device. One thread at a time.
class Core {
 public:
  Core();
  ~Core();
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  /// As it is when a block starts: nothing written, no flag set.
  void reset(const Arch& arch, Host& host);

  /// What the kernel sees of it.
  aclsimCore info{};

  void issue(const aclsimInstruction& instruction, const void* site);
  void* scalar_access(void* address, std::uint64_t bytes, std::uint64_t end, std::uint64_t tensor,
                      std::uint32_t access, const void* site);

  std::byte* memory(Memory memory);
  std::uint32_t memory_bytes(Memory memory) const noexcept;
  void* local_address(std::uint32_t position, std::uint64_t offset, std::uint64_t bytes,
                      const void* site);
  /// Where in its memory an address lies; `count`: in none of this core's.
  Memory locate(const void* address, std::uint64_t& offset) const noexcept;

  /// Says what is wrong and ends the kernel.
  [[noreturn]] void violated(const char* rule, std::string text, const void* site);
  Host& host() noexcept { return *host_; }

 private:
  const Arch* arch_;
  Host* host_ = nullptr;
  vector::State unit_;
  std::array<std::byte*, kMemories> memories_{};  // null: not used yet
};

/// The core whose kernel the calling thread runs; null outside of kernels.
Core* current_core() noexcept;
/// Returns the one before.
Core* set_current_core(Core* core) noexcept;

}  // namespace ascendc
