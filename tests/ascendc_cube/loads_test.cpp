// SPDX-License-Identifier: Apache-2.0
// Loads into L0A and L0B, against the place of each element in the documented formats.
#include "runtime/ascendc/cube/loads.h"

#include <cstring>
#include <optional>
#include <vector>

#include "tests/ascendc_cube/matrices.h"
#include "tests/support/catch.h"

namespace {

using namespace ascendc;
using cube_test::nz;
using cube_test::up;

constexpr std::byte kSentinel{0x5a};

/// Runs a load. The bytes that it changes must be the bytes that it reports as written.
template <class Load>
std::vector<std::byte> run(const Load& load, const std::vector<std::byte>& from,
                           std::size_t bytes) {
  std::vector<std::byte> to(bytes, kSentinel), again(bytes, std::byte{0xa5});
  cube::execute(load, to.data(), from.data());
  cube::execute(load, again.data(), from.data());
  std::vector<cube::Touch> touches;
  cube::Touches collected(touches);
  cube::touched(load, 0, 0, collected);
  std::vector<bool> said(bytes);
  for (const cube::Touch& touch : touches) {
    if (!touch.write) continue;
    for (std::uint64_t i = 0; i < touch.bytes; ++i) said.at(touch.begin + i) = true;
  }
  for (std::size_t i = 0; i < bytes; ++i) {
    const bool written = to[i] == again[i];
    if (written != said[i]) FAIL("byte " << i << " is written: " << written);
  }
  return to;
}

template <class T>
T element(const std::vector<std::byte>& bytes, std::size_t index) {
  T value{};
  REQUIRE((index + 1) * sizeof value <= bytes.size());
  std::memcpy(&value, bytes.data() + index * sizeof value, sizeof value);
  return value;
}

/// Numbers 1, 2 ... of a matrix in columns of fractals.
template <class T>
std::vector<std::byte> numbered(uint32_t rows, uint32_t cols) {
  constexpr uint32_t kWide = 32 / sizeof(T);
  std::vector<std::byte> made(std::size_t{up(rows, 32)} * up(cols, 32) * sizeof(T));
  for (uint32_t row = 0; row < rows; ++row) {
    for (uint32_t col = 0; col < cols; ++col) {
      const T value = static_cast<T>(row * cols + col + 1);
      std::memcpy(made.data() + nz(row, col, rows, kWide) * sizeof(T), &value, sizeof value);
    }
  }
  return made;
}

/// One square with fractals behind each other on both sides.
aclsimSquares one_square(uint32_t bits) {
  aclsimSquares load{};
  load.size = sizeof load;
  load.bits = bits;
  load.called = "test";
  load.count[0] = load.count[1] = 1;
  load.from_next = load.to_next = 512;
  return load;
}

/// The place of an element of a square: fractals of 16 rows below each other, or beside each other.
std::size_t in_square(uint32_t row, uint32_t col, uint32_t side, uint32_t wide) {
  if (wide >= 16) return (row / 16) * 16 * wide + (row % 16) * wide + col;
  return nz(row, col, side, wide);
}

template <class T>
void check_square() {
  constexpr uint32_t kWide = 32 / sizeof(T), kSide = kWide < 16 ? 16 : kWide;
  std::vector<std::byte> from(kSide * kSide * sizeof(T));
  for (uint32_t i = 0; i < kSide * kSide; ++i) {
    const T value = static_cast<T>(i * 7 + 3);
    std::memcpy(from.data() + i * sizeof(T), &value, sizeof value);
  }
  const auto to = run(one_square(sizeof(T) * 8), from, from.size());
  for (uint32_t row = 0; row < kSide; ++row) {
    for (uint32_t col = 0; col < kSide; ++col) {
      if (element<T>(to, in_square(col, row, kSide, kWide)) !=
          element<T>(from, in_square(row, col, kSide, kWide))) {
        FAIL("element " << row << ", " << col);
      }
    }
  }
}

TEST_CASE("a load with a transposition exchanges rows and columns of each square of fractals") {
  check_square<std::uint8_t>();
  check_square<std::uint16_t>();
  check_square<std::uint32_t>();
}

TEST_CASE("a load with a transposition exchanges rows and columns of 64 x 64 halves of bytes") {
  std::vector<std::byte> from(64 * 32);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 31 + i / 7);
  const auto half = [](const std::vector<std::byte>& bytes, uint32_t row, uint32_t col) {
    const std::size_t at = in_square(row, col, 64, 64);
    return static_cast<unsigned>(bytes[at / 2]) >> (at % 2 * 4) & 0xfU;
  };
  const auto to = run(one_square(4), from, from.size());
  for (uint32_t row = 0; row < 64; ++row) {
    for (uint32_t col = 0; col < 64; ++col) {
      if (half(to, col, row) != half(from, row, col)) FAIL("element " << row << ", " << col);
    }
  }
}

