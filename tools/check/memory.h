// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/order/engine/op_info.h"
#include "runtime/order/engine/vector_clock.h"
#include "tools/trace/trace.h"

namespace check {

using trace::OpIndex;

/// The buffers of a trace, one after the other in one range of addresses.
class Memory {
 public:
  /// Throws std::invalid_argument if the buffers do not fit into one address space.
  explicit Memory(const trace::Trace& trace);

  order::Access access(const trace::Range& range) const;
  /// Sets the kind of all accesses of an op: a reduction into its target, or an atomic access to a
  /// word.
  void set_kinds(OpIndex op, std::vector<order::Access>& accesses);
  /// An access to a whole buffer.
  order::Access whole(std::uint32_t buffer) const;
  bool beyond_end(const trace::Range& range) const;
  /// Turns addresses into offsets; returns the buffer that contains them.
  std::uint32_t locate(order::Access& where) const;
  std::string name(std::uint32_t buffer) const;

  struct Freed {
    OpIndex by;
    order::Epoch when;
  };
  /// The content of no buffer is known.
  void forget_contents() { anywhere_ = true; }
  void freed(std::uint32_t buffer, const Freed& how) { freed_[buffer] = how; }
  void allocated(std::uint32_t buffer) { freed_[buffer].reset(); }
  const std::optional<Freed>& end_of(std::uint32_t buffer) const { return freed_[buffer]; }
  /// Whether the content of a buffer is known: the trace has its allocation, each kernel declares
  /// its ranges, and no kernel so far may have written it through pointers.
  bool content_is_known(std::uint32_t buffer) const {
    return !anywhere_ && begins_here_[buffer] && all_declared_ && !written_anywhere_ &&
           !given_[buffer];
  }
  /// Records that a watched kernel has ended: it may have written the buffers that it was given.
  void kernel_ended(OpIndex op);

 private:
  void look_at(const trace::Trace& trace);
  std::uint16_t number_of(trace::StringIndex reduction);

  const trace::Trace& trace_;
  std::vector<std::uintptr_t> begin_;  // and one more: the end of all
  std::vector<std::optional<Freed>> freed_;
  std::vector<bool> begins_here_;
  std::vector<trace::StringIndex> reductions_;  // their kinds, at number - 1
  bool anywhere_ = false;
  bool all_declared_ = true;
  std::vector<bool> given_;  // to kernels that are over, by buffer
  bool written_anywhere_ = false;
};

}  // namespace check
