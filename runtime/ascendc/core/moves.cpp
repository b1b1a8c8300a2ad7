// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/core/moves.h"

#include <algorithm>
#include <cstring>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "ascendc/impl/half.h"

#include "device_sim/base/mutex.h"

namespace ascendc {
namespace {

template <class T, class Wide>
void combine(std::byte* to, const std::byte* from, std::uint32_t bytes, Atomic how) {
  for (std::uint32_t i = 0; i + sizeof(T) <= bytes; i += sizeof(T)) {
    T old;
    T value;
    std::memcpy(&old, to + i, sizeof old);
    std::memcpy(&value, from + i, sizeof value);
    const auto a = static_cast<Wide>(old);
    const auto b = static_cast<Wide>(value);
    const Wide result = how == Atomic::add   ? static_cast<Wide>(a + b)
                        : how == Atomic::max ? std::max(a, b)
                                             : std::min(a, b);
    const auto stored = static_cast<T>(result);
    std::memcpy(to + i, &stored, sizeof stored);
  }
}

void combine(std::byte* to, const std::byte* from, std::uint32_t bytes, Atomic how,
             std::uint8_t element) {
  static sim::Mutex mutex;  // cores add to the same bytes
  const sim::LockGuard guard(mutex);
  switch (element) {
    case ACLSIM_INT8:
      return combine<std::int8_t, std::int32_t>(to, from, bytes, how);
    case ACLSIM_INT16:
      return combine<std::int16_t, std::int32_t>(to, from, bytes, how);
    case ACLSIM_INT32:
      return combine<std::int32_t, std::int64_t>(to, from, bytes, how);
    case ACLSIM_UINT32:
      return combine<std::uint32_t, std::uint64_t>(to, from, bytes, how);
    case ACLSIM_HALF:
      return combine<half, float>(to, from, bytes, how);
    case ACLSIM_BFLOAT16:
      return combine<bfloat16_t, float>(to, from, bytes, how);
    default:
      return combine<float, float>(to, from, bytes, how);
  }
}

void fill(std::byte* to, std::uint32_t bytes, const std::byte* value, std::uint32_t width) {
  for (std::uint32_t i = 0; i < bytes; ++i) to[i] = value[i % width];
}

void pad_row(const aclsimMove& move, const RowCopy& row) {
  if (move.pad_bytes == 0) return;
  auto* const to = reinterpret_cast<std::byte*>(row.to);
  const auto* const from = reinterpret_cast<const std::byte*>(row.from);
  const Span whole = destination_of(move, row);
  std::byte value[8];
  std::memcpy(value, &move.pad_value, sizeof value);
  if (move.pad_with_first != 0)
    std::memcpy(value, from, std::min<std::uint32_t>(move.pad_bytes, 8));
  fill(to, move.left, value, move.pad_bytes);
  const std::uint32_t end = move.left + row.bytes;
  fill(to + end, static_cast<std::uint32_t>(whole.bytes) - end, value, move.pad_bytes);
}

#if defined(__SSE2__)
bool has_avx() {
  static const bool has = __builtin_cpu_supports("avx");
  return has;
}

#define WIDE __attribute__((target("avx")))
using Wide = __m256i;

WIDE inline void copy_line(std::byte* to, const std::byte* from) {
  _mm256_storeu_si256(reinterpret_cast<Wide*>(to),
                      _mm256_loadu_si256(reinterpret_cast<const Wide*>(from)));
  _mm256_storeu_si256(reinterpret_cast<Wide*>(to) + 1,
                      _mm256_loadu_si256(reinterpret_cast<const Wide*>(from) + 1));
}

constexpr std::size_t kLine = 64, kPlace = 4096, kPlaces = 4;

/// Copies whole pieces of four pages, line by line of each in turn: the processor fetches ahead
/// within a page only, so it then does in four. How many bytes that were.
[[maybe_unused]] WIDE std::size_t copy_pages(std::byte* to, const std::byte* from,
                                             std::size_t bytes) {
  constexpr std::size_t kPiece = kPlaces * kPlace;
  std::size_t done = 0;
  for (; bytes - done >= kPiece; done += kPiece) {
    for (std::size_t at = done; at < done + kPlace; at += kLine) {
      for (std::size_t place = 0; place < kPiece; place += kPlace)
        copy_line(to + at + place, from + at + place);
    }
  }
  return done;
}

/// `to` is a multiple of 32. Returns the number of bytes that were written.
WIDE std::size_t stream_wide(std::byte* to, const std::byte* from, std::size_t bytes) {
  std::size_t done = 0;
  for (; bytes - done >= sizeof(Wide); done += sizeof(Wide)) {
    _mm256_stream_si256(reinterpret_cast<Wide*>(to + done),
                        _mm256_loadu_si256(reinterpret_cast<const Wide*>(from + done)));
  }
  return done;
}
#endif

/// The bytes may overlap.
void copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  std::size_t done = 0;
#if defined(__SSE2__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const bool apart = to + bytes <= from || from + bytes <= to;
  if (bytes >= kPlaces * kPlace && apart && has_avx()) done = copy_pages(to, from, bytes);
#endif
  std::memmove(to + done, from + done, bytes - done);
}

}  // namespace

