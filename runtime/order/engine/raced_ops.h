// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>

#include "runtime/order/engine/finding.h"

namespace order {

/// The operations that nothing orders with another one, by their streams and host threads. Answers
/// whether a wait that ordered nothing was followed by such an operation. Not thread-safe.
class RacedOps {
 public:
  /// Findings that are about no order are ignored.
  void add(const Finding& finding);
  /// Whether an operation of the same stream, enqueued after the wait, is among them. If a host
  /// thread waited: an access of that thread that was found after the wait.
  bool follow(const Finding& wait) const;
  void clear() { *this = {}; }

 private:
  struct Last {
    std::uint32_t number = 0;  // of an operation in its stream
    std::uint64_t when = 0;    // of a finding about an access of a host thread
  };
  void add(const OpInfo& op, std::uint64_t when);

  std::unordered_map<std::uint32_t, Last> streams_;
  std::unordered_map<std::uint32_t, Last> threads_;
};

}  // namespace order
