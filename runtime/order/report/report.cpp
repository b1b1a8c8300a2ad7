// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/report/report.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

namespace order {
namespace {

/// A behaviour that a CUDA programmer may expect here and ACL does not have.
const char* cuda_difference_of(const Finding& finding) {
  const auto is = [&](std::string_view name) {
    return finding.op_info.what == name || (finding.other && finding.other->what == name);
  };
  const bool about_order = finding.rule == Rule::race || finding.rule == Rule::freed_in_use ||
                           finding.rule == Rule::host_buffer;
  if (!about_order || finding.op_info.cuda) return "";
  if (is("aclrtFree") || is("aclrtFreeHost")) {
    return "unlike cudaFree, this call does not wait for the device";
  }
  if (is("aclrtMemcpy") || is("aclrtMemset") || is("aclrtMemcpy2d")) {
    return "unlike the synchronous copies of CUDA, this call is not ordered with any stream";
  }
  if (finding.op_info.on_default_stream || (finding.other && finding.other->on_default_stream)) {
    return "unlike the default stream of CUDA, this one is not ordered with other streams";
  }
  return "";
}

struct Words {
  std::string_view name, words;
};

/// The machine's names of records and waits on a value, as profiles show them.
constexpr Words kWords[] = {
    {"NOTIFY_WAIT", "notify wait"},
    {"NOTIFY_RECORD", "notify record"},
    {"CNT_NOTIFY_WAIT", "count notify wait"},
    {"CNT_NOTIFY_RECORD", "count notify record"},
    {"CNT_NOTIFY_RESET", "count notify reset"},
    {"VALUE_WAIT", "value wait"},
    {"VALUE_WRITE", "value write"},
    {"EVENT_WAIT", "wait"},
    {"EVENT_RECORD", "record"},
};

std::string in_words(std::string_view name) {
  const auto* const row = std::find_if(std::begin(kWords), std::end(kWords),
                                       [&](const Words& one) { return one.name == name; });
  return std::string(row == std::end(kWords) ? name : row->words);
}

}  // namespace

PlacedOp place(const OpInfo& op_info, const Resolve& resolve) {
  PlacedOp made;
  made.what = in_words(op_info.what);
  if (op_info.stream != OpInfo::kNoStream) made.stream = op_info.stream;
  made.thread = op_info.thread;
  made.number = op_info.number;
  made.device = op_info.device;
  made.on_default_stream = op_info.on_default_stream;
  made.in_graph = op_info.in_graph;
  made.declared = op_info.declared;
  made.cuda = op_info.cuda;
  if (resolve && op_info.site != 0) made.place = resolve(op_info.site);
  return made;
}

namespace {

void place_memory(const Finding& finding, const Resolve& resolve, PlacedFinding& made) {
  const MemoryBlock& block = finding.memory;
  if (block.size == 0) return;
  made.memory = "an allocation of " + size_text(block.size) + " on " +
                (block.device < 0 ? "the host" : "device " + std::to_string(block.device));
  made.offset = finding.where.begin - block.begin;
  if (resolve && block.site != 0) made.allocated = resolve(block.site);
}

}  // namespace

PlacedFinding place(const Finding& finding, const Resolve& resolve) {
  PlacedFinding made;
  made.rule = finding.rule;
  made.level = finding.level;
  made.op_info = place(finding.op_info, resolve);
  if (finding.other) made.other = place(*finding.other, resolve);
  for (const OpInfo& op_info : finding.behind) made.behind.push_back(place(op_info, resolve));
  if (finding.launch) made.launch = place(*finding.launch, resolve);
  if (finding.other_launch) made.other_launch = place(*finding.other_launch, resolve);
  if (finding.failed) made.failed = place(*finding.failed, resolve);
  made.title = finding.title;
  made.text = finding.text;
  made.repair = finding.repair;
  made.cuda_difference = cuda_difference_of(finding);
  made.where = finding.where;
  place_memory(finding, resolve, made);
  made.times = finding.times;
  made.both_ways = finding.both_ways;
  made.op_info.streams_vary = finding.streams_vary;
  if (made.other) made.other->streams_vary = finding.other_streams_vary;
  return made;
}

std::string_view name(LineEdit::Where where) {
  constexpr std::string_view kNames[] = {"before", "after", "instead"};
  return kNames[static_cast<std::size_t>(where)];
}

std::size_t Report::count(Level level) const noexcept {
  return static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(),
                    [level](const PlacedFinding& finding) { return finding.level == level; }));
}

std::size_t Report::at_least(Level level) const noexcept {
  return static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(),
                    [level](const PlacedFinding& finding) { return finding.level >= level; }));
}

}  // namespace order
