// SPDX-License-Identifier: Apache-2.0
// How the timeline writes numbers: its own files only.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

#include "device_sim/base/clock.h"

namespace acl::trace_output {

inline constexpr sim::Nanoseconds kShortest = 20;  // a slice that an arrow can hold on to

inline constexpr std::uint32_t kHostLayer = 7;
inline constexpr std::uint32_t kDeviceLayer = 13;

inline std::uint64_t host_process(std::uint64_t pid) { return pid << 10 | kHostLayer << 5; }

/// Five bits name the device; more than 32 devices go on in the layers from 17.
inline std::uint64_t device_process(std::uint64_t pid, std::uint32_t device) {
  const std::uint32_t layer = device < 32 ? kDeviceLayer : 16 + device / 32;
  return pid << 10 | layer << 5 | device % 32;
}

/// Microseconds with three decimals.
struct Micros {
  sim::Nanoseconds ns;
};

template <class... Args>
void print(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

}  // namespace acl::trace_output

template <>
struct fmt::formatter<acl::trace_output::Micros> {
  constexpr auto parse(format_parse_context& context) { return context.begin(); }
  template <class Context>
  auto format(const acl::trace_output::Micros& time, Context& context) const {
    return fmt::format_to(context.out(), "{}.{:03}", time.ns / 1000, time.ns % 1000);
  }
};
