// SPDX-License-Identifier: Apache-2.0
// Functions that kernels call: their output.
#include <fmt/format.h>

#include "ascendc/impl/instruction.h"
#include "ascendc/impl/machine.h"
#include "runtime/acl/embedding/embedding.h"
#include "runtime/ascendc/launch/block.h"
#include "runtime/ascendc/launch/print.h"
#include "runtime/ascendc/launch/settings.h"

#define ENTRY extern "C" __attribute__((visibility("default")))

namespace {

void show(ascendc::Block& block, std::string text) {
  const aclsimCore& info = block.core.info;
  if (ascendc::settings().prefix) {
    text.insert(0, fmt::format("[{} Block {}/{}] ", info.kind == ACLSIM_AIC ? "AIC" : "AIV",
                               info.block * info.ratio + info.sub_block, info.blocks * info.ratio));
  }
  block.print(text.data(), text.size());
}

}  // namespace

ENTRY void aclsimPrintFormatted(const char* format, const aclsimPrintArgument* args,
                                std::size_t count) {
  ascendc::in_library([&] {
    if (auto* const block = ascendc::Block::current()) {
      show(*block, ascendc::formatted(format, args, count));
    }
  });
}

ENTRY void aclsimDumpTensor(const aclsimOperand* tensor, std::uint32_t desc, std::uint32_t elements,
                            std::uint32_t dims, const std::uint32_t* shape) {
  const void* const site = __builtin_return_address(0);
  ascendc::in_library([&] {
    if (auto* const block = ascendc::Block::current()) {
      const bool local = ascendc::memory_of(tensor->position) != ascendc::Memory::count;
      if (elements != 0)
        block->core.require_memory(tensor->address, local, "DumpTensor", "the tensor", site);
      block->core.barrier(6, nullptr);
      show(*block, ascendc::dumped(*tensor, desc, elements, dims, shape));
    }
  });
}

ENTRY std::uint64_t aclsimCycle() {
  auto* const runtime = aclsimEmbedding(acl::embedding::kVersion);
  return runtime ? runtime->now_ns() : 0;
}
