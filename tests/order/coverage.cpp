// SPDX-License-Identifier: Apache-2.0
#include "tests/order/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

namespace ordertest {
namespace {

constexpr std::uint32_t kEnough = 5;

std::string kind_name(std::size_t kind) {
  return kind == MetAccesses::kFree ? "free" : name(static_cast<How>(kind));
}

std::size_t kind_of(const Call& call, const Touch& touch) {
  return call.what == What::free ? MetAccesses::kFree : static_cast<std::size_t>(touch.how);
}

bool clash(std::size_t a, std::size_t b) {
  if (a == MetAccesses::kFree || b == MetAccesses::kFree) return true;
  return Oracle::clash(static_cast<How>(a), static_cast<How>(b));
}

/// The first byte that both touch.
std::optional<std::size_t> shared_byte(const Touch& a, const Touch& b) {
  const std::size_t begin = std::max(a.begin, b.begin);
  return begin < std::min(a.begin + a.size, b.begin + b.size) ? std::optional(begin) : std::nullopt;
}

std::string row(std::string_view first, std::span<const std::string> cells) {
  return fmt::format("| {} | {} |\n", first, fmt::join(cells, " | "));
}

std::string head(std::string_view first, std::span<const std::string> names) {
  std::string lines;
  for (std::size_t i = 0; i <= names.size(); ++i) lines += "---|";
  return row(first, names) + "|" + lines + "\n";
}

const char* op_name(const Call& call) {
  switch (call.what) {
    case What::op:
      return "task";
    case What::write_word:
    case What::word_wait:
      return "value";
    case What::callback:
      return "callback";
    case What::host_access:
      return "host access";
    case What::free:
      return "free";
    default:
      return "other";
  }
}

const char* order_name(const Call& edge) {
  switch (edge.what) {
    case What::record:
      return "event: recorded too early, or not at all";
    case What::wait:
      return "event: wait";
    case What::notify_wait:
      return "notify: wait";
    case What::word_wait:
      return "value: wait";
    case What::counter_wait:
      return "counter: wait";
    case What::sync_end:
      if (edge.stream >= 0) return "synchronise with a stream";
      return edge.object >= 0 ? "synchronise with an event" : "synchronise with all streams";
    case What::tell:
      return "release and acquire between host threads";
    case What::callback:
      return "blocking callback";
    default:
      return "other";
  }
}

}  // namespace

std::string MetAccesses::table() const {
  std::vector<std::string> names;
  for (std::size_t kind = 0; kind < kKinds; ++kind) names.push_back(kind_name(kind));
  std::string text = head("earlier \\ later", names);
  for (std::size_t earlier = 0; earlier < kFree; ++earlier) {
    std::vector<std::string> cells;
    for (std::size_t later = 0; later < kKinds; ++later) {
      const bool met = ordered_[earlier][later] >= kEnough && unordered_[earlier][later] >= kEnough;
      cells.emplace_back(!met ? "-" : clash(earlier, later) ? "race" : "no race");
    }
    text += row(names[earlier], cells);
  }
  return text;
}

void Coverage::add(const Program& program) {
  const Oracle oracle(program);
  for (std::size_t a = 0; a < program.calls.size(); ++a) {
    for (std::size_t b = a + 1; b < program.calls.size(); ++b) {
      for (const Touch& first : program.calls[a].touches) {
        for (const Touch& second : program.calls[b].touches) {
          const auto byte = shared_byte(first, second);
          if (!byte || oracle.freed_between(a, b, *byte)) continue;
          met_.add(kind_of(program.calls[a], first), kind_of(program.calls[b], second),
                   oracle.ordered(a, b));
        }
      }
    }
    add_hidden(program, oracle, a);
  }
}

// The first access of call `first`, the next one to a byte of it on the same stream, and who comes
// later to that byte without order.
void Coverage::add_hidden(const Program& program, const Oracle& oracle, std::size_t first) {
  const auto& calls = program.calls;
  if (!is_item(calls[first]) || calls[first].touches.empty()) return;
  const Touch& hidden = calls[first].touches[0];
  const auto touching = [&](const Call& call) -> const Touch* {
    for (const Touch& touch : call.touches) {
      if (shared_byte(touch, hidden)) return &touch;
    }
    return nullptr;
  };
  for (std::size_t b = first + 1; b < calls.size(); ++b) {
    const Touch* const over = touching(calls[b]);
    if (!over) continue;
    if (calls[b].stream != calls[first].stream) return;
    const std::size_t byte = *shared_byte(*over, hidden);
    for (std::size_t c = b + 1; c < calls.size(); ++c) {
      const Touch* const later = touching(calls[c]);
      const bool meets = later && later->begin <= byte && byte < later->begin + later->size;
      if (!meets || oracle.ordered(first, c) || oracle.freed_between(first, c, byte)) continue;
      const std::size_t kind = kind_of(calls[c], *later);
      if (!clash(static_cast<std::size_t>(hidden.how), kind)) continue;
      ++hidden_[static_cast<std::size_t>(hidden.how)][static_cast<std::size_t>(over->how)][kind];
    }
    return;
  }
}

void Coverage::add_planted(const Program& program, const Call& edge) {
  add(program);
  const Oracle oracle(program);
  for (const Oracle::Race& race : oracle.races()) {
    planted_[order_name(edge)].insert(op_name(program.calls[race.first]));
    planted_[order_name(edge)].insert(op_name(program.calls[race.second]));
  }
}

std::string Coverage::hidden() const {
  std::vector<std::string> names;
  for (std::size_t kind = 0; kind < kHows; ++kind) names.push_back(kind_name(kind));
  std::string text = head("first \\ next on its stream", names);
  for (std::size_t first = 0; first < kHows; ++first) {
    std::size_t all = 0;
    for (std::size_t kind = 0; kind < MetAccesses::kKinds; ++kind)
      all += clash(first, kind) ? 1 : 0;
    std::vector<std::string> cells;
    for (const Kinds& kinds : hidden_[first])
      cells.push_back(fmt::format("{} of {}", kinds.size(), all));
    text += row(names[first], cells);
  }
  return text;
}

std::string Coverage::planted() const {
  const std::vector<std::string> ops{"task", "value", "callback", "host access", "free"};
  std::string text = head("what is missing \\ what races", ops);
  for (const auto& [order, raced] : planted_) {
    std::vector<std::string> cells;
    for (const std::string& op : ops) cells.emplace_back(raced.count(op) != 0 ? "yes" : "-");
    text += row(order, cells);
  }
  return text;
}

}  // namespace ordertest
