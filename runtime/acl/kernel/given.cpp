// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/kernel/given.h"

#include "runtime/acl/kernel/kernel_launch.h"

namespace acl {

// A launch by handle has one range, which is the range of its arguments.
bool declares_nothing(const sim::Op& op) noexcept {
  if (op.kind != sim::OpKind::kernel) return false;
  return !op.has_blob || op.kernel.blob->range_count == 0 || Launch::of(op);
}

bool is_observed(const sim::Op& op) noexcept {
  if (op.kind != sim::OpKind::kernel || !op.has_object) return false;
  if (const Launch* const launch = Launch::of(op))
    return launch->function().code().ascendc != nullptr;
  const sim::KernelSubject* const subject = sim::subject_of(op);
  return subject && subject->is_observed();
}

void any_given(const sim::Memory& memory, const sim::Op& op,
               const std::function<bool(const void*)>& visit) {
  const sim::KernelSubject* const subject = Launch::of(op) ? nullptr : sim::subject_of(op);
  if (subject) {
    any_address(memory, subject->args(), visit);
  } else {
    any_argument(memory, op, visit);
  }
}

void any_argument(const sim::Memory& memory, const sim::Op& op,
                  const std::function<bool(const void*)>& visit) {
  if (!declares_nothing(op)) return;
  const Launch* const launch = Launch::of(op);
  if (launch && launch->args_on_device()) return;
  const std::span<const unsigned char> args =
      launch ? std::span(static_cast<const unsigned char*>(launch->args()), launch->args_size())
             : op.kernel_args();
  any_address(memory, args, visit);
}

}  // namespace acl
