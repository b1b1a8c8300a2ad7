// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/acl/embedding/embedding.h"
#include "runtime/cuda/base/error.h"

namespace cuda {

namespace embedding = acl::embedding;
using embedding::Caller;

/// The emulated machine, as both interfaces of the process see it.
class Machine {
 public:
  /// Starts the machine for cuInit. Later calls only read the settings again.
  static void start(Caller caller);
  /// Raises CUDA_ERROR_NOT_INITIALIZED before cuInit.
  static Machine& get();
  static bool started() noexcept;
  static embedding::Runtime* runtime_if_started() noexcept;

  embedding::Runtime& runtime() noexcept { return *runtime_; }
  int device_count() const noexcept { return static_cast<int>(physical_.size()); }
  /// Raises CUDA_ERROR_INVALID_DEVICE.
  void require_device(int device) const;
  /// The number that all processes have for a device, and back: -1 when this process has it not.
  int physical(int device) const { return physical_[static_cast<std::size_t>(device)]; }
  int logical(int physical) const noexcept;
  /// Keeps the device and its objects until the process ends. Does not change the current context
  /// of the calling thread.
  void hold(int device);

 private:
  explicit Machine(Caller caller);
  embedding::Runtime* runtime_ = nullptr;
  std::vector<int> physical_;  // by the process's number
  sim::Mutex mutex_;
  std::vector<bool> held_ GUARDED_BY(mutex_);
};

/// Puts back the context of ACL that the calling thread has now.
class KeepAclContext {
 public:
  KeepAclContext();
  ~KeepAclContext();
  KeepAclContext(const KeepAclContext&) = delete;
  KeepAclContext& operator=(const KeepAclContext&) = delete;

 private:
  void* context_ = nullptr;
};

/// Raises what the runtime refused, in CUDA's codes.
void require(const embedding::Error& error, const char* what);

}  // namespace cuda
