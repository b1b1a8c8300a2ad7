// SPDX-License-Identifier: Apache-2.0
// hccl.h: sends and receives.
#include "hccl/hccl.h"
#include "runtime/hccl/collectives/enqueue.h"
#include "runtime/hccl/collectives/pairwise.h"
#include "runtime/hccl/comm/call_group.h"

using namespace hccl;

namespace {

PairItem make_item(const Entered& call, bool sends, const void* buffer, std::uint64_t count,
                   HcclDataType type, std::uint32_t peer) {
  PairItem item;
  item.sends = sends;
  item.peer = static_cast<int>(peer);
  item.call = call.shape(sends ? Kind::send : Kind::receive, count, type).call;
  item.bytes = count * size_of(type);
  item.buffer = Buffer(*call.communicator, call.caller, buffer, item.bytes,
                       sends ? "sendBuf" : "recvBuf", !sends);
  return item;
}

/// Sends and receives of a group of calls become one operation at its end: on the stream of the first
/// of them; the other streams go on behind it.
void enqueue(const Entered& call, const char* name, std::vector<PairItem> items) {
  submit(call.caller, call.stream,
         std::make_shared<Pairwise>(*call.communicator, call.caller, name, std::move(items)));
}

void send_or_receive(const Entered& call, bool sends, const void* buffer, std::uint64_t count,
                     HcclDataType type, std::uint32_t peer) {
  require_input(buffer, sends ? "sendBuf" : "recvBuf");
  require_count(count, "count");
  require_rank(peer, *call.communicator, sends ? "destRank" : "srcRank");
  if (peer == call.communicator->rank()) {
    fail(HCCL_E_NOT_SUPPORT, "{} is {}, this rank itself (in HcclBatchSendRecv that may be)",
         sends ? "destRank" : "srcRank", peer);
  }
  require_type(type);
  std::vector<PairItem> items;
  items.push_back(make_item(call, sends, buffer, count, type, peer));
  enqueue(call, sends ? "HcclSend" : "HcclRecv", std::move(items));
}

PairItem item_of(const Entered& call, const HcclSendRecvItem& item) {
  if (item.sendRecvType != HCCL_SEND && item.sendRecvType != HCCL_RECV) {
    fail(HCCL_E_PARA, "sendRecvType of an item is {}; expected HCCL_SEND (0) or HCCL_RECV (1)",
         static_cast<int>(item.sendRecvType));
  }
  require_rank(item.remoteRank, *call.communicator, "remoteRank of an item");
  require_type(item.dataType, "dataType of an item");
  require_count(item.count, "count of an item");
  if (item.count != 0) require_input(item.buf, "buf of an item");
  return make_item(call, item.sendRecvType == HCCL_SEND, item.buf, item.count, item.dataType,
                   item.remoteRank);
}

}  // namespace

extern "C" {

HcclResult HcclSend(void* sendBuf, uint64_t count, HcclDataType dataType, uint32_t destRank,
                    HcclComm comm, aclrtStream stream) {
  const embedded::Caller caller = __func__;
  return guarded(__func__, [&] {
    if (count == 0) return;
    const Entered call{caller, require_communicator(comm, stream), stream};
    send_or_receive(call, true, sendBuf, count, dataType, destRank);
  });
}

HcclResult HcclRecv(void* recvBuf, uint64_t count, HcclDataType dataType, uint32_t srcRank,
                    HcclComm comm, aclrtStream stream) {
  const embedded::Caller caller = __func__;
  return guarded(__func__, [&] {
    if (count == 0) return;
    const Entered call{caller, require_communicator(comm, stream), stream};
    send_or_receive(call, false, recvBuf, count, dataType, srcRank);
  });
}

HcclResult HcclBatchSendRecv(HcclSendRecvItem* sendRecvInfo, uint32_t itemNum, HcclComm comm,
                             aclrtStream stream) {
  const embedded::Caller caller = __func__;
  return guarded(__func__, [&] {
    if (itemNum == 0) return;
    const Entered call{caller, require_communicator(comm, stream), stream};
    require_input(sendRecvInfo, "sendRecvInfo");
    if (CallGroup::mine().open()) {
      fail(HCCL_E_NOT_SUPPORT, "HcclBatchSendRecv is not allowed in a group of calls");
    }
    std::vector<PairItem> items;
    for (std::uint32_t i = 0; i < itemNum; ++i) items.push_back(item_of(call, sendRecvInfo[i]));
    enqueue(call, "HcclBatchSendRecv", std::move(items));
  });
}

}  // extern "C"
