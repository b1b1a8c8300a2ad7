// SPDX-License-Identifier: Apache-2.0
// `aclsim run --ranks` from the view of its users.
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"

#if defined(ACLSIM_EXE)

namespace {

using catch_compat::ContainsSubstring;

struct Result {
  int code = -1;
  std::string text;  // both outputs

  std::vector<std::string> lines() const {
    std::vector<std::string> all;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) all.push_back(line);
    std::sort(all.begin(), all.end());
    return all;
  }
};

Result run(const std::string& arguments) {
  Result result;
  std::FILE* const pipe =
      ::popen(("timeout -k 1 60 '" ACLSIM_EXE "' " + arguments + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) result.text += static_cast<char>(c);
  result.code = WEXITSTATUS(::pclose(pipe));
  return result;
}

}  // namespace

TEST_CASE("every rank of a job is told its number, and its lines say which it is", "[launch]") {
  const Result result = run(
      "run --ranks 3 -- sh -c 'echo $RANK_ID of $RANK_SIZE, $LOCAL_RANK of $LOCAL_WORLD_SIZE on "
      "$DEVICE_ID; echo error $RANK >&2'");
  CHECK(result.code == 0);
  CHECK(result.lines() == std::vector<std::string>{"[0] 0 of 3, 0 of 3 on 0", "[0] error 0",
                                                   "[1] 1 of 3, 1 of 3 on 1", "[1] error 1",
                                                   "[2] 2 of 3, 2 of 3 on 2", "[2] error 2"});
}

TEST_CASE("all ranks see one rank table and one port", "[launch]") {
  const Result result =
      run("run --ranks 2 --no-labels -- sh -c "
          "'echo $MASTER_ADDR $MASTER_PORT $(md5sum <\"$RANK_TABLE_FILE\")'");
  CHECK(result.code == 0);
  const auto lines = result.lines();
  REQUIRE(lines.size() == 2);
  CHECK(lines[0] == lines[1]);
  CHECK_THAT(lines[0], ContainsSubstring("127.0.0.1 "));
}

TEST_CASE("two jobs of one host at the same time stay apart, unless they are told to be one",
          "[launch]") {
  const std::string say = "--ranks 2 --no-labels -- sh -c 'echo $ACLSIM_JOB_SECRET'";
  const auto first = run("run " + say).lines(), second = run("run " + say).lines();
  REQUIRE(first.size() == 2);
  CHECK(first[0].size() == 32);
  CHECK(first[0] == first[1]);
  CHECK(first != second);
  ::setenv("ACLSIM_JOB_SECRET", "given", 1);
  CHECK(run("run " + say).lines() == std::vector<std::string>{"given", "given"});
  ::unsetenv("ACLSIM_JOB_SECRET");
}

TEST_CASE("a rank that fails ends the others, and its code is the job's", "[launch]") {
  const Result result =
      run("run --ranks 3 -- sh -c 'if [ $RANK = 1 ]; then exit 7; fi; exec sleep 1000'");
  CHECK(result.code == 7);
  CHECK_THAT(result.text, ContainsSubstring("rank 1 ended with exit code 7; ending the other"));
}

TEST_CASE("a rank that a signal ends is told so", "[launch]") {
  const Result result =
      run("run --ranks 2 -- sh -c 'if [ $RANK = 0 ]; then kill -9 $$; fi; "
          "exec sleep 1000'");
  CHECK(result.code == 128 + 9);
  CHECK_THAT(result.text, ContainsSubstring("rank 0 was ended by signal 9"));
}

TEST_CASE("a program that is not there ends the job at once", "[launch]") {
  const Result result = run("run --ranks 2 -- /proc/version/x");
  CHECK(result.code == 127);
  CHECK_THAT(result.text, ContainsSubstring("cannot start /proc/version/x as rank 0: Not a dir"));
}

TEST_CASE("standard input is the first rank's", "[launch]") {
  const Result result = run("run --ranks 2 -- sh -c 'cat' </proc/sys/kernel/ostype");
  CHECK(result.code == 0);
  CHECK(result.text == "[0] Linux\n");
}

