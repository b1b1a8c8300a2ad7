// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/section.h"

namespace acl {

class Runtime;

/// A variable of the program or of a library, as the file that it comes from has it.
struct ProgramVariable {
  void* address = nullptr;
  std::size_t size = 0;
};

/// The variable that begins at the address, by the symbols of its file; nullopt if no variable
/// begins there, or if the file was stripped of its symbols.
std::optional<ProgramVariable> read_variable(const void* address);

/// Variables of kernel code that the program asked for by symbol. Kernels run in the process and
/// use the variable itself: one variable serves all devices, and it counts as memory of every
/// device.
class ProgramVariables final : public Section {
 public:
  explicit ProgramVariables(Runtime&) {}

  /// False until the process asks for a variable; callers then skip their lookup.
  static bool in_use() noexcept { return count.load(std::memory_order_acquire) != 0; }

  /// The variable that begins at `symbol`, known from now on. Raises ACL_ERROR_RT_INVALID_SYMBOL.
  ProgramVariable take(const void* symbol);
  /// The known variable that holds the address.
  std::optional<ProgramVariable> find(const void* address) const;

  void reset() override;

 private:
  inline static std::atomic<std::size_t> count{0};
  mutable sim::Mutex mutex_;
  std::map<std::uintptr_t, std::size_t> sizes_ GUARDED_BY(mutex_);  // by first address
};

}  // namespace acl
