// SPDX-License-Identifier: Apache-2.0
// Reading JSON from front to back, beside a library that builds it.
#include "tools/trace/files/json_reader.h"

#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/share.h"

using nlohmann::json;
using trace::JsonError;
using trace::JsonReader;

namespace {

/// Text with room behind it, filled with what would be part of the text.
class Padded {
 public:
  explicit Padded(const std::string& text) : bytes_(text + "\"}]\\11\"\""), size_(text.size()) {
    static_assert(JsonReader::kPadding == 8);
  }
  std::string_view view() const { return {bytes_.data(), size_}; }

 private:
  std::string bytes_;
  std::size_t size_;
};

json rebuilt(JsonReader& reader) {
  switch (reader.next()) {
    case '{': {
      json object = json::object();
      reader.object([&](std::string_view key) {
        const std::string name(key);
        object[name] = rebuilt(reader);
      });
      return object;
    }
    case '[': {
      json array = json::array();
      reader.array([&] { array.push_back(rebuilt(reader)); });
      return array;
    }
    case '"':
      return std::string(reader.text());
    default:
      return json::parse(reader.raw());
  }
}

json json_of(const std::string& text) {
  const Padded padded(text);
  JsonReader reader;
  reader.begin(padded.view());
  json value = rebuilt(reader);
  if (!reader.at_end()) throw JsonError("more", false);
  return value;
}

template <class Read>
bool fails(const std::string& text, bool wrong_type, Read&& take) {
  const Padded padded(text);
  JsonReader reader;
  try {
    reader.begin(padded.view());
    take(reader);
  } catch (const JsonError& error) {
    return error.wrong_type() == wrong_type;
  }
  return false;
}

}  // namespace

TEST_CASE("values come as they stand in the text") {
  const std::string text =
      R"( {"a" : [ 1 , -2, 2.5e3, true,false , null ], "b":{}, "c" : [] , "d":{"e":"f"}, "":"" } )";
  CHECK(json_of(text) == json::parse(text));
  for (const char* const escaped :
       {R"("\"\\\/\b\f\n\r\t")", R"("\u0041\u00e9\u20ac\ud83d\ude00 end")", R"("12345678\n")",
        "\"h\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"", R"({"k\u0065y":1})", "\"1234567\""}) {
    CAPTURE(escaped);
    CHECK(json_of(escaped) == json::parse(escaped));
  }
}

TEST_CASE("text that is not JSON is refused") {
  for (const char* const text : {"",
                                 " ",
                                 "{",
                                 "[",
                                 "[1",
                                 "[1,",
                                 "[1,]",
                                 "{\"a\"",
                                 "{\"a\":",
                                 "{\"a\":1",
                                 "{\"a\":1,}",
                                 "{\"a\" 1}",
                                 "{a:1}",
                                 "[1 2]",
                                 "[,1]",
                                 "\"",
                                 "\"abc",
                                 "\"abc\\",
                                 "\"abc\\\"",
                                 "\"a\nb\"",
                                 R"("\x")",
                                 R"("\u12")",
                                 R"("\u12g4")",
                                 R"("\ud800")",
                                 R"("\ud800\u0041")",
                                 R"("\udc00")",
                                 "\"\xff\"",
                                 "\"\xc0\x80\"",
                                 "\"\xe0\x80\x80\"",
                                 "\"\xed\xa0\x80\"",
                                 "\"\xf4\x90\x80\x80\"",
                                 "\"\xe2\x82",
                                 "}",
                                 "]",
                                 "[1]]",
                                 "{}{}",
                                 "?"}) {
    CAPTURE(text);
    CHECK_THROWS(json_of(text));
  }
}

TEST_CASE("numbers are whole, fit, and are read to their end") {
  const auto number = [](const std::string& text) {
    const Padded padded(text);
    JsonReader reader;
    reader.begin(padded.view());
    return reader.number();
  };
  CHECK(number("18446744073709551615") == UINT64_MAX);
  CHECK(number(" 0 ") == 0);
  const auto take_number = [](JsonReader& reader) { reader.number(); };
  const auto take_integer = [](JsonReader& reader) { reader.integer(); };
  for (const char* const text : {"18446744073709551616", "-1", "1.0", "1e3", "01", "1x", "true"}) {
    CAPTURE(text);
    CHECK(fails(text, true, take_number));
  }
  for (const char* const text : {"9223372036854775808", "-", "-01", "\"1\"", "[1]"}) {
    CAPTURE(text);
    CHECK(fails(text, true, take_integer));
  }
  CHECK(fails("", false, take_number));
}

TEST_CASE("another type than the one asked for is told apart from what is no JSON") {
  CHECK(fails("1", true, [](JsonReader& reader) { reader.text(); }));
  CHECK(fails("\"1\"", true, [](JsonReader& reader) { reader.flag(); }));
  CHECK(fails("truth", true, [](JsonReader& reader) { reader.flag(); }));
  CHECK(fails("[]", true, [](JsonReader& reader) { reader.object([](std::string_view) {}); }));
  CHECK(fails("{}", true, [](JsonReader& reader) { reader.array([] {}); }));
  CHECK(fails("[]", true, [](JsonReader& reader) { reader.raw_object(); }));
  CHECK(fails("", false, [](JsonReader& reader) { reader.text(); }));
}

TEST_CASE("what nobody reads is passed over, brackets in texts and all") {
  const Padded padded(R"({"a":{"b":["]}",{"c":"\"}"}]},"d":"x]","e":-1.5e-3,"f":[[]],"g":7})");
  JsonReader reader;
  reader.begin(padded.view());
  std::uint64_t found = 0;
  std::string_view object;
  reader.object([&](std::string_view key) {
    if (key == "a") object = reader.raw_object();
    if (key == "g") found = reader.number();
  });
  CHECK(found == 7);
  CHECK(object == R"({"b":["]}",{"c":"\"}"}]})");
  CHECK(reader.at_end());
}

// Bytes of a good text are changed: what the library takes is read with the same values.
TEST_CASE("what a library takes is read alike") {
  const std::string good =
      R"({"op":"kernel","t":-12,"n":"a\u00e9\"b","rd":[[1,2,3],[4,5,6]],"f":true,"x":{"y":null,"z":1.5e2}})";
  const std::string pieces = "{}[],:\"\\ u0139-.eEtfn\n\t\x7f\xc3\xa9";
  std::mt19937_64 random(support::first_seed());
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
  int taken = 0;
  for (int i = 0; i < 40'000; ++i) {
    std::string text = good;
    for (std::size_t changes = 1 + below(3); changes != 0; --changes) {
      const std::size_t at = below(text.size());
      if (below(3) == 0) {
        text.erase(at, 1 + below(3));
      } else if (below(2) == 0) {
        text.insert(at, 1, pieces[below(pieces.size())]);
      } else {
        text[at] = pieces[below(pieces.size())];
      }
    }
    const json expected = json::parse(text, nullptr, false);
    if (expected.is_discarded()) continue;
    ++taken;
    CAPTURE(text);
    json found;
    REQUIRE_NOTHROW(found = json_of(text));
    REQUIRE(found == expected);
  }
  CHECK(taken > 500);
}
