// SPDX-License-Identifier: Apache-2.0
// The memory of a communicator for kernels that call collectives.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/hccl/comm/communicator.h"

namespace hccl {

/// The windows of all ranks of a communicator: memory of their devices that each rank's kernels may
/// use. All ranks are in this process and share the object.
class KernelWindows {
 public:
  /// Raises HCCL_E_NOT_SUPPORT if ranks are in other processes, HCCL_E_MEMORY.
  static std::shared_ptr<KernelWindows> of(Communicator& communicator);
  KernelWindows(Links& links, std::uint64_t bytes);

  std::uint64_t bytes() const noexcept { return bytes_; }  // of one of them
  /// Two for each rank: in and out.
  std::vector<std::uint64_t> addresses() const;

 private:
  const std::uint64_t bytes_;
  std::vector<std::shared_ptr<void>> memories_;  // by rank: both
};

/// The context of one rank, in memory of its device (ascendc/impl/hccl_context.h).
class KernelContext {
 public:
  explicit KernelContext(Communicator& communicator);
  void* address() const noexcept { return memory_.get(); }

 private:
  const std::shared_ptr<KernelWindows> windows_;
  std::shared_ptr<void> memory_;
};

}  // namespace hccl
