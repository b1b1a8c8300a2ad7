// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/loops/copy_rows.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace aclnn {
namespace {

struct Sixteen {
  std::uint64_t low, high;
};

template <class U>
U get(const std::byte* from) noexcept {
  U value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
template <class U>
void put(std::byte* to, U value) noexcept {
  std::memcpy(to, &value, sizeof value);
}

template <class U>
void copy_run(const std::byte* from, std::byte* to, std::int64_t count) noexcept {
  constexpr std::int64_t kFewBytes = 64;  // a call costs more
  const auto bytes = count * static_cast<std::int64_t>(sizeof(U));
  if (bytes >= kFewBytes) {
    if (from != to) std::memcpy(to, from, static_cast<std::size_t>(bytes));
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    put(to + i * static_cast<std::int64_t>(sizeof(U)),
        get<U>(from + i * static_cast<std::int64_t>(sizeof(U))));
  }
}

template <class U>
void fill_run(U value, std::byte* to, std::int64_t step, std::int64_t count) noexcept {
  if (step == sizeof(U)) {
    for (std::int64_t i = 0; i < count; ++i)
      put(to + i * static_cast<std::int64_t>(sizeof(U)), value);
  } else {
    for (std::int64_t i = 0; i < count; ++i) put(to + i * step, value);
  }
}

template <class U>
void strided_run(const std::byte* from, std::int64_t from_step, std::byte* to, std::int64_t to_step,
                 std::int64_t count) noexcept {
  if (to_step == sizeof(U)) {
    for (std::int64_t i = 0; i < count; ++i) {
      put(to + i * static_cast<std::int64_t>(sizeof(U)), get<U>(from + i * from_step));
    }
  } else {
    for (std::int64_t i = 0; i < count; ++i) put(to + i * to_step, get<U>(from + i * from_step));
  }
}

template <class U>
void copy_plane(const std::byte* from, std::byte* to, const Transfer::Plane& p) {
  constexpr std::int64_t kFew = 8;
  if (p.from_step == sizeof(U) && p.to_step == sizeof(U)) {
    for (std::int64_t r = 0; r < p.rows; ++r) {
      copy_run<U>(from + r * p.from_row, to + r * p.to_row, p.count);
    }
  } else if (p.from_step == 0) {
    for (std::int64_t r = 0; r < p.rows; ++r) {
      fill_run<U>(get<U>(from + r * p.from_row), to + r * p.to_row, p.to_step, p.count);
    }
  } else if (p.count < kFew && p.rows > p.count) {  // the long loop is the inner one
    for (std::int64_t i = 0; i < p.count; ++i) {
      strided_run<U>(from + i * p.from_step, p.from_row, to + i * p.to_step, p.to_row, p.rows);
    }
  } else {
    for (std::int64_t r = 0; r < p.rows; ++r) {
      strided_run<U>(from + r * p.from_row, p.from_step, to + r * p.to_row, p.to_step, p.count);
    }
  }
}

/// Elements on the side of a tile: as many that a page that is visited is worth it, and the buffer
/// stays in the first cache.
template <class U>
constexpr std::int64_t kTile = sizeof(U) == 1 ? 128 : 256 / static_cast<std::int64_t>(sizeof(U));

// Vectors of 16 bytes: as many elements of each of as many lines are transposed by shuffling.
template <class U>
struct Line {
  typedef U Lanes __attribute__((vector_size(16)));
  static constexpr std::size_t kCount = 16 / sizeof(U);
  Lanes lanes;
};

template <class U, std::size_t kFirst, std::size_t... I>
Line<U> interleaved(const Line<U>& a, const Line<U>& b, std::index_sequence<I...>) {
  return {__builtin_shufflevector(
      a.lanes, b.lanes, (I % 2 == 0 ? kFirst + I / 2 : Line<U>::kCount + kFirst + I / 2)...)};
}

template <class U>
void transpose_lines(std::array<Line<U>, Line<U>::kCount>& lines) {
  constexpr std::size_t kCount = Line<U>::kCount;
  constexpr auto kIndex = std::make_index_sequence<kCount>{};
  for (std::size_t step = 1; step < kCount; step *= 2) {
    const std::array<Line<U>, kCount> old = lines;
    for (std::size_t i = 0; i < kCount / 2; ++i) {
      lines[2 * i] = interleaved<U, 0>(old[i], old[i + kCount / 2], kIndex);
      lines[2 * i + 1] = interleaved<U, kCount / 2>(old[i], old[i + kCount / 2], kIndex);
    }
  }
}

/// A whole tile, into a buffer of its own.
template <class U>
void transpose_into(const std::byte* from, std::int64_t from_step, U* buffer) {
  constexpr std::int64_t kSide = kTile<U>;
  if constexpr (sizeof(U) == 16) {
    for (std::int64_t c = 0; c < kSide; ++c) {
      for (std::int64_t r = 0; r < kSide; ++r) {
        buffer[r * kSide + c] = get<U>(from + c * from_step + r * 16);
      }
    }
  } else {
    constexpr std::int64_t kCount = Line<U>::kCount;
    std::array<Line<U>, Line<U>::kCount> lines;
    for (std::int64_t c = 0; c < kSide; c += kCount) {
      for (std::int64_t r = 0; r < kSide; r += kCount) {
        for (std::int64_t i = 0; i < kCount; ++i) {
          std::memcpy(&lines[static_cast<std::size_t>(i)],
                      from + (c + i) * from_step + r * static_cast<std::int64_t>(sizeof(U)), 16);
        }
        transpose_lines<U>(lines);
        for (std::int64_t i = 0; i < kCount; ++i) {
          std::memcpy(buffer + (r + i) * kSide + c, &lines[static_cast<std::size_t>(i)], 16);
        }
      }
    }
  }
}

/// Whole lines are read and written one after the other, so lines that exclude each other from the
/// cache (rows a power of two apart) do no harm; between them lies a buffer.
template <class U>
void transpose_tile(const std::byte* from, std::byte* to, std::int64_t rows, std::int64_t columns,
                    const Transfer::Plane& p) {
  constexpr std::int64_t kSize = sizeof(U), kSide = kTile<U>;
  alignas(64) U buffer[kSide * kSide];
  if (rows == kSide && columns == kSide) {
    transpose_into(from, p.from_step, buffer);
  } else {
    for (std::int64_t c = 0; c < columns; ++c) {
      const std::byte* const line = from + c * p.from_step;
      for (std::int64_t r = 0; r < rows; ++r) buffer[r * kSide + c] = get<U>(line + r * kSize);
    }
  }
  for (std::int64_t r = 0; r < rows; ++r) {
    std::memcpy(to + r * p.to_row, buffer + r * kSide, static_cast<std::size_t>(columns * kSize));
  }
}

template <class U>
void transpose_plane(const std::byte* from, std::byte* to, const Transfer::Plane& p) {
  constexpr std::int64_t kSize = sizeof(U), kSide = kTile<U>;
  for (std::int64_t r = 0; r < p.rows; r += kSide) {
    const std::int64_t rows = std::min(kSide, p.rows - r);
    for (std::int64_t c = 0; c < p.count; c += kSide) {
      const std::int64_t columns = std::min(kSide, p.count - c);
      transpose_tile<U>(from + r * kSize + c * p.from_step, to + r * p.to_row + c * kSize, rows,
                        columns, p);
    }
  }
}

template <class U>
void gather_row(const std::byte* from, const std::int64_t* offsets, std::byte* to,
                std::int64_t to_step, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) put(to + i * to_step, get<U>(from + offsets[i]));
}

template <class U>
void scatter_row(const std::byte* from, std::int64_t from_step, std::byte* to,
                 const std::int64_t* offsets, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) put(to + offsets[i], get<U>(from + i * from_step));
}

template <class U>
constexpr RowsOfSize kRows{copy_plane<U>, transpose_plane<U>, kTile<U>, gather_row<U>,
                           scatter_row<U>};

}  // namespace

const RowsOfSize& rows_of_size(std::int64_t bytes) noexcept {
  switch (bytes) {
    case 1:
      return kRows<std::uint8_t>;
    case 2:
      return kRows<std::uint16_t>;
    case 4:
      return kRows<std::uint32_t>;
    case 8:
      return kRows<std::uint64_t>;
    default:
      return kRows<Sixteen>;
  }
}

}  // namespace aclnn
