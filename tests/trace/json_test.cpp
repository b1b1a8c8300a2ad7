// SPDX-License-Identifier: Apache-2.0
// JSON as it should not be, or as few write it: in Chrome traces and in the native format.
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tools/trace/formats/json_events.h"
#include "tools/trace/read_trace.h"

namespace {

using catch_compat::ContainsSubstring;

constexpr const char* kEventOfJson = R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":2})";
constexpr const char* kHeadOfJson =
    "{\"aclt\":1}\n{\"def\":\"device\",\"id\":0}\n{\"def\":\"stream\",\"id\":1,\"dev\":0}\n";

/// Copies of the events of a walk.
struct SeenJson {
  std::string refusal;
  std::vector<std::string> names;
  std::vector<std::string> heads;
  std::string cell;  // args.k of the last event
  bool text = false;
  std::string ts, category;
};

SeenJson walk_json(const std::string& json) {
  trace::Text text;
  text.bytes.assign(json.begin(), json.end());
  text.size = json.size();
  text.bytes.resize(json.size() + trace::kPadding, '\0');
  SeenJson seen;
  try {
    trace::JsonEvents(text, "x.json")
        .walk(
            [&](const trace::JsonEvent& event) {
              seen.names.emplace_back(event.name);
              seen.cell = event.arg("k").raw;
              seen.text = event.arg("k").text;
              seen.ts = event.ts.raw;
              seen.category = event.category;
            },
            [&](const std::string& name, trace::JsonCell cell) {
              seen.heads.push_back(name + "=" + std::string(cell.raw));
            });
  } catch (const trace::InputError& error) {
    seen.refusal = error.what();
  }
  return seen;
}

/// One event with `"k":value` in its args.
std::string with_arg(const std::string& value) {
  return R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":2,"args":{"k":)" + value + "}}]";
}

std::string repeated(const char* text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

std::string refusal_of_line(const std::string& line) {
  try {
    trace::read_trace_bytes("t.aclt.jsonl", kHeadOfJson + line + "\n");
  } catch (const trace::InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("cells are what stands in the file, names are without their escapes", "[json]") {
  const auto [value, raw, text] = GENERATE(table<const char*, const char*, bool>({
      {"-0", "-0", false},
      {"1.50e+3", "1.50e+3", false},
      {"123456789012345678901234567890", "123456789012345678901234567890", false},
      {"-Infinity", "-Infinity", false},
      {"NaN", "NaN", false},
      {"true", "true", false},
      {"null", "null", false},
      {R"("")", "", true},
      {R"("a\n\u00e9\\\"")", R"(a\n\u00e9\\\")", true},
      {R"("\ud83d\ude00")", R"(\ud83d\ude00)", true},
      {"\"twelve \xc3\xa9 bytes\"", "twelve \xc3\xa9 bytes", true},
      {R"([1,{"a":[2]}])", "[", false},
      {R"({"a":"}"})", "{", false},
  }));
  CAPTURE(value);
  const SeenJson seen = walk_json(with_arg(value));
  CHECK(seen.refusal.empty());
  CHECK(seen.cell == raw);
  CHECK(seen.text == text);
  const SeenJson name =
      walk_json(R"([{"name":"\u0061\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00","c\u0061t":"b"}])");
  CHECK(name.names == std::vector<std::string>{"a\"\\/\b\f\n\r\t\xc3\xa9\xf0\x9f\x98\x80"});
  CHECK(name.category == "b");
}

TEST_CASE("what profilers write beside JSON is read", "[json]") {
  // Earlier events and heads are reported once, though the text is read twice.
  const SeenJson seen = walk_json(R"({"x":1,"d":{"r":2},"traceEvents":[{"name":"a inf \" nan"},
    {"name":"b","args":{"k":-inf}},{"name":"\ud800c\udfff \ud83d\ude00","args":{"k":"\udc00"}}],
    "y":nan,"z":Infinity})");
  CHECK(seen.refusal.empty());
  CHECK(seen.names == std::vector<std::string>{"a inf \" nan", "b",
                                               "\xef\xbf\xbd"
                                               "c\xef\xbf\xbd \xf0\x9f\x98\x80"});
  CHECK(seen.heads == std::vector<std::string>{"x=1", "d.r=2", "y=NaN", "z=Infinity"});
  CHECK(seen.cell == R"(\ufffd)");
  CHECK(walk_json(with_arg("inf")).cell == "Inf");
  CHECK_THAT(walk_json(with_arg("info")).refusal, ContainsSubstring("not well-formed"));
  CHECK_THAT(walk_json(with_arg("inf") + ",").refusal, ContainsSubstring("more text"));
}

