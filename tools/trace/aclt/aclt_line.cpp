// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/aclt/aclt_line.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>

#include "tools/trace/files/raw_json.h"

namespace trace {
enum class AcltType : std::uint8_t {
  number,
  integer,
  flag,
  text,
  either,
  numbers,
  bytes,
  deps,
  source,
  args
};

struct AcltKeyRow {
  std::string_view word;
  AcltKey key;
  AcltType type;
};

namespace {

using Type = AcltType;
using KeyRow = AcltKeyRow;
using K = AcltKey;
constexpr std::array<KeyRow, kAcltKeys> kRows{{
    {"aclt", K::aclt, Type::number},
    {"addr", K::addr, Type::number},
    {"algo", K::algo, Type::text},
    {"args", K::args, Type::args},
    {"base_ns", K::base_ns, Type::integer},
    {"blocks", K::blocks, Type::flag},
    {"buf", K::buf, Type::number},
    {"bytes", K::bytes, Type::number},
    {"clock", K::clock, Type::text},
    {"clock_bound_ns", K::clock_bound_ns, Type::integer},
    {"clock_offset_ns", K::clock_offset_ns, Type::integer},
    {"clock_pairs", K::clock_pairs, Type::number},
    {"cmp", K::cmp, Type::text},
    {"count", K::count, Type::number},
    {"d", K::d, Type::integer},
    {"def", K::def, Type::text},
    {"dep", K::dep, Type::deps},
    {"dev", K::dev, Type::integer},
    {"dst", K::dst, Type::integer},
    {"ev", K::ev, Type::number},
    {"gen", K::gen, Type::number},
    {"graph", K::graph, Type::number},
    {"group", K::group, Type::number},
    {"h", K::h, Type::number},
    {"i", K::i, Type::number},
    {"id", K::id, Type::number},
    {"inf", K::inf, Type::text},
    {"iss", K::iss, Type::integer},
    {"kind", K::kind, Type::text},
    {"may", K::may, Type::numbers},
    {"mode", K::mode, Type::text},
    {"n", K::n, Type::either},
    {"name", K::name, Type::text},
    {"nid", K::nid, Type::number},
    {"num", K::num, Type::integer},
    {"op", K::op, Type::text},
    {"opt", K::opt, Type::flag},
    {"ordered", K::ordered, Type::flag},
    {"pageable", K::pageable, Type::flag},
    {"peer", K::peer, Type::number},
    {"plane_of", K::plane_of, Type::number},
    {"prio", K::prio, Type::integer},
    {"rank", K::rank, Type::number},
    {"ranks", K::ranks, Type::numbers},
    {"rd", K::rd, Type::bytes},
    {"red", K::red, Type::bytes},
    {"s", K::s, Type::text},
    {"saw", K::saw, Type::flag},
    {"seq", K::seq, Type::number},
    {"site", K::site, Type::text},
    {"size", K::size, Type::number},
    {"source", K::source, Type::source},
    {"src", K::src, Type::integer},
    {"st", K::st, Type::number},
    {"sync", K::sync, Type::flag},
    {"t", K::t, Type::integer},
    {"tag", K::tag, Type::number},
    {"text", K::text, Type::text},
    {"upto", K::upto, Type::number},
    {"val", K::val, Type::number},
    {"what", K::what, Type::text},
    {"wr", K::wr, Type::bytes},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kAcltKeys; ++i) {
    if (static_cast<std::size_t>(kRows[i].key) != i) return false;
  }
  return true;
}
static_assert(in_order());

/// Keys by the first two letters and the length; few share a slot.
class KeyIndex {
 public:
  KeyIndex() {
    next_.fill(-1);
    head_.fill(-1);
    for (std::size_t i = 0; i < kAcltKeys; ++i) {
      const std::size_t slot = slot_of(kRows[i].word);
      next_[i] = head_[slot];
      head_[slot] = static_cast<std::int8_t>(i);
    }
  }
  const KeyRow* find(std::string_view word) const {
    if (word.empty()) return nullptr;
    for (int i = head_[slot_of(word)]; i >= 0; i = next_[static_cast<std::size_t>(i)]) {
      if (word == kRows[static_cast<std::size_t>(i)].word)
        return &kRows[static_cast<std::size_t>(i)];
    }
    return nullptr;
  }

