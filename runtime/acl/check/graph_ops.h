// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/acl/check/check_lock.h"
#include "runtime/order/engine/op_info.h"

namespace sim {
class Stream;
struct Op;
}  // namespace sim

namespace acl {

class Runtime;

/// The operations that were captured into graphs, by the completion ids that they got there. The
/// ids of these operations have a range of their own.
class GraphOps {
 public:
  struct Captured {
    order::OpInfo op_info;
    bool blocking = false;
  };
  explicit GraphOps(Runtime& runtime) : runtime_(runtime) {}

  static bool is_in_graph(std::uint32_t completion_id) { return (completion_id & kInGraph) != 0; }
  /// Returns the completion id of the operation.
  std::uint32_t add(const Captured& op) REQUIRES(check_lock);
  /// Null: no operation in a graph has the id.
  const Captured* find(std::uint32_t completion_id) const REQUIRES(check_lock);
  order::OpInfo op_info(const sim::Stream& stream, const sim::Op& op) const REQUIRES(check_lock);

 private:
  static constexpr std::uint32_t kInGraph = 0x8000'0000;

  Runtime& runtime_;
  // At N - 1 the operation with the completion id kInGraph | N.
  std::vector<Captured> ops_ GUARDED_BY(check_lock);
};

}  // namespace acl
