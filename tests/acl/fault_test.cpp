// SPDX-License-Identifier: Apache-2.0
// Faults on demand: their configuration, their probability, and the messages about them.
#include <cstdio>

#include "tests/acl/fault_world.h"
#include "tests/support/temp_dir.h"

using namespace world;
using namespace faulttest;
using catch_compat::ContainsSubstring;

// ---- chance -------------------------------------------------------------------------------------

CHILD_PROGRAM(which_kernels_fail) {
  CHILD_OK(aclrtSetDevice(0));
  std::atomic<int> count{0};
  std::string pattern;
  for (int i = 0; i < 64; ++i) {
    CHILD_OK(launch_named("kernel", count));
    pattern += aclrtSynchronizeStream(nullptr) == ACL_SUCCESS ? '.' : 'x';
  }
  std::printf("%s\n", pattern.c_str());
  std::fflush(stdout);  // before the messages at exit
  return 0;
}

TEST_CASE("chance strikes the same tasks for the same seed") {
  const auto pattern = [](const char* faults, const char* seed) {
    const auto child = run_with(faults, "which_kernels_fail",
                                {{"ACLSIM_SCHEDULE", "seeded"}, {"ACLSIM_SEED", seed}});
    REQUIRE(child.clean());
    return child.output.substr(0, 64);
  };
  const std::string first = pattern("kernel,probability=0.5", "1");
  CHECK(first.find('x') != std::string::npos);
  CHECK(first.find('.') != std::string::npos);
  CHECK(pattern("kernel,probability=0.5", "1") == first);
  CHECK(pattern("kernel,probability=0.5", "2") != first);
  CHECK(pattern("kernel,probability=0.5,seed=1", "2") == first);
}

// ---- configuration and messages -----------------------------------------------------------------

CHILD_PROGRAM(one_kernel) {
  CHILD_OK(aclrtSetDevice(0));
  std::atomic<int> count{0};
  CHILD_OK(launch_named("kernel", count));
  std::printf("code %d\n", aclrtSynchronizeStream(nullptr));
  std::fflush(stdout);
  return 0;
}

TEST_CASE("faults of the file and of the environment add up, and each is told of at exit") {
  const support::TempDir dir;
  const std::string file = dir.write(
      "machine.toml",
      "[machine]\ndevices = 2\n[[fault]]\nkind = \"kernel\"\nnth = 2\n[[fault]]\nkind = \"ecc\"\n"
      "device = 1\n");
  const auto child = run_with("kernel,name=ker*", "one_kernel", {{"ACLSIM_CONFIG", file}});
  INFO(child.output);
  CHECK(child.clean());
  for (const char* line : {"code 507015\n", "aclsim: 1 of 3 configured faults fired\n",
                           "aclsim: fault 1 (kernel,nth=2): NEVER FIRED; matched once\n",
                           "aclsim: fault 2 (ecc,device=1): NEVER FIRED; never matched\n",
                           "aclsim: fault 3 (kernel,name=ker*): fired once; matched once\n"}) {
    CHECK_THAT(child.output, ContainsSubstring(line));
  }
}

TEST_CASE("without faults nothing fails and nothing is said") {
  const auto child = run_with("", "one_kernel");
  CHECK(child.clean());
  CHECK(child.output == "code 0\n");
}

TEST_CASE("a fault that fires leaves a mark in the timeline") {
  const support::TempDir dir;
  const auto child =
      run_with("kernel", "one_kernel", {{"ACLSIM_TIMELINE", (dir.path() / "run.json").string()}});
  REQUIRE(child.clean());
  CHECK_THAT(dir.read("run.json"), ContainsSubstring(R"("cat":"mark","name":"fault 1: kernel")"));
}

CHILD_PROGRAM(no_machine) {
  CHILD_EXPECT_CODE(aclInit(nullptr), ACL_ERROR_INVALID_PARAM);
  return 0;
}

TEST_CASE("a fault that cannot be understood is named where it stands, with what is allowed") {
  expect_clean(run_with("kernle", "no_machine"),
               "ACLSIM_FAULTS: fault 'kernle': 'kernle' is not a kind");
  expect_clean(run_with("call,call=aclrtMaloc,code=1", "no_machine"),
               "call: 'aclrtMaloc' is not a function");
  expect_clean(run_with("ecc,op=collective", "no_machine"),
               "'ecc' does not strike 'collective'; expected copy, fill, kernel or other");
  const support::TempDir dir;
  struct Mistake {
    const char* text;
    const char* said;
  };
  const auto mistake = GENERATE(
      Mistake{"\n[[fault]]\nkind = \"kernel\"\nnht = 1\n", "machine.toml:4: fault: "},
      Mistake{"[[fault]]\nnth = 1\n", "'' is not a kind of fault"},
      Mistake{"[[fault]]\nkind = [1]\n", "machine.toml:2: fault.kind: expected a text or a number"},
      Mistake{"fault = 3\n", "expected tables, each begun by [[fault]]"});
  const std::string file = dir.write("machine.toml", mistake.text);
  expect_clean(run_with("", "no_machine", {{"ACLSIM_CONFIG", file}}), mistake.said);
}

TEST_CASE("specs can be checked without a machine") {
  REQUIRE_ACL(aclsimCheckFaults("kernel,nth=3;alloc,device=1"));
  CHECK_CODE(aclsimCheckFaults("kernel,nth=0"), ACL_ERROR_INVALID_PARAM);
  CHECK_THAT(recent_message(), ContainsSubstring("nth: '0' is not valid"));
  CHECK_CODE(aclsimCheckFaults(nullptr), ACL_ERROR_INVALID_PARAM);
}
