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

/// The buffers of a trace, laid side by side in one range of addresses.
class Memory {
 public:
  /// Throws std::invalid_argument if the buffers do not fit into one address space.
  explicit Memory(const trace::Trace& trace);

  order::Access access(const trace::Range& range) const;
  /// Says of all accesses of an op how it makes them: a reduction onto its target, a word as one.
  void set_kinds(OpIndex op, std::vector<order::Access>& accesses);
  /// All of a buffer.
  order::Access whole(std::uint32_t buffer) const;
  bool beyond_end(const trace::Range& range) const;
  /// Turns addresses into offsets; returns the buffer that contains them.
  std::uint32_t locate(order::Access& where) const;
  std::string name(std::uint32_t buffer) const;

  struct Freed {
    OpIndex by;
    order::Epoch when;
  };
  void freed(std::uint32_t buffer, const Freed& how) { freed_[buffer] = how; }
  void allocated(std::uint32_t buffer) { freed_[buffer].reset(); }
  const std::optional<Freed>& end_of(std::uint32_t buffer) const { return freed_[buffer]; }
  /// The buffer's content is known: its life begins in the trace, each kernel says what it touches,
  /// and none so far may have written it by pointers.
  bool content_is_known(std::uint32_t buffer) const {
    return begins_here_[buffer] && all_declared_ && !written_anywhere_ && !given_[buffer];
  }
  /// A kernel that was watched is over: what it was given it may have written by pointers.
  void kernel_ended(OpIndex op);

 private:
  void look_at(const trace::Trace& trace);
  std::uint16_t number_of(trace::StringIndex reduction);

  const trace::Trace& trace_;
  std::vector<std::uintptr_t> begin_;  // and one more: the end of all
  std::vector<std::optional<Freed>> freed_;
  std::vector<bool> begins_here_;
  std::vector<trace::StringIndex> reductions_;  // their kinds, at number - 1
  bool all_declared_ = true;
  std::vector<bool> given_;  // to kernels that are over, by buffer
  bool written_anywhere_ = false;
};

}  // namespace check
