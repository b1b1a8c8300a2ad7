// SPDX-License-Identifier: Apache-2.0
// Transpositions: of 16 by 16 elements, of sixteen blocks given by address, of whole images.
#include <cstring>

#include "runtime/ascendc/vector/kind.h"

namespace ascendc::vector {
namespace {

constexpr unsigned kSide = 16;

void transpose_reach(const aclsimInstruction& instruction, const State&,
                     std::vector<Touch>& touches, bool) {
  touch_bytes(instruction, 0, ACLSIM_WRITES, 0, 2 * kSide * kSide, touches);
  touch_bytes(instruction, 1, ACLSIM_READS, 0, 2 * kSide * kSide, touches);
}

void transpose_compute(const aclsimInstruction& instruction, State&) {
  std::uint16_t from[kSide][kSide];
  std::uint16_t to[kSide][kSide];
  std::memcpy(from, address_of(instruction, 1), sizeof(from));
  for (unsigned i = 0; i < kSide; ++i) {
    for (unsigned k = 0; k < kSide; ++k) to[k][i] = from[i][k];
  }
  std::memcpy(address_of(instruction, 0), to, sizeof(to));
}

// ---- TransDataTo5HD
// ------------------------------------------------------------------------------

// `more`: aclsimBlockLists. mode bit 0: dstHighHalf, bit 1: srcHighHalf (elements of one byte).
// operand 0 and 1 carry the strides between repeats and the element; they are the first blocks.
const aclsimBlockLists& lists_of(const aclsimInstruction& instruction) {
  return *static_cast<const aclsimBlockLists*>(instruction.more);
}

/// Bytes of a block that take part, and where they begin.
struct Part {
  std::uint64_t offset;
  std::uint64_t bytes;
};
Part part_of(const aclsimInstruction& instruction, bool dst) {
  if (bytes_of(instruction, 0) != 1) return {0, kBlock};
  const bool high = (instruction.mode >> (dst ? 0 : 1) & 1) != 0;
  return {high ? kBlock / 2 : 0, kBlock / 2};
}

// With one repeat the machine begins a stride further.
std::uint64_t repeat_offset(const aclsimInstruction& instruction, unsigned operand,
                            unsigned repeat) {
  const unsigned steps = instruction.repeat == 1 ? 1 : repeat;
  return std::uint64_t{steps} * instruction.operand[operand].repeat_stride * kBlock;
}

std::optional<Violation> lists_limits(const aclsimInstruction& instruction, const State&) {
  if (instruction.more == nullptr) return out_of_range(instruction, "no address lists");
  const aclsimBlockLists& lists = lists_of(instruction);
  for (unsigned i = 0; i < 2 * kSide; ++i) {
    const bool dst = i < kSide;
    const aclsimOperand& block = dst ? lists.dst[i] : lists.src[i - kSide];
    const auto address = reinterpret_cast<std::uintptr_t>(block.address);
    const std::string which =
        std::string(dst ? "dstList[" : "srcList[") + std::to_string(i % kSide) + "]";
    if (address % kBlock != 0 || address == 0) {
      return Violation{Fault::kAlignment, static_cast<std::int8_t>(dst ? 0 : 1),
                       "TransDataTo5HD: " + which + ": not at a multiple of 32 bytes"};
    }
    if (block.bytes == 0 || instruction.repeat == 0) continue;
    const std::uint64_t needed =
        repeat_offset(instruction, dst ? 0 : 1, instruction.repeat - 1U) + kBlock;
    if (needed > room(block)) {
      return Violation{Fault::kSize, static_cast<std::int8_t>(dst ? 0 : 1),
                       "TransDataTo5HD: " + which + ": " + std::to_string(needed) +
                           " bytes needed, " + std::to_string(room(block)) + " there"};
    }
  }
  return std::nullopt;
}

void lists_reach(const aclsimInstruction& instruction, const State&, std::vector<Touch>& touches,
                 bool) {
  for (unsigned operand = 0; operand < 2; ++operand) {
    const bool dst = operand == 0;
    const aclsimBlockLists& lists = lists_of(instruction);
    const Part part = part_of(instruction, dst);
    const std::uint64_t stride = instruction.operand[operand].repeat_stride * kBlock;
    if (instruction.repeat == 0) return;
    for (unsigned i = 0; i < kSide; ++i) {
      const aclsimOperand& block = dst ? lists.dst[i] : lists.src[i];
      touches.push_back({static_cast<std::uint8_t>(operand),
                         static_cast<std::uint8_t>(dst ? ACLSIM_WRITES : ACLSIM_READS),
                         reinterpret_cast<std::uintptr_t>(block.address) +
                             repeat_offset(instruction, operand, 0) + part.offset,
                         part.bytes, stride, stride == 0 ? 1ULL : instruction.repeat});
    }
  }
}

void lists_compute(const aclsimInstruction& instruction, State&) {
  const aclsimBlockLists& lists = lists_of(instruction);
  const unsigned bytes = bytes_of(instruction, 0);
  const Part from = part_of(instruction, false);
  const Part to = part_of(instruction, true);
  const unsigned columns = bytes == 4 ? 8 : kSide;
  for (unsigned repeat = 0; repeat < instruction.repeat; ++repeat) {
    std::uint8_t read[kSide][kBlock];
    for (unsigned i = 0; i < kSide; ++i) {
      std::memcpy(read[i],
                  static_cast<const std::uint8_t*>(lists.src[i].address) +
                      repeat_offset(instruction, 1, repeat) + from.offset,
                  from.bytes);
    }
    for (unsigned column = 0; column < columns; ++column) {
      for (unsigned row = 0; row < kSide; ++row) {
        // A column of 16 elements of four bytes takes two blocks.
        const unsigned block = bytes == 4 ? 2 * column + row / 8 : column;
        const unsigned place = bytes == 4 ? row % 8 : row;
        std::memcpy(static_cast<std::uint8_t*>(lists.dst[block].address) +
                        repeat_offset(instruction, 0, repeat) + to.offset + place * bytes,
                    read[row] + column * bytes, bytes);
      }
    }
  }
}

// ---- Transpose with TransposeParamsExt
// -----------------------------------------------------------

enum TransposeType : std::int32_t { kOneTile = 10, kToNhwc = 11, kToNchw = 12 };

// mode: TransposeType; scalar[0]: nSize, cSize, hSize, wSize, 16 bits each.
std::uint64_t size_of(const aclsimInstruction& instruction, unsigned which) {
  return instruction.scalar[0] >> (16 * which) & 0xffffU;
}
std::uint64_t image_bytes(const aclsimInstruction& instruction) {
  if (instruction.mode == kOneTile) return 2 * kSide * kSide;
  std::uint64_t elements = 1;
  for (unsigned which = 0; which < 4; ++which) elements *= size_of(instruction, which);
  return elements * bytes_of(instruction, 0);
}

std::optional<Violation> image_limits(const aclsimInstruction& instruction, const State&) {
  if (instruction.mode >= kOneTile && instruction.mode <= kToNchw) return std::nullopt;
  return Violation{Fault::kUnknown, -1,
                   "Transpose: transposeType " + std::to_string(instruction.mode) +
                       " is not supported, expected ND2ND_B16, NCHW2NHWC or NHWC2NCHW"};
}

void image_reach(const aclsimInstruction& instruction, const State&, std::vector<Touch>& touches,
                 bool) {
  const std::uint64_t bytes = image_bytes(instruction);
  touch_bytes(instruction, 0, ACLSIM_WRITES, 0, bytes, touches);
  touch_bytes(instruction, 1, ACLSIM_READS, 0, bytes, touches);
}

void image_compute(const aclsimInstruction& instruction, State& state) {
  if (instruction.mode == kOneTile) return transpose_compute(instruction, state);
  const unsigned bytes = bytes_of(instruction, 0);
  const std::uint64_t images = size_of(instruction, 0);
  const std::uint64_t channels = size_of(instruction, 1);
  const std::uint64_t pixels = size_of(instruction, 2) * size_of(instruction, 3);
  const bool to_nhwc = instruction.mode == kToNhwc;
  for (std::uint64_t image = 0; image < images; ++image) {
    const std::uint64_t base = image * channels * pixels;
    for (std::uint64_t channel = 0; channel < channels; ++channel) {
      for (std::uint64_t pixel = 0; pixel < pixels; ++pixel) {
        const std::uint64_t nchw = base + channel * pixels + pixel;
        const std::uint64_t nhwc = base + pixel * channels + channel;
        std::memcpy(address_of(instruction, 0) + (to_nhwc ? nhwc : nchw) * bytes,
                    address_of(instruction, 1) + (to_nhwc ? nchw : nhwc) * bytes, bytes);
      }
    }
  }
}

}  // namespace

const Kind kTransposeKind = {nullptr, transpose_reach, transpose_compute, nullptr, true};
const Kind kTransDataKind = {lists_limits, lists_reach, lists_compute, nullptr, true};
const Kind kTransposeExtKind = {image_limits, image_reach, image_compute, nullptr, false};

}  // namespace ascendc::vector
