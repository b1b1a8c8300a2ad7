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
/// ordered through another one. The same holds for waits for values that copies write. And the
/// other parts that a recording cannot show.
class Outside {
 public:
  explicit Outside(const trace::Trace& trace);

  bool empty() const { return how_.empty() && sharing_ == 0 && values_ == 0; }
  /// The host of the process has reset a notify: records and waits do not match.
  bool resets(std::uint32_t rank) const { return rank < resets_.size() && resets_[rank]; }
  /// A task of the process may have written anywhere.
  bool writes_anywhere() const { return anywhere_; }
  /// Other processes may let the op pass.
  bool waits(OpIndex op) const { return has(op, kWaits); }
  /// Other processes may wait for the op.
  bool records(OpIndex op) const { return has(op, kRecords); }
  /// Other processes may record the event or notify, or wait for it.
  bool shares(std::uint32_t object) const { return object < shared_.size() && shared_[object]; }
  /// The parts that are not judged because of that, in words; "" if all are.
  std::vector<std::string> not_checked() const;

 private:
  enum How : unsigned char { kWaits = 1, kRecords = 2 };

  bool has(OpIndex op, How one) const {
    const auto found = how_.find(op);
    return found != how_.end() && (found->second & one) != 0;
  }
  void look_at(const trace::Trace& trace, const trace::Track& track, OpIndex op);
  void find_values(const trace::Trace& trace);

  std::unordered_map<OpIndex, unsigned char> how_;
  std::vector<bool> shared_;      // by object
  std::size_t sharing_ = 0;       // processes that share memory
  std::size_t values_ = 0;        // waits for values that copies and fills write, too
  std::size_t limits_ = 0;        // waits of the host that came to their time limit
  std::size_t in_functions_ = 0;  // waits in functions of streams
  std::size_t threads_ = 0;       // streams on which several threads enqueue
  std::size_t peers_ = 0;         // calls that end the access of a peer
  std::vector<bool> resets_;      // by rank
  bool anywhere_ = false, blocks_ = false, notify_ends_ = false;
};

}  // namespace check
