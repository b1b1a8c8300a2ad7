// SPDX-License-Identifier: Apache-2.0
// Functions that kernels call: the core that they run on.
#include <fmt/format.h>

#include <cstring>

#include "ascendc/impl/cube.h"
#include "ascendc/impl/instruction.h"
#include "ascendc/impl/machine.h"
#include "runtime/ascendc/core/core.h"
#include "runtime/ascendc/launch/block.h"

#define ENTRY extern "C" __attribute__((visibility("default")))

using ascendc::Block;
using ascendc::Core;
using ascendc::on_core;

namespace {

/// The core information for code that calls the kernel interface outside of a kernel.
aclsimCore& no_core() {
  static aclsimCore core{};
  core.size = sizeof core;
  return core;
}

}  // namespace

ENTRY aclsimCore* aclsimThisCore() {
  Block* const block = Block::current();
  if (!block) return &no_core();
  block->core.info_given = true;
  return &block->core.info;
}

ENTRY aclsimCubeRegisters* aclsimCubeRegistersOfCore() {
  static thread_local aclsimCubeRegisters none;  // outside of kernels
  Block* const block = Block::current();
  return block ? &block->core.cube_registers : &none;
}

ENTRY void aclsimIssue(const aclsimInstruction* instruction) {
  const void* const site = instruction->site ? instruction->site : __builtin_return_address(0);
  on_core([&](Core& core) { core.issue(*instruction, site); });
}

ENTRY void* aclsimLocalAddress(std::uint32_t position, std::uint64_t offset, std::uint64_t bytes,
                               const void* site) {
  return on_core([&](Core& core) { return core.local_address(position, offset, bytes, site); });
}

ENTRY std::uint64_t aclsimLocalSize(std::uint32_t position) {
  const Block* const block = Block::current();
  const ascendc::Memory memory = ascendc::memory_of(position);
  return block && memory != ascendc::Memory::count ? block->core.memory_bytes(memory) : 0;
}

ENTRY void* aclsimLocalArray(std::uint32_t memory, const void* key, std::uint64_t bytes,
                             const char* name, const void* site) {
  const auto where = static_cast<ascendc::Memory>(memory);
  return on_core([&](Core& core) { return core.local_array({where, key, bytes, name, site}); });
}

ENTRY void* aclsimDynamicArray(const char* name, const void* site) {
  static const char key = 0;
  return on_core([&](Core& core) {
    return core.local_array({ascendc::Memory::ub, &key, core.info.dynamic_bytes, name, site});
  });
}

ENTRY std::uint64_t aclsimUnifiedArraysBegin() {
  const Block* const block = Block::current();
  return block ? block->core.arrays_begin() : 0;
}

ENTRY std::uint64_t aclsimLocalOffset(const void* address) {
  const Block* const block = Block::current();
  std::uint64_t offset = 0;
  return block && block->core.locate(address, offset) != ascendc::Memory::count ? offset : 0;
}

ENTRY void* aclsimScalarAccess(void* address, std::uint64_t bytes, std::uint64_t end,
                               std::uint64_t tensor, std::uint32_t access, const void* site) {
  void* const at = on_core(
      [&](Core& core) { return core.scalar_access(address, bytes, end, tensor, access, site); });
  return at ? at : address;
}

ENTRY void aclsimPointerTaken(const void* address, std::uint64_t bytes) {
  on_core([&](Core& core) { core.pointer_taken(address, bytes); });
}

ENTRY void aclsimScalarWrite(void* address, std::uint64_t bytes, std::uint64_t end,
                             const void* value, const void* site) {
  if (!Block::current()) return static_cast<void>(std::memcpy(address, value, bytes));
  on_core(
      [&](Core& core) { core.scalar_access(address, bytes, end, 0, ACLSIM_WRITES, site, value); });
}

ENTRY void aclsimPrint(const char* text, std::size_t bytes) {
  ascendc::in_library([&] {
    if (Block* const block = Block::current()) block->print(text, bytes);
  });
}

ENTRY void aclsimViolation(const char* sentence, std::uint64_t value, std::uint64_t limit,
                           const void* site) {
  on_core([&](Core& core) {
    core.violated("argument",
                  value == 0 && limit == 0
                      ? std::string(sentence)
                      : fmt::format("{}: {}; expected at most {}", sentence, value, limit),
                  site);
  });
}

ENTRY void aclsimForbidden(const char* sentence, const void* site) {
  on_core([&](Core& core) { core.found_once("argument", sentence, site); });
}

ENTRY void* aclsimBlockLocal(const void* key, std::uint64_t bytes, std::int32_t* fresh) {
  Block* const block = Block::current();
  if (!block) return nullptr;
  return ascendc::in_library([&] {
    bool made = false;
    void* const own = block->local(key, bytes, made);
    *fresh = made ? 1 : 0;
    return own;
  });
}
