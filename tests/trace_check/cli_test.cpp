// SPDX-License-Identifier: Apache-2.0
// The verb as its users meet it: exit codes, the last line, report files, the page of the checker.
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"

#ifdef ACLSIM_EXE

namespace {

using catch_compat::ContainsSubstring;
using Json = nlohmann::json;

class Desk {
 public:
  struct Result {
    int code;
    std::string out;
    std::string err;
  };
  Result run(const std::string& arguments) const {
    const std::string command = "cd '" + folder_.path().string() + "' && exec '" + ACLSIM_EXE +
                                "' " + arguments + " >out 2>err";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), folder_.read("out"),
            folder_.read("err")};
  }
  std::string read(const std::string& name) const { return folder_.read(name); }
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  bool there(const std::string& name) const {
    return std::filesystem::exists(folder_.path() / name);
  }

 private:
  support::TempDir folder_;
};

const char* const kRacy =
    R"({"aclt":1,"clock":"ns","ranks":[0],"source":{"tool":"a test"}}
{"def":"device","id":0,"rank":0}
{"def":"stream","id":0,"dev":0}
{"def":"stream","id":1,"dev":0}
{"def":"buf","id":7,"dev":0,"size":4096}
{"op":"kernel","st":0,"n":"a<b>&","wr":[[7,0,64]],"site":"src/solver.cpp:12"}
{"op":"kernel","st":1,"n":"sum","rd":[[7,0,64]]}
{"op":"wait","st":1,"ev":1}
)";

/// Elements open and close in pairs, and attributes and entities are whole.
bool well_formed(const std::string& xml) {
  const support::TempDir folder;
  folder.write("x.xml", xml);
  const std::string parse = "python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' '";
  const std::string command = parse + (folder.path() / "x.xml").string() + "' 2>/dev/null";
  return std::system(command.c_str()) == 0;
}

}  // namespace

TEST_CASE("check of a race tells it, ends with 1 and says why in the last line") {
  const Desk desk;
  desk.write("racy.aclt.jsonl", kRacy);
  const auto result = desk.run("check racy.aclt.jsonl");
  CHECK(result.code == 1);
  CHECK_THAT(result.out, ContainsSubstring(
                             "racy.aclt.jsonl:7: error: data race: sum on stream 1 reads 64 bytes "
                             "of device memory that a<b>& on stream 0 (src/solver.cpp:12) writes; "
                             "no event orders them [ACL007]\n"));
  CHECK_THAT(result.out, ContainsSubstring("\nracy.aclt.jsonl:6: note: earlier access: a<b>& on "
                                           "stream 0 of device 0 (op 1), called at "
                                           "src/solver.cpp:12\n"));
  CHECK_THAT(result.out, ContainsSubstring("note: memory: bytes 0 to 63 of buffer 7 (4096 bytes)"));
  CHECK(result.err ==
        "aclsim: check: 1 error, 1 warning, 0 notes; exit code 1: findings at error or above\n");
}

TEST_CASE("--fail-on sets the level of the exit code, suppressions take findings away") {
  const Desk desk;
  desk.write("racy.aclt.jsonl", kRacy);
  desk.write("known.txt", "ACL007 src:solver.cpp:12\n");
  const auto error = desk.run("check racy.aclt.jsonl --suppressions known.txt");
  CHECK(error.code == 0);
  CHECK(error.err ==
        "aclsim: check: 0 errors, 1 warning, 0 notes; exit code 0: nothing at error or above\n");
  CHECK_THAT(error.out, ContainsSubstring("1 suppressed"));
  CHECK(desk.run("check racy.aclt.jsonl --suppressions known.txt --fail-on warning").code == 1);
  CHECK(desk.run("check racy.aclt.jsonl --quiet").out.empty());
}

