// SPDX-License-Identifier: Apache-2.0
// The native format: reading, writing, and refusals.
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"
#include "tools/trace/aclt/aclt_writer.h"
#include "tools/trace/generate.h"
#include "tools/trace/read_trace.h"
#include "tools/trace/summary.h"

namespace {

using catch_compat::ContainsSubstring;
using trace::OpKind;

constexpr const char* kHead =
    "{\"aclt\":1}\n{\"def\":\"device\",\"id\":0}\n{\"def\":\"stream\",\"id\":1,\"dev\":0}\n"
    "{\"def\":\"stream\",\"id\":2,\"dev\":0}\n{\"def\":\"host\",\"id\":1,\"rank\":0}\n";

trace::Trace read(const std::string& lines) {
  return trace::read_trace_bytes("t.aclt.jsonl", lines);
}

std::string refusal(const std::string& line) {
  try {
    read(kHead + line + "\n");
  } catch (const trace::InputError& error) {
    return error.what();
  }
  return "accepted";
}

/// The lines of the examples in the documentation.
std::string documented() {
  std::ifstream file(std::string(ACLSIM_SOURCE_DIR) + "/docs/trace-format.md");
  std::string all, line;
  for (bool inside = false; std::getline(file, line);) {
    if (line.starts_with("```")) inside = line == "```jsonl";
    if (inside && line.starts_with("{")) all += line + "\n";
  }
  return all;
}

const trace::SyncUse& only_wait(const trace::Trace& it) {
  for (trace::OpIndex op = 0; op < it.size(); ++op) {
    if (it[op].kind == OpKind::wait) return it.sync(op);
  }
  FAIL("no wait");
  std::abort();
}

}  // namespace

TEST_CASE("the examples of the documentation are one trace that shows every kind of op", "[aclt]") {
  const trace::Trace it = read(documented());
  std::set<OpKind> kinds;
  for (const trace::Op& op : it.ops()) kinds.insert(op.kind);
  CHECK(kinds.size() == static_cast<std::size_t>(trace::kOpKinds));
  CHECK(it.size() == 31);
  const trace::Summary sum = trace::summarise(it);
  CHECK(sum.ranks == 2);
  CHECK(sum.devices == 2);
  CHECK(sum.streams == 3);  // the plane belongs to its stream
  CHECK(sum.notify_pairs == 1);
  CHECK(sum.send_pairs == 1);
}

TEST_CASE("keys may be escaped, and a line has nothing of the line before", "[aclt]") {
  const trace::Trace it = read(std::string(kHead) +
                               R"({"op":"kernel","st":1,"n":"first","t":10,"d":5,"site":"a.cpp:1"}
{"\u006fp":"kernel","st":2,"x\"y":1}
)");
  REQUIRE(it.size() == 2);
  CHECK(it.text(it[0].name) == "first");
  CHECK(it.start(0) == 10);
  CHECK(it[1].kind == OpKind::kernel);
  CHECK(it.text(it[1].name) == "");
  CHECK(it.start(1) == trace::kNoTime);
  CHECK_FALSE(it[1].has(trace::kHasDuration));
}

TEST_CASE("a trace that was written and read is the same trace", "[aclt]") {
  const std::string first = trace::to_aclt(read(documented()));
  CHECK(trace::to_aclt(read(first)) == first);
}

