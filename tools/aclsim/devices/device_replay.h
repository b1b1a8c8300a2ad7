// SPDX-License-Identifier: Apache-2.0
// Replays a trace on the emulated devices, through the public functions, as a program would.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/replay/engine/execution.h"

namespace CLI {
class App;
}

namespace aclsim {

struct DeviceReplayOptions {
  double time_scale = 0;         // the duration of a kernel is its virtual time times this factor
  std::uint32_t timeout_s = 60;  // for the whole replay
  std::uint64_t max_copy = std::uint64_t{16} << 20;  // bytes; longer copies are cut
};
void add_device_options(CLI::App& verb, DeviceReplayOptions& options);

struct DeviceRun {
  enum class End { complete, timeout, interrupted };
  End end = End::complete;
  double seconds = 0;
  std::uint64_t ops = 0;    // that ran
  std::uint64_t edges = 0;  // checked: order of streams, waits, transfers, rendezvous
  std::uint64_t violated = 0;
  trace::OpIndex first_from = trace::kNone;  // the ends of the first violated edge
  trace::OpIndex first_to = trace::kNone;
  std::uint64_t copied_bytes = 0;
  std::uint64_t wrong_copies = 0;  // copies whose target does not contain the bytes of the source
};

/// `run` is a complete run of the trace in virtual time. Its order is one in which a single thread
/// can issue the ops. Throws std::runtime_error with the error text of a failed function.
DeviceRun replay_on_devices(const trace::Trace& trace, const replay::Execution& run,
                            const DeviceReplayOptions& options, const std::function<bool()>& stop);

nlohmann::ordered_json to_json(const DeviceRun& run);
std::string to_text(const trace::Trace& trace, const DeviceRun& run);

}  // namespace aclsim
