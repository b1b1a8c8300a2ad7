// SPDX-License-Identifier: Apache-2.0
// Headers of an operator's host functions: the chip as a framework describes it, and messages.
#include <string>
#include <type_traits>

#include "acl/acl_sim.h"
#include "ascendc/kernel_tiling/kernel_tiling.h"
#include "log/log.h"
#include "platform_info.h"
#include "register/op_def_registry.h"
#include "tests/support/catch.h"

namespace hostheaders {
namespace {

TEST_CASE("the platform of a tiling context is the emulated machine", "[host]") {
  aclsimMachine machine{};
  machine.size = sizeof machine;
  REQUIRE(aclsimGetMachine(&machine) == 0);
  gert::TilingContext context;
  fe::PlatFormInfos* const platform = context.GetPlatformInfo();
  REQUIRE(platform != nullptr);
  CHECK(platform->GetCoreNum() == machine.aiCores);
  CHECK(platform->GetCoreNumByType("AiCore") == machine.aiCores);
  CHECK(platform->GetCoreNumByType("VectorCore") == machine.vectorCores);
  uint64_t ub = 0, expected = 0;
  platform->GetLocalMemSize(fe::LocalMemType::UB, ub);
  platform_ascendc::PlatformAscendC(platform).GetCoreMemSize(platform_ascendc::CoreMemType::UB,
                                                             expected);
  CHECK(ub == expected);
  CHECK(ub >= 196608);
  std::string text = "before";
  CHECK(platform->GetPlatformRes("version", "SoC_version", text));
  CHECK(text == machine.socName);
  CHECK(platform->GetPlatformRes("AICoreSpec", "ub_size", text));
  CHECK(text == std::to_string(ub));
  CHECK(platform->GetPlatformRes("SoCInfo", "vector_core_cnt", text));
  CHECK(text == std::to_string(machine.vectorCores));
  text = "before";
  CHECK(!platform->GetPlatformRes("SoCInfo", "no such key", text));
  CHECK(!platform->GetPlatformRes("no such label", "ub_size", text));
  CHECK(text == "before");
  fe::PlatFormInfos other;
  fe::OptionalInfos optional;
  CHECK(fe::PlatformInfoManager::Instance().GetPlatformInfoWithOutSocVersion(other, optional) == 0);
  CHECK(optional.GetSocVersion() == machine.socName);
}

struct Context {
  const char* GetNodeName() const { return "scale"; }
};

ge::graphStatus checks(const Context* context, int value, const int* pointer) {
  OP_CHECK_IF(value < 0, OP_LOGE(context->GetNodeName(), "value is %d", value),
              return ge::GRAPH_PARAM_INVALID);
  OP_CHECK_NULL_WITH_CONTEXT(context, pointer);
  OP_LOGE_IF(value > 9, ge::GRAPH_FAILED, std::string("scale"), "value is %d", value);
  OP_LOGD(context, "good");
  return ge::GRAPH_SUCCESS;
}

TEST_CASE("checks of host functions return what they are told to", "[host]") {
  const Context context;
  const int value = 1;
  CHECK(checks(&context, 1, &value) == ge::GRAPH_SUCCESS);
  CHECK(checks(&context, -1, &value) == ge::GRAPH_PARAM_INVALID);
  CHECK(checks(&context, 1, nullptr) == ge::GRAPH_FAILED);
  CHECK(checks(&context, 10, &value) == ge::GRAPH_FAILED);
}

struct Sizes {
  uint32_t length;
  float factor;
};
constexpr uint8_t kSizes[] = {0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x80, 0x3f};  // 512 and 1.0F

TEST_CASE("bytes become a tiling in a constant expression", "[host]") {
  constexpr Sizes sizes = convert_from_bytes<Sizes>(kSizes);
  static_assert(sizes.length == 512);
  CHECK(sizes.factor == 1.0F);
}

}  // namespace
}  // namespace hostheaders
