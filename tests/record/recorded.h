// SPDX-License-Identifier: Apache-2.0
// Programs that are recorded, and access to their recordings.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_sim.h"
#include "tests/support/catch.h"
#include "tests/support/child.h"
#include "tests/support/temp_dir.h"
#include "tools/trace/read_trace.h"
#include "tools/trace/summary.h"
#include "tools/trace/trace.h"

#define EXPECT_ACL(call) CHILD_EXPECT_CODE(call, ACL_SUCCESS)

namespace recorded {

using trace::kNone;
using trace::OpIndex;
using trace::OpKind;

/// One run of a CHILD_PROGRAM with a recording.
struct Run {
  support::TempDir dir;
  support::ChildResult child;
  std::string text;

  explicit Run(const std::string& program, support::Environment environment = {}) {
    environment.emplace_back("ACLSIM_RECORD", path());
    child = support::run_child(program, environment);
    text = dir.read("run.aclt.jsonl");
  }
  std::string path() const { return (dir.path() / "run.aclt.jsonl").string(); }
  trace::Trace trace() const { return trace::read_trace({path()}, {}); }
};

inline std::vector<OpIndex> of_kind(const trace::Trace& trace, OpKind kind) {
  std::vector<OpIndex> found;
  for (OpIndex op = 0; op < trace.size(); ++op) {
    if (trace[op].kind == kind) found.push_back(op);
  }
  return found;
}

/// The first op with that name.
inline OpIndex named(const trace::Trace& trace, const std::string& name) {
  for (OpIndex op = 0; op < trace.size(); ++op) {
    if (trace.name(op) == name) return op;
  }
  FAIL("no op " << name);
  return kNone;
}

inline std::int32_t work(const aclsimKernelContext*, const void*) { return 0; }

/// A kernel that reads and writes what is declared.
inline aclError launch(const char* name, aclrtStream stream,
                       std::vector<aclsimMemRange> ranges = {}) {
  aclsimLaunch row{};
  row.size = sizeof row;
  row.name = name;
  row.kernel = work;
  row.numBlocks = 1;
  row.ranges = ranges.data();
  row.numRanges = static_cast<std::uint32_t>(ranges.size());
  return aclsimLaunchKernel(&row, stream);
}

/// A recording without its times.
inline std::string timeless(const std::string& text) {
  static const std::regex times(R"re(,"(t|d|iss|base_ns)":[0-9]+)re");
  return std::regex_replace(text, times, "");
}

}  // namespace recorded
