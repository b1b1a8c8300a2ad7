// SPDX-License-Identifier: Apache-2.0
// The matrix that a feature map becomes by image to column.
#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "runtime/ascendc/cube/loads.h"

namespace ascendc::cube {
namespace {

constexpr std::uint32_t kFractal = ACLSIM_FRACTAL_BYTES;
constexpr std::uint32_t kHigh = ACLSIM_FRACTAL_ROWS;
constexpr std::uint32_t kWide = kFractal / kHigh;
constexpr std::uint64_t kPadding = ~std::uint64_t{0};

std::uint64_t places(std::uint32_t size, std::uint32_t before, std::uint32_t after,
                     std::uint32_t filter, std::uint32_t dilation, std::uint32_t stride) {
  const std::uint64_t whole = std::uint64_t{size} + before + after;
  const std::uint64_t reach = std::uint64_t{dilation} * (filter - 1) + 1;
  return whole < reach ? 0 : (whole - reach) / stride + 1;
}
std::uint64_t across(const aclsimImage& load) {
  return places(load.width, load.pad[0], load.pad[1], load.filter_width, load.dilation_width,
                load.stride_width);
}
std::uint64_t down(const aclsimImage& load) {
  return places(load.height, load.pad[2], load.pad[3], load.filter_height, load.dilation_height,
                load.stride_height);
}

/// The elements of the matrix, by the bits of the source.
class Image {
 public:
  explicit Image(const aclsimImage& load)
      : load_(load),
        in_block_(kWide * 8 / load.bits),
        points_(load.filter_height * load.filter_width),
        whole_(load.channels / in_block_ * in_block_),
        across_(across(load)) {}

  std::uint32_t in_block() const { return in_block_; }
  /// Elements, from the start of the feature map; kPadding: the element is padding. `run`: how many
  /// elements of the row from here on follow each other in the feature map.
  std::uint64_t place(std::uint64_t row, std::uint64_t col, std::uint32_t& run) const {
    // The channels beyond whole blocks are packed.
    const std::uint64_t inner = std::uint64_t{whole_} * points_;
    const bool tail = col >= inner;
    const std::uint64_t block = tail ? load_.channels - whole_ : in_block_;
    const std::uint64_t left = tail ? col - inner : col;
    const std::uint64_t plane = tail ? whole_ / in_block_ : left / (block * points_);
    const std::uint64_t point = left / block % points_;
    const std::uint64_t channel = left % block;
    run = static_cast<std::uint32_t>(block - channel);
    const std::int64_t y =
        static_cast<std::int64_t>(row / across_ * load_.stride_height +
                                  point / load_.filter_width * load_.dilation_height) -
        load_.pad[2];
    const std::int64_t x =
        static_cast<std::int64_t>(row % across_ * load_.stride_width +
                                  point % load_.filter_width * load_.dilation_width) -
        load_.pad[0];
    if (y < 0 || x < 0 || y >= load_.height || x >= load_.width) return kPadding;
    const std::uint64_t pixels = std::uint64_t{load_.height} * load_.width;
    const std::uint64_t pixel =
        static_cast<std::uint64_t>(y) * load_.width + static_cast<std::uint64_t>(x);
    return plane * pixels * in_block_ + pixel * block + channel;
  }

