// SPDX-License-Identifier: Apache-2.0
// hcomm_primitives.h: operations of threads on channels, and within a rank.
#include <algorithm>

#include "hcomm/hcomm_primitives.h"
#include "runtime/hccl/base/guard.h"
#include "runtime/hccl/base/types.h"
#include "runtime/hccl/comm/registry.h"
#include "runtime/hccl/hcomm/transfer.h"

using namespace hccl;

namespace {

/// The thread of a call, and the data that its operations need.
struct OnThread {
  OnThread(embedded::Caller from, ThreadHandle handle)
      : caller(from), thread(find_thread(handle)), communicator(thread->communicator()) {}

  Transfer::Spec spec() const {
    Transfer::Spec made;
    made.name = caller.function;
    return made;
  }
  void submit(Transfer::Spec spec) const {
    hccl::submit(caller, thread->stream(),
                 std::make_shared<Transfer>(*communicator, caller, std::move(spec)));
  }
  /// Checks and locates bytes of this rank.
  std::byte* own(const void* address, std::uint64_t bytes, const char* argument, bool written,
                 Transfer::Spec& spec) const {
    embedded::MemoryLocation place;
    const auto error = embedding().locate(caller, address, bytes, argument, written, place);
    if (error) fail(HCCL_E_PARA, "{}", error.text);
    spec.ranges.push_back({address, bytes, !written || spec.reduces, written});
    return place.engine;
  }