TEST_CASE("what a kernel touched may be told in its line or behind it, and what it was given",
          "[aclt]") {
  const std::string buffers = R"({"def":"buf","id":7,"dev":0,"size":64}
{"def":"buf","id":8,"dev":0,"size":64}
)";
  const trace::Trace it =
      read(kHead + buffers +
           R"({"op":"kernel","st":1,"may":[8,7],"rd":[[7,0,4]],"wr":[[7,4,4]],"red":[[8,8,4]]}
{"op":"kernel","st":2,"may":[]}
{"op":"kernel","st":1}
{"def":"times","id":2,"rd":[[8,0,16]]}
)");
  REQUIRE(it.size() == 3);  // 0 and 1 are on stream 1
  REQUIRE(it.ranges(0).size() == 3);
  CHECK((!it.ranges(0)[0].write && !it.ranges(0)[0].reduced));
  CHECK((it.ranges(0)[1].write && !it.ranges(0)[1].reduced));
  CHECK((it.ranges(0)[2].write && it.ranges(0)[2].reduced && it.ranges(0)[2].offset == 8));
  REQUIRE(it.given(0).size() == 3);
  CHECK(it.given(0)[0].buffer == trace::kNone);
  CHECK(it.buffers()[it.given(0)[1].buffer].id == 8);
  CHECK((it.given(1).empty() && it.ranges(1).empty()));
  CHECK(it.given(2).size() == 1);
  REQUIRE(it.ranges(2).size() == 1);
  CHECK(it.ranges(2)[0].bytes == 16);
  const std::string text = trace::to_aclt(it);
  CHECK_THAT(text,
             ContainsSubstring(R"("rd":[[0,0,4]],"wr":[[0,4,4]],"red":[[1,8,4]],"may":[1,0])"));
  CHECK_THAT(text, ContainsSubstring(R"("rd":[[1,0,16]],"may":[])"));
  CHECK(trace::to_aclt(read(text)) == text);
}

TEST_CASE("what is generated is read back as it was, for every kind", "[aclt][gen]") {
  for (const trace::GenerateKind& kind : trace::generate_kinds()) {
    CAPTURE(kind.name);
    trace::GenerateOptions options;
    options.kind = kind.name;
    options.devices = 3;
    options.streams = 2;
    options.ops = 257;
    options.seed = 11;
    const trace::Trace made = trace::generate(options);
    CHECK(made.size() == 257);
    const std::string text = trace::to_aclt(made);
    CHECK(trace::to_aclt(trace::generate(options)) == text);
    CHECK(trace::to_aclt(read(text)) == text);
    const trace::Summary sum = trace::summarise(made);
    CHECK(sum.waits_unrecorded == 0);
    CHECK(sum.notify_pairs == sum.of(OpKind::notify_wait));
    CHECK(sum.send_pairs == sum.of(OpKind::send));
    options.seed = 12;
    CHECK(trace::to_aclt(trace::generate(options)) != text);
  }
}

TEST_CASE("a wait without a generation means the last record before it in the file", "[aclt]") {
  const std::string records =
      "{\"op\":\"record\",\"st\":1,\"ev\":7}\n{\"op\":\"record\",\"st\":1,\"ev\":7}\n";
  const std::string wait = "{\"op\":\"wait\",\"st\":2,\"ev\":7}\n";
  const trace::Trace after = read(kHead + records + wait + records);
  CHECK(only_wait(after).generation == 2);
  CHECK(only_wait(after).partner == 1);
  CHECK(only_wait(after).how == trace::Provenance::exact);
  const trace::Trace before = read(kHead + wait + records);
  CHECK(only_wait(before).generation == 0);
  CHECK(only_wait(before).partner == trace::kNone);
  const std::string reset = "{\"op\":\"ereset\",\"st\":1,\"ev\":7}\n";
  CHECK(only_wait(read(kHead + records + reset + wait)).partner == trace::kNone);
}

TEST_CASE("a wait that names a generation finds its record anywhere in the file", "[aclt]") {
  const std::string wait = "{\"op\":\"wait\",\"st\":2,\"ev\":7,\"gen\":1,\"inf\":\"time:2\"}\n";
  const std::string records =
      "{\"op\":\"record\",\"st\":1,\"ev\":7}\n{\"op\":\"record\",\"st\":1,\"ev\":7}\n";
  for (const std::string& lines : {wait + records, records + wait}) {
    const trace::Trace it = read(kHead + lines);
    CHECK(only_wait(it).partner == 0);
    CHECK(only_wait(it).ambiguous());
    CHECK(only_wait(it).how == trace::Provenance::time);
  }
}

