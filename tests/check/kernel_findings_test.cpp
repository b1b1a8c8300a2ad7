// SPDX-License-Identifier: Apache-2.0
// Findings inside of AscendC kernels in the forms of reports.
#if defined(ACLSIM_EXE)

#include <cstdlib>
#include <filesystem>
#include <regex>
#include <string>

#include "tests/check/cases.h"
#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"

namespace {

const std::string kKernels = std::string(ACLSIM_GUEST_DIR) + "/planted_kernels";

/// JSON without line breaks, indents and the spaces behind keys.
std::string in_one_line(const std::string& json) {
  const std::string joined = std::regex_replace(json, std::regex("\\n *"), "");
  return std::regex_replace(joined, std::regex("\": "), "\":");
}

/// The reports about a program of planted_kernels.
struct Reports {
  const support::TempDir dir;
  int status = 0;
  std::string json, sarif, junit;

  explicit Reports(const std::string& program) {
    const auto path = [&](const char* name) { return (dir.path() / name).string(); };
    std::string command = "unset ACLSIM_CHECK_QUIET ACLSIM_CHECK_LEVEL; '";
    command += std::string(ACLSIM_EXE) + "' run --check --fail-on warning";
    for (const char* const name : {"a.json", "a.sarif", "a.xml"})
      command += " --report '" + path(name) + "'";
    status = std::system((command + " -- '" + kKernels + "' " + program + " 2>/dev/null").c_str());
    json = in_one_line(dir.read("a.json"));
    sarif = in_one_line(dir.read("a.sarif"));
    junit = dir.read("a.xml");
  }
};

bool has(const std::string& text, const std::string& pattern) {
  return std::regex_search(text, std::regex(pattern));
}

/// An object of the JSON report, without the objects in it.
std::string op(const std::string& key, const std::string& what) {
  return "\"" + key + "\":\\{\"what\":\"" + what +
         "\",\"stream\":\\d+,\"default_stream\":false,\"thread\":\\d+,[^{]*\"device\":0,[^{]*"
         "\"place\":\\{\"file\":\"[^\"]*planted_kernels.cpp\",\"line\":\\d+";
}

}  // namespace

TEST_CASE("a race inside a kernel has the other access and its launch in each form of a report",
          "[kernel_findings]") {
  if (!check::bugs_may_run() || !std::filesystem::exists(kKernels)) return;
  for (const char* const program : {"pipes_race", "pipes_race_in_graph"}) {
    const Reports bug(program);
    INFO(bug.json << bug.sarif << bug.junit);
    CHECK(bug.status != 0);
    CHECK(has(bug.json, "\"rule\":\"ACL035\""));
    CHECK(has(bug.json, op("it", "stores_at_once")));
    CHECK(has(bug.json, op("other", "Duplicate")));
    CHECK(has(bug.json, op("launch", "stores_at_once")));
    CHECK(has(bug.json, "\"repair\":\"[^\"]*SetFlag<HardEvent::V_MTE3>"));
    CHECK(has(bug.sarif, "\"relatedLocations\":\\[\\{\"id\":1.*\"id\":2"));
    CHECK(has(bug.sarif, "\"text\":\"launched here: stores_at_once"));
    CHECK(has(bug.junit, "note: launched here: stores_at_once"));
    CHECK(has(bug.junit, "note: earlier access: Duplicate"));
    const Reports twin(std::string(program) + " ok");
    INFO(twin.json);
    CHECK(twin.status == 0);
  }
}

TEST_CASE("an error inside a kernel has a repair of its own", "[kernel_findings]") {
  if (!check::bugs_may_run() || !std::filesystem::exists(kKernels)) return;
  const Reports bug("local_memory_unwritten");
  INFO(bug.json);
  CHECK(has(bug.json, "\"rule\":\"ACL036\",\"level\":\"error\""));
  CHECK(has(bug.json, "\"repair\":\"write the bytes first"));
  CHECK(has(bug.json, op("launch", "stores_nothing")));
  CHECK_FALSE(has(bug.json, "see docs/kernels.md"));
}

TEST_CASE("a copy that drops elements is a warning of the report", "[kernel_findings]") {
  if (!check::bugs_may_run() || !std::filesystem::exists(kKernels)) return;
  const Reports bug("tail_dropped");
  INFO(bug.json);
  CHECK(bug.status != 0);
  CHECK(has(bug.json, "\"rule\":\"ACL036\",\"level\":\"warning\""));
  CHECK(has(bug.json, "the last 2 elements are dropped"));
  CHECK(has(bug.json, "\"repair\":\"use DataCopyPad"));
  const Reports twin("tail_dropped ok");
  CHECK(twin.status == 0);
}

#endif