  const embedded::Caller caller;
  const std::shared_ptr<CommThread> thread;
  const std::shared_ptr<Communicator> communicator;
};

/// Locates bytes of the peer; null if it is on another host. Bytes that it does not expose are
/// reported when the operation runs.
std::byte* of_peer(const Channel& channel, const void* address, std::uint64_t bytes, bool written,
                   Transfer::Spec& spec) {
  const auto spot = channel.find(address, bytes);
  if (!spot) {
    const CommMem& buffer = channel.shown().front();
    spec.problem =
        fmt::format("{}: {} bytes at {} are not in the buffer of rank {}, {} bytes at {}",
                    spec.name, bytes, address, channel.remote(), buffer.size, buffer.addr);
    const std::size_t others = channel.shown().size() - 1;
    if (others != 0) spec.problem += fmt::format(", nor in {} other memories of it", others);
    return nullptr;
  }
  if (!channel.is_remote())
    spec.ranges.push_back({address, bytes, !written || spec.reduces, written});
  spec.there = spot->there;
  spec.region = spot->region;
  return spot->here;
}

void require_flag(const Channel& channel, std::uint32_t index) {
  if (index < channel.notifies()) return;
  fail(HCCL_E_INTERNAL, "notify {} of a channel that has {}", index, channel.notifies());
}

void require_reduction(HcommDataType type, HcommReduceOp op) {
  switch (static_cast<HcclDataType>(type)) {
    case HCCL_DATA_TYPE_INT8:
    case HCCL_DATA_TYPE_INT16:
    case HCCL_DATA_TYPE_INT32:
    case HCCL_DATA_TYPE_FP16:
    case HCCL_DATA_TYPE_FP32:
    case HCCL_DATA_TYPE_BFP16:
      break;
    default:
      fail(HCCL_E_PARA, "dataType is {}, which is not reduced", static_cast<int>(type));
  }
  if (static_cast<int>(op) != HCCL_REDUCE_SUM && static_cast<int>(op) != HCCL_REDUCE_MAX &&
      static_cast<int>(op) != HCCL_REDUCE_MIN) {
    fail(HCCL_E_PARA, "reduceOp is {}; expected sum, max or min", static_cast<int>(op));
  }
}

struct Reduction {
  bool on = false;
  HcommDataType type{};
  HcommReduceOp op{};
};
enum class Direction { write, read };

/// Transfers bytes between this rank and the peer, and optionally sets a flag afterwards. `amount`
/// is in bytes, or in elements for reductions.
void transfer(embedded::Caller caller, Direction direction, ThreadHandle thread_handle,
              ChannelHandle channel_handle, void* dst, const void* src, std::uint64_t amount,
              const Reduction& reduction, const std::uint32_t* notify = nullptr) {
  const OnThread on(caller, thread_handle);
  const auto channel = find_channel(channel_handle);
  require_input(dst, "dst");
  require_input(src, "src");
  if (notify) require_flag(*channel, *notify);
  if (reduction.on) require_reduction(reduction.type, reduction.op);
  if (reduction.on && direction == Direction::read && channel->protocol() == COMM_PROTOCOL_ROCE) {
    fail(HCCL_E_NOT_SUPPORT, "a channel over ROCE does not reduce what it reads (rank {})",
         channel->remote());
  }
  Transfer::Spec spec = on.spec();
  spec.channel = channel;
  if (reduction.on) {
    spec.reduces = true;
    spec.type = static_cast<HcclDataType>(reduction.type);
    spec.op = static_cast<HcclReduceOp>(reduction.op);
  }
  spec.bytes = reduction.on ? amount * size_of(spec.type) : amount;
  if (spec.bytes == 0 && !notify) return;
  if (spec.bytes != 0 && direction == Direction::write) {
    spec.from = on.own(src, spec.bytes, "src", false, spec);
    spec.to = of_peer(*channel, dst, spec.bytes, true, spec);
  } else if (spec.bytes != 0) {
    spec.to = on.own(dst, spec.bytes, "dst", true, spec);
    spec.from = of_peer(*channel, src, spec.bytes, false, spec);
  }
  spec.sets = notify != nullptr;
  if (notify) spec.index = *notify;
  on.submit(std::move(spec));
}

thread_local std::uint32_t default_timeout_s = 0;  // 0: the limit of the communicator

void wait_for_flag(embedded::Caller caller, ThreadHandle thread, ChannelHandle channel_handle,
                   std::uint32_t index, std::uint32_t timeout_s) {
  const OnThread on(caller, thread);
  const auto channel = find_channel(channel_handle);
  require_flag(*channel, index);
  Transfer::Spec spec = on.spec();
  spec.channel = channel;
  spec.waits = true;
  spec.index = index;
  spec.limit_ns = std::uint64_t{timeout_s} * 1'000'000'000;
  on.submit(std::move(spec));
}

void enqueue_wait(aclrtNotify notify, const CommThread& thread, std::uint32_t timeout_s) {
  if (aclrtWaitAndResetNotify(notify, thread.stream(), timeout_s) != ACL_SUCCESS) {
    fail(HCCL_E_RUNTIME, "the wait could not be enqueued: {}", aclGetRecentErrMsg());
  }
}

void wait_for_notify(ThreadHandle handle, std::uint32_t index, std::uint32_t timeout_s) {
  const auto thread = find_thread(handle);
  enqueue_wait(thread->notify(index), *thread, timeout_s);
}

/// A notify of aclrtCreateNotify, on the thread's device.
aclrtNotify runtime_notify(const CommThread& thread, std::uint64_t id) {
  aclrtNotify notify = nullptr;
  if (const auto error =
          embedding().find_notify(thread.communicator()->physical_device(), id, notify)) {
    fail(HCCL_E_PARA, "{}", error.text);
  }
  return notify;
}

/// Returns null if this process has no communicator of that name.
std::shared_ptr<Resources> resources_named(const char* name) {
  std::int32_t device = -1;
  aclrtGetDevice(&device);
  HcclComm const comm = Registry::instance().find_name(require_input(name, "commId"), device);
  return comm ? Resources::of(Registry::instance().find(comm)) : nullptr;
}

}  // namespace

