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
  static const aclsimThread alone = {sizeof alone, 0, {0, 0, 0}, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}};
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
    block->threads.run(*block, body, args, threads, grid, site);
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
