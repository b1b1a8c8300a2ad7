// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "tools/trace/trace.h"

namespace check {

using trace::OpIndex;

/// The parts of recordings that other processes take part in: events and notifies that they share,
/// operations between ranks. A recording shows one process only, so two of its operations may be
/// ordered through another one.
class Outside {
 public:
  explicit Outside(const trace::Trace& trace);

  bool empty() const { return how_.empty() && sharing_ == 0; }
  /// Other processes may let the op pass.
  bool waits(OpIndex op) const { return has(op, kWaits); }
  /// Other processes may wait for the op.
  bool records(OpIndex op) const { return has(op, kRecords); }
  /// Other processes may record the event or notify, or wait for it.
  bool shares(std::uint32_t object) const { return object < shared_.size() && shared_[object]; }
  /// The parts that are not judged because of that, in words; "" if all are.
  std::string not_checked() const;

 private:
  enum How : unsigned char { kWaits = 1, kRecords = 2 };

  bool has(OpIndex op, How one) const {
    const auto found = how_.find(op);
    return found != how_.end() && (found->second & one) != 0;
  }
  void look_at(const trace::Trace& trace, OpIndex op);

  std::unordered_map<OpIndex, unsigned char> how_;
  std::vector<bool> shared_;  // by object
  std::size_t sharing_ = 0;   // processes that share memory
};

}  // namespace check
