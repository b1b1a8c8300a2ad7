// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/kernel/host_kernel.h"

#include <algorithm>
#include <set>
#include <string>

#include "device_sim/base/mutex.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/watch/registry.h"

namespace acl {
namespace {

constexpr std::size_t kLocalAlignment = 64;

/// Scratch memory of a block, aligned for any vector type.
class LocalMemory {
 public:
  explicit LocalMemory(std::size_t size) : bytes_(size == 0 ? 0 : size + kLocalAlignment) {}
  void* address() {
    if (bytes_.empty()) return nullptr;
    const auto begin = reinterpret_cast<std::uintptr_t>(bytes_.data());
    return bytes_.data() + (-begin & (kLocalAlignment - 1));
  }

 private:
  std::vector<std::byte> bytes_;
};

/// The context of the first block in a row.
aclsimKernelContext first_of_row(const Runtime& runtime, const sim::KernelRun& run) {
  return {.size = sizeof(aclsimKernelContext),
          .blockIndex = 0,
          .numBlocks = run.blocks,
          .deviceId = runtime.logical_of_own(run.device),
          .streamId = run.stream_id,
          .taskId = run.task_id,
          .gridSize = {run.blocks, 1, 1},
          .blockSize = {1, 1, 1},
          .blockPosition = {},
          .localMemory = nullptr,
          .localMemorySize = 0};
}

/// The same in any shape, without memory of its own.
aclsimKernelContext first_block(const Runtime& runtime, const LaunchShape& shape,
                                const sim::KernelRun& run) {
  aclsimKernelContext context = first_of_row(runtime, run);
  context.blockIndex = shape.first_block;
  if (shape.grid[0] != 0) std::copy_n(shape.grid, 3, context.gridSize);
  std::copy_n(shape.block, 3, context.blockSize);
  return context;
}

/// The block's place in the grid, x running fastest.
void place_block(aclsimKernelContext& context, std::uint32_t position, std::uint32_t first) {
  const std::uint32_t* const grid = context.gridSize;
  context.blockIndex = first + position;
  context.blockPosition[0] = position % grid[0];
  context.blockPosition[1] = position / grid[0] % grid[1];
  context.blockPosition[2] = position / grid[0] / grid[1];
}

/// While a listener attends, a thread that crashes can find out which of its blocks ran.
class KernelBlocks {
 public:
  explicit KernelBlocks(const aclsimKernelContext& context)
      : thread_(watch::attention() != 0 ? &thread_state() : nullptr) {
    if (thread_) thread_->kernel_context = &context;
  }
  ~KernelBlocks() {
    if (thread_) thread_->kernel_context = nullptr;
  }
  KernelBlocks(const KernelBlocks&) = delete;
  KernelBlocks& operator=(const KernelBlocks&) = delete;

 private:
  ThreadState* const thread_;
};

std::int32_t run_blocks(aclsimKernel kernel, const void* args, const LaunchShape& shape,
                        aclsimKernelContext& context) {
  sim::Driver& driver = Runtime::existing()->driver();
  LocalMemory local(shape.local_bytes);
  context.localMemory = local.address();
  context.localMemorySize = shape.local_bytes;
  const KernelBlocks blocks(context);
  const sim::Nanoseconds start = shape.limit_ns != 0 ? driver.now_ns() : 0;
  for (std::uint32_t i = 0; i < context.numBlocks; ++i) {
    place_block(context, i, shape.first_block);
    if (const std::int32_t code = kernel(&context, args)) return code;
    // Host code cannot be stopped: what took too long fails when it is done.
    if (shape.limit_ns != 0 && driver.now_ns() - start > shape.limit_ns) return shape.late_code;
  }
  return 0;
}

}  // namespace

std::int32_t run_row_of_blocks(aclsimKernel kernel, const void* args, const sim::KernelRun& run) {
  aclsimKernelContext context = first_of_row(*Runtime::existing(), run);
  return run.blocks == 1 ? kernel(&context, args)
                         : run_blocks(kernel, args, LaunchShape{.grid = {0, 1, 1}}, context);
}

std::int32_t run_host_kernel(aclsimKernel kernel, const void* args, const LaunchShape& shape,
                             const sim::KernelRun& run) {
  aclsimKernelContext context = first_block(*Runtime::existing(), shape, run);
  const bool plain = run.blocks == 1 && shape.local_bytes == 0 && shape.limit_ns == 0;
  return plain ? kernel(&context, args) : run_blocks(kernel, args, shape, context);
}

const char* lasting_name(std::string_view name) {
  static sim::Mutex mutex;
  static auto& names = *new std::set<std::string, std::less<>>;
  const sim::LockGuard guard(mutex);
  const auto found = names.find(name);
  return (found != names.end() ? found : names.emplace(name).first)->c_str();
}

std::size_t parameter_alignment(std::size_t size) noexcept {
  return std::min<std::size_t>(size & (~size + 1), 8);
}

std::size_t parameter_offset(std::size_t end, std::size_t size) noexcept {
  const std::size_t alignment = parameter_alignment(size);
  return (end + alignment - 1) & ~(alignment - 1);
}

}  // namespace acl
