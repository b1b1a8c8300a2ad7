// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "runtime/acl/base/check_config.h"
#include "runtime/acl/check/actors.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/acl/check/failed_ops.h"
#include "runtime/acl/check/graph_ops.h"
#include "runtime/acl/check/kernel_census.h"
#include "runtime/acl/check/reporter.h"
#include "runtime/acl/findings/ended_handles.h"
#include "runtime/acl/findings/failed_calls.h"

namespace acl {

/// Calls and tasks that fail, and whether the program reacts.
class Failures {
 public:
  Failures(Runtime& runtime, const CheckConfig& config, CheckLock& lock, Actors& actors,
           Reporter& reporter, Findings& findings, KernelCensus& kernels, const GraphOps& graph_ops,
           FailedOps& failed_ops)
      : runtime_(runtime),
        config_(config),
        lock_(lock),
        engine_(actors.engine()),
        reporter_(reporter),
        findings_(findings),
        kernels_(kernels),
        graph_ops_(graph_ops),
        failed_ops_(failed_ops) {}

  // --- calls ---
  void call_begins() EXCLUDES(check_lock);
  void call_failed(std::int32_t code, const char* text) EXCLUDES(check_lock);
  void library_call_failed(std::int32_t code, const char* text) EXCLUDES(check_lock);
  void errors_read() EXCLUDES(check_lock);
  void handle_ended(const void* handle);
  void no_object_found(const void* handle) EXCLUDES(check_lock);
  /// Reports the failed calls that were kept so far.
  void report_calls() REQUIRES(check_lock);

  // --- tasks ---
  void task_failed(const sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                   bool program_told) EXCLUDES(check_lock);
  /// No synchronise call has taken the failure of the stream away.
  void report_task(std::uint32_t stream) REQUIRES(check_lock);

  void clear() REQUIRES(check_lock);

 private:
  struct FailedTask {
    order::OpInfo op_info;
    std::int32_t code = 0;
    std::string text;
    bool program_told = false;
    std::uint64_t when = 0;
  };
  void take_stack() const;
  void keep_call(std::int32_t code, const char* text) EXCLUDES(check_lock);
  order::OpInfo op_info_of(const sim::Stream& stream, const sim::Op& op) REQUIRES(check_lock);

  Runtime& runtime_;
  const CheckConfig& config_;
  CheckLock& lock_;
  order::Engine& engine_ GUARDED_BY(check_lock);
  Reporter& reporter_;
  Findings& findings_;
  KernelCensus& kernels_ GUARDED_BY(check_lock);
  const GraphOps& graph_ops_;
  FailedOps& failed_ops_;
  FailedCalls failed_calls_ GUARDED_BY(check_lock);
  // The first failed task of each stream.
  std::unordered_map<std::uint32_t, FailedTask> failed_tasks_ GUARDED_BY(check_lock);
  EndedHandles ended_handles_;
};

}  // namespace acl
