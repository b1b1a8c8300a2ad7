// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "tools/aclsim/options/common_options.h"
#include "tools/aclsim/output/standard_output.h"
#include "tools/aclsim/output/text_table.h"
#include "tools/aclsim/verbs/commands.h"
#include "tools/aclsim/verbs/trace_verb.h"
#include "tools/trace/read_trace.h"
#include "tools/trace/summary.h"

namespace aclsim {
namespace {

using Json = nlohmann::ordered_json;
using trace::OpKind;

struct InfoOptions {
  TraceInput input;
  bool json = false;
};

Json kinds_of(const trace::Summary& sum) {
  Json kinds = Json::object();
  for (int k = 0; k < trace::kOpKinds; ++k) {
    const auto kind = static_cast<OpKind>(k);
    if (sum.of(kind) != 0) kinds[trace::word(kind)] = sum.of(kind);
  }
  return kinds;
}

Json files_of(const trace::Trace& it) {
  Json files = Json::array();
  for (const trace::Source& source : it.sources()) {
    files.push_back({{"path", it.text(source.path)},
                     {"format", it.text(source.format)},
                     {"tool", it.text(source.tool)}});
  }
  return files;
}

Json clocks_of(const trace::Trace& it) {
  Json clocks = Json::array();
  for (const trace::Rank& rank : it.ranks()) {
    if (rank.clock_pairs == 0) continue;
    clocks.push_back({{"rank", rank.id},
                      {"offset_ns", rank.clock_offset_ns},
                      {"bound_ns", rank.clock_bound_ns},
                      {"pairs", rank.clock_pairs}});
  }
  return clocks;
}

Json remarks_of(const trace::Trace& it) {
  Json remarks = Json::array();
  for (const trace::Remark& remark : it.remarks()) {
    remarks.push_back(
        {{"level", remark.level == trace::Level::warning ? "warning" : "note"},
         {"file", remark.source == trace::kNone ? std::string()
                                                : it.text(it.sources()[remark.source].path)},
         {"line", remark.line},
         {"text", remark.text}});
  }
  return remarks;
}

Json report(const trace::Trace& it) {
  const trace::Summary sum = trace::summarise(it);
  return {{"files", files_of(it)},
          {"ranks", sum.ranks},
          {"devices", sum.devices},
          {"streams", sum.streams},
          {"host_threads", sum.host_threads},
          {"ops", it.size()},
          {"ops_by_kind", kinds_of(sum)},
          {"records", sum.of(OpKind::record)},
          {"waits", sum.of(OpKind::wait)},
          {"waits_paired", sum.waits_paired},
          {"waits_exact", sum.waits_exact},
          {"waits_inferred", sum.waits_inferred},
          {"waits_ambiguous", sum.waits_ambiguous},
          {"waits_unrecorded", sum.waits_unrecorded},
          {"waits_unknown", sum.waits_unknown},
          {"pairs_timed", sum.evidence.pairs},
          {"pairs_contradicted", sum.evidence.contradicted},
          {"overlaps", sum.evidence.overlaps},
          {"notifies", sum.of(OpKind::notify)},
          {"notify_waits", sum.of(OpKind::notify_wait)},
          {"notify_pairs", sum.notify_pairs},
          {"sends", sum.of(OpKind::send)},
          {"send_pairs", sum.send_pairs},
          {"edges", sum.edges},
          {"copy_bytes", sum.copy_bytes},
          {"base_ns", it.base_ns()},
          {"span_ns", sum.span_ns},
          {"clocks", clocks_of(it)},
          {"resident_bytes", it.resident_bytes()},
          {"remarks", remarks_of(it)}};
}

std::string kinds_line(const trace::Summary& sum) {
  std::string line;
  for (int k = 0; k < trace::kOpKinds; ++k) {
    const auto kind = static_cast<OpKind>(k);
    if (sum.of(kind) == 0) continue;
    line += fmt::format("{}{} {}", line.empty() ? "" : ", ", sum.of(kind), trace::word(kind));
  }
  return line;
}

void print_evidence(const trace::Evidence& found) {
  if (found.pairs != 0) {
    print_out("evidence times contradict {} of {} pairs ({:.1f} %)\n", found.contradicted,
              found.pairs,
              100.0 * static_cast<double>(found.contradicted) / static_cast<double>(found.pairs));
  }
  if (found.overlaps != 0) {
    print_out("overlaps {} of {} ops begin before the previous op of their stream has ended\n",
              found.overlaps, found.timed);
  }
}

void print_text(const trace::Trace& it) {
  const trace::Summary sum = trace::summarise(it);
  for (const trace::Source& source : it.sources()) {
    print_out("file     {} ({})\n", it.text(source.path), it.text(source.format));
  }
  print_out("machine  {} rank(s), {} device(s), {} stream(s), {} host thread(s)\n", sum.ranks,
            sum.devices, sum.streams, sum.host_threads);
  print_out("ops      {}: {}\n", it.size(), kinds_line(sum));
  if (sum.first_ns != trace::kNoTime) {
    print_out("time     {:.6f} ms from the first start to the last end\n",
              static_cast<double>(sum.span_ns) / 1e6);
  } else {
    print_out("time     no times recorded\n");
  }
  print_out(
      "waits    {} of {} paired with their record: {} exact, {} inferred ({} ambiguous); {} "
      "never recorded{}\n",
      sum.waits_paired, sum.of(OpKind::wait), sum.waits_exact, sum.waits_inferred,
      sum.waits_ambiguous, sum.waits_unrecorded,
      sum.waits_unknown == 0
          ? ""
          : fmt::format(", {} whose record is not in the file", sum.waits_unknown));
  print_out("notifies {} pairs of {} notifies and {} waits\n", sum.notify_pairs,
            sum.of(OpKind::notify), sum.of(OpKind::notify_wait));
  if (sum.of(OpKind::send) != 0) {
    print_out("sends    {} of {} paired with their receive\n", sum.send_pairs,
              sum.of(OpKind::send));
  }
  print_evidence(sum.evidence);
  if (sum.edges != 0) print_out("edges    {} further\n", sum.edges);
  for (const trace::Rank& rank : it.ranks()) {
    if (rank.clock_pairs == 0) continue;
    print_out("clock    rank {} shifted by {:+.3f} us, error at most {:.3f} us ({} pairs)\n",
              rank.id, static_cast<double>(rank.clock_offset_ns) / 1e3,
              static_cast<double>(rank.clock_bound_ns) / 1e3, rank.clock_pairs);
  }
}

int show_info(const InfoOptions& options) {
  trace::ReadOptions read;
  read.from = options.input.from;
  const trace::Trace it = read_shown(options.input.files, read, options.input.quiet);
  if (options.json) {
    print_out("{}\n", report(it).dump(2, ' ', false, Json::error_handler_t::replace));
    return kOk;
  }
  print_text(it);
  if (!options.input.quiet) show_remarks(it, true);
  return kOk;
}

}  // namespace

void add_info(CLI::App& app, Verb& chosen) {
  CLI::App* const verb = app.add_subcommand("info", "Print the contents of a trace as numbers");
  verb->footer(
      "Several files are the ranks of one job. A wait is paired if its record is known: exactly "
      "(by\n"
      "name), or inferred from times and the order of calls. It is ambiguous if records of "
      "several\n"
      "streams are possible, and unrecorded if its event was never recorded before it.\n"
      "Example:\n  aclsim info --json rank0/msprof_0.db rank1/msprof_1.db");
  const auto options = std::make_shared<InfoOptions>();
  add_trace_input(*verb, options->input);
  add_json(*verb, options->json);
  verb->callback([=, &chosen] {
    chosen = [=] { return with_traces("info", [&] { return show_info(*options); }); };
  });
}

}  // namespace aclsim
