// SPDX-License-Identifier: Apache-2.0
#include "acl/acl.h"
#include "runtime/cuda/capi/entry.h"
#include "runtime/cuda/driver/stream.h"

using namespace cuda;

#undef cuEventElapsedTime  // the older function beside the newer one

namespace {

bool is_done(const Event& event) {
  if (!event.recorded) return true;
  const InContext inside(*event.context);
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  require_acl(aclrtQueryEventStatus(event.acl, &status), "the event");
  return status == ACL_EVENT_RECORDED_STATUS_COMPLETE;
}

/// False when one of the two is pending.
bool elapsed(float* milliseconds, CUevent start, CUevent end) {
  float& out = require_out(milliseconds, "pMilliseconds");
  const auto from = streams::find_event(start);
  const auto to = streams::find_event(end);
  for (const auto& event : {from, to}) {
    if (!event->recorded || !event->timed) {
      fail(CUDA_ERROR_INVALID_HANDLE, "an event was not recorded, or keeps no time");
    }
  }
  if (!is_done(*from) || !is_done(*to)) return false;
  const InContext inside(*from->context);
  require_acl(aclrtEventElapsedTime(&out, from->acl, to->acl), "the time");
  return true;
}

}  // namespace

CUDA_ENTRY(cuEventCreate, (CUevent * event, unsigned int flags), {
  CUevent& out = require_out(event, "phEvent");
  out = streams::create_event(flags);
});

CUDA_ENTRY(cuEventDestroy_v2, (CUevent event), { streams::destroy_event(event); });

CUDA_STREAM_ENTRY(cuEventRecord, cuEventRecord_ptsz, (CUevent event, CUstream stream), {
  const auto found = streams::find_event(event);
  streams::record(*found, streams::find(stream, kOwn));
});

CUDA_EXPORTED CUresult cuEventQuery(CUevent event) {
  return asked("cuEventQuery", [&] { return is_done(*streams::find_event(event)); });
}

CUDA_ENTRY(cuEventSynchronize, (CUevent event), {
  const auto found = streams::find_event(event);
  if (!found->recorded) return;
  const InContext inside(*found->context);
  require_acl(aclrtSynchronizeEvent(found->acl), "the event");
});

CUDA_EXPORTED CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return asked("cuEventElapsedTime", [&] { return elapsed(milliseconds, start, end); });
}

CUDA_EXPORTED CUresult cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end) {
  return asked("cuEventElapsedTime", [&] { return elapsed(milliseconds, start, end); });
}
