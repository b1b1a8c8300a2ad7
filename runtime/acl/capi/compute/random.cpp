// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/compute/random.h"

#include "device_sim/streams/task.h"
#include "runtime/acl/capi/core/lookup.h"

using namespace acl;

extern "C" {

aclError aclrtRandomNumAsync(const aclrtRandomNumTaskInfo* taskInfo, const aclrtStream stream,
                             void* reserve) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(taskInfo, "taskInfo");
    if (reserve) fail(ACL_ERROR_INVALID_PARAM, "reserve is {}; expected null", reserve);
    Stream* const found = own_stream(runtime, stream);
    const RandomRequest request(runtime, *taskInfo);
    found->submit(sim::make_task(
        sim::make_simple_task("RANDOM_NUM", request.result_bytes(runtime), request.ranges(runtime),
                              [&runtime, request](sim::Stream&) { return request.run(runtime); })));
  });
}

}  // extern "C"
