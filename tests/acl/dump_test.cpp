// SPDX-License-Identifier: Apache-2.0
// Dumps of the inputs and outputs of operators, and of the arguments of launches.
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/acl/dump_world.h"

using namespace world;
using namespace dumptest;

// ---- data of operators --------------------------------------------------------------------------

TEST_CASE("a dump writes what operators read and wrote") {
  const Device device;
  const DeviceMemory in(64);
  const DeviceMemory out(64);
  store(in, 41);
  const Dumping dump(R"("dump_op_switch": "on", "dump_mode": "all")");
  launch_add_one(in, out, "add/one");
  REQUIRE_ACL(aclrtSynchronizeDevice());
  const auto files = dump.files();
  REQUIRE(files.size() == 2);
  const Array read_data(file_with(files, ".input."));
  const Array written(file_with(files, ".output."));
  CHECK(read_data.data == bytes(41));
  CHECK(written.data == bytes(42));
  CHECK(written.type == "|u1");
  CHECK(written.shape == "4,");
  CHECK(files.begin()->first.find("/0/add_one.") != std::string::npos);
}

TEST_CASE("a dump writes outputs alone unless told otherwise") {
  const Device device;
  const DeviceMemory in(64);
  const DeviceMemory out(64);
  store(in, 1);
  Dumping dump(R"("dump_op_switch": "on")");
  launch_add_one(in, out, "op");
  REQUIRE_ACL(aclrtSynchronizeDevice());
  REQUIRE(dump.files().size() == 1);
  CHECK(Array(file_with(dump.files(), ".output.")).data == bytes(2));
  dump.set(R"("dump_op_switch": "on", "dump_mode": "input")");
  launch_add_one(in, out, "op");
  REQUIRE_ACL(aclrtSynchronizeDevice());
  CHECK(Array(file_with(dump.files(), ".input.")).data == bytes(1));
}

TEST_CASE("memory that is worked on in place is dumped as it was before, and after") {
  const Device device;
  const DeviceMemory memory(64);
  store(memory, 41);
  const Dumping dump(R"("dump_op_switch": "on", "dump_mode": "all")");
  void* const pointers[] = {memory, memory};
  const aclsimMemRange range{memory, sizeof(int), ACLSIM_ACCESS_READ | ACLSIM_ACCESS_WRITE};
  aclsimLaunch launch{};
  launch.size = sizeof launch;
  launch.name = "in_place";
  launch.kernel = add_one;
  launch.numBlocks = 1;
  launch.args = pointers;
  launch.argsSize = sizeof pointers;
  launch.ranges = &range;
  launch.numRanges = 1;
  REQUIRE_ACL(aclsimLaunchKernel(&launch, nullptr));
  REQUIRE_ACL(aclrtSynchronizeDevice());
  const auto files = dump.files();
  CHECK(files.size() == 2);
  CHECK(Array(file_with(files, ".input.0.npy")).data == bytes(41));
  CHECK(Array(file_with(files, ".output.0.npy")).data == bytes(42));
}

TEST_CASE("a list names the operators of a dump") {
  const Device device;
  const DeviceMemory in(64);
  const DeviceMemory out(64);
  store(in, 1);
  Dumping dump(R"("dump_list": [{"model_name": "m", "layer": ["this"]}])");
  launch_add_one(in, out, "this");
  launch_add_one(in, out, "that");
  REQUIRE_ACL(aclrtSynchronizeDevice());
  REQUIRE(dump.files().size() == 1);
  CHECK(dump.files().begin()->first.find("this") != std::string::npos);
  dump.set(R"("dump_list": [{"model_name": "m"}])");
  launch_add_one(in, out, "that");
  REQUIRE_ACL(aclrtSynchronizeDevice());
  CHECK(dump.files().size() == 2);
}

TEST_CASE("nothing is dumped before a configuration and after the end") {
  const Device device;
  const DeviceMemory in(64);
  const DeviceMemory out(64);
  store(in, 1);
  support::TempDir dir;
  {
    const Dumping dump(R"("dump_op_switch": "off")");
    launch_add_one(in, out, "op");
    REQUIRE_ACL(aclrtSynchronizeDevice());
    CHECK(dump.files().empty());
    CHECK(acldumpGetPath(DATA_DUMP) == nullptr);
  }
  launch_add_one(in, out, "op");
  REQUIRE_ACL(aclrtSynchronizeDevice());
  CHECK(acldumpGetPath(DATA_DUMP) == nullptr);
}

