// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/results/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tools/replay/engine/deadlock.h"
#include "tools/replay/results/naming.h"

namespace replay {

using Json = nlohmann::ordered_json;
using trace::kNone;

const char* word(CostSource source) {
  constexpr const char* words[]{"recorded", "model", "mixed"};
  return words[static_cast<int>(source)];
}

const char* word(Contention contention) {
  constexpr const char* words[]{"fifo", "share", "off"};
  return words[static_cast<int>(contention)];
}

const char* word(Sends sends) {
  constexpr const char* words[]{"as recorded", "eager", "rendezvous"};
  return words[static_cast<int>(sends)];
}

namespace {

const char* status(const Execution& run) {
  return run.interrupted ? "interrupted" : run.blocked.empty() ? "complete" : "deadlock";
}

Json steps_json(const trace::Trace& trace, const CriticalPath& path, std::size_t count) {
  Json rows = Json::array();
  const Shares shares(trace);
  for (const CriticalPath::Step& step : path.longest(count)) {
    const TrackIndex track = trace.track_of(step.op);
    rows.push_back({{"op", trace.id(step.op)},
                    {"kind", trace::word(trace[step.op].kind)},
                    {"name", op_title(trace, step.op)},
                    {"lane", track_name(trace, track)},
                    {"from_ns", step.from},
                    {"start_ns", step.start},
                    {"to_ns", step.to},
                    {"share", step.outside ? "other ranks" : word(shares.of(step.op))}});
    if (!trace.site(step.op).empty()) rows.back()["called_by"] = trace.site(step.op);
  }
  return rows;
}

Json path_json(const CriticalPath& path) {
  Json json = {{"steps", path.steps.size()}};
  for (int s = 0; s < kShares; ++s) {
    json[fmt::format("{}_ns", word(static_cast<Share>(s)))] =
        path.shares[static_cast<std::size_t>(s)];
  }
  json["other_ranks_ns"] = path.others_ns;
  return json;
}

Json streams_json(const trace::Trace& trace, const Summary& summary) {
  Json rows = Json::array();
  for (const StreamSummary& sum : summary.streams) {
    const trace::Track& track = trace.tracks()[sum.track];
    Json row = {{"rank", trace.ranks()[track.rank].id},
                {"device", trace.devices()[track.device].id},
                {"stream", track.id},
                {"name", track_title(trace, sum.track)},
                {"ops", sum.ops},
                {"busy_ns", sum.busy_ns},
                {"wait_ns", sum.wait_ns},
                {"idle_ns", sum.idle_ns},
                {"longest_wait_ns", sum.longest_wait_ns}};
    if (sum.longest_wait != kNone) row["longest_wait_op"] = trace.id(sum.longest_wait);
    rows.push_back(std::move(row));
  }
  return rows;
}

Json links_json(const Summary& summary) {
  Json rows = Json::array();
  for (const LinkSummary& link : summary.links) {
    rows.push_back({{"from", link.route.from},
                    {"to", link.route.to},
                    {"kind", link.kind},
                    {"transfers", link.transfers},
                    {"bytes", link.bytes},
                    {"busy_ns", link.busy_ns},
                    {"peak_bytes_per_s", static_cast<std::uint64_t>(link.peak_bytes_per_s)},
                    {"peak_transfers", link.peak_transfers}});
  }
  return rows;
}

Json edges_json(const EdgeSummary& edges) {
  Json json;
  for (std::size_t how = 1; how < edges.by_origin.size(); ++how) {
    json[trace::word(static_cast<trace::Provenance>(how))] = edges.by_origin[how];
  }
  json["ambiguous"] = edges.ambiguous;
  json["missing"] = edges.missing;
  json["unrecorded"] = edges.unrecorded;
  return json;
}

Json deadlock_json(const trace::Trace& trace, const Execution& run) {
  const Deadlock why = explain(run, trace.tracks().size());
  const auto rows = [&](const std::vector<std::size_t>& tracks) {
    Json list = Json::array();
    for (const std::size_t s : tracks) {
      list.push_back({{"op", trace.id(run.blocked[s].op)},
                      {"lane", track_name(trace, run.blocked[s].track)},
                      {"reason", run.blocked[s].reason}});
    }
    return list;
  };
  return {
      {"lanes", run.blocked.size()}, {"cycle", rows(why.cycle)}, {"missing", rows(why.orphans)}};
}

std::string run_key(const Json& run) {
  return fmt::format("{}/{}/{:020}", run.value("files", Json::array()).dump(),
                     run.value("mode", ""), run.value("seed", std::uint64_t{0}));
}

}  // namespace

Json to_json(const RunInfo& info, const trace::Trace& trace, const Execution& run,
             const Summary& summary, Nanoseconds alone_ns) {
  const Options& options = info.options;
  Json json = {{"files", info.files},
               {"mode", info.mode},
               {"status", status(run)},
               {"seed", options.seed},
               {"jitter", options.jitter},
               {"scale", options.scale},
               {"cost", word(options.cost)},
               {"contention", word(options.contention)},
               {"sends", word(options.sends)},
               {"gaps", options.gaps ? "recorded" : "none"},
               {"topology", info.topology},
               {"ranks", trace.ranks().size()},
               {"devices", trace.devices().size()},
               {"streams", summary.streams.size()},
               {"ops", trace.size()},
               {"done_ops", run.done_ops},
               {"makespan_ns", run.makespan_ns},
               {"critical_path_ns", alone_ns},
               {"critical_path", path_json(summary.path)}};
  if (info.path_steps != 0) {
    json["critical_path"]["longest"] = steps_json(trace, summary.path, info.path_steps);
  }
  if (summary.accuracy) {
    const Accuracy& error = *summary.accuracy;
    json["recorded_makespan_ns"] = error.makespan_ns;
    json["start_error"] = {{"ops", error.ops},
                           {"p50_ns", error.p50_ns},
                           {"p99_ns", error.p99_ns},
                           {"max_ns", error.max_ns},
                           {"worst_op", trace.id(error.worst)}};
  }
  json["per_stream"] = streams_json(trace, summary);
  json["links"] = links_json(summary);
  json["edges"] = edges_json(summary.edges);
  json["edges"]["timed"] = summary.evidence.pairs;
  json["edges"]["contradicted"] = summary.evidence.contradicted;
  json["overlaps"] = summary.evidence.overlaps;
  if (!run.blocked.empty()) json["deadlock"] = deadlock_json(trace, run);
  return json;
}

Json make_report(std::vector<Json> runs) {
  std::stable_sort(runs.begin(), runs.end(),
                   [](const Json& a, const Json& b) { return run_key(a) < run_key(b); });
  std::vector<Nanoseconds> spans;
  std::size_t deadlocks = 0;
  std::size_t interrupted = 0;
  for (const Json& run : runs) {
    const std::string ended = run.value("status", "");
    if (ended == "deadlock" || ended == "timeout") ++deadlocks;
    if (ended == "interrupted") ++interrupted;
    if (ended == "complete") spans.push_back(run.value("makespan_ns", Nanoseconds{0}));
  }
  std::sort(spans.begin(), spans.end());
  Json report = {{"aclsim_report", kReportVersion}};
  Nanoseconds longest = 0;
  for (const Json& run : runs) {
    longest = std::max(longest, run.value("makespan_ns", Nanoseconds{0}));
  }
  report["makespan_ns"] = longest;
  report["summary"] = {{"runs", runs.size()},
                       {"complete", spans.size()},
                       {"deadlocks", deadlocks},
                       {"interrupted", interrupted}};
  if (!spans.empty()) {
    report["summary"]["makespan_min_ns"] = spans.front();
    report["summary"]["makespan_median_ns"] = spans[spans.size() / 2];
    report["summary"]["makespan_max_ns"] = spans.back();
  }
  report["runs"] = std::move(runs);
  return report;
}

}  // namespace replay