 private:
  static std::size_t slot_of(std::string_view word) {
    const auto first = static_cast<unsigned char>(word.front());
    const auto last = static_cast<unsigned char>(word.back());
    return (first * 7U + last * 3U + word.size() * 31U) & 127U;
  }
  std::array<std::int8_t, kAcltKeys> next_;
  std::array<std::int8_t, 128> head_;
};

const KeyIndex& key_index() {
  static const KeyIndex index;
  return index;
}

template <class Number>
bool parse_number(std::string_view raw, Number& number) {
  const char* const end = raw.data() + raw.size();
  const auto [at, error] = std::from_chars(raw.data(), end, number);
  return error == std::errc() && at == end;
}

const char* expected(Type type) {
  switch (type) {
    case Type::number:
      return "a whole number from 0 to 18446744073709551615";
    case Type::integer:
      return "a whole number";
    case Type::flag:
      return "true or false";
    case Type::text:
      return "a text";
    case Type::either:
      return "a text, or the number of a name defined before";
    case Type::numbers:
      return "an array of whole numbers";
    case Type::bytes:
      return "an array of [buffer, offset, bytes]";
    case Type::deps:
      return "an array of op numbers or [op number, \"how\"]";
    case Type::source:
    case Type::args:
      break;
  }
  return "an object";
}

}  // namespace

const char* word(AcltKey key) { return kRows[static_cast<std::size_t>(key)].word.data(); }

/// The handler that RapidJSON calls with the parts of a line. It returns false if a value does not
/// have the type of its key.
struct AcltParser::Json : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Json> {
  explicit Json(AcltLine& to) : line(to) {}

  AcltLine& line;
  RawJsonReader reader{};
  Unescaped texts{};
  const RawJson* json = nullptr;
  const KeyRow* row = nullptr;  // of the key at depth 1; none: not known
  std::uint32_t depth = 0;      // open brackets; 1 is the line's object
  std::uint32_t skipped = 0;    // of these, inside of a value that is skipped
  std::string_view source_key{};
  const char* args = nullptr;
  std::array<std::uint64_t, 3> cells{};  // of an array at depth 3
  std::string_view how{};
  std::size_t count = 0;

  rapidjson::ParseResult parse(std::string_view text);

  bool Default() { return false; }
  bool Null() { return ignored(); }
  bool Bool(bool it);
  bool RawNumber(const char* at, rapidjson::SizeType size, bool copied);
  bool String(const char* at, rapidjson::SizeType size, bool copied);
  bool Key(const char* at, rapidjson::SizeType size, bool copied);
  bool StartObject();
  bool StartArray();
  bool EndObject(rapidjson::SizeType members);
  bool EndArray(rapidjson::SizeType elements);

