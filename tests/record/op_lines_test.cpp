// SPDX-License-Identifier: Apache-2.0
#include "runtime/trace/op_lines.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"
#include "tools/trace/read_trace.h"

namespace {

using acl::trace_output::kNotYet;
using acl::trace_output::OpLines;
using acl::trace_output::TraceFile;

constexpr const char* kHead =
    "{\"aclt\":1}\n{\"def\":\"device\",\"id\":0}\n{\"def\":\"stream\",\"id\":1,\"dev\":0}";

struct LineDesk {
  support::TempDir dir;
  TraceFile file;
  OpLines lines;

  explicit LineDesk(std::size_t most = OpLines::kMostWaiting)
      : file((dir.path() / "x.aclt.jsonl").string(), TraceFile::kNoLimit),
        lines(
            file, [](std::uint64_t site) { return "at " + std::to_string(site); }, most) {
    lines.define(kHead);
  }
  std::uint64_t add(const char* name) {
    return lines.add(
        {.text = std::string(R"("op":"kernel","st":1,"n":")") + name + '"', .late = {}, .site = 0});
  }
  std::string text() {
    lines.flush();
    file.trim();
    return dir.read("x.aclt.jsonl").substr(std::string(kHead).size() + 1);
  }
};

}  // namespace

TEST_CASE("ops stand in the order of their calls, whenever they end") {
  LineDesk desk;
  const auto first = desk.add("a");
  const auto second = desk.add("b");
  desk.lines.end(second, 30, 5);
  desk.lines.end(first, 10, 7, R"(,"dep":[2])");
  CHECK(desk.text() ==
        "{\"i\":1,\"op\":\"kernel\",\"st\":1,\"n\":\"a\",\"t\":10,\"d\":7,\"dep\":[2]}\n"
        "{\"i\":2,\"op\":\"kernel\",\"st\":1,\"n\":\"b\",\"t\":30,\"d\":5}\n");
}

TEST_CASE("what is not over stands at the end until it is") {
  LineDesk desk;
  const auto first = desk.add("a rather long name that the shorter line will not cover");
  const auto second = desk.add("b");
  desk.lines.end(second, 30, 5);
  CHECK(desk.text().find("cover\"}\n{\"i\":2") != std::string::npos);
  desk.lines.find(first)->text = R"("op":"kernel","st":1)";
  desk.lines.end(first, kNotYet, 0);
  CHECK(desk.text() ==
        "{\"i\":1,\"op\":\"kernel\",\"st\":1,\"d\":0}\n"
        "{\"i\":2,\"op\":\"kernel\",\"st\":1,\"n\":\"b\",\"t\":30,\"d\":5}\n");
}

TEST_CASE("the first of too many ops is written as it is, and says later how it ended") {
  LineDesk desk(2);
  const auto first = desk.add("a");
  desk.add("b");
  desk.lines.end(desk.add("c"), 20, 1);
  CHECK(desk.lines.find(first) == nullptr);
  desk.lines.end(first, 10, 7, R"(,"dep":[3])");
  desk.text();
  const trace::Trace it = trace::read_trace({(desk.dir.path() / "x.aclt.jsonl").string()}, {});
  REQUIRE(it.size() == 3);
  CHECK(it.name(0) == "a");
  CHECK(it.start(0) == 10);
  CHECK(it.duration(0) == 7);
  CHECK(it.deps(0).front().from == 2);
}

TEST_CASE("a place is named when its line is written, with everything that JSON wants quoted") {
  LineDesk desk;
  desk.lines.add({.text = R"("op":"mark","st":1)", .late = {}, .site = 7, .over = true});
  CHECK(desk.text() == "{\"i\":1,\"op\":\"mark\",\"st\":1,\"site\":\"at 7\"}\n");
}

TEST_CASE("a file without an op has its header") {
  LineDesk desk;
  desk.lines.flush();
  CHECK(desk.dir.read("x.aclt.jsonl") == std::string(kHead) + "\n");
}

TEST_CASE("what stands in front of the next op is in the file before there is one") {
  LineDesk desk;
  const auto first = desk.add("a");
  desk.lines.define(R"({"def":"times","id":1,"d":7})");
  const std::string behind = "{\"def\":\"times\",\"id\":1,\"d\":7}\n";
  CHECK(desk.text() == "{\"i\":1,\"op\":\"kernel\",\"st\":1,\"n\":\"a\"}\n" + behind);
  desk.lines.end(first, 10, 5);
  desk.add("b");
  CHECK(desk.text() == "{\"i\":1,\"op\":\"kernel\",\"st\":1,\"n\":\"a\",\"t\":10,\"d\":5}\n" +
                           behind + "{\"i\":2,\"op\":\"kernel\",\"st\":1,\"n\":\"b\"}\n");
}

TEST_CASE("a finished file stays as it is when it is flushed again") {
  LineDesk desk;
  const auto first = desk.add("a");
  desk.lines.define(R"({"def":"end","id":0})");
  desk.lines.finish();
  const std::string finished = desk.dir.read("x.aclt.jsonl");
  CHECK(finished.ends_with(
      "{\"i\":1,\"op\":\"kernel\",\"st\":1,\"n\":\"a\"}\n{\"def\":\"end\",\"id\":0}\n"));
  desk.lines.flush();
  CHECK(desk.dir.read("x.aclt.jsonl") == finished);
  desk.lines.end(first, 10, 7);
  CHECK(desk.text().find("{\"def\":\"times\",\"id\":1,\"t\":10,\"d\":7") != std::string::npos);
}

TEST_CASE("a pipe gets at the end what is not over") {
  const support::TempDir dir;
  const std::string path = (dir.path() / "fifo").string();
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  REQUIRE(reader >= 0);
  TraceFile file(path, TraceFile::kNoLimit);
  OpLines lines(file, [](std::uint64_t) { return std::string(); });
  lines.define("{}");
  lines.add({.text = R"("op":"mark","st":1)", .late = {}, .site = 0});
  lines.flush();
  lines.finish();
  std::string text(4096, '\0');
  text.resize(
      static_cast<std::size_t>(std::max<ssize_t>(read(reader, text.data(), text.size()), 0)));
  CHECK(text == "{}\n{\"i\":1,\"op\":\"mark\",\"st\":1}\n");
  CHECK(read(reader, text.data(), 1) == 0);  // its end
  close(reader);
}
