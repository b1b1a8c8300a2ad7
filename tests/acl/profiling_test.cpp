// SPDX-License-Identifier: Apache-2.0
// Profiles: configurations, intervals, and the files that they leave.
#include "acl/acl_prof.h"

#include <sys/resource.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "acl/acl_dump.h"
#include "tests/acl/world.h"
#include "tests/support/child.h"
#include "tests/support/slices.h"
#include "tests/support/temp_dir.h"

using namespace world;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kAll = ACL_PROF_ACL_API | ACL_PROF_TASK_TIME | ACL_PROF_MSPROFTX;

aclprofConfig* make(std::vector<std::uint32_t> devices, std::uint64_t data = kAll) {
  return aclprofCreateConfig(devices.data(), static_cast<std::uint32_t>(devices.size()),
                             ACL_AICORE_NONE, nullptr, data);
}

class Config {
 public:
  explicit Config(std::vector<std::uint32_t> devices, std::uint64_t data = kAll)
      : handle_(make(std::move(devices), data)) {
    REQUIRE(handle_ != nullptr);
  }
  ~Config() { aclprofDestroyConfig(handle_); }
  Config(const Config&) = delete;
  Config& operator=(const Config&) = delete;
  operator const aclprofConfig*() const { return handle_; }

 private:
  aclprofConfig* handle_;
};

/// Profiling with results in a folder, for a scope.
struct Profiler {
  support::TempDir dir;
  Profiler() {
    const std::string path = (dir.path() / "deep" / "result").string();
    REQUIRE_ACL(aclprofInit(path.c_str(), path.size()));
  }
  ~Profiler() { aclprofFinalize(); }

  std::vector<fs::path> results() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(dir.path())) {
      if (entry.path().filename().string().rfind("PROF_", 0) == 0) found.push_back(entry.path());
    }
    return found;
  }
  /// The one result.
  fs::path result() const {
    const auto found = results();
    REQUIRE(found.size() == 1);
    return found[0];
  }
};

std::string read(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The one file below `folder` whose name matches.
fs::path file_in(const fs::path& folder, const char* pattern) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (std::regex_match(entry.path().filename().string(), std::regex(pattern))) {
      found.push_back(entry.path());
    }
  }
  INFO(folder << " " << pattern);
  REQUIRE(found.size() == 1);
  return found[0];
}

std::string timeline_of(const fs::path& result) {
  return read(file_in(result / "mindstudio_profiler_output", R"(msprof_\d+\.json)"));
}

std::string statistics_of(const fs::path& result, int device) {
  return read(file_in(result / ("device_" + std::to_string(device)), R"(op_statistic_\d+\.csv)"));
}

void run_kernels(const char* name, int count) {
  for (int i = 0; i < count; ++i)
    launch(
        nullptr, [] {}, name);
  REQUIRE_ACL(aclrtSynchronizeDevice());
}

}  // namespace

TEST_CASE("a profile holds what ran between start and stop") {
  const Device device;
  Profiler profiler;
  const Config config({0});
  run_kernels("too_early", 2);
  REQUIRE_ACL(aclprofStart(config));
  run_kernels("inside", 3);
  REQUIRE_ACL(aclprofStop(config));
  run_kernels("too_late", 2);
  const fs::path result = profiler.result();
  CHECK(std::regex_match(result.filename().string(), std::regex(R"(PROF_\d{6}_\d{17}_[A-Z]{16})")));
  const std::string text = timeline_of(result);
  CHECK(support::broken_rule(text) == "");
  const auto all = support::slices(text);
  CHECK(support::named(all, "inside").size() == 3);
  CHECK(support::named(all, "too_early").empty());
  CHECK(support::named(all, "too_late").empty());
  CHECK_FALSE(support::named(all, "aclsimLaunchKernel").empty());
  const auto info = nlohmann::json::parse(read(result / "info.json"));
  CHECK(info["devices"] == nlohmann::json({0}));
  CHECK(info["data_type_config"] == kAll);
  CHECK(info["begin_ns"] < info["end_ns"]);
}

