// SPDX-License-Identifier: Apache-2.0
// Functions that kernels call: flags, barriers, queues, and other cores.
#include "ascendc/impl/machine.h"
#include "runtime/ascendc/core/core.h"
#include "runtime/ascendc/launch/block.h"

#define ENTRY extern "C" __attribute__((visibility("default")))

using ascendc::Block;
using ascendc::Core;
using ascendc::on_core;

ENTRY void aclsimSetFlag(std::uint32_t event, std::int32_t id, const void* site) {
  on_core([&](Core& core) { core.set_flag(event, id, site); });
}
ENTRY void aclsimWaitFlag(std::uint32_t event, std::int32_t id, const void* site) {
  on_core([&](Core& core) { core.wait_flag(event, id, site); });
}
ENTRY void aclsimMutexLock(std::uint32_t pipe, std::uint32_t id, const void* site) {
  on_core([&](Core& core) { core.lock_mutex(pipe, id, site); });
}
ENTRY void aclsimMutexUnlock(std::uint32_t pipe, std::uint32_t id, const void* site) {
  on_core([&](Core& core) { core.unlock_mutex(pipe, id, site); });
}
ENTRY std::uint32_t aclsimMutexId(const void* site) {
  return on_core([&](Core& core) { return core.take_mutex_id(site); });
}
ENTRY void aclsimMutexRelease(std::uint32_t id, const void* site) {
  on_core([&](Core& core) { core.release_mutex_id(id, site); });
}
ENTRY void aclsimPipeBarrier(std::uint32_t pipe, const void* site) {
  on_core([&](Core& core) { core.barrier(pipe, site); });
}
ENTRY void aclsimSetAtomic(std::uint32_t operation, std::uint32_t element) {
  on_core([&](Core& core) { core.set_atomic(operation, element); });
}
ENTRY void aclsimSetPadValue(std::uint64_t value, std::uint32_t bytes) {
  on_core([&](Core& core) { core.set_pad_value(value, bytes); });
}

