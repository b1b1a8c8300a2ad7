// SPDX-License-Identifier: Apache-2.0
// Caches of the device. Host and devices always see the same bytes here, so nothing is ever stale:
// these calls are checked, take their turn where they belong to a stream, and change no data.
#include <cstring>

#include "device_sim/streams/driver.h"
#include "device_sim/streams/task.h"
#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/memory/transfer.h"

using namespace acl;

namespace {

void check_device_range(Runtime& runtime, const void* address, std::size_t size,
                        const char* argument) {
  require_input(address, argument);
  if (size == 0) fail(ACL_ERROR_INVALID_PARAM, "size is 0");
  if (locate(runtime, address, size, argument).on_device()) return;
  fail(ACL_ERROR_RT_PARAM_INVALID, "{} is {}, in host memory; expected device memory", argument,
       address);
}

void maintain_cached(Runtime& runtime, const void* address, std::size_t size) {
  current_context(runtime);
  check_device_range(runtime, address, size, "devPtr");
}

void check_type(aclrtCmoType type) {
  if (type >= ACL_RT_CMO_TYPE_PREFETCH && type <= ACL_RT_CMO_TYPE_FLUSH) return;
  fail(ACL_ERROR_INVALID_PARAM, "cmoType is {}; expected 0 to {}", static_cast<int>(type),
       static_cast<int>(ACL_RT_CMO_TYPE_FLUSH));
}

template <class Run>
void submit(Stream& stream, const char* name, std::size_t bytes, Run run) {
  stream.submit(sim::make_task(sim::make_simple_task(name, bytes, {}, run)));
}

constexpr auto kNothing = [](sim::Stream&) -> sim::Failure { return {}; };

void maintain(Runtime& runtime, const void* address, std::size_t size, aclrtCmoType type,
              aclrtStream stream) {
  check_type(type);
  require_input(address, "src");
  Stream* const found = own_stream(runtime, stream);
  check_device_range(runtime, address, size, "src");
  submit(*found, "CMO", size, kNothing);
}

/// The description that aclrtCmoSetDesc writes to device memory.
struct CmoDesc {
  static constexpr std::uint64_t kMark = 0x63736544'4f4d43;
  std::uint64_t mark = kMark;
  const void* src = nullptr;
  std::uint64_t size = 0;
};
constexpr std::size_t kCmoDescSize = 64;
static_assert(sizeof(CmoDesc) <= kCmoDescSize);

}  // namespace

extern "C" {

aclError aclrtMemFlush(void* devPtr, size_t size) {
  return guarded(__func__, [&](Runtime& runtime) { maintain_cached(runtime, devPtr, size); });
}

aclError aclrtMemInvalidate(void* devPtr, size_t size) {
  return guarded(__func__, [&](Runtime& runtime) { maintain_cached(runtime, devPtr, size); });
}

aclError aclrtDeviceL2CacheFlush(void* rsv) {
  return guarded(__func__, [&](Runtime& runtime) {
    if (rsv) fail(ACL_ERROR_INVALID_PARAM, "rsv is {}; expected null", rsv);
    current_context(runtime);
  });
}

aclError aclrtCmoAsync(void* src, size_t size, aclrtCmoType cmoType, aclrtStream stream) {
  return guarded(__func__,
                 [&](Runtime& runtime) { maintain(runtime, src, size, cmoType, stream); });
}

// The task ends when the operation does, so its barrier is passed as soon as it has run.
aclError aclrtCmoAsyncWithBarrier(void* src, size_t size, aclrtCmoType cmoType, uint32_t,
                                  aclrtStream stream) {
  return guarded(__func__,
                 [&](Runtime& runtime) { maintain(runtime, src, size, cmoType, stream); });
}

aclError aclrtCmoWaitBarrier(aclrtBarrierTaskInfo* taskInfo, aclrtStream stream, uint32_t flag) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(taskInfo, "taskInfo");
    if (flag != 0) fail(ACL_ERROR_INVALID_PARAM, "flag is {}; expected 0", flag);
    if (taskInfo->barrierNum == 0 || taskInfo->barrierNum > ACL_RT_CMO_MAX_BARRIER_NUM) {
      fail(ACL_ERROR_INVALID_PARAM, "taskInfo->barrierNum is {}; expected 1 to {}",
           taskInfo->barrierNum, ACL_RT_CMO_MAX_BARRIER_NUM);
    }
    for (size_t i = 0; i < taskInfo->barrierNum; ++i) check_type(taskInfo->cmoInfo[i].cmoType);
    submit(*own_stream(runtime, stream), "CMO_BARRIER", 0, kNothing);
  });
}

aclError aclrtCmoGetDescSize(size_t* size) {
  return guarded(__func__, [&](Runtime&) { require_out(size, "size") = kCmoDescSize; });
}

aclError aclrtCmoSetDesc(void* cmoDesc, void* src, size_t size) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(cmoDesc, "cmoDesc");
    require_input(src, "src");
    current_context(runtime).require_device_usable();
    check_device_range(runtime, cmoDesc, kCmoDescSize, "cmoDesc");
    check_device_range(runtime, src, size, "src");
    const CmoDesc filled{CmoDesc::kMark, src, size};
    std::memcpy(runtime.memory().engine(cmoDesc), &filled, sizeof filled);
  });
}

aclError aclrtCmoAsyncWithDesc(void* cmoDesc, aclrtCmoType cmoType, aclrtStream stream,
                               const void* reserve) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(cmoDesc, "cmoDesc");
    check_type(cmoType);
    if (reserve) fail(ACL_ERROR_INVALID_PARAM, "reserve is {}; expected null", reserve);
    Stream* const found = own_stream(runtime, stream);
    check_device_range(runtime, cmoDesc, kCmoDescSize, "cmoDesc");
    submit(*found, "CMO", 0, [cmoDesc](sim::Stream& on) -> sim::Failure {
      CmoDesc desc;
      std::memcpy(&desc, on.driver().memory().engine(cmoDesc), sizeof desc);
      if (desc.mark == CmoDesc::kMark) return {};
      return {sim::Error::kernel_failed, ACL_ERROR_RT_SYS_DMA};
    });
  });
}

}  // extern "C"
