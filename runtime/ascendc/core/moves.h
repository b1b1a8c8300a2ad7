// SPDX-License-Identifier: Apache-2.0
// Copies between memories: what they touch and do, as rows of bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ascendc/impl/instruction.h"
#include "ascendc/impl/opcodes.h"

namespace ascendc {

enum class Atomic : std::uint8_t { none, add, max, min };

/// Bytes of one row of a move.
struct RowCopy {
  std::uintptr_t to;
  std::uintptr_t from;  // 0: all bytes are padding
  std::uint32_t bytes;
};

/// The rows of a move, in order. Rows that are adjacent on both sides are merged if nothing is
/// padded.
void rows_of(const aclsimMove& move, std::uintptr_t to, std::uintptr_t from,
             std::vector<RowCopy>& rows);

/// The rows of a copy of several axes.
void rows_of(const aclsimAxes& axes, std::uintptr_t to, std::uintptr_t from,
             std::vector<RowCopy>& rows);

/// Copies a row and pads it. An atomic one combines elements instead.
void copy_row(const aclsimMove& move, const RowCopy& row, Atomic atomic, std::uint8_t element);
/// The same with stores that bypass the caches, for rows that are not read soon. Other threads see
/// the bytes once settle_streams has returned.
void stream_row(const aclsimMove& move, const RowCopy& row);
void settle_streams();

/// Bytes of the destination that the row fills, its padding included.
struct Span {
  std::uintptr_t begin;
  std::uint64_t bytes;
};
Span destination_of(const aclsimMove& move, const RowCopy& row) noexcept;

}  // namespace ascendc
