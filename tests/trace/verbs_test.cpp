// SPDX-License-Identifier: Apache-2.0
// aclsim info, convert and gen as their users meet them.
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"
#include "tests/trace/lookalike.h"

#ifdef ACLSIM_EXE

namespace {

using catch_compat::ContainsSubstring;

struct Result {
  int code;
  std::string out;  // both streams
};

Result aclsim(const std::string& arguments) {
  const std::string command = "'" ACLSIM_EXE "' " + arguments + " 2>&1";
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  Result result{-1, {}};
  char buffer[4096];
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, pipe)) != 0;) {
    result.out.append(buffer, got);
  }
  const int status = ::pclose(pipe);
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

}  // namespace

TEST_CASE("info prints one JSON object with the keys that scripts rely on", "[verbs]") {
  const support::TempDir dir;
  std::ofstream(dir.path() / "g.json") << lookalike::graph_debug();
  const Result result = aclsim("info --json " + (dir.path() / "g.json").string());
  REQUIRE(result.code == 0);
  const auto report = nlohmann::json::parse(result.out);
  CHECK(report["devices"] == 1);
  CHECK(report["streams"] == 2);
  CHECK(report["ops"] == 8);
  CHECK(report["records"] == 1);
  CHECK(report["waits"] == 2);
  CHECK(report["waits_paired"] == 1);
  CHECK(report["waits_ambiguous"] == 0);
  CHECK(report["waits_unrecorded"] == 1);
  CHECK(report["notify_pairs"] == 1);
}

TEST_CASE("info in words says what it read and how waits were paired", "[verbs]") {
  const support::TempDir dir;
  std::ofstream(dir.path() / "t.json") << lookalike::ascend_timeline(0);
  const Result result = aclsim("info " + (dir.path() / "t.json").string());
  CHECK(result.code == 0);
  CHECK_THAT(result.out, ContainsSubstring("(ascend-timeline)"));
  CHECK_THAT(result.out, ContainsSubstring("2 of 2 paired with their record: 0 exact, 2 inferred"));
}

TEST_CASE("gen writes the same file for the same options, and info reads it", "[verbs]") {
  const support::TempDir dir;
  const std::string a = (dir.path() / "a.jsonl").string();
  const std::string b = (dir.path() / "b.jsonl.gz").string();
  const std::string options = "gen ring --devices 4 --streams 2 --ops 300 --seed 7 -o ";
  CHECK(aclsim(options + a).code == 0);
  CHECK(aclsim(options + b).code == 0);
  CHECK(aclsim("convert " + b + " -o -").out == dir.read("a.jsonl"));
  const auto report = nlohmann::json::parse(aclsim("info --json " + b).out);
  CHECK(report["ops"] == 300);
  CHECK(report["streams"] == 8);
}

TEST_CASE("convert prints what a format cannot contain", "[verbs]") {
  const support::TempDir dir;
  const std::string ring = (dir.path() / "a.jsonl").string();
  CHECK(aclsim("gen ring --devices 2 --ops 20 -o " + ring).code == 0);
  const std::string to = "convert " + ring + " -o " + (dir.path() / "b").string();
  CHECK_THAT(aclsim(to + ".jsonl").out, !ContainsSubstring("left out"));
  const Result chakra = aclsim(to + ".et");
  if (chakra.code != 0) return;  // a build without protobuf
  CHECK_THAT(chakra.out,
             ContainsSubstring("left out, as the format cannot contain them: the kinds of"));
  CHECK_THAT(aclsim(to + ".et -q").out, !ContainsSubstring("left out"));
}

TEST_CASE("a verb ends with 2 on a bad input or wish, with one line, and leaves nothing",
          "[verbs]") {
  const support::TempDir dir;
  std::ofstream(dir.path() / "bad.jsonl") << "{\"aclt\":1}\n{\"op\":\"kernel\",\"st\":1}\n";
  const std::string bad = (dir.path() / "bad.jsonl").string();
  const std::string out = (dir.path() / "out.jsonl").string();
  for (const std::string& verb :
       {"info " + bad, "convert " + bad + " -o " + out, "info " + bad + ".gone"}) {
    const Result result = aclsim(verb);
    CHECK(result.code == 2);
    CHECK_THAT(result.out, ContainsSubstring("expected"));
    CHECK(std::count(result.out.begin(), result.out.end(), '\n') == 1);
  }
  CHECK_FALSE(std::filesystem::exists(out));
  CHECK(aclsim("gen ring --devices 1 --streams 1 -o " + out).code == 2);
  CHECK(aclsim("gen spiral -o " + out).code == 2);
  CHECK_FALSE(std::filesystem::exists(out));
  CHECK(aclsim("gen ring -o /gone/away.jsonl").code == 2);
}

TEST_CASE("every verb shows an example in its help", "[verbs]") {
  for (const char* const verb : {"info", "convert", "gen", "summary", "check", "replay", "plot",
                                 "topo", "diff", "report", "run"}) {
    const Result result = aclsim(std::string(verb) + " --help");
    CHECK(result.code == 0);
    CHECK_THAT(result.out, ContainsSubstring(std::string("Example:\n  aclsim ") + verb));
  }
}

#endif
