// SPDX-License-Identifier: Apache-2.0
// Pipes, devices and files of the kernel where the library expects a file: each is refused at once
// with the code for a file that cannot be read, and /dev/null is empty.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "tests/acl/world.h"
#include "tests/support/child.h"
#include "tests/support/odd_files.h"

using namespace world;
using catch_compat::ContainsSubstring;
using support::OddFiles;

namespace {

constexpr std::chrono::seconds kLimit(20);  // a child that hangs is killed then

support::ChildResult run(const char* program, const support::Environment& environment) {
  return support::run_child(program, environment, kLimit);
}

/// Every odd file of this system is refused by the child program.
void check_refused(const char* program) {
  const OddFiles odd;
  for (const std::string& path : odd.all()) {
    if (access(path.c_str(), F_OK) != 0) continue;
    const support::ChildResult child = run(program, {{"ODD_FILE", path}});
    INFO(path << "\n" << child.output);
    CHECK(child.clean());
  }
}

const char* odd_file() { return std::getenv("ODD_FILE"); }

}  // namespace

CHILD_PROGRAM(initialises_from_an_odd_file) {
  CHILD_EXPECT_CODE(aclInit(odd_file()), ACL_ERROR_INVALID_FILE);
  CHILD_EXPECT(std::string(aclGetRecentErrMsg()).find(odd_file()) != std::string::npos);
  CHILD_EXPECT_CODE(aclInit("/dev/null"), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclFinalize(), ACL_SUCCESS);
  return 0;
}

TEST_CASE("aclInit takes no pipe, device or file of the kernel", "[files]") {
  check_refused("initialises_from_an_odd_file");
}

CHILD_PROGRAM(dumps_by_an_odd_file) {
  CHILD_EXPECT_CODE(aclInit(nullptr), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclmdlInitDump(), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclmdlSetDump(odd_file()), ACL_ERROR_INVALID_FILE);
  return 0;
}

TEST_CASE("aclmdlSetDump takes no pipe, device or file of the kernel", "[files]") {
  check_refused("dumps_by_an_odd_file");
}

CHILD_PROGRAM(loads_an_odd_file) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtBinHandle binary = nullptr;
  CHILD_EXPECT_CODE(aclrtBinaryLoadFromFile(odd_file(), nullptr, &binary),
                    ACL_ERROR_RT_PARAM_INVALID);
  return 0;
}

TEST_CASE("a kernel binary is no pipe, device or file of the kernel", "[files]") {
  check_refused("loads_an_odd_file");
}

// With a setting that names an odd file.
CHILD_PROGRAM(calls_with_an_odd_setting) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_ERROR_INVALID_PARAM);
  return 0;
}

TEST_CASE("a configuration file is no pipe, device or file of the kernel", "[files]") {
  const OddFiles odd;
  for (const std::string& path : odd.all()) {
    if (access(path.c_str(), F_OK) != 0) continue;
    const auto child = run("calls_with_an_odd_setting", {{"ACLSIM_CONFIG", path}});
    INFO(path << "\n" << child.output);
    CHECK(child.clean());
    CHECK_THAT(child.output, ContainsSubstring("ACLSIM_CONFIG: '" + path + "' cannot be read ("));
  }
}

TEST_CASE("departures come from no pipe, device or file of the kernel", "[files]") {
  const OddFiles odd;
  for (const std::string& path : odd.all()) {
    if (access(path.c_str(), F_OK) != 0) continue;
    const auto child = run("calls_with_an_odd_setting",
                           {{"ACLSIM_SCHEDULE", "seeded"}, {"ACLSIM_STRATEGY", "replay:@" + path}});
    INFO(path << "\n" << child.output);
    CHECK(child.clean());
    CHECK_THAT(child.output, ContainsSubstring("'" + path + "' cannot be read ("));
  }
}

// A race, so that there is something to suppress and to report. Run under a seed, where one thread
// after the other runs: ThreadSanitizer would report the race as well.
CHILD_PROGRAM(runs_with_odd_files) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  void* memory = nullptr;
  CHILD_EXPECT_CODE(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtMemsetAsync(memory, 64, 1, 64, nullptr), ACL_SUCCESS);
  int value = 0;
  CHILD_EXPECT_CODE(
      aclrtMemcpy(&value, sizeof value, memory, sizeof value, ACL_MEMCPY_DEVICE_TO_HOST),
      ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtResetDevice(0), ACL_SUCCESS);
  return 0;
}

TEST_CASE("suppressions come from no pipe, device or file of the kernel", "[files]") {
  const OddFiles odd;
  for (const std::string& path : odd.all()) {
    if (access(path.c_str(), F_OK) != 0) continue;
    const auto child = run("runs_with_odd_files", {{"ACLSIM_CHECK", "1"},
                                                   {"ACLSIM_SCHEDULE", "seeded"},
                                                   {"ACLSIM_CHECK_SUPPRESSIONS", path}});
    INFO(path << "\n" << child.output);
    CHECK(child.clean());
    CHECK_THAT(child.output, ContainsSubstring("no suppressions: " + path + ": cannot be read ("));
  }
}

TEST_CASE("a run does not wait for somebody to read its files", "[files]") {
  const OddFiles odd;
  const char* const variable = GENERATE("ACLSIM_TIMELINE", "ACLSIM_RECORD", "ACLSIM_CHECK_REPORT");
  const auto child =
      run("runs_with_odd_files",
          {{"ACLSIM_CHECK", "1"}, {"ACLSIM_SCHEDULE", "seeded"}, {variable, odd.pipe()}});
  INFO(variable << "\n" << child.output);
  CHECK(child.clean());
  CHECK_THAT(child.output, ContainsSubstring("nobody reads from the pipe"));
}

TEST_CASE("decisions that nobody reads are told at the start", "[files]") {
  const OddFiles odd;
  const auto child = run("calls_with_an_odd_setting",
                         {{"ACLSIM_SCHEDULE", "seeded"}, {"ACLSIM_DECISIONS", odd.pipe()}});
  INFO(child.output);
  CHECK(child.clean());
  CHECK_THAT(child.output, ContainsSubstring("nobody reads from the pipe"));
}

CHILD_PROGRAM(prints_a_graph_to_an_odd_file) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtStream stream = nullptr;
  aclmdlRI graph = nullptr;
  CHILD_EXPECT_CODE(aclrtCreateStream(&stream), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclmdlRICaptureEnd(stream, &graph), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclmdlRIDebugJsonPrint(graph, odd_file(), 0), ACL_ERROR_INVALID_FILE);
  return 0;
}

TEST_CASE("a graph is not printed to a pipe that nobody reads", "[files]") {
  const OddFiles odd;
  const auto child = run("prints_a_graph_to_an_odd_file", {{"ODD_FILE", odd.pipe()}});
  INFO(child.output);
  CHECK(child.clean());
}
