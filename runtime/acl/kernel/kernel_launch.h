// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "acl/acl_rt.h"
#include "device_sim/streams/op.h"
#include "runtime/acl/kernel/host_kernel.h"
#include "runtime/acl/kernel/kernel.h"

namespace acl {

class Stream;

/// The largest size of one launch's arguments, with the buffers that they point at.
inline constexpr std::size_t kMostArgumentBytes = std::size_t{1} << 26;

/// The copied arguments of one launch: the parameters, then buffers that they point at.
class ArgumentBlock {
 public:
  static constexpr std::size_t kAlignment = 64;  // of the block and of each buffer
  static constexpr std::size_t aligned(std::size_t offset) {
    return (offset + kAlignment - 1) & ~(kAlignment - 1);
  }

  ArgumentBlock() = default;
  /// `size` bytes; the kernel is given the first `parameters` of them.
  ArgumentBlock(std::size_t size, std::size_t parameters);

  void copy_in(std::size_t offset, const void* bytes, std::size_t size) noexcept;
  /// Writes the address of byte `target` at `offset`.
  void point(std::size_t offset, std::size_t target) noexcept;
  std::byte* data() const noexcept { return bytes_.get(); }
  std::size_t parameters() const noexcept { return parameters_; }
  std::size_t size() const noexcept { return size_; }

 private:
  struct Free {
    void operator()(std::byte* bytes) const noexcept {
      ::operator delete (bytes, std::align_val_t{kAlignment});
    }
  };
  std::unique_ptr<std::byte, Free> bytes_;
  std::size_t size_ = 0;
  std::size_t parameters_ = 0;
};

/// One launch of a function by handle: what its op owns.
class Launch final : public sim::Shared {
 public:
  Launch(sim::Ref<Function> function, const LaunchShape& shape, ArgumentBlock block)
      : function_(std::move(function)),
        shape_(shape),
        block_(std::move(block)),
        args_(block_.data()),
        args_size_(block_.parameters()) {}
  /// With arguments in device memory, which are read when the kernel runs.
  Launch(sim::Ref<Function> function, const LaunchShape& shape, const void* args, std::size_t size)
      : function_(std::move(function)), shape_(shape), args_(args), args_size_(size) {}

  const Function& function() const noexcept { return *function_; }
  const void* args() const noexcept { return args_; }
  std::size_t args_size() const noexcept { return args_size_; }
  bool args_on_device() const noexcept { return args_ != block_.data(); }

  /// Enqueues the launch.
  static void submit(sim::Ref<Launch> launch, Stream& stream);
  /// The launch of an op; null for ops of other kinds.
  static const Launch* of(const sim::Op& op) noexcept;

 private:
  static std::int32_t run(const sim::KernelRun& run);

  const sim::Ref<Function> function_;
  const LaunchShape shape_;
  const ArgumentBlock block_;
  const void* const args_;
  const std::size_t args_size_;
};

/// Raises an error for numbers of blocks that no launch has.
void require_blocks(Runtime& runtime, std::uint32_t blocks);

/// The shape of a launch of `blocks` blocks; checks them and the attributes. Attributes of the
/// hardware's schedule, prefetch, dumps and profiles are checked and change nothing.
LaunchShape make_shape(Runtime& runtime, const Function& function, std::uint32_t blocks,
                       const aclrtLaunchKernelCfg* config);
/// The same for a grid of blocks of threads.
LaunchShape make_grid_shape(Runtime& runtime, const Function& function, dim3 grid, dim3 block,
                            std::size_t local_bytes, const aclrtLaunchKernelCfg* config);

/// Raises ACL_ERROR_RT_PARAM_INVALID for memory that the host must not touch, and for overruns.
void require_host_memory(Runtime& runtime, const void* address, std::size_t size,
                         const char* argument);
/// Copies a block of the host's and makes it point at itself where the placeholders say.
ArgumentBlock copy_host_args(Runtime& runtime, const void* args, std::size_t size,
                             const aclrtPlaceHolderInfo* placeholders, std::size_t count);
/// Copies one value for each parameter of the function.
ArgumentBlock copy_args_array(const Function& function, void* const* args);

}  // namespace acl
