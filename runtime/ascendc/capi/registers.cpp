// SPDX-License-Identifier: Apache-2.0
// Functions that kernels call: registers of the vector unit. Moves are checked by the core first.
#include "runtime/ascendc/registers/registers.h"

#include <algorithm>
#include <cstring>

#include "runtime/ascendc/core/core.h"
#include "runtime/ascendc/launch/block.h"
#include "runtime/ascendc/registers/loops.h"

#define ENTRY extern "C" __attribute__((visibility("default")))
#define SITE __builtin_return_address(0)

using ascendc::Block;
using ascendc::Core;
using ascendc::on_core;
using ascendc::vector::bytes_of_element;
namespace registers = ascendc::registers;

namespace {

using registers::kRegister;

registers::Control control() {
  const Block* const block = Block::current();
  return registers::control_of(block ? block->core.registers().control : 0);
}

const std::uint64_t* bits(const void* mask) { return static_cast<const std::uint64_t*>(mask); }
std::uint64_t* bits(void* mask) { return static_cast<std::uint64_t*>(mask); }
bool is_twice(const aclsimRegForm& form) { return (form.flags & ACLSIM_REG_TWICE) != 0; }

void access(const Core::RegisterAccess& what, const void* site) {
  on_core([&](Core& core) { core.register_access(what, site); });
}

const std::uint8_t* at(const void* address) { return static_cast<const std::uint8_t*>(address); }
std::uint8_t* at(void* address) { return static_cast<std::uint8_t*>(address); }

}  // namespace

ENTRY void aclsimVfBegin(const void* site) {
  on_core([&](Core& core) { core.begin_registers(site); });
}
ENTRY void aclsimVfEnd() {
  on_core([](Core& core) { core.end_registers(); });
}
ENTRY std::uint64_t aclsimRegIteration(const char* file, std::uint32_t line) {
  std::uint64_t iteration = 0;
  on_core([&](Core& core) { iteration = core.register_iteration(file, line); });
  return iteration;
}
ENTRY void aclsimRegBarrier(std::uint32_t before, std::uint32_t after) {
  on_core([&](Core& core) { core.register_barrier(before, after); });
}

// --- computation ---

ENTRY void aclsimRegLanes(aclsimRegForm form, void* dst, const void* src0, const void* src1,
                          const void* mask, std::uint64_t scalar) {
  registers::lanes(form, dst, src0, src1, bits(mask), scalar, control());
}
ENTRY void aclsimRegCompare(aclsimRegForm form, void* dst, const void* src0, const void* src1,
                            const void* mask, std::uint64_t scalar) {
  registers::compare(form, bits(dst), src0, src1, bits(mask), scalar);
}
ENTRY void aclsimRegCast(aclsimRegForm form, void* dst, const void* src, const void* mask) {
  registers::cast(form, dst, src, bits(mask), control());
}
ENTRY void aclsimRegReduce(aclsimRegForm form, void* dst, const void* src, const void* mask) {
  registers::reduce(form, dst, src, bits(mask), control());
}
ENTRY void aclsimRegOrder(aclsimRegForm form, void* dst0, void* dst1, const void* src0,
                          const void* src1, const void* mask, std::uint64_t scalar) {
  const std::size_t kept = registers::order(form, dst0, dst1, src0, src1, bits(mask), scalar);
  if (form.operation != ACLSIM_REG_SQUEEZE_STORED) return;
  on_core([&](Core& core) { core.squeezed() = kept * bytes_of_element(form.element); });
}
ENTRY void aclsimRegCarry(aclsimRegForm form, void* carry, void* dst, const void* src0,
                          const void* src1, const void* carried, const void* mask) {
  registers::carry(form, bits(carry), dst, src0, src1, bits(carried), bits(mask));
}
ENTRY void aclsimMaskOrder(aclsimRegForm form, void* dst0, void* dst1, const void* src0,
                           const void* src1) {
  registers::order_mask(form, bits(dst0), bits(dst1), bits(src0), bits(src1));
}
ENTRY void aclsimMaskFrom(void* dst, const void* src, std::uint32_t bytes) {
  registers::mask_from_bits(bits(dst), src, bytes);
}
ENTRY void aclsimMaskKept(void* dst, std::uint32_t bytes) {
  const Block* const block = Block::current();
  std::uint64_t kept[4] = {};
  if (block) std::memcpy(kept, block->core.registers().mask, sizeof block->core.registers().mask);
  registers::mask_from_bits(bits(dst), kept, bytes);
}

