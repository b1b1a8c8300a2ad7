// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "acl/acl_rt.h"
#include "device_sim/streams/op.h"

namespace acl {

class Stream;

/// Takes the tasks of a redirected stream, which do not go to the machine: a capture, a model that
/// is being built, or the update of a task group.
class TaskSink {
 public:
  enum class Kind { capture, model, update };

  explicit TaskSink(Kind kind) : kind_(kind) {}
  virtual ~TaskSink() = default;
  TaskSink(const TaskSink&) = delete;
  TaskSink& operator=(const TaskSink&) = delete;

  Kind kind() const noexcept { return kind_; }
  /// Takes the op; false if the sink takes no more ops: then the caller still owns it. `params`:
  /// the parameters that introspection returns, or null.
  virtual bool take(Stream& stream, sim::OwnedOp& op, const aclmdlRITaskParams* params) = 0;

 private:
  const Kind kind_;
};

}  // namespace acl
