// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "runtime/order/report.h"

namespace order {
namespace {

std::string_view last_part(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string numbered(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// A line of a finding: a word, and what there is to say.
std::string line(std::string_view word, std::string_view text) {
  return fmt::format("    {:<8}{}\n", word, text);
}

std::string with_place(const PlacedDeed& deed) {
  std::string text = fmt::format("{}, {}", to_text(deed), to_text(deed.place));
  if (deed.recorded.known()) text += fmt::format(" ({})", to_text(deed.recorded));
  return text;
}

std::string bytes_text(const PlacedFinding& finding) {
  const Access& where = finding.where;
  std::string text =
      fmt::format("{:#x} to {:#x}, {} of {}", where.begin, where.begin + where.size - 1,
                  numbered(where.size, "byte"), where.host ? "host memory" : "device memory");
  if (!finding.memory.empty()) text += ": " + finding.memory;
  return text;
}

}  // namespace

std::string to_text(const Place& place) {
  if (!place.file.empty()) {
    std::string text = place.file;
    if (place.line != 0) text += fmt::format(":{}", place.line);
    if (!place.function.empty()) text += fmt::format(" in {}", place.function);
    return text;
  }
  if (place.module.empty()) return "unknown place";
  std::string text = fmt::format("{}+{:#x}", last_part(place.module), place.offset);
  if (!place.function.empty()) text += fmt::format(" in {}", place.function);
  return text;
}

std::string to_text(const PlacedDeed& deed) {
  std::string text = deed.what;
  if (deed.stream) {
    text += deed.on_default_stream ? " on the default stream"
                                   : fmt::format(" on stream {}", *deed.stream);
  } else if (deed.thread != 0) {
    text += fmt::format(" by host thread {}", deed.thread);
  }
  if (deed.device >= 0) text += fmt::format(" of device {}", deed.device);
  std::vector<std::string> more;
  if (deed.number != 0) more.push_back(fmt::format("op {}", deed.number));
  if (deed.stream && deed.thread != 0) more.push_back(fmt::format("thread {}", deed.thread));
  if (!deed.process.empty()) more.push_back("process " + deed.process);
  if (!deed.declared) more.emplace_back("what it touches is a guess");
  if (!more.empty()) text += fmt::format(" ({})", fmt::join(more, ", "));
  return text;
}

std::string to_text(const PlacedFinding& finding) {
  const RuleInfo& rule = info(finding.rule);
  const std::string_view said = finding.text.empty() ? rule.title : finding.text;
  std::string text = fmt::format("{} {}: {}\n", rule.id, name(finding.level), said);
  text += line("it", with_place(finding.deed));
  if (finding.other) text += line("other", with_place(*finding.other));
  for (const PlacedDeed& deed : finding.behind) text += line("behind", with_place(deed));
  if (finding.where.size != 0) text += line("bytes", bytes_text(finding));
  if (!finding.process.empty()) text += line("process", finding.process);
  if (!finding.habit.empty()) text += line("habit", finding.habit);
  text += line("repair", finding.repair.empty() ? rule.repair : finding.repair);
  if (finding.times > 1) text += line("seen", numbered(finding.times, "time"));
  return text;
}

std::string to_text(const Report& report) {
  std::vector<const PlacedFinding*> sorted;
  for (const PlacedFinding& finding : report.findings) sorted.push_back(&finding);
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
    return a->level != b->level ? a->level > b->level : a->rule < b->rule;
  });
  std::string text;
  for (const PlacedFinding* finding : sorted) text += to_text(*finding) + "\n";
  for (const std::string& unused : report.unused) {
    text += fmt::format("unused suppression: {}\n", unused);
  }
  text += fmt::format("{}, {}, {}", numbered(report.count(Level::error), "error"),
                      numbered(report.count(Level::warning), "warning"),
                      numbered(report.count(Level::note), "note"));
  if (report.suppressed != 0) text += fmt::format("; {} suppressed", report.suppressed);
  return text + "\n";
}

}  // namespace order
