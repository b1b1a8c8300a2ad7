// SPDX-License-Identifier: Apache-2.0
// The plan that the first phase of an operator makes and the second phase runs.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/aclnn/base/objects.h"
#include "runtime/aclnn/view/view.h"

namespace aclnn {

enum class Role : std::uint8_t { in, out, in_out };

/// A tensor of the call.
struct Operand {
  aclTensor* tensor = nullptr;  // the program's; null for an optional one that was not given
  const char* name = nullptr;
  Role role = Role::in;
  int argument = 0;  // tensors and lists, counted in the order of the arguments
  int member = -1;   // of a list
  View view{};       // all of it
};

class Execution;

/// Does one piece of the work. Pieces may run at the same time and in any order.
using Job = std::function<void(Execution& run, std::int64_t piece)>;

/// Enqueues the work of a plan without a job; `addresses`: of the operands, by slot.
using Enqueue =
    std::function<void(const std::vector<void*>& addresses, void* workspace, aclrtStream stream)>;

/// Repeatable, and not changed by being run.
struct Plan {
  const char* function = nullptr;  // "aclnnAdd"
  const char* name = nullptr;      // "Add"
  std::vector<Operand> operands;   // by slot
  std::int64_t pieces = 0;         // 0: there is nothing to do
  Job job;
  Enqueue enqueue;                // in place of a job
  std::uint64_t workspace = 0;    // bytes that it needs of the program
  bool copies_host_data = false;  // cannot be repeated
};

/// One run of a plan, with the memory of its operands.
class Execution {
 public:
  Execution(const Plan& plan, std::span<std::byte* const> bases) : plan_(plan), bases_(bases) {}

  /// The elements of a view, which may be any view that was made of an operand's.
  Data at(const View& view) const {
    return bind(view, bases_[static_cast<std::size_t>(view.slot)]);
  }
  /// The operator fails: what the stream reports (507015, with this text). The first one counts.
  void fail(std::string text);
  bool failed() const noexcept { return failed_.load(std::memory_order_acquire); }
  const std::string& text() const noexcept { return text_; }
  /// Gives an output whose size was not known its dims, which the program reads with
  /// aclGetViewShape.
  void set_shape(const View& output, const Shape& shape);

  /// Memory of this run that its pieces share, zeros at first; each asks for the same size.
  std::byte* shared(std::size_t bytes);
  /// Each of `pieces` calls it once, when it is done: true for the last, which sees what all have
  /// written.
  bool last(std::int64_t pieces) noexcept {
    return done_.fetch_add(1, std::memory_order_acq_rel) + 1 == pieces;
  }

 private:
  const Plan& plan_;
  const std::span<std::byte* const> bases_;
  std::atomic<bool> failed_{false};
  std::atomic<std::int64_t> done_{0};
  sim::Mutex mutex_;
  std::string text_ GUARDED_BY(mutex_);
  std::vector<std::max_align_t> shared_ GUARDED_BY(mutex_);
};

}  // namespace aclnn
