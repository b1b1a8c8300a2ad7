// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "acl/acl_rt.h"
#include "cuda/cuda_multicast.h"

#include "device_sim/base/mutex.h"

namespace cuda {

struct Stream;

/// A context: a context of ACL, its streams and its allocations. The primary context of a device is
/// ACL's own, so a program can use both interfaces.
struct Context {
  Context(int on, bool is_primary, aclrtContext of_acl)
      : device(on), primary(is_primary), acl(of_acl) {}

  const int device;
  const bool primary;
  const aclrtContext acl;

  std::shared_ptr<Stream> legacy;  // the default stream; set before others see the context
  std::atomic<unsigned> flags{0};

  // Guarded by the lock of the list of all contexts:
  bool alive = true;
  int retained = 0;  // of a primary context

  sim::Mutex mutex;
  std::set<std::shared_ptr<Stream>> streams GUARDED_BY(mutex);
  std::set<CUdeviceptr> allocations GUARDED_BY(mutex);
  std::set<int> peers GUARDED_BY(mutex);  // devices whose memory kernels may reach
};

using ContextRef = std::shared_ptr<Context>;

/// All contexts of the process, and each thread's stack of them.
namespace contexts {

ContextRef retain_primary(int device);
void release_primary(int device);
void reset_primary(int device);
void set_primary_flags(int device, unsigned flags);
void primary_state(int device, unsigned& flags, bool& active);

ContextRef create(int device, unsigned flags);
void destroy(CUcontext handle);

CUcontext handle_of(const ContextRef& context) noexcept;
/// Raises CUDA_ERROR_INVALID_CONTEXT.
ContextRef find(CUcontext handle);

/// The calling thread's; null when it has none.
ContextRef current_or_null();
/// Raises CUDA_ERROR_INVALID_CONTEXT, CUDA_ERROR_CONTEXT_IS_DESTROYED.
ContextRef current();
void set_current(CUcontext handle);
void push(CUcontext handle);
CUcontext pop();

}  // namespace contexts

/// Makes the ACL context of a context current during a scope.
class InContext {
 public:
  explicit InContext(const Context& context);
  ~InContext();
  InContext(const InContext&) = delete;
  InContext& operator=(const InContext&) = delete;

 private:
  aclrtContext before_ = nullptr;
  bool changed_ = false;
};

}  // namespace cuda
