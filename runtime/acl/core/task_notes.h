// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/section.h"

namespace acl {

/// The notes of a program on tasks that it enqueued, for the log when one of them fails. The latest
/// few thousand are kept.
class TaskNotes final : public Section {
 public:
  struct Note {
    std::uint32_t stream_id = 0;
    std::uint32_t task_id = 0;
    std::vector<std::byte> op_info;  // opaque
    std::string text;
  };
  explicit TaskNotes(Runtime&) {}

  /// Sets one part of the note on the calling thread's last task; nothing when its stream does not
  /// keep notes (ACL_STREAM_ATTR_CACHE_OP_INFO). Raises ACL_ERROR_RT_PARAM_INVALID without a task.
  void set_op_info(const void* data, std::size_t size);
  void set_text(const char* text, std::size_t size);
  std::optional<Note> find(std::uint32_t stream_id, std::uint32_t task_id) const;

  void reset() override;

 private:
  Note* last_task() REQUIRES(mutex_);

  mutable sim::Mutex mutex_;
  std::deque<Note> notes_ GUARDED_BY(mutex_);
};

}  // namespace acl
