// SPDX-License-Identifier: Apache-2.0
// hccl.h, hccl_comm.h: collectives that move data, and the barrier.
#include <algorithm>

#include "hccl/hccl.h"
#include "runtime/hccl/collectives/enqueue.h"

using namespace hccl;

namespace {

/// Checks and returns counts and displacements of one side of an exchange.
Counts counts_of(const void* counts, const char* counts_name, const void* displacements,
                 const char* displacements_name, std::uint32_t ranks) {
  const Counts made{static_cast<const uint64_t*>(require_input(counts, counts_name)),
                    static_cast<const uint64_t*>(require_input(displacements, displacements_name))};
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    require_count(made.counts[rank], counts_name);
    require_count(made.displacements[rank], displacements_name);
  }
  return made;
}

bool all_zero(const Counts& counts, std::uint32_t ranks) {
  return std::all_of(counts.counts, counts.counts + ranks, [](auto count) { return count == 0; });
}

void require_two_buffers(const void* send, const void* receive) {
  if (send && send == receive) {
    fail(HCCL_E_PARA, "sendBuf and recvBuf are both {}; expected two buffers", send);
  }
}

}  // namespace

extern "C" {

HcclResult HcclBroadcast(void* buf, uint64_t count, HcclDataType dataType, uint32_t root,
                         HcclComm comm, aclrtStream stream) {
  const embedded::Caller caller = __func__;
  return guarded(__func__, [&] {
    if (count == 0) return;
    const Entered call{caller, require_communicator(comm, stream), stream};
    require_input(buf, "buf");
    require_count(count, "count");
    require_type(dataType);
    require_rank(root, *call.communicator, "root");
    call.enqueue(call.rooted(Kind::broadcast, count, dataType, root), request_broadcast, buf, buf);
  });
}

HcclResult HcclScatter(void* sendBuf, void* recvBuf, uint64_t recvCount, HcclDataType dataType,
                       uint32_t root, HcclComm comm, aclrtStream stream) {
  const embedded::Caller caller = __func__;
  return guarded(__func__, [&] {
    if (recvCount == 0) return;
    const Entered call{caller, require_communicator(comm, stream), stream};
    require_input(recvBuf, "recvBuf");
    require_count(recvCount, "recvCount");
    require_type(dataType);
    require_rank(root, *call.communicator, "root");
    if (root == call.communicator->rank()) require_input(sendBuf, "sendBuf");
    call.enqueue(request_scatter(call.rooted(Kind::scatter, recvCount, dataType, root)), sendBuf,
                 recvBuf);
  });
}

HcclResult HcclAllGather(void* sendBuf, void* recvBuf, uint64_t sendCount, HcclDataType dataType,
                         HcclComm comm, aclrtStream stream) {
  const embedded::Caller caller = __func__;
  return guarded(__func__, [&] {
    if (sendCount == 0) return;
    const Entered call{caller, require_communicator(comm, stream), stream};
    require_input(sendBuf, "sendBuf");
    require_input(recvBuf, "recvBuf");
    require_count(sendCount, "sendCount");
    require_type(dataType);
    call.enqueue(call.shape(Kind::all_gather, sendCount, dataType), request_all_gather, sendBuf,
                 recvBuf);
  });
}

HcclResult HcclAllGatherV(void* sendBuf, uint64_t sendCount, void* recvBuf, const void* recvCounts,
                          const void* recvDispls, HcclDataType dataType, HcclComm comm,
                          aclrtStream stream) {
  const embedded::Caller caller = __func__;
  return guarded(__func__, [&] {
    const Entered call{caller, require_communicator(comm, stream), stream};
    const std::uint32_t ranks = call.communicator->size();
    const Counts receive = counts_of(recvCounts, "recvCounts", recvDispls, "recvDispls", ranks);
    if (all_zero(receive, ranks)) return;
    if (sendCount != 0) require_input(sendBuf, "sendBuf");
    require_input(recvBuf, "recvBuf");
    require_two_buffers(sendBuf, recvBuf);
    require_count(sendCount, "sendCount");
    require_type(dataType);
    const std::uint64_t own = receive.counts[call.communicator->rank()];
    if (sendCount != own) {
      fail(HCCL_E_PARA, "sendCount is {}; expected {}, this rank's count in recvCounts", sendCount,
           own);
    }
    const Shape shape = call.shape(Kind::all_gather_v, sendCount, dataType);
    call.enqueue(request_all_gather_v(shape, receive), sendBuf, recvBuf);
  });
}

HcclResult HcclAlltoAll(const void* sendBuf, uint64_t sendCount, HcclDataType sendType,
                        const void* recvBuf, uint64_t recvCount, HcclDataType recvType,
                        HcclComm comm, aclrtStream stream) {
  const embedded::Caller caller = __func__;
  return guarded(__func__, [&] {
    const Entered call{caller, require_communicator(comm, stream), stream};
    require_input(sendBuf, "sendBuf");
    require_input(recvBuf, "recvBuf");
    if (sendCount != recvCount) {
      fail(HCCL_E_PARA, "sendCount is {} and recvCount is {}; expected the same", sendCount,
           recvCount);
    }
    if (sendType != recvType) {
      fail(HCCL_E_PARA, "sendType is {} and recvType is {}; expected the same",
           static_cast<int>(sendType), static_cast<int>(recvType));
    }
    require_two_buffers(sendBuf, recvBuf);
    require_count(sendCount, "sendCount");
    require_type(sendType, "sendType");
    if (sendCount == 0) return;
    call.enqueue(request_all_to_all(call.shape(Kind::all_to_all, sendCount, sendType)), sendBuf,
                 recvBuf);
  });
}

HcclResult HcclAlltoAllV(const void* sendBuf, const void* sendCounts, const void* sdispls,
                         HcclDataType sendType, const void* recvBuf, const void* recvCounts,
                         const void* rdispls, HcclDataType recvType, HcclComm comm,
                         aclrtStream stream) {
  const embedded::Caller caller = __func__;
  return guarded(__func__, [&] {
    const Entered call{caller, require_communicator(comm, stream), stream};
    const std::uint32_t ranks = call.communicator->size();
    const Counts send = counts_of(sendCounts, "sendCounts", sdispls, "sdispls", ranks);
    const Counts receive = counts_of(recvCounts, "recvCounts", rdispls, "rdispls", ranks);
    if (!all_zero(send, ranks)) require_input(sendBuf, "sendBuf");
    if (!all_zero(receive, ranks)) require_input(recvBuf, "recvBuf");
    require_two_buffers(sendBuf, recvBuf);
    require_type(sendType, "sendType");
    const std::size_t size = require_type(recvType, "recvType");
    Shape shape = call.shape(Kind::all_to_all_v, 0, sendType);
    shape.call.type = Call::kNone;  // ranks may send one type and receive another
    call.enqueue(request_all_to_all_v(shape, send, receive, size), sendBuf, recvBuf);
  });
}

HcclResult HcclAlltoAllVC(const void* sendBuf, const void* sendCountMatrix, HcclDataType sendType,
                          const void* recvBuf, HcclDataType recvType, HcclComm comm,
                          aclrtStream stream) {
  const embedded::Caller caller = __func__;
  return guarded(__func__, [&] {
    const Entered call{caller, require_communicator(comm, stream), stream};
    const auto* const matrix =
        static_cast<const uint64_t*>(require_input(sendCountMatrix, "sendCountMatrix"));
    const std::size_t ranks = call.communicator->size();
    for (std::size_t i = 0; i < ranks * ranks; ++i) require_count(matrix[i], "sendCountMatrix");
    require_two_buffers(sendBuf, recvBuf);
    require_type(sendType, "sendType");
    const std::size_t size = require_type(recvType, "recvType");
    Shape shape = call.shape(Kind::all_to_all_vc, 0, sendType);
    shape.call.type = Call::kNone;
    Request request = request_all_to_all_vc(shape, matrix, size);
    if (request.send_bytes() != 0) require_input(sendBuf, "sendBuf");
    if (request.receive_bytes != 0) require_input(recvBuf, "recvBuf");
    call.enqueue(std::move(request), sendBuf, recvBuf);
  });
}

HcclResult HcclBarrier(HcclComm comm, aclrtStream stream) {
  const embedded::Caller caller = __func__;
  return guarded(__func__, [&] {
    const Entered call{caller, require_communicator(comm, stream), stream};
    if (call.communicator->size() == 1) return;
    Shape shape = call.shape(Kind::barrier, 0, HCCL_DATA_TYPE_INT8);
    shape.call.type = Call::kNone;
    call.enqueue(shape, request_barrier, nullptr, nullptr);
  });
}

}  // extern "C"
