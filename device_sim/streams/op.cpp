// SPDX-License-Identifier: Apache-2.0
#include "device_sim/streams/op.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "device_sim/streams/host_lane.h"
#include "device_sim/streams/program.h"
#include "device_sim/streams/signal.h"
#include "device_sim/streams/stream.h"
#include "device_sim/streams/task.h"

namespace sim {

KernelBlob* KernelBlob::create(const void* args, std::size_t args_size, const MemoryRange* ranges,
                               std::size_t range_count) {
  const std::size_t ranges_size = range_count * sizeof(MemoryRange);
  void* const memory = std::malloc(sizeof(KernelBlob) + ranges_size + args_size);
  if (!memory) throw std::bad_alloc();
  auto* const blob = new (memory)
      KernelBlob{static_cast<std::uint32_t>(args_size), static_cast<std::uint32_t>(range_count)};
  if (ranges_size != 0) std::memcpy(blob + 1, ranges, ranges_size);
  if (args_size != 0) std::memcpy(const_cast<void*>(blob->args()), args, args_size);
  return blob;
}

void KernelBlob::destroy(KernelBlob* blob) noexcept { std::free(blob); }

Op make_kernel(KernelEntry entry, void* function, const char* name, std::uint32_t blocks,
               const void* args, std::size_t args_size, const MemoryRange* ranges,
               std::size_t range_count) {
  if (args_size <= kInlineArgs && range_count == 0) {
    return make_kernel(entry, function, name, blocks, args, args_size);
  }
  Op op = make_kernel(entry, function, name, blocks, nullptr, 0);
  op.kernel.args_size = static_cast<std::uint32_t>(args_size);
  op.kernel.blob = KernelBlob::create(args, args_size, ranges, range_count);
  op.has_blob = true;
  return op;
}

Op make_kernel(KernelEntry entry, Ref<Shared> object, const char* name, std::uint32_t blocks,
               const MemoryRange* ranges, std::size_t range_count) {
  Op op = make_kernel(entry, object.get(), name, blocks, nullptr, 0, ranges, range_count);
  op.kernel.function = object.detach();
  op.has_object = true;
  return op;
}

const KernelSubject* subject_of(const Op& op) noexcept {
  if (op.kind != OpKind::kernel || !op.has_object) return nullptr;
  return dynamic_cast<const KernelSubject*>(static_cast<const Shared*>(op.kernel.function));
}

Op make_host_call(Ref<HostLane> lane, void (*function)(void*), void* argument, bool blocking,
                  Ref<const Shared> owner) noexcept {
  Op op(OpKind::host_call);
  op.host_call = {lane.detach(), function, argument, owner.detach(), blocking};
  return op;
}

Op make_host_call(HostLane& lane, void (*function)(void*), void* argument, bool blocking,
                  Ref<const Shared> owner) noexcept {
  return make_host_call(Ref<HostLane>::share(&lane), function, argument, blocking,
                        std::move(owner));
}

Op make_record(Ref<Signal> signal, bool timed) noexcept {
  Op op(OpKind::record);
  op.record = {signal.detach(), timed};
  return op;
}

Op make_record(Signal& signal, bool timed) noexcept {
  return make_record(Ref<Signal>::share(&signal), timed);
}

Op make_wait(Signal& signal, WaitTally* tally, std::uint64_t timeout_ns) noexcept {
  return make_wait(Ref<Signal>::share(&signal), Ref<WaitTally>::share(tally), timeout_ns);
}

Op make_wait(Ref<Signal> signal, Ref<WaitTally> tally, std::uint64_t timeout_ns) noexcept {
  if (tally) tally->outstanding.fetch_add(1, std::memory_order_relaxed);
  Op op(OpKind::wait);
  op.wait = {signal.detach(), tally.detach(), timeout_ns};
  return op;
}

Op make_reset(Signal& signal) noexcept {
  signal.retain();
  Op op(OpKind::reset);
  op.reset = {&signal};
  return op;
}

Op make_word_wait(Word& word, const WordTest& test, std::uint64_t timeout_ns,
                  const char* name) noexcept {
  word.retain();
  Op op(OpKind::word_wait);
  op.word_wait = {&word, name, timeout_ns, test};
  return op;
}

Op make_word_change(Word& word, WordChange how, std::uint64_t value, const char* name) noexcept {
  word.retain();
  Op op(OpKind::word_change);
  op.word_change = {&word, name, value, how};
  return op;
}

Op make_control(Ref<Control> control) noexcept {
  Op op(OpKind::control);
  op.control = {control.detach()};
  return op;
}

Op make_task(Ref<const Task> task) noexcept {
  Op op(OpKind::task);
  op.task = {task.detach()};
  return op;
}

Op clone_op(const Op& op) {
  Op copy = op;
  switch (op.kind) {
    case OpKind::kernel:
      if (op.has_blob) {
        const KernelBlob& blob = *op.kernel.blob;
        copy.kernel.blob =
            KernelBlob::create(blob.args(), blob.args_size, blob.ranges(), blob.range_count);
      }
      if (op.has_object) static_cast<const Shared*>(op.kernel.function)->retain();
      break;
    case OpKind::host_call:
      op.host_call.lane->retain();
      if (op.host_call.owner) op.host_call.owner->retain();
      break;
    case OpKind::record:
      op.record.signal->retain();
      break;
    case OpKind::wait:
      op.wait.signal->retain();
      copy.wait.tally = nullptr;  // counts the waits of calls
      break;
    case OpKind::reset:
      op.reset.signal->retain();
      break;
    case OpKind::word_wait:
      op.word_wait.word->retain();
      break;
    case OpKind::word_change:
      op.word_change.word->retain();
      break;
    case OpKind::control:
      op.control.control->retain();
      break;
    case OpKind::task:
      op.task.task->retain();
      break;
    case OpKind::copy:
    case OpKind::fill:
      break;
  }
  return copy;
}

void dispose_op(Op& op) noexcept {
  switch (op.kind) {
    case OpKind::kernel:
      if (op.has_blob) KernelBlob::destroy(op.kernel.blob);
      if (op.has_object) static_cast<const Shared*>(op.kernel.function)->release();
      break;
    case OpKind::host_call:
      if (op.host_call.owner) op.host_call.owner->release();
      op.host_call.lane->release();
      break;
    case OpKind::record:
      op.record.signal->release();
      break;
    case OpKind::wait:
      if (op.wait.tally) {
        op.wait.tally->outstanding.fetch_sub(1, std::memory_order_release);
        op.wait.tally->release();
      }
      op.wait.signal->release();
      break;
    case OpKind::reset:
      op.reset.signal->release();
      break;
    case OpKind::word_wait:
      op.word_wait.word->release();
      break;
    case OpKind::word_change:
      op.word_change.word->release();
      break;
    case OpKind::control:
      op.control.control->release();
      break;
    case OpKind::task:
      op.task.task->release();
      break;
    case OpKind::copy:
    case OpKind::fill:
      break;
  }
}

}  // namespace sim