TEST_CASE("a profile sums up the tasks of each device by name") {
  Profiler profiler;
  const Config config({1, 0});
  REQUIRE_ACL(aclprofStart(config));
  for (const int id : {0, 1}) {
    const Device device(id);
    run_kernels(id == 0 ? "zero, \"quoted\"" : "one", 3 + id);
  }
  REQUIRE_ACL(aclprofStop(config));
  const fs::path result = profiler.result();
  const std::string zero = statistics_of(result, 0);
  const std::string one = statistics_of(result, 1);
  CHECK(zero.rfind("Device_id,OP Type,OP Name,Count,Total Time(us),", 0) == 0);
  CHECK(std::regex_search(
      zero, std::regex(R"re(\n0,"KERNEL_AIVEC","zero, ""quoted""",3(,\d+\.\d{3}){4}\n)re")));
  CHECK(std::regex_search(one, std::regex(R"(\n1,"KERNEL_AIVEC","one",4,)")));
  CHECK(zero.find("one") == std::string::npos);
}

TEST_CASE("a profile holds its own devices only") {
  Profiler profiler;
  const Config config({1});
  REQUIRE_ACL(aclprofStart(config));
  for (const int id : {0, 1}) {
    const Device device(id);
    run_kernels(id == 0 ? "zero" : "one", 1);
  }
  REQUIRE_ACL(aclprofStop(config));
  const auto all = support::slices(timeline_of(profiler.result()));
  CHECK(support::named(all, "zero").empty());
  CHECK(support::named(all, "one").size() == 1);
}

TEST_CASE("the bits of a configuration choose what a profile holds") {
  const Device device;
  const struct {
    std::uint64_t data;
    bool calls, tasks, ranges;
  } rows[] = {{ACL_PROF_ACL_API, true, false, false},
              {ACL_PROF_TASK_TIME_L0, false, true, false},
              {ACL_PROF_MSPROFTX, false, false, true},
              {ACL_PROF_L2CACHE, false, false, false}};
  for (const auto& row : rows) {
    Profiler profiler;
    const Config config({0}, row.data);
    REQUIRE_ACL(aclprofStart(config));
    void* const stamp = aclprofCreateStamp();
    REQUIRE_ACL(aclprofSetStampTraceMessage(stamp, "range", 5));
    REQUIRE_ACL(aclprofPush(stamp));
    run_kernels("kernel", 1);
    REQUIRE_ACL(aclprofPop());
    aclprofDestroyStamp(stamp);
    REQUIRE_ACL(aclprofStop(config));
    const auto all = support::slices(timeline_of(profiler.result()));
    INFO(row.data);
    CHECK(support::named(all, "aclprofPush").size() == (row.calls ? 1 : 0));
    CHECK(support::named(all, "kernel").size() == (row.tasks ? 1 : 0));
    CHECK(support::named(all, "range").size() == (row.ranges ? 1 : 0));
    CHECK(fs::exists(profiler.result() / "device_0") == row.tasks);
  }
}

TEST_CASE("tasks that run when a profile begins or ends do it no harm") {
  const Device device;
  const Stream stream;
  Profiler profiler;
  const Config config({0});
  Gate first;
  first.hold(stream);
  REQUIRE_ACL(aclprofStart(config));
  first.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  Gate second;
  second.hold(stream);
  REQUIRE_ACL(aclprofStop(config));
  const std::string text = timeline_of(profiler.result());
  CHECK(support::broken_rule(text) == "");
  const auto gates = support::named(support::slices(text), "gate");
  REQUIRE(gates.size() == 2);
  CHECK(gates[1].args["unfinished"] == true);
  second.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
}

namespace {

void push(const char* text) {
  void* const stamp = aclprofCreateStamp();
  REQUIRE_ACL(aclprofSetStampTraceMessage(stamp, text, static_cast<std::uint32_t>(strlen(text))));
  REQUIRE_ACL(aclprofPush(stamp));
  aclprofDestroyStamp(stamp);
}

std::uint32_t start_range(const char* text) {
  void* const stamp = aclprofCreateStamp();
  std::uint32_t id = 0;
  REQUIRE_ACL(aclprofSetStampTraceMessage(stamp, text, static_cast<std::uint32_t>(strlen(text))));
  REQUIRE_ACL(aclprofRangeStart(stamp, &id));
  aclprofDestroyStamp(stamp);
  return id;
}

}  // namespace

TEST_CASE("a range that is open when a profile begins is in it, from there on") {
  Profiler profiler;
  const Config config({0});
  push("closed before");
  REQUIRE_ACL(aclprofPop());
  push("outer");
  push("inner");
  const std::uint32_t between_threads = start_range("between threads");
  std::thread([] { push("of a thread that ended"); }).join();
  REQUIRE_ACL(aclprofStart(config));
  REQUIRE_ACL(aclprofRangeStop(between_threads));
  REQUIRE_ACL(aclprofPop());
  REQUIRE_ACL(aclprofPop());
  REQUIRE_ACL(aclprofStop(config));
  const std::string text = timeline_of(profiler.result());
  CHECK(support::broken_rule(text) == "");
  const auto all = support::slices(text);
  const auto info = nlohmann::json::parse(read(profiler.result() / "info.json"));
  for (const char* const name : {"outer", "inner", "between threads"}) {
    INFO(name);
    const auto found = support::named(all, name);
    REQUIRE(found.size() == 1);
    CHECK(found[0].start >= info["begin_ns"]);
    CHECK(found[0].end <= info["end_ns"]);
    CHECK_FALSE(found[0].args.contains("unfinished"));
  }
  CHECK(support::named(all, "outer")[0].contains(support::named(all, "inner")[0]));
  CHECK(support::named(all, "closed before").empty());
  CHECK(support::named(all, "of a thread that ended").empty());
}

TEST_CASE("a range that outlasts a profile is unfinished there, and in the next one again") {
  Profiler profiler;
  const Config config({0});
  push("long");
  for (int round = 0; round < 2; ++round) {
    REQUIRE_ACL(aclprofStart(config));
    REQUIRE_ACL(aclprofStop(config));
  }
  REQUIRE_ACL(aclprofPop());
  REQUIRE(profiler.results().size() == 2);
  for (const fs::path& result : profiler.results()) {
    const auto found = support::named(support::slices(timeline_of(result)), "long");
    REQUIRE(found.size() == 1);
    CHECK(found[0].args["unfinished"] == true);
  }
}

TEST_CASE("profiles of different devices may be taken at once, those of one device may not") {
  const Device device;
  Profiler profiler;
  const Config zero({0});
  const Config one({1});
  const Config both({0, 1});
  REQUIRE_ACL(aclprofStart(zero));
  CHECK_CODE(aclprofStart(zero), ACL_ERROR_PROF_ALREADY_RUN);
  CHECK_CODE(aclprofStart(both), ACL_ERROR_PROF_ALREADY_RUN);
  REQUIRE_ACL(aclprofStart(one));
  run_kernels("kernel", 1);
  REQUIRE_ACL(aclprofStop(zero));
  REQUIRE_ACL(aclprofStart(zero));
  REQUIRE_ACL(aclprofStop(zero));
  REQUIRE_ACL(aclprofStop(one));
  CHECK_CODE(aclprofStop(one), ACL_ERROR_PROF_NOT_RUN);
  CHECK(profiler.results().size() == 3);
}

TEST_CASE("an equal configuration stops a profile too") {
  Profiler profiler;
  const Config config({0, 1});
  const Config equal({1, 0});
  const Config other({0, 1}, ACL_PROF_TASK_TIME);
  REQUIRE_ACL(aclprofStart(config));
  CHECK_CODE(aclprofStop(other), ACL_ERROR_PROF_NOT_RUN);
  CHECK_CODE(aclprofStop(equal), ACL_SUCCESS);
}

TEST_CASE("a configuration may be destroyed while its profile is taken") {
  Profiler profiler;
  aclprofConfig* const config = make({0});
  REQUIRE_ACL(aclprofStart(config));
  REQUIRE_ACL(aclprofDestroyConfig(config));
  CHECK_CODE(aclprofStop(config), ACL_ERROR_RT_INVALID_HANDLE);
  REQUIRE_ACL(aclprofFinalize());
  CHECK(fs::exists(profiler.result() / "info.json"));
}

TEST_CASE("profiling is initialised once at a time") {
  const support::TempDir dir;
  const std::string path = dir.path().string();
  CHECK_CODE(aclprofFinalize(), ACL_ERROR_PROF_NOT_RUN);
  for (int round = 0; round < 2; ++round) {
    REQUIRE_ACL(aclprofInit(path.c_str(), path.size()));
    CHECK_CODE(aclprofInit(path.c_str(), path.size()), ACL_ERROR_PROF_ALREADY_RUN);
    REQUIRE_ACL(aclprofFinalize());
  }
  const Config config({0});
  CHECK_CODE(aclprofStart(config), ACL_ERROR_PROF_NOT_RUN);
  CHECK_CODE(aclprofStop(config), ACL_ERROR_PROF_NOT_RUN);
}

TEST_CASE("the configuration of aclInit turns a profile of all devices on, until aclFinalize") {
  const support::TempDir dir;
  const fs::path folder = dir.path() / "prof";
  const std::string config =
      dir.write("acl.json", R"({"profiler": {"switch": "on", "msproftx": "on", "aic_metrics": "x",)"
                            R"( "output": ")" +
                                folder.string() + "\"}}");
  REQUIRE_ACL(aclInit(config.c_str()));
  CHECK_CODE(aclprofInit("x", 1), ACL_ERROR_PROF_ALREADY_RUN);
  push("range");
  for (const int id : {0, 1}) {
    const Device device(id);
    run_kernels(id == 0 ? "zero" : "one", 1);
  }
  REQUIRE_ACL(aclprofPop());
  REQUIRE_ACL(aclFinalize());
  const auto all = support::slices(timeline_of(file_in(folder, "PROF_.*")));
  for (const char* const name : {"zero", "one", "range"}) {
    INFO(name);
    CHECK(support::named(all, name).size() == 1);
  }
  CHECK(support::named(all, "aclsimLaunchKernel").size() == 2);
  const Config other({0});
  CHECK_CODE(aclprofStart(other), ACL_ERROR_PROF_NOT_RUN);
}

TEST_CASE("aclInit refuses a wrong profiler") {
  const support::TempDir dir;
  const std::string file = dir.write("file", "x");
  for (const std::string& profiler : {std::string("1"), std::string(R"({"switch": "perhaps"})"),
                                      std::string(R"({"switch": "on", "output": 1})"),
                                      std::string(R"({"switch": "on", "task_time": true})"),
                                      R"({"switch": "on", "output": ")" + file + "\"}"}) {
    INFO(profiler);
    const std::string config = dir.write("acl.json", R"({"profiler": )" + profiler + '}');
    CHECK_CODE(aclInit(config.c_str()), ACL_ERROR_INVALID_PROFILING_CONFIG);
  }
  const std::string off = dir.write("acl.json", R"({"profiler": {"switch": "off"}})");
  REQUIRE_ACL(aclInit(off.c_str()));
  const std::string path = dir.path().string();
  REQUIRE_ACL(aclprofInit(path.c_str(), path.size()));
  REQUIRE_ACL(aclFinalize());
  REQUIRE_ACL(aclprofFinalize());  // what the program began is the program's
}

TEST_CASE("a wrong result path is refused") {
  const support::TempDir dir;
  const std::string file = dir.write("file", "text");
  CHECK_CODE(aclprofInit(nullptr, 3), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofInit("path", 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofInit("", 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofInit(file.c_str(), file.size()), ACL_ERROR_INVALID_FILE);
  CHECK_CODE(aclprofFinalize(), ACL_ERROR_PROF_NOT_RUN);
}

TEST_CASE("wrong arguments make no configuration") {
  std::uint32_t devices[] = {0, 0, 8};
  const auto made = [&](std::uint32_t* ids, std::uint32_t count, int metrics, const void* events,
                        std::uint64_t data) {
    return aclprofCreateConfig(ids, count, static_cast<aclprofAicoreMetrics>(metrics),
                               static_cast<const aclprofAicoreEvents*>(events), data) != nullptr;
  };
  CHECK_FALSE(made(nullptr, 1, 255, nullptr, kAll));
  CHECK_FALSE(made(devices, 2, 255, nullptr, kAll));
  CHECK_FALSE(made(devices + 2, 1, 255, nullptr, kAll));
  CHECK_FALSE(made(devices, 1000, 255, nullptr, kAll));
  CHECK_FALSE(made(devices, 1, 9, nullptr, kAll));
  CHECK_FALSE(made(devices, 1, -1, nullptr, kAll));
  CHECK_FALSE(made(devices, 1, 255, devices, kAll));
  CHECK_FALSE(made(devices, 1, 255, nullptr, 0));
  CHECK_FALSE(made(devices, 1, 255, nullptr, std::uint64_t{1} << 63));
  CHECK(recent_message().find("aclprofCreateConfig") == 0);
}

TEST_CASE("a configuration without devices is for the host alone") {
  Profiler profiler;
  const Config config({});
  REQUIRE_ACL(aclprofStart(config));
  CHECK_CODE(aclprofStart(config), ACL_ERROR_PROF_ALREADY_RUN);
  CHECK_CODE(aclprofStop(config), ACL_SUCCESS);
}

TEST_CASE("configurations that are none are refused") {
  Profiler profiler;
  aclprofConfig* const destroyed = make({0});
  REQUIRE_ACL(aclprofDestroyConfig(destroyed));
  int garbage = 0;
  const Device device;
  const Stream stream;
  for (void* const handle : {static_cast<void*>(destroyed), static_cast<void*>(&garbage),
                             static_cast<void*>(aclrtStream(stream))}) {
    const auto* const config = static_cast<const aclprofConfig*>(handle);
    CHECK_CODE(aclprofStart(config), ACL_ERROR_RT_INVALID_HANDLE);
    CHECK_CODE(aclprofStop(config), ACL_ERROR_RT_INVALID_HANDLE);
    CHECK_CODE(aclprofDestroyConfig(config), ACL_ERROR_RT_INVALID_HANDLE);
  }
  CHECK_CODE(aclprofStart(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofStop(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofDestroyConfig(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("options are kept with the result, and one of them moves it") {
  Profiler profiler;
  const support::TempDir other;
  const std::string path = (other.path() / "moved").string();
  CHECK_CODE(aclprofSetConfig(ACL_PROF_ARGS_MIN, "1", 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofSetConfig(ACL_PROF_ARGS_MAX, "1", 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofSetConfig(static_cast<aclprofConfigType>(2), "1", 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofSetConfig(ACL_PROF_STORAGE_LIMIT, nullptr, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofSetConfig(ACL_PROF_STORAGE_LIMIT, "200MB", 0), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclprofSetConfig(ACL_PROF_STORAGE_LIMIT, "200MB", 5));
  REQUIRE_ACL(aclprofSetConfig(ACL_PROF_PATH, path.c_str(), path.size()));
  const Config config({0});
  REQUIRE_ACL(aclprofStart(config));
  REQUIRE_ACL(aclprofStop(config));
  CHECK(profiler.results().empty());
  const auto info = nlohmann::json::parse(read(file_in(path, "PROF_.*") / "info.json"));
  CHECK(info["options"]["1"] == "200MB");
}

TEST_CASE("profiles begin and end while other threads work") {
  const Device device;
  const aclrtContext context = current_context();
  Profiler profiler;
  std::atomic<bool> stop{false};
  Problems problems;
  std::thread worker([&] {
    EXPECT_ACL(problems, aclrtSetCurrentContext(context));
    while (!stop) {
      EXPECT_ACL(problems, try_launch(
                               nullptr, [] {}, "kernel"));
      EXPECT_ACL(problems, aclrtSynchronizeStream(nullptr));
      void* const stamp = aclprofCreateStamp();
      EXPECT_ACL(problems, aclprofPush(stamp));
      EXPECT_ACL(problems, aclprofPop());
      aclprofDestroyStamp(stamp);
    }
  });
  for (int round = 0; round < 10; ++round) {
    const Config config({0});
    REQUIRE_ACL(aclprofStart(config));
    std::this_thread::yield();
    REQUIRE_ACL(aclprofStop(config));
  }
  stop = true;
  worker.join();
  CHECK(problems.text() == "");
  const auto results = profiler.results();
  CHECK(results.size() == 10);
  for (const auto& result : results) CHECK(support::broken_rule(timeline_of(result)) == "");
}

CHILD_PROGRAM(exit_while_profiling) {
  const char* const path = std::getenv("RESULT_PATH");
  CHILD_EXPECT_CODE(aclprofInit(path, std::strlen(path)), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclprofStart(make({0})), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  CHILD_EXPECT_CODE(try_launch(
                        nullptr, [] {}, "kernel"),
                    ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSynchronizeDevice(), ACL_SUCCESS);
  return 0;
}

TEST_CASE("a profile that was never stopped is written at exit, beside the trace of the run") {
  const support::TempDir dir;
  const auto child = support::run_child("exit_while_profiling",
                                        {{"RESULT_PATH", (dir.path() / "prof").string()},
                                         {"ACLSIM_TIMELINE", (dir.path() / "run.json").string()}});
  INFO(child.output);
  REQUIRE(child.clean());
  const fs::path result = file_in(dir.path() / "prof", "PROF_.*");
  CHECK(support::named(support::slices(timeline_of(result)), "kernel").size() == 1);
  CHECK(statistics_of(result, 0).find("kernel") != std::string::npos);
  CHECK(support::named(support::slices(dir.read("run.json")), "kernel").size() == 1);
}

CHILD_PROGRAM(profiles_onto_a_full_disk) {
  const support::TempDir dir;
  const std::string path = dir.path().string();
  CHILD_EXPECT_CODE(aclInit(nullptr), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclprofInit(path.c_str(), path.size()), ACL_SUCCESS);
  std::uint32_t device = 0;
  aclprofConfig* const config = aclprofCreateConfig(&device, 1, ACL_AICORE_NONE, nullptr, kAll);
  CHILD_EXPECT_CODE(aclprofStart(config), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, path.c_str()), ACL_SUCCESS);
  const rlimit small{16384, RLIM_INFINITY};
  CHILD_EXPECT(setrlimit(RLIMIT_FSIZE, &small) == 0);
  for (int i = 0; i < 1000; ++i) CHILD_EXPECT_CODE(try_launch(nullptr, [] {}), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclprofStop(config), ACL_ERROR_PROFILING_FAILURE);
  CHILD_EXPECT(std::string(aclGetRecentErrMsg()).find("is cut off") != std::string::npos);
  CHILD_EXPECT_CODE(aclopStopDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS), ACL_ERROR_INVALID_FILE);
  return 0;
}

TEST_CASE(
    "a profile and a dump that could not be written are failures of the calls that end them") {
  const auto child = support::run_child("profiles_onto_a_full_disk");
  INFO(child.output);
  CHECK(child.clean());
}
