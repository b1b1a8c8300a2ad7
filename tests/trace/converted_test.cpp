// SPDX-License-Identifier: Apache-2.0
// A trace that was written in another format means the same: a replay takes as long, the check
// finds the same, and there are as many ops of each kind.
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/share.h"
#include "tests/support/temp_dir.h"
#include "tests/trace/lookalike.h"
#include "tests/trace/random_trace.h"
#include "tools/check/check.h"
#include "tools/replay/engine/simulator.h"
#include "tools/trace/aclt/aclt_writer.h"
#include "tools/trace/formats/chakra_writer.h"
#include "tools/trace/formats/format_table.h"
#include "tools/trace/generate.h"
#include "tools/trace/read_trace.h"
#include "tools/trace/summary.h"

namespace {

using trace::Format;
using trace::OpKind;
using trace::Trace;

struct Meaning {
  bool deadlock = false;
  double makespan_ns = 0;
  std::string findings;
  std::vector<std::uint64_t> kinds;
};

/// Places differ, and sentences may contain the number of an op. If there are several ranks, the
/// function compares the rules only: a Chakra trace is a file for each rank, so the check visits
/// the ops in another order and may find a race at other accesses.
Meaning meaning_of(const Trace& it) {
  Meaning meaning;
  const replay::Execution run = replay::run_virtual(it, replay::Topology{}, replay::Options{});
  meaning.deadlock = !run.complete();
  meaning.makespan_ns = static_cast<double>(run.makespan_ns);
  std::map<std::string, int> count;
  for (const order::PlacedFinding& found : check::check(it, {}).report.findings) {
    std::string text(order::info(found.rule).id);
    if (it.ranks().size() == 1) {
      text += " " + std::string(order::name(found.level)) + " " + found.op_info.what;
    }
    ++count[text];
  }
  for (const auto& [finding, times] : count) {
    if (it.ranks().size() == 1) meaning.findings += std::to_string(times) + " ";
    meaning.findings += finding + "\n";
  }
  const trace::Summary sum = trace::summarise(it);
  meaning.kinds.assign(std::begin(sum.by_kind), std::end(sum.by_kind));
  return meaning;
}

Trace converted(const Trace& it, const Format& format, const support::TempDir& dir) {
  const std::string path = (dir.path() / "converted").string() + std::string(format.suffix);
  std::vector<std::string> paths = format.write(it, path);
  if (paths.empty()) paths.push_back(path);
  Trace again = trace::read_trace(paths);
  for (const std::string& written : paths) std::filesystem::remove(written);
  return again;
}

/// `it` keeps its meaning in every format that this build can write.
void check_conversions(const Trace& it) {
  const support::TempDir dir;
  const Meaning before = meaning_of(it);
  for (const Format& format : trace::formats()) {
    if (!format.write || (format.available && !format.available())) continue;
    CAPTURE(format.name);
    const Meaning after = meaning_of(converted(it, format, dir));
    REQUIRE(after.deadlock == before.deadlock);
    REQUIRE(after.makespan_ns >= before.makespan_ns * 0.999);
    REQUIRE(after.makespan_ns <= before.makespan_ns * 1.001);
    REQUIRE(after.findings == before.findings);
    REQUIRE(after.kinds == before.kinds);
  }
}

std::string sample_folder() {
  const char* const folder = std::getenv("ACLSIM_TEST_SAMPLE_TRACES");
  return folder ? folder : ACLSIM_SOURCE_DIR "/../shared/traces";
}

}  // namespace

TEST_CASE("conversions of generated traces keep their meaning", "[convert]") {
  std::uint64_t index = 0;
  for (const trace::GenerateKind& kind : trace::generate_kinds()) {
    for (std::uint64_t seed = 1; seed <= 25; ++seed) {
      if (!support::in_share(index++)) continue;
      trace::GenerateOptions options;
      options.kind = kind.name;
      options.streams = 1 + static_cast<std::uint32_t>(seed % 3);
      options.seed = support::first_seed() + seed;
      CAPTURE(options.kind, options.streams, options.seed);
      const std::string text = trace::to_aclt(trace::generate(options));
      check_conversions(trace::read_trace_bytes("g.aclt.jsonl", text));
    }
  }
}

TEST_CASE("conversions of random traces with all kinds of ops keep their meaning", "[convert]") {
  for (unsigned i = 0; i < 600; ++i) {
    if (!support::in_share(i)) continue;
    const auto seed = static_cast<unsigned>(support::first_seed()) + i;
    CAPTURE(seed);
    check_conversions(trace::read_trace_bytes("r.aclt.jsonl", lookalike::random_native(seed)));
  }
}

TEST_CASE("conversions of random profiles keep their meaning", "[convert]") {
  for (unsigned i = 0; i < 300; ++i) {
    if (!support::in_share(i)) continue;
    const auto seed = static_cast<unsigned>(support::first_seed()) + i;
    CAPTURE(seed);
    check_conversions(trace::read_trace_bytes("p.json", lookalike::random_kineto(seed)));
  }
}

