// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/launch/run.h"

#include "acl/acl_rt.h"

namespace ascendc {

Run::Run(const aclsimKernelCode& code, const void* args, std::uint32_t blocks)
    : code_(code), args_(args), blocks_(blocks) {}
Run::~Run() = default;

std::unique_ptr<Block> Run::next_block() {
  if (started_ == blocks_ || result_ != 0) return nullptr;
  auto block = std::make_unique<Block>();
  aclsimCore info{};
  info.size = sizeof info;
  info.kind = code_.kind == ACLSIM_CORES_CUBE ? ACLSIM_AIC : ACLSIM_AIV;
  info.block = started_;
  info.blocks = blocks_;
  info.sub_blocks = 1;
  info.ratio = 1;
  block->prepare(*this, started_++, info, arch_of(2201));
  return block;
}

void Run::work() {
  while (const auto block = next_block()) {
    while (block->state != Block::State::over) block->turn();
  }
}

void Run::failed(Block& block, End) {
  result_ = block.core.info.kind == ACLSIM_AIC ? ACL_ERROR_RT_AICORE_EXCEPTION
                                               : ACL_ERROR_RT_VECTOR_CORE_EXCEPTION;
}

}  // namespace ascendc
