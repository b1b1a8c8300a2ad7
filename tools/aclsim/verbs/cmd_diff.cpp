// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <tuple>

#include "tools/aclsim/options/common_options.h"
#include "tools/aclsim/options/replay_options.h"
#include "tools/aclsim/output/colour.h"
#include "tools/aclsim/output/report_file.h"
#include "tools/aclsim/output/standard_output.h"
#include "tools/aclsim/output/text_table.h"
#include "tools/aclsim/run/checks.h"
#include "tools/aclsim/verbs/commands.h"
#include "tools/aclsim/verbs/trace_verb.h"
#include "tools/replay/engine/simulator.h"
#include "tools/replay/results/compare.h"
#include "tools/replay/results/compare_traces.h"
#include "tools/replay/results/naming.h"
#include "tools/replay/results/report.h"
#include "tools/replay/results/track_pairs.h"
#include "tools/trace/formats/format_table.h"
#include "tools/trace/read_trace.h"

namespace aclsim {
namespace {

using Json = nlohmann::ordered_json;
using replay::time_text;

struct DiffWishes {
  std::string a, b;
  std::string from;
  std::string times = "auto";
  ReplayOptions model;
  double tolerance = -1;
  std::uint64_t top = 10;
  bool json = false;
  bool quiet = false;
};

/// One of the two inputs: a trace, its replay with the times to compare, and its report.
struct Side {
  trace::Trace trace;
  replay::Execution run;
  Json report;