TEST_CASE("what is no JSON is refused behind the events before it", "[json]") {
  const std::string value = GENERATE(
      "01", "+1", ".5", "1.", "1e", "0x10", "1e400", "tru", "nul", "'a'", "[1,]", "{\"a\" 1}",
      "{\"a\":1,}", "{a:1}", R"("\x41")", R"("\u12g4")", "\"a\tb\"", "\"\x1e, 0123456789\"",
      "\"\xff\"", "\"\xc0\x80\"", "\"\xed\xa0\x80\"", "\"\xf0\x9f\x98\"", "/**/1", "");
  CAPTURE(value);
  const SeenJson seen =
      walk_json("[" + std::string(kEventOfJson) + "," + with_arg(value).substr(1));
  CHECK_THAT(seen.refusal, ContainsSubstring("x.json: not well-formed JSON after event 2 ("));
  CHECK(seen.names.size() == 1);
}

TEST_CASE("zeros and marks are no part of JSON, a mark at the beginning is passed over", "[json]") {
  const std::string zero(1, '\0');
  const std::string event = kEventOfJson;
  CHECK(walk_json(with_arg(R"("a\u0000b")")).cell == R"(a\u0000b)");
  CHECK(walk_json(R"([{"name":"a\u0000b"}])").names[0] == "a" + zero + "b");
  CHECK_THAT(walk_json(with_arg("\"a" + zero + "b\"")).refusal,
             ContainsSubstring("after event 1 ("));
  CHECK_THAT(walk_json("[" + event + zero + "," + event + "]").refusal,
             ContainsSubstring("not well-formed JSON after event 1"));
  CHECK_THAT(walk_json("[" + event + "]" + zero).refusal, ContainsSubstring("more text after"));
  CHECK_THAT(walk_json("[" + event + "][]").refusal, ContainsSubstring("more text after"));
  CHECK_THAT(walk_json(zero + "[" + event + "]").refusal, ContainsSubstring("(no value)"));

  const std::string mark = "\xef\xbb\xbf";
  CHECK(walk_json(mark + "[" + event + "]").names.size() == 1);
  CHECK_THAT(walk_json(mark + mark + "[" + event + "]").refusal,
             ContainsSubstring("not well-formed"));
  CHECK_THAT(walk_json(mark).refusal, ContainsSubstring("(no value)"));
  CHECK_THAT(walk_json("").refusal, ContainsSubstring("(no value)"));
  CHECK(trace::read_trace_bytes("c.json", mark + "[" + event + "]").size() == 1);
  const std::string native = mark + kHeadOfJson + "{\"op\":\"kernel\",\"st\":1}\n";
  CHECK(trace::read_trace_bytes("t.aclt.jsonl", native).size() == 1);
}

TEST_CASE("a file that was cut off is called so wherever that was", "[json]") {
  const std::string whole =
      R"([{"ph":"X"},{"name":"a\u00e9\\","ts":-1.5e-3,"args":{"k":[true,{"b":null}]}},{}])";
  for (std::size_t size = 1; size < whole.size(); ++size) {
    const SeenJson seen = walk_json(whole.substr(0, size));
    CAPTURE(whole.substr(0, size));
    CHECK_THAT(seen.refusal, ContainsSubstring("x.json: is truncated after event " +
                                               std::to_string(seen.names.size()) + ";"));
  }
  CHECK(walk_json(whole).names.size() == 3);
}

TEST_CASE("brackets may be a million deep", "[json]") {
  constexpr std::size_t kMany = 1'000'000;
  const std::string open = repeated("[", kMany);
  const std::string objects = repeated("{\"a\":", kMany);
  CHECK(walk_json(with_arg(open + repeated("]", kMany))).cell == "[");
  CHECK(walk_json(with_arg(objects + "1" + repeated("}", kMany))).cell == "{");
  CHECK_THAT(walk_json(open).refusal, ContainsSubstring("is truncated after event 0"));
  CHECK_THAT(walk_json(objects).refusal, ContainsSubstring("is truncated after event 0"));
  CHECK_THAT(walk_json("[" + with_arg(open)).refusal, ContainsSubstring("is truncated"));
  CHECK(refusal_of_line(R"({"op":"kernel","st":1,"colour":)" + open + repeated("]", kMany) + "}") ==
        "accepted");
  CHECK_THAT(refusal_of_line(R"({"op":"kernel","st":1,"colour":)" + open),
             ContainsSubstring("no JSON object"));
}

TEST_CASE("of a key that stands twice the last counts, in args the first", "[json]") {
  const SeenJson seen = walk_json(
      R"([{"name":"a","ts":1,"args":{"k":1,"k":2},"name":"b","ts":2,"args":{"k":3},"name":"c"}])");
  CHECK(seen.names == std::vector<std::string>{"c"});
  CHECK(seen.ts == "2");
  CHECK(seen.cell == "1");
  CHECK(walk_json(R"({"traceEvents":[{}],"traceEvents":[{},{}]})").names.size() == 3);
  const trace::Trace it = trace::read_trace_bytes(
      "t.aclt.jsonl", std::string(kHeadOfJson) + R"({"op":"kernel","st":7,"n":"a","n":"b","st":1})"
                                                 "\n");
  CHECK(it.name(0) == "b");
}

