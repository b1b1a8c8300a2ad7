// SPDX-License-Identifier: Apache-2.0
#include "device_sim/streams/stream.h"

#include <cxxabi.h>

#include "device_sim/base/sanitizer.h"
#include "device_sim/streams/driver.h"

namespace sim {
namespace {
constexpr Failure kKernelFailed{Error::kernel_failed, -1};  // without a code of its own
}  // namespace

SIM_CATCHES_FORCED_UNWIND Stream::Step Stream::run_kernel() {
  std::uint64_t failure = 0;
  try {
    failure = call_kernel();
  } catch (abi::__forced_unwind&) {
    if (finish_kernel(kKernelFailed) == Step::moved) let_go();
    throw;  // the thread is being cancelled; that must go on
  }
  if (failure != 0) [[unlikely]] return finish_kernel(Failure::unpack(failure));
  retire(*head(), {});
  return Step::moved;
}

Failure Stream::execute_kernel() { return Failure::unpack(call_kernel()); }

// The packed failure, 0 for none. Passed by value: a structure of small members would be written
// in pieces and read back as a whole, and the processor stalls on such a read.
SIM_CATCHES_FORCED_UNWIND std::uint64_t Stream::call_kernel() {
  const Op& op = *head();
  const KernelOp& kernel = op.kernel;
  const bool blob = op.has_blob;
  const KernelRun run{kernel.function,
                      blob ? kernel.blob->args() : kernel.inline_args,
                      blob ? kernel.blob->args_size : kernel.args_size,
                      kernel.blocks,
                      config_.device,
                      config_.id,
                      op.task_id};
  const Nanoseconds limit_ns = driver_.kernel_limit_ns();
  const Nanoseconds start_ns = limit_ns != 0 ? driver_.now_ns() : 0;
  const DriverHooks& hooks = driver_.hooks();
  void* const entered = hooks.enter_kernel ? hooks.enter_kernel(hooks.self, run) : nullptr;
  std::uint64_t failure = 0;
  try {
    const std::int32_t code = kernel.entry(run);
    if (code != 0) [[unlikely]] failure = Failure{Error::kernel_failed, code}.pack();
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

Stream::Step Stream::finish_kernel(Failure failure) {
  Op& op = *head();
  if (failure && !abandoned()) return fail_head(op, failure);
  retire(op, failure);
  return Step::moved;
}

}  // namespace sim
