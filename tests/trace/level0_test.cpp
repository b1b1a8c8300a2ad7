// SPDX-License-Identifier: Apache-2.0
// Profiles of the lowest level, which do not name the tasks that ran side by side: their times show
// it.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"
#include "tests/trace/lookalike.h"
#include "tools/trace/read_trace.h"
#include "tools/trace/summary.h"

namespace {

/// The number of tracks of one stream: its own, and those beside it.
std::size_t tracks_of(const trace::Trace& it, std::uint64_t stream) {
  return static_cast<std::size_t>(
      std::count_if(it.tracks().begin(), it.tracks().end(), [&](const trace::Track& track) {
        return track.kind == trace::TrackKind::stream && track.id == stream;
      }));
}

void check_level0(const trace::Trace& it, std::size_t tracks) {
  const trace::Summary sum = trace::summarise(it);
  CHECK(sum.streams == 2);
  CHECK(tracks_of(it, 4) == tracks);
  CHECK(sum.evidence.overlaps == 0);
  CHECK(sum.span_ns == lookalike::kLevel0Span);
  CHECK(sum.of(trace::OpKind::notify) == 0);  // of no notify that anybody could know
  CHECK(sum.of(trace::OpKind::notify_wait) == 0);
}

}  // namespace

TEST_CASE("tasks of a stream that run side by side are spread over lanes, first fit", "[import]") {
  // 60..130, 61..131, 62..62.02, 70..120: the third is free again when the fourth begins.
  check_level0(trace::read_trace_bytes("trace_view.json", lookalike::level0_timeline()), 3);
}

TEST_CASE("a wait that blocked and whose record is not in the file ends as recorded", "[import]") {
  const std::string text = lookalike::ascend_timeline(0);
  std::string without;  // as if records had not been profiled
  for (std::size_t from = 0, to = 0; to != std::string::npos; from = to + 1) {
    to = text.find(",\n", from);
    const std::string event = text.substr(from, to - from);
    if (event.find("EVENT_RECORD") == std::string::npos)
      without += (without.empty() ? "" : ",") + event;
  }
  const trace::Trace it = trace::read_trace_bytes("trace_view.json", without);
  CHECK(trace::summarise(it).waits_unknown == 2);
  bool found = false;
  for (trace::OpIndex op = 0; op < it.size(); ++op) {
    if (it[op].kind != trace::OpKind::wait) continue;
    CHECK(it.sync(op).partner == trace::kNone);
    CHECK(it.sync(op).generation == (it.duration(op) > 200 ? 1 : 0));
    found = found || it.duration(op) > 200;
  }
  CHECK(found);
}

#if ACLSIM_HAVE_SQLITE
TEST_CASE("planes and notifies that a database calls unknown are unknown", "[import]") {
  const bool whole = GENERATE(false, true);
  const support::TempDir dir;
  const std::string path = (dir.path() / "msprof_1.db").string();
  lookalike::write_level0_db(path, whole);
  check_level0(trace::read_trace({path}), whole ? 4 : 3);
}

#ifdef ACLSIM_EXE
TEST_CASE("a real profile without its planes and notifies is replayed as it was", "[samples]") {
  const char* const folder = std::getenv("ACLSIM_TEST_SAMPLE_TRACES");
  const std::filesystem::path sample =
      std::filesystem::path(folder ? folder : ACLSIM_SOURCE_DIR "/../shared/traces") /
      "ascend/torchnpu_level1_rank0.db";
  if (!std::filesystem::exists(sample)) {
    WARN("skipped: no " << sample.string());
    return;
  }
  const support::TempDir dir;
  const std::filesystem::path path = dir.path() / "level0.db";
  std::filesystem::copy_file(sample, path);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  lookalike::forget_planes(path.string());
  const std::string report = (dir.path() / "report").string();
  const std::string command = "'" ACLSIM_EXE "' replay '" + path.string() + "' --quiet --report '" +
                              report + "' >/dev/null";
  CHECK(std::system(command.c_str()) == 0);
  const auto run = nlohmann::json::parse(dir.read("report"))["runs"][0];
  const auto recorded = run["recorded_makespan_ns"].get<double>();
  CHECK(std::abs(run["makespan_ns"].get<double>() - recorded) < recorded / 100);
  CHECK(run["start_error"]["p99_ns"] < 100'000);
}

TEST_CASE("a profile of the lowest level is replayed as it was", "[verbs]") {
  const support::TempDir dir;
  for (const char* const name : {"whole.db", "parts.db", "trace_view.json"}) {
    CAPTURE(name);
    const std::string path = (dir.path() / name).string();
    if (path.ends_with("json")) {
      dir.write(name, lookalike::level0_timeline());
    } else {
      lookalike::write_level0_db(path, path.ends_with("whole.db"));
    }
    const std::string report = path + ".report";
    const std::string command =
        "'" ACLSIM_EXE "' replay '" + path + "' --quiet --report '" + report + "' >/dev/null";
    CHECK(std::system(command.c_str()) == 0);
    const auto run = nlohmann::json::parse(dir.read(name + std::string(".report")))["runs"][0];
    CHECK(run["makespan_ns"] == lookalike::kLevel0Span);
    CHECK(run["start_error"]["max_ns"] == 0);
    CHECK(run["verdict"] == "PASS");
  }
}
#endif
#endif
