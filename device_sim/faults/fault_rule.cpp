// SPDX-License-Identifier: Apache-2.0
#include "device_sim/faults/fault_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "device_sim/base/nearest_word.h"

namespace sim {
namespace {

struct KindRow {
  const char* name;
  FaultKind kind;
  const char* keys;   // in addition to kCommonKeys
  const char* needs;  // a required key, or null
  const char* op;     // the kind of task unless another is given; null: it takes no `op`, or any
};

constexpr KindRow kKinds[] = {
    {"call", FaultKind::call, "call code device", "call", nullptr},
    {"task", FaultKind::task, "op name code device stream", "code", nullptr},
    {"alloc", FaultKind::alloc, "call code device", nullptr, nullptr},
    {"no-event", FaultKind::no_event, "call code device", nullptr, nullptr},
    {"no-stream", FaultKind::no_stream, "call code device", nullptr, nullptr},
    {"no-notify", FaultKind::no_notify, "call code device", nullptr, nullptr},
    {"kernel", FaultKind::kernel, "name code device stream", nullptr, "kernel"},
    {"slow", FaultKind::slow, "op name delay device stream", nullptr, "copy"},
    {"stuck", FaultKind::stuck, "op name device stream", nullptr, "copy"},
    {"notify-timeout", FaultKind::notify_timeout, "name code device stream", nullptr,
     "notify-wait"},
    {"link-down", FaultKind::link_down, "peer code device stream", nullptr, nullptr},
    {"link-slow", FaultKind::link_slow, "peer delay device stream", nullptr, nullptr},
    {"ecc", FaultKind::ecc, "op name code device stream", nullptr, nullptr},
    {"device-lost", FaultKind::device_lost, "call op name code device stream", nullptr, nullptr},
    {"callback-dies", FaultKind::callback_dies, "device stream", nullptr, "callback"},
    {"process-dies", FaultKind::process_dies, "call op name device stream", nullptr, nullptr},
};

constexpr const char* kCommonKeys = "nth every from times probability seed";
constexpr Nanoseconds kDelay = 100'000'000;
constexpr Nanoseconds kLongestDelay = Nanoseconds{86'400} * 1'000'000'000;
constexpr std::uint64_t kMostMatches = UINT64_C(1) << 62;

const KindRow& row_of(FaultKind kind) {
  return *std::find_if(std::begin(kKinds), std::end(kKinds),
                       [&](const KindRow& row) { return row.kind == kind; });
}

bool has_word(std::string_view words, std::string_view word) {
  const std::string in = fmt::format(" {} ", words);
  return in.find(fmt::format(" {} ", word)) != std::string::npos;
}

std::vector<std::string> split(std::string_view words) {
  std::vector<std::string> list{""};
  for (const char c : words) {
    if (c == ' ') {
      list.emplace_back();
    } else {
      list.back() += c;
    }
  }
  return list;
}

/// The position of an error in the text of all faults.
struct Where {
  const std::string& fault;
  const std::string& key;
  const std::string& value;
};

[[noreturn]] void refuse(const Where& where, const std::string& expected) {
  throw FaultSpecError(fmt::format("fault '{}': {}: '{}' is not valid; expected {}", where.fault,
                                   where.key, where.value, expected),
                       where.key);
}

template <class T>
T number(const Where& where, T low, T high) {
  T parsed{};
  const char* const end = where.value.data() + where.value.size();
  const auto [at, error] = std::from_chars(where.value.data(), end, parsed);
  if (error != std::errc() || at != end || !(parsed >= low && parsed <= high)) {
    refuse(where, fmt::format("a number from {} to {}", low, high));
  }
  return parsed;
}

Nanoseconds duration(const Where& where) {
  static constexpr const char* kExpected = "a time such as 500us, 20ms or 2s, 24 hours at most";
  double count = 0;
  const char* const end = where.value.data() + where.value.size();
  const auto [at, error] = std::from_chars(where.value.data(), end, count);
  const std::string unit(at, end);
  const double scale = unit == "ns"   ? 1
                       : unit == "us" ? 1e3
                       : unit == "ms" ? 1e6
                       : unit == "s"  ? 1e9
                                      : 0;
  const double ns = count * scale;
  if (error != std::errc() || !(ns >= 1 && ns <= static_cast<double>(kLongestDelay))) {
    refuse(where, kExpected);
  }
  return static_cast<Nanoseconds>(ns);
}

std::string text_value(const Where& where) {
  if (where.value.empty()) refuse(where, "a name, in which * stands for any characters");
  return where.value;
}

std::string op_value(const Where& where) {
  const auto& ops = fault_ops();
  if (std::find(ops.begin(), ops.end(), where.value) == ops.end()) {
    refuse(where,
           fmt::format("one of: {}{}", fmt::join(ops, ", "), did_you_mean(where.value, ops)));
  }
  return where.value;
}

/// The values of the keys that decide when a fault fires, until all of them are known.
struct When {
  std::optional<std::uint64_t> nth, every, from, times;
  std::optional<double> probability;
};

void read(FaultRule& rule, When& when, const Where& where) {
  const std::string& key = where.key;
  const auto count = [&] { return number<std::uint64_t>(where, 1, kMostMatches); };
  if (key == "device") rule.device = number(where, 0, 1023);
  if (key == "peer") rule.peer = number(where, 0, 1023);
  if (key == "stream") rule.stream = number<std::uint32_t>(where, 0, UINT32_MAX);
  if (key == "call") rule.call = text_value(where);
  if (key == "name") rule.name = text_value(where);
  if (key == "op") rule.op = op_value(where);
  if (key == "code") rule.code = number<std::int32_t>(where, 1, INT32_MAX);
  if (key == "delay") rule.delay_ns = duration(where);
  if (key == "seed") rule.seed = number<std::uint64_t>(where, 0, UINT64_MAX);
  if (key == "probability") when.probability = number<double>(where, 0, 1);
  if (key == "nth") when.nth = count();
  if (key == "every") when.every = count();
  if (key == "from") when.from = count();
  if (key == "times") when.times = count();
}

void settle(FaultRule& rule, const When& when) {
  if (when.nth && (when.every || when.from || when.times || when.probability)) {
    throw FaultSpecError(
        fmt::format("fault '{}': nth cannot be combined with every, from, times or probability",
                    rule.text),
        "nth");
  }
  if (rule.seed && !when.probability) {
    throw FaultSpecError(fmt::format("fault '{}': seed needs probability", rule.text), "seed");
  }
  const bool once = !when.every && !when.from && !when.times && !when.probability;
  rule.first = when.nth.value_or(when.from.value_or(when.every.value_or(1)));
  rule.every = when.every.value_or(1);
  rule.times = once ? 1 : when.times.value_or(UINT64_MAX);
  rule.probability = when.probability.value_or(1);
}

void check(const KindRow& row, const FaultRule& rule, const FaultWords& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& key = words[i].first;
    if (!has_word(row.keys, key) && !has_word(kCommonKeys, key)) {
      const std::vector<std::string> keys = split(fmt::format("{} {}", row.keys, kCommonKeys));
      throw FaultSpecError(
          fmt::format("fault '{}': '{}' is not a key of {}; expected one of: {}{}", rule.text, key,
                      row.name, fmt::join(keys, ", "), did_you_mean(key, keys)),
          key);
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (words[j].first != key) continue;
      throw FaultSpecError(fmt::format("fault '{}': {} is given twice", rule.text, key));
    }
  }
  const auto given = [&](std::string_view key) {
    return std::any_of(words.begin(), words.end(),
                       [&](const auto& word) { return word.first == key; });
  };
  const bool call = row.kind == FaultKind::call;
  if ((row.needs && !given(row.needs)) || (call && !given("code"))) {
    throw FaultSpecError(fmt::format("fault '{}': {} needs {}", rule.text, row.name,
                                     call ? "call=NAME and code=NUMBER" : "code=NUMBER"));
  }
  if (rule.peer && !rule.device) {
    throw FaultSpecError(fmt::format("fault '{}': peer needs device, the other end", rule.text),
                         "peer");
  }
  if (rule.peer && rule.peer == rule.device) {
    throw FaultSpecError(fmt::format("fault '{}': peer: '{}' is not valid; expected another device "
                                     "than the one of device={}",
                                     rule.text, *rule.peer, *rule.device),
                         "peer");
  }
  if (!rule.call.empty() && !(rule.op.empty() && rule.name.empty() && !rule.stream) && !call) {
    throw FaultSpecError(
        fmt::format("fault '{}': call cannot be combined with op, name or stream; expected either",
                    rule.text),
        "call");
  }
}

FaultRule build(const std::string& text, const std::string& kind, const FaultWords& words) {
  const auto row = std::find_if(std::begin(kKinds), std::end(kKinds),
                                [&](const KindRow& at) { return at.name == kind; });
  if (row == std::end(kKinds)) {
    std::vector<std::string> names;
    for (const KindRow& at : kKinds) names.emplace_back(at.name);
    throw FaultSpecError(
        fmt::format("fault '{}': '{}' is not a kind of fault; expected one of: {}{}", text, kind,
                    fmt::join(names, ", "), did_you_mean(kind, names)),
        "kind");
  }
  FaultRule rule;
  rule.kind = row->kind;
  rule.text = text;
  When when;
  for (const auto& [key, value] : words) read(rule, when, {text, key, value});
  check(*row, rule, words);
  settle(rule, when);
  if (row->op && rule.op.empty()) rule.op = row->op;
  const bool delays = rule.kind == FaultKind::slow || rule.kind == FaultKind::link_slow;
  if (delays && rule.delay_ns == 0) rule.delay_ns = kDelay;
  return rule;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

/// Calls `f` with each piece between separators.
template <class F>
void for_each_piece(std::string_view text, char separator, F&& f) {
  for (;;) {
    const auto end = text.find(separator);
    f(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

const char* name(FaultKind kind) noexcept { return row_of(kind).name; }

const std::vector<std::string>& fault_ops() {
  static const auto* const ops = new std::vector<std::string>{
      "copy", "fill", "kernel", "callback", "wait", "notify-wait", "other", "collective"};
  return *ops;
}

FaultRule parse_fault(std::string_view spec) {
  const std::string text(trimmed(spec));
  std::string kind;
  FaultWords words;
  bool first = true;
  for_each_piece(text, ',', [&](std::string_view piece) {
    const auto equals = piece.find('=');
    if (std::exchange(first, false)) {
      kind = piece;
    } else if (equals == std::string_view::npos) {
      throw FaultSpecError(
          fmt::format("fault '{}': '{}' has no value; expected KEY=VALUE", text, piece));
    } else {
      words.emplace_back(trimmed(piece.substr(0, equals)), trimmed(piece.substr(equals + 1)));
    }
  });
  return build(text, kind, words);
}

FaultRule make_fault(const std::string& kind, const FaultWords& words) {
  std::string text = kind;
  for (const auto& [key, value] : words) text += fmt::format(",{}={}", key, value);
  return build(text, kind, words);
}

std::vector<FaultRule> parse_faults(std::string_view specs) {
  std::vector<FaultRule> rules;
  for_each_piece(specs, ';', [&](std::string_view spec) {
    if (!spec.empty()) rules.push_back(parse_fault(spec));
  });
  return rules;
}

}  // namespace sim
