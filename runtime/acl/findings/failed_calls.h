// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/order/engine/op_info.h"
#include "runtime/order/report/call_loss.h"

namespace acl {

/// Calls that failed, until it is known whether the program reacts. Not thread-safe.
class FailedCalls {
 public:
  struct Row {
    order::OpInfo call;
    std::int32_t code = 0;
    std::string text;
    order::Loss loss = order::Loss::little;
    std::uint64_t when = 0;  // as Finding::when
    bool fresh = true;       // the thread has made no other call since
    bool answered = false;   // the program asked for the error, or repeated the call with success
    std::uint64_t times = 1;
  };

  void failed(Row row);
  /// The thread has asked for its errors.
  void asked(std::uint32_t thread);
  /// The thread makes a call. Its call before this one has succeeded, if it has not failed. The
  /// call may repeat one that failed (order::repeats).
  void begins(std::uint32_t thread, std::string_view call, std::uint64_t site);
  /// Whether that call of the thread has failed, and the program has not reacted so far.
  bool holds(std::uint32_t thread, std::string_view call, std::uint64_t site) const;
  /// Whether some call failed with the code.
  bool met(std::int32_t code) const { return codes_.count(code) != 0; }
  /// Returns all rows since the last time. No call that could repeat one is in progress.
  std::vector<Row> take();

 private:
  static constexpr std::size_t kMost = 1000;
  struct Repeat {
    std::uint32_t thread;
    std::string_view call;
    std::uint64_t site;  // of the row
  };
  void repeated_with_success(const Repeat& repeat);

  std::vector<Row> rows_;
  std::vector<Repeat> repeats_;  // calls in progress that repeat rows
  std::set<std::int32_t> codes_;
};

}  // namespace acl
