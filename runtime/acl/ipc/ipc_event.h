// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "device_sim/base/clock.h"
#include "device_sim/base/mutex.h"
#include "device_sim/base/ref.h"
#include "device_sim/sharing/ipc_protocol.h"
#include "device_sim/streams/word.h"
#include "runtime/acl/ipc/shared_page.h"

namespace sim {
class Driver;
}

namespace acl {

class IpcSharing;

/// The state of an IPC event. Its records are numbered in all processes together. A shared page
/// holds the number of issued records, the number of the last one that is done, and the process
/// that issued the last one.
class IpcEvent : public sim::RefCounted<IpcEvent> {
 public:
  /// A new one.
  IpcEvent();
  /// Another process's.
  explicit IpcEvent(sim::IpcKey key);
  ~IpcEvent();

  /// Numbers one more record.
  std::uint64_t issue() noexcept;
  std::uint64_t issued() const noexcept;
  bool done(std::uint64_t number) const noexcept;
  /// True when the process that issued the last record has ended.
  bool recorder_gone() const noexcept;
  /// The number of the last record that is done, for streams to wait for and to raise.
  sim::Word& word() const noexcept { return *word_; }

  const SharedPage& page() const noexcept { return *page_; }

  /// The key for other processes. Raises ACL_ERROR_RT_PARAM_INVALID for another process's event.
  std::string share(IpcSharing& sharing, sim::Driver& driver);
  void withdraw();

 private:
  class Done;
  const sim::Ref<SharedPage> page_;
  const sim::Ref<sim::Word> word_;
  const bool opened_;
  sim::Mutex mutex_;
  IpcSharing* sharing_ GUARDED_BY(mutex_) = nullptr;  // null: not shared
  sim::IpcKey key_ GUARDED_BY(mutex_) = 0;
};

}  // namespace acl
