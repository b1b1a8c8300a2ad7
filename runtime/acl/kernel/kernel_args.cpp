// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/kernel/kernel_args.h"

#include <atomic>
#include <cstring>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/kernel/host_kernel.h"

namespace acl {
namespace {

// The number of a parameter includes its list.
constexpr std::uint64_t kMark = 0x5AAull << 52;

aclrtParamHandle handle_of(std::uint32_t serial, std::size_t index) {
  return reinterpret_cast<aclrtParamHandle>(kMark | (static_cast<std::uint64_t>(index) << 32) |
                                            serial);
}

std::uint32_t next_serial() {
  static std::atomic<std::uint32_t> serials{0};
  return ++serials;
}

}  // namespace

KernelArgs::KernelArgs(sim::Ref<Function> function, void* user_memory, std::size_t size)
    : function_(std::move(function)),
      serial_(next_serial()),
      user_memory_(static_cast<std::byte*>(user_memory)),
      user_left_(size) {}

void KernelArgs::require_open() const {
  if (final_) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "argsHandle is finalised; only aclrtKernelArgsParaUpdate may change it");
  }
}

aclrtParamHandle KernelArgs::add(const void* value, std::size_t size, bool placeholder) {
  const sim::LockGuard guard(mutex_);
  require_open();
  const std::size_t offset = parameter_offset(bytes_.size(), size);
  if (size > kMostArgumentBytes || offset + size > kMostArgumentBytes) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "the arguments pass the limit of {} bytes",
         kMostArgumentBytes);
  }
  if (user_memory_ && offset + size > user_left_) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "the arguments do not fit: {} bytes of the given memory are left for {} bytes of them",
         user_left_, offset + size);
  }
  bytes_.resize(offset + size);
  if (value) std::memcpy(bytes_.data() + offset, value, size);
  parameters_.push_back({offset, size, placeholder});
  return handle_of(serial_, parameters_.size() - 1);
}

aclrtParamHandle KernelArgs::append(const void* value, std::size_t size) {
  return add(value, size, false);
}

aclrtParamHandle KernelArgs::append_placeholder() { return add(nullptr, kPlaceholderSize, true); }

KernelArgs::Parameter& KernelArgs::find(aclrtParamHandle handle) {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (handle_of(serial_, i) == handle) return parameters_[i];
  }
  fail(ACL_ERROR_RT_INVALID_HANDLE, "paramHandle is {}, which is no parameter of argsHandle",
       handle);
}

std::byte* KernelArgs::take_user_memory(std::size_t size) {
  const auto base = reinterpret_cast<std::uintptr_t>(user_memory_);
  const std::size_t room = user_left_ - bytes_.size();
  const std::size_t padding =
      size > room ? 0 : (base + user_left_ - size) & (parameter_alignment(size) - 1);
  if (size > room || padding > room - size) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "dataSize is {}, but {} bytes are left of the memory given to "
         "aclrtKernelArgsInitByUserMem",
         size, room);
  }
  user_left_ -= size + padding;
  return user_memory_ + user_left_;
}

void* KernelArgs::placeholder_buffer(aclrtParamHandle handle, std::size_t size) {
  const sim::LockGuard guard(mutex_);
  Parameter& parameter = find(handle);
  require_open();
  if (!parameter.placeholder || parameter.buffer) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "paramHandle names {}; expected a placeholder without one",
         parameter.placeholder ? "a placeholder that has a buffer" : "an argument with a value");
  }
  if (size > kMostArgumentBytes) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "dataSize is {}; expected at most {}", size,
         kMostArgumentBytes);
  }
  if (user_memory_) {
    parameter.buffer = take_user_memory(size);
  } else {
    parameter.owned = std::make_unique<std::byte[]>(size);
    parameter.buffer = parameter.owned.get();
  }
  parameter.buffer_size = size;
  return parameter.buffer;
}

void KernelArgs::update(aclrtParamHandle handle, const void* value, std::size_t size) {
  const sim::LockGuard guard(mutex_);
  const Parameter& parameter = find(handle);
  if (parameter.placeholder || parameter.size != size) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "paramSize is {}, but paramHandle names {} of {} bytes; expected an argument of that size",
         size, parameter.placeholder ? "a placeholder" : "an argument", parameter.size);
  }
  std::memcpy(bytes_.data() + parameter.offset, value, size);
}

void KernelArgs::finalize() {
  const sim::LockGuard guard(mutex_);
  for (const Parameter& parameter : parameters_) {
    if (parameter.placeholder && !parameter.buffer) {
      fail(ACL_ERROR_RT_PARAM_INVALID,
           "the placeholder at offset {} has no buffer; expected "
           "aclrtKernelArgsGetPlaceHolderBuffer before",
           parameter.offset);
    }
  }
  final_ = true;
}

ArgumentBlock KernelArgs::block() const {
  const sim::LockGuard guard(mutex_);
  if (!final_) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "argsHandle is not finalised; expected aclrtKernelArgsFinalize before the launch");
  }
  std::size_t size = bytes_.size();
  for (const Parameter& parameter : parameters_) {
    if (parameter.placeholder) size = ArgumentBlock::aligned(size) + parameter.buffer_size;
  }
  ArgumentBlock block(size, bytes_.size());
  block.copy_in(0, bytes_.data(), bytes_.size());
  std::size_t end = bytes_.size();
  for (const Parameter& parameter : parameters_) {
    if (!parameter.placeholder) continue;
    end = ArgumentBlock::aligned(end);
    block.copy_in(end, parameter.buffer, parameter.buffer_size);
    block.point(parameter.offset, end);
    end += parameter.buffer_size;
  }
  return block;
}

}  // namespace acl
