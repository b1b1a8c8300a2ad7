// SPDX-License-Identifier: Apache-2.0
// profiling/aprof_pub.h: what frameworks report to the profiler.
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "acl/acl_prof.h"
#include "profiling/prof_api.h"
#include "tests/acl/world.h"
#include "tests/support/slices.h"
#include "tests/support/temp_dir.h"

using namespace world;

namespace {

/// A profile of device 0, for a scope.
class Taken {
 public:
  explicit Taken(std::uint64_t data = ACL_PROF_ACL_API | ACL_PROF_MSPROFTX) {
    const std::string path = dir_.path().string();
    REQUIRE_ACL(aclprofInit(path.c_str(), path.size()));
    std::uint32_t device = 0;
    config_ = aclprofCreateConfig(&device, 1, ACL_AICORE_NONE, nullptr, data);
    REQUIRE_ACL(aclprofStart(config_));
  }
  ~Taken() {
    aclprofFinalize();
    aclprofDestroyConfig(config_);
  }
  std::string folder() const { return dir_.path().string(); }
  /// Ends the profile and returns its timeline.
  std::string stop() {
    REQUIRE_ACL(aclprofStop(config_));
    for (const auto& entry : std::filesystem::recursive_directory_iterator(dir_.path())) {
      if (entry.path().filename().string().rfind("msprof_", 0) != 0) continue;
      std::ifstream file(entry.path());
      return {std::istreambuf_iterator<char>(file), {}};
    }
    FAIL("the profile has no timeline");
    return {};
  }

 private:
  support::TempDir dir_;
  aclprofConfig* config_ = nullptr;
};

std::uint64_t hash_of(const char* text) { return MsprofGetHashId(text, std::strlen(text)); }

std::vector<MsprofCommandHandle> commands;
int32_t note_command(uint32_t type, void* data, uint32_t length) {
  CHECK(type == PROF_CTRL_SWITCH);
  REQUIRE(length == sizeof(MsprofCommandHandle));
  commands.push_back(*static_cast<const MsprofCommandHandle*>(data));
  return 0;
}

}  // namespace

TEST_CASE("a call that a framework reports is a span of the profile, named by its item") {
  const Device device;
  Taken taken;
  MsprofApi api{};
  api.level = MSPROF_REPORT_NODE_LEVEL;
  api.type = MSPROF_REPORT_NODE_LAUNCH_TYPE;
  api.beginTime = MsprofSysCycleTime();
  api.endTime = api.beginTime + 2000;
  api.itemId = hash_of("triton_add");
  CHECK(MsprofReportApi(1, &api) == MSPROF_ERROR_NONE);
  api.itemId = 0;
  CHECK(MsprofRegTypeInfo(MSPROF_REPORT_NODE_LEVEL, api.type, "launch") == 0);
  CHECK(MsprofReportApi(1, &api) == MSPROF_ERROR_NONE);
  MsprofEvent event{};
  event.level = MSPROF_REPORT_MODEL_LEVEL;
  event.type = 77;
  event.timeStamp = api.endTime;
  CHECK(MsprofReportEvent(1, &event) == MSPROF_ERROR_NONE);
  const std::string timeline = taken.stop();
  const auto all = support::slices(timeline);
  CHECK(support::named(all, "triton_add").size() == 1);
  CHECK(support::named(all, "launch").size() == 1);
  CHECK(timeline.find("report 15000 0x4d") != std::string::npos);
}

TEST_CASE("callbacks of frameworks hear when profiles start and stop") {
  const Device device;
  commands.clear();
  REQUIRE(MsprofRegisterCallback(7, note_command) == MSPROF_ERROR_NONE);
  CHECK(commands.empty());
  {
    Taken taken(ACL_PROF_ACL_API | ACL_PROF_TASK_TIME);
    REQUIRE(commands.size() == 1);
    CHECK(commands[0].type == PROF_COMMANDHANDLE_TYPE_START);
    CHECK(commands[0].profSwitch == (PROF_ACL_API_MASK | PROF_TASK_TIME_L1_MASK));
    CHECK(commands[0].devNums == 1);
    CHECK(commands[0].devIdList[0] == 0);
    CHECK(MsprofCheckOpSwitch(MSPROF_OPTYPE, "Add", 3));
    CHECK(std::string(MsprofGetPath()) == taken.folder());
    taken.stop();
    REQUIRE(commands.size() == 2);
    CHECK(commands[1].type == PROF_COMMANDHANDLE_TYPE_STOP);
  }
  CHECK_FALSE(MsprofCheckOpSwitch(MSPROF_OPTYPE, "Add", 3));
  CHECK(std::string(MsprofGetPath()).empty());
  const Taken taken;
  REQUIRE(MsprofRegisterCallback(8, note_command) == MSPROF_ERROR_NONE);
  CHECK(commands.back().type == PROF_COMMANDHANDLE_TYPE_START);
  REQUIRE_ACL(aclsimResetAll());
}

