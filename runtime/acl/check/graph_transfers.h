// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "device_sim/base/ref.h"
#include "device_sim/streams/program.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/acl/check/graph_ops.h"
#include "runtime/order/engine/graph_op.h"

namespace acl {

/// The copies and fills of one program whose reports can be deferred, as the engine takes them in.
class ProgramTransfers final : public sim::Shared {
 public:
  explicit ProgramTransfers(std::uint32_t stream) : stream_(stream) {}

  std::uint32_t stream() const noexcept { return stream_; }
  /// The transfer with the index `index` in the program. Before the program runs.
  void add(std::size_t index, const order::GraphOp& transfer);
  /// Those with an index from `begin` to before `end`.
  std::span<order::GraphOp> between(std::uint32_t begin, std::uint32_t end) REQUIRES(check_lock);

 private:
  const std::uint32_t stream_;
  std::vector<order::GraphOp> transfers_;  // a run changes them with the lock held
  std::vector<std::uint32_t> before_;  // by the index in the program: how many of them precede it
};

/// The transfers of one run of a program. A run that was aborted may still be under way when the
/// next one begins.
class TransferRun final : public sim::DeferredReports {
 public:
  explicit TransferRun(sim::Ref<ProgramTransfers> program) : program_(std::move(program)) {}

  std::uint32_t stream() const noexcept { return program_->stream(); }
  /// The transfers that have run since the last call.
  std::span<order::GraphOp> take() REQUIRES(check_lock);
  /// The thread that moves the stream reports the next op itself. After `take`.
  void restart() REQUIRES(check_lock) {
    clear();
    taken_ = 0;
  }

 private:
  const sim::Ref<ProgramTransfers> program_;
  std::uint32_t taken_ GUARDED_BY(check_lock) = 0;  // the range up to there is taken
};

/// Copies and fills of graphs that have run, and that the engine does not know yet. They are many:
/// the machine reports only the last one of several that follow each other. Any thread that enters
/// the checker's lock takes the others in first.
class GraphTransfers {
 public:
  explicit GraphTransfers(const GraphOps& ops) : ops_(ops) {}

  /// True if some reports of the program can be deferred.
  static bool may_defer(sim::Program& program);
  void defer(const sim::Stream& stream, sim::Program& program) REQUIRES(check_lock);
  /// A run of the program begins, and lasts until `ends`. Null: it defers nothing.
  sim::Ref<sim::DeferredReports> begins(const sim::Program& program) REQUIRES(check_lock);
  void ends(std::uint32_t stream) REQUIRES(check_lock);
  /// Programs that defer reports run.
  bool any() const noexcept REQUIRES(check_lock) { return !running_.empty(); }
  /// Calls `take(stream, transfers)` for the transfers of each program that have run.
  template <class Take>
  void take_all(const Take& take) REQUIRES(check_lock) {
    for (const auto& run : running_) {
      const std::span<order::GraphOp> transfers = run->take();
      if (!transfers.empty()) take(run->stream(), transfers);
    }
  }
  /// The stream's thread reports an op itself. `aborted`: the run does no more. After `take_all`.
  void restart(const sim::Stream& stream, bool aborted) REQUIRES(check_lock);
  void clear() REQUIRES(check_lock) { running_.clear(); }

 private:
  const GraphOps& ops_;
  std::vector<sim::Ref<TransferRun>> running_ GUARDED_BY(check_lock);
};

}  // namespace acl
