// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/targets.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tools/check/check.h"
#include "tools/replay/engine/simulator.h"
#include "tools/replay/pictures/page.h"
#include "tools/replay/results/compare.h"
#include "tools/replay/results/compare_traces.h"
#include "tools/replay/results/report.h"
#include "tools/replay/topology/topology.h"
#include "tools/trace/aclt/aclt_writer.h"
#include "tools/trace/formats/format_table.h"
#include "tools/trace/read_trace.h"
#include "tools/trace/repeat.h"
#include "tools/trace/summary.h"

namespace fuzz {
namespace {

[[noreturn]] void fail(const char* what, const std::string& more = "") {
  std::fprintf(stderr, "%s%s\n", what, more.c_str());
  std::abort();
}

/// A trace is unchanged after it was written to and read from the native format.
void write_and_read(const trace::Trace& it) {
  const std::string native = trace::to_aclt(it);
  try {
    if (trace::to_aclt(trace::read_trace_bytes("written", native)) == native) return;
  } catch (const trace::InputError& error) {
    fail("what was written cannot be read: ", error.what());
  }
  fail("the trace changed on its way through the native format");
}

/// The operations of the verbs on a trace.
void work_with(const trace::Trace& it) {
  trace::summarise(it);
  check::check(it, {});
  replay::RunInfo info;
  info.options.contention = replay::Contention::share;
  const replay::Topology topology;
  const replay::Execution run = replay::run_virtual(it, topology, info.options);
  const replay::Summary summary =
      replay::summarise(it, run, replay::Cost(it, topology, info.options));
  replay::to_text(info, it, run, summary);
  replay::make_report({replay::to_json(info, it, run, summary, run.makespan_ns)});
  replay::to_html(replay::draw_run(it, run, summary), {});
  replay::to_ascii(replay::draw_recording(it, run, summary), 80, false);
  replay::compare_traces({it, run}, {it, run}, false);
  for (const trace::Track& track : it.tracks()) {
    if (track.size() == 0) continue;
    const trace::Trace more = trace::repeat_rank(it, track.rank, 3);
    info.options.what_if.scales.push_back({"*", 0.5});
    info.options.what_if.links.push_back({"", 2});
    info.options.what_if.removed.push_back("wait");
    replay::run_virtual(more, topology, info.options);
    break;
  }
}

void read_as(const std::string& format, const std::string& bytes) {
  trace::ReadOptions options;
  options.from = format;
  try {
    const trace::Trace it = trace::read_trace_bytes("fuzz", bytes, options);
    write_and_read(it);
    work_with(it);
  } catch (const trace::InputError&) {
    return;  // refused, with file and line
  }
}

/// Reads from a file, because only files are inflated.
void read_file(const std::string& bytes) {
  const int fd = ::memfd_create("fuzz", 0);
  if (fd < 0 || ::write(fd, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
    fail("no room for the file");
  }
  try {
    write_and_read(trace::read_trace({"/proc/self/fd/" + std::to_string(fd)}));
  } catch (const trace::InputError&) {
  }
  ::close(fd);
}

/// A network in the format of ASTRA-sim.
void read_network(const std::string& bytes) {
  std::string text;
  try {
    text = replay::to_toml(replay::parse_network(bytes, "fuzz"));
  } catch (const replay::TopologyError&) {
    return;
  }
  if (replay::to_toml(replay::parse_topology(text, "written")) == text) return;
  fail("the network changed on its way through a topology's file");
}

/// ASCII only: for some other characters toml++ 3.3 itself reaches code that it marks unreachable.
void read_topology(const std::string& bytes) {
  if (std::any_of(bytes.begin(), bytes.end(), [](char c) { return (c & 0x80) != 0; })) return;
  std::string text;
  try {
    text = replay::to_toml(replay::parse_topology(bytes, "fuzz"));
  } catch (const replay::TopologyError&) {
    return;
  }
  try {
    if (replay::to_toml(replay::parse_topology(text, "written")) == text) return;
  } catch (const replay::TopologyError& error) {
    fail("what was written cannot be read: ", error.what());
  }
  fail("the topology changed on its way through its file");
}

void read_report(const std::string& bytes) {
  try {
    const nlohmann::ordered_json report = replay::make_report(replay::runs_of(bytes, "fuzz"));
    replay::to_text(report);
    const std::string text =
        report.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    const auto runs = replay::runs_of(text, "written");
    for (const auto& run : runs) replay::compare_reports(runs.front(), run);
  } catch (const replay::ReportError&) {
    return;
  }
}

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> all = [] {
    std::vector<Target> made{{"any", [](const std::string& bytes) { read_as("", bytes); }},
                             {"gzip", read_file},
                             {"topology", read_topology},
                             {"network", read_network},
                             {"report", read_report}};
    for (const std::string& name : trace::format_names()) {
      made.push_back({name, [name](const std::string& bytes) { read_as(name, bytes); }});
    }
    return made;
  }();
  return all;
}

const Target& target(const std::string& name) {
  for (const Target& one : targets()) {
    if (one.name == name) return one;
  }
  throw std::out_of_range("no fuzz target " + name);
}

}  // namespace fuzz