ENTRY void aclsimPipeOpen(void* pipe, const void* site) {
  on_core([&](Core& core) { core.open_pipe(pipe, site); });
}
ENTRY void aclsimPipeClose(void* pipe, std::int32_t barrier) {
  on_core([&](Core& core) { core.close_pipe(pipe, barrier != 0); });
}
ENTRY void aclsimPipeReset(const void*) {
  on_core([&](Core& core) { core.reset_pipe(); });
}
ENTRY std::uint32_t aclsimPoolCreate(std::uint32_t parent, std::uint32_t position,
                                     std::uint64_t bytes, std::uint32_t share, const void* site) {
  return on_core(
      [&](Core& core) { return core.create_pool(parent, position, bytes, share, site); });
}
ENTRY void aclsimPoolReset(std::uint32_t pool) {
  on_core([&](Core& core) { core.queues().reset_pool(pool); });
}
ENTRY std::uint64_t aclsimPoolBegin(std::uint32_t pool, std::uint32_t position) {
  return on_core([&](Core& core) { return core.queues().pool_begin(pool, position); });
}
ENTRY std::uint32_t aclsimQueueCreate(std::uint32_t from, std::uint32_t to, std::uint32_t depth) {
  return on_core([&](Core& core) { return core.queues().add_queue(from, to, depth); });
}
ENTRY void aclsimQueueInit(std::uint32_t queue, std::uint32_t pool, std::uint32_t position,
                           std::uint32_t num, std::uint64_t bytes, const void* site) {
  on_core([&](Core& core) { core.init_queue(queue, pool, position, num, bytes, site); });
}
ENTRY void aclsimQueueStart(std::uint32_t queue, std::uint32_t num, const void* site) {
  on_core([&](Core& core) { core.start_queue(queue, num, site); });
}
ENTRY void aclsimQueuePlace(std::uint32_t queue, std::uint32_t number, std::uint32_t position,
                            std::uint64_t offset, std::uint64_t bytes, const void* site) {
  on_core([&](Core& core) { core.place_buffer(queue, number, position, offset, bytes, site); });
}
ENTRY aclsimBuffer aclsimBufferPlace(std::uint32_t position, std::uint64_t offset,
                                     std::uint64_t bytes, const void* site) {
  return on_core([&](Core& core) { return core.place_one(position, offset, bytes, site); });
}
ENTRY aclsimBuffer aclsimBufferCreate(std::uint32_t pool, std::uint32_t position,
                                      std::uint64_t bytes, const void* site) {
  return on_core([&](Core& core) { return core.create_buffer(pool, position, bytes, site); });
}
ENTRY aclsimBuffer aclsimBufferOf(std::uint64_t tensor) {
  return on_core([&](Core& core) { return core.buffer_of(tensor); });
}
ENTRY std::uint64_t aclsimQueueAlloc(std::uint32_t queue, const void* site) {
  return on_core([&](Core& core) { return core.alloc(queue, site).tensor; });
}
ENTRY aclsimBuffer aclsimBufferAlloc(std::uint32_t queue, const void* site) {
  return on_core([&](Core& core) { return core.alloc(queue, site); });
}
ENTRY void aclsimQueueEnque(std::uint32_t queue, std::uint64_t tensor, const void* site) {
  on_core([&](Core& core) { core.enque(queue, tensor, site); });
}
ENTRY std::uint64_t aclsimQueueDeque(std::uint32_t queue, const void* site) {
  return on_core([&](Core& core) { return core.deque(queue, site).tensor; });
}
ENTRY aclsimBuffer aclsimBufferDeque(std::uint32_t queue, const void* site) {
  return on_core([&](Core& core) { return core.deque(queue, site); });
}
ENTRY void aclsimQueueFree(std::uint32_t queue, std::uint64_t tensor, const void* site) {
  on_core([&](Core& core) { core.free(queue, tensor, site); });
}
ENTRY std::uint32_t aclsimQueueCount(std::uint32_t queue) {
  return on_core([&](Core& core) { return queue != 0 ? core.queues().enqueued(queue) : 0; });
}
ENTRY std::uint32_t aclsimQueueIdle(std::uint32_t queue) {
  return on_core([&](Core& core) { return core.queues().idle(queue); });
}
ENTRY std::uint32_t aclsimBufferState(std::uint64_t tensor) {
  return on_core([&](Core& core) {
    const ascendc::LocalBuffer* const buffer = core.queues().buffer(tensor);
    return buffer ? static_cast<std::uint32_t>(buffer->state) : 0;
  });
}

ENTRY std::int32_t aclsimEventId(std::uint32_t event, std::int32_t take) {
  return on_core([&](Core& core) { return core.event_id(event, take != 0); });
}
ENTRY void aclsimEventRelease(std::uint32_t event, std::int32_t id) {
  on_core([&](Core& core) { core.release_event_id(event, id); });
}

ENTRY void aclsimSyncAll(std::int32_t vector_only, const void* site) {
  ascendc::in_library([&] {
    if (Block* const block = Block::current()) block->sync_all(vector_only != 0, site);
  });
}
ENTRY void aclsimCrossSet(std::uint32_t mode, std::uint32_t pipe, std::uint32_t flag,
                          const void* site) {
  ascendc::in_library([&] {
    if (Block* const block = Block::current()) block->cross_set(mode, pipe, flag, site);
  });
}
ENTRY void aclsimCrossWait(std::uint32_t flag, const void* site) {
  ascendc::in_library([&] {
    if (Block* const block = Block::current()) block->cross_wait(flag, site);
  });
}
ENTRY void aclsimBlockSet(const void* slot, std::int32_t id, const void* site) {
  ascendc::in_library([&] {
    if (Block* const block = Block::current()) block->slot_set(slot, id, site);
  });
}
ENTRY void aclsimBlockWait(const void* slot, std::int32_t id, const void* site) {
  ascendc::in_library([&] {
    if (Block* const block = Block::current()) block->slot_wait(slot, id, site);
  });
}

ENTRY void aclsimTrap(const void* site) {
  ascendc::in_library([&] {
    if (Block* const block = Block::current()) block->trap(site);
  });
  __builtin_trap();
}
ENTRY void aclsimAssertFailed(const char* expression, const char* file, std::uint32_t line,
                              const char* function, const void* site) {
  ascendc::in_library([&] {
    if (Block* const block = Block::current())
      block->assert_failed(expression, file, line, function, site);
  });
  __builtin_trap();
}
