// SPDX-License-Identifier: Apache-2.0
#include "acl/acl.h"
#include "runtime/cuda/capi/entry.h"
#include "runtime/cuda/driver/address_space.h"
#include "runtime/cuda/driver/transfer.h"

using namespace cuda;

namespace {

void write_value(Caller caller, CUstream stream, bool own, const FillRequest& value,
                 unsigned flags) {
  if (flags > 1) refuse("flags is {:#x}; expected 0 or 1", flags);
  transfer::fill(caller, value, streams::find(stream, own));
}

void wait_value(CUstream stream, bool own, CUdeviceptr address, cuuint64_t value, unsigned flags) {
  if (address == 0 || address % sizeof value != 0) {
    refuse("addr is {:#x}; expected a multiple of 8", address);
  }
  if (flags > CU_STREAM_WAIT_VALUE_NOR) {
    fail(CUDA_ERROR_NOT_SUPPORTED, "flags is {:#x}; expected 0 to 3", flags);
  }
  const auto mapping = address_space::find(address);
  if (mapping && mapping->handle->multicast) refuse("addr lies in a multicast object");
  streams::enqueue(streams::find(stream, own), [&](aclrtStream acl) {
    require_acl(aclrtValueWait(reinterpret_cast<void*>(address), value, flags, acl), "the wait");
  });
}

void launch(CUstream stream, bool own, CUhostFn function, void* data) {
  require_input(function, "fn");
  streams::enqueue(streams::find(stream, own), [&](aclrtStream acl) {
    require_acl(aclrtLaunchHostFunc(acl, function, data), "the host function");
  });
}

}  // namespace

CUDA_ENTRY(cuStreamCreate, (CUstream * stream, unsigned int flags), {
  CUstream& out = require_out(stream, "phStream");
  out = streams::create(flags, 0);
});

CUDA_ENTRY(cuStreamCreateWithPriority, (CUstream * stream, unsigned int flags, int priority), {
  CUstream& out = require_out(stream, "phStream");
  out = streams::create(flags, priority);
});

CUDA_ENTRY(cuStreamDestroy_v2, (CUstream stream), { streams::destroy(stream); });

CUDA_STREAM_ENTRY(cuStreamSynchronize, cuStreamSynchronize_ptsz, (CUstream stream),
                  { streams::synchronize(streams::find(stream, kOwn)); });

CUDA_EXPORTED CUresult cuStreamQuery(CUstream stream) {
  return asked("cuStreamQuery", [&] { return streams::query(streams::find(stream)); });
}

CUDA_EXPORTED CUresult cuStreamQuery_ptsz(CUstream stream) {
  return asked("cuStreamQuery", [&] { return streams::query(streams::find(stream, true)); });
}

CUDA_STREAM_ENTRY(cuStreamWaitEvent, cuStreamWaitEvent_ptsz,
                  (CUstream stream, CUevent event, unsigned int flags), {
                    require_zero(flags, "Flags");
                    const auto found = streams::find_event(event);
                    streams::wait(streams::find(stream, kOwn), *found);
                  });

CUDA_STREAM_ENTRY(cuLaunchHostFunc, cuLaunchHostFunc_ptsz,
                  (CUstream stream, CUhostFn function, void* data),
                  { launch(stream, kOwn, function, data); });

CUDA_STREAM_ENTRY(cuStreamWriteValue32_v2, cuStreamWriteValue32_v2_ptsz,
                  (CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags), {
                    write_value(caller, stream, kOwn, {address, value, 4, 1}, flags);
                  });

CUDA_STREAM_ENTRY(cuStreamWriteValue64_v2, cuStreamWriteValue64_v2_ptsz,
                  (CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags), {
                    write_value(caller, stream, kOwn, {address, value, 8, 1}, flags);
                  });

CUDA_STREAM_ENTRY(cuStreamWaitValue64_v2, cuStreamWaitValue64_v2_ptsz,
                  (CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags),
                  { wait_value(stream, kOwn, address, value, flags); });

namespace {

void run_op(Caller caller, CUstream stream, bool own, const CUstreamBatchMemOpParams& op) {
  const auto& value = op.value;
  switch (static_cast<int>(op.operation)) {
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
      return write_value(caller, stream, own, {value.address, value.u.value, 4, 1}, value.flags);
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
      return write_value(caller, stream, own, {value.address, value.u.value64, 8, 1}, value.flags);
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
      return wait_value(stream, own, value.address, value.u.value64, value.flags);
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
      fail(CUDA_ERROR_NOT_SUPPORTED,
           "operation is a wait for 4 bytes; streams wait for values of 8 bytes");
    case CU_STREAM_MEM_OP_BARRIER:
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
      return;  // the ops of a stream run in order, and every thread sees their writes
    default:
      refuse("operation is {}; expected 1 to 6", static_cast<int>(op.operation));
  }
}

}  // namespace

CUDA_STREAM_ENTRY(cuStreamBatchMemOp_v2, cuStreamBatchMemOp_v2_ptsz,
                  (CUstream stream, unsigned int count, CUstreamBatchMemOpParams* ops,
                   unsigned int flags),
                  {
                    require_zero(flags, "flags");
                    require_input(ops, "paramArray");
                    for (unsigned i = 0; i < count; ++i) run_op(caller, stream, kOwn, ops[i]);
                  });
