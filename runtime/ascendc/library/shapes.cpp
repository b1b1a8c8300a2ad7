// SPDX-License-Identifier: Apache-2.0
// Functions that move elements. Elements are moved as integers of their size.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "ascendc/impl/library_sizes_shapes.h"
#include "runtime/ascendc/library/elements.h"
#include "runtime/ascendc/library/plan.h"

namespace ascendc::library {
namespace {

/// Calls f(T()) with an unsigned integer of the size of the elements.
template <typename F>
void with_size(unsigned bytes, F&& f) {
  switch (bytes) {
    case 1:
      return f(std::uint8_t{});
    case 2:
      return f(std::uint16_t{});
    case 4:
      return f(std::uint32_t{});
    default:
      return f(std::uint64_t{});
  }
}

/// The elements of a source, read before a result is written.
template <typename T>
std::vector<T> kept_of(const Call& call, unsigned operand, std::uint64_t number) {
  const T* const from = call.at<T>(operand);
  return {from, from + number};
}

// ---- Broadcast: dst, src, tmp?; numbers: axes, the only axis that may grow or -1, both shapes

struct Growth {
  explicit Growth(const Call& call) : rank(call.count(0)), axis(call.number(1)) {
    for (unsigned i = 0; i < std::min<std::uint64_t>(rank, 9); ++i) {
      to.push_back(call.count(2 + i));
      from.push_back(call.count(2 + static_cast<unsigned>(rank) + i));
      to_size = limited_product({to_size, to[i]});
      from_size = limited_product({from_size, from[i]});
    }
  }
  std::uint64_t rank;
  std::int64_t axis;
  std::vector<std::uint64_t> to, from;  // extents
  std::uint64_t to_size = 1, from_size = 1;
};

void plan_broadcast(const Call& call, Plan& plan) {
  const Growth growth(call);
  plan.require_range("rank", call.number(0), 1, 9);
  plan.require_same_type(0, 1);
  for (std::size_t i = 0; i < growth.to.size(); ++i) {
    const bool grows = growth.axis < 0 || growth.axis == static_cast<std::int64_t>(i);
    if (growth.from[i] == growth.to[i] || (grows && growth.from[i] == 1)) continue;
    plan.refuse(Fault::kRange, fmt::format("srcShape[{}] is {} and dstShape[{}] is {}; expected {}",
                                           i, growth.from[i], i, growth.to[i],
                                           grows ? "1 or equal numbers" : "equal numbers"));
  }
  if (growth.rank == 2 && growth.axis == 0) {
    plan.require_multiple("srcShape[1] * sizeof(T)",
                          static_cast<std::int64_t>(growth.from[1] * call.bytes(1)), 32);
  }
  plan.read(1, growth.from_size);
  plan.write(0, growth.to_size);
  const bool along_last = !growth.to.empty() && growth.from.back() != growth.to.back();
  plan.temporary(2, aclsim_library::broadcast_temporary(
                        along_last, 8, along_last ? growth.to.back() : 0, call.bytes(1)));
}

/// Writes axis `axis` and all after it; returns the end of the written elements.
template <typename T>
T* grow(const Growth& growth, std::size_t axis, const T* from, std::uint64_t from_size, T* to) {
  if (axis == growth.rank) {
    *to = *from;
    return to + 1;
  }
  const std::uint64_t step = from_size / growth.from[axis];
  if (axis + 1 == growth.rank) {
    if (growth.from[axis] == 1) return std::fill_n(to, growth.to[axis], *from);
    return std::copy(from, from + growth.to[axis], to);
  }
  for (std::uint64_t i = 0; i < growth.to[axis]; ++i) {
    to = grow(growth, axis + 1, from + (growth.from[axis] == 1 ? 0 : i * step), step, to);
  }
  return to;
}

void compute_broadcast(const Call& call) {
  const Growth growth(call);
  if (growth.from_size == 0 || growth.to_size == 0) return;
  with_size(call.bytes(1), [&](auto type) {
    using T = decltype(type);
    const std::vector<T> from = kept_of<T>(call, 1, growth.from_size);
    grow(growth, 0, from.data(), growth.from_size, call.at<T>(0));
  });
}

// ---- Pad: dst, src, tmp?; numbers: height, width, kept width, columns left and right,
// their value

struct Padding {
  explicit Padding(const Call& call)
      : height(call.count(0)),
        width(call.count(1)),
        kept(call.count(2)),
        left(call.count(3)),
        right(call.count(4)) {
    const std::uint64_t block = 32 / call.bytes(1);
    row = (width + block - 1) / block * block;
    whole = row == width;
  }
  std::uint64_t height, width, kept, left, right;
  std::uint64_t row;  // elements of a row of the result
  bool whole;         // the rows of the source are whole blocks
};

void plan_pad(const Call& call, Plan& plan) {
  const Padding pad(call);
  plan.require_range("tiling.srcHeight", call.number(0), 1, UINT32_MAX);
  plan.require_range("tiling.srcWidth", call.number(1), 1, UINT32_MAX);
  if (pad.whole) {
    plan.require_range("leftPad of rows of whole blocks", call.number(3), 0, 0);
    plan.require_range("tiling.srcOriWidth of rows of whole blocks", call.number(2), 1,
                       call.number(1) - 1);
  } else {
    plan.require_range("tiling.srcOriWidth", call.number(2), call.number(1), call.number(1));
  }
  plan.require_range("leftPad + tiling.srcOriWidth + rightPad",
                     static_cast<std::int64_t>(pad.left + pad.kept + pad.right), 0,
                     static_cast<std::int64_t>(pad.row));
  plan.require_multiple("tiling.srcHeight * tiling.srcWidth * sizeof(T)",
                        static_cast<std::int64_t>(pad.height * pad.width * call.bytes(1)), 32);
  plan.read(1, limited_product({pad.height, pad.width}));
  plan.write(0, limited_product({pad.height, pad.row}));
  plan.temporary(2, aclsim_library::pad_temporary(16, pad.width, call.bytes(1)));
}

void compute_pad(const Call& call) {
  const Padding pad(call);
  with_size(call.bytes(1), [&](auto type) {
    using T = decltype(type);
    const std::vector<T> from = kept_of<T>(call, 1, pad.height * pad.width);
    for (std::uint64_t row = 0; row < pad.height; ++row) {
      std::copy_n(from.data() + row * pad.width, pad.kept, call.at<T>(0, row * pad.row + pad.left));
    }
  });
  const auto value = static_cast<double>(call.number(5));
  for (std::uint64_t row = 0; row < pad.height; ++row) {
    for (std::uint64_t i = 0; i < pad.left; ++i) call.store(0, row * pad.row + i, 1, &value);
    for (std::uint64_t i = 0; i < pad.right; ++i) {
      call.store(0, row * pad.row + pad.left + pad.kept + i, 1, &value);
    }
  }
}

// ---- UnPad: dst, src, tmp?; numbers: height, width, columns that go

void plan_unpad(const Call& call, Plan& plan) {
  const std::int64_t bytes = call.bytes(1);
  plan.require_range("tiling.srcHeight", call.number(0), 1, UINT32_MAX);
  plan.require_range("tiling.srcWidth", call.number(1), 1, UINT32_MAX);
  plan.require_multiple("tiling.srcWidth * sizeof(T)", call.number(1) * bytes, 32);
  plan.require_range("rightPad", call.number(2), 1, 32 / bytes - 1);
  plan.read(1, limited_product({call.count(0), call.count(1)}));
  plan.write(0, limited_product({call.count(0), call.count(1) - call.count(2)}));
  plan.temporary(2, aclsim_library::pad_temporary(16, call.count(1), call.bytes(1)));
}

void compute_unpad(const Call& call) {
  const std::uint64_t height = call.count(0), width = call.count(1), kept = width - call.count(2);
  with_size(call.bytes(1), [&](auto type) {
    using T = decltype(type);
    const std::vector<T> from = kept_of<T>(call, 1, height * width);
    for (std::uint64_t row = 0; row < height; ++row) {
      std::copy_n(from.data() + row * width, kept, call.at<T>(0, row * kept));
    }
  });
}

// ---- TransData: dst, src, tmp?; numbers: fractal, from NCDHW, n c d h w, the blocked extents

struct Blocks {
  explicit Blocks(const Call& call)
      : fractal(call.number(0) != 0),
        from_ncdhw(call.number(1) != 0),
        of{call.count(2), call.count(3), call.count(4), call.count(5), call.count(6)} {}
  std::uint64_t image() const { return of.h * of.w; }
  std::uint64_t plain_size() const { return limited_product({of.n, of.c, of.d, of.row()}); }
  std::uint64_t blocked_size() const {
    const std::uint64_t n = fractal ? of.blocks(of.n) * 16 : of.n;
    return limited_product({n, of.blocks(of.c) * 16, of.d, image()});
  }
  /// The place of an element; `at` is a pixel.
  std::uint64_t plain(std::uint64_t n, std::uint64_t c, std::uint64_t d, std::uint64_t at) const {
    return ((n * of.c + c) * of.d + d) * of.row() + at;
  }
  std::uint64_t blocked(std::uint64_t n, std::uint64_t c, std::uint64_t d, std::uint64_t at) const {
    if (fractal) {
      const std::uint64_t block = (d * of.blocks(of.c) + c / 16) * image() + at;
      return (block * of.blocks(of.n) + n / 16) * 256 + n % 16 * 16 + c % 16;
    }
    return (((n * of.d + d) * of.blocks(of.c) + c / 16) * image() + at) * 16 + c % 16;
  }
  bool fractal, from_ncdhw;
  aclsim_library::Ncdhw of;
};

void plan_transdata(const Call& call, Plan& plan) {
  const Blocks blocks(call);
  const char* const names[] = {"n", "c", "d", "h", "w"};
  for (unsigned i = 0; i < 5; ++i) {
    plan.require_range(names[i], call.number(2 + i), 1, 1 << 20);
  }
  const auto expect = [&](const char* name, unsigned number, std::uint64_t value) {
    if (call.count(number) == value) return;
    plan.refuse(Fault::kRange, fmt::format("{} of the blocked layout is {}; expected {}", name,
                                           call.number(number), value));
  };
  const auto& of = blocks.of;
  if (blocks.fractal) {  // d c1 h w n1 n0 c0
    expect("d", 7, of.d);
    expect("c1", 8, of.blocks(of.c));
    expect("h", 9, of.h);
    expect("w", 10, of.w);
    expect("n1", 11, of.blocks(of.n));
    expect("n0", 12, 16);
    expect("c0", 13, 16);
  } else {  // n d c1 h w c0
    expect("n", 7, of.n);
    expect("d", 8, of.d);
    expect("c1", 9, of.blocks(of.c));
    expect("h", 10, of.h);
    expect("w", 11, of.w);
    expect("c0", 12, 16);
  }
  plan.read(1, blocks.from_ncdhw ? blocks.plain_size() : blocks.blocked_size());
  plan.write(0, blocks.from_ncdhw ? blocks.blocked_size() : blocks.plain_size());
  plan.temporary(2, aclsim_library::transdata_temporary(of, blocks.fractal, blocks.from_ncdhw));
}

// Blocks are filled with zeros; what is between the rows of NCDHW stays.
void compute_transdata(const Call& call) {
  const Blocks blocks(call);
  const bool forward = blocks.from_ncdhw;
  const std::vector<std::uint16_t> from =
      kept_of<std::uint16_t>(call, 1, forward ? blocks.plain_size() : blocks.blocked_size());
  auto* const to = call.at<std::uint16_t>(0);
  if (forward) std::fill_n(to, blocks.blocked_size(), std::uint16_t{0});
  for (std::uint64_t n = 0; n < blocks.of.n; ++n) {
    for (std::uint64_t c = 0; c < blocks.of.c; ++c) {
      for (std::uint64_t d = 0; d < blocks.of.d; ++d) {
        for (std::uint64_t at = 0; at < blocks.image(); ++at) {
          const std::uint64_t plain = blocks.plain(n, c, d, at);
          const std::uint64_t blocked = blocks.blocked(n, c, d, at);
          to[forward ? blocked : plain] = from[forward ? plain : blocked];
        }
      }
    }
  }
}

// ---- Transpose: dst, src, tmp?; numbers: scene, architecture, scene of the tiling, bytes of an
// element, axes, four extents

/// How the elements (b, n, s, k) of scenes 1 to 6 are stored.
enum class Order { kSplitNz, kMergedNz, kSwappedNd, kSwappedNz, kSplitNd, kMergedNd };
struct Scene {
  Order from, to;
};
constexpr Scene kScenes[] = {{},
                             {Order::kSplitNz, Order::kSwappedNd},
                             {Order::kSplitNz, Order::kSwappedNz},
                             {Order::kMergedNz, Order::kSplitNz},
                             {Order::kMergedNz, Order::kSplitNd},
                             {Order::kSplitNz, Order::kMergedNd},
                             {Order::kSplitNz, Order::kMergedNz}};

struct Heads {
  explicit Heads(const Call& call)
      : b(call.count(5)), n(call.count(6)), s(call.count(7)), k(call.count(8)) {}
  static std::uint64_t blocks(std::uint64_t extent) { return (extent + 15) / 16; }

