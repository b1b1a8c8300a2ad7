// SPDX-License-Identifier: Apache-2.0
// Values in device memory that streams write and wait for.
#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/memory/value_word.h"

using namespace acl;

extern "C" {

aclError aclrtValueWrite(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(devAddr, "devAddr");
    if (flag != 0) fail(ACL_ERROR_RT_PARAM_INVALID, "flag is {}; expected 0", flag);
    Stream* const found = own_stream(runtime, stream);
    require_value_address(runtime, devAddr);
    aclmdlRITaskParams params{};
    params.type = ACL_MODEL_RI_TASK_VALUE_WRITE;
    params.valueWriteTaskParams = {devAddr, value};
    found->submit(make_value_write(runtime, devAddr, value), &params);
  });
}

aclError aclrtValueWait(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(devAddr, "devAddr");
    Stream* const found = own_stream(runtime, stream);
    require_value_address(runtime, devAddr);
    aclmdlRITaskParams params{};
    params.type = ACL_MODEL_RI_TASK_VALUE_WAIT;
    params.valueWaitTaskParams = {devAddr, value, flag};
    found->submit(make_value_wait(runtime, devAddr, value, flag), &params);
  });
}

}  // extern "C"