extern "C" {

int32_t HcommLocalCopyOnThread(ThreadHandle thread, void* dst, const void* src, uint64_t len) {
  const embedded::Caller caller = __func__;
  return guarded(__func__, [&] {
    const OnThread on(caller, thread);
    require_input(dst, "dst");
    require_input(src, "src");
    if (len == 0 || dst == src) return;
    Transfer::Spec spec = on.spec();
    spec.bytes = len;
    spec.from = on.own(src, len, "src", false, spec);
    spec.to = on.own(dst, len, "dst", true, spec);
    on.submit(std::move(spec));
  });
}

int32_t HcommLocalReduceOnThread(ThreadHandle thread, void* dst, const void* src, uint64_t count,
                                 HcommDataType dataType, HcommReduceOp reduceOp) {
  const embedded::Caller caller = __func__;
  return guarded(__func__, [&] {
    const OnThread on(caller, thread);
    require_input(dst, "dst");
    require_input(src, "src");
    require_reduction(dataType, reduceOp);
    if (count == 0) return;
    Transfer::Spec spec = on.spec();
    spec.reduces = true;
    spec.type = static_cast<HcclDataType>(dataType);
    spec.op = static_cast<HcclReduceOp>(reduceOp);
    spec.bytes = count * size_of(spec.type);
    spec.from = on.own(src, spec.bytes, "src", false, spec);
    spec.to = on.own(dst, spec.bytes, "dst", true, spec);
    on.submit(std::move(spec));
  });
}

int32_t HcommThreadNotifyRecordOnThread(ThreadHandle thread, ThreadHandle dstThread,
                                        uint32_t dstNotifyIdx) {
  return guarded(__func__, [&] {
    const auto from = find_thread(thread);
    const auto to = find_thread(dstThread);
    if (aclrtRecordNotify(to->notify(dstNotifyIdx), from->stream()) != ACL_SUCCESS) {
      fail(HCCL_E_RUNTIME, "the record could not be enqueued: {}", aclGetRecentErrMsg());
    }
  });
}

int32_t HcommThreadNotifyWaitOnThread(ThreadHandle thread, uint32_t notifyIdx, uint32_t timeOut) {
  return guarded(__func__, [&] { wait_for_notify(thread, notifyIdx, timeOut); });
}

int32_t HcommThreadNotifyWaitOnThreadWithDefaultTimeout(ThreadHandle thread, uint32_t notifyIdx) {
  return guarded(__func__, [&] { wait_for_notify(thread, notifyIdx, default_timeout_s); });
}

int32_t HcommWriteOnThread(ThreadHandle thread, ChannelHandle channel, void* dst, const void* src,
                           uint64_t len) {
  const embedded::Caller caller = __func__;
  return guarded(__func__,
                 [&] { transfer(caller, Direction::write, thread, channel, dst, src, len, {}); });
}

int32_t HcommReadOnThread(ThreadHandle thread, ChannelHandle channel, void* dst, const void* src,
                          uint64_t len) {
  const embedded::Caller caller = __func__;
  return guarded(__func__,
                 [&] { transfer(caller, Direction::read, thread, channel, dst, src, len, {}); });
}

int32_t HcommWriteReduceOnThread(ThreadHandle thread, ChannelHandle channel, void* dst,
                                 const void* src, uint64_t count, HcommDataType dataType,
                                 HcommReduceOp reduceOp) {
  const embedded::Caller caller = __func__;
  return guarded(__func__, [&] {
    transfer(caller, Direction::write, thread, channel, dst, src, count,
             {true, dataType, reduceOp});
  });
}

int32_t HcommReadReduceOnThread(ThreadHandle thread, ChannelHandle channel, void* dst,
                                const void* src, uint64_t count, HcommDataType dataType,
                                HcommReduceOp reduceOp) {
  const embedded::Caller caller = __func__;
  return guarded(__func__, [&] {
    transfer(caller, Direction::read, thread, channel, dst, src, count, {true, dataType, reduceOp});
  });
}

int32_t HcommWriteWithNotifyOnThread(ThreadHandle thread, ChannelHandle channel, void* dst,
                                     const void* src, uint64_t len, uint32_t remoteNotifyIdx) {
  const embedded::Caller caller = __func__;
  return guarded(__func__, [&] {
    transfer(caller, Direction::write, thread, channel, dst, src, len, {}, &remoteNotifyIdx);
  });
}

int32_t HcommWriteReduceWithNotifyOnThread(ThreadHandle thread, ChannelHandle channel, void* dst,
                                           const void* src, uint64_t count, HcommDataType dataType,
                                           HcommReduceOp reduceOp, uint32_t remoteNotifyIdx) {
  const embedded::Caller caller = __func__;
  return guarded(__func__, [&] {
    transfer(caller, Direction::write, thread, channel, dst, src, count, {true, dataType, reduceOp},
             &remoteNotifyIdx);
  });
}

int32_t HcommChannelNotifyRecordOnThread(ThreadHandle thread, ChannelHandle channel,
                                         uint32_t remoteNotifyIdx) {
  const embedded::Caller caller = __func__;
  return guarded(__func__, [&] {
    const OnThread on(caller, thread);
    Transfer::Spec spec = on.spec();
    spec.channel = find_channel(channel);
    require_flag(*spec.channel, remoteNotifyIdx);
    spec.sets = true;
    spec.index = remoteNotifyIdx;
    on.submit(std::move(spec));
  });
}

int32_t HcommChannelNotifyWaitOnThread(ThreadHandle thread, ChannelHandle channel,
                                       uint32_t localNotifyIdx, uint32_t timeOut) {
  const embedded::Caller caller = __func__;
  return guarded(__func__,
                 [&] { wait_for_flag(caller, thread, channel, localNotifyIdx, timeOut); });
}

int32_t HcommChannelNotifyWaitOnThreadWithDefaultTimeout(ThreadHandle thread, ChannelHandle channel,
                                                         uint32_t localNotifyIdx) {
  const embedded::Caller caller = __func__;
  return guarded(
      __func__, [&] { wait_for_flag(caller, thread, channel, localNotifyIdx, default_timeout_s); });
}

/* Whole seconds; applies to the calling host thread. */
int32_t HcommSetNotifyWaitTimeOut(float timeOut) {
  return guarded(__func__, [&] {
    if (!(timeOut >= 0) || timeOut > 4294967040.0F) {
      fail(HCCL_E_PARA, "timeOut is {}; expected 0 to 4294967040", timeOut);
    }
    default_timeout_s = static_cast<std::uint32_t>(timeOut);
  });
}

/* Has no effect: operations run in the order of the stream, and are complete when they leave it. */
int32_t HcommFenceOnThread(ThreadHandle thread) {
  return guarded(__func__, [&] { find_thread(thread); });
}

int32_t HcommChannelFenceOnThread(ThreadHandle thread, ChannelHandle channel) {
  return guarded(__func__, [&] {
    find_thread(thread);
    find_channel(channel);
  });
}

int32_t HcommChannelDrainOnThread(ThreadHandle thread, ChannelHandle channel) {
  return guarded(__func__, [&] {
    find_thread(thread);
    find_channel(channel);
  });
}

int32_t HcommAclrtNotifyRecordOnThread(ThreadHandle thread, uint64_t dstNotifyId) {
  return guarded(__func__, [&] {
    const auto from = find_thread(thread);
    if (aclrtRecordNotify(runtime_notify(*from, dstNotifyId), from->stream()) != ACL_SUCCESS) {
      fail(HCCL_E_RUNTIME, "the record could not be enqueued: {}", aclGetRecentErrMsg());
    }
  });
}

int32_t HcommAclrtNotifyWaitOnThread(ThreadHandle thread, uint64_t notifyId, uint32_t timeOut) {
  return guarded(__func__, [&] {
    const auto waiting = find_thread(thread);
    enqueue_wait(runtime_notify(*waiting, notifyId), *waiting, timeOut);
  });
}

int32_t HcommAcquireComm(const char* commId) {
  return guarded(__func__, [&] {
    const fabric::Moment end =
        fabric::Timekeeper::real().in(Settings::from_environment().connect_timeout);
    const auto resources = resources_named(commId);
    if (!resources) fail(HCCL_E_PTR, "no communicator of this process is named '{}'", commId);
    const acl::embedding::Outside outside(embedding());
    if (resources->lock().acquire(fabric::Timekeeper::real(), end)) return;
    fail(HCCL_E_TIMEOUT, "communicator '{}' was not released (HCCL_CONNECT_TIMEOUT)", commId);
  });
}

/* As in the real library, a communicator that does not exist is ignored. */
int32_t HcommReleaseComm(const char* commId) {
  return guarded(__func__, [&] {
    if (const auto resources = resources_named(commId)) resources->lock().release();
  });
}

int32_t HcommBatchModeStart(const char*) {
  return guarded(__func__, [] {});
}

int32_t HcommBatchModeEnd(const char*) {
  return guarded(__func__, [] {});
}

}  // extern "C"
