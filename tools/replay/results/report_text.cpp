// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "tools/replay/engine/deadlock.h"
#include "tools/replay/results/naming.h"
#include "tools/replay/results/report.h"

namespace replay {
namespace {

using trace::kNone;
using trace::OpKind;
using trace::Provenance;

constexpr std::size_t kShownStreams = 24;
constexpr std::size_t kShownLinks = 8;

double percent(Nanoseconds part, Nanoseconds whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string counted(std::uint64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count_text(count), count == 1 ? one : many);
}

/// Others are only named, as the other side of copies.
std::size_t devices_with_ops(const trace::Trace& trace) {
  std::set<std::uint32_t> found;
  for (const trace::Track& track : trace.tracks()) {
    if (track.kind == trace::TrackKind::stream && track.size() != 0) found.insert(track.device);
  }
  return found.size();
}
std::size_t ranks_with_ops(const trace::Trace& trace) {
  std::set<std::uint32_t> found;
  for (const trace::Track& track : trace.tracks()) {
    if (track.size() != 0) found.insert(track.rank);
  }
  return found.size();
}

std::string head(const RunInfo& info, const trace::Trace& trace, const Summary& summary) {
  return fmt::format("replay   {}   {}, {}, {}, {}   seed {}\n", info.mode,
                     counted(devices_with_ops(trace), "device", "devices"),
                     counted(summary.streams.size(), "stream", "streams"),
                     counted(trace.size(), "op", "ops"),
                     counted(ranks_with_ops(trace), "rank", "ranks"), info.options.seed);
}

std::string makespan(const Execution& run, const Summary& summary) {
  std::string text = fmt::format("makespan {}", time_text(run.makespan_ns));
  if (summary.accuracy && run.complete()) {
    const Accuracy& error = *summary.accuracy;
    text += fmt::format("   recorded {} ({:+.1f} %)   start error p50 {}  p99 {}  max {}",
                        time_text(error.makespan_ns),
                        percent(run.makespan_ns - error.makespan_ns, error.makespan_ns),
                        time_text(error.p50_ns), time_text(error.p99_ns), time_text(error.max_ns));
  }
  return text + "\n";
}

std::string path(const Summary& summary, Nanoseconds whole) {
  std::string text =
      fmt::format("critical path of {}:", counted(summary.path.steps.size(), "op", "ops"));
  for (int s = 0; s < kShares; ++s) {
    const Nanoseconds ns = summary.path.shares[static_cast<std::size_t>(s)];
    if (ns != 0)
      text += fmt::format("  {} {:.1f} %", word(static_cast<Share>(s)), percent(ns, whole));
  }
  const Nanoseconds others = summary.path.others_ns;
  if (others != 0) text += fmt::format("  other ranks {:.1f} %", percent(others, whole));
  return text + "\n";
}

std::string steps(const trace::Trace& trace, const Summary& summary, std::size_t count,
                  Nanoseconds whole) {
  if (count == 0) return {};
  std::string text = fmt::format("{:>12} {:>10} {:>8}  longest steps of the critical path\n",
                                 "from", "takes", "share");
  for (const CriticalPath::Step& step : summary.path.longest(count)) {
    const Nanoseconds held = step.start - step.from;
    const std::string& caller = trace.site(step.op);
    text +=
        fmt::format("{:>12} {:>10} {:>6.1f} %  {:.60} on {}{}{}{}\n", time_text(step.from),
                    time_text(step.to - step.from), percent(step.to - step.from, whole),
                    op_title(trace, step.op), track_name(trace, trace.track_of(step.op)),
                    caller.empty() ? "" : fmt::format(", called by {:.60}", caller),
                    step.outside ? ", for ranks that are not in the trace" : "",
                    held == 0 ? "" : fmt::format(", {} of it before the start", time_text(held)));
  }
  return text;
}

std::string waited_for(const trace::Trace& trace, OpIndex op) {
  const trace::Op& it = trace[op];
  OpIndex partner = kNone;
  if (it.use != kNone) {
    if (it.kind == OpKind::wait || it.kind == OpKind::notify_wait) partner = trace.sync(op).partner;
    if (it.kind == OpKind::value_wait) partner = trace.value(op).partner;
    if (it.kind == OpKind::recv || it.kind == OpKind::send) partner = trace.comm(op).partner;
  }
  if (partner == kNone) return fmt::format("at op {}", trace.id(op));
  return fmt::format("for {} {} ({})", trace::word(trace[partner].kind), trace.id(partner),
                     track_name(trace, trace.track_of(partner)));
}

std::string streams(const trace::Trace& trace, const Execution& run, const Summary& summary) {
  std::string text = "dev stream            busy    wait    idle        ops  longest wait\n";
  for (std::size_t i = 0; i < summary.streams.size() && i < kShownStreams; ++i) {
    const StreamSummary& sum = summary.streams[i];
    const trace::Track& track = trace.tracks()[sum.track];
    std::string longest;
    if (sum.longest_wait != kNone) {
      longest =
          fmt::format("{} {}", time_text(sum.longest_wait_ns), waited_for(trace, sum.longest_wait));
    }
    const std::string title = track.name == 0 ? std::to_string(track.id) : trace.text(track.name);
    text +=
        fmt::format("{:<3} {:<16.16} {:>5.1f}%  {:>5.1f}%  {:>5.1f}% {:>10}  {}\n",
                    trace.devices()[track.device].id, title, percent(sum.busy_ns, run.makespan_ns),
                    percent(sum.wait_ns, run.makespan_ns), percent(sum.idle_ns, run.makespan_ns),
                    count_text(sum.ops), longest);
  }
  if (summary.streams.size() > kShownStreams) {
    text += fmt::format("and {} more; --report has all\n", summary.streams.size() - kShownStreams);
  }
  return text;
}

std::string end_of(std::int32_t device) { return device < 0 ? "host" : std::to_string(device); }

std::string links(const Execution& run, const Summary& summary) {
  std::string text;
  for (std::size_t i = 0; i < summary.links.size() && i < kShownLinks; ++i) {
    const LinkSummary& link = summary.links[i];
    text += fmt::format("link {}->{} {}: {} in {}, busy {:.1f} %, peak {}/s, {} at a time\n",
                        end_of(link.route.from), end_of(link.route.to), link.kind,
                        bytes_text(static_cast<double>(link.bytes)),
                        counted(link.transfers, "transfer", "transfers"),
                        percent(link.busy_ns, run.makespan_ns), bytes_text(link.peak_bytes_per_s),
                        link.peak_transfers);
  }
  if (summary.links.size() > kShownLinks) {
    text +=
        fmt::format("and {} more links; --report has all\n", summary.links.size() - kShownLinks);
  }
  return text;
}

std::string edges(const EdgeSummary& edges, const trace::Evidence& evidence) {
  const auto of = [&](Provenance how) { return edges.by_origin[static_cast<std::size_t>(how)]; };
  const std::uint64_t inferred = of(Provenance::time) + of(Provenance::issue);
  std::string text = fmt::format(
      "edges    exact {}, by order of use {}, by hand {}, inferred {} ({} by time, {} by issue; {} "
      "ambiguous)",
      of(Provenance::exact), of(Provenance::order), of(Provenance::user), inferred,
      of(Provenance::time), of(Provenance::issue), edges.ambiguous);
  if (edges.missing != 0) text += fmt::format("; {} without their other side", edges.missing);
  if (edges.unrecorded != 0) text += fmt::format("; {} never recorded", edges.unrecorded);
  if (evidence.pairs != 0) {
    text += fmt::format(
        "; times contradict {} of {} pairs ({:.1f} %)", evidence.contradicted, evidence.pairs,
        100.0 * static_cast<double>(evidence.contradicted) / static_cast<double>(evidence.pairs));
  }
  return text + "\n";
}

}  // namespace

std::string to_text(const RunInfo& info, const trace::Trace& trace, const Execution& run,
                    const Summary& summary) {
  std::string text = head(info, trace, summary);
  if (!run.blocked.empty()) {
    text += to_text(explain(run, trace.tracks().size()), run, trace);
    text += fmt::format("until then {} ops, {}\n", count_text(run.done_ops),
                        time_text(run.makespan_ns));
  } else {
    if (run.interrupted)
      text += fmt::format("interrupted after {} ops\n", count_text(run.done_ops));
    text += makespan(run, summary);
    text += path(summary, run.makespan_ns);
    text += steps(trace, summary, info.path_steps, run.makespan_ns);
  }
  return text + streams(trace, run, summary) + links(run, summary) +
         edges(summary.edges, summary.evidence);
}

std::string to_text(const nlohmann::ordered_json& report) {
  const auto& sum = report.at("summary");
  const auto count = [&](const char* key) { return sum.at(key).get<std::uint64_t>(); };
  std::string text = fmt::format("{}: {} complete, {} in a deadlock, {} interrupted\n",
                                 counted(count("runs"), "run", "runs"), count("complete"),
                                 count("deadlocks"), count("interrupted"));
  if (sum.contains("makespan_min_ns")) {
    const auto time = [&](const char* key) { return time_text(sum.at(key).get<Nanoseconds>()); };
    text += fmt::format("makespan min {}  median {}  max {}\n", time("makespan_min_ns"),
                        time("makespan_median_ns"), time("makespan_max_ns"));
  }
  return text;
}

}  // namespace replay
