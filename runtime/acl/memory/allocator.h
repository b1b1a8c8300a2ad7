// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>

#include "acl/acl_rt_allocator.h"
#include "device_sim/base/mutex.h"
#include "device_sim/base/ref.h"
#include "runtime/acl/base/handle_table.h"
#include "runtime/acl/base/section.h"

namespace acl {

/// The program's description of an allocator of its own.
struct AllocatorFunctions {
  aclrtAllocator object = nullptr;
  aclrtAllocatorAllocFunc alloc = nullptr;
  aclrtAllocatorFreeFunc free = nullptr;
  aclrtAllocatorAllocAdviseFunc alloc_advise = nullptr;  // optional
  aclrtAllocatorGetAddrFromBlockFunc get_address = nullptr;
};

/// A description that is being filled.
class AllocatorDesc : public sim::RefCounted<AllocatorDesc> {
 public:
  AllocatorFunctions functions() const {
    const sim::LockGuard guard(mutex_);
    return functions_;
  }
  template <class F>
  void change(F&& f) {
    const sim::LockGuard guard(mutex_);
    f(functions_);
  }

 private:
  mutable sim::Mutex mutex_;
  AllocatorFunctions functions_ GUARDED_BY(mutex_);
};

using AllocatorTable = HandleTable<AllocatorDesc, HandleKind::allocator>;

/// The allocators that the program lent to streams. The machine itself allocates nothing while it
/// runs tasks: only calls that query the registration use it.
class Allocators final : public Section {
 public:
  explicit Allocators(Runtime& runtime) : runtime_(runtime) {}

  struct Registration {
    void* desc = nullptr;
    AllocatorFunctions functions;  // as they were when it was registered
  };

  AllocatorTable& table() noexcept { return table_; }
  /// By the stream's handle; the last registration counts.
  void lend(void* stream, const Registration& registration);
  void take_back(void* stream);
  std::optional<Registration> of(void* stream) const;

  void reset() override;
  void context_ends(const Context&) override { forget_ended_streams(); }
  std::size_t live_handles() const override { return table_.count(); }

 private:
  void forget_ended_streams();

  Runtime& runtime_;
  AllocatorTable table_;
  mutable sim::Mutex mutex_;
  std::map<void*, Registration> by_stream_ GUARDED_BY(mutex_);
};

}  // namespace acl