  /// Whether any value is accepted at this place.
  bool ignored() const {
    if (skipped != 0 || depth == 0) return skipped != 0;
    if (depth == 1) return row == nullptr;
    return depth == 2 && row->type == Type::source && source_key != "tool" && source_key != "file";
  }
  bool skip() {
    ++skipped;
    ++depth;
    return true;
  }
  bool cell(std::uint64_t number);
};

bool AcltParser::Json::Bool(bool it) {
  if (ignored()) return true;
  if (depth != 1 || row->type != Type::flag) return false;
  line.numbers_[static_cast<std::size_t>(row->key)] = it ? 1 : 0;
  return true;
}

bool AcltParser::Json::RawNumber(const char* at, rapidjson::SizeType size, bool) {
  if (ignored()) return true;
  if (depth == 0) return false;
  std::uint64_t number = 0;
  if (row->type == Type::integer && depth == 1) {
    std::int64_t integer = 0;
    if (!parse_number({at, size}, integer)) return false;
    number = static_cast<std::uint64_t>(integer);
  } else if (!parse_number({at, size}, number)) {
    return false;
  }
  if (depth != 1) return cell(number);
  line.numbers_[static_cast<std::size_t>(row->key)] = number;
  return row->type == Type::number || row->type == Type::integer || row->type == Type::either;
}

/// A number in the array of a key, or in an array in it.
bool AcltParser::Json::cell(std::uint64_t number) {
  if (depth == 2 && row->type == Type::numbers) {
    (row->key == K::may ? line.may : line.ranks).push_back(number);
  } else if (depth == 2 && row->type == Type::deps) {
    line.deps.push_back({number, {}});
  } else if (depth == 3 && count < (row->type == Type::deps ? 1 : cells.size())) {
    cells[count++] = number;
  } else {
    return false;
  }
  return true;
}

bool AcltParser::Json::String(const char* at, rapidjson::SizeType size, bool) {
  if (ignored()) return true;
  const std::string_view text = texts.of({at, size});
  if (depth == 1 && (row->type == Type::text || row->type == Type::either)) {
    line.texts_[static_cast<std::size_t>(row->key)] = text;
  } else if (depth == 2 && row->type == Type::source) {
    (source_key == "tool" ? line.source.tool : line.source.file) = text;
  } else if (depth == 3 && row->type == Type::deps && count == 1) {
    how = text;
    ++count;
  } else {
    return false;
  }
  return true;
}

bool AcltParser::Json::Key(const char* at, rapidjson::SizeType size, bool) {
  if (skipped != 0) return true;
  const std::string_view key = texts.of({at, size});
  if (depth != 1) {
    source_key = key;
    return true;
  }
  row = key_index().find(key);
  if (row) line.seen_ |= std::uint64_t{1} << static_cast<int>(row->key);
  return true;
}

bool AcltParser::Json::StartObject() {
  if (ignored()) return skip();
  if (depth == 1 && row->type == Type::args) {
    args = json->at();
    return skip();
  }
  if (depth > 1 || (depth == 1 && row->type != Type::source)) return false;
  ++depth;
  return true;
}

bool AcltParser::Json::StartArray() {
  if (ignored()) return skip();
  if (depth == 0 || depth > 2) return false;
  const bool of_arrays = row->type == Type::bytes || row->type == Type::deps;
  if (!of_arrays && (row->type != Type::numbers || depth != 1)) return false;
  count = 0;
  ++depth;
  return true;
}

bool AcltParser::Json::EndObject(rapidjson::SizeType) {
  --depth;
  if (skipped == 0 || --skipped != 0) return true;
  if (depth == 1 && row && row->type == Type::args) {
    line.args = {args, static_cast<std::size_t>(json->at() + 1 - args)};
  }
  return true;
}

bool AcltParser::Json::EndArray(rapidjson::SizeType) {
  --depth;
  if (skipped != 0) {
    --skipped;
    return true;
  }
  if (depth != 2) return true;
  if (row->type == Type::deps) {
    line.deps.push_back({cells[0], how});
    return count == 2;
  }
  line.ranges.push_back({cells[0], cells[1], cells[2], row->key});
  return count == cells.size();
}

rapidjson::ParseResult AcltParser::Json::parse(std::string_view text) {
  texts.clear();
  row = nullptr;
  depth = skipped = 0;
  RawJson stream(text);
  json = &stream;
  auto result = reader.Parse<kRawJson, RawJson, Json>(stream, *this);
  if (!result.IsError() && stream.at() != text.data() + text.size()) {
    result.Set(rapidjson::kParseErrorDocumentRootNotSingular, stream.Tell());
  }
  return result;
}

/// Only what the line before had: most lines have few keys.
void AcltLine::clear() {
  for (; seen_ != 0; seen_ &= seen_ - 1) {
    const auto at = static_cast<std::size_t>(std::countr_zero(seen_));
    numbers_[at] = 0;
    texts_[at] = {};
  }
}

namespace {

bool is_about_value(rapidjson::ParseErrorCode code) {
  return code == rapidjson::kParseErrorTermination || code == rapidjson::kParseErrorValueInvalid ||
         code == rapidjson::kParseErrorNumberTooBig ||
         code == rapidjson::kParseErrorNumberMissFraction ||
         code == rapidjson::kParseErrorNumberMissExponent;
}

}  // namespace

AcltParser::AcltParser() : json_(new Json(line_)) {}
AcltParser::~AcltParser() { delete json_; }

bool AcltParser::parse(std::string_view text) {
  line_.clear();
  line_.ranks.clear();
  line_.ranges.clear();
  line_.may.clear();
  line_.deps.clear();
  line_.source = {};
  line_.args = {};
  const rapidjson::ParseResult result = json_->parse(text);
  if (!result.IsError()) return true;
  const KeyRow* const row = json_->row;
  if (row && is_about_value(result.Code()) && result.Offset() < text.size()) {
    error_ = fmt::format("`{}` is not valid; expected {}", row->word, expected(row->type));
  } else if (result.Code() == rapidjson::kParseErrorDocumentRootNotSingular) {
    error_ = "no JSON object alone, but more text after it; expected one a line";
  } else {
    error_ = fmt::format("no JSON object ({}); expected one a line",
                         problem_of(result, "Another value"));
  }
  return false;
}

}  // namespace trace
