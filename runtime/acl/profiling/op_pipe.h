// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <thread>

#include "device_sim/base/mutex.h"
#include "runtime/acl/profiling/op_info.h"

namespace acl {

/// Sends records to a descriptor from a thread of its own, so that a reader who is late holds up
/// nothing. A reader who has gone ends it.
class OpPipe {
 public:
  /// Works on a duplicate: the program may close its own. Raises ACL_ERROR_INVALID_PARAM when `fd`
  /// is no open descriptor, sim::MachineError(no_thread) when there is no thread.
  explicit OpPipe(int fd);
  /// Closes the program's descriptor, so that the reader meets the end of the data. If the program
  /// has closed the descriptor, and it may belong to another file by now, the function leaves it
  /// alone.
  void close_source() const;
  /// The number of the program's descriptor.
  int source() const noexcept { return source_; }
  /// Sends what is left, as long as the reader takes something every second.
  ~OpPipe();
  OpPipe(const OpPipe&) = delete;
  OpPipe& operator=(const OpPipe&) = delete;

  void send(const OpRecord& record);

 private:
  void run();
  bool write(const OpRecord& record);

  const int source_;
  const int fd_;
  sim::Mutex mutex_;
  sim::CondVar changed_;
  std::deque<OpRecord> queue_ GUARDED_BY(mutex_);
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace acl