TEST_CASE("texts have ids, and models have devices") {
  const std::uint64_t id = hash_of("MatMul");
  CHECK(id != 0);
  CHECK(MsprofStr2Id("MatMul_and_more", 6) == id);
  CHECK(aclprofStr2Id("MatMul") == id);
  CHECK(std::string(MsprofId2Str(id)) == "MatMul");
  CHECK(MsprofId2Str(0) == nullptr);
  CHECK(MsprofGetHashId(nullptr, 3) == 0);
  CHECK(MsprofGetHashId("x", 0) == 0);

  CHECK(MsprofSetDeviceIdByGeModelIdx(3, 1) == 0);
  CHECK(MsprofSetDeviceIdByGeModelIdx(3, 1) == 0);
  CHECK(MsprofSetDeviceIdByGeModelIdx(3, 0) == MSPROF_ERROR);
  CHECK(MsprofUnsetDeviceIdByGeModelIdx(3, 0) == MSPROF_ERROR);
  CHECK(MsprofUnsetDeviceIdByGeModelIdx(3, 1) == 0);
  CHECK(MsprofUnsetDeviceIdByGeModelIdx(3, 1) == MSPROF_ERROR);
}

TEST_CASE("reports with wrong arguments fail with a text") {
  MsprofApi api{};
  api.beginTime = 2;
  api.endTime = 1;
  CHECK(MsprofReportApi(0, &api) == MSPROF_ERROR);
  CHECK_THAT(aclGetRecentErrMsg(),
             catch_compat::ContainsSubstring("MsprofReportApi: endTime is 1"));
  CHECK(MsprofReportApi(0, nullptr) == MSPROF_ERROR);
  CHECK(MsprofReportEvent(0, nullptr) == MSPROF_ERROR);
  CHECK(MsprofRegisterCallback(0, nullptr) == MSPROF_ERROR);
  CHECK(MsprofRegTypeInfo(0, 0, nullptr) == MSPROF_ERROR);
  MsprofCompactInfo compact{};
  CHECK(MsprofReportCompactInfo(0, &compact, sizeof compact) == MSPROF_ERROR_NONE);
  CHECK(MsprofReportCompactInfo(0, &compact, sizeof compact - 1) == MSPROF_ERROR);
  MsprofAdditionalInfo more[2] = {};
  CHECK(MsprofReportAdditionalInfo(0, more, sizeof *more) == MSPROF_ERROR_NONE);
  CHECK(MsprofReportAdditionalInfo(0, more, sizeof more) == MSPROF_ERROR);
  CHECK(MsprofReportBatchAdditionalInfo(0, more, sizeof more) == MSPROF_ERROR_NONE);
  CHECK(MsprofReportBatchAdditionalInfo(0, nullptr, sizeof more) == MSPROF_ERROR);
  CHECK(MsprofGetBatchReportMaxSize(MSPROF_BATCH_ADDITIONAL_INFO) % sizeof *more == 0);
  CHECK(MsprofGetBatchReportMaxSize(9) == 0);
  int tool = 0;
  CHECK(MsprofSetInjectionFunc(PROF_HOOK_GET, &tool) == MSPROF_ERROR_NONE);
  CHECK(MsprofGetInjectionFunc(PROF_HOOK_GET) == &tool);
  CHECK(MsprofSetInjectionFunc(9, &tool) == MSPROF_ERROR);
  CHECK(MsprofRegisterDataCallback(0, &tool) == MSPROF_ERROR);
  REQUIRE_ACL(aclsimResetAll());
}
