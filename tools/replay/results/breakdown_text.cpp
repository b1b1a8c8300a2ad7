// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/results/breakdown_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tools/replay/results/naming.h"

namespace replay {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kShownRanks = 64;
constexpr std::size_t kShownLines = 8;

double percent(Nanoseconds part, Nanoseconds whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string share(Nanoseconds part, Nanoseconds whole) {
  return fmt::format("{:.1f} %", percent(part, whole));
}

std::int32_t rank_id(const trace::Trace& trace, const RankBreakdown& row) {
  return trace.ranks()[row.rank].id;
}

std::string rank_table(const trace::Trace& trace, const Breakdown& found) {
  std::string text = fmt::format("{:<5} {:>10} {:>9} {:>9} {:>11} {:>8} {:>8}   {}\n", "rank",
                                 "span", "compute", "exposed", "overlapped", "copies", "idle",
                                 "idle for: host late, stream, rank, not told");
  for (std::size_t i = 0; i < found.ranks.size() && i < kShownRanks; ++i) {
    const RankBreakdown& row = found.ranks[i];
    const auto of = [&](Nanoseconds ns) { return share(ns, row.span_ns); };
    text += fmt::format("{:<5} {:>10} {:>9} {:>9} {:>11} {:>8} {:>8}   {}, {}, {}, {}\n",
                        rank_id(trace, row), time_text(row.span_ns), of(row.compute_ns),
                        of(row.exposed_ns), of(row.overlapped_ns), of(row.copies_ns),
                        of(row.idle_ns), of(row.idle_host_ns), of(row.idle_stream_ns),
                        of(row.idle_rank_ns), of(row.idle_other_ns));
  }
  if (found.ranks.size() > kShownRanks) {
    text += fmt::format("and {} more; --json has all\n", found.ranks.size() - kShownRanks);
  }
  return text;
}

std::string kernel_table(const trace::Trace& trace, const Breakdown& found, std::size_t top) {
  if (found.kernels.empty()) return {};
  std::string text = fmt::format("\n{:>10} {:>10} {:>10} {:>8}  {}\n", "count", "sum", "median",
                                 "share", "kernel");
  for (std::size_t i = 0; i < found.kernels.size() && i < top; ++i) {
    const KernelRow& row = found.kernels[i];
    text += fmt::format("{:>10} {:>10} {:>10} {:>8}  {:.80}\n", count_text(row.count),
                        time_text(row.sum_ns), time_text(row.median_ns),
                        share(row.sum_ns, found.kernels_ns),
                        row.name == 0 ? std::string("(no name)") : trace.text(row.name));
  }
  if (found.kernels.size() > top) {
    text += fmt::format("and {} more names\n", found.kernels.size() - top);
  }
  return text;
}

std::string device_text(const trace::Trace& trace, std::int32_t index) {
  const trace::Device& device = trace.devices()[static_cast<std::size_t>(index)];
  return fmt::format("rank {}", trace.ranks()[device.rank].id) +
         (device.id < 0 ? "" : fmt::format(" device {}", device.id));
}

std::string link_lines(const trace::Trace& trace, const Breakdown& found, std::size_t top) {
  std::string text;
  for (std::size_t i = 0; i < found.links.size() && i < std::min(top, kShownLines); ++i) {
    const LinkRow& row = found.links[i];
    text += fmt::format("{} {} -> {}: {}/s ({} in {} copies)\n",
                        i == 0 ? "slowest link" : "            ", device_text(trace, row.from),
                        device_text(trace, row.to), bytes_text(row.bytes_per_s()),
                        bytes_text(static_cast<double>(row.bytes)), count_text(row.copies));
  }
  return text.empty() ? text : "\n" + text;
}

std::string launch_lines(const trace::Trace& trace, const Breakdown& found) {
  std::string text;
  std::size_t shown = 0;
  for (const RankBreakdown& row : found.ranks) {
    if (row.launches == 0 || ++shown > kShownLines) continue;
    text += fmt::format(
        "launches of rank {}: {}, delay median {}, p99 {}; queue {} at most, {:.1f} "
        "on average\n",
        rank_id(trace, row), count_text(row.launches), time_text(row.delay_median_ns),
        time_text(row.delay_p99_ns), count_text(row.queue_most), row.queue_mean);
  }
  return text.empty() ? text : "\n" + text;
}

std::string slowest_line(const trace::Trace& trace, const Breakdown& found) {
  if (found.ranks.size() < 2) return {};
  std::vector<Nanoseconds> all;
  for (const RankBreakdown& row : found.ranks) all.push_back(row.compute_ns);
  std::sort(all.begin(), all.end());
  const Nanoseconds median = all[(all.size() - 1) / 2];
  const RankBreakdown& row = found.ranks[found.slowest];
  return fmt::format("\nslowest rank {}: computes {}, {:+.1f} % of the median of ranks\n",
                     rank_id(trace, row), time_text(row.compute_ns),
                     percent(row.compute_ns - median, median));
}

std::string excluded_line(const Breakdown& found) {
  if (found.excluded == 0) return {};
  const bool one = found.excluded == 1;
  return fmt::format(
      "\n{} {} during another op of {} track and {} after it, and {} not in this summary\n",
      count_text(found.excluded), one ? "op begins" : "ops begin", one ? "its" : "their",
      one ? "ends" : "end", one ? "is" : "are");
}

Json rank_json(const trace::Trace& trace, const RankBreakdown& row) {
  return {{"rank", rank_id(trace, row)},
          {"span_ns", row.span_ns},
          {"compute_ns", row.compute_ns},
          {"exposed_communication_ns", row.exposed_ns},
          {"overlapped_communication_ns", row.overlapped_ns},
          {"copies_ns", row.copies_ns},
          {"idle_ns", row.idle_ns},
          {"idle_host_ns", row.idle_host_ns},
          {"idle_stream_ns", row.idle_stream_ns},
          {"idle_rank_ns", row.idle_rank_ns},
          {"idle_other_ns", row.idle_other_ns},
          {"launches", row.launches},
          {"launch_delay_median_ns", row.delay_median_ns},
          {"launch_delay_p99_ns", row.delay_p99_ns},
          {"queue_most", row.queue_most},
          {"queue_mean", row.queue_mean}};
}

}  // namespace

std::string to_text(const trace::Trace& trace, const Breakdown& found, std::size_t top) {
  std::string text =
      fmt::format("summary  {} rank{}, {} ops, times {}\n", found.ranks.size(),
                  found.ranks.size() == 1 ? "" : "s", count_text(trace.size()),
                  found.recorded ? "as recorded" : "of a replay: the trace has none");
  return text + rank_table(trace, found) + slowest_line(trace, found) +
         kernel_table(trace, found, top) + link_lines(trace, found, top) +
         launch_lines(trace, found) + excluded_line(found);
}

Json to_json(const trace::Trace& trace, const Breakdown& found, std::size_t top) {
  Json json = {{"times", found.recorded ? "recorded" : "replay"}, {"excluded", found.excluded}};
  json["ranks"] = Json::array();
  for (const RankBreakdown& row : found.ranks) json["ranks"].push_back(rank_json(trace, row));
  if (!found.ranks.empty()) json["slowest_rank"] = rank_id(trace, found.ranks[found.slowest]);
  json["kernels_ns"] = found.kernels_ns;
  json["kernels"] = Json::array();
  for (std::size_t i = 0; i < found.kernels.size() && i < top; ++i) {
    const KernelRow& row = found.kernels[i];
    json["kernels"].push_back({{"name", trace.text(row.name)},
                               {"count", row.count},
                               {"sum_ns", row.sum_ns},
                               {"median_ns", row.median_ns},
                               {"share", percent(row.sum_ns, found.kernels_ns) / 100}});
  }
  json["links"] = Json::array();
  for (const LinkRow& row : found.links) {
    json["links"].push_back({{"from", device_text(trace, row.from)},
                             {"to", device_text(trace, row.to)},
                             {"copies", row.copies},
                             {"bytes", row.bytes},
                             {"sum_ns", row.sum_ns},
                             {"bytes_per_s", static_cast<std::uint64_t>(row.bytes_per_s())}});
  }
  return json;
}

}  // namespace replay
