// SPDX-License-Identifier: Apache-2.0
// hccl.h: collectives that reduce.
#include "hccl/hccl.h"
#include "runtime/hccl/collectives/enqueue.h"

using namespace hccl;

extern "C" {

HcclResult HcclAllReduce(void* sendBuf, void* recvBuf, uint64_t count, HcclDataType dataType,
                         HcclReduceOp op, HcclComm comm, aclrtStream stream) {
  const embedded::Caller caller = __func__;
  return guarded(__func__, [&] {
    if (count == 0) return;
    const Entered call{caller, require_communicator(comm, stream), stream};
    require_input(sendBuf, "sendBuf");
    require_input(recvBuf, "recvBuf");
    require_count(count, "count");
    require_reducible(dataType, op);
    const Shape shape = call.reduction(Kind::all_reduce, count, dataType, op);
    call.enqueue(shape, request_all_reduce, sendBuf, recvBuf);
  });
}

HcclResult HcclReduce(void* sendBuf, void* recvBuf, uint64_t count, HcclDataType dataType,
                      HcclReduceOp op, uint32_t root, HcclComm comm, aclrtStream stream) {
  const embedded::Caller caller = __func__;
  return guarded(__func__, [&] {
    if (count == 0) return;
    const Entered call{caller, require_communicator(comm, stream), stream};
    require_input(sendBuf, "sendBuf");
    require_input(recvBuf, "recvBuf");
    require_count(count, "count");
    require_reducible(dataType, op);
    require_rank(root, *call.communicator, "root");
    Shape shape = call.reduction(Kind::reduce, count, dataType, op);
    shape.call.root = root;
    call.enqueue(shape, request_reduce, sendBuf, recvBuf);
  });
}

HcclResult HcclReduceScatter(void* sendBuf, void* recvBuf, uint64_t recvCount,
                             HcclDataType dataType, HcclReduceOp op, HcclComm comm,
                             aclrtStream stream) {
  const embedded::Caller caller = __func__;
  return guarded(__func__, [&] {
    if (recvCount == 0) return;
    const Entered call{caller, require_communicator(comm, stream), stream};
    require_input(sendBuf, "sendBuf");
    require_input(recvBuf, "recvBuf");
    require_count(recvCount, "recvCount");
    require_reducible(dataType, op);
    const Shape shape = call.reduction(Kind::reduce_scatter, recvCount, dataType, op);
    call.enqueue(request_reduce_scatter(shape), sendBuf, recvBuf);
  });
}

HcclResult HcclReduceScatterV(void* sendBuf, const void* sendCounts, const void* sendDispls,
                              void* recvBuf, uint64_t recvCount, HcclDataType dataType,
                              HcclReduceOp op, HcclComm comm, aclrtStream stream) {
  const embedded::Caller caller = __func__;
  return guarded(__func__, [&] {
    const Entered call{caller, require_communicator(comm, stream), stream};
    const Counts send{static_cast<const uint64_t*>(require_input(sendCounts, "sendCounts")),
                      static_cast<const uint64_t*>(require_input(sendDispls, "sendDispls"))};
    bool any = false;
    for (std::uint32_t rank = 0; rank < call.communicator->size(); ++rank) {
      require_count(send.counts[rank], "a count of sendCounts");
      any = any || send.counts[rank] != 0;
    }
    if (!any) return;
    require_input(sendBuf, "sendBuf");
    if (recvCount != 0) require_input(recvBuf, "recvBuf");
    require_count(recvCount, "recvCount");
    require_reducible(dataType, op);
    const std::uint64_t own = send.counts[call.communicator->rank()];
    if (recvCount != own) {
      fail(HCCL_E_PARA, "recvCount is {}; expected {}, this rank's count in sendCounts", recvCount,
           own);
    }
    const Shape shape = call.reduction(Kind::reduce_scatter_v, recvCount, dataType, op);
    call.enqueue(request_reduce_scatter_v(shape, send), sendBuf, recvBuf);
  });
}

}  // extern "C"
