// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/host_kernel.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <string>

#include "runtime/acl/runtime.h"

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

/// The block's place in the grid, x running fastest, in a context that starts at 0.
void place_block(aclsimKernelContext& context, std::uint32_t position, const LaunchShape& shape) {
  context.blockIndex = shape.first_block + position;
  if (position == 0) return;  // most launches have one block, and divisions take long
  const std::uint32_t* const grid = context.gridSize;
  context.blockPosition[0] = position % grid[0];
  context.blockPosition[1] = position / grid[0] % grid[1];
  context.blockPosition[2] = position / grid[0] / grid[1];
}

}  // namespace

std::int32_t run_host_kernel(aclsimKernel kernel, const void* args, const LaunchShape& shape,
                             const sim::KernelRun& run) {
  Runtime& runtime = *Runtime::existing();
  LocalMemory local(shape.local_bytes);
  aclsimKernelContext context{};
  context.size = sizeof context;
  context.numBlocks = run.blocks;
  context.deviceId = runtime.logical(run.device);
  context.streamId = run.stream_id;
  context.taskId = run.task_id;
  for (std::size_t i = 0; i < std::size(shape.grid); ++i) {
    context.gridSize[i] = shape.grid[i];
    context.blockSize[i] = shape.block[i];
  }
  if (shape.grid[0] == 0) context.gridSize[0] = run.blocks;
  context.localMemory = local.address();
  context.localMemorySize = shape.local_bytes;
  const sim::Nanoseconds start = shape.limit_ns != 0 ? runtime.driver().now_ns() : 0;
  for (std::uint32_t i = 0; i < run.blocks; ++i) {
    place_block(context, i, shape);
    if (const std::int32_t code = kernel(&context, args)) return code;
    // Host code cannot be stopped: what took too long fails when it is done.
    if (shape.limit_ns != 0 && runtime.driver().now_ns() - start > shape.limit_ns) {
      return shape.late_code;
    }
  }
  return 0;
}

const char* lasting_name(std::string_view name) {
  static std::mutex mutex;
  static auto& names = *new std::set<std::string, std::less<>>;
  const std::lock_guard guard(mutex);
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
