// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "runtime/acl/base/check_config.h"
#include "runtime/acl/check/actors.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/acl/touches/guarded_reads.h"
#include "runtime/acl/touches/host_buffers.h"
#include "runtime/order/engine/engine.h"

namespace acl {

class Reporter;
class Runtime;

/// Memory that pending operations use while host code could touch it: buffers that copies read, and
/// pages that tasks write.
class HostMemoryInUse {
 public:
  HostMemoryInUse(Runtime& runtime, const CheckConfig& config, CheckLock& lock, Actors& actors,
                  Reporter& reporter);

  HostBuffers& buffers() { return host_buffers_; }

  /// The host memory that the stream's last item reads.
  void keep_buffers(order::Actor to, const order::OpInfo& what,
                    std::span<const order::Access> accesses) REQUIRES(check_lock);
  /// The same for one range that a thread made the item read.
  void keep_buffer(order::Actor to, order::Actor by, const order::OpInfo& what,
                   const order::Access& read) REQUIRES(check_lock) {
    if (engine_.is_blocked(to) && engine_.deadlocks().may_be_released_later(to)) return;
    if (tasks_write_host_ && engine_.may_be_written_before(read, by)) return;
    add_buffer(to, by, what, read);
  }
  /// A task that writes host memory was enqueued.
  void add_writer() REQUIRES(check_lock) { tasks_write_host_ = true; }

  /// The stream's last item writes these ranges: bars host code from them until it is ordered after
  /// the item.
  void bar_hosts(order::Actor to, const order::OpInfo& what,
                 std::span<const order::Access> accesses) REQUIRES(check_lock) {
    if (guarded_reads_) [[unlikely]]
      guarded_reads_->add(accesses, {to, engine_.last(to)}, what);
  }
  /// The same for an item that has reported its accesses.
  void bar_hosts_at(order::Epoch when, const order::OpInfo& what,
                    std::span<const order::Access> accesses) {
    if (guarded_reads_) [[unlikely]]
      guarded_reads_->add(accesses, when, what);
  }
  /// A kernel or a function is over, for which barred pages may have been opened.
  void close_pages_again() {
    if (guarded_reads_) [[unlikely]]
      guarded_reads_->close_again();
  }
  /// The memory ends: pages in it are barred no more.
  void unbar(std::uintptr_t begin, std::size_t size) {
    if (guarded_reads_) guarded_reads_->forget(begin, size);
  }
  void unbar_all() {
    if (guarded_reads_) guarded_reads_->clear();
  }

  /// The calling thread is ordered after more than before.
  void settle() REQUIRES(check_lock) {
    if (!host_buffers_.empty()) settle(actors_.host());
  }
  void settle(order::Actor by) REQUIRES(check_lock);
  void settle_buffers(const std::function<bool(order::Epoch)>& is_over) REQUIRES(check_lock);
  /// A function of the program begins: what it writes from now on is no earlier content.
  void function_begins() REQUIRES(check_lock);
  void clear() REQUIRES(check_lock);

 private:
  void add_buffer(order::Actor to, order::Actor by, const order::OpInfo& what,
                  const order::Access& read) REQUIRES(check_lock);
  void report_changed(const HostBuffers::Buffer& buffer) REQUIRES(check_lock);
  /// Host code touched memory that is barred.
  void host_touched(const HostTouch& touch) EXCLUDES(check_lock);
  void mark_touch(const order::OpInfo& host);

  Runtime& runtime_;
  CheckLock& lock_;
  Actors& actors_;
  order::Engine& engine_ GUARDED_BY(check_lock);
  Reporter& reporter_;
  // Changed with the lock held; `empty` of both is callable without it.
  HostBuffers host_buffers_;
  std::unique_ptr<GuardedReads> guarded_reads_;  // null: host code is not watched
  bool tasks_write_host_ GUARDED_BY(check_lock) = false;
};

}  // namespace acl
