// SPDX-License-Identifier: Apache-2.0
// A trace on the emulated devices, through the public functions, as a program would do it.
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
  double time_scale = 0;         // kernels take their time in the virtual run times this
  std::uint32_t timeout_s = 60;  // for the whole run
  std::uint64_t max_copy = std::uint64_t{16} << 20;  // bytes; longer copies are cut
};
void add_device_options(CLI::App& verb, DeviceReplayOptions& options);

struct DeviceRun {
  enum class End { complete, timeout, interrupted };
  End end = End::complete;
  double seconds = 0;
  std::uint64_t ops = 0;    // that ran
  std::uint64_t edges = 0;  // looked at: streams, waits, transfers, meetings
  std::uint64_t violated = 0;
  trace::OpIndex first_from = trace::kNone;  // of the first that was violated
  trace::OpIndex first_to = trace::kNone;
  std::uint64_t copied_bytes = 0;
  std::uint64_t wrong_copies = 0;  // that brought other bytes than they should
};

/// `run`: a complete run of it in virtual time, which tells in which order one thread can issue.
/// Throws std::runtime_error with the text of a function that failed.
DeviceRun replay_on_devices(const trace::Trace& trace, const replay::Execution& run,
                            const DeviceReplayOptions& options, const std::function<bool()>& stop);

nlohmann::ordered_json to_json(const DeviceRun& run);
std::string to_text(const trace::Trace& trace, const DeviceRun& run);

}  // namespace aclsim
