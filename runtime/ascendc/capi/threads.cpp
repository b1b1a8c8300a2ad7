// SPDX-License-Identifier: Apache-2.0
// SIMT functions and their threads.
#include "ascendc/impl/simt_machine.h"

#include "runtime/ascendc/launch/block.h"

#define SIMT_ENTRY extern "C" __attribute__((visibility("default")))

namespace {

ascendc::Threads* threads_of_block() {
  ascendc::Block* const block = ascendc::Block::current();
  return block && block->threads.inside() ? &block->threads : nullptr;
}

}  // namespace

SIMT_ENTRY const aclsimThread* aclsimThisThread() {
  static const aclsimThread alone = {sizeof alone,
                                     0,
                                     {0, 0, 0},
                                     {0, 0, 0},
                                     {1, 1, 1},
                                     {1, 1, 1},
                                     ascendc::Threads::kNothingSaturates};
  const ascendc::Threads* const threads = threads_of_block();
  return threads ? &threads->now() : &alone;
}

SIMT_ENTRY void aclsimRunThreads(void (*body)(const void*), const void* args,
                                 const std::uint32_t threads[3], const void* site) {
  ascendc::Block* const block = ascendc::Block::current();
  if (!block) return;
  const auto blocks = static_cast<std::uint32_t>(block->core.info.blocks * block->core.info.ratio);
  const std::uint32_t grid[3] = {blocks, 1, 1};
  ascendc::in_library([&] {
    block->core.barrier(6, site);
    block->threads.run(*block, body, args, threads, grid, block->core.registers().control, site);
  });
}

SIMT_ENTRY void aclsimSyncThreads(const void* site) {
  ascendc::in_library([&] {
    if (ascendc::Threads* const threads = threads_of_block()) threads->sync(site);
  });
}

SIMT_ENTRY std::uint32_t aclsimShareInWarp(std::uint64_t value, std::uint64_t lanes[32],
                                           const void* site) {
  return ascendc::in_library([&]() -> std::uint32_t {
    ascendc::Threads* const threads = threads_of_block();
    if (threads) return threads->share(value, lanes, site);
    lanes[0] = value;
    return 1;
  });
}

SIMT_ENTRY std::uint32_t aclsimShareInTile(std::uint32_t wanted, std::uint64_t value,
                                           std::uint64_t lanes[32], const void* site) {
  return ascendc::in_library([&]() -> std::uint32_t {
    if (ascendc::Threads* const threads = threads_of_block()) {
      return threads->share_in_tile(wanted, value, lanes, site);
    }
    lanes[0] = value;
    return 1;
  });
}

SIMT_ENTRY std::uint32_t aclsimShareInThreads(std::uint32_t first, std::uint32_t count,
                                              std::uint64_t value, std::uint64_t* values,
                                              const void* site) {
  return ascendc::in_library([&]() -> std::uint32_t {
    if (ascendc::Threads* const threads = threads_of_block()) {
      return threads->share_among(first, count, value, values, site);
    }
    values[0] = value;
    return 1;
  });
}

SIMT_ENTRY void aclsimInactiveLane(std::uint32_t lane, const void* site) {
  ascendc::in_library([&] {
    if (ascendc::Threads* const threads = threads_of_block()) threads->inactive(lane, site);
  });
}

SIMT_ENTRY std::uint32_t aclsimSpaceOf(const void* address) {
  return ascendc::in_library([&]() -> std::uint32_t {
    ascendc::Block* const block = ascendc::Block::current();
    if (!block) return ACLSIM_IN_NONE;
    std::uint64_t offset = 0;
    if (block->core.locate(address, offset) == ascendc::Memory::ub) return ACLSIM_IN_UNIFIED;
    if (block->threads.in_stack(address)) return ACLSIM_IN_STACK;
    ascendc::GmRange piece;
    return ascendc::find_allocation(reinterpret_cast<std::uintptr_t>(address), piece)
               ? ACLSIM_IN_GLOBAL
               : ACLSIM_IN_NONE;
  });
}