  Side(const std::string& file, const DiffWishes& wishes)
      : trace(read_shown({file}, reading(wishes), wishes.quiet)) {
    require_work("diff", trace, {file});
    const replay::Topology topology = wishes.model.topology();
    if (auto other = wishes.model.shaped(trace, topology)) trace = std::move(*other);
    replay::RunInfo info{{file}, "virtual", wishes.model.topology_name(), wishes.model.values()};
    run = replay::run_virtual(trace, topology, info.options);
    if (!run.blocked.empty() && !wishes.quiet) {
      complain(fmt::format("diff: warning: {} ends in a deadlock; its replay ends there", file));
    }
    const replay::Cost cost(trace, topology, info.options);
    report =
        replay::to_json(info, trace, run, replay::summarise(trace, run, cost), run.makespan_ns);
  }
  static trace::ReadOptions reading(const DiffWishes& wishes) {
    trace::ReadOptions options;
    options.from = wishes.from;
    return options;
  }
};

Json delta_json(const replay::Delta& delta) {
  return {{"what", delta.what}, {"a", delta.a}, {"b", delta.b}, {"percent", delta.percent}};
}

std::string signed_time(replay::Nanoseconds ns) {
  return (ns < 0 ? "-" : "+") + time_text(std::abs(ns));
}

void print_deltas(const std::vector<replay::Delta>& deltas, std::uint64_t top) {
  std::vector<TableRow> rows{{"what", "a", "b", "b - a", "of the makespan"}};
  for (const replay::Delta& delta : deltas) {
    if (rows.size() > top + 1) break;
    if (rows.size() > 1 && delta.a == delta.b) break;
    rows.push_back({delta.what, time_text(delta.a), time_text(delta.b),
                    signed_time(delta.b - delta.a), fmt::format("{:+.2f} %", delta.percent)});
  }
  print_table(rows, {Align::left, Align::right});
}

void print_only(const replay::TraceDifference& found, std::uint64_t top) {
  if (found.only.empty()) return;
  std::vector<TableRow> rows{{"only in", "ops", "what", "where", "first op"}};
  for (std::size_t i = 0; i < found.only.size() && i < top; ++i) {
    const replay::OnlyRow& it = found.only[i];
    rows.push_back({it.in_b ? "b" : "a", replay::count_text(it.count), it.what.substr(0, 60),
                    it.where, std::to_string(it.first)});
  }
  print_table(rows, {Align::left, Align::right, Align::left, Align::left, Align::right});
  if (found.only.size() > top) print_out("and {} more names\n", found.only.size() - top);
}

Json only_json(const replay::TraceDifference& found) {
  Json rows = Json::array();
  for (const replay::OnlyRow& it : found.only) {
    rows.push_back({{"in", it.in_b ? "b" : "a"},
                    {"ops", it.count},
                    {"what", it.what},
                    {"lane", it.where},
                    {"first_op", it.first}});
  }
  return rows;
}

void print_ops(const replay::TraceDifference& found, std::uint64_t top) {
  print_out("\nops: {} the same in both, {} only in a, {} only in b\n",
            replay::count_text(found.matched), replay::count_text(found.only_a),
            replay::count_text(found.only_b));
  for (std::size_t i = 0; i < found.renamed.size() && i < top; ++i) {
    print_out("{}\n", found.renamed[i]);
  }
  if (found.first.empty()) {
    print_out("structure: the same\n");
  } else {
    print_out("first difference of structure, at {}: {}\n", time_text(found.first_ns), found.first);
  }
  print_only(found, top);
  if (found.largest.empty()) return;
  std::vector<TableRow> rows{{"op", "takes a", "takes b", "b - a", "starts b - a"}};
  for (std::size_t i = 0; i < found.largest.size() && i < top; ++i) {
    const replay::OpDelta& it = found.largest[i];
    rows.push_back({it.name, time_text(it.length_a), time_text(it.length_b),
                    signed_time(it.length_b - it.length_a), signed_time(it.start_b - it.start_a)});
  }
  print_table(rows, {Align::left, Align::right});
}

int verdict(const DiffWishes& wishes, double worst) {
  if (wishes.tolerance < 0) return kOk;
  const bool fine = worst <= wishes.tolerance;
  if (!wishes.json) {
    print_out("verdict {} (largest difference {:.2f} % of the makespan, tolerance {} %)\n",
              paint_verdict(fine ? "PASS" : "FAIL", STDOUT_FILENO), worst, wishes.tolerance);
  }
  return fine ? kOk : kTolerance;
}

double worst_of(const std::vector<replay::Delta>& deltas) {
  double worst = 0;
  for (const replay::Delta& delta : deltas) worst = std::max(worst, std::abs(delta.percent));
  return worst;
}

int diff_reports(const DiffWishes& wishes) {
  const std::vector<Json> a = read_runs(wishes.a);
  const std::vector<Json> b = read_runs(wishes.b);
  if (a.size() != b.size()) {
    throw replay::ReportError(
        fmt::format("{}: {} runs; expected {}, as {} has", wishes.b, b.size(), a.size(), wishes.a));
  }
  Json out = Json::array();
  double worst = 0;
  for (std::size_t r = 0; r < a.size(); ++r) {
    const auto deltas = replay::compare_reports(a[r], b[r]);
    worst = std::max(worst, worst_of(deltas));
    Json rows = Json::array();
    for (const replay::Delta& delta : deltas) rows.push_back(delta_json(delta));
    out.push_back({{"run", r}, {"deltas", rows}});
    if (wishes.json) continue;
    if (a.size() > 1) print_out("{}run {} of {}\n", r == 0 ? "" : "\n", r + 1, a.size());
    print_deltas(deltas, wishes.top);
  }
  if (wishes.json) print_out("{}\n", Json{{"runs", out}}.dump(2));
  return verdict(wishes, worst);
}

/// The report of `b` in which each stream has the number of the matching stream of `a`.
Json as_in(const Side& b, const Side& a) {
  using Key = std::tuple<std::int64_t, std::int64_t, std::uint64_t, std::string>;
  const auto key = [](const trace::Trace& trace, trace::TrackIndex l) {
    const trace::Track& track = trace.tracks()[l];
    return Key{trace.ranks()[track.rank].id, trace.devices()[track.device].id, track.id,
               replay::track_title(trace, l)};
  };
  std::map<Key, Key> names;
  for (const auto& [x, y] : replay::pair_tracks(a.trace, b.trace).tracks) {
    if (x == trace::kNone || y == trace::kNone) continue;
    if (a.trace.tracks()[x].kind == trace::TrackKind::host) continue;
    names.emplace(key(b.trace, y), key(a.trace, x));
  }
  Json report = b.report;
  for (Json& row : report["per_stream"]) {
    const auto found =
        names.find(Key{row["rank"].get<std::int64_t>(), row["device"].get<std::int64_t>(),
                       row["stream"].get<std::uint64_t>(), row["name"].get<std::string>()});
    if (found == names.end()) continue;
    row["rank"] = std::get<0>(found->second);
    row["device"] = std::get<1>(found->second);
    row["stream"] = std::get<2>(found->second);
    row["name"] = std::get<3>(found->second);
  }
  return report;
}

int diff_traces(const DiffWishes& wishes) {
  const Side a(wishes.a, wishes);
  const Side b(wishes.b, wishes);
  const bool recorded =
      wishes.times == "recorded" ||
      (wishes.times == "auto" && replay::has_times(a.trace) && replay::has_times(b.trace));
  const auto found = replay::compare_traces({a.trace, a.run}, {b.trace, b.run}, recorded);
  const auto deltas = replay::compare_reports(a.report, as_in(b, a));
  if (wishes.json) {
    Json rows = Json::array();
    for (const replay::Delta& delta : deltas) rows.push_back(delta_json(delta));
    Json out = {{"times", recorded ? "recorded" : "replay"},
                {"deltas", rows},
                {"ops_matched", found.matched},
                {"ops_only_a", found.only_a},
                {"ops_only_b", found.only_b}};
    out["compared_as"] = found.renamed;
    out["only"] = only_json(found);
    if (!found.first.empty()) {
      out["first_difference"] = {{"at_ns", found.first_ns}, {"what", found.first}};
    }
    print_out("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
  } else {
    print_deltas(deltas, wishes.top);
    print_ops(found, wishes.top);
  }
  const int code = verdict(wishes, worst_of(deltas));
  return code == kOk && wishes.tolerance >= 0 && found.only_a + found.only_b != 0 ? int{kTolerance}
                                                                                  : code;
}

/// Checks that the path is a readable file, or a folder of a job's files.
std::string check_side(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return {};
  return readable_file(sim::Pipes::allowed)(path);
}

int diff(const DiffWishes& wishes) {
  const bool a = is_report(wishes.a);
  if (a != is_report(wishes.b)) {
    throw std::invalid_argument(
        fmt::format("diff: {} is a report, {} is not; expected two reports or two traces",
                    a ? wishes.a : wishes.b, a ? wishes.b : wishes.a));
  }
  return a ? diff_reports(wishes) : diff_traces(wishes);
}

}  // namespace

void add_diff(CLI::App& app, Verb& chosen) {
  CLI::App* const verb =
      app.add_subcommand("diff", "Compare two traces of one job, or two reports");
  verb->footer(
      "Ops of two traces are matched stream by stream; makespan, streams and links are taken from\n"
      "the replays. Exit codes: 0 success, 2 wrong input, 4 a difference above --tolerance.\n"
      "Example:\n  aclsim diff before.json after.json --tolerance 2");
  const auto wishes = std::make_shared<DiffWishes>();
  verb->add_option("A", wishes->a, "a trace, a folder of traces, or a report of aclsim replay")
      ->type_name("")
      ->required()
      ->check(check_side);
  verb->add_option("B", wishes->b, "the input that A is compared with, of the same kind")
      ->type_name("")
      ->required()
      ->check(check_side);
  verb->add_option("--from", wishes->from,
                   "set the format of both traces; default: detected from the content")
      ->type_name("FORMAT")
      ->check(one_of(trace::format_names()));
  verb->add_option("--times", wishes->times,
                   "set the times of ops that are compared: recorded; replay; auto (default): "
                   "recorded if both traces have times")
      ->type_name("WHICH")
      ->check(one_of({"auto", "recorded", "replay"}));
  verb->add_option("--tolerance", wishes->tolerance,
                   "exit with 4 if a time differs by more than PERCENT % of A's makespan, or if an "
                   "op is in one trace only")
      ->type_name("PERCENT")
      ->check(number(0, 1e6));
  verb->add_option("--top", wishes->top, "print N lines of each table (default 10)")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000));
  add_json(*verb, wishes->json);
  add_quiet(*verb, wishes->quiet, "print no progress");
  add_replay_options(*verb, wishes->model);
  verb->callback([=, &chosen] {
    chosen = [=] { return with_reports("diff", [&] { return diff(*wishes); }); };
  });
}

}  // namespace aclsim
