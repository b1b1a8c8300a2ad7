// SPDX-License-Identifier: Apache-2.0
// The computations of register functions. Pure: all of it may be called by any thread at once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ascendc/impl/reg_machine.h"

namespace ascendc::registers {

constexpr std::size_t kRegister = 256;  // bytes
constexpr std::size_t kMask = 32;

/// The parts of the control register that the computations depend on.
struct Control {
  bool saturates = true;            // results in half and bfloat16
  bool saturates_integers = false;  // sums and products of integers
  bool casts_global = true;         // conversions ignore the mode of the instruction:
  bool cast_saturates = true;       //   to floating types
  bool cast_saturates_integers = true;
};
Control control_of(std::uint64_t register_value) noexcept;

/// A lane of a mask with `stride` bits a lane.
inline bool lane(const std::uint64_t* mask, std::size_t i, std::size_t stride) {
  const std::size_t bit = i * stride;
  return (mask[bit / 64] >> bit % 64 & 1U) != 0;
}
/// Whether all lanes are on.
bool is_full(const std::uint64_t* mask, std::size_t stride);
/// Copies the lanes of `from` that the mask selects; the others become 0 unless they are kept.
void blend(void* to, const void* from, const std::uint64_t* mask, std::size_t bytes,
           std::size_t lanes, bool keeps);

void lanes(const aclsimRegForm& form, void* dst, const void* src0, const void* src1,
           const std::uint64_t* mask, std::uint64_t scalar, const Control& control);
void compare(const aclsimRegForm& form, std::uint64_t* dst, const void* src0, const void* src1,
             const std::uint64_t* mask, std::uint64_t scalar);
void cast(const aclsimRegForm& form, void* dst, const void* src, const std::uint64_t* mask,
          const Control& control);
void reduce(const aclsimRegForm& form, void* dst, const void* src, const std::uint64_t* mask,
            const Control& control);
void carry(const aclsimRegForm& form, std::uint64_t* carry, void* dst, const void* src0,
           const void* src1, const std::uint64_t* carried, const std::uint64_t* mask);

/// Returns the number of lanes that a squeeze has kept.
std::size_t order(const aclsimRegForm& form, void* dst0, void* dst1, const void* src0,
                  const void* src1, const std::uint64_t* mask, std::uint64_t scalar);

void order_mask(const aclsimRegForm& form, std::uint64_t* dst0, std::uint64_t* dst1,
                const std::uint64_t* src0, const std::uint64_t* src1);
/// A mask for elements of `bytes` bytes from one bit for each lane, with all bits of a lane equal.
void mask_from_bits(std::uint64_t* dst, const void* bits, std::size_t bytes);
/// The contrary: returns the number of bytes.
std::size_t bits_from_mask(void* bits, const std::uint64_t* mask, std::size_t bytes);

/// The bytes that a load or a store moves. Loads move `bytes` from their address.
struct Layout {
  std::size_t bytes;  // of the unified buffer
  std::size_t alignment;
};
Layout layout_of_load(unsigned dist, std::size_t element_bytes, bool twice);
void load(unsigned dist, std::size_t element_bytes, bool twice, void* dst0, void* dst1,
          const std::uint8_t* from);

/// A store: each selected lane of `lane_bytes` bytes writes its low `kept` bytes, densely.
struct StoreForm {
  std::size_t lane_bytes;
  std::size_t kept;
  std::size_t lanes;
  std::size_t alignment;
  bool first;        // the first element only, without a mask
  bool interleaves;  // two registers, without a mask
};
StoreForm form_of_store(unsigned dist, std::size_t element_bytes, bool twice);
/// The range of lanes that are on, [first, last).
struct LaneRange {
  std::size_t first;
  std::size_t last;
};
LaneRange range_of(const std::uint64_t* mask, std::size_t stride, std::size_t lanes);
void store(const StoreForm& form, std::uint8_t* to, const void* src0, const void* src1,
           const std::uint64_t* mask);

}  // namespace ascendc::registers
