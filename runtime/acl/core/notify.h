// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "acl/acl_rt.h"
#include "device_sim/base/mutex.h"
#include "device_sim/sharing/ipc_protocol.h"
#include "device_sim/streams/word.h"
#include "runtime/acl/base/handle_table.h"
#include "runtime/acl/base/section.h"
#include "runtime/acl/ipc/shared_page.h"

namespace acl {

class Context;
class Notify;
class CntNotify;
class Stream;

using NotifyTable = HandleTable<Notify, HandleKind::notify>;
using CntNotifyTable = HandleTable<CntNotify, HandleKind::cnt_notify>;

/// The numbers of a limited resource of a device. Returned numbers are reused.
class NumberPool {
 public:
  explicit NumberPool(std::uint32_t limit) : limit_(limit) {}
  /// Raises ACL_ERROR_RT_NO_NOTIFY_RESOURCE, whose text names the exhausted resource, `noun`.
  std::uint32_t take(const char* noun);
  void give(std::uint32_t number) noexcept;
  std::uint32_t limit() const noexcept { return limit_; }
  /// The most numbers that were in use at a time.
  std::uint32_t peak() const;

 private:
  const std::uint32_t limit_;
  mutable sim::Mutex mutex_;
  std::uint32_t used_ GUARDED_BY(mutex_) = 0;
  std::vector<std::uint32_t> free_ GUARDED_BY(mutex_);
};

/// A flag between streams: a record sets it, a wait holds its stream until it is set and clears it.
/// It is stored in a page that can be shared with other processes.
class Notify : public sim::RefCounted<Notify> {
 public:
  /// `owner`: the process that an imported notify comes from; 0 for one of this process.
  Notify(Context& context, int device, sim::Ref<SharedPage> page, std::uint32_t id, pid_t owner);
  ~Notify();

  Context& context() const noexcept { return *context_; }
  int device() const noexcept { return device_; }
  std::uint32_t id() const noexcept { return id_; }
  bool imported() const noexcept { return owner_ != 0; }
  sim::Word& word() const noexcept { return *word_; }
  /// The shared state: its value, and for listeners the numbers of its records and waits.
  const SharedPage& page() const noexcept { return *page_; }
  static constexpr std::size_t kRecords = 1;  // numbers of the page
  static constexpr std::size_t kWaits = 2;

  void record(Stream& stream);
  /// Raises ACL_ERROR_RT_PARAM_INVALID for a shared notify on another device than its own.
  void wait(Stream& stream, std::uint64_t timeout_ns);
  void clear();
  /// Reports to listeners that a call of the program is about to destroy it.
  void announce_end() const;

  /// The key for other processes; the same for each call.
  std::string share(bool everybody);
  /// Lets processes import; raises ACL_ERROR_RT_PARAM_INVALID before the first share.
  void allow(const std::int32_t* pids, std::size_t count);

 private:
  const sim::Ref<Context> context_;
  const int device_;
  const sim::Ref<SharedPage> page_;
  const sim::Ref<sim::Word> word_;
  const std::uint32_t id_;
  const pid_t owner_;
  sim::Mutex mutex_;
  sim::IpcKey key_ GUARDED_BY(mutex_) = 0;  // 0: not shared
};

/// A 32-bit counter between streams.
class CntNotify : public sim::RefCounted<CntNotify> {
 public:
  CntNotify(Context& context, std::uint32_t id);
  ~CntNotify();
  Context& context() const noexcept { return *context_; }
  std::uint32_t id() const noexcept { return id_; }
  sim::Word& word() const noexcept { return *word_; }

 private:
  const sim::Ref<Context> context_;
  const sim::Ref<sim::Word> word_;
  const std::uint32_t id_;
};

/// The notifies of the process.
class Notifies : public Section {
 public:
  explicit Notifies(Runtime& runtime);
  NotifyTable& table() noexcept { return table_; }
  CntNotifyTable& counters() noexcept { return counters_; }
  NumberPool& numbers(int device) { return *numbers_[static_cast<std::size_t>(device)]; }
  NumberPool& counter_numbers(int device) {
    return *counter_numbers_[static_cast<std::size_t>(device)];
  }
  sim::Ref<Notify> create(Context& context);
  sim::Ref<CntNotify> create_counter(Context& context);
  sim::Ref<Notify> import(Context& context, sim::IpcKey key);

  void reset() override;
  void context_ends(const Context& context) override;
  std::size_t live_handles() const override { return table_.count() + counters_.count(); }

 private:
  NotifyTable table_;
  CntNotifyTable counters_;
  std::vector<std::unique_ptr<NumberPool>> numbers_;          // by device
  std::vector<std::unique_ptr<NumberPool>> counter_numbers_;  // by device
};

}  // namespace acl
