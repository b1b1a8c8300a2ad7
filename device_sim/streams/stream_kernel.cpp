// SPDX-License-Identifier: Apache-2.0
#include "device_sim/streams/stream.h"

#include <cxxabi.h>

#include "device_sim/base/sanitizer.h"
#include "device_sim/streams/driver.h"
#include "device_sim/streams/stream_announce.h"

namespace sim {
namespace {

constexpr Failure kKernelFailed{Error::kernel_failed, -1};  // without a code of its own

/// Says that a kernel runs, also when it ends its thread. Before the next op the owner looks
/// whether the stream was abandoned: it sees the mark, or who left it sees that no kernel runs.
class InKernel {
 public:
  explicit InKernel(std::atomic<bool>& flag) noexcept : flag_(flag) {
    flag_.store(true, std::memory_order_release);
  }
  ~InKernel() { flag_.store(false, std::memory_order_seq_cst); }
  InKernel(const InKernel&) = delete;
  InKernel& operator=(const InKernel&) = delete;

 private:
  std::atomic<bool>& flag_;
};

}  // namespace

// If a listener needs to know of each kernel, the kernels run one by one.
SIM_CATCHES_FORCED_UNWIND Stream::Step Stream::run_kernels(std::uint64_t most) {
  std::uint64_t failure = 0;
  try {
    kernel_name_.store(head()->kernel.name, std::memory_order_relaxed);
    const InKernel says_so(in_kernel_);
    const bool row = may_run_row();
    if (!row) {
      failure = call_kernel();
    } else {
      failure = frames_.empty() ? call_row<false>(most) : call_row<true>(most);
    }
    if (row && failure == 0) [[likely]]
      return Step::moved;
  } catch (abi::__forced_unwind&) {
    if (finish_kernel(kKernelFailed) == Step::moved) let_go();
    throw;  // the thread is being cancelled; that must go on
  }
  if (failure != 0) [[unlikely]]
    return finish_kernel(Failure::unpack(failure));
  retire(*head(), {});
  return Step::moved;
}

Failure Stream::execute_kernel() {
  kernel_name_.store(head()->kernel.name, std::memory_order_relaxed);
  const InKernel says_so(in_kernel_);
  return Failure::unpack(call_kernel());
}

// The packed failure, 0 for none. Passed by value: a structure of small members would be written
// in pieces and read back as a whole, and the processor stalls on such a read.
SIM_CATCHES_FORCED_UNWIND std::uint64_t Stream::call_kernel() {
  const Op& op = *head();
  const KernelRun run = run_of(op);
  const Nanoseconds limit_ns = driver_.kernel_limit_ns();
  const Nanoseconds start_ns = limit_ns != 0 ? driver_.now_ns() : 0;
  const DriverHooks& hooks = driver_.hooks();
  void* const entered = hooks.enter_kernel ? hooks.enter_kernel(hooks.self, run) : nullptr;
  std::uint64_t failure = 0;
  try {
    const std::int32_t code = op.kernel.entry(run);
    if (code != 0) [[unlikely]]
      failure = Failure{Error::kernel_failed, code}.pack();
  } catch (abi::__forced_unwind&) {
    if (hooks.leave_kernel) hooks.leave_kernel(hooks.self, entered);
    throw;
  } catch (...) {
    failure = kKernelFailed.pack();
  }
  if (hooks.leave_kernel) hooks.leave_kernel(hooks.self, entered);
  if (limit_ns != 0 && failure == 0 && driver_.now_ns() - start_ns > limit_ns) {
    failure = Failure{Error::kernel_timeout, 0}.pack();
  }
  return failure;
}

/// Copies the members that differ between launches of one function.
static inline void give_op(KernelRun& run, const Op& op) noexcept {
  const KernelOp& kernel = op.kernel;
  if (op.has_blob) [[unlikely]] {
    run.args = kernel.blob->args();
    run.args_size = kernel.blob->args_size;
  } else {
    run.args = kernel.inline_args;
    run.args_size = kernel.args_size;
  }
  run.blocks = kernel.blocks;
  run.task_id = op.task_id;
}

inline KernelRun Stream::run_of(const Op& op) const noexcept {
  KernelRun run{op.kernel.function, nullptr, 0, 0, config_.device, config_.id, 0};
  give_op(run, op);
  return run;
}

inline bool Stream::may_run_row() noexcept {
  const DriverHooks& hooks = driver_.hooks();
  if (hooks.completed && is_reported(*head())) return false;
  return !hooks.op_begins && !hooks.kernels_apart && driver_.kernel_limit_ns() == 0 &&
         !driver_.observer();
}

// The op at the head, if it is a kernel of that function whose end is not reported. A sequence of
// kernels ends with its program.
template <bool kInProgram>
inline Op* Stream::next_in_row(KernelEntry entry, const void* function) noexcept {
  if (dropping()) return nullptr;
  Op* op = nullptr;
  if constexpr (kInProgram) {
    const Frame& frame = frames_.back();
    if (frame.at != frame.end) op = &**frame.at;
  } else {
    op = queue_.front();
  }
  if (!op || op->kind != OpKind::kernel) return nullptr;
  if constexpr (kInProgram) {
    if (driver_.hooks().completed ? op->completion_id != Op::kUnreported : is_told(*op))
      return nullptr;
  } else if (is_told(*op)) {
    return nullptr;
  }
  return op->kernel.entry == entry && op->kernel.function == function ? op : nullptr;
}

// The packed failure of the kernel at the head, or 0 when the kernels that ran have left the
// stream.
template <bool kInProgram>
SIM_CATCHES_FORCED_UNWIND std::uint64_t Stream::call_row(std::uint64_t most) {
  Op* op = kInProgram ? &**frames_.back().at : queue_.front();
  const KernelEntry entry = op->kernel.entry;
  const void* const function = op->kernel.function;
  const DriverHooks& hooks = driver_.hooks();
  KernelRun run = run_of(*op);
  void* const entered = hooks.enter_kernel ? hooks.enter_kernel(hooks.self, run) : nullptr;
  std::uint64_t failure = 0;
  try {
    for (;;) {
      const std::int32_t code = entry(run);
      if (code != 0) [[unlikely]] {
        failure = Failure{Error::kernel_failed, code}.pack();
        break;
      }
      if (driver_.observer()) [[unlikely]] {  // an observer may be attached while the kernel runs
        retire(*op, {});
        break;
      }
      if constexpr (kInProgram)
        retire_in_program();
      else
        retire_plainly(*op);
      op = --most != 0 ? next_in_row<kInProgram>(entry, function) : nullptr;
      if (!op) break;
      give_op(run, *op);
    }
    if (failure == 0) announce();
  } catch (abi::__forced_unwind&) {
    if (hooks.leave_kernel) hooks.leave_kernel(hooks.self, entered);
    throw;
  } catch (...) {
    failure = kKernelFailed.pack();
  }
  if (hooks.leave_kernel) hooks.leave_kernel(hooks.self, entered);
  return failure;
}

// As retire, without any report.
inline void Stream::retire_plainly(Op& op) {
  if (op.has_blob || op.has_object) [[unlikely]]
    dispose_op(op);
  pop_in_row();
}

Stream::Step Stream::finish_kernel(Failure failure) {
  Op& op = *head();
  if (failure && !abandoned()) return fail_head(op, failure);
  retire(op, failure);
  return Step::moved;
}

}  // namespace sim
