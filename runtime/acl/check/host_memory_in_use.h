// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "runtime/acl/base/check_config.h"
#include "runtime/acl/check/actors.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/acl/check/guarded_memory.h"
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
    if (guarded_ && guarded_->guards(read)) [[unlikely]]
      return guarded_->add(read, {to, engine_.last(to)});
    if (tasks_write_host_ && engine_.may_be_written_before(read, by)) return;
    add_buffer(to, by, what, read);
  }
  /// A task that writes host memory was enqueued.
  void add_writer() REQUIRES(check_lock) { tasks_write_host_ = true; }

  /// The stream's last item writes these ranges: host code may not touch them until it is ordered
  /// after the item.
  void bar_hosts(order::Actor to, std::span<const order::Access> accesses) REQUIRES(check_lock) {
    if (guarded_) [[unlikely]]
      guarded_->add_written(accesses, {to, engine_.last(to)});
  }
  /// The same for an item that has reported its accesses.
  void bar_hosts_at(order::Epoch when, std::span<const order::Access> accesses)
      REQUIRES(check_lock) {
    if (guarded_) [[unlikely]]
      guarded_->add_written(accesses, when);
  }
  /// Null: host code is not watched.
  GuardedMemory* guarded() { return guarded_.get(); }
  /// The memory ends: pages in it are barred no more.
  void unbar(std::uintptr_t begin, std::size_t size) {
    if (guarded_) guarded_->forget(begin, size);
  }
  void unbar_all() {
    if (guarded_) guarded_->clear();
  }

  /// The calling thread is ordered after more than before.
  void settle() REQUIRES(check_lock) {
    if (!host_buffers_.empty() || guarded_) settle(actors_.host());
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

  Runtime& runtime_;
  Actors& actors_;
  order::Engine& engine_ GUARDED_BY(check_lock);
  Reporter& reporter_;
  HostBuffers host_buffers_;  // changed with the lock held; `empty` is callable without it
  std::unique_ptr<GuardedMemory> guarded_;  // null: host code is not watched
  bool tasks_write_host_ GUARDED_BY(check_lock) = false;
};

}  // namespace acl