TEST_CASE("memory that is freed before its dump is left out") {
  const Device device;
  const DeviceMemory in(64);
  const Dumping dump(R"("dump_op_switch": "on", "dump_mode": "all")");
  const Stream stream;
  Gate gate;
  gate.hold(stream);
  {
    const DeviceMemory gone(64);
    const aclsimMemRange range{gone, 64, ACLSIM_ACCESS_READ};
    aclsimLaunch launch{};
    launch.size = sizeof launch;
    launch.name = "op";
    launch.kernel = [](const aclsimKernelContext*, const void*) { return 0; };
    launch.numBlocks = 1;
    launch.ranges = &range;
    launch.numRanges = 1;
    REQUIRE_ACL(aclsimLaunchKernel(&launch, stream));
  }
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(dump.files().empty());
}

TEST_CASE("a failed operator leaves its arguments, and its memory where that is asked for") {
  const Device device;
  const DeviceMemory in(64);
  const DeviceMemory out(64);
  for (const char* const scene : {"aic_err_brief_dump", "aic_err_norm_dump"}) {
    const bool memory = scene != std::string("aic_err_brief_dump");
    Dumping dump(R"("dump_scene": ")" + std::string(scene) + '"');
    store(in, 1);
    launch_add_one(in, out, "good");
    REQUIRE_ACL(aclrtSynchronizeDevice());
    store(in, 12);
    launch_add_one(in, out, "bad");
    CHECK_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
    const auto files = dump.files();
    CHECK(files.size() == (memory ? 3 : 1));
    void* const pointers[] = {in, out};
    CHECK(Array(file_with(files, ".args.npy")).data ==
          std::string(reinterpret_cast<const char*>(pointers), sizeof pointers));
    if (memory) CHECK(Array(file_with(files, ".memory.1.npy")).data == bytes(13));
    CHECK(acldumpGetPath(memory ? AIC_ERR_NORM_DUMP : AIC_ERR_BRIEF_DUMP) ==
          dump.folder().string());
    CHECK(acldumpGetPath(AIC_ERR_DETAIL_DUMP) == nullptr);
  }
}

// ---- arguments ----------------------------------------------------------------------------------

TEST_CASE("arguments of launches are written, one line each") {
  const Device device;
  const DeviceMemory in(64);
  const DeviceMemory out(64);
  store(in, 1);
  const support::TempDir dir;
  launch_add_one(in, out, "before");
  REQUIRE_ACL(aclrtSynchronizeDevice());
  REQUIRE_ACL(aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, (dir.path() / "args").c_str()));
  launch_add_one(in, out, "with \"ranges\"");
  launch(
      nullptr, [] {}, "without");
  REQUIRE_ACL(aclrtSynchronizeDevice());
  REQUIRE_ACL(aclopStopDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS));
  launch_add_one(in, out, "after");
  REQUIRE_ACL(aclrtSynchronizeDevice());
  std::istringstream text(file_with(files_in(dir.path()), "op_args_"));
  std::vector<nlohmann::json> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(nlohmann::json::parse(line));
  REQUIRE(lines.size() == 2);
  CHECK(lines[0]["op"] == "with \"ranges\"");
  CHECK(lines[0]["device"] == 0);
  CHECK(lines[0]["blocks"] == 1);
  CHECK(lines[0]["args"].get<std::string>().size() == 4 * sizeof(void*));
  REQUIRE(lines[0]["ranges"].size() == 2);
  CHECK(lines[0]["ranges"][1]["bytes"] == sizeof(int));
  CHECK(lines[0]["ranges"][0]["read"] == true);
  CHECK(lines[0]["ranges"][0]["written"] == false);
  CHECK(lines[0]["ranges"][1]["read"] == false);
  CHECK(lines[0]["ranges"][1]["written"] == true);
  CHECK(lines[1]["op"] == "without");
  CHECK(lines[1]["ranges"].empty());
}

TEST_CASE("the dump of arguments is on or off") {
  const support::TempDir dir;
  const std::string file = dir.write("file", "x");
  const std::string path = dir.path().string();
  CHECK_CODE(aclopStopDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS), ACL_ERROR_DUMP_NOT_RUN);
  CHECK_CODE(aclopStartDumpArgs(0, path.c_str()), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclopStartDumpArgs(2, path.c_str()), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, ""), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, file.c_str()), ACL_ERROR_INVALID_FILE);
  REQUIRE_ACL(aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, path.c_str()));
  CHECK_CODE(aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, path.c_str()),
             ACL_ERROR_DUMP_ALREADY_RUN);
  CHECK_CODE(aclopStopDumpArgs(3), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclopStopDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS));
}
