// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "runtime/order/engine/op_info.h"

namespace acl {

/// The call that ended each handle; keeps the latest handles only. A handle is never used again.
/// Handles end while other locks are held, so this class takes no lock.
class EndedHandles {
 public:
  void add(const void* handle, const char* call, std::uint64_t site,
           std::uint32_t thread) noexcept {
    Row& row = (*rows_)[next_.fetch_add(1, std::memory_order_relaxed) % kMost];
    row.handle.store(nullptr, std::memory_order_relaxed);
    row.call.store(call, std::memory_order_release);
    row.site.store(site, std::memory_order_release);
    row.thread.store(thread, std::memory_order_release);
    row.handle.store(handle, std::memory_order_release);
  }
  std::optional<order::OpInfo> find(const void* handle) const;

 private:
  static constexpr std::size_t kMost = 4096;
  struct Row {
    std::atomic<const void*> handle{nullptr};  // null while the rest is written
    std::atomic<const char*> call{nullptr};
    std::atomic<std::uint64_t> site{0};
    std::atomic<std::uint32_t> thread{0};
  };

  const std::unique_ptr<std::array<Row, kMost>> rows_ = std::make_unique<std::array<Row, kMost>>();
  std::atomic<std::uint32_t> next_{0};
};

/// The kind of object that a handle names, with an article: "a stream".
const char* noun_of_handle(const void* handle) noexcept;

}  // namespace acl
