// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/kernel/kernel_timeout.h"

#include "runtime/acl/capi/guard.h"

using namespace acl;

extern "C" {

aclError aclrtSetOpExecuteTimeOut(uint32_t timeout) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.section<KernelTimeout>().set(std::uint64_t{timeout} * 1'000'000);
  });
}

aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t timeout) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.section<KernelTimeout>().set(std::uint64_t{timeout} * 1'000);
  });
}

aclError aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t* actualTimeout) {
  return guarded(__func__, [&](Runtime& runtime) {
    uint64_t& out = require_out(actualTimeout, "actualTimeout");
    out = runtime.section<KernelTimeout>().set(timeout);
  });
}

aclError aclrtGetOpTimeOutInterval(uint64_t* interval) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_out(interval, "interval") = runtime.section<KernelTimeout>().interval_us();
  });
}

aclError aclrtGetOpExecuteTimeout(uint32_t* const timeoutMs) {
  return guarded(__func__, [&](Runtime& runtime) {
    uint32_t& out = require_out(timeoutMs, "timeoutMs");
    out = static_cast<uint32_t>(runtime.section<KernelTimeout>().get_us() / 1000);
  });
}

}  // extern "C"