TEST_CASE("conversions of files of each format keep their meaning", "[convert]") {
  const support::TempDir dir;
  std::vector<std::pair<std::string, std::string>> texts{
      {"a.aclt.jsonl", lookalike::aclt()},
      {"c.json", lookalike::chrome()},
      {"g.json", lookalike::graph_debug()},
      {"k.json", lookalike::kineto()},
      {"l0.json", lookalike::level0_timeline()},
      {"t.json", lookalike::ascend_timeline(0)},
      {"s.json", lookalike::ascend_timeline_of("hcom_allReduce_", 64)},
  };
  for (const auto& [name, text] : texts) {
    CAPTURE(name);
    check_conversions(trace::read_trace_bytes(name, text));
  }
#if ACLSIM_HAVE_SQLITE
  std::vector<std::string> both;
  for (const int rank : {0, 1}) {
    both.push_back((dir.path() / ("rank" + std::to_string(rank) + ".db")).string());
    lookalike::write_msprof_db(both.back(), rank);
    check_conversions(trace::read_trace({both.back()}));
  }
  check_conversions(trace::read_trace(both));
  const std::string lowest = (dir.path() / "l0.db").string();
  lookalike::write_level0_db(lowest, true);
  check_conversions(trace::read_trace({lowest}));
#endif
}

TEST_CASE("conversions of public sample traces keep their meaning", "[convert][samples]") {
  const std::filesystem::path folder = sample_folder();
  if (!std::filesystem::exists(folder)) {
    WARN("skipped: no " << folder);
    return;
  }
  std::map<std::string, std::vector<std::string>> jobs;  // Chakra traces of a folder are one job
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string path = file.path().string();
    if (!file.is_regular_file() || path.ends_with(".md")) continue;
    jobs[path.ends_with(".et") ? file.path().parent_path().string() : path].push_back(path);
  }
  for (const auto& [name, files] : jobs) {
    CAPTURE(name);
    check_conversions(trace::read_trace(files));
  }
}

TEST_CASE("a Chakra trace that another program has changed is read by its nodes", "[convert]") {
  if (!trace::has_protobuf()) return;
  const support::TempDir dir;
  const Trace it = trace::read_trace_bytes("k.json", lookalike::kineto());
  const auto paths = trace::write_chakra(it, (dir.path() / "k.et").string());
  REQUIRE(paths.size() == 1);
  CHECK(trace::summarise(trace::read_trace(paths)).of(OpKind::wait) != 0);
  const std::string name = std::filesystem::path(paths[0]).filename();
  std::string bytes = dir.read(name);
  const std::size_t at = bytes.rfind("second");
  REQUIRE(at != std::string::npos);
  bytes[at] = 'S';
  dir.write(name, bytes);
  const Trace changed = trace::read_trace(paths);
  CHECK(changed.size() == it.size());
  CHECK(trace::summarise(changed).of(OpKind::wait) == 0);
  REQUIRE_FALSE(changed.remarks().empty());
  CHECK(changed.remarks()[0].text.find("was changed after aclsim wrote it") != std::string::npos);
}

TEST_CASE("what nodes of Chakra have no place for is counted", "[convert]") {
  if (!trace::has_protobuf()) return;
  const std::string head =
      "{\"aclt\":1}\n{\"def\":\"device\",\"id\":0,\"rank\":0}\n"
      "{\"def\":\"stream\",\"id\":0,\"dev\":0}\n{\"def\":\"host\",\"id\":1,\"rank\":0}\n"
      "{\"def\":\"buf\",\"id\":7,\"dev\":0,\"size\":64}\n";
  const auto omitted = [&](const std::string& ops) {
    return trace::omitted_by_chakra(trace::read_trace_bytes("a.aclt.jsonl", head + ops));
  };
  using Texts = std::vector<std::string>;
  CHECK(omitted("{\"op\":\"kernel\",\"st\":0,\"t\":0,\"d\":2000}\n") == Texts{});
  CHECK(omitted("{\"op\":\"kernel\",\"st\":0,\"t\":5,\"d\":2000}\n") ==
        Texts{"fractions of microseconds"});
  CHECK(omitted("{\"op\":\"kernel\",\"st\":0,\"wr\":[[7,0,8],[7,8,8]]}\n") ==
        Texts{"2 accesses to memory", "that 1 operations have no duration (it becomes 0)"});
  CHECK(omitted("{\"op\":\"kernel\",\"st\":0,\"h\":1,\"iss\":1000,\"d\":0}\n"
                "{\"op\":\"wait\",\"st\":0,\"ev\":1,\"d\":0}\n") ==
        Texts{"the times of 1 calls", "the kinds of 1 waits (they become dependencies)"});
}
