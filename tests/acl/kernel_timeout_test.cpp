// SPDX-License-Identifier: Apache-2.0
// How long a kernel may take.
#include "tests/acl/world.h"
#include "tests/support/child.h"
#include "tests/support/temp_dir.h"

using namespace world;

namespace {

std::uint64_t interval() {
  std::uint64_t us = 0;
  REQUIRE_ACL(aclrtGetOpTimeOutInterval(&us));
  return us;
}

std::uint64_t set(std::uint64_t us) {
  std::uint64_t actual = 0;
  REQUIRE_ACL(aclrtSetOpExecuteTimeOutV2(us, &actual));
  return actual;
}

std::uint32_t timeout_ms() {
  std::uint32_t ms = 0;
  REQUIRE_ACL(aclrtGetOpExecuteTimeout(&ms));
  return ms;
}

}  // namespace

TEST_CASE("a kernel may take 1091 seconds unless something else is set") {
  CHECK(timeout_ms() == 1091000);
  REQUIRE_ACL(aclrtSetOpExecuteTimeOut(100));
  CHECK(timeout_ms() < 1091000);
  REQUIRE_ACL(aclrtSetOpExecuteTimeOut(0));
  CHECK(timeout_ms() == 1091000);
}

TEST_CASE("kernel timeouts are whole intervals, rounded up, 254 at most") {
  const std::uint64_t unit = interval();
  REQUIRE(unit > 1);
  CHECK(set(1) == unit);
  CHECK(set(unit) == unit);
  CHECK(set(unit + 1) == 2 * unit);
  CHECK(set(100 * unit) == 100 * unit);
  CHECK(set(254 * unit) == 254 * unit);
  CHECK(set(254 * unit + 1) == 254 * unit);
  CHECK(set(UINT64_MAX) == 254 * unit);
  CHECK(set(0) == 254 * unit);
}

TEST_CASE("kernel timeouts are given in seconds, milliseconds or microseconds") {
  REQUIRE_ACL(aclrtSetOpExecuteTimeOut(60));
  const std::uint32_t kept = timeout_ms();
  CHECK(kept >= 60000);
  CHECK(kept <= 60000 + interval() / 1000);
  REQUIRE_ACL(aclrtSetOpExecuteTimeOutWithMs(60000));
  CHECK(timeout_ms() == kept);
  CHECK(set(60'000'000) / 1000 == kept);
  CHECK(timeout_ms() == kept);
}

TEST_CASE("questions about kernel timeouts need a place for the answer") {
  CHECK_CODE(aclrtSetOpExecuteTimeOutV2(1, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtGetOpTimeOutInterval(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtGetOpExecuteTimeout(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK(timeout_ms() == 1091000);  // and a call that fails changes nothing
}

// With intervals of a millisecond.
CHILD_PROGRAM(run_kernels_that_take_too_long) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  std::uint64_t actual = 0;
  CHILD_EXPECT_CODE(aclrtSetOpExecuteTimeOutV2(20'000, &actual), ACL_SUCCESS);
  CHILD_EXPECT(actual == 20'000);
  const auto nap = [](std::chrono::milliseconds time) {
    return try_launch(nullptr, [time] { let_time_pass(time); });
  };
  std::atomic<bool> later{false};
  CHILD_EXPECT_CODE(nap(40ms), ACL_SUCCESS);
  CHILD_EXPECT_CODE(try_launch(nullptr, [&] { later = true; }), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_AICORE_TIMEOUT);
  CHILD_EXPECT(later);
  aclrtErrorInfo fault{};
  CHILD_EXPECT_CODE(aclrtGetErrorVerbose(0, &fault), ACL_SUCCESS);
  CHILD_EXPECT(fault.errorType == ACL_RT_ERROR_AICORE);
  // A code that the kernel itself returns takes precedence.
  CHILD_EXPECT_CODE(try_launch(nullptr,
                               [] {
                                 let_time_pass(40ms);
                                 return ACL_ERROR_RT_AICORE_EXCEPTION;
                               }),
                    ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_AICORE_EXCEPTION);
  CHILD_EXPECT_CODE(aclrtSetOpExecuteTimeOutV2(0, &actual), ACL_SUCCESS);
  CHILD_EXPECT(actual == 254'000);
  CHILD_EXPECT_CODE(nap(300ms), ACL_SUCCESS);  // the maximum is no limit
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  return 0;
}

TEST_CASE("a kernel that takes longer than was set has failed when it returns") {
  const support::TempDir dir;
  const std::string file = dir.write("machine.toml", "[limits]\nkernel_timeout_interval = 1000\n");
  const auto child =
      support::run_child("run_kernels_that_take_too_long", {{"ACLSIM_CONFIG", file}});
  INFO(child.output);
  CHECK(child.clean());
}
