// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/formats/json_events.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <charconv>
#include <cmath>

namespace trace {
namespace {

namespace od = simdjson::ondemand;

/// Sums and differences of times shall stay within 64 bits: this is the year 2043.
constexpr Nanoseconds kLatest = Nanoseconds{1} << 61;

template <class Number>
std::optional<Number> parse(std::string_view raw) {
  Number value{};
  const auto [at, error] = std::from_chars(raw.data(), raw.data() + raw.size(), value);
  if (error == std::errc() && at == raw.data() + raw.size() && !raw.empty()) return value;
  return std::nullopt;
}

JsonCell cell_of(std::string_view raw) {
  while (!raw.empty() &&
         (raw.back() == ' ' || raw.back() == '\n' || raw.back() == '\r' || raw.back() == '\t')) {
    raw.remove_suffix(1);
  }
  if (raw.size() >= 2 && raw.front() == '"') return {raw.substr(1, raw.size() - 2), true};
  return {raw, false};
}

/// What a number in scientific notation means in ns.
std::optional<Nanoseconds> from_double(std::string_view raw) {
  const auto value = parse<double>(raw);
  if (!value || !(std::abs(*value) < 2e15)) return std::nullopt;
  return static_cast<Nanoseconds>(std::llround(*value * 1000));
}

}  // namespace

std::optional<std::int64_t> JsonCell::integer() const { return parse<std::int64_t>(raw); }

std::optional<std::uint64_t> JsonCell::number() const {
  if (const auto value = parse<std::uint64_t>(raw)) return value;
  if (raw == "-1") return UINT64_MAX;
  return std::nullopt;
}

std::optional<Nanoseconds> JsonCell::microseconds() const {
  if (raw.find_first_of("eE") != std::string_view::npos) return from_double(raw);
  const std::size_t point = raw.find('.');
  const std::string_view whole = raw.substr(0, point);
  const bool negative = whole.starts_with('-');
  const auto us =
      whole.empty() || whole == "-" ? std::optional<std::int64_t>(0) : parse<std::int64_t>(whole);
  if (!us || raw.empty() || *us > kLatest / 1000 || *us < -kLatest / 1000) {
    return std::nullopt;
  }
  Nanoseconds fraction = 0;
  if (point != std::string_view::npos) {
    const std::string_view digits = raw.substr(point + 1);
    if (digits.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
    for (std::size_t i = 0; i < 3; ++i) {
      fraction = fraction * 10 + (i < digits.size() ? digits[i] - '0' : 0);
    }
    if (digits.size() > 3 && digits[3] >= '5') ++fraction;
  }
  return *us * 1000 + (negative ? -fraction : fraction);
}

JsonCell JsonEvent::arg(std::string_view key) const {
  for (const Arg& arg : args_) {
    if (arg.key == key) return arg.cell;
  }
  return {};
}

namespace {

/// Whether brackets or a text are open at the end: what a full disk or a killed profiler leaves.
bool cut_off(std::string_view text) {
  std::int64_t open = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      i += c == '\\';
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      ++open;
    } else if (c == '}' || c == ']') {
      if (--open < 0) return false;
    }
  }
  return quoted || open > 0;
}

}  // namespace

struct JsonEvents::Walk {
  struct NoEvents {};
  const std::function<void(const JsonEvent&)>& on_event;
  const std::function<void(const std::string&, JsonCell)>& on_head;
  JsonEvent event{};

  static std::string_view text_of(od::value value) {
    if (value.type() == od::json_type::string) return value.get_string();
    return {};
  }

  void take(std::string_view key, od::value value) {
    if (key == "ph") {
      const std::string_view phase = text_of(value);
      event.phase = phase.empty() ? '\0' : phase[0];
    } else if (key == "name") {
      event.name = text_of(value);
    } else if (key == "cat") {
      event.category = text_of(value);
    } else if (key == "pid") {
      event.pid = cell_of(value.raw_json_token());
    } else if (key == "tid") {
      event.tid = cell_of(value.raw_json_token());
    } else if (key == "ts") {
      event.ts = cell_of(value.raw_json_token());
    } else if (key == "dur") {
      event.dur = cell_of(value.raw_json_token());
    } else if (key == "id") {
      event.id = cell_of(value.raw_json_token());
    } else if (key == "args" && value.type() == od::json_type::object) {
      for (auto field : value.get_object()) {
        const std::string_view name = field.unescaped_key();
        event.args_.push_back({name, cell_of(field.value().raw_json_token())});
      }
    }
  }

  void events(od::array array) {
    for (od::value value : array) {
      const std::uint32_t index = event.index + 1;
      event.phase = 0;
      event.name = event.category = {};
      event.pid = event.tid = event.ts = event.dur = event.id = {};
      event.args_.clear();
      event.index = index;
      for (auto field : value.get_object()) {
        const std::string_view key = field.unescaped_key();
        take(key, field.value());
      }
      on_event(event);
    }
  }

  void below(const std::string& key, od::object object) {
    for (auto field : object) {
      const std::string name = key + "." + std::string(std::string_view(field.unescaped_key()));
      on_head(name, cell_of(field.value().raw_json_token()));
    }
  }

  void top(od::object object) {
    bool any = false;
    for (auto field : object) {
      const std::string key(std::string_view(field.unescaped_key()));
      od::value value = field.value();
      if (key == "traceEvents") {
        events(value.get_array());
        any = true;
      } else if (on_head && value.type() == od::json_type::object) {
        below(key, value.get_object());
      } else if (on_head) {
        on_head(key, cell_of(value.raw_json_token()));
      }
    }
    if (!any) throw NoEvents{};
  }
};

void JsonEvents::walk(const std::function<void(const JsonEvent&)>& on_event,
                      const std::function<void(const std::string&, JsonCell)>& on_head) {
  Walk walk{on_event, on_head};
  try {
    od::parser parser;
    od::document document = parser.iterate(text_.bytes.data(), text_.size, text_.size + kPadding);
    if (document.type() == od::json_type::array) {
      walk.events(document.get_array());
    } else {
      walk.top(document.get_object());
    }
    if (document.current_location().error() == simdjson::OUT_OF_BOUNDS) return;
  } catch (const Walk::NoEvents&) {
    throw InputError(path_, "has no `traceEvents`; expected an object with an array of events");
  } catch (const simdjson::simdjson_error& error) {
    if (cut_off(text_.view())) {
      throw InputError(path_, fmt::format("is truncated behind event {}; expected the whole file",
                                          walk.event.index));
    }
    throw InputError(path_, fmt::format("not well-formed JSON behind event {} ({}); expected a "
                                        "Chrome trace",
                                        walk.event.index, error.what()));
  }
  throw InputError(path_, "more text behind the JSON value; expected one value");
}

void JsonEvents::refuse(const JsonEvent& event, std::string_view text) const {
  throw InputError(path_, fmt::format("event {} ('{}'): {}", event.index, shown(event.name), text));
}

Nanoseconds JsonEvents::time(const JsonEvent& event, const JsonCell& cell, const char* name) const {
  if (const auto ns = cell.microseconds()) return *ns;
  refuse(event, fmt::format("`{}` is '{}'; expected microseconds", name, shown(cell.raw)));
}

}  // namespace trace
