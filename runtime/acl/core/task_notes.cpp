// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/core/task_notes.h"

#include <cstring>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/thread_state.h"

namespace acl {
namespace {
constexpr std::size_t kMost = 4096;
}

TaskNotes::Note* TaskNotes::last_task() {
  const LastTask& last = thread_state().last_task;
  if (last.task_id == 0) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "this thread has not enqueued a task yet");
  }
  if (!last.keeps_notes) return nullptr;
  const bool same = !notes_.empty() && notes_.back().stream_id == last.stream_id &&
                    notes_.back().task_id == last.task_id;
  if (!same) {
    if (notes_.size() == kMost) notes_.pop_front();
    notes_.push_back({last.stream_id, last.task_id, {}, {}});
  }
  return &notes_.back();
}

void TaskNotes::set_op_info(const void* data, std::size_t size) {
  const auto* const bytes = static_cast<const std::byte*>(data);
  const sim::LockGuard guard(mutex_);
  if (Note* const note = last_task()) note->op_info.assign(bytes, bytes + size);
}

void TaskNotes::set_text(const char* text, std::size_t size) {
  const sim::LockGuard guard(mutex_);
  if (Note* const note = last_task()) note->text.assign(text, strnlen(text, size));
}

std::optional<TaskNotes::Note> TaskNotes::find(std::uint32_t stream_id,
                                               std::uint32_t task_id) const {
  const sim::LockGuard guard(mutex_);
  Note merged{stream_id, task_id, {}, {}};
  bool found = false;
  // A note of another thread may be stored between the two calls for one note.
  for (const Note& note : notes_) {
    if (note.stream_id != stream_id || note.task_id != task_id) continue;
    found = true;
    if (!note.op_info.empty()) merged.op_info = note.op_info;
    if (!note.text.empty()) merged.text = note.text;
  }
  return found ? std::optional(merged) : std::nullopt;
}

void TaskNotes::reset() {
  const sim::LockGuard guard(mutex_);
  notes_.clear();
}

}  // namespace acl