// --- moves ---

ENTRY void aclsimRegLoad(aclsimRegForm form, void* dst0, void* dst1, const void* from) {
  const std::size_t bytes = bytes_of_element(form.element);
  const registers::Layout layout = registers::layout_of_load(form.operation, bytes, is_twice(form));
  access({from, layout.bytes, layout.alignment, false, "LoadAlign", dst0}, SITE);
  registers::load(form.operation, bytes, is_twice(form), dst0, dst1, at(from));
}

ENTRY void aclsimRegStore(aclsimRegForm form, void* to, const void* src0, const void* src1,
                          const void* mask) {
  const registers::StoreForm how =
      registers::form_of_store(form.operation, bytes_of_element(form.element), is_twice(form));
  registers::LaneRange range{0, how.lanes};
  if (!how.first && !how.interleaves) {
    range = registers::range_of(bits(mask), kRegister / how.lanes, how.lanes);
  }
  // The address is aligned, also if the first lanes are off.
  if (range.first != 0) access({to, 0, how.alignment, true, "StoreAlign", src0}, SITE);
  const std::size_t aligned = range.first == 0 ? how.alignment : 1;
  access({at(to) + range.first * how.kept, (range.last - range.first) * how.kept, aligned, true,
          "StoreAlign", src0},
         SITE);
  registers::store(how, at(to), src0, src1, bits(mask));
}

ENTRY void aclsimRegLoadBlocks(aclsimRegForm form, void* dst, const void* from,
                               std::uint32_t stride, const void* mask) {
  (void)form;
  std::uint32_t on[8];
  std::memcpy(on, mask, sizeof on);
  std::memset(dst, 0, kRegister);
  for (std::size_t block = 0; block < 8; ++block) {
    const std::uint8_t* const here = at(from) + block * stride * std::size_t{32};
    access({here, on[block] != 0 ? std::uint64_t{32} : 0, on[block] != 0 ? 32U : 1U, false,
            "LoadAlign", dst},
           SITE);
    if (on[block] != 0) std::memcpy(at(dst) + block * 32, here, 32);
  }
}

ENTRY void aclsimRegStoreBlocks(aclsimRegForm form, void* to, const void* src, std::uint32_t stride,
                                const void* mask) {
  const std::size_t bytes = bytes_of_element(form.element);
  for (std::size_t block = 0; block < 8; ++block) {
    std::uint64_t own[4] = {};
    std::memcpy(own, at(mask) + block * 4, 4);
    const registers::LaneRange range = registers::range_of(own, bytes, 32 / bytes);
    if (range.last == range.first) continue;
    std::uint8_t* const here = at(to) + block * stride * std::size_t{32};
    if (range.first != 0) access({here, 0, 32, true, "StoreAlign", src}, SITE);
    access({here + range.first * bytes, (range.last - range.first) * bytes,
            range.first == 0 ? 32U : 1U, true, "StoreAlign", src},
           SITE);
    for (std::size_t i = range.first; i < range.last; ++i) {
      if (registers::lane(own, i, bytes)) {
        std::memcpy(here + i * bytes, at(src) + block * 32 + i * bytes, bytes);
      }
    }
  }
}

ENTRY void aclsimRegLoadMask(aclsimRegForm form, void* dst, const void* from) {
  constexpr std::size_t kBytes[] = {32, 16, 64};  // MaskDist
  const std::size_t bytes = kBytes[form.operation];
  access({from, bytes, bytes == 16 ? 16U : 32U, false, "LoadAlign", dst}, SITE);
  std::uint64_t read[8] = {};
  std::memcpy(read, from, bytes);
  std::uint64_t mask[4] = {};
  for (std::size_t i = 0; i < 256; ++i) {
    const std::size_t bit = form.operation == 1 ? i / 2 : form.operation == 2 ? i * 2 : i;
    mask[i / 64] |= (read[bit / 64] >> bit % 64 & 1U) << i % 64;
  }
  std::memcpy(dst, mask, sizeof mask);
}

