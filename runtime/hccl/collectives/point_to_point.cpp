// SPDX-License-Identifier: Apache-2.0
// hccl.h: sends and receives.
#include <algorithm>

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

void enqueue(const Entered& call, const char* name, std::vector<PairItem> items) {
  submit(call.caller, call.stream,
         std::make_shared<Pairwise>(*call.communicator, call.caller, name, std::move(items)));
}

/// Switches the context of the calling thread while this object lives.
class InContext {
 public:
  explicit InContext(aclrtContext context) {
    aclrtGetCurrentContext(&before_);
    aclrtSetCurrentContext(context);
  }
  ~InContext() { aclrtSetCurrentContext(before_); }
  InContext(const InContext&) = delete;
  InContext& operator=(const InContext&) = delete;

 private:
  aclrtContext before_ = nullptr;
};

/// Turns the sends and receives of a group of calls into one operation at the end of the group. It
/// runs on the stream of the first call; the other streams wait for it.
class GroupedPairs final : public CallGroup::Deferred {
 public:
  explicit GroupedPairs(const Entered& first) : first_(first) { aclrtGetCurrentContext(&context_); }

  void add(const Entered& call, PairItem item) {
    items_.push_back(std::move(item));
    if (call.stream == first_.stream) return;
    if (std::find(others_.begin(), others_.end(), call.stream) == others_.end()) {
      others_.push_back(call.stream);
    }
  }
  void run() override {
    const InContext context(context_);
    enqueue(first_, "HcclSendRecv", std::move(items_));
    if (others_.empty()) return;
    const auto done = embedding().make_signal();
    check(embedding().submit_complete(first_.caller, first_.stream, done));
    for (aclrtStream const other : others_) {
      check(embedding().submit_wait(first_.caller, other, done, 0));
    }
  }

 private:
  static void check(const embedded::Error& error) {
    if (error) fail(HCCL_E_RUNTIME, "{}", error.text);
  }
  const Entered first_;
  aclrtContext context_ = nullptr;
  std::vector<PairItem> items_;
  std::vector<aclrtStream> others_;
};

void add_to_group(CallGroup& group, const Entered& call, PairItem item) {
  const void* const key = call.communicator.get();
  auto calls = std::static_pointer_cast<GroupedPairs>(group.deferred(key));
  if (!calls) {
    calls = std::make_shared<GroupedPairs>(call);
    group.defer(key, calls);
  }
  calls->add(call, std::move(item));
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
  PairItem item = make_item(call, sends, buffer, count, type, peer);
  CallGroup& group = CallGroup::mine();
  if (group.open()) return add_to_group(group, call, std::move(item));
  std::vector<PairItem> items;
  items.push_back(std::move(item));
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
