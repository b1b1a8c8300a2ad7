// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "runtime/acl/check/actors.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/acl/check/graph_ops.h"
#include "runtime/acl/check/kernel_census.h"
#include "runtime/acl/check/reporter.h"
#include "runtime/acl/watch/kernel_finding.h"

namespace acl {

/// Mistakes inside of AscendC kernels, with the launch of the kernel.
class KernelFindings {
 public:
  KernelFindings(Runtime& runtime, CheckLock& lock, Actors& actors, Reporter& reporter,
                 KernelCensus& kernels, const GraphOps& graph_ops)
      : runtime_(runtime),
        lock_(lock),
        engine_(actors.engine()),
        reporter_(reporter),
        kernels_(kernels),
        graph_ops_(graph_ops) {}

  /// The kernel is at the head of its stream.
  void add(const watch::KernelFinding& found) EXCLUDES(check_lock);

 private:
  /// The operation that a stream runs.
  struct Running {
    std::uint32_t completion_id = 0;
    int device = -1;
  };
  Running running(const watch::KernelFinding& found) const;
  order::OpInfo launch_of(const watch::KernelFinding& found, const char* kernel,
                          const Running& running) const REQUIRES(check_lock);

  Runtime& runtime_;
  CheckLock& lock_;
  order::Engine& engine_ GUARDED_BY(check_lock);
  Reporter& reporter_;
  KernelCensus& kernels_ GUARDED_BY(check_lock);
  const GraphOps& graph_ops_;
};

}  // namespace acl
