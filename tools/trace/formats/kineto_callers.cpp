// SPDX-License-Identifier: Apache-2.0
// The operator of the framework that called for each op.
#include <algorithm>

#include "tools/trace/formats/kineto.h"

namespace trace::kineto {

void KinetoImport::take_operator(const JsonEvent& event) {
  if (!builder_.keep().sites) return;
  const auto thread = event.tid.number();
  const auto begin = event.ts.microseconds();
  if (!thread || !begin) return;
  const Nanoseconds end = *begin + event.dur.microseconds().value_or(0);
  operators_[*thread].push_back({*begin, end, builder_.text(event.name)});
}

/// Finds for each call the innermost operator of its thread that ran then.
void KinetoImport::find_callers() {
  std::map<std::uint64_t, std::vector<Launch*>> calls;
  if (operators_.empty()) return;
  for (auto& [id, launch] : launches_) calls[launch.thread].push_back(&launch);
  for (auto& [thread, launches] : calls) {
    std::vector<Operator>& operators = operators_[thread];
    std::sort(operators.begin(), operators.end(), [](const Operator& a, const Operator& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    std::sort(launches.begin(), launches.end(),
              [](const Launch* a, const Launch* b) { return a->time < b->time; });
    std::vector<const Operator*> open;
    auto next = operators.begin();
    for (Launch* const launch : launches) {
      for (; next != operators.end() && next->begin <= launch->time; ++next) {
        while (!open.empty() && open.back()->end <= next->begin) open.pop_back();
        open.push_back(&*next);
      }
      while (!open.empty() && open.back()->end < launch->time) open.pop_back();
      if (!open.empty()) launch->caller = open.back()->name;
    }
  }
  operators_.clear();
}

}  // namespace trace::kineto
