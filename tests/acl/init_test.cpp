// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "tests/acl/world.h"
#include "tests/support/child.h"
#include "tests/support/temp_dir.h"

using namespace world;

TEST_CASE("aclInit without a configuration succeeds") {
  REQUIRE_ACL(aclInit(nullptr));
  REQUIRE_ACL(aclFinalize());
}

TEST_CASE("a second aclInit says so and counts") {
  REQUIRE_ACL(aclInit(nullptr));
  REQUIRE_CODE(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  std::uint64_t left = 99;
  REQUIRE_ACL(aclFinalizeReference(&left));
  CHECK(left == 1);
  REQUIRE_ACL(aclFinalizeReference(&left));
  CHECK(left == 0);
  REQUIRE_CODE(aclFinalizeReference(&left), ACL_ERROR_REPEAT_FINALIZE);
}

TEST_CASE("aclFinalizeReference needs no output") {
  REQUIRE_ACL(aclInit(nullptr));
  REQUIRE_ACL(aclFinalizeReference(nullptr));
  REQUIRE_CODE(aclFinalizeReference(nullptr), ACL_ERROR_REPEAT_FINALIZE);
}

TEST_CASE("aclFinalize ends all references at once") {
  REQUIRE_ACL(aclInit(nullptr));
  REQUIRE_CODE(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  REQUIRE_CODE(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  REQUIRE_ACL(aclFinalize());
  REQUIRE_CODE(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
}

TEST_CASE("aclFinalize without aclInit is refused") {
  REQUIRE_CODE(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
  std::uint64_t left = 0;
  REQUIRE_CODE(aclFinalizeReference(&left), ACL_ERROR_REPEAT_FINALIZE);
}

TEST_CASE("a process may initialise and finalize several times") {
  for (int round = 0; round < 3; ++round) {
    REQUIRE_ACL(aclInit(nullptr));
    {
      const Device device;
      const Stream stream;
      bool ran = false;
      launch(stream, [&] { ran = true; });
      REQUIRE_ACL(aclrtSynchronizeStream(stream));
      CHECK(ran);
    }
    REQUIRE_ACL(aclFinalize());
  }
}

TEST_CASE("the runtime works without aclInit") {
  const Device device;
  bool ran = false;
  launch(nullptr, [&] { ran = true; });
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  CHECK(ran);
}

TEST_CASE("a device may be reset after aclFinalize") {
  REQUIRE_ACL(aclInit(nullptr));
  REQUIRE_ACL(aclrtSetDevice(0));
  REQUIRE_ACL(aclFinalize());
  REQUIRE_ACL(aclrtResetDevice(0));
  REQUIRE_CODE(aclrtResetDevice(0), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
}

// The configuration of the first initialisation is valid for the whole life of a process, so each
// case is a child.

CHILD_PROGRAM(init_with_missing_file) {
  CHILD_EXPECT_CODE(aclInit("/nonexistent/acl.json"), ACL_ERROR_INVALID_FILE);
  CHILD_EXPECT(aclGetRecentErrMsg() != nullptr);
  CHILD_EXPECT_CODE(aclInit("/tmp"), ACL_ERROR_INVALID_FILE);
  CHILD_EXPECT_CODE(aclInit(nullptr), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclFinalize(), ACL_SUCCESS);
  return 0;
}

TEST_CASE("aclInit refuses a path that is no file, and can be called again") {
  const auto child = support::run_child("init_with_missing_file");
  INFO(child.output);
  CHECK(child.clean());
}

CHILD_PROGRAM(init_with_malformed_file) {
  const support::TempDir dir;
  const aclError code = aclInit(dir.write("acl.json", "{ \"dump\": [ ").c_str());
  CHILD_EXPECT(code == ACL_ERROR_PARSE_FILE || code == ACL_ERROR_INVALID_FILE);
  CHILD_EXPECT_CODE(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
  return 0;
}

TEST_CASE("aclInit refuses a malformed file") {
  const auto child = support::run_child("init_with_malformed_file");
  INFO(child.output);
  CHECK(child.clean());
}

CHILD_PROGRAM(init_with_other_content) {
  const support::TempDir dir;
  const std::string first = dir.write("first.json", "{}");
  const std::string same = dir.write("same.json", "{}");
  const std::string other = dir.write("other.json", "{\"err_msg_mode\": \"1\"}");
  CHILD_EXPECT_CODE(aclInit(first.c_str()), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclFinalize(), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclInit(same.c_str()), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclFinalize(), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclInit(other.c_str()), ACL_ERROR_INVALID_PARAM);
  return 0;
}

TEST_CASE("a process initialises with the same content every time") {
  const auto child = support::run_child("init_with_other_content");
  INFO(child.output);
  CHECK(child.clean());
}

CHILD_PROGRAM(init_with_default_device) {
  const support::TempDir dir;
  const std::string file =
      dir.write("acl.json", "{\"defaultDevice\": {\"default_device\": \"0\"}}");
  CHILD_EXPECT_CODE(aclInit(file.c_str()), ACL_SUCCESS);
  std::int32_t device = -1;
  CHILD_EXPECT_CODE(aclrtGetDevice(&device), ACL_SUCCESS);
  CHILD_EXPECT(device == 0);
  return 0;
}

TEST_CASE("the configuration may name a device for threads that set none") {
  const auto child = support::run_child("init_with_default_device");
  INFO(child.output);
  CHECK(child.clean());
}

// ---- callbacks of init and finalize
// ----------------------------------------------------------------

namespace {

aclError count_init(const char*, std::size_t, void* counter) {
  ++*static_cast<int*>(counter);
  return ACL_SUCCESS;
}

aclError count_init_too(const char*, std::size_t, void* counter) {
  *static_cast<int*>(counter) += 100;
  return ACL_SUCCESS;
}

aclError count_finalize(void* counter) {
  ++*static_cast<int*>(counter);
  return ACL_SUCCESS;
}

aclError count_finalize_too(void* counter) {
  *static_cast<int*>(counter) += 100;
  return ACL_SUCCESS;
}

}  // namespace

TEST_CASE("an init callback runs when the process initialises, not when it does so again") {
  int calls = 0;
  REQUIRE_ACL(aclInitCallbackRegister(ACL_REG_TYPE_ACL_MODEL, count_init, &calls));
  CHECK(calls == 0);
  REQUIRE_ACL(aclInit(nullptr));
  CHECK(calls == 1);
  REQUIRE_CODE(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  CHECK(calls == 1);
  REQUIRE_ACL(aclFinalize());
  REQUIRE_ACL(aclInitCallbackUnRegister(ACL_REG_TYPE_ACL_MODEL, count_init));
  REQUIRE_ACL(aclInit(nullptr));
  CHECK(calls == 1);
  REQUIRE_ACL(aclFinalize());
}

TEST_CASE("an init callback that comes late runs at once") {
  int calls = 0;
  REQUIRE_ACL(aclInit(nullptr));
  REQUIRE_ACL(aclInitCallbackRegister(ACL_REG_TYPE_ACL_DVPP, count_init, &calls));
  CHECK(calls == 1);
  REQUIRE_ACL(aclInitCallbackUnRegister(ACL_REG_TYPE_ACL_DVPP, count_init));
  REQUIRE_ACL(aclFinalize());
}

TEST_CASE("a type has one init callback, except the type for others") {
  int calls = 0;
  REQUIRE_ACL(aclInitCallbackRegister(ACL_REG_TYPE_ACL_RETR, count_init, &calls));
  CHECK_CODE(aclInitCallbackRegister(ACL_REG_TYPE_ACL_RETR, count_init_too, &calls),
             ACL_ERROR_INTERNAL_ERROR);
  REQUIRE_ACL(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, count_init, &calls));
  REQUIRE_ACL(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, count_init_too, &calls));
  REQUIRE_ACL(aclInit(nullptr));
  CHECK(calls == 102);
  REQUIRE_ACL(aclFinalize());
  REQUIRE_ACL(aclInitCallbackUnRegister(ACL_REG_TYPE_ACL_RETR, count_init));
  REQUIRE_ACL(aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, count_init));
  REQUIRE_ACL(aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, count_init_too));
}

TEST_CASE("a finalize callback runs when the last reference is gone") {
  int calls = 0;
  REQUIRE_ACL(aclInit(nullptr));
  REQUIRE_CODE(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  REQUIRE_ACL(aclFinalizeCallbackRegister(ACL_REG_TYPE_ACL_MODEL, count_finalize, &calls));
  REQUIRE_ACL(aclFinalizeReference(nullptr));
  CHECK(calls == 0);
  REQUIRE_ACL(aclFinalizeReference(nullptr));
  CHECK(calls == 1);
  REQUIRE_ACL(aclFinalizeCallbackUnRegister(ACL_REG_TYPE_ACL_MODEL, count_finalize));
}

TEST_CASE("init and finalize callbacks are checked") {
  int calls = 0;
  CHECK_CODE(aclInitCallbackRegister(ACL_REG_TYPE_ACL_MODEL, nullptr, nullptr),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclFinalizeCallbackRegister(ACL_REG_TYPE_ACL_MODEL, nullptr, nullptr),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclInitCallbackUnRegister(ACL_REG_TYPE_ACL_MODEL, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclFinalizeCallbackUnRegister(ACL_REG_TYPE_ACL_MODEL, nullptr),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclInitCallbackUnRegister(ACL_REG_TYPE_ACL_MODEL, count_init),
             ACL_ERROR_INTERNAL_ERROR);
  CHECK_CODE(aclFinalizeCallbackUnRegister(ACL_REG_TYPE_ACL_MODEL, count_finalize),
             ACL_ERROR_INTERNAL_ERROR);

  REQUIRE_ACL(aclInit(nullptr));
  REQUIRE_ACL(aclFinalizeCallbackRegister(ACL_REG_TYPE_ACL_RETR, count_finalize, &calls));
  CHECK_CODE(aclFinalizeCallbackRegister(ACL_REG_TYPE_ACL_RETR, count_finalize_too, &calls),
             ACL_ERROR_INTERNAL_ERROR);
  REQUIRE_ACL(aclFinalize());
  CHECK(calls == 1);
  REQUIRE_ACL(aclFinalizeCallbackUnRegister(ACL_REG_TYPE_ACL_RETR, count_finalize));
}

// ---- what a process may ask at any time
// --------------------------------------------------------------

TEST_CASE("version, chip and run mode need neither aclInit nor a device") {
  std::int32_t major = 0;
  std::int32_t minor = 0;
  std::int32_t patch = -1;
  REQUIRE_ACL(aclrtGetVersion(&major, &minor, &patch));
  CHECK(major == 1);
  CHECK(minor == 17);
  CHECK(patch == 0);
  CHECK(aclrtGetSocName() == std::string(machine().socName));
  aclrtRunMode mode = ACL_DEVICE;
  REQUIRE_ACL(aclrtGetRunMode(&mode));
  CHECK(mode == ACL_HOST);
}

TEST_CASE("data types have the obvious sizes") {
  CHECK(aclDataTypeSize(ACL_FLOAT) == 4);
  CHECK(aclDataTypeSize(ACL_FLOAT16) == 2);
  CHECK(aclDataTypeSize(ACL_INT64) == 8);
  CHECK(aclDataTypeSize(ACL_BOOL) == 1);
  CHECK(aclDataTypeSize(ACL_COMPLEX128) == 16);
  CHECK(aclDataTypeSize(ACL_DT_UNDEFINED) == 0);
  CHECK(aclDataTypeSize(ACL_STRING) == 0);
}
