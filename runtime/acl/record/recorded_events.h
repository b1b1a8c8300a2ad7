// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "device_sim/streams/op.h"
#include "device_sim/streams/signal.h"
#include "runtime/acl/core/event.h"
#include "runtime/acl/watch/listener.h"
#include "runtime/trace/op_lines.h"

namespace acl {

/// Events of which a record does not make a signal of its own: flags, and events inside of graphs.
/// A wait for such an event is bound to a record when the wait ends. Callers hold the recorder's
/// lock.
class RecordedEvents {
 public:
  struct Flag {
    std::uint64_t event = 0;
    std::uint64_t generation = 0;  // of the record that was called for last
    std::uint64_t ran = 0;         // of the record that began last
  };

  explicit RecordedEvents(trace_output::OpLines& lines) : lines_(lines) {}

  void created(const sim::Signal& flag, std::uint64_t event) { flags_[flag.id()].event = event; }
  void destroyed(const sim::Signal& flag) { flags_.erase(flag.id()); }

  /// The flag of a signal. A signal that no event was created with is an event inside of a graph.
  Flag& flag_of(const sim::Signal& signal);
  /// The number of the record that the host queries or waits for.
  std::uint64_t generation_of(const watch::EventRecord& record) const;

  /// The member "gen" of a wait for a flag that has not ended, as far as it is known; else nothing.
  std::string expected_record(const sim::Op& op) const;
  /// The op `number` was enqueued.
  void enqueued(const sim::Op& op, std::uint64_t number);
  /// The op `number` begins: waits that end from here on are bound to it if it is a record.
  void begun(const sim::Op& op, std::uint64_t number);
  /// The op `number` has succeeded: if it is a wait, the record that ended it had begun before.
  void succeeded(const sim::Op& op, std::uint64_t number);

 private:
  trace_output::OpLines& lines_;
  std::unordered_map<std::uint64_t, Flag> flags_;             // by signal
  std::unordered_map<std::uint64_t, std::uint64_t> records_;  // generations by op, not begun
};

}  // namespace acl