TEST_CASE("a generation that two records claim is refused", "[aclt]") {
  const auto record = [](int generation) {
    return "{\"op\":\"record\",\"st\":1,\"ev\":7,\"gen\":" + std::to_string(generation) + "}\n";
  };
  CHECK_NOTHROW(read(kHead + record(2) + record(1)));
  CHECK_THROWS_AS(read(kHead + record(1) + record(1)), trace::InputError);
  CHECK_THROWS_AS(read(kHead + record(1) + record(2) + record(1)), trace::InputError);
}

TEST_CASE("ops of a lane lie together in their order, and know where they came from", "[aclt]") {
  const trace::Trace it = read(std::string(kHead) +
                               "{\"op\":\"kernel\",\"st\":2,\"n\":\"a\",\"d\":5000000000}\n"
                               "{\"op\":\"kernel\",\"st\":1,\"n\":\"b\",\"i\":9,\"t\":4}\n"
                               "{\"op\":\"kernel\",\"st\":2,\"n\":\"c\",\"dep\":[9]}\n");
  REQUIRE(it.size() == 3);
  CHECK(it.name(0) == "b");
  CHECK(it.name(1) == "a");
  CHECK(it.name(2) == "c");
  CHECK(it.duration(1) == 5'000'000'000);
  CHECK(it.start(0) == 4);
  CHECK(it.start(1) == trace::kNoTime);
  CHECK(it.line(2) == 8);
  CHECK(it.id(0) == 9);
  CHECK(it.track_of(2) == 1);
  REQUIRE(it.deps(2).size() == 1);
  CHECK(it.deps(2)[0].from == 0);
  CHECK(it.deps(1).empty());
}

TEST_CASE("a line that is wrong is refused with its number and what was expected", "[aclt]") {
  const auto [line, text] = GENERATE(table<const char*, const char*>({
      {"{\"op\":\"kernel\",\"st\":9}", "t.aclt.jsonl:6: `st` is 9; expected a stream"},
      {"{\"op\":\"kernel\"}", "kernel lacks `st`"},
      {"{\"op\":\"kernel\",\"st\":1.5}", "`st` is not valid; expected a whole number"},
      {"{\"op\":\"kernel\",\"st\":1,\"d\":-1}", "`d` is -1"},
      {"{\"op\":\"jump\",\"st\":1}", "`op` is 'jump'"},
      {"{\"op\":\"record\",\"st\":1}", "record lacks `ev`"},
      {"{\"op\":\"coll\",\"st\":1,\"kind\":\"all\"}", "`kind` is 'all'"},
      {"{\"op\":\"wait\",\"st\":1,\"ev\":1,\"gen\":1,\"inf\":\"luck\"}", "expected exact, order"},
      {"{\"op\":\"kernel\",\"st\":1,\"dep\":[77]}", ":6: an edge to op 77"},
      {"{\"op\":\"kernel\",\"st\":1,\"rd\":[[1,2]]}",
       "expected an array of [buffer, offset, bytes]"},
      {"{\"op\":\"kernel\",\"st\":1,\"rd\":[[1,2,3]]}", "names buffer 1"},
      {"{\"op\":\"kernel\",\"st\":1,\"red\":[[1,2,3]]}", "`red` names buffer 1"},
      {"{\"op\":\"kernel\",\"st\":1,\"may\":[1]}", "`may` names buffer 1"},
      {"{\"op\":\"kernel\",\"st\":1,\"may\":[[1,2,3]]}", "expected an array of whole numbers"},
      {"{\"op\":\"kernel\",\"st\":1} x", "no JSON object"},
      {"{\"op\":\"kernel\",\"st\":1", "no JSON object"},
      {"[1]", "no JSON object"},
      {"{\"st\":1}", "neither `op` nor `def`"},
      {"{\"def\":\"stream\",\"id\":1,\"dev\":0}", "stream 1 is defined twice"},
      {"{\"def\":\"planet\",\"id\":1}", "`def` is 'planet'"},
      {"{\"op\":\"kernel\",\"st\":1,\"i\":0}", "`i` is 0"},
      {"{\"op\":\"hsync\",\"h\":1,\"what\":\"moon\",\"id\":1}", "`what` is 'moon'"},
  }));
  CAPTURE(line);
  CHECK_THAT(refusal(line), ContainsSubstring(text));
}

TEST_CASE("what the format does not know is passed over when the line allows it", "[aclt]") {
  const trace::Trace it = read(std::string(kHead) +
                               "{\"op\":\"jump\",\"opt\":true,\"st\":1,\"d\":5,\"colour\":[1,{}]}\n"
                               "{\"def\":\"planet\",\"id\":1,\"opt\":true}\n");
  REQUIRE(it.size() == 1);
  CHECK(it[0].has(trace::kOptional));
  CHECK(it.name(0) == "jump");
}

TEST_CASE("a last line that was cut off is left out with a warning", "[aclt]") {
  const trace::Trace it =
      read(std::string(kHead) + "{\"op\":\"kernel\",\"st\":1}\n{\"op\":\"kernel\",\"st");
  CHECK(it.size() == 1);
  REQUIRE(it.remarks().size() == 1);
  CHECK(it.remarks()[0].line == 7);
}

TEST_CASE("a file is written whole or not at all, and gzip is known by content", "[aclt]") {
  const support::TempDir dir;
  const std::string path = (dir.path() / "a.gz").string();
  const std::string text = trace::to_aclt(read(documented()));
  {
    trace::OutputFile half(path);
    half.write(text);
  }
  CHECK(std::filesystem::is_empty(dir.path()));
  trace::OutputFile whole(path);
  whole.write(text);
  whole.close();
  CHECK(dir.read("a.gz").starts_with("\x1f\x8b"));
  CHECK(dir.read("a.gz").size() < text.size());
  const std::string cut = dir.write("cut.gz", dir.read("a.gz").substr(0, 40));
  CHECK_THROWS_WITH(
      trace::read_trace({cut}),
      cut + ": is truncated (unexpected end of what is packed); expected the whole file");
  const std::filesystem::path renamed = dir.path() / "b.txt";
  std::filesystem::rename(path, renamed);
  CHECK(trace::to_aclt(trace::read_trace({renamed.string()})) == text);
}

TEST_CASE("files of several ranks become one trace with notifies between them", "[aclt]") {
  const auto file = [](int rank, const char* op, int nid) {
    return "{\"aclt\":1,\"base_ns\":" + std::to_string(1000 + rank) +
           "}\n{\"def\":\"device\",\"id\":0,\"rank\":" + std::to_string(rank) +
           "}\n{\"def\":\"stream\",\"id\":1,\"dev\":0}\n{\"op\":\"" + op +
           "\",\"st\":1,\"nid\":" + std::to_string(nid) + ",\"t\":5}\n";
  };
  const support::TempDir dir;
  std::ofstream(dir.path() / "0.jsonl") << file(0, "notify", 3);
  std::ofstream(dir.path() / "1.jsonl") << file(1, "nwait", 3);
  const trace::Trace it =
      trace::read_trace({(dir.path() / "0.jsonl").string(), (dir.path() / "1.jsonl").string()});
  CHECK(trace::summarise(it).notify_pairs == 1);
  CHECK(it.sync(1).partner == 0);
  CHECK(it.start(1) == 6);  // its file's times begin 1 ns later
}

TEST_CASE("a trace takes at most 26 bytes an op where times were not recorded", "[aclt]") {
  trace::GenerateOptions options;
  options.kind = "random";
  options.devices = 8;
  options.streams = 8;
  options.ops = 200'000;
  trace::Trace it = trace::generate(options);
  CHECK(it.resident_bytes() <= 26 * it.size());
}
