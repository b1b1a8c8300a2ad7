// SPDX-License-Identifier: Apache-2.0
// Small traces in the native format, and the findings about them.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "tools/check/check.h"
#include "tools/trace/read_trace.h"

namespace tracetest {

/// Two devices of one rank with two streams each (0 and 1, 2 and 3), two host threads, a buffer of
/// device 0 (7), one of device 1 (9), one of the host (8).
inline constexpr const char* kWorld =
    R"({"aclt":1,"clock":"ns","ranks":[0],"source":{"tool":"a test"}}
{"def":"device","id":0,"rank":0}
{"def":"device","id":1,"rank":0}
{"def":"stream","id":0,"dev":0}
{"def":"stream","id":1,"dev":0}
{"def":"stream","id":2,"dev":1}
{"def":"stream","id":3,"dev":1}
{"def":"host","id":1,"rank":0}
{"def":"host","id":2,"rank":0}
{"def":"buf","id":7,"dev":0,"size":4096}
{"def":"buf","id":8,"dev":-1,"size":4096}
{"def":"buf","id":9,"dev":1,"size":4096}
)";
inline constexpr std::uint32_t kWorldLines = 12;

/// Two ranks with a device and a stream each (0, 1), and a group of both.
inline constexpr const char* kRanks =
    R"({"aclt":1,"clock":"ns","ranks":[0,1],"source":{"tool":"a test"}}
{"def":"device","id":0,"rank":0}
{"def":"device","id":1,"rank":1}
{"def":"stream","id":0,"dev":0}
{"def":"stream","id":1,"dev":1}
{"def":"group","id":0,"name":"world","ranks":[0,1]}
)";

inline order::Report report_of(std::string_view world, std::string_view ops,
                               const check::Options& options = {}) {
  const trace::Trace it =
      trace::read_trace_bytes("t.aclt.jsonl", std::string(world) + std::string(ops));
  return check::check(it, options).report;
}
inline order::Report report_of(std::string_view ops) { return report_of(kWorld, ops); }

/// The finding of a rule; null: no finding has that rule.
inline const order::PlacedFinding* find(const order::Report& report, std::string_view rule) {
  const auto found =
      std::find_if(report.findings.begin(), report.findings.end(),
                   [&](const order::PlacedFinding& it) { return order::info(it.rule).id == rule; });
  return found == report.findings.end() ? nullptr : &*found;
}

}  // namespace tracetest
