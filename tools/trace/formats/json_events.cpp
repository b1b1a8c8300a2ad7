// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/formats/json_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "tools/trace/files/cut_off.h"
#include "tools/trace/files/raw_json.h"
#include "tools/trace/formats/json_mend.h"

namespace trace {
namespace {

/// Sums and differences of times shall stay within 64 bits: this is the year 2043.
constexpr Nanoseconds kLatest = Nanoseconds{1} << 61;

template <class Number>
std::optional<Number> parse(std::string_view raw) {
  Number value{};
  const auto [at, error] = std::from_chars(raw.data(), raw.data() + raw.size(), value);
  if (error == std::errc() && at == raw.data() + raw.size() && !raw.empty()) return value;
  return std::nullopt;
}

/// The value in ns of a number in scientific notation.
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

namespace {

/// Digits, and perhaps a point and up to three more: nearly all times.
std::optional<Nanoseconds> plain_microseconds(std::string_view raw) {
  constexpr std::size_t kFits = 16;  // digits of kLatest
  constexpr std::uint64_t kScale[]{1000, 100, 10, 1};
  const std::size_t point = std::min(raw.find('.'), raw.size());
  const std::size_t decimals = raw.size() - std::min(point + 1, raw.size());
  if (point == 0 || point > kFits || decimals > 3) return std::nullopt;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (i == point) continue;
    const auto digit = static_cast<unsigned char>(raw[i] - '0');
    if (digit > 9) return std::nullopt;
    value = value * 10 + digit;
  }
  value *= kScale[decimals];
  if (value > std::uint64_t{kLatest}) return std::nullopt;
  return static_cast<Nanoseconds>(value);
}

}  // namespace

std::optional<Nanoseconds> JsonCell::microseconds() const {
  if (const auto ns = plain_microseconds(raw)) return ns;
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

enum class JsonField : std::uint8_t { other, ph, ts, id, pid, tid, cat, dur, name, args };

namespace {

/// Compares as many bytes as the compiler knows.
JsonField field_of(std::string_view key) {
  const auto is = [key](const auto& word) {
    return std::memcmp(key.data(), word, sizeof word - 1) == 0;
  };
  switch (key.size()) {
    case 2:
      return is("ph")   ? JsonField::ph
             : is("ts") ? JsonField::ts
             : is("id") ? JsonField::id
                        : JsonField::other;
    case 3:
      if (is("dur")) return JsonField::dur;
      if (is("cat")) return JsonField::cat;
      return is("pid") ? JsonField::pid : is("tid") ? JsonField::tid : JsonField::other;
    case 4:
      return is("name") ? JsonField::name : is("args") ? JsonField::args : JsonField::other;
    default:
      return JsonField::other;
  }
}

}  // namespace

/// The handler that RapidJSON calls with the parts of the text; false ends the parse.
struct JsonEvents::Walk : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Walk> {
  using Field = JsonField;
  /// The kind of value that the reader is in.
  enum class Inside : std::uint8_t { none, top, below, events, event, args, passed_over };

  const JsonEvents& owner;
  const std::function<void(const JsonEvent&)>& on_event;
  const std::function<void(const std::string&, JsonCell)>& on_head;
  std::string_view whole{};
  std::uint32_t events_known = 0;  // that were reported before a restart
  std::uint32_t heads_known = 0;
  JsonEvent event{};
  std::uint32_t heads = 0;
  bool any = false;   // an array of events
  bool bare = false;  // which is the whole text
  Inside inside = Inside::none;
  Inside around = Inside::none;  // where the skipped value began
  std::uint64_t depth = 0;       // of the skipped value
  std::uint32_t complete = 0;    // events
  std::string_view key{};
  Field field = Field::other;  // of an event
  std::string top_key{};
  Unescaped texts{};

  Walk(const JsonEvents& of, const std::function<void(const JsonEvent&)>& event_taker,
       const std::function<void(const std::string&, JsonCell)>& head_taker)
      : owner(of), on_event(event_taker), on_head(head_taker), whole(of.text_.view()) {}

  /// Starts again; events and heads that were reported are not reported again.
  void restart() {
    events_known = complete;
    heads_known = heads;
    event.index = complete = heads = 0;
    any = bare = false;
    inside = Inside::none;
  }

  bool Default() { return false; }
  bool Null() { return value({"null"}); }
  bool Bool(bool it) { return value({it ? "true" : "false"}); }
  bool RawNumber(const char* at, rapidjson::SizeType size, bool) { return value({{at, size}}); }
  bool String(const char* at, rapidjson::SizeType size, bool) { return value({{at, size}, true}); }

  bool Key(const char* at, rapidjson::SizeType size, bool) {
    if (inside == Inside::passed_over) return true;
    key = texts.of({at, size});
    if (inside == Inside::event) {
      field = field_of(key);
    } else if (inside == Inside::top) {
      top_key = key;
    }
    return true;
  }

  bool StartObject();
  bool EndObject(rapidjson::SizeType) { return close(); }
  bool StartArray();
  bool EndArray(rapidjson::SizeType) { return close(); }

  bool value(JsonCell cell);
  bool pass_over(const char* bracket);
  bool close();
  void start_event();
  void end_event();
  void take(JsonCell cell);
  void head(const std::string& name, JsonCell cell) {
    if (++heads > heads_known) on_head(name, cell);
  }
};

void JsonEvents::Walk::start_event() {
  inside = Inside::event;
  event.phase = 0;
  event.name = event.category = {};
  event.pid = event.tid = event.ts = event.dur = event.id = {};
  event.args_.clear();
}

/// A value of an event other than its args.
void JsonEvents::Walk::take(JsonCell cell) {
  switch (field) {
    case Field::ph:
      event.phase = cell.text && !cell.raw.empty() ? texts.of(cell.raw)[0] : '\0';
      break;
    case Field::name:
      event.name = cell.text ? texts.of(cell.raw) : std::string_view();
      break;
    case Field::cat:
      event.category = cell.text ? texts.of(cell.raw) : std::string_view();
      break;
    case Field::pid:
      event.pid = cell;
      break;
    case Field::tid:
      event.tid = cell;
      break;
    case Field::ts:
      event.ts = cell;
      break;
    case Field::dur:
      event.dur = cell;
      break;
    case Field::id:
      event.id = cell;
      break;
    case Field::args:
    case Field::other:
      break;
  }
}

/// A number, a text, a word; or the bracket of a skipped value.
bool JsonEvents::Walk::value(JsonCell cell) {
  switch (inside) {
    case Inside::passed_over:
      return true;
    case Inside::args:
      event.args_.push_back({key, cell});
      return true;
    case Inside::event:
      take(cell);
      return true;
    case Inside::top:
      if (key == "traceEvents") return false;
      if (on_head) head(top_key, cell);
      return true;
    case Inside::below:
      head(top_key + "." + std::string(key), cell);
      return true;
    case Inside::events:
      ++event.index;
      return false;
    case Inside::none:
      break;
  }
  return false;
}

bool JsonEvents::Walk::pass_over(const char* bracket) {
  if (inside == Inside::passed_over) {
    ++depth;
    return true;
  }
  if (!value({{bracket, 1}})) return false;
  around = inside;
  inside = Inside::passed_over;
  depth = 1;
  return true;
}

bool JsonEvents::Walk::StartObject() {
  switch (inside) {
    case Inside::none:
      inside = Inside::top;
      return true;
    case Inside::events:
      ++event.index;
      start_event();
      return true;
    case Inside::event:
      if (field != Field::args) break;
      inside = Inside::args;
      return true;
    case Inside::top:
      if (key == "traceEvents" || !on_head) break;
      inside = Inside::below;
      return true;
    case Inside::below:
    case Inside::args:
    case Inside::passed_over:
      break;
  }
  return pass_over("{");
}

bool JsonEvents::Walk::StartArray() {
  bare = bare || inside == Inside::none;
  if (inside == Inside::none || (inside == Inside::top && key == "traceEvents")) {
    inside = Inside::events;
    any = true;
    return true;
  }
  return pass_over("[");
}

void JsonEvents::Walk::end_event() {
  constexpr std::uint32_t kSeldom = 1024;
  if (event.dur.raw.starts_with('-') && event.dur.microseconds().value_or(0) < 0) {
    owner.refuse(event, "`dur` is negative; expected a duration");
  }
  on_event(event);
  if (complete % kSeldom != 0 || !owner.watch_ || event.ts.empty()) return;
  owner.watch_(static_cast<std::uint64_t>(event.ts.raw.data() - whole.data()), whole.size());
}

bool JsonEvents::Walk::close() {
  switch (inside) {
    case Inside::passed_over:
      if (--depth == 0) inside = around;
      break;
    case Inside::args:
      inside = Inside::event;
      break;
    case Inside::event:
      inside = Inside::events;
      ++complete;
      if (complete > events_known) end_event();
      break;
    case Inside::events:
      inside = bare ? Inside::none : Inside::top;
      break;
    case Inside::below:
      inside = Inside::top;
      break;
    case Inside::top:
    case Inside::none:
      inside = Inside::none;
      break;
  }
  return true;
}

namespace {

/// RapidJSON takes a zero for the end; what comes after it is more text.
template <class Handler>
rapidjson::ParseResult read_json(std::string_view text, Handler& handler) {
  RawJsonReader reader;
  RawJson json(without_bom(text));
  auto result =
      reader.Parse<kRawJson | rapidjson::kParseNanAndInfFlag, RawJson, Handler>(json, handler);
  if (!result.IsError() && json.at() != text.data() + text.size()) {
    result.Set(rapidjson::kParseErrorDocumentRootNotSingular, json.Tell());
  }
  return result;
}

}  // namespace

void JsonEvents::walk(const std::function<void(const JsonEvent&)>& on_event,
                      const std::function<void(const std::string&, JsonCell)>& on_head) {
  Walk walk(*this, on_event, on_head);
  rapidjson::ParseResult result = read_json(text_.view(), walk);
  Text mended;
  if (result.Code() == rapidjson::kParseErrorValueInvalid ||
      result.Code() == rapidjson::kParseErrorStringUnicodeSurrogateInvalid) {
    mended = mend_json(text_);
    if (mended.size != 0) {
      walk.restart();
      walk.whole = mended.view();
      result = read_json(mended.view(), walk);
    }
  }
  if (result.Code() == rapidjson::kParseErrorDocumentRootNotSingular) {
    throw InputError(path_, "more text after the JSON value; expected one value");
  }
  if (result.IsError() && cut_off(text_.view())) {
    throw InputError(
        path_, fmt::format("is truncated after event {}; expected the whole file", walk.complete));
  }
  if (result.IsError()) {
    throw InputError(path_,
                     fmt::format("not well-formed JSON after event {} ({}); expected a "
                                 "Chrome trace",
                                 walk.event.index, problem_of(result, "A value of another type")));
  }
  if (!walk.any) {
    throw InputError(path_, "has no `traceEvents`; expected an object with an array of events");
  }
}

void JsonEvents::refuse(const JsonEvent& event, std::string_view text) const {
  throw InputError(path_, fmt::format("event {} ('{}'): {}", event.index, shown(event.name), text));
}

Nanoseconds JsonEvents::time(const JsonEvent& event, const JsonCell& cell, const char* name) const {
  if (const auto ns = cell.microseconds()) return *ns;
  refuse(event, fmt::format("`{}` is '{}'; expected microseconds", name, shown(cell.raw)));
}

}  // namespace trace
