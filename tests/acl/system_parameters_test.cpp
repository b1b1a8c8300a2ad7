// SPDX-License-Identifier: Apache-2.0
#include "tests/acl/world.h"

using namespace world;

namespace {

constexpr aclSysParamOpt kOfContext[] = {ACL_OPT_DETERMINISTIC, ACL_OPT_ENABLE_DEBUG_KERNEL,
                                         ACL_OPT_STRONG_CONSISTENCY};
constexpr aclSysParamOpt kOfProcess[] = {ACL_OPT_DETERMINISTIC, ACL_OPT_ENABLE_DEBUG_KERNEL,
                                         ACL_OPT_STRONG_CONSISTENCY,
                                         ACL_OPT_ENABLE_KERNEL_EARLY_START};

}  // namespace

TEST_CASE("options of the process are not set at first and keep what is set") {
  std::int64_t value = 42;
  for (const aclSysParamOpt option : kOfProcess) {
    CHECK_CODE(aclrtGetSysParamOpt(option, &value), ACL_ERROR_RT_SYSPARAMOPT_NOT_SET);
    CHECK(value == 42);
  }
  for (const aclSysParamOpt option : kOfProcess) {
    REQUIRE_ACL(aclrtSetSysParamOpt(option, option + 10));
  }
  for (const aclSysParamOpt option : kOfProcess) {
    REQUIRE_ACL(aclrtGetSysParamOpt(option, &value));
    CHECK(value == option + 10);
  }
  REQUIRE_ACL(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, -1));
  REQUIRE_ACL(aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
  CHECK(value == -1);
}

TEST_CASE("options of a context are its own and end with it") {
  const Device device;
  std::int64_t value = 0;
  REQUIRE_ACL(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 5));
  CHECK_CODE(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value),
             ACL_ERROR_RT_SYSPARAMOPT_NOT_SET);
  for (const aclSysParamOpt option : kOfContext) {
    REQUIRE_ACL(aclrtCtxSetSysParamOpt(option, 7));
    REQUIRE_ACL(aclrtCtxGetSysParamOpt(option, &value));
    CHECK(value == 7);
  }
  for (int round = 0; round < 2; ++round) {
    const Context context;
    CHECK_CODE(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value),
               ACL_ERROR_RT_SYSPARAMOPT_NOT_SET);
    REQUIRE_ACL(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 8));
  }
  const Device again;
  REQUIRE_ACL(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
  CHECK(value == 7);
  REQUIRE_ACL(aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
  CHECK(value == 5);
}

TEST_CASE("options are known, need a place for the result and a context has fewer of them") {
  std::int64_t value = 0;
  CHECK_CODE(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1), ACL_ERROR_RT_CONTEXT_NULL);
  CHECK_CODE(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value), ACL_ERROR_RT_CONTEXT_NULL);
  const Device device;
  for (const int bad : {-1, 4}) {
    const auto option = static_cast<aclSysParamOpt>(bad);
    CHECK_CODE(aclrtSetSysParamOpt(option, 1), ACL_ERROR_INVALID_PARAM);
    CHECK_CODE(aclrtGetSysParamOpt(option, &value), ACL_ERROR_INVALID_PARAM);
  }
  for (const int bad : {-1, 3, 4}) {
    const auto option = static_cast<aclSysParamOpt>(bad);
    CHECK_CODE(aclrtCtxSetSysParamOpt(option, 1), ACL_ERROR_INVALID_PARAM);
    CHECK_CODE(aclrtCtxGetSysParamOpt(option, &value), ACL_ERROR_INVALID_PARAM);
  }
  CHECK_CODE(aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, nullptr), ACL_ERROR_INVALID_PARAM);
}
