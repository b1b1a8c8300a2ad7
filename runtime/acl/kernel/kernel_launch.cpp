// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/kernel/kernel_launch.h"

#include <algorithm>
#include <cstring>

#include "acl/acl_sim.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/device/device_info.h"
#include "runtime/acl/kernel/ascendc_kernels.h"
#include "runtime/acl/memory/transfer.h"

namespace acl {

// ---- arguments ----

ArgumentBlock::ArgumentBlock(std::size_t size, std::size_t parameters)
    : bytes_(static_cast<std::byte*>(
          ::operator new (std::max<std::size_t>(size, 1), std::align_val_t{kAlignment}))),
      size_(size),
      parameters_(parameters) {}

void ArgumentBlock::copy_in(std::size_t offset, const void* bytes, std::size_t size) noexcept {
  if (size != 0) std::memcpy(bytes_.get() + offset, bytes, size);
}

void ArgumentBlock::point(std::size_t offset, std::size_t target) noexcept {
  const std::byte* const address = bytes_.get() + target;
  std::memcpy(bytes_.get() + offset, &address, sizeof address);
}

void require_host_memory(Runtime& runtime, const void* address, std::size_t size,
                         const char* argument) {
  const MemoryLocation place = locate(runtime, address, size, argument);
  if (place.on_device() && !place.managed()) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "{} is {}, in device memory; expected host memory", argument,
         address);
  }
}

ArgumentBlock copy_host_args(Runtime& runtime, const void* args, std::size_t size,
                             const aclrtPlaceHolderInfo* placeholders, std::size_t count) {
  if (size > kMostArgumentBytes) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "argsSize is {}; expected at most {}", size,
         kMostArgumentBytes);
  }
  require_host_memory(runtime, args, size, "hostArgs");
  ArgumentBlock block(size, size);
  block.copy_in(0, args, size);
  for (std::size_t i = 0; i < count; ++i) {
    const auto [address, data] = placeholders[i];
    if (size < sizeof(void*) || address > size - sizeof(void*) || data >= size) {
      fail(ACL_ERROR_RT_PARAM_INVALID,
           "placeHolderArray[{}] has addrOffset {} and dataOffset {}; expected room for an address "
           "and data within argsSize ({})",
           i, address, data, size);
    }
    block.point(address, data);
  }
  return block;
}

ArgumentBlock copy_args_array(const Function& function, void* const* args) {
  const std::vector<std::size_t>& sizes = function.parameters();
  std::size_t end = 0;
  for (const std::size_t size : sizes) end = parameter_offset(end, size) + size;
  ArgumentBlock block(end, end);
  end = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (!args || !args[i]) {
      fail(ACL_ERROR_INVALID_PARAM, "args[{}] is null, but the kernel '{}' has {} parameters", i,
           function.name(), sizes.size());
    }
    const std::size_t offset = parameter_offset(end, sizes[i]);
    block.copy_in(offset, args[i], sizes[i]);
    end = offset + sizes[i];
  }
  return block;
}

// ---- attributes ----

namespace {

std::uint64_t microseconds(const aclrtTimeoutUs& value) {
  return static_cast<std::uint64_t>(value.timeoutHigh) << 32 | value.timeoutLow;
}

std::uint64_t saturated_ns(std::uint64_t count, std::uint64_t unit_ns) {
  return count > UINT64_MAX / unit_ns ? UINT64_MAX : count * unit_ns;
}

/// The values of one attribute of a launch: `take` applies a value, or returns false if it is
/// invalid.
struct LaunchAttributeRow {
  aclrtLaunchKernelAttrId id;
  const char* expected;
  bool (*take)(const aclrtLaunchKernelAttrValue& value, LaunchShape& shape);
};

constexpr LaunchAttributeRow kLaunchAttributes[] = {
    {ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE, "schemMode 0 to 2",
     [](const auto& value, LaunchShape&) { return value.schemMode <= 2; }},
    {ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE, "",
     [](const auto& value, LaunchShape& shape) {
       shape.local_bytes = value.dynUBufSize;  // its limit is checked for all launches
       return true;
     }},
    {ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE, "ACL_RT_ENGINE_TYPE_AIC or _AIV",
     [](const auto& value, LaunchShape&) { return value.rsv[0] <= ACL_RT_ENGINE_TYPE_AIV; }},
    {ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET, "",
     [](const auto& value, LaunchShape& shape) {
       shape.first_block = value.blockDimOffset;
       return true;
     }},
    {ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH, "isBlockTaskPrefetch 0 or 1",
     [](const auto& value, LaunchShape&) { return value.isBlockTaskPrefetch <= 1; }},
    {ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP, "isDataDump 0 or 1",
     [](const auto& value, LaunchShape&) { return value.isDataDump <= 1; }},
    {ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT, "",
     [](const auto& value, LaunchShape& shape) {
       shape.limit_ns = saturated_ns(value.timeout, 1'000'000'000);
       return true;
     }},
    {ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US, "",
     [](const auto& value, LaunchShape& shape) {
       shape.limit_ns = saturated_ns(microseconds(value.timeoutUs), 1000);
       return true;
     }},
    {ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING, "enableProfiling 0 or 1",
     [](const auto& value, LaunchShape&) { return value.enableProfiling <= 1; }},
    {ACLSIM_LAUNCH_KERNEL_ATTR_TILING_KEY, "",
     [](const auto& value, LaunchShape& shape) {
       shape.tiling_key = std::uint64_t{value.rsv[1]} << 32 | value.rsv[0];
       return true;
     }},
};

void take_attribute(const aclrtLaunchKernelAttr& attribute, std::size_t index, LaunchShape& shape) {
  for (const LaunchAttributeRow& row : kLaunchAttributes) {
    if (row.id != attribute.id) continue;
    if (row.take(attribute.value, shape)) return;
    fail(ACL_ERROR_RT_PARAM_INVALID, "cfg->attrs[{}] has a bad value; expected {}", index,
         row.expected);
  }
  fail(ACL_ERROR_RT_PARAM_INVALID, "cfg->attrs[{}].id is {}, which is not an attribute of a launch",
       index, static_cast<int>(attribute.id));
}

std::uint64_t limit_of(Runtime& runtime, aclrtDevAttr attribute) {
  return static_cast<std::uint64_t>(device_info(runtime, 0, attribute));
}

/// How many elements, or UINT64_MAX when there are more than any limit.
std::uint64_t product(const std::uint32_t (&size)[3]) {
  const std::uint64_t plane = std::uint64_t{size[0]} * size[1];
  if (size[2] == 0 || plane == 0) return 0;
  return plane > UINT32_MAX ? UINT64_MAX : plane * size[2];
}

void take_config(Runtime& runtime, const Function& function, const aclrtLaunchKernelCfg* config,
                 LaunchShape& shape) {
  shape.late_code = function.type() == ACL_KERNEL_TYPE_AICPU ? ACL_ERROR_RT_AICPU_TIMEOUT
                                                             : ACL_ERROR_RT_VECTOR_CORE_TIMEOUT;
  if (config && config->numAttrs != 0) {
    if (!config->attrs) {
      fail(ACL_ERROR_INVALID_PARAM, "cfg->attrs is null, but cfg->numAttrs is {}",
           config->numAttrs);
    }
    for (std::size_t i = 0; i < config->numAttrs; ++i) take_attribute(config->attrs[i], i, shape);
  }
  const std::uint64_t most = limit_of(runtime, ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE);
  if (shape.local_bytes > most) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "the dynamic buffer has {} bytes; expected at most {}",
         shape.local_bytes, most);
  }
}

}  // namespace

