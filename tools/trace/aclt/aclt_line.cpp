// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/aclt/aclt_line.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <bit>

#include "tools/trace/files/input_error.h"

namespace trace {
namespace {

namespace od = simdjson::ondemand;

enum class Type : std::uint8_t {
  number,
  integer,
  flag,
  text,
  either,
  ranks,
  rd,
  wr,
  deps,
  source,
  args
};

struct KeyRow {
  std::string_view word;
  AcltKey key;
  Type type;
};

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
    {"ranks", K::ranks, Type::ranks},
    {"rd", K::rd, Type::rd},
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
    {"wr", K::wr, Type::wr},
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
    case Type::ranks:
      return "an array of whole numbers";
    case Type::rd:
    case Type::wr:
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

/// The simdjson side of the parser. Each take_... throws simdjson_error on a wrong type.
struct AcltParser::Json {
  od::parser parser;

  /// Without copying it, as long as nothing in it is escaped.
  static std::string_view key_of(od::field& field) {
    const char* const raw = field.key().raw();
    std::size_t size = 0;
    while (raw[size] != '"' && raw[size] != '\\') ++size;
    if (raw[size] == '"') return {raw, size};
    // As a result: the field's own function wants an argument from simdjson 3.2 on.
    return simdjson::simdjson_result<od::field>(od::field(field)).unescaped_key();
  }

  static void take_ranks(AcltLine& line, od::value value) {
    for (od::value rank : value.get_array()) line.ranks.push_back(rank.get_uint64());
  }

  static void take_ranges(AcltLine& line, od::value value, bool write) {
    for (od::value row : value.get_array()) {
      std::array<std::uint64_t, 3> cells{};
      std::size_t count = 0;
      for (od::value cell : row.get_array()) {
        if (count == cells.size()) throw simdjson::simdjson_error(simdjson::INCORRECT_TYPE);
        cells[count++] = cell.get_uint64();
      }
      if (count != cells.size()) throw simdjson::simdjson_error(simdjson::INCORRECT_TYPE);
      line.ranges.push_back({cells[0], cells[1], cells[2], write});
    }
  }

  static AcltDep dep_with_how(od::value value) {
    AcltDep dep{};
    int count = 0;
    for (od::value cell : value.get_array()) {
      if (count == 0) dep.op = cell.get_uint64();
      if (count == 1) dep.how = cell.get_string();
      ++count;
    }
    if (count != 2) throw simdjson::simdjson_error(simdjson::INCORRECT_TYPE);
    return dep;
  }

  static void take_deps(AcltLine& line, od::value value) {
    for (od::value dep : value.get_array()) {
      const bool plain = dep.type() == od::json_type::number;
      line.deps.push_back(plain ? AcltDep{dep.get_uint64(), {}} : dep_with_how(dep));
    }
  }

  static void take_source(AcltLine& line, od::value value) {
    for (auto field : value.get_object()) {
      const std::string_view key = field.unescaped_key();
      if (key == "tool") line.source.tool = field.value().get_string();
      if (key == "file") line.source.file = field.value().get_string();
    }
  }

  static void take_args(AcltLine& line, od::value value) {
    od::object object = value.get_object();
    line.args = object.raw_json();
  }

  static void take(AcltLine& line, const KeyRow& row, od::value value) {
    const auto at = static_cast<std::size_t>(row.key);
    switch (row.type) {
      case Type::number:
        line.numbers_[at] = value.get_uint64();
        break;
      case Type::integer:
        line.numbers_[at] = static_cast<std::uint64_t>(std::int64_t{value.get_int64()});
        break;
      case Type::flag:
        line.numbers_[at] = bool{value.get_bool()} ? 1 : 0;
        break;
      case Type::text:
        line.texts_[at] = value.get_string();
        break;
      case Type::either:
        if (value.type() == od::json_type::number) {
          line.numbers_[at] = value.get_uint64();
        } else {
          line.texts_[at] = value.get_string();
        }
        break;
      case Type::ranks:
        return take_ranks(line, value);
      case Type::rd:
      case Type::wr:
        return take_ranges(line, value, row.type == Type::wr);
      case Type::deps:
        return take_deps(line, value);
      case Type::source:
        return take_source(line, value);
      case Type::args:
        return take_args(line, value);
    }
  }
};

/// Only what the line before had: most lines have few keys.
void AcltLine::clear() {
  for (; seen_ != 0; seen_ &= seen_ - 1) {
    const auto at = static_cast<std::size_t>(std::countr_zero(seen_));
    numbers_[at] = 0;
    texts_[at] = {};
  }
}

AcltParser::AcltParser() : json_(new Json) {}
AcltParser::~AcltParser() { delete json_; }

bool AcltParser::parse(std::string_view text) {
  line_.clear();
  line_.ranks.clear();
  line_.ranges.clear();
  line_.deps.clear();
  line_.source = {};
  line_.args = {};
  const KeyRow* row = nullptr;
  try {
    od::document document = json_->parser.iterate(text.data(), text.size(), text.size() + 64);
    for (od::field field : document.get_object()) {
      row = nullptr;
      row = key_index().find(Json::key_of(field));
      if (!row) continue;
      line_.seen_ |= std::uint64_t{1} << static_cast<int>(row->key);
      Json::take(line_, *row, field.value());
    }
    row = nullptr;
    if (document.current_location().error() == simdjson::OUT_OF_BOUNDS) return true;  // at the end
    error_ = "more text behind the object; expected one JSON object a line";
  } catch (const simdjson::simdjson_error& error) {
    const bool wrong_type = error.error() == simdjson::INCORRECT_TYPE ||
                            error.error() == simdjson::NUMBER_ERROR ||
                            error.error() == simdjson::NUMBER_OUT_OF_RANGE;
    error_ = row && wrong_type
                 ? fmt::format("`{}` is not valid; expected {}", row->word, expected(row->type))
                 : fmt::format("no JSON object ({}); expected one a line", error.what());
  }
  return false;
}

}  // namespace trace