TEST_CASE("a host starts its own share of the ranks", "[launch]") {
  const support::TempDir dir;
  const std::string hosts = (dir.path() / "hosts").string();
  std::ofstream(hosts) << "10.254.0.1 slots=2\n10.254.0.2:3\n";
  const std::string job = "run --ranks 4 --hosts " + hosts;
  const Result second = run(job +
                            " --host 10.254.0.2 -- sh -c 'echo $RANK $LOCAL_RANK $MASTER_ADDR "
                            "$MASTER_PORT'");
  CHECK(second.code == 0);
  CHECK(second.lines() ==
        std::vector<std::string>{"[2] 2 0 10.254.0.1 29500", "[3] 3 1 10.254.0.1 29500"});
  CHECK_THAT(run(job + " -- true").text, ContainsSubstring("--host NAME selects an entry"));
  CHECK_THAT(run(job + " --host other -- true").text, ContainsSubstring("'other' is not in "));
  CHECK(run("run --ranks 9 --hosts " + hosts + " --host 10.254.0.1 -- true").code == 2);
}

TEST_CASE("options of a job that is none are refused", "[launch]") {
  CHECK(run("run --host a -- true").code == 2);
  CHECK(run("run --no-labels -- true").code == 2);
  CHECK_THAT(run("run --ranks 0 -- true").text, ContainsSubstring("whole number from 1 to 4096"));
  CHECK_THAT(run("run --ranks 2 --host a -- true").text, ContainsSubstring("--hosts, which is"));
}

TEST_CASE("under another launcher a program reads the usual variables", "[launch]") {
  ::setenv("OMPI_COMM_WORLD_RANK", "5", 1);
  ::setenv("OMPI_COMM_WORLD_SIZE", "8", 1);
  ::setenv("OMPI_COMM_WORLD_LOCAL_RANK", "1", 1);
  const Result result = run("run -- sh -c 'echo $RANK $WORLD_SIZE $DEVICE_ID'");
  for (const char* const name :
       {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"}) {
    ::unsetenv(name);
  }
  CHECK(result.text == "5 8 1\n");
}

TEST_CASE("a mistake that all ranks make is one finding, which names them", "[launch]") {
  const support::TempDir dir;
  const std::string report = (dir.path() / "all.json").string();
  const Result result = run("run --ranks 3 --check --report " + report + " -- " +
                            ACLSIM_GUEST_DIR "/planted declared_chain");
  INFO(result.text);
  const auto all = nlohmann::json::parse(dir.read("all.json"));
  INFO(all.dump(1));
  CHECK(all["errors"] == 1);
  for (const auto& finding : all["findings"]) {
    if (finding["rule"] != "ACL007") continue;
    CHECK(finding["process"] == "rank 0, rank 1, rank 2");
    CHECK(finding["times"] == 3);
  }
  CHECK_THAT(result.text, ContainsSubstring("aclsim: run: check: 1 error, "));
}

TEST_CASE("that a fault never fired is told once, where it fired on no rank", "[launch]") {
  const std::string planted = ACLSIM_GUEST_DIR "/planted";
  const Result result =
      run("run --ranks 2 --fault call,call=aclrtMemcpyAsync,code=507000 --fault ecc,device=1 -- "
          "sh -c '[ $RANK = 0 ] && exec " +
          planted + " copy_asked_for ok; exec " + planted + " task_failed_unseen ok'");
  INFO(result.text);
  CHECK(result.code == 0);
  CHECK_THAT(result.text,
             ContainsSubstring(
                 "[0] aclsim: fault 1 (call,call=aclrtMemcpyAsync,code=507000): fired once"));
  const std::size_t never = result.text.find("NEVER FIRED");
  REQUIRE(never != std::string::npos);
  CHECK(result.text.find("NEVER FIRED", never + 1) == std::string::npos);
  CHECK_THAT(result.text,
             ContainsSubstring("aclsim: run: fault 2 (ecc,device=1): NEVER FIRED on any rank; "));
}

#endif
