// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "acl/acl_rt.h"
#include "device_sim/base/mutex.h"
#include "device_sim/base/ref.h"
#include "runtime/acl/kernel/kernel.h"
#include "runtime/acl/kernel/kernel_launch.h"

namespace acl {

/// A list of arguments that a program builds for one kernel and may launch again and again.
class KernelArgs : public sim::RefCounted<KernelArgs> {
 public:
  explicit KernelArgs(sim::Ref<Function> function) : KernelArgs(std::move(function), nullptr, 0) {}
  /// Arguments and buffers together fit into `size` bytes of the user's, where the buffers lie,
  /// aligned as arguments of their size are.
  KernelArgs(sim::Ref<Function> function, void* user_memory, std::size_t size);

  const Function& function() const noexcept { return *function_; }

  aclrtParamHandle append(const void* value, std::size_t size);
  aclrtParamHandle append_placeholder();
  /// The memory whose copy the placeholder will point at.
  void* placeholder_buffer(aclrtParamHandle handle, std::size_t size);
  void update(aclrtParamHandle handle, const void* value, std::size_t size);
  void finalize();

  /// A copy of everything as it is now; raises ACL_ERROR_RT_PARAM_INVALID before `finalize`.
  ArgumentBlock block() const;

  static constexpr std::size_t kPlaceholderSize = sizeof(void*);

 private:
  struct Parameter {
    std::size_t offset;
    std::size_t size;
    bool placeholder = false;
    std::byte* buffer = nullptr;
    std::size_t buffer_size = 0;
    std::unique_ptr<std::byte[]> owned = {};  // the buffer, outside the user's memory
  };
  aclrtParamHandle add(const void* value, std::size_t size, bool placeholder);
  Parameter& find(aclrtParamHandle handle) REQUIRES(mutex_);
  void require_open() const REQUIRES(mutex_);
  std::byte* take_user_memory(std::size_t size) REQUIRES(mutex_);

  const sim::Ref<Function> function_;
  const std::uint32_t serial_;  // distinguishes its parameters from parameters of other lists
  std::byte* const user_memory_;
  std::size_t user_left_
      GUARDED_BY(mutex_);  // bytes below the buffers, which are taken from the end

  mutable sim::Mutex mutex_;
  bool final_ GUARDED_BY(mutex_) = false;
  std::vector<std::byte> bytes_ GUARDED_BY(mutex_);
  std::vector<Parameter> parameters_ GUARDED_BY(mutex_);
};

}  // namespace acl
