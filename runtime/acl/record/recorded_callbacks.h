// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>

#include "device_sim/streams/op.h"
#include "runtime/acl/record/recorded_hosts.h"

namespace acl {

/// Callbacks and host functions of the program: where each was called for, and which have not run
/// yet. Callers hold the recorder's lock.
class RecordedCallbacks {
 public:
  explicit RecordedCallbacks(RecordedHosts& hosts) : hosts_(hosts) {}

  /// Gives the op a completion id, by which function_begins() knows it.
  void submitting(sim::Op& op);
  void captured(sim::Op& op, std::uint64_t site);
  /// The op was added as `number`.
  void enqueued(const sim::Op& op, std::uint64_t number, std::uint32_t stream, std::uint64_t site);
  /// The number of the op; 0: the op is in a graph.
  std::uint64_t function_begins(std::uint32_t completion_id);
  /// The stream drops its ops, which needs no mark.
  void stream_aborting(std::uint32_t stream);
  /// Adds a mark for each function of the stream that has not run, unless the stream has `dropped`
  /// them.
  void stream_ended(std::uint32_t stream, bool dropped);

  /// The call site of an op of a graph; 0: not known.
  std::uint64_t captured_at(const sim::Op& op) const;

 private:
  struct Pending {
    std::uint32_t stream = 0;
    std::uint64_t site = 0;
    std::uint64_t number = 0;
  };

  RecordedHosts& hosts_;
  std::map<std::uint32_t, Pending> pending_;                         // by completion id
  std::unordered_map<std::uint32_t, std::uint64_t> captured_sites_;  // likewise, of ops of graphs
  std::uint32_t last_id_ = 0;                                        // of those given here
};

}  // namespace acl
