// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/launch/block.h"

#include <cstdio>

#include "runtime/acl/embedding/embedding.h"
#include "runtime/ascendc/launch/run.h"

namespace ascendc {
namespace {

thread_local Block* running_block = nullptr;

}  // namespace

Block* Block::current() noexcept { return running_block; }

void Block::prepare(Run& run, std::uint32_t number, const aclsimCore& info, const Arch& arch) {
  run_ = &run;
  unit = number;
  output_.clear();
  core.reset(arch, *this);
  core.info = info;
  state = State::ready;
  woken = false;
  fibre_.start(body, this);
}

void Block::turn() {
  Block* const before = running_block;
  Core* const core_before = set_current_core(&core);
  running_block = this;
  if (!fibre_.resume()) state = State::over;
  running_block = before;
  set_current_core(core_before);
}

void Block::body(void* argument) {
  Block& block = *static_cast<Block*>(argument);
  block.run_->code().entry(block.run_->args());
}

void Block::end(End why) {
  run_->failed(*this, why);
  fibre_.leave();
}

void Block::found(const Finding& finding) {
  std::fprintf(stderr, "aclsim: kernel %s, block %lld: %s\n", run_->code().name,
               static_cast<long long>(core.info.block), finding.text.c_str());
}

bool Block::find_global(std::uintptr_t address, GmPiece& piece) {
  acl::embedding::Runtime* const runtime = aclsimEmbedding(acl::embedding::kVersion);
  acl::embedding::Allocation allocation;
  if (!runtime || !runtime->find_allocation(reinterpret_cast<const void*>(address), allocation)) {
    return false;
  }
  piece = {allocation.begin, allocation.size};
  return true;
}

std::string Block::place_of(const void* site) {
  acl::embedding::Runtime* const runtime = aclsimEmbedding(acl::embedding::kVersion);
  return runtime ? runtime->place_of(site) : std::string();
}

}  // namespace ascendc