ENTRY void aclsimRegStoreMask(aclsimRegForm form, void* to, const void* mask) {
  const bool packs = form.operation == 1;
  access({to, packs ? 16U : 32U, packs ? 16U : 32U, true, "StoreAlign", mask}, SITE);
  std::uint64_t written[4];
  std::memcpy(written, mask, sizeof written);
  if (packs) registers::bits_from_mask(written, bits(mask), 2);
  std::memcpy(to, written, packs ? 16 : 32);
}

// --- by indices ---

namespace {

/// The lanes of a gather or scatter, with their indices.
struct Indices {
  std::size_t lanes;
  std::size_t stride;  // of the mask
  std::size_t bytes;   // of an index
  const void* index;

  std::uint64_t operator[](std::size_t i) const {
    std::uint64_t value = 0;
    std::memcpy(&value, at(index) + i * bytes, bytes);
    return value;
  }
};

Indices indices_of(const aclsimRegForm& form, const void* index) {
  const std::size_t element = bytes_of_element(form.element);
  const std::size_t count = (is_twice(form) ? 2 * kRegister : kRegister) / element;
  return {count, kRegister / count, bytes_of_element(form.mode), index};
}

/// The range of bytes that the lanes reach; an empty one if all are off.
void access_indexed(const Indices& indices, const void* base, std::size_t bytes, const void* mask,
                    bool write, const void* data, const char* name, const void* site) {
  std::uint64_t least = ~0ULL;
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < indices.lanes; ++i) {
    if (!registers::lane(bits(mask), i, indices.stride)) continue;
    least = std::min(least, indices[i]);
    most = std::max(most, indices[i]);
  }
  if (least > most) return;
  access({at(base) + least * bytes, (most - least + 1) * bytes, 1, write, name, data}, site);
}

}  // namespace

// `element`: of the destination; `source`: in memory; `mode`: of the indices.
ENTRY void aclsimRegGather(aclsimRegForm form, void* dst, const void* from, const void* index,
                           const void* mask) {
  const Indices indices = indices_of(form, index);
  const std::size_t bytes = bytes_of_element(form.source);
  const std::size_t wide = bytes_of_element(form.element);
  access_indexed(indices, from, bytes, mask, false, dst, "Gather", SITE);
  alignas(64) std::uint8_t gathered[2 * kRegister] = {};
  for (std::size_t i = 0; i < indices.lanes; ++i) {
    if (!registers::lane(bits(mask), i, indices.stride)) continue;
    std::memcpy(gathered + i * wide, at(from) + indices[i] * bytes, bytes);
  }
  std::memcpy(dst, gathered, is_twice(form) ? 2 * kRegister : kRegister);
}

ENTRY void aclsimRegGatherBlocks(aclsimRegForm form, void* dst, const void* from, const void* index,
                                 const void* mask) {
  (void)form;
  alignas(64) std::uint8_t gathered[kRegister] = {};
  for (std::size_t block = 0; block < 8; ++block) {
    if (!registers::lane(bits(mask), block, 4)) continue;
    std::uint32_t offset = 0;
    std::memcpy(&offset, at(index) + block * 4, 4);
    access({at(from) + offset, 32, 32, false, "GatherB", dst}, SITE);
    std::memcpy(gathered + block * 32, at(from) + offset, 32);
  }
  std::memcpy(dst, gathered, sizeof gathered);
}

ENTRY void aclsimRegScatter(aclsimRegForm form, void* to, const void* src, const void* index,
                            const void* mask) {
  const Indices indices = indices_of(form, index);
  const std::size_t bytes = bytes_of_element(form.source);
  const std::size_t wide = bytes_of_element(form.element);
  access_indexed(indices, to, bytes, mask, true, src, "Scatter", SITE);
  for (std::size_t i = 0; i < indices.lanes; ++i) {
    if (!registers::lane(bits(mask), i, indices.stride)) continue;
    std::memcpy(at(to) + indices[i] * bytes, at(src) + i * wide, bytes);
  }
}

// --- at any address ---

