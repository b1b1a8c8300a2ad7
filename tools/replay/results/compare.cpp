// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/results/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace replay {
namespace {

using Json = nlohmann::ordered_json;
using Values = std::map<std::string, Nanoseconds>;

Values values_of(const Json& run) {
  Values values;
  for (const Json& row : run.value("per_stream", Json::array())) {
    const std::string track =
        fmt::format("rank {} device {} stream {} {}", row.value("rank", 0), row.value("device", 0),
                    row.value("stream", std::uint64_t{0}), row.value("name", ""));
    for (const char* key : {"busy_ns", "wait_ns"}) {
      values[fmt::format("{} {}", track, key)] += row.value(key, Nanoseconds{0});
    }
  }
  for (const Json& row : run.value("links", Json::array())) {
    values[fmt::format("link {}->{} busy_ns", row.value("from", 0), row.value("to", 0))] +=
        row.value("busy_ns", Nanoseconds{0});
  }
  return values;
}

}  // namespace

std::vector<Delta> compare_reports(const Json& a, const Json& b) {
  const auto whole_a = a.value("makespan_ns", Nanoseconds{0});
  const auto whole_b = b.value("makespan_ns", Nanoseconds{0});
  const auto delta = [&](const std::string& what, Nanoseconds x, Nanoseconds y) {
    const double whole = static_cast<double>(std::max<Nanoseconds>(1, whole_a));
    return Delta{what, x, y, static_cast<double>(y - x) / whole * 100};
  };
  const Values of_a = values_of(a);
  Values of_b = values_of(b);
  std::vector<Delta> found;
  for (const auto& [what, x] : of_a) {
    const auto y = of_b.find(what);
    found.push_back(delta(what, x, y == of_b.end() ? 0 : y->second));
    if (y != of_b.end()) of_b.erase(y);
  }
  for (const auto& [what, y] : of_b) found.push_back(delta(what, 0, y));
  std::stable_sort(found.begin(), found.end(), [](const Delta& x, const Delta& y) {
    return std::abs(x.b - x.a) > std::abs(y.b - y.a);
  });
  found.insert(found.begin(), delta("makespan_ns", whole_a, whole_b));
  return found;
}

}  // namespace replay
