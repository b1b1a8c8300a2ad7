// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/profiling/op_statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "device_sim/base/mutex.h"

namespace acl {
namespace {

/// As CSV wants it: in quotes, with quotes doubled.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

double micros(sim::Nanoseconds time) { return static_cast<double>(time) / 1000.0; }

}  // namespace

void OpStatistics::add(int device, const char* name, const char* type, sim::Nanoseconds duration) {
  const sim::LockGuard guard(mutex_);
  Sum& sum = sums_[{device, type, name}];
  sum.shortest = sum.count == 0 ? duration : std::min(sum.shortest, duration);
  sum.longest = std::max(sum.longest, duration);
  sum.total += duration;
  ++sum.count;
}

std::string OpStatistics::csv(int device) const {
  std::vector<std::pair<const Key*, const Sum*>> rows;
  const sim::LockGuard guard(mutex_);
  for (const auto& [key, sum] : sums_) {
    if (std::get<0>(key) == device) rows.emplace_back(&key, &sum);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.second->total > b.second->total; });
  std::string text =
      "Device_id,OP Type,OP Name,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us)\n";
  for (const auto& [key, sum] : rows) {
    text += fmt::format("{},{},{},{},{:.3f},{:.3f},{:.3f},{:.3f}\n", device,
                        quoted(std::get<1>(*key)), quoted(std::get<2>(*key)), sum->count,
                        micros(sum->total), micros(sum->shortest),
                        micros(sum->total) / static_cast<double>(sum->count), micros(sum->longest));
  }
  return text;
}

}  // namespace acl
