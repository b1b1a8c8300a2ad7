// SPDX-License-Identifier: Apache-2.0
// Findings as lines in the form of a compiler's messages: "main.cpp:14: error: data race: ...
// [ACL007]".
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "runtime/order/report/report.h"

namespace order {
namespace {

std::string numbered(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string op_text(const PlacedOp& op_info) {
  if (!op_info.stream)
    return fmt::format("op {} on host thread {}", op_info.number, op_info.thread);
  return fmt::format("op {} on stream {}", op_info.number, *op_info.stream);
}

/// The beginning of a line. For a trace that has no lines: the operation.
std::string location(const Place& place, const PlacedOp& op_info) {
  std::string text = position(place);
  if (text.empty()) return "aclsim";
  if (place.file.empty() && !place.function.empty()) text += fmt::format(" ({})", place.function);
  if (place.element != 0) text += fmt::format(": {}", op_text(op_info));
  return text;
}

std::string note(std::string_view where, std::string_view text) {
  return fmt::format("{}: note: {}\n", where, text);
}

struct Roles {
  const char* it;
  const char* other;
};

Roles roles(Rule rule) {
  switch (rule) {
    case Rule::race:
    case Rule::host_buffer:
    case Rule::host_threads_only:
    case Rule::kernel_race:
      return {"this access", "earlier access"};
    case Rule::freed_in_use:
      return {"this operation", "earlier operation"};
    case Rule::deadlock:
      return {"blocked", "blocked by"};
    case Rule::wait_before_record:
      return {"this wait", "later record"};
    case Rule::flag_not_reset:
      return {"this wait", "earlier wait"};
    case Rule::unordered_calls:
      return {"this call", "call of the other thread"};
    case Rule::crash:
      return {"in", "crashed at"};
    case Rule::failed_call:
    case Rule::undeclared_kernel:
      return {"here", "other operation"};
    case Rule::redundant_wait:
      return {"this call", "the record"};
    case Rule::unsynchronized_end:
      return {"at", "still alive"};
    default:
      return {"this operation", "other operation"};
  }
}

/// If a trace has both, the line of the trace comes first, then the line of the call.
std::string note_of(const PlacedOp& op_info, std::string_view role) {
  const Place& place = op_info.recorded.known() ? op_info.recorded : op_info.place;
  std::string text = fmt::format("{}: {}", role, to_text(op_info));
  if (op_info.recorded.known()) {
    text += fmt::format(", called at {}", to_text(op_info.place));
  } else if (!op_info.place.function.empty() && !op_info.place.file.empty()) {
    text += fmt::format(" in {}", op_info.place.function);
  }
  if (place.element != 0) text += fmt::format(", element {} of the file", place.element);
  text = note(location(place, op_info), text);
  for (const Place& caller : op_info.place.callers) {
    text += note(location(caller, op_info),
                 "called from here" + (caller.function.empty() ? "" : ", in " + caller.function));
  }
  return text;
}

std::string memory_text(const PlacedFinding& finding) {
  const Access& where = finding.where;
  const std::string address = fmt::format("{:#x}", where.begin);
  if (!finding.offset) {
    const std::string text = fmt::format("{} of {} memory at {}", size_text(where.size),
                                         where.host ? "host" : "device", address);
    return finding.memory.empty() ? text : fmt::format("{}: {}", text, finding.memory);
  }
  const std::uint64_t last = *finding.offset + where.size - 1;
  const bool has_address = where.begin != *finding.offset;
  return fmt::format("bytes {} to {} of {}{}{}", *finding.offset, last, finding.memory,
                     has_address ? ", at " + address : "",
                     finding.allocated.known() ? ", allocated here" : "");
}

std::string notes(const PlacedFinding& finding) {
  const Roles role = roles(finding.rule);
  const std::string here = location(finding.op_info.place, finding.op_info);
  std::string text = note_of(finding.op_info, role.it);
  if (finding.other) text += note_of(*finding.other, role.other);
  for (const PlacedOp& op_info : finding.behind) text += note_of(op_info, role.other);
  if (finding.launch && is_in_kernel(finding.rule)) {
    text += note_of(*finding.launch, "launched here");
  }
  if (finding.where.size != 0) {
    const bool known = finding.allocated.known();
    const std::string at = known ? location(finding.allocated, finding.op_info) : here;
    text += note(at, "memory: " + memory_text(finding));
  }
  for (const PlacedOp* op_info : {&finding.op_info, finding.other ? &*finding.other : nullptr}) {
    if (!op_info || op_info->declared) continue;
    text += note(location(op_info->place, *op_info),
                 fmt::format("{} declares no ranges: the checker assumes that it may read and "
                             "write each allocation that its arguments point into; call "
                             "aclsimCheckNextKernelReads and aclsimCheckNextKernelWrites before "
                             "the launch, or give the launch its ranges",
                             op_info->what));
  }
  if (finding.cause) {
    const std::string at = position(finding.cause->place);
    const std::size_t number = finding.cause->number;
    text += note(here, fmt::format("probably a consequence of {}the {}{}",
                                   number == 0 ? "" : fmt::format("{}, ", number),
                                   finding.cause->title, at.empty() ? "" : " at " + at));
  }
  if (!finding.process.empty()) text += note(here, "in " + finding.process);
  if (!finding.cuda_difference.empty()) text += note(here, finding.cuda_difference);
  return text;
}

/// `folder`: absolute.
void make_relative(std::string& file, const std::filesystem::path& folder) {
  const std::filesystem::path path = std::filesystem::path(file).lexically_normal();
  if (!path.is_absolute()) return;
  const std::filesystem::path below = path.lexically_relative(folder);
  if (below.empty() || *below.begin() == ".." || *below.begin() == ".") return;
  file = below.string();
}

void make_relative(PlacedOp& op_info, const std::filesystem::path& folder) {
  make_relative(op_info.place.file, folder);
  make_relative(op_info.recorded.file, folder);
  for (Place& caller : op_info.place.callers) make_relative(caller.file, folder);
}

}  // namespace

PlacedFinding from_here(PlacedFinding finding) {
  std::error_code gone;
  const std::filesystem::path folder = std::filesystem::current_path(gone);
  if (gone) return finding;
  make_relative(finding.op_info, folder);
  if (finding.other) make_relative(*finding.other, folder);
  if (finding.launch) make_relative(*finding.launch, folder);
  if (finding.other_launch) make_relative(*finding.other_launch, folder);
  if (finding.failed) make_relative(*finding.failed, folder);
  for (PlacedOp& op_info : finding.behind) make_relative(op_info, folder);
  make_relative(finding.allocated.file, folder);
  if (finding.cause) make_relative(finding.cause->place.file, folder);
  return finding;
}

std::string position_from_here(Place place) {
  std::error_code gone;
  const std::filesystem::path folder = std::filesystem::current_path(gone);
  if (!gone) make_relative(place.file, folder);
  return position(place);
}

std::string to_text(const PlacedFinding& finding) {
  std::string text =
      fmt::format("{}: {}: {}: {} [{}]\n", location(finding.op_info.place, finding.op_info),
                  name(finding.level), title(finding), message(finding), info(finding.rule).id);
  text += notes(finding);
  text += fmt::format("fix: {}\n", repair(finding));
  if (finding.times > 1) text += fmt::format("seen {}\n", numbered(finding.times, "time"));
  return text;
}

std::string counts_text(const Report& report) {
  return fmt::format("{}, {}, {}", numbered(report.count(Level::error), "error"),
                     numbered(report.count(Level::warning), "warning"),
                     numbered(report.count(Level::note), "note"));
}

std::string verdict_text(const Report& report) {
  const auto& [all, undeclared] = report.kernels;
  std::string text = counts_text(report);
  if (undeclared != 0) {
    text += fmt::format(", {} of {} undeclared", undeclared, numbered(all, "kernel"));
  }
  if (!report.not_checked.empty()) text += ", some not checked";
  return text;
}

namespace {

std::string kernels_text(const KernelCounts& kernels) {
  if (kernels.undeclared == 0) return {};
  return fmt::format(
      "{} of {} {} no ranges: findings about them are guesses, races between them "
      "may be missed\n",
      kernels.undeclared, numbered(kernels.all, "kernel"),
      kernels.all == 1 ? "declares" : "declare");
}

}  // namespace

std::string to_text(const Report& report) {
  std::vector<const PlacedFinding*> sorted;
  for (const PlacedFinding& finding : report.findings) sorted.push_back(&finding);
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
    return (a->level != Level::note) > (b->level != Level::note);
  });
  std::string text;
  for (const PlacedFinding* finding : sorted) text += to_text(from_here(*finding)) + "\n";
  for (const std::string& unused : report.unused) {
    text += fmt::format("unused suppression: {}\n", unused);
  }
  for (const auto& [name, what] : report.facts) text += fmt::format("{}: {}\n", name, what);
  if (!report.failure.empty()) text += fmt::format("failure: {}\n", report.failure);
  text += kernels_text(report.kernels);
  for (const std::string& what : report.not_checked) text += fmt::format("not checked: {}\n", what);
  text += counts_text(report);
  if (report.suppressed != 0) text += fmt::format("; {} suppressed", report.suppressed);
  return text + "\n";
}

}  // namespace order