TEST_CASE("reports in JSON, SARIF and JUnit parse, and hold the places") {
  const Desk desk;
  desk.write("racy.aclt.jsonl", kRacy);
  CHECK(desk.run("check racy.aclt.jsonl --fail-on warning --report r.json --report r.sarif "
                 "--report r.xml --report r.txt")
            .code == 1);
  const Json json = Json::parse(desk.read("r.json"));
  CHECK(json["format"] == "aclsim-findings");
  CHECK(json["program"] == "racy.aclt.jsonl");
  CHECK(json["errors"] == 1);
  const Json race = json["findings"][json["findings"][0]["rule"] == "ACL007" ? 0 : 1];
  CHECK(race["it"]["place"]["line"] == 7);
  CHECK(race["other"]["place"]["file"] == "src/solver.cpp");
  CHECK(race["other"]["recorded"]["file"] == "racy.aclt.jsonl");
  CHECK(race["bytes"]["begin"] == 0);
  CHECK(race["bytes"]["size"] == 64);

  const Json sarif = Json::parse(desk.read("r.sarif"));
  CHECK(sarif["version"] == "2.1.0");
  const Json& results = sarif["runs"][0]["results"];
  REQUIRE(results.size() == 2);
  for (const Json& result : results) {
    const Json& at = result["locations"][0]["physicalLocation"];
    CHECK(at["artifactLocation"]["uri"] == "racy.aclt.jsonl");
    CHECK(at["region"]["startLine"].get<int>() >= 7);
    const auto rule = result["ruleIndex"].get<std::size_t>();
    CHECK(sarif["runs"][0]["tool"]["driver"]["rules"][rule]["id"] == result["ruleId"]);
  }

  const std::string xml = desk.read("r.xml");
  CHECK(well_formed(xml));
  CHECK_THAT(xml, ContainsSubstring("failures=\"1\""));
  CHECK_THAT(xml, ContainsSubstring("a&lt;b&gt;&amp;"));
  CHECK_THAT(desk.read("r.txt"), ContainsSubstring("1 error, 1 warning, 0 notes"));
}

TEST_CASE("wrong input and wrong options end check with 2 and leave no report") {
  const Desk desk;
  desk.write("bad.aclt.jsonl", "{\"aclt\":1}\n{\"op\":\"kernel\",\"st\":9}\n");
  desk.write("racy.aclt.jsonl", kRacy);
  const auto bad = desk.run("check bad.aclt.jsonl --report r.json");
  CHECK(bad.code == 2);
  CHECK_THAT(bad.err, ContainsSubstring("bad.aclt.jsonl:2: `st` is 9"));
  CHECK_FALSE(desk.there("r.json"));
  CHECK(desk.run("check missing.json").code == 2);
  CHECK(desk.run("check").code == 2);
  CHECK(desk.run("check racy.aclt.jsonl --fail-on fatal").code == 2);
  CHECK(desk.run("check racy.aclt.jsonl --report /nowhere/r.json").code == 2);
  desk.write("rules.txt", "ACL999 *\n");
  const auto rules = desk.run("check racy.aclt.jsonl --suppressions rules.txt");
  CHECK(rules.code == 2);
  CHECK_THAT(rules.err, ContainsSubstring("rules.txt:1:"));
}

TEST_CASE("generated traces: a deadlock and a race are found, the others pass at warning") {
  const Desk desk;
  for (const std::string kind :
       {"ring", "pipeline", "fanin", "fanout", "random", "deadlock", "racy", "sends"}) {
    CAPTURE(kind);
    const std::string size = " --devices 4 --streams 2 --ops 1000 -o t.aclt.jsonl";
    CHECK(desk.run("gen " + kind + size).code == 0);
    const bool bad = kind == "deadlock" || kind == "racy";
    CHECK(desk.run("check t.aclt.jsonl --fail-on warning").code == (bad ? 1 : 0));
  }
  CHECK(desk.run("check t.aclt.jsonl --sends rendezvous").code == 1);  // the last one: sends
}

TEST_CASE("the example of docs/checker-traces.md prints what stands there") {
  std::ifstream file(ACLSIM_SOURCE_DIR "/docs/checker-traces.md");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  const auto block = [&](const std::string& name) {
    const std::size_t mark = page.find("<!-- trace example: " + name + " -->");
    REQUIRE(mark != std::string::npos);
    const std::size_t begin = page.find('\n', page.find("```", mark)) + 1;
    return page.substr(begin, page.find("```", begin) - begin);
  };
  const Desk desk;
  desk.write("step.aclt.jsonl", block("trace"));
  const auto result = desk.run("check step.aclt.jsonl --fail-on warning");
  CHECK(result.code == 1);
  CHECK(result.out + result.err == block("output"));
  // The repair of the page: the wait goes after the record.
  std::string text = block("trace");
  const std::size_t wait = text.find("{\"i\":2,");
  const std::size_t record = text.find("{\"i\":3,");
  const std::string line = text.substr(wait, text.find('\n', wait) + 1 - wait);
  text.erase(wait, line.size());
  text.insert(text.find('\n', record - line.size()) + 1, line);
  desk.write("step.aclt.jsonl", text);
  CHECK(desk.run("check step.aclt.jsonl --fail-on warning").code == 0);
}

#endif
