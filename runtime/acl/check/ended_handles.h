// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

#include "device_sim/base/spin_lock.h"
#include "runtime/order/op_info.h"

namespace acl {

/// Which call ended each handle; keeps the latest only. A handle never comes again.
class EndedHandles {
 public:
  void add(const void* handle, const order::OpInfo& by);
  std::optional<order::OpInfo> find(const void* handle) const;

 private:
  static constexpr std::size_t kMost = 4096;
  struct Row {
    const void* handle = nullptr;
    order::OpInfo by;
  };

  mutable sim::SpinLock lock_;  // handles end while other locks are held: this one is taken last
  std::vector<Row> rows_;       // full: a ring
  std::size_t next_ = 0;
};

/// What a handle stands for: "a stream".
const char* noun_of_handle(const void* handle) noexcept;

}  // namespace acl
