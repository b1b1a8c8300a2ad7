// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/driver/context.h"

#include <algorithm>

#include "acl/acl.h"
#include "device_sim/base/mutex.h"
#include "device_sim/base/per_thread.h"
#include "runtime/cuda/base/guard.h"
#include "runtime/cuda/driver/machine.h"
#include "runtime/cuda/driver/stream.h"

namespace cuda {
namespace {

struct All {
  sim::Mutex mutex;
  std::map<const Context*, ContextRef> live GUARDED_BY(mutex);
  std::map<int, ContextRef> primary GUARDED_BY(mutex);
};

All& all() {
  static All& made = *new All;
  return made;
}

thread_local std::vector<ContextRef> stack;

ContextRef make(int device, bool primary, aclrtContext acl) {
  auto context = std::make_shared<Context>(device, primary, acl);
  context->legacy = std::make_shared<Stream>(context.get(), nullptr, true);
  return context;
}

// ACL's primary context exists once the process holds the device.
ContextRef primary_of(int device) {
  Machine& machine = Machine::get();
  machine.require_device(device);
  {
    const sim::LockGuard guard(all().mutex);
    if (const auto it = all().primary.find(device); it != all().primary.end()) return it->second;
  }
  machine.hold(device);
  const KeepAclContext keep;
  aclrtContext acl = nullptr;
  require_acl(aclrtSetDevice(device), "the device");
  require_acl(aclrtGetCurrentContext(&acl), "the device's context");
  require_acl(aclrtResetDevice(device), "the device");  // the count of uses, not the device
  const sim::LockGuard guard(all().mutex);
  ContextRef& context = all().primary[device];
  if (!context) context = make(device, true, acl);
  return context;
}

void end_work(Context& context) {
  const InContext inside(context);
  std::set<CUdeviceptr> allocations;
  std::set<std::shared_ptr<Stream>> gone;
  bool idle = false;
  {
    const sim::LockGuard guard(context.mutex);
    idle = context.legacy->idle_in(context);
    allocations.swap(context.allocations);
    gone.swap(context.streams);
    context.peers.clear();
  }
  for (const auto& stream : gone) streams::end(*stream);
  if (!idle) streams::synchronize(context.legacy);
  for (const CUdeviceptr address : allocations) aclrtFree(reinterpret_cast<void*>(address));
}

}  // namespace

namespace contexts {

ContextRef retain_primary(int device) {
  ContextRef context = primary_of(device);
  const sim::LockGuard guard(all().mutex);
  if (context->retained++ == 0) {
    context->alive = true;
    all().live.emplace(context.get(), context);
  }
  return context;
}

void release_primary(int device) {
  const ContextRef context = primary_of(device);
  {
    const sim::LockGuard guard(all().mutex);
    if (context->retained == 0) {
      fail(CUDA_ERROR_INVALID_CONTEXT, "the primary context of device {} is not retained", device);
    }
    if (--context->retained > 0) return;
    all().live.erase(context.get());
    context->alive = false;
  }
  end_work(*context);
}

void reset_primary(int device) {
  const ContextRef context = primary_of(device);
  end_work(*context);
}

void set_primary_flags(int device, unsigned flags) {
  const ContextRef context = primary_of(device);
  const sim::LockGuard guard(all().mutex);
  context->flags = flags;
}

void primary_state(int device, unsigned& flags, bool& active) {
  const ContextRef context = primary_of(device);
  const sim::LockGuard guard(all().mutex);
  flags = context->flags.load();
  active = context->retained > 0;
}

ContextRef create(int device, unsigned flags) {
  Machine::get().require_device(device);
  Machine::get().hold(device);
  aclrtContext acl = nullptr;
  {
    const KeepAclContext keep;
    require_acl(aclrtCreateContext(&acl, device), "the context");
  }
  ContextRef context = make(device, false, acl);
  context->flags = flags;
  const sim::LockGuard guard(all().mutex);
  all().live.emplace(context.get(), context);
  stack.push_back(context);
  return context;
}

void destroy(CUcontext handle) {
  const ContextRef context = find(handle);
  if (context->primary) {
    fail(CUDA_ERROR_INVALID_CONTEXT, "a primary context is released, not destroyed");
  }
  end_work(*context);
  {
    const sim::LockGuard guard(all().mutex);
    context->alive = false;
    all().live.erase(context.get());
  }
  if (!stack.empty() && stack.back() == context) stack.pop_back();
  aclrtDestroyContext(context->acl);
}

CUcontext handle_of(const ContextRef& context) noexcept {
  return reinterpret_cast<CUcontext>(context.get());
}

ContextRef find(CUcontext handle) {
  Machine::get();
  const sim::LockGuard guard(all().mutex);
  const auto it = all().live.find(reinterpret_cast<const Context*>(handle));
  if (it == all().live.end()) {
    fail(CUDA_ERROR_INVALID_CONTEXT, "{} is no live context", static_cast<const void*>(handle));
  }
  return it->second;
}

ContextRef current_or_null() { return stack.empty() ? nullptr : stack.back(); }

ContextRef current() {
  Machine::get();
  ContextRef context = current_or_null();
  if (!context) {
    fail(CUDA_ERROR_INVALID_CONTEXT, "this thread has no context; call cuCtxSetCurrent first");
  }
  const sim::LockGuard guard(all().mutex);
  if (!context->alive) {
    fail(CUDA_ERROR_CONTEXT_IS_DESTROYED, "the current context of this thread was destroyed");
  }
  return context;
}

void set_current(CUcontext handle) {
  Machine::get();
  ContextRef context = handle ? find(handle) : nullptr;
  if (!stack.empty()) stack.pop_back();
  if (context) stack.push_back(std::move(context));
}

void push(CUcontext handle) { stack.push_back(find(handle)); }

CUcontext pop() {
  Machine::get();
  if (stack.empty()) fail(CUDA_ERROR_INVALID_CONTEXT, "this thread has no context");
  const CUcontext handle = handle_of(stack.back());
  stack.pop_back();
  return handle;
}

}  // namespace contexts

InContext::InContext(const Context& context) {
  if (aclrtGetCurrentContext(&before_) != ACL_SUCCESS) before_ = nullptr;
  if (before_ == context.acl) return;
  require_acl(aclrtSetCurrentContext(context.acl), "the context");
  changed_ = true;
}

InContext::~InContext() {
  if (changed_ && before_) aclrtSetCurrentContext(before_);
}

}  // namespace cuda