void rows_of(const aclsimMove& move, std::uintptr_t to, std::uintptr_t from,
             std::vector<RowCopy>& rows) {
  rows.clear();
  if (move.loops == 1 && move.count[0] == 1) {  // most have one
    const RowCopy one{to, from, move.tail != 0 ? move.tail : move.row};
    if (one.bytes != 0) rows.push_back(one);
    return;
  }
  const bool plain = move.padded == 0 && move.left == 0;
  std::uint32_t at[ACLSIM_MOVE_LOOPS] = {};
  for (std::uint32_t i = 0; i < move.loops; ++i) {
    if (move.count[i] == 0) return;
  }
  for (;;) {
    RowCopy row{to, from, move.row};
    for (std::uint32_t i = 0; i < move.loops; ++i) {
      row.to += static_cast<std::uintptr_t>(move.to_step[i]) * at[i];
      row.from += static_cast<std::uintptr_t>(move.from_step[i]) * at[i];
    }
    const std::uint32_t inner = move.loops - 1;
    if (move.tail != 0 && move.loops != 0 && at[inner] + 1 == move.count[inner])
      row.bytes = move.tail;
    RowCopy* const last = rows.empty() ? nullptr : &rows.back();
    if (plain && last && last->to + last->bytes == row.to && last->from + last->bytes == row.from &&
        last->bytes < (1U << 30)) {
      last->bytes += row.bytes;
    } else if (row.bytes != 0) {
      rows.push_back(row);
    }
    std::uint32_t loop = move.loops;
    while (loop > 0 && ++at[loop - 1] == move.count[loop - 1]) at[--loop] = 0;
    if (loop == 0) return;
  }
}

namespace {

struct AxisRows {
  const aclsimAxes& axes;
  std::vector<RowCopy>& rows;

  void add(RowCopy row) const {
    RowCopy* const last = rows.empty() ? nullptr : &rows.back();
    const bool both_pad = last != nullptr && last->from == 0 && row.from == 0;
    const bool behind = last != nullptr && last->from != 0 && last->from + last->bytes == row.from;
    if (last != nullptr && last->to + last->bytes == row.to && (both_pad || behind) &&
        last->bytes < (1U << 30)) {
      last->bytes += row.bytes;
    } else {
      rows.push_back(row);
    }
  }
  /// `depth`: how many axes are left; `from` 0: padding.
  void walk(std::uint32_t depth, std::uintptr_t to, std::uintptr_t from) const {
    if (depth == 0) return add({to, from, axes.width});
    const aclsimAxis& axis = axes.axis[depth - 1];
    const std::uint64_t end = std::uint64_t{axis.before} + axis.count;
    for (std::uint64_t i = 0; i < end + axis.behind; ++i) {
      const bool pads = i < axis.before || i >= end;
      const std::uint64_t nearest =
          i < axis.before ? 0 : std::min<std::uint64_t>(i - axis.before, axis.count - 1);
      const bool constant = from == 0 || (pads && axes.nearest == 0);
      walk(depth - 1, to + i * axis.to_step, constant ? 0 : from + nearest * axis.from_step);
    }
  }
};

}  // namespace

void rows_of(const aclsimAxes& axes, std::uintptr_t to, std::uintptr_t from,
             std::vector<RowCopy>& rows) {
  rows.clear();
  for (std::uint32_t i = 0; i < axes.axes; ++i) {
    if (axes.axis[i].count == 0) return;
  }
  AxisRows{axes, rows}.walk(axes.axes, to, from);
}

Span destination_of(const aclsimMove& move, const RowCopy& row) noexcept {
  return {row.to, std::max(move.padded, move.left + row.bytes)};
}

void copy_row(const aclsimMove& move, const RowCopy& row, Atomic atomic, std::uint8_t element) {
  auto* const to = reinterpret_cast<std::byte*>(row.to);
  const auto* const from = reinterpret_cast<const std::byte*>(row.from);
  if (from == nullptr) {
    std::byte value[8];
    std::memcpy(value, &move.pad_value, sizeof value);
    return fill(to, row.bytes, value, move.pad_bytes);
  }
  if (atomic != Atomic::none) return combine(to, from, row.bytes, atomic, element);
  copy(to + move.left, from, row.bytes);
  pad_row(move, row);
}

void stream_row(const aclsimMove& move, const RowCopy& row) {
  auto* to = reinterpret_cast<std::byte*>(row.to) + move.left;
  const auto* from = reinterpret_cast<const std::byte*>(row.from);
  std::size_t left = row.bytes;
#if defined(__SSE2__)
  const std::size_t before =
      std::min<std::size_t>(left, -reinterpret_cast<std::uintptr_t>(to) % 32);
  std::memcpy(to, from, before);
  const std::size_t wide = has_avx() ? stream_wide(to + before, from + before, left - before) : 0;
  const std::size_t done = before + wide;
  for (to += done, from += done, left -= done; left >= 16; to += 16, from += 16, left -= 16) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to),
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
  }
#endif
  std::memcpy(to, from, left);
  pad_row(move, row);
}

void settle_streams() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace ascendc