  std::uint64_t size(Order order) const {
    switch (order) {
      case Order::kSplitNz:
      case Order::kSplitNd:
        return limited_product({b, n, s, blocks(k) * 16});
      case Order::kMergedNz:
      case Order::kMergedNd:
        return limited_product({b, s, blocks(n * k) * 16});
      default:
        return limited_product({b, n, s, blocks(k) * 16});
    }
  }
  std::uint64_t place(Order order, std::uint64_t ib, std::uint64_t in, std::uint64_t is,
                      std::uint64_t ik) const {
    const std::uint64_t h = in * k + ik;
    switch (order) {
      case Order::kSplitNz:
        return (((ib * n + in) * blocks(k) + ik / 16) * s + is) * 16 + ik % 16;
      case Order::kMergedNz:
        return ((ib * blocks(n * k) + h / 16) * s + is) * 16 + h % 16;
      case Order::kSwappedNd:
        return ((ib * s + is) * n + in) * k + ik;
      case Order::kSwappedNz:
        return (((ib * s + is) * blocks(k) + ik / 16) * n + in) * 16 + ik % 16;
      case Order::kSplitNd:
        return ((ib * n + in) * s + is) * blocks(k) * 16 + ik;
      default:
        return (ib * s + is) * blocks(n * k) * 16 + h;
    }
  }
  std::uint64_t b, n, s, k;
};

/// Scenes 7 and 13 to 16: one to three extents, and the axes of the result.
struct Turned {
  explicit Turned(const Call& call) {
    const bool three = call.number(4) == 3;
    for (unsigned i = 0; i < 3; ++i) {
      extent[i] = three ? call.count(5 + i) : i == 0 ? 1 : call.count(4 + i);
    }
    switch (call.number(0)) {
      case 14:
        axis[0] = 1, axis[1] = 0, axis[2] = 2;
        break;
      case 15:
        axis[0] = 2, axis[1] = 1, axis[2] = 0;
        break;
      default:
        axis[0] = 0, axis[1] = 2, axis[2] = 1;
    }
  }
  std::uint64_t size() const { return limited_product({extent[0], extent[1], extent[2]}); }
  std::uint64_t extent[3];
  unsigned axis[3];
};

void plan_heads(const Call& call, Plan& plan, std::int64_t scene) {
  const Heads heads(call);
  const char* const names[] = {"B", "N", "S", "H/N"};
  plan.require_range("axes of the shape of the tiling", call.number(4), 4, 4);
  for (unsigned i = 0; i < 4; ++i) {
    plan.require_range(names[i], call.number(5 + i), 1, 1 << 20);
  }
  plan.require_multiple("S", call.number(7), 16);
  if (scene <= 2) plan.require_multiple("H/N", call.number(8), 16);
  plan.read(1, heads.size(kScenes[scene].from));
  plan.write(0, heads.size(kScenes[scene].to));
  plan.temporary(2, aclsim_library::transpose_temporary(static_cast<std::uint64_t>(scene), heads.s,
                                                        call.bytes(1)));
}

void plan_turned(const Call& call, Plan& plan, std::int64_t scene) {
  const bool two = scene == 7 || scene == 16;
  plan.require_range("axes of the shape of the tiling", call.number(4),
                     scene == 14 || scene == 15 ? 3 : 2, two ? 2 : 3);
  const Turned turned(call);
  for (unsigned i = 0; i < 3; ++i) {
    plan.require_range("an extent of the shape of the tiling",
                       static_cast<std::int64_t>(turned.extent[i]), 1, UINT32_MAX);
  }
  if (two) plan.require_multiple("H", call.number(5), 16);
  if (two) plan.require_multiple("W", call.number(6), scene == 7 ? 16 : 2);
  plan.read(1, turned.size());
  plan.write(0, turned.size());
  plan.temporary(2, 0);
  if (scene != 7) plan.require_apart(0, 1);
}

void plan_transpose(const Call& call, Plan& plan) {
  const std::int64_t scene = call.number(0);
  const bool turns = scene >= 13 && scene <= 16;
  if (scene < 1 || scene > 16 || (scene > 7 && !turns) || (turns && call.number(1) != 3510)) {
    plan.refuse(Fault::kRange,
                fmt::format("transposeType is {}; expected 1 to 7{}", scene,
                            call.number(1) == 3510 ? " or 13 to 16" : " on this architecture"));
    return;
  }
  if (call.number(2) != scene) {
    plan.refuse(Fault::kRange, fmt::format("transposeType is {}, but the tiling is for type {}",
                                           scene, call.number(2)));
  }
  plan.require_range("typeSize of the tiling", call.number(3), call.bytes(1), call.bytes(1));
  if (!turns) {
    plan.require_type(
        1, {ACLSIM_INT16, ACLSIM_UINT16, ACLSIM_HALF, ACLSIM_INT32, ACLSIM_UINT32, ACLSIM_FLOAT});
  } else if (scene == 16) {
    plan.require_type(1, {ACLSIM_INT8, ACLSIM_UINT8});
  }
  if (scene <= 6) return plan_heads(call, plan, scene);
  plan_turned(call, plan, scene);
}

template <typename T>
void transpose_heads(const Call& call, const Scene& scene) {
  const Heads heads(call);
  const std::vector<T> from = kept_of<T>(call, 1, heads.size(scene.from));
  T* const to = call.at<T>(0);
  for (std::uint64_t b = 0; b < heads.b; ++b) {
    for (std::uint64_t n = 0; n < heads.n; ++n) {
      for (std::uint64_t s = 0; s < heads.s; ++s) {
        for (std::uint64_t k = 0; k < heads.k; ++k) {
          to[heads.place(scene.to, b, n, s, k)] = from[heads.place(scene.from, b, n, s, k)];
        }
      }
    }
  }
}

template <typename T>
void transpose_axes(const Call& call) {
  const Turned turned(call);
  const std::vector<T> from = kept_of<T>(call, 1, turned.size());
  const std::uint64_t steps[] = {turned.extent[1] * turned.extent[2], turned.extent[2], 1};
  T* to = call.at<T>(0);
  for (std::uint64_t i = 0; i < turned.extent[turned.axis[0]]; ++i) {
    for (std::uint64_t j = 0; j < turned.extent[turned.axis[1]]; ++j) {
      const T* const row = from.data() + i * steps[turned.axis[0]] + j * steps[turned.axis[1]];
      for (std::uint64_t k = 0; k < turned.extent[turned.axis[2]]; ++k) {
        *to++ = row[k * steps[turned.axis[2]]];
      }
    }
  }
}

/// [H, W] to [W / 2, H / 16, 16, 2].
template <typename T>
void interleave(const Call& call) {
  const std::uint64_t rows = call.count(5), cols = call.count(6);
  const std::vector<T> from = kept_of<T>(call, 1, rows * cols);
  T* to = call.at<T>(0);
  for (std::uint64_t col = 0; col < cols; col += 2) {
    for (std::uint64_t row = 0; row < rows; ++row) {
      *to++ = from[row * cols + col];
      *to++ = from[row * cols + col + 1];
    }
  }
}

void compute_transpose(const Call& call) {
  const std::int64_t scene = call.number(0);
  with_size(call.bytes(1), [&](auto type) {
    using T = decltype(type);
    if (scene <= 6) return transpose_heads<T>(call, kScenes[scene]);
    if (scene == 16) return interleave<T>(call);
    transpose_axes<T>(call);
  });
}

}  // namespace

const std::vector<Function> kShapesFunctions = {
    {ACLSIM_LIB_Broadcast, plan_broadcast, compute_broadcast},
    {ACLSIM_LIB_Pad, plan_pad, compute_pad},
    {ACLSIM_LIB_UnPad, plan_unpad, compute_unpad},
    {ACLSIM_LIB_Transpose, plan_transpose, compute_transpose},
    {ACLSIM_LIB_TransData, plan_transdata, compute_transdata},
};

}  // namespace ascendc::library
