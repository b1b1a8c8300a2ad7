// SPDX-License-Identifier: Apache-2.0
// hccl_comm.h: settings of the process, groups of calls.
#include <atomic>
#include <string_view>

#include "hccl/hccl_comm.h"
#include "runtime/hccl/base/guard.h"
#include "runtime/hccl/base/settings.h"
#include "runtime/hccl/comm/call_group.h"

using namespace hccl;

namespace {

std::atomic<int> deterministic{0};

constexpr int kStrict = 2;

/// As on the products: only the 910B accepts the strict mode. In the emulator all sums have a fixed
/// order.
bool has_strict_order() {
  const char* const soc = aclrtGetSocName();
  return !soc || std::string_view(soc).starts_with("Ascend910B");
}

}  // namespace

extern "C" {

HcclResult HcclSetConfig(HcclConfig config, HcclConfigValue configValue) {
  return guarded(__func__, [&] {
    if (config != HCCL_DETERMINISTIC) {
      fail(HCCL_E_PARA, "config is {}; expected HCCL_DETERMINISTIC (0)", static_cast<int>(config));
    }
    if (configValue.value < 0 || configValue.value > 2) {
      fail(HCCL_E_PARA, "configValue is {}; expected 0, 1 or 2", configValue.value);
    }
    if (configValue.value == kStrict && !has_strict_order()) {
      fail(HCCL_E_NOT_SUPPORT, "configValue is {} (strict), which {} has not; expected 0 or 1",
           configValue.value, aclrtGetSocName());
    }
    if (!Settings::from_environment().deterministic_is_set) deterministic = configValue.value;
  });
}

HcclResult HcclGetConfig(HcclConfig config, HcclConfigValue* configValue) {
  return guarded(__func__, [&] {
    HcclConfigValue& out = require_out(configValue, "configValue");
    if (config != HCCL_DETERMINISTIC) {
      fail(HCCL_E_PARA, "config is {}; expected HCCL_DETERMINISTIC (0)", static_cast<int>(config));
    }
    const Settings settings = Settings::from_environment();
    out.value = settings.deterministic_is_set ? settings.deterministic : deterministic.load();
  });
}

uint32_t HcclGetCommConfigCapability(void) { return HCCL_COMM_CONFIG_RESERVED; }

HcclResult HcclGroupStart(void) {
  return guarded(__func__, [] { CallGroup::mine().start(); });
}

HcclResult HcclGroupEnd(void) {
  return guarded(__func__, [] { CallGroup::mine().end(); });
}

HcclResult HcclGroupStatusGet(bool* isGroupEnabled) {
  return guarded(__func__,
                 [&] { require_out(isGroupEnabled, "isGroupEnabled") = CallGroup::mine().open(); });
}

}  // extern "C"
