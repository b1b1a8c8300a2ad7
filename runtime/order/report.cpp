// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/report.h"

#include <algorithm>
#include <string_view>

namespace order {
namespace {

/// What somebody who comes from CUDA would take for granted here.
const char* habit_of(const Finding& finding) {
  const auto is = [&](std::string_view name) {
    return finding.deed.what == name || (finding.other && finding.other->what == name);
  };
  const bool about_order = finding.rule == Rule::race || finding.rule == Rule::freed_in_use ||
                           finding.rule == Rule::host_buffer;
  if (!about_order) return "";
  if (is("aclrtFree") || is("aclrtFreeHost")) {
    return "CUDA's free waits for the device; this one frees at once";
  }
  if (is("aclrtMemcpy") || is("aclrtMemset") || is("aclrtMemcpy2d")) {
    return "CUDA's synchronous copies keep the order of its default stream; this one is in the "
           "order of no stream";
  }
  if (finding.deed.on_default_stream || (finding.other && finding.other->on_default_stream)) {
    return "CUDA's default stream waits for the others, and they for it; here it is one of many";
  }
  return "";
}

}  // namespace

PlacedDeed place(const Deed& deed, const Resolve& resolve) {
  PlacedDeed made;
  made.what = deed.what;
  if (deed.stream != Deed::kNoStream) made.stream = deed.stream;
  made.thread = deed.thread;
  made.number = deed.number;
  made.device = deed.device;
  made.on_default_stream = deed.on_default_stream;
  made.declared = deed.declared;
  if (resolve && deed.site != 0) made.place = resolve(deed.site);
  return made;
}

PlacedFinding place(const Finding& finding, const Resolve& resolve) {
  PlacedFinding made;
  made.rule = finding.rule;
  made.level = finding.level;
  made.deed = place(finding.deed, resolve);
  if (finding.other) made.other = place(*finding.other, resolve);
  for (const Deed& deed : finding.behind) made.behind.push_back(place(deed, resolve));
  made.text = finding.text;
  made.repair = finding.repair;
  made.habit = habit_of(finding);
  made.where = finding.where;
  made.times = finding.times;
  return made;
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
