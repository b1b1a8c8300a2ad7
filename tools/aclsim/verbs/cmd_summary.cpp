// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "tools/aclsim/options/common_options.h"
#include "tools/aclsim/output/standard_output.h"
#include "tools/aclsim/run/checks.h"
#include "tools/aclsim/verbs/commands.h"
#include "tools/aclsim/verbs/trace_verb.h"
#include "tools/check/peaks.h"
#include "tools/replay/engine/simulator.h"
#include "tools/replay/results/breakdown_text.h"
#include "tools/trace/read_trace.h"

namespace aclsim {
namespace {

struct SummaryWishes {
  TraceInput input;
  std::size_t top = 10;
  bool json = false;
};

/// "peaks": of each device of a recording.
void add_peaks(const trace::Trace& trace, nlohmann::ordered_json& json) {
  for (const check::RecordedPeaks& row : check::peaks_of(trace)) {
    nlohmann::ordered_json made{{"device", row.peaks.device}};
    const auto add = [&](const char* name, const order::Peak& peak) {
      made[name] = {{"peak", peak.most}, {"limit", peak.limit}};
    };
    add("streams", row.peaks.streams);
    add("events", row.peaks.events);
    add("notifies", row.peaks.notifies);
    add("bytes", row.peaks.bytes);
    for (const order::GraphsAt& graphs : row.peaks.graphs) {
      made["graphs"].push_back(
          {{"place", graphs.place}, {"graphs", graphs.graphs}, {"streams", graphs.streams}});
    }
    json["peaks"].push_back(std::move(made));
  }
}

int summarise(const SummaryWishes& wishes) {
  trace::ReadOptions reading;
  reading.from = wishes.input.from;
  reading.keep.ranges = reading.keep.sites = false;
  const trace::Trace trace = read_shown(wishes.input.files, reading, wishes.input.quiet);
  if (!wishes.input.quiet) show_remarks(trace, false);
  bool stands = false;
  replay::Breakdown found = replay::break_down(trace, nullptr);
  if (!found.recorded) {
    const replay::Topology topology;
    const replay::Execution run = replay::run_virtual(trace, topology, replay::Options());
    found = replay::break_down(trace, &run);
    stands = !run.blocked.empty();
    if (stands) complain("summary: warning: the trace ends in a deadlock; the times end there");
  }
  if (found.ranks.empty()) {
    throw std::invalid_argument(fmt::format(
        "summary: {}: no operation ran on a device; expected a trace with operations on devices",
        fmt::join(wishes.input.files, " ")));
  }
  if (wishes.json) {
    auto json = replay::to_json(trace, found, wishes.top);
    add_peaks(trace, json);
    print_out("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  } else {
    print_out("{}", replay::to_text(trace, found, wishes.top));
    for (const check::RecordedPeaks& row : check::peaks_of(trace)) {
      print_out("{}: {}\n", row.name, to_text(row.peaks));
    }
  }
  return stands ? kDeadlock : kOk;
}

}  // namespace

void add_summary_verb(CLI::App& app, Verb& chosen) {
  CLI::App* const verb =
      app.add_subcommand("summary", "Print how each rank of a job spends its time");
  verb->footer(
      "Communication is overlapped while the rank also computes, and exposed otherwise. Idle time\n"
      "is divided by its cause: the host enqueued the next op late, or that op waited for another\n"
      "stream or rank.\n"
      "Exit codes: 0 success, 2 wrong option or input, 3 a trace without times ends in a "
      "deadlock.\n"
      "Example:\n  aclsim summary profile/ --top 20");
  const auto wishes = std::make_shared<SummaryWishes>();
  add_trace_input(*verb, wishes->input);
  verb->add_option("--top", wishes->top, "list N kernels (default 10)")
      ->type_name("N")
      ->check(whole_number(0, 1'000'000));
  add_json(*verb, wishes->json);
  verb->callback([=, &chosen] {
    chosen = [=] { return with_traces("summary", [&] { return summarise(*wishes); }); };
  });
}

}  // namespace aclsim
