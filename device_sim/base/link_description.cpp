// SPDX-License-Identifier: Apache-2.0
#include "device_sim/base/link_description.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace sim {
namespace {

constexpr std::uint64_t kMostLatencyNs = std::uint64_t{1} << 50;
constexpr double kLeastBandwidth = 1, kMostBandwidth = 1e18;

/// The whole text as a number from `low` to `high`.
template <class T>
std::optional<T> number(const std::string& text, T low, T high) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || at != end || !(value >= low && value <= high)) return std::nullopt;
  return value;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::optional<std::size_t> link_name_index(std::string_view name) {
  std::string wanted(name);
  std::transform(wanted.begin(), wanted.end(), wanted.begin(), lower);
  const auto* const found = std::find(kLinkNames.begin(), kLinkNames.end(), wanted);
  if (found == kLinkNames.end()) return std::nullopt;
  return static_cast<std::size_t>(found - kLinkNames.begin());
}

void set_link_value(LinkCost& link, std::string_view key, const std::string& text) {
  if (key == kLatencyKey) {
    const auto latency = number<std::uint64_t>(text, 0, kMostLatencyNs);
    if (!latency) {
      throw std::invalid_argument("a whole number of nanoseconds, from 0 to " +
                                  std::to_string(kMostLatencyNs));
    }
    link.latency_ns = *latency;
    return;
  }
  const auto bandwidth = number<double>(text, kLeastBandwidth, kMostBandwidth);
  if (!bandwidth) throw std::invalid_argument("bytes per second, from 1 to 1e18");
  link.bytes_per_second = *bandwidth;
}

}  // namespace sim
