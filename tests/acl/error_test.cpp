// SPDX-License-Identifier: Apache-2.0
// The last error of a thread and the text of recent ones.
#include "tests/acl/world.h"
#include "tests/support/temp_dir.h"

using namespace world;

namespace {

const aclrtStream no_stream = reinterpret_cast<aclrtStream>(std::uintptr_t{0xFFFF});

aclError peek() { return aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL); }
aclError take() { return aclrtGetLastError(ACL_RT_THREAD_LEVEL); }

}  // namespace

TEST_CASE("a thread starts without an error") {
  CHECK(peek() == ACL_SUCCESS);
  CHECK(take() == ACL_SUCCESS);
  CHECK(aclGetRecentErrMsg() == nullptr);
}

TEST_CASE("the last error stays until it is taken") {
  const Device device;
  REQUIRE_CODE(aclrtSynchronizeStream(no_stream), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK(peek() == ACL_ERROR_RT_INVALID_HANDLE);
  CHECK(peek() == ACL_ERROR_RT_INVALID_HANDLE);
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  CHECK(peek() == ACL_ERROR_RT_INVALID_HANDLE);
  CHECK(take() == ACL_ERROR_RT_INVALID_HANDLE);
  CHECK(take() == ACL_SUCCESS);
  CHECK(peek() == ACL_SUCCESS);
}

TEST_CASE("a later error takes the place of an earlier one") {
  const Device device;
  REQUIRE_CODE(aclrtSynchronizeStream(no_stream), ACL_ERROR_RT_INVALID_HANDLE);
  REQUIRE_CODE(aclrtSetDevice(99), ACL_ERROR_RT_INVALID_DEVICEID);
  CHECK(take() == ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST_CASE("a plain argument error leaves no last error but a text") {
  CHECK_CODE(aclrtGetRunMode(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK(peek() == ACL_SUCCESS);
  CHECK_FALSE(recent_message().empty());
}

TEST_CASE("there is one level of last errors") {
  for (const int level : {1, 2, -1}) {
    const auto wrong = static_cast<aclrtLastErrLevel>(level);
    const std::string expected = "level is " + std::to_string(level);
    CHECK_CODE(aclrtPeekAtLastError(wrong), ACL_ERROR_INVALID_PARAM);
    CHECK(recent_message().find("aclrtPeekAtLastError: " + expected) != std::string::npos);
    CHECK_CODE(aclrtGetLastError(wrong), ACL_ERROR_INVALID_PARAM);
    CHECK(recent_message().find("aclrtGetLastError: " + expected) != std::string::npos);
    CHECK(peek() == ACL_SUCCESS);
  }
}

TEST_CASE("the last error and the text belong to their thread") {
  const Device device;
  REQUIRE_CODE(aclrtSynchronizeStream(no_stream), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK(in_thread([] { return peek(); }) == ACL_SUCCESS);
  CHECK(in_thread([] { return aclGetRecentErrMsg() == nullptr; }));
  CHECK(in_thread([] {
          aclrtSetDevice(99);
          return take();
        }) == ACL_ERROR_RT_INVALID_DEVICEID);
  CHECK(take() == ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_FALSE(recent_message().empty());
}

TEST_CASE("reading the text clears it") {
  const Device device;
  REQUIRE_CODE(aclrtSynchronizeStream(no_stream), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_FALSE(recent_message().empty());
  CHECK(aclGetRecentErrMsg() == nullptr);
}

TEST_CASE("the text says which call failed and what it wanted") {
  const Device device;
  using catch_compat::ContainsSubstring;
  aclrtSetDevice(99);
  std::string text = recent_message();
  CHECK_THAT(text, ContainsSubstring("aclrtSetDevice"));
  CHECK_THAT(text, ContainsSubstring("99"));
  aclrtSynchronizeStream(no_stream);
  text = recent_message();
  CHECK_THAT(text, ContainsSubstring("aclrtSynchronizeStream"));
  CHECK_THAT(text, ContainsSubstring("stream"));
  aclrtMalloc(nullptr, 8, ACL_MEM_MALLOC_HUGE_FIRST);
  text = recent_message();
  CHECK_THAT(text, ContainsSubstring("aclrtMalloc"));
  CHECK_THAT(text, ContainsSubstring("devPtr"));
  aclrtSynchronizeStreamWithTimeout(nullptr, 0);
  text = recent_message();
  CHECK_THAT(text, ContainsSubstring("timeout"));
}

TEST_CASE("the text names a handle that is none, and says what it may be") {
  const Device device;
  const Event event;
  REQUIRE_CODE(aclrtSynchronizeStream(event), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_THAT(recent_message(), catch_compat::ContainsSubstring("another kind"));
  aclrtStream destroyed = nullptr;
  REQUIRE_ACL(aclrtCreateStream(&destroyed));
  REQUIRE_ACL(aclrtDestroyStream(destroyed));
  REQUIRE_CODE(aclrtSynchronizeStream(destroyed), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_THAT(recent_message(), catch_compat::ContainsSubstring("destroyed"));
}

TEST_CASE("a failed task is the last error of the thread that learns of it") {
  const Device device;
  const Stream stream;
  launch(
      stream, [] { return ACL_ERROR_RT_AICORE_EXCEPTION; }, "broken_kernel");
  REQUIRE_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_AICORE_EXCEPTION);
  CHECK(take() == ACL_ERROR_RT_AICORE_EXCEPTION);
  CHECK_FALSE(recent_message().empty());
}

TEST_CASE("functions that are not emulated say so") {
  const Device device;
  std::uint32_t model = 7;
  REQUIRE_CODE(aclmdlLoadFromFile("model.om", &model), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  CHECK(model == 7);
  CHECK_THAT(recent_message(), catch_compat::ContainsSubstring("aclmdlLoadFromFile"));
}

TEST_CASE("libraries beside ACL leave their texts where those of ACL are") {
  REQUIRE_ACL(aclsimReportError("HcclAllReduce", 1, "count is 9; expected less"));
  CHECK(recent_message() == "HcclAllReduce: count is 9; expected less [1]");
  CHECK(aclGetRecentErrMsg() == nullptr);
}

TEST_CASE("the configuration of aclInit says whose texts are read") {
  const support::TempDir dir;
  const auto init = [&](const std::string& mode) {
    return aclInit(dir.write("acl.json", "{\"err_msg_mode\": " + mode + "}").c_str());
  };
  const auto fail_in_thread = [] { return in_thread([] { return aclrtSetDevice(99); }); };
  for (const char* const wrong : {"2", "\"2\"", "\"\"", "true", "null"}) {
    CHECK_CODE(init(wrong), ACL_ERROR_INVALID_PARAM);
    CHECK(recent_message().find("err_msg_mode") != std::string::npos);
  }
  SECTION("those of its thread") {
    REQUIRE_ACL(init(GENERATE(as<std::string>(), "\"1\"", "1")));
    REQUIRE_CODE(fail_in_thread(), ACL_ERROR_RT_INVALID_DEVICEID);
    CHECK(aclGetRecentErrMsg() == nullptr);
  }
  SECTION("those of all threads, the newest first, once") {
    REQUIRE_ACL(init(GENERATE(as<std::string>(), "\"0\"", "0")));
    CHECK_CODE(aclrtGetRunMode(nullptr), ACL_ERROR_INVALID_PARAM);
    REQUIRE_CODE(fail_in_thread(), ACL_ERROR_RT_INVALID_DEVICEID);
    const std::string texts = recent_message();
    const auto newest = texts.find("aclrtSetDevice"), oldest = texts.find("aclrtGetRunMode");
    CHECK(newest == 0);
    CHECK((oldest != std::string::npos && oldest > newest));
    CHECK(in_thread([] { return aclGetRecentErrMsg() == nullptr; }));
    CHECK(peek() == ACL_SUCCESS);  // the last error stays the thread's
  }
  REQUIRE_ACL(aclFinalize());
  REQUIRE_CODE(fail_in_thread(), ACL_ERROR_RT_INVALID_DEVICEID);
  CHECK(aclGetRecentErrMsg() == nullptr);
}
