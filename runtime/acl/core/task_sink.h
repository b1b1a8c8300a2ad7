// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "acl/acl_rt.h"
#include "device_sim/streams/op.h"

namespace acl {

class Stream;

/// Where the tasks of a stream go while they do not go to the machine: into a capture, into a
/// model that is being built, into the update of a task group.
class TaskSink {
 public:
  enum class Kind { capture, model, update };

  explicit TaskSink(Kind kind) : kind_(kind) {}
  virtual ~TaskSink() = default;
  TaskSink(const TaskSink&) = delete;
  TaskSink& operator=(const TaskSink&) = delete;

  Kind kind() const noexcept { return kind_; }
  /// Keeps the op; false when the sink takes no more: then it is still the caller's. `params`: what
  /// introspection tells of it, or null.
  virtual bool take(Stream& stream, sim::OwnedOp& op, const aclmdlRITaskParams* params) = 0;

 private:
  const Kind kind_;
};

}  // namespace acl