TEST_CASE("loops of a load with a transposition step over fractals on both sides") {
  aclsimSquares load = one_square(16);
  load.count[0] = 2;
  load.count[1] = 3;
  load.from_step[0] = 512 * 3;
  load.from_step[1] = 512;
  load.to_step[0] = 512;
  load.to_step[1] = 512 * 4;
  const auto from = numbered<std::uint16_t>(96, 16);
  const auto to = run(load, from, 512 * 12);
  for (uint32_t i = 0; i < 2; ++i) {
    for (uint32_t j = 0; j < 3; ++j) {
      for (uint32_t k = 0; k < 256; ++k) {
        CHECK(element<std::uint16_t>(to, (i + 4 * j) * 256 + k % 16 * 16 + k / 16) ==
              element<std::uint16_t>(from, (3 * i + j) * 256 + k));
      }
    }
  }
}

/// A feature map with numbered elements, as NC1HWC0 with packed last channels.
template <class T>
struct FeatureMap {
  uint32_t channels, height, width;
  T at(uint32_t channel, uint32_t y, uint32_t x) const {
    return static_cast<T>((channel * height + y) * width + x + 1);
  }
  std::vector<std::byte> bytes() const {
    constexpr uint32_t kBlock = 32 / sizeof(T);
    std::vector<std::byte> made(std::size_t{up(channels, kBlock)} * height * width * sizeof(T));
    for (uint32_t c = 0; c < channels; ++c) {
      const uint32_t first = c / kBlock * kBlock;
      const uint32_t block = std::min(kBlock, channels - first);
      for (uint32_t y = 0; y < height; ++y) {
        for (uint32_t x = 0; x < width; ++x) {
          const T value = at(c, y, x);
          const std::size_t index =
              std::size_t{first} * height * width + (y * width + x) * block + c % kBlock;
          std::memcpy(made.data() + index * sizeof(T), &value, sizeof value);
        }
      }
    }
    return made;
  }
};

struct Convolution {
  uint32_t filter_height, filter_width, stride_height, stride_width, dilation_height,
      dilation_width, left, right, top, bottom;
};

template <class T>
aclsimImage image(const FeatureMap<T>& map, const Convolution& of) {
  aclsimImage load{};
  load.size = sizeof load;
  load.bits = sizeof(T) * 8;
  load.called = "test";
  load.height = map.height;
  load.width = map.width;
  load.pad[0] = of.left;
  load.pad[1] = of.right;
  load.pad[2] = of.top;
  load.pad[3] = of.bottom;
  load.channels = map.channels;
  load.filter_height = of.filter_height;
  load.filter_width = of.filter_width;
  load.stride_height = of.stride_height;
  load.stride_width = of.stride_width;
  load.dilation_height = of.dilation_height;
  load.dilation_width = of.dilation_width;
  load.pad_value = 77;
  return load;
}

/// Element (row, col) of the matrix that a feature map becomes.
template <class T>
T expanded(const FeatureMap<T>& map, const Convolution& of, uint32_t row, uint32_t col) {
  constexpr uint32_t kBlock = 32 / sizeof(T);
  const uint32_t points = of.filter_height * of.filter_width;
  uint32_t channel = 0, point = 0, left = col;
  for (uint32_t first = 0; first < map.channels; first += kBlock) {
    const uint32_t block = std::min(kBlock, map.channels - first);
    if (left < block * points) {
      point = left / block;
      channel = first + left % block;
      break;
    }
    left -= block * points;
  }
  const uint32_t across =
      (map.width + of.left + of.right - of.dilation_width * (of.filter_width - 1) - 1) /
          of.stride_width +
      1;
  const int y = static_cast<int>(row / across * of.stride_height +
                                 point / of.filter_width * of.dilation_height) -
                static_cast<int>(of.top);
  const int x = static_cast<int>(row % across * of.stride_width +
                                 point % of.filter_width * of.dilation_width) -
                static_cast<int>(of.left);
  if (y < 0 || x < 0 || y >= static_cast<int>(map.height) || x >= static_cast<int>(map.width)) {
    return 77;
  }
  return map.at(channel, static_cast<uint32_t>(y), static_cast<uint32_t>(x));
}

constexpr Convolution kConvolutions[] = {{1, 1, 1, 1, 1, 1, 0, 0, 0, 0},
                                         {3, 3, 1, 1, 1, 1, 1, 1, 1, 1},
                                         {2, 3, 2, 1, 1, 2, 0, 2, 1, 0},
                                         {3, 1, 1, 3, 2, 1, 2, 0, 0, 1}};

/// The place of an element of the part in L0.
enum class Order { bands, columns, bands_turned, columns_turned, l0b };

template <class T>
std::size_t place_of(Order order, uint32_t row, uint32_t col, uint32_t rows, uint32_t cols) {
  constexpr uint32_t kWide = 32 / sizeof(T);
  switch (order) {
    case Order::bands:
      return cube_test::zz(row, col, cols, kWide);
    case Order::columns:
      return nz(row, col, rows, kWide);
    case Order::bands_turned:  // rows are filled up to 16
      return cube_test::zz(col, row, up(rows, 16), kWide);
    case Order::columns_turned:
      return nz(col, row, cols, kWide);
    default:  // the rows are the depth of the product
      return cube_test::zn(row, col, cols, kWide);
  }
}

