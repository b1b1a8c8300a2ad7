// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>

#include "tools/trace/trace.h"

namespace check {

using trace::OpIndex;

/// Functions of the program that streams called, as far as the recording has the threads that ran
/// them: each is between two marks of its thread, or at one mark.
class Functions {
 public:
  struct Row {
    OpIndex begin = trace::kNone;  // the mark of the thread
    OpIndex end = trace::kNone;    // kNone: the recording ends before
  };

  explicit Functions(const trace::Trace& trace);

  bool empty() const { return rows_.empty(); }
  /// The row of the op that called the function; null: the recording has no thread for it.
  const Row* of(OpIndex call) const {
    const auto found = rows_.find(call);
    return found == rows_.end() ? nullptr : &found->second;
  }
  /// The op whose function begins at the mark; kNone: none does.
  OpIndex begun_by(OpIndex mark) const {
    const auto found = begins_.find(mark);
    return found == begins_.end() ? trace::kNone : found->second;
  }
  bool is_mark(OpIndex op) const { return begins_.contains(op) || ends_.contains(op); }
  /// Calls f(call, row) for each.
  template <class F>
  void each(F&& f) const {
    for (const auto& [call, row] : rows_) f(call, row);
  }

 private:
  std::unordered_map<OpIndex, Row> rows_;               // by the op that called the function
  std::unordered_map<OpIndex, OpIndex> begins_, ends_;  // by mark
};

/// Whether a thread of the runtime runs the function of the op as soon as the stream reaches it.
bool runs_by_itself(const trace::Trace& trace, OpIndex op);

}  // namespace check