 private:
  const aclsimImage& load_;
  std::uint32_t in_block_;
  std::uint32_t points_;
  std::uint32_t whole_;
  std::uint64_t across_;
};

std::uint64_t up(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// The place of each element of the part, in elements.
class Target {
 public:
  explicit Target(const aclsimImage& load)
      : load_(load), in_block_(kWide * 8 / load.bits), turned_(load.transposed || load.to_l0b) {
    rows_ = turned_ ? load.cols : load.rows;
    cols_ = turned_ ? load.rows : load.cols;
  }

  bool turned() const { return turned_; }
  std::uint64_t place(std::uint64_t row, std::uint64_t col) const {
    if (turned_) std::swap(row, col);
    const std::uint64_t block = col / in_block_, within = col % in_block_;
    // In L0A of 2201, a row of fractals; when the matrix is transposed, it is filled up to 16.
    if (load_.bands && !load_.to_l0b) {
      const std::uint64_t blocks = up(cols_, turned_ ? kHigh : in_block_) / in_block_;
      return (row / kHigh * blocks + block) * kHigh * in_block_ + row % kHigh * in_block_ + within;
    }
    const std::uint64_t high =
        load_.dst_stride != 0 ? std::uint64_t{load_.dst_stride} * kHigh : up(rows_, kHigh);
    return (block * high + row) * in_block_ + within;
  }

 private:
  const aclsimImage& load_;
  std::uint32_t in_block_;
  bool turned_;
  std::uint64_t rows_;
  std::uint64_t cols_;
};

std::uint64_t rows_in(const aclsimImage& load) {
  return std::min<std::uint64_t>(load.rows, rows_of(load) - load.first_row);
}
std::uint64_t cols_in(const aclsimImage& load) {
  return std::min<std::uint64_t>(load.cols, cols_of(load) - load.first_col);
}

/// Calls f(element of the source or kPadding, element of the destination, number of elements): runs
/// that are contiguous on both sides.
template <typename F>
void each_run(const aclsimImage& load, F&& f) {
  const Image image(load);
  const Target target(load);
  const std::uint64_t rows = rows_in(load), cols = cols_in(load);
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (std::uint64_t col = 0; col < cols;) {
      std::uint32_t run = 0;
      const std::uint64_t from = image.place(load.first_row + row, load.first_col + col, run);
      run = static_cast<std::uint32_t>(std::min<std::uint64_t>(run, cols - col));
      const std::uint64_t in_block = image.in_block() - col % image.in_block();
      run = static_cast<std::uint32_t>(std::min<std::uint64_t>(run, in_block));
      if (target.turned()) {
        for (std::uint32_t i = 0; i < run; ++i) {
          f(from == kPadding ? kPadding : from + i, target.place(row, col + i), 1U);
        }
      } else {
        f(from, target.place(row, col), run);
      }
      col += run;
    }
  }
}

std::uint64_t bytes_of(const aclsimImage& load, std::uint64_t elements) {
  return elements * load.bits / 8;
}

/// Bytes from the operand's address on, which may be negative behind a boundary.
std::uint64_t place_in_l1(const aclsimImage& load, std::uint64_t element) {
  const std::uint64_t at = bytes_of(load, element);
  return load.boundary == 0 ? at : (load.offset + at) % load.boundary - load.offset;
}

}  // namespace

std::uint64_t rows_of(const aclsimImage& load) noexcept { return across(load) * down(load); }
std::uint64_t cols_of(const aclsimImage& load) noexcept {
  return std::uint64_t{load.channels} * load.filter_height * load.filter_width;
}

std::optional<std::string> check(const aclsimImage& load) {
  if (load.bits < 8 && (load.transposed || load.to_l0b)) {
    return "elements of 4 bits cannot be transposed";
  }
  const auto within = [](const char* name, std::uint64_t value, std::uint64_t least,
                         std::uint64_t most) -> std::optional<std::string> {
    if (value >= least && value <= most) return {};
    return fmt::format("{} is {}; expected {} to {}", name, value, least, most);
  };
  if (auto wrong = within("l1H", load.height, 1, 32767)) return wrong;
  if (auto wrong = within("l1W", load.width, 1, 32767)) return wrong;
  if (auto wrong = within("strideW", load.stride_width, 1, 63)) return wrong;
  if (auto wrong = within("strideH", load.stride_height, 1, 63)) return wrong;
  if (auto wrong = within("dilationFilterW", load.dilation_width, 1, 255)) return wrong;
  if (auto wrong = within("dilationFilterH", load.dilation_height, 1, 255)) return wrong;
  const std::uint32_t in_block = kWide * 8 / load.bits, rest = load.channels % in_block;
  if (rest != 0 && rest != 4 && rest != 8 && rest != 16) {
    return fmt::format("channelSize is {}; expected a multiple of {}, or 4, 8 or 16 more",
                       load.channels, in_block);
  }
  const std::uint64_t rows = rows_of(load), cols = cols_of(load);
  if (rows == 0) return "the filter is larger than the feature map with its padding";
  if (auto wrong = within("mStartPt", load.first_row, 0, rows - 1)) return wrong;
  if (auto wrong = within("kStartPt", load.first_col, 0, cols - 1)) return wrong;
  if (load.first_col % in_block != 0) {
    return fmt::format("kStartPt is {}; expected a multiple of {}", load.first_col, in_block);
  }
  return {};
}

void touched(const aclsimImage& load, std::uintptr_t to, std::uintptr_t from, Touches& touches) {
  each_run(load, [&](std::uint64_t source, std::uint64_t, std::uint32_t run) {
    if (source != kPadding)
      touches.add(1, false, from + place_in_l1(load, source), bytes_of(load, run));
  });
  const Target target(load);
  const std::uint64_t rows = rows_in(load), cols = cols_in(load);
  const auto add = [&](std::uint64_t row, std::uint64_t col, std::uint64_t run) {
    touches.add(0, true, to + bytes_of(load, target.place(row, col)), bytes_of(load, run), true);
  };
  // The inner loop follows the order in which L0 stores the elements.
  const std::uint64_t step = kWide * 8 / load.bits;
  if (target.turned()) {
    for (std::uint64_t row = 0; row < rows; row += step) {
      for (std::uint64_t col = 0; col < cols; ++col) add(row, col, std::min(step, rows - row));
    }
    return;
  }
  for (std::uint64_t col = 0; col < cols; col += step) {
    for (std::uint64_t row = 0; row < rows; ++row) add(row, col, std::min(step, cols - col));
  }
}

void execute(const aclsimImage& load, std::byte* to, const std::byte* from) {
  // Runs of elements of 4 bits have an even number of them.
  const std::size_t width = std::max(load.bits / 8, 1U);
  std::uint64_t value = load.pad_value;
  if (load.bits == 4) value = (value & 0xf) | (value & 0xf) << 4;
  each_run(load, [&](std::uint64_t source, std::uint64_t target, std::uint32_t run) {
    std::byte* const at = to + bytes_of(load, target);
    const std::uint64_t bytes = bytes_of(load, run);
    if (source != kPadding) {
      std::memcpy(at, from + static_cast<std::ptrdiff_t>(place_in_l1(load, source)), bytes);
      return;
    }
    for (std::uint64_t i = 0; i < bytes; i += width) std::memcpy(at + i, &value, width);
  });
}

}  // namespace ascendc::cube
