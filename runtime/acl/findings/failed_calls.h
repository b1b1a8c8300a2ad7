// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/order/engine/op_info.h"

namespace acl {

/// Calls that failed, until it is known what the program made of them. Not thread-safe.
class FailedCalls {
 public:
  struct Row {
    order::OpInfo call;
    std::int32_t code = 0;
    std::string text;
    bool loses_work = false;
    std::uint64_t when = 0;  // as Finding::when
    bool fresh = true;       // the thread has made no other call since
    bool answered = false;   // the program asked for the error, or repeated the call with success
    std::uint64_t times = 1;
  };

  void failed(Row row);
  /// The thread has asked for its errors.
  void asked(std::uint32_t thread);
  /// The thread makes a call. The one before has succeeded, if it has not failed. A call is the
  /// same as a failed one at the same place; an allocation also where it comes next.
  void begins(std::uint32_t thread, std::string_view call, std::uint64_t site);
  /// Whether that call of the thread has failed, and nothing was made of it so far.
  bool holds(std::uint32_t thread, std::string_view call, std::uint64_t site) const;
  /// Whether some call failed with the code.
  bool met(std::int32_t code) const { return codes_.count(code) != 0; }
  /// All rows since the last time; no call is under way that could repeat one.
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
  std::vector<Repeat> repeats_;  // calls under way of the names of rows
  std::set<std::int32_t> codes_;
};

}  // namespace acl