template <class T>
void check_images(Order order) {
  for (const Convolution& of : kConvolutions) {
    for (const uint32_t channels : {32U / sizeof(T), 64U / sizeof(T) + 4U}) {
      const FeatureMap<T> map{channels, 7, 6};
      aclsimImage load = image(map, of);
      load.rows = static_cast<uint32_t>(cube::rows_of(load));
      load.cols = static_cast<uint32_t>(cube::cols_of(load));
      load.bands = order == Order::bands || order == Order::bands_turned;
      load.transposed = order == Order::bands_turned || order == Order::columns_turned;
      load.to_l0b = order == Order::l0b;
      REQUIRE(cube::check(load) == std::nullopt);
      const auto to =
          run(load, map.bytes(),
              std::size_t{up(load.rows, 32) + 32} * (up(load.cols, 32) + 32) * sizeof(T));
      for (uint32_t row = 0; row < load.rows; ++row) {
        for (uint32_t col = 0; col < load.cols; ++col) {
          const std::size_t at = place_of<T>(order, row, col, load.rows, load.cols);
          if (element<T>(to, at) != expanded(map, of, row, col)) {
            FAIL("element " << row << ", " << col << " of " << load.rows << " x " << load.cols);
          }
        }
      }
    }
  }
}

TEST_CASE("a feature map becomes the matrix of its windows in each order of L0A and L0B") {
  for (const Order order : {Order::bands, Order::columns}) {
    check_images<std::uint8_t>(order);
    check_images<std::uint16_t>(order);
    check_images<std::uint32_t>(order);
  }
  for (const Order order : {Order::bands_turned, Order::columns_turned, Order::l0b}) {
    check_images<std::uint16_t>(order);
    check_images<std::uint32_t>(order);
  }
}

TEST_CASE("a part of the matrix of a feature map begins anywhere") {
  const FeatureMap<std::uint16_t> map{16, 5, 8};
  const Convolution& of = kConvolutions[1];
  aclsimImage load = image(map, of);
  load.first_row = 9;
  load.first_col = 32;
  load.rows = 20;
  load.cols = 40;
  load.bands = 1;
  const auto to = run(load, map.bytes(), 8192);
  for (uint32_t row = 0; row < load.rows; ++row) {
    for (uint32_t col = 0; col < load.cols; ++col) {
      CHECK(element<std::uint16_t>(to, cube_test::zz(row, col, load.cols, 16)) ==
            expanded(map, of, row + 9, col + 32));
    }
  }
}

TEST_CASE("behind its boundary a feature map begins again at the start of L1") {
  const FeatureMap<std::uint16_t> map{16, 1, 64};
  aclsimImage load = image(map, kConvolutions[0]);
  load.rows = 64;
  load.cols = 16;
  load.boundary = 1024;
  const auto to = run(load, map.bytes(), 2048);
  for (uint32_t row = 0; row < 64; ++row) {
    CHECK(element<std::uint16_t>(to, row * 16) == map.at(0, 0, row % 32));
  }
}

TEST_CASE("arguments of a feature map that fit nothing are errors that name them") {
  const FeatureMap<std::uint16_t> map{16, 4, 4};
  const auto wrong = [&](auto&& change) {
    aclsimImage load = image(map, kConvolutions[0]);
    load.rows = load.cols = 16;
    change(load);
    return cube::check(load).value_or("");
  };
  CHECK(wrong([](aclsimImage& load) { load.stride_width = 64; }) ==
        "strideW is 64; expected 1 to 63");
  CHECK(wrong([](aclsimImage& load) { load.channels = 17; }) ==
        "channelSize is 17; expected a multiple of 16, or 4, 8 or 16 more");
  CHECK(wrong([](aclsimImage& load) { load.filter_height = 5; }) ==
        "the filter is larger than the feature map with its padding");
  CHECK(wrong([](aclsimImage& load) { load.first_col = 8; }) ==
        "kStartPt is 8; expected a multiple of 16");
  CHECK(wrong([](aclsimImage& load) { load.first_row = 16; }) ==
        "mStartPt is 16; expected 0 to 15");
}

TEST_CASE("columns of global memory become rows of blocks with zeros behind them") {
  aclsimColumns load{};
  load.size = sizeof load;
  load.bytes = 2;
  load.called = "test";
  load.matrices = 2;
  load.rows = 5;
  load.cols = 23;
  load.from_matrix = 2 * 400;
  load.from_col = 2 * 16;
  load.to_matrix = 2 * 1024;
  load.to_row = 64;
  load.to_block = 32 * 20;
  std::vector<std::byte> from(2 * 800);
  for (std::uint16_t i = 0; i < 800; ++i) std::memcpy(from.data() + i * 2, &i, 2);
  const auto to = run(load, from, 4096);
  for (uint32_t matrix = 0; matrix < 2; ++matrix) {
    for (uint32_t row = 0; row < 5; ++row) {
      for (uint32_t col = 0; col < 32; ++col) {
        const std::size_t at = matrix * 1024 + row * 32 + col / 16 * 320 + col % 16;
        CHECK(element<std::uint16_t>(to, at) == (col < 23 ? matrix * 400 + col * 16 + row : 0));
      }
    }
  }
}

}  // namespace
