// SPDX-License-Identifier: Apache-2.0
// How dumps are turned on and off, and configurations that are refused.
#include "tests/acl/dump_world.h"

using namespace world;
using namespace dumptest;

TEST_CASE("the folders of dumps are known while they are on") {
  CHECK(acldumpGetPath(DATA_DUMP) == nullptr);
  CHECK(acldumpGetPath(static_cast<acldumpType>(0)) == nullptr);
  CHECK(acldumpGetPath(static_cast<acldumpType>(6)) == nullptr);
  const char* path = nullptr;
  std::string folder;
  {
    const Dumping dump(R"("dump_op_switch": "on", "dump_debug": "on")");
    folder = dump.folder().string();
    path = acldumpGetPath(DATA_DUMP);
    REQUIRE(path != nullptr);
    CHECK(path == folder);
    CHECK(acldumpGetPath(OVERFLOW_DUMP) == folder);
    CHECK(acldumpGetPath(AIC_ERR_BRIEF_DUMP) == nullptr);
  }
  CHECK(path == folder);  // still readable
}

TEST_CASE("a dump is initialised, configured and finalised in this order") {
  CHECK_CODE(aclmdlSetDump("x"), ACL_ERROR_DUMP_NOT_RUN);
  CHECK_CODE(aclmdlFinalizeDump(), ACL_ERROR_DUMP_NOT_RUN);
  REQUIRE_ACL(aclmdlInitDump());
  CHECK_CODE(aclmdlInitDump(), ACL_ERROR_DUMP_ALREADY_RUN);
  CHECK_CODE(aclmdlSetDump(nullptr), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclmdlFinalizeDump());
}

TEST_CASE("the configuration of aclInit turns a dump on, until aclFinalize") {
  const support::TempDir dir;
  const fs::path folder = dir.path() / "data";
  const std::string config = dir.write(
      "acl.json", R"({"dump": {"dump_op_switch": "on", "dump_path": ")" + folder.string() + "\"}}");
  const Device device;
  const DeviceMemory in(64);
  const DeviceMemory out(64);
  store(in, 1);
  for (std::size_t round = 1; round <= 2; ++round) {
    REQUIRE_ACL(aclInit(config.c_str()));
    CHECK_CODE(aclmdlInitDump(), ACL_ERROR_DUMP_ALREADY_RUN);
    CHECK(acldumpGetPath(DATA_DUMP) == folder.string());
    launch_add_one(in, out, "during");
    REQUIRE_ACL(aclrtSynchronizeDevice());
    REQUIRE_ACL(aclFinalize());
    CHECK(acldumpGetPath(DATA_DUMP) == nullptr);
    launch_add_one(in, out, "after");
    REQUIRE_ACL(aclrtSynchronizeDevice());
    CHECK(files_in(folder).size() == round);
  }
  REQUIRE_ACL(aclInit(config.c_str()));
  REQUIRE_ACL(aclmdlFinalizeDump());  // or the program ends it
  CHECK(acldumpGetPath(DATA_DUMP) == nullptr);
  REQUIRE_ACL(aclFinalize());
}

TEST_CASE("aclInit refuses a wrong dump, and can be called again") {
  const support::TempDir dir;
  const std::string good = R"("dump_path": ")" + (dir.path() / "data").string() + '"';
  for (const std::string& dump : {std::string("1"), std::string(R"({"dump_mode": "all"})"),
                                  R"({"dump_mode": "some", )" + good + '}'}) {
    INFO(dump);
    const std::string config = dir.write("acl.json", R"({"dump": )" + dump + '}');
    CHECK_CODE(aclInit(config.c_str()), ACL_ERROR_INVALID_DUMP_CONFIG);
    CHECK(recent_message().find("aclInit") == 0);
    CHECK_CODE(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
  }
  const std::string file = dir.write("acl.json", R"({"dump": {}})");  // asks for nothing
  REQUIRE_ACL(aclInit(file.c_str()));
  CHECK(acldumpGetPath(DATA_DUMP) == nullptr);
  REQUIRE_ACL(aclmdlInitDump());
  REQUIRE_ACL(aclFinalize());
  REQUIRE_ACL(aclmdlFinalizeDump());  // what the program began is the program's
}

TEST_CASE("wrong configurations of a dump are refused") {
  const support::TempDir dir;
  const std::string good = R"("dump_path": ")" + (dir.path() / "data").string() + '"';
  REQUIRE_ACL(aclmdlInitDump());
  CHECK_CODE(aclmdlSetDump((dir.path() / "none").c_str()), ACL_ERROR_INVALID_FILE);
  CHECK_CODE(aclmdlSetDump(dir.path().c_str()), ACL_ERROR_INVALID_FILE);
  for (const char* const text : {"", "{", "[]", "1"}) {
    CHECK_CODE(aclmdlSetDump(dir.write("dump.json", text).c_str()), ACL_ERROR_PARSE_FILE);
  }
  const std::string file = dir.write("file", "x");
  for (const std::string& text :
       {std::string(R"({})"), std::string(R"({"dump": 1})"), std::string(R"({"dump": {}})"),
        std::string(R"({"dump": {"dump_path": 1}})"), R"({"dump": {"dump_path": ")" + file + "\"}}",
        R"({"dump": {"dump_mode": "some", )" + good + "}}",
        R"({"dump": {"dump_op_switch": true, )" + good + "}}",
        R"({"dump": {"dump_scene": "x", )" + good + "}}",
        R"({"dump": {"dump_list": 1, )" + good + "}}",
        R"({"dump": {"dump_list": [1], )" + good + "}}",
        R"({"dump": {"dump_list": [{"layer": 1}], )" + good + "}}",
        R"({"dump": {"dump_list": [{"layer": [1]}], )" + good + "}}"}) {
    INFO(text);
    CHECK_CODE(aclmdlSetDump(dir.write("dump.json", text).c_str()), ACL_ERROR_INVALID_DUMP_CONFIG);
  }
  REQUIRE_ACL(aclmdlFinalizeDump());
}