TEST_CASE("values of another type than a trace has are told from JSON that is wrong", "[json]") {
  CHECK(walk_json(R"([{"name":{"x":[1]},"ph":1,"ts":[1],"args":[1]}])").ts == "[");
  for (const char* const json : {"1", "\"a\"", "null", "[1]", "[[]]", "[null]",
                                 R"({"traceEvents":{}})", R"({"traceEvents":1})"}) {
    CAPTURE(json);
    CHECK_THAT(walk_json(json).refusal, ContainsSubstring("(A value of another type)"));
  }
  CHECK_THAT(walk_json(R"({"a":[{"traceEvents":[]}]})").refusal,
             ContainsSubstring("no `traceEvents`"));
}

TEST_CASE("a line of the native format says what its key wants", "[json]") {
  const auto [value, text] = GENERATE(table<std::string, const char*>({
      {R"("st":-0)", "`st` is not valid; expected a whole number from 0"},
      {R"("st":18446744073709551616)", "`st` is not valid"},
      {R"("st":+1)", "`st` is not valid"},
      {R"("st":1e400)", "`st` is not valid"},
      {R"("st":null)", "`st` is not valid"},
      {R"("st":tru)", "`st` is not valid"},
      {R"("d":-9223372036854775809)", "`d` is not valid; expected a whole number"},
      {R"("n":1.5)", "`n` is not valid; expected a text, or the number"},
      {R"("n":[])", "`n` is not valid"},
      {R"("site":1)", "`site` is not valid; expected a text"},
      {R"("sync":1)", "`sync` is not valid; expected true or false"},
      {R"("args":[])", "`args` is not valid; expected an object"},
      {R"("source":{"tool":{}})", "`source` is not valid; expected an object"},
      {R"("ranks":[1,"a"])", "`ranks` is not valid; expected an array of whole numbers"},
      {R"("rd":[[1,2,3,4]])", "`rd` is not valid; expected an array of [buffer"},
      {R"("wr":[[1,[2],3]])", "`wr` is not valid"},
      {R"("dep":[[1]])", "`dep` is not valid; expected an array of op numbers"},
      {R"("dep":[[1,2]])", "`dep` is not valid"},
      {R"("dep":[[1,"exact",2]])", "`dep` is not valid"},
      {R"("dep":[["exact",1]])", "`dep` is not valid"},
      {R"("x":01)", "no JSON object (Missing a comma"},
      {R"("x":"\ud800")", "no JSON object (The surrogate pair"},
      {"\"x\":\"\xff\"", "no JSON object (Invalid encoding"},
      {std::string("\"x\":1\0", 6), "no JSON object"},
      {R"("x":1},{)", "more text after it"},
      {R"("x":{"a":[1,{"b":"}"}]},"source":{"z":[{"tool":1}],"file":"a"})", "accepted"},
  }));
  CAPTURE(value);
  const std::string line = R"({"op":"kernel","st":1,)" + value + "}";
  CHECK_THAT(refusal_of_line(line), ContainsSubstring(text));
}

TEST_CASE("args of the native format stay as they were written", "[json]") {
  const std::string args = R"({"a" : [1, {"b":"}\"\u0041"}], "c":-0 })";
  const std::string line = R"({"op":"kernel","st":1,"args": )" + args + R"( ,"n":"\u0061"})";
  trace::ReadOptions options;
  options.keep.args = true;
  const trace::Trace it =
      trace::read_trace_bytes("t.aclt.jsonl", kHeadOfJson + line + "\r\n", options);
  CHECK(it.args(0) == args);
  CHECK(it.name(0) == "a");
}

TEST_CASE("microseconds become nanoseconds to the last digit") {
  const auto ns = [](std::string_view raw) { return trace::JsonCell{raw}.microseconds(); };
  CHECK(ns("1736408883704643.212") == 1736408883704643212);
  CHECK(ns("1736408883704643") == 1736408883704643000);
  CHECK(ns("12.5") == 12500);
  CHECK(ns("12.34") == 12340);
  CHECK(ns("12.") == 12000);
  CHECK(ns(".25") == 250);
  CHECK(ns("0.0004") == 0);
  CHECK(ns("0.0005") == 1);  // the fourth decimal rounds
  CHECK(ns("-1.5") == -1500);
  CHECK(ns("-.5") == -500);
  CHECK(ns("1.5e3") == 1500000);
  CHECK(ns("2305843009213693") == 2305843009213693000);
  for (const char* const wrong :
       {"2305843009213694", "99999999999999999", "", "1.2.3", "1x", "1.x", "0x10", " 1", "null"}) {
    CAPTURE(wrong);
    CHECK(ns(wrong) == std::nullopt);
  }
}
