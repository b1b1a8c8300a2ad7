// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/core/context.h"

#include <new>

#include "device_sim/base/mutex.h"
#include "device_sim/base/thread.h"
#include "runtime/acl/base/device_block.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/base/log.h"
#include "runtime/acl/core/capture_gate.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/watch/host_wait.h"

namespace acl {
namespace {
constexpr std::size_t kMostThreads = 64;
}

// ---- LaneCrew ----

sim::HostLane& LaneCrew::lane() {
  sim::Ref<sim::HostLane> made;
  {
    const sim::LockGuard guard(mutex_);
    if (lane_ && !lane_->deserted()) [[likely]]
      return *lane_;
    if (lane_) deserted_.push_back(lane_);
    lane_ = made = sim::make_ref<sim::HostLane>(*this);
  }
  if (!made->staff()) {
    throw sim::MachineError(sim::Error::no_thread,
                            fmt::format("host functions and exception callbacks need a thread: {}",
                                        sim::describe(sim::Error::no_thread)));
  }
  return *made;
}

sim::Ref<sim::HostLane> LaneCrew::lane_in_use() {
  const sim::LockGuard guard(mutex_);
  return lane_;
}

bool LaneCrew::add_thread() {
  const sim::LockGuard guard(mutex_);
  if (threads_.size() == kMostThreads) return false;
  try {
    threads_.reserve(threads_.size() + 1);
    threads_.push_back(sim::start_thread(sim::Signals::handled, [lane = lane_] {
      thread_state().of_crew = true;
      while (lane->serve(sim::Deadline::never()) != sim::HostLane::Served::closed) {
      }
    }));
    return true;
  } catch (const sim::MachineError&) {
    return false;
  } catch (const std::bad_alloc&) {
    return false;  // a lane without a thread must count as deserted
  }
}

void LaneCrew::stop(bool force) {
  std::vector<std::thread> threads;
  for (bool last = false; !last;) {
    const sim::Ref<sim::HostLane> lane = lane_in_use();
    if (!lane) return;
    lane->close();  // not under the mutex: the lane may be asking for a thread
    const sim::LockGuard guard(mutex_);
    last = lane_ == lane;  // else it was deserted, and there is another one
    if (!last) continue;
    lane_ = nullptr;
    threads.swap(threads_);
  }
  for (std::thread& thread : threads) {
    if (force || thread.get_id() == std::this_thread::get_id()) {
      thread.detach();
    } else {
      thread.join();
    }
  }
}

// ---- Context ----

Context::Context(Runtime& runtime, int device, bool primary)
    : runtime_(runtime),
      device_(device),
      primary_(primary),
      domain_(sim::make_ref<sim::FailureDomain>()),
      device_block_(runtime.device_block(device)) {}

Context::~Context() = default;

void Context::raise_failure() const {
  const sim::Failure failure = domain_->failure();
  fail(code_of(failure),
       "the context on device {} stopped: {}; reset the device or destroy the context", device_,
       text_of(failure));
}

void Context::raise(const DeviceBlock& block) { fail(block.code, "{}", block.text); }

void Context::add_stream(void* handle) {
  const sim::LockGuard guard(mutex_);
  streams_.insert(handle);
}

void Context::remove_stream(void* handle) {
  const sim::LockGuard guard(mutex_);
  streams_.erase(handle);
}

std::vector<void*> Context::stream_handles() const {
  const sim::LockGuard guard(mutex_);
  std::vector<void*> handles;
  handles.reserve(streams_.size() + 1);
  if (void* handle = default_stream_handle()) handles.push_back(handle);
  handles.insert(handles.end(), streams_.begin(), streams_.end());
  return handles;
}

void Context::synchronize(const sim::Deadline& deadline) {
  if (CaptureGate::any()) CaptureGate::get().require_none(*this);
  watch::HostWait wait(device_);
  std::exception_ptr first;
  for (void* handle : stream_handles()) {
    const auto stream = runtime_.streams().find(handle);
    if (!stream) continue;  // destroyed meanwhile: then it was finished
    try {
      stream->synchronize(deadline, false);
    } catch (const AclError& error) {
      if (error.code() == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT) throw;
      if (!first) first = std::current_exception();
    }
  }
  wait.reached();
  if (first) std::rethrow_exception(first);
}

bool Context::destroy(bool force, std::exception_ptr& failure) {
  if (ending_.exchange(true)) return false;
  for (void* handle : stream_handles()) {
    const auto stream = runtime_.streams().find(handle);
    try {
      if (stream) runtime_.end_stream(stream, handle, force);
    } catch (const AclError&) {
      if (!failure) failure = std::current_exception();
    }
  }
  alive_.store(false, std::memory_order_release);
  default_handle_.store(nullptr, std::memory_order_release);
  runtime_.end_belongings(*this);
  host_funcs_.stop(force);
  return true;
}

Context& make_context_current(Runtime& runtime) {
  ThreadState& state = thread_state();
  state.context = nullptr;
  if (const int device = runtime.implicit_device(); device >= 0) {
    runtime.set_device(device);
    return *state.context;
  }
  fail(ACL_ERROR_RT_CONTEXT_NULL,
       "the calling thread has no current context; call aclrtSetDevice, aclrtCreateContext or "
       "aclrtSetCurrentContext first");
}

}  // namespace acl
