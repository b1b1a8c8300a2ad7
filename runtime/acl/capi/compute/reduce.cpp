// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/compute/reduce.h"

#include "device_sim/streams/driver.h"
#include "device_sim/streams/task.h"
#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/memory/transfer.h"

using namespace acl;

extern "C" {

aclError aclrtReduceAsync(void* dst, const void* src, uint64_t count, aclrtReduceKind kind,
                          aclDataType type, aclrtStream stream, void* reserve) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(dst, "dst");
    require_input(src, "src");
    if (reserve) fail(ACL_ERROR_INVALID_PARAM, "reserve is {}; expected null", reserve);
    const Reduction reduction = find_reduction(kind, type);
    if (count == 0) fail(ACL_ERROR_INVALID_PARAM, "count is 0");
    if (count % reduction.element_size != 0) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "count is {}; expected a multiple of {}", count,
           reduction.element_size);
    }
    Stream* const found = own_stream(runtime, stream);
    const MemoryLocation to = locate_reachable(runtime, dst, count, "dst", sim::Access::read_write);
    const MemoryLocation from = locate_reachable(runtime, src, count, "src");
    require_access(runtime, to, from);
    found->submit(sim::make_task(sim::make_simple_task(
        "REDUCE", count, {{dst, count, true, true, reduction.number}, {src, count, false}},
        [=, run = reduction.run](sim::Stream& on) -> sim::Failure {
          sim::Memory& memory = on.driver().memory();
          run(memory.engine(dst), memory.engine(src), count);
          return {};
        })));
  });
}

}  // extern "C"
