// SPDX-License-Identifier: Apache-2.0
// Notifies, memory words and transfers of a replay on the devices.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "tools/aclsim/devices/device_session.h"

namespace aclsim {
namespace {

using trace::kNone;
using trace::OpKind;

// ---- copies carry a mark ----

struct MarkArgs {
  Stamps* stamps;
  void* at;
  std::uint64_t bytes;
  std::uint64_t mark;
};

std::int32_t put_mark(const aclsimKernelContext*, const void* args) {
  const auto& it = *static_cast<const MarkArgs*>(args);
  const std::size_t size = std::min<std::size_t>(sizeof it.mark, it.bytes);
  auto* const at = static_cast<char*>(it.at);
  std::memcpy(at, &it.mark, size);
  std::memcpy(at + it.bytes - size, &it.mark, size);
  return 0;
}

std::int32_t check_mark(const aclsimKernelContext*, const void* args) {
  const auto& it = *static_cast<const MarkArgs*>(args);
  const std::size_t size = std::min<std::size_t>(sizeof it.mark, it.bytes);
  const auto* const at = static_cast<const char*>(it.at);
  const bool right = std::memcmp(at + it.bytes - size, &it.mark, size) == 0 &&
                     (it.bytes < 2 * size || std::memcmp(at, &it.mark, size) == 0);
  if (!right) ++it.stamps->wrong;
  return 0;
}

void launch(const char* name, aclsimKernel kernel, const MarkArgs& args, aclrtStream stream) {
  aclsimLaunch row{};
  row.size = sizeof row;
  row.name = name;
  row.kernel = kernel;
  row.numBlocks = 1;
  row.args = &args;
  row.argsSize = sizeof args;
  require_acl(aclsimLaunchKernel(&row, stream), "aclsimLaunchKernel");
}

aclrtMemcpyKind kind_of(std::int32_t from, std::int32_t to) {
  if (from < 0) return ACL_MEMCPY_HOST_TO_DEVICE;
  return to < 0 ? ACL_MEMCPY_DEVICE_TO_HOST : ACL_MEMCPY_DEVICE_TO_DEVICE;
}

std::uint32_t compare_flag(trace::Compare compare) {
  switch (compare) {
    case trace::Compare::equal:
      return ACL_STREAM_WAIT_VALUE_EQ;
    case trace::Compare::greater_equal:
      return ACL_STREAM_WAIT_VALUE_GEQ;
    case trace::Compare::bits_and:
      return ACL_STREAM_WAIT_VALUE_AND;
    case trace::Compare::bits_nor:
      return ACL_STREAM_WAIT_VALUE_NOR;
  }
  return ACL_STREAM_WAIT_VALUE_EQ;
}

}  // namespace

// ---- notifies ----

/// A pair of notify and wait has a notify of its own, which is reused when the wait has run. An
/// unpaired notify increments a counter.
void DeviceSession::issue_notify(OpIndex op, aclrtStream stream) {
  const trace::SyncUse& use = trace_.sync(op);
  if (use.partner == kNone) {
    aclrtCntNotify& counter = counters_[use.object];
    if (!counter) require_acl(aclrtCntNotifyCreate(&counter, 0), "aclrtCntNotifyCreate");
    aclrtCntNotifyRecordInfo info{ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE, std::max(1U, use.generation)};
    return require_acl(aclrtCntNotifyRecord(counter, stream, &info), "aclrtCntNotifyRecord");
  }
  aclrtNotify notify = nullptr;
  if (!notifies_.empty() && stamps_.of[notifies_.front().wait] != 0) {
    notify = notifies_.front().notify;
    notifies_.pop_front();
  } else {
    require_acl(aclrtCreateNotify(&notify, 0), "aclrtCreateNotify");
    all_notifies_.push_back(notify);
  }
  paired_[op] = notify;
  require_acl(aclrtRecordNotify(notify, stream), "aclrtRecordNotify");
}

void DeviceSession::issue_notify_wait(OpIndex op, aclrtStream stream) {
  const trace::SyncUse& use = trace_.sync(op);
  if (use.partner == kNone) {
    const auto counter = counters_.find(use.object);
    if (counter == counters_.end()) return;  // the trace does not contain the notify
    aclrtCntNotifyWaitInfo info{
        ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE, std::max(1U, use.generation), 0, 1, {}};
    return require_acl(aclrtCntNotifyWaitWithTimeout(counter->second, stream, &info),
                       "aclrtCntNotifyWaitWithTimeout");
  }
  const auto found = paired_.find(use.partner);
  if (found == paired_.end()) return;
  require_acl(aclrtWaitAndResetNotify(found->second, stream, 0), "aclrtWaitAndResetNotify");
  notifies_.push_back({found->second, op});
  paired_.erase(found);
}

void DeviceSession::issue_value(OpIndex op, aclrtStream stream) {
  const trace::ValueUse& use = trace_.value(op);
  if (trace_[op].kind == OpKind::value_wait && use.partner != kNone)
    return await(use.partner, stream);
  void*& at = words_[use.object];
  if (!at) {
    require_acl(aclrtMalloc(&at, sizeof(std::uint64_t), ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    require_acl(aclrtMemset(at, sizeof(std::uint64_t), 0, sizeof(std::uint64_t)), "aclrtMemset");
  }
  if (trace_[op].kind == OpKind::value_write) {
    return require_acl(aclrtValueWrite(at, use.value, 0, stream), "aclrtValueWrite");
  }
  require_acl(aclrtValueWait(at, use.value, compare_flag(use.compare), stream), "aclrtValueWait");
}

// ---- transfers ----

std::int32_t DeviceSession::device_of_rank(std::uint32_t rank) const {
  for (std::size_t d = 0; d < trace_.devices().size(); ++d) {
    if (trace_.devices()[d].rank == rank) return static_cast<std::int32_t>(d);
  }
  return trace::kUnknownDevice;
}

std::int32_t DeviceSession::own_device(TrackIndex track) const {
  return static_cast<std::int32_t>(trace_.tracks()[track].device);
}

/// Each track has its own memory for the data that it sends and for the data that it receives, so a
/// replay has no races.
void* DeviceSession::memory(TrackIndex track, std::int32_t device, bool source,
                            std::uint64_t bytes) {
  Block& block = blocks_[{track, device, source}];
  if (block.bytes >= bytes) return block.at;
  const std::uint32_t before = device_;
  block.bytes = std::max(bytes, 2 * block.bytes);
  if (device < 0) {
    require_acl(aclrtMallocHost(&block.at, block.bytes), "aclrtMallocHost");
  } else {
    use_device(static_cast<std::uint32_t>(device));
    require_acl(aclrtMalloc(&block.at, block.bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    use_device(before);
  }
  all_blocks_.emplace_back(block.at, device < 0);
  return block.at;
}

void DeviceSession::issue_copy(OpIndex op, TrackIndex track) {
  const trace::Op& it = trace_[op];
  if (it.use == kNone) return;
  const std::int32_t own = own_device(track);
  const auto known = [own](std::int32_t device) {
    return device == trace::kUnknownDevice ? own : device;
  };
  if (it.kind == OpKind::send) {
    const trace::CommUse& use = trace_.comm(op);
    return move(op, track, own, known(device_of_rank(use.peer)), use.bytes, false);
  }
  const trace::CopyUse& use = trace_.copy(op);
  move(op, track, known(use.src), known(use.dst), use.bytes, it.kind == OpKind::reduce);
}

void DeviceSession::move(OpIndex op, TrackIndex track, std::int32_t from, std::int32_t to,
                         std::uint64_t bytes, bool reduce) {
  constexpr std::uint64_t kSome = 4096;  // used if the trace does not contain the size
  if (bytes == trace::kUnknownBytes) bytes = kSome;
  bytes = std::min(bytes, options_.max_copy);
  if (bytes == 0 || (from < 0 && to < 0)) return;
  const aclrtStream own = stream(track);
  const std::uint64_t room = std::max<std::uint64_t>(bytes, 64);
  void* const source = memory(track, from, true, room);
  void* const target = memory(track, to, false, room);
  stream(track);  // makes the device of the stream current again
  copied_bytes_ += bytes;
  if (reduce && from >= 0 && to >= 0) {
    const std::uint64_t count = std::max<std::uint64_t>(1, bytes / sizeof(std::int32_t));
    return require_acl(aclrtReduceAsync(target, source, count * sizeof(std::int32_t),
                                        ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_INT32, own, nullptr),
                       "aclrtReduceAsync");
  }
  const std::uint64_t mark = 0x9E3779B97F4A7C15U * (std::uint64_t{op} + 1);
  launch("mark", put_mark, {&stamps_, source, bytes, mark}, own);
  require_acl(aclrtMemcpyAsync(target, bytes, source, bytes, kind_of(from, to), own),
              "aclrtMemcpyAsync");
  launch("look", check_mark, {&stamps_, target, bytes, mark}, own);
}

void DeviceSession::issue_fill(OpIndex op, TrackIndex track) {
  if (trace_[op].use == kNone) return;
  const trace::CopyUse& use = trace_.copy(op);
  const std::int32_t device = use.dst == trace::kUnknownDevice ? own_device(track) : use.dst;
  const std::uint64_t bytes = std::min(use.bytes, options_.max_copy);
  if (device < 0 || bytes == 0) return;
  void* const at = memory(track, device, false, std::max<std::uint64_t>(bytes, 64));
  require_acl(aclrtMemsetAsync(at, bytes, 0, bytes, stream(track)), "aclrtMemsetAsync");
  copied_bytes_ += bytes;
}

}  // namespace aclsim