void require_blocks(Runtime& runtime, std::uint32_t blocks) {
  const std::uint64_t most = limit_of(runtime, ACL_DEV_ATTR_MAX_BLOCK_PER_GRID);
  if (blocks == 0) fail(ACL_ERROR_INVALID_PARAM, "numBlocks is 0; expected 1 to {}", most);
  if (blocks > most)
    fail(ACL_ERROR_RT_PARAM_INVALID, "numBlocks is {}; expected 1 to {}", blocks, most);
}

LaunchShape make_shape(Runtime& runtime, const Function& function, std::uint32_t blocks,
                       const aclrtLaunchKernelCfg* config) {
  require_blocks(runtime, blocks);
  LaunchShape shape;
  shape.grid[0] = blocks;
  take_config(runtime, function, config, shape);
  return shape;
}

LaunchShape make_grid_shape(Runtime& runtime, const Function& function, dim3 grid, dim3 block,
                            std::size_t local_bytes, const aclrtLaunchKernelCfg* config) {
  LaunchShape shape{.grid = {grid.x, grid.y, grid.z}, .block = {block.x, block.y, block.z}};
  const struct {
    const char* argument;
    std::uint64_t count;
    std::uint64_t most;
  } sides[] = {
      {"gridDim", product(shape.grid), limit_of(runtime, ACL_DEV_ATTR_MAX_BLOCK_PER_GRID)},
      {"blockDim", product(shape.block), limit_of(runtime, ACL_DEV_ATTR_MAX_THREADS_PER_BLOCK)}};
  for (const auto& [argument, count, most] : sides) {
    if (count == 0) fail(ACL_ERROR_INVALID_PARAM, "{} has a dimension of 0", argument);
    if (count > most) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "{} has {} elements; expected at most {}", argument, count,
           most);
    }
  }
  shape.local_bytes = static_cast<std::uint32_t>(std::min<std::size_t>(local_bytes, UINT32_MAX));
  take_config(runtime, function, config, shape);
  return shape;
}

// ---- launching ----

std::int32_t Launch::run(const sim::KernelRun& run) {
  const auto& launch = static_cast<const Launch&>(*static_cast<sim::Shared*>(run.function));
  const KernelCode& code = launch.function_->code();
  if (code.ascendc) {
    const ArgumentBlock& block = launch.block_;
    return run_ascendc_kernel(code,
                              {static_cast<const std::byte*>(launch.args_), launch.args_size_},
                              {block.data(), block.size()}, launch.shape_, run);
  }
  return run_host_kernel(code.function, launch.args_, launch.shape_, run);
}

void Launch::submit(sim::Ref<Launch> launch, Stream& stream) {
  const char* const name = launch->function_->name();
  const KernelCode& code = launch->function_->code();
  if (code.ascendc) require_ascendc_args(code, launch->args_size_);
  const auto blocks = static_cast<std::uint32_t>(product(launch->shape_.grid));
  const sim::MemoryRange range{launch->args_, launch->args_size_, false};
  const std::size_t ranges = launch->args_on_device() ? 1 : 0;
  stream.submit(sim::make_kernel(run, sim::Ref<sim::Shared>::adopt(launch.detach()), name, blocks,
                                 &range, ranges));
}

const Launch* Launch::of(const sim::Op& op) noexcept {
  if (op.kind != sim::OpKind::kernel || !op.has_object || op.kernel.entry != run) return nullptr;
  return static_cast<const Launch*>(static_cast<sim::Shared*>(op.kernel.function));
}

}  // namespace acl