namespace {

/// UnalignReg of reg_types.h.
struct Unaligned {
  std::uint32_t count;
  std::uint8_t* address;
  std::uint8_t bytes[32];
};
Unaligned& unaligned(void* kept) { return *static_cast<Unaligned*>(kept); }

void store_unaligned(std::uint8_t* to, const void* src, Unaligned& kept, std::uint64_t bytes,
                     const void* site) {
  if (kept.count != 0 && kept.address + kept.count != to) {
    on_core([&](Core& core) {
      core.found_once("register-pending",
                      "StoreUnAlign begins behind other bytes than its register keeps, so "
                      "those are lost",
                      site);
    });
    kept.count = 0;
  }
  alignas(64) std::uint8_t all[2 * kRegister + 32];
  std::memcpy(all, kept.bytes, kept.count);
  std::memcpy(all + kept.count, src, bytes);
  std::uint8_t* const begin = to - kept.count;
  const std::uint64_t size = kept.count + bytes;
  const std::uint64_t rest = (reinterpret_cast<std::uintptr_t>(begin) + size) % 32;
  const std::uint64_t whole = rest < size ? size - rest : 0;
  if (whole != 0) {
    access({begin, whole, 1, true, "StoreUnAlign", src}, site);
    std::memcpy(begin, all, whole);
  }
  kept.count = static_cast<std::uint32_t>(size - whole);
  kept.address = begin + whole;
  std::memcpy(kept.bytes, all + whole, kept.count);
}

}  // namespace

ENTRY void aclsimRegLoadPre(void* kept, const void* from) {
  const std::uintptr_t block = reinterpret_cast<std::uintptr_t>(from) / 32 * 32;
  access({reinterpret_cast<const void*>(block), 32, 1, false, "LoadUnAlignPre", kept}, SITE);
  unaligned(kept).address = at(const_cast<void*>(from));
}
ENTRY void aclsimRegLoadUnaligned(aclsimRegForm form, void* dst, void* kept, const void* from) {
  if (unaligned(kept).address == nullptr) {
    const void* const site = SITE;
    on_core([&](Core& core) {
      core.found_once("register-pending", "LoadUnAlign uses a register without a value", site);
    });
  }
  const std::size_t bytes = is_twice(form) ? 2 * kRegister : kRegister;
  access({from, bytes, 1, false, "LoadUnAlign", dst}, SITE);
  std::memcpy(dst, from, bytes);
}
ENTRY void aclsimRegStoreUnaligned(aclsimRegForm form, void* to, const void* src, void* kept,
                                   std::uint64_t bytes) {
  const std::uint64_t most = is_twice(form) ? 2 * kRegister : kRegister;
  if (bytes > most) {
    const void* const site = SITE;
    on_core([&](Core& core) {
      core.violated("argument", "StoreUnAlign: more elements than the register has", site);
    });
  }
  store_unaligned(at(to), src, unaligned(kept), std::min(bytes, most), SITE);
}
ENTRY void aclsimRegStorePost(void* to, void* kept) {
  (void)to;
  Unaligned& pending = unaligned(kept);
  if (pending.count == 0) return;
  access({pending.address, pending.count, 1, true, "StoreUnAlignPost", kept}, SITE);
  std::memcpy(pending.address, pending.bytes, pending.count);
  pending.count = 0;
}
ENTRY std::uint64_t aclsimRegStoreMaskUnaligned(aclsimRegForm form, void* to, const void* mask,
                                                void* kept) {
  std::uint8_t packed[32];
  const std::size_t bytes =
      registers::bits_from_mask(packed, bits(mask), bytes_of_element(form.element));
  store_unaligned(at(to), packed, unaligned(kept), bytes, SITE);
  return bytes;
}
ENTRY void aclsimRegStoreSqueezed(aclsimRegForm form, void* to, const void* src, void* kept) {
  std::uint64_t before = 0;
  std::uint64_t bytes = 0;
  const void* const site = SITE;
  on_core([&](Core& core) {
    before = core.address_register();
    bytes = core.squeezed();
    if ((form.flags & ACLSIM_REG_UPDATES) != 0) core.address_register() += bytes;
  });
  store_unaligned(at(to) + before, src, unaligned(kept), bytes, site);
}
