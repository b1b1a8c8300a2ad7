// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device_sim/base/clock.h"

namespace sim {

/// The kind of a fault.
enum class FaultKind : std::uint8_t {
  call,      // a call of the interface returns a code and does nothing
  task,      // a task fails with a code and does not run
  alloc,     // an allocation fails
  no_event,  // there is no event left, no stream, no notify
  no_stream,
  no_notify,
  kernel,          // a kernel fails
  slow,            // a task begins late
  stuck,           // a task never begins
  notify_timeout,  // a wait for a notify reaches its limit
  link_down,       // nothing passes between two devices any more
  link_slow,       // transfers between two devices begin late from then on
  ecc,             // a piece of device memory can no longer be read
  device_lost,     // a device answers no more
  callback_dies,   // a thread that runs host functions is gone
  process_dies,    // the process is killed, as by kill -9
};

/// One fault, when and where: plain data. Made by parse_fault.
struct FaultRule {
  FaultKind kind = FaultKind::call;
  std::string text;  // as it was given

  // The sites that the rule matches: unset or empty matches any. In names, a * matches any
  // characters.
  std::optional<int> device;  // as the program counts them
  std::optional<int> peer;    // with `device`, the ends of a link in either order
  std::optional<std::uint32_t> stream;
  std::string call;  // the function that the program calls
  std::string op;    // the kind of task: one of the words of fault_ops()
  std::string name;  // of a kernel, or another task

  // When: at the match number `first`, and at every `every`-th from there on.
  std::uint64_t first = 1;
  std::uint64_t every = 1;
  std::uint64_t times = UINT64_MAX;   // it fires no more often than this
  double probability = 1;             // that it fires when it could
  std::optional<std::uint64_t> seed;  // of that chance; unset: the machine's

  // The effect of the fault.
  std::int32_t code = 0;     // replaces the default code of the kind; 0: the default
  Nanoseconds delay_ns = 0;  // of tasks that begin late
};

/// An invalid description of a fault: names the fault, the word and the allowed values.
class FaultSpecError : public std::invalid_argument {
 public:
  explicit FaultSpecError(const std::string& text, std::string key = {})
      : std::invalid_argument(text), key_(std::move(key)) {}
  /// The key that is wrong, or "kind"; empty when it is no single one.
  const std::string& key() const noexcept { return key_; }

 private:
  std::string key_;
};

const char* name(FaultKind kind) noexcept;
/// The kinds of tasks that `op` can name.
const std::vector<std::string>& fault_ops();

using FaultWords = std::vector<std::pair<std::string, std::string>>;

/// From "KIND,KEY=VALUE,...". Raises FaultSpecError.
FaultRule parse_fault(std::string_view spec);
/// From a kind and its keys with their values.
FaultRule make_fault(const std::string& kind, const FaultWords& words);
/// Several, with semicolons between them.
std::vector<FaultRule> parse_faults(std::string_view specs);

}  // namespace sim
