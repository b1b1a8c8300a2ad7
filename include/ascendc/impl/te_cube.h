/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tensor API of the cube unit: copies into L1, L0A, L0B, the scales, the bias table and the
 * buffer of Fixpipe, products, and copies out of L0C. Layouts decide what an instruction does.
 */
#ifndef ASCENDC_IMPL_TE_CUBE_H_
#define ASCENDC_IMPL_TE_CUBE_H_

#include "ascendc/impl/c_copy.h"
#include "ascendc/impl/c_cube_load.h"
#include "ascendc/impl/c_fixpipe.h"
#include "ascendc/impl/copy.h"
#include "ascendc/impl/cube_load.h"
#include "ascendc/impl/cube_unit.h"
#include "ascendc/impl/te_atom.h"

namespace AscendC {
namespace Te {
namespace aclsim_te {

/* Matrices in memory, with the distances of rows, columns and matrices in elements. The distances
   of fractals are given for a matrix of fractals. */
struct Matrix {
  uint32_t rows = 0;
  uint32_t cols = 0;
  int64_t row = 0;
  int64_t col = 0;
  uint32_t matrices = 1;
  int64_t matrix = 0;
};

template <std::size_t axis, typename T>
constexpr int64_t outer(const T& value) {
  const auto& part = std::get<axis>(value);
  if constexpr (IsTuple<std::decay_t<decltype(part)>>::value) {
    return static_cast<int64_t>(std::get<1>(part));
  } else {
    return static_cast<int64_t>(part);
  }
}
template <std::size_t axis, typename T>
constexpr uint32_t extent(const T& shape) {
  return static_cast<uint32_t>(static_cast<uint64_t>(size_of(std::get<axis>(shape))));
}

/* A batch has one more dimension around the matrix. */
template <typename L>
inline constexpr bool is_batch =
    IsTuple<std::tuple_element_t<1, std::decay_t<decltype(std::declval<L>().Shape())>>>::value &&
    !IsTuple<std::tuple_element_t<0, std::decay_t<decltype(std::declval<L>().Shape())>>>::value;

template <typename L>
constexpr Matrix matrix_of(const L& layout) {
  Matrix made;
  const auto fill = [&made](const auto& shape, const auto& stride) {
    made.rows = extent<0>(shape);
    made.cols = extent<1>(shape);
    made.row = outer<0>(stride);
    made.col = outer<1>(stride);
  };
  if constexpr (is_batch<L>) {
    made.matrices = static_cast<uint32_t>(std::get<0>(layout.Shape()));
    made.matrix = static_cast<int64_t>(std::get<0>(layout.Stride()));
    fill(std::get<1>(layout.Shape()), std::get<1>(layout.Stride()));
  } else {
    fill(layout.Shape(), layout.Stride());
  }
  return made;
}

template <typename P>
inline constexpr bool is_rows = std::is_same_v<P, NDLayoutPtn> || std::is_same_v<P, NDExtLayoutPtn>;
template <typename P>
inline constexpr bool is_columns =
    std::is_same_v<P, DNLayoutPtn> || std::is_same_v<P, DNExtLayoutPtn>;
template <typename...>
inline constexpr bool never = false;

template <typename Tensor>
using PatternOf = GetLayoutPattern<typename Tensor::layoutType>;
template <typename Tensor>
using TypeOf = typename Tensor::valueType;
template <typename T>
inline constexpr int64_t kRow = 32 / sizeof(T) * aclsim_element::per_byte<T>; /* of a fractal */

/* Rows in memory become columns of blocks: the matrix, or its transpose, as fractals with
   `to_block` elements between the blocks of its columns. */
template <typename T, typename To, typename From>
ACLSIM_THROUGH void store_rows(const To& to, const From& from, const Matrix& m, int64_t to_block,
                               int64_t to_matrix) {
  /* The instruction counts pairs of elements of 4 bits. */
  constexpr int64_t kPerByte = aclsim_element::per_byte<T>;
  Nd2NzParams p;
  p.ndNum = static_cast<uint16_t>(m.matrices);
  p.nValue = static_cast<uint16_t>(m.rows);
  p.dValue = static_cast<uint32_t>(m.cols / kPerByte);
  p.srcNdMatrixStride = m.matrix / kPerByte;
  p.srcDValue = m.row / kPerByte;
  p.dstNzC0Stride = static_cast<uint16_t>(to_block / kRow<T>);
  p.dstNzNStride = 1;
  p.dstNzMatrixStride = to_matrix / kPerByte;
  DataCopy(to, from, p);
}
template <typename T, typename To, typename From>
ACLSIM_THROUGH void store_columns(const To& to, const From& from, const Matrix& m, int64_t to_block,
                                  int64_t to_matrix) {
  static_assert(aclsim_element::per_byte<T> == 1,
                "AscendC::Te::Copy from global memory to L1: hardware transposes no matrix with "
                "elements of 4 bits");
  Dn2NzParams p;
  p.dnNum = static_cast<uint16_t>(m.matrices);
  p.nValue = static_cast<uint16_t>(m.rows);
  p.dValue = m.cols;
  p.srcDnMatrixStride = static_cast<uint64_t>(m.matrix);
  p.srcDValue = static_cast<uint64_t>(m.col);
  p.dstNzC0Stride = static_cast<uint16_t>(to_block / kRow<T>);
  p.dstNzNStride = 1;
  p.dstNzMatrixStride = static_cast<uint32_t>(to_matrix);
  DataCopy(to, from, p);
}
/* The same matrix with rows and columns exchanged. */
constexpr Matrix turned(const Matrix& m) {
  return {m.cols, m.rows, m.col, m.row, m.matrices, m.matrix};
}

/* Equal fractals: whole blocks of 32 bytes, `count` pieces of `length` blocks. */
template <typename T, typename To, typename From>
ACLSIM_THROUGH void copy_blocks(const To& to, const From& from, int64_t count, int64_t length,
                                int64_t from_step, int64_t to_step) {
  DataCopyParams p;
  p.blockCount = static_cast<uint16_t>(count);
  p.blockLen = static_cast<uint16_t>(length);
  p.srcGap = static_cast<uint16_t>(from_step / kRow<T> - length);
  p.dstGap = static_cast<uint16_t>(to_step / kRow<T> - length);
  DataCopy(to, from, p);
}

/* Pairs of scales count as one element of 16 bits. */
template <typename Tensor>
auto as_pairs(const Tensor& tensor) {
  return plain(MakeTensor(
      MakeMemPtr<typename Tensor::Hardware>(
          reinterpret_cast<half*>(const_cast<TypeOf<Tensor>*>(tensor.Data().Get()))),
      MakeLayout(
          MakeShape((static_cast<uint64_t>(reach_of(tensor.Shape(), tensor.Stride())) + 1) / 2),
          MakeStride(_1{}))));
}
}  // namespace aclsim_te

/* ---- global memory to L1 ----------------------------------------------------------------------
 */

struct CopyGM2L1TraitDefault {
  using TraitType = NoTrait;
  static constexpr TraitType value{};
};
struct CopyGM2L1 {
  using aclsim_default = CopyGM2L1TraitDefault;

  template <typename Tp, const Tp& trait, typename Dst, typename Src>
  ACLSIM_THROUGH static void Copy(const Dst& dst, const Src& src) {
    using namespace aclsim_te;
    using T = TypeOf<Dst>;
    using To = PatternOf<Dst>;
    using From = PatternOf<Src>;
    static_assert(std::is_same_v<T, TypeOf<Src>>, "AscendC::Te::Copy: dst and src have one type");
    constexpr bool kNz = std::is_same_v<To, NZLayoutPtn>;
    constexpr bool kZn = std::is_same_v<To, ZNLayoutPtn>;
    constexpr bool kZz = std::is_same_v<To, ZZLayoutPtn>;
    constexpr bool kNn = std::is_same_v<To, NNLayoutPtn>;
    if constexpr (is_feature_map<To>) {
      feature_map<T, From>(dst, src);
    } else if constexpr (std::is_same_v<T, fp8_e8m0_t> && (kZz || kNn)) {
      scales<From, kZz>(dst, src);
    } else {
      const Matrix from = matrix_of(src.Layout());
      const Matrix to = matrix_of(dst.Layout());
      if constexpr ((is_rows<From> && kNz) || (is_columns<From> && kZn)) {
        store_rows<T>(plain(dst), plain(src), kNz ? from : turned(from), kNz ? to.col : to.row,
                      to.matrix);
      } else if constexpr ((is_columns<From> && kNz) || (is_rows<From> && kZn)) {
        store_columns<T>(plain(dst), plain(src), kNz ? from : turned(from), kNz ? to.col : to.row,
                         to.matrix);
      } else if constexpr (std::is_same_v<From, To> && (kNz || kZn)) {
        const uint32_t along = kNz ? from.rows : from.cols;
        const uint32_t blocks = kNz ? from.cols / kRow<T> : from.rows / kRow<T>;
        copy_blocks<T>(plain(dst), plain(src), blocks, along, kNz ? from.col : from.row,
                       kNz ? to.col : to.row);
      } else if constexpr (is_rows<From> && is_rows<To>) {
        for (uint32_t i = 0; i < from.matrices; ++i) {
          copy_blocks<T>(plain(dst)[i * to.matrix], plain(src)[i * from.matrix], from.rows,
                         from.cols / kRow<T>, from.row, to.row);
        }
      } else {
        static_assert(never<From, To>,
                      "AscendC::Te::Copy from global memory to L1: this pair of "
                      "layout patterns is not one that the hardware converts");
      }
    }
  }

 private:
  /* A group of 16 rows (ZZ) or columns (NN) is one block with pairs of scales of the depth. */
  template <typename From, bool of_a, typename Dst, typename Src>
  ACLSIM_THROUGH static void scales(const Dst& dst, const Src& src) {
    using namespace aclsim_te;
    Matrix from = matrix_of(src.Layout());
    const Matrix to = matrix_of(dst.Layout());
    const int64_t block = (of_a ? to.row : to.col) / 2; /* in pairs */
    const auto pairs = [](Matrix m) {
      m.matrix /= 2;
      return m;
    };
    if constexpr (std::is_same_v<From, PatternOf<Dst>>) {
      const uint32_t across = of_a ? from.rows : from.cols;
      const uint32_t depth = of_a ? from.cols : from.rows;
      for (uint32_t i = 0; i < from.matrices; ++i) {
        copy_blocks<fp8_e8m0_t>(plain(dst)[i * to.matrix], plain(src)[i * from.matrix],
                                (across + 15) / 16, depth / 2, (of_a ? from.row : from.col),
                                (of_a ? to.row : to.col));
      }
    } else if constexpr (std::is_same_v<From, ScaleANDLayoutPtn> ||
                         (of_a && is_rows<From>)) { /* pairs along a row */
      Matrix m = pairs(turned(from));
      m.rows /= 2;
      m.col = from.row / 2;
      store_columns<half>(as_pairs(dst), as_pairs(src), m, block, to.matrix / 2);
    } else if constexpr (std::is_same_v<From, ScaleBDNLayoutPtn> ||
                         (!of_a && is_columns<From>)) { /* pairs along a column */
      Matrix m = pairs(from);
      m.rows /= 2;
      m.col = from.col / 2;
      store_columns<half>(as_pairs(dst), as_pairs(src), m, block, to.matrix / 2);
    } else if constexpr (std::is_same_v<From, ScaleADNLayoutPtn>) {
      Matrix m = pairs(turned(from));
      m.rows /= 2;
      m.row = from.col / 2;
      store_rows<half>(as_pairs(dst), as_pairs(src), m, block, to.matrix / 2);
    } else if constexpr (std::is_same_v<From, ScaleBNDLayoutPtn>) {
      Matrix m = pairs(from);
      m.rows /= 2;
      m.row = from.row / 2;
      store_rows<half>(as_pairs(dst), as_pairs(src), m, block, to.matrix / 2);
    } else {
      static_assert(never<From>,
                    "AscendC::Te::Copy of scales: the layout pattern of src is none "
                    "of scales");
    }
  }

  template <typename T, typename From, typename Dst, typename Src>
  ACLSIM_THROUGH static void feature_map(const Dst& dst, const Src& src) {
    using namespace aclsim_te;
    static_assert(std::is_same_v<PatternOf<Dst>, NC1HWC0LayoutPtn>,
                  "AscendC::Te::Copy of a feature map: dst is not NC1HWC0");
    const auto number = [](const auto& value) { return static_cast<int64_t>(value); };
    const auto shape = src.Shape();
    const auto stride = src.Stride();
    Matrix m;
    if constexpr (std::is_same_v<From, NHWCLayoutPtn>) {
      m.rows = static_cast<uint32_t>(number(std::get<1>(shape)) * number(std::get<2>(shape)));
      m.cols = static_cast<uint32_t>(number(std::get<3>(shape)));
      m.row = number(std::get<2>(stride));
      store_rows<T>(plain(dst), plain(src), m, number(std::get<1>(dst.Stride())), 0);
    } else if constexpr (std::is_same_v<From, NCHWLayoutPtn>) {
      m.rows = static_cast<uint32_t>(number(std::get<2>(shape)) * number(std::get<3>(shape)));
      m.cols = static_cast<uint32_t>(number(std::get<1>(shape)));
      m.col = number(std::get<1>(stride));
      store_columns<T>(plain(dst), plain(src), m, number(std::get<1>(dst.Stride())), 0);
    } else {
      static_assert(std::is_same_v<From, NC1HWC0LayoutPtn>,
                    "AscendC::Te::Copy of a feature map: src is no feature map");
      const int64_t maps = number(std::get<0>(shape)) * number(std::get<1>(shape));
      for (int64_t i = 0; i < maps; ++i) {
        copy_blocks<T>(plain(dst)[i * number(std::get<1>(dst.Stride()))],
                       plain(src)[i * number(std::get<1>(stride))], number(std::get<2>(shape)),
                       number(std::get<3>(shape)), number(std::get<2>(stride)),
                       number(std::get<2>(dst.Stride())));
      }
    }
  }
};

/* ---- L1 to the memories of the cube unit ------------------------------------------------------
 */

namespace aclsim_te {
/* A matrix that lies column by column of fractals, or its transpose. The number of fractals is the
   destination's. */
template <typename T, typename Dst, typename Src>
ACLSIM_THROUGH void load(const Dst& dst, const Src& src, uint32_t rows, uint32_t cols,
                         int64_t from_block, int64_t to_block, bool transpose) {
  constexpr uint32_t kHigh = aclsim_cube::kBits<T> == 4 ? 64 : aclsim_cube::kBits<T> == 8 ? 32 : 16;
  constexpr uint32_t kWide = static_cast<uint32_t>(kRow<T>);
  const auto up = [](uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; };
  LoadData2DParamsV2 p;
  p.mStep = static_cast<uint16_t>(up(rows, transpose ? kHigh : 16) / 16);
  p.kStep = static_cast<uint16_t>(up(cols, transpose && sizeof(T) == 4 ? 16 : kWide) / kWide);
  p.srcStride = static_cast<int32_t>(from_block / (16 * kWide));
  p.dstStride = static_cast<uint16_t>(to_block / (16 * kWide));
  p.ifTranspose = transpose;
  LoadData(dst, src, p);
}

template <typename Same, typename Turned, bool of_a, typename Dst, typename Src>
ACLSIM_THROUGH void load_matrix(const Dst& dst, const Src& src) {
  using T = TypeOf<Dst>;
  using From = PatternOf<Src>;
  static_assert(std::is_same_v<T, TypeOf<Src>>, "AscendC::Te::Copy: dst and src have one type");
  static_assert(std::is_same_v<PatternOf<Dst>, Same>,
                "AscendC::Te::Copy from L1: L0A has the pattern NZ and L0B the pattern ZN");
  constexpr bool kTurned = std::is_same_v<From, Turned>;
  static_assert(kTurned || std::is_same_v<From, Same>,
                "AscendC::Te::Copy from L1: the pattern of src is neither NZ nor ZN");
  const Matrix to = matrix_of(dst.Layout());
  const Matrix from = matrix_of(src.Layout());
  /* L1 has A by rows and B by columns; a turned matrix the other way. */
  const bool by_rows = of_a != kTurned;
  for (uint32_t i = 0; i < to.matrices; ++i) {
    load<T>(plain(dst)[i * to.matrix], plain(src)[i * from.matrix], by_rows ? to.rows : to.cols,
            by_rows ? to.cols : to.rows, std::is_same_v<From, NZLayoutPtn> ? from.col : from.row,
            of_a ? to.col : to.row, kTurned);
  }
}
}  // namespace aclsim_te

/* How an image becomes a matrix; in pixels of the image. */
template <typename T>
struct Img2ColParams {
  uint16_t mExtension = 0;
  uint16_t kExtension = 0;
  uint8_t padList[4] = {0, 0, 0, 0};
  uint8_t strideW = 1;
  uint8_t strideH = 1;
  uint8_t filterW = 1;
  uint8_t filterH = 1;
  uint8_t dilationFilterW = 1;
  uint8_t dilationFilterH = 1;
  bool filterSizeW = false;
  bool filterSizeH = false;
  bool transpose = false;
  bool fMatrixCtrl = false;
  T padValue = 0;
};

#define ACLSIM_TE_OPERATION(NAME)       \
  struct NAME##TraitDefault {           \
    using TraitType = NoTrait;          \
    static constexpr TraitType value{}; \
  };

ACLSIM_TE_OPERATION(CopyL12L0A)
struct CopyL12L0A {
  using aclsim_default = CopyL12L0ATraitDefault;
  template <typename Tp, const Tp& trait, typename Dst, typename Src>
  ACLSIM_THROUGH static void Copy(const Dst& dst, const Src& src) {
    aclsim_te::load_matrix<NZLayoutPtn, ZNLayoutPtn, true>(dst, src);
  }
  /* src is NC1HWC0, and dst has a row for each position of the filter. */
  template <typename Tp, const Tp& trait, typename Dst, typename Src, typename T>
  ACLSIM_THROUGH static void Copy(const Dst& dst, const Src& src, const Img2ColParams<T>& params) {
    static_assert(std::is_same_v<aclsim_te::PatternOf<Src>, NC1HWC0LayoutPtn>,
                  "AscendC::Te::Copy with Img2ColParams: src is not NC1HWC0");
    const auto shape = src.Shape();
    LoadData3DParamsV2<T> p;
    for (int i = 0; i < 4; ++i) p.padList[i] = params.padList[i];
    p.l1H = static_cast<uint16_t>(std::get<2>(shape));
    p.l1W = static_cast<uint16_t>(std::get<3>(shape));
    p.channelSize = static_cast<uint16_t>(static_cast<uint64_t>(std::get<1>(shape)) *
                                          static_cast<uint64_t>(std::get<4>(shape)));
    p.kExtension = params.kExtension;
    p.mExtension = params.mExtension;
    p.strideW = params.strideW;
    p.strideH = params.strideH;
    p.filterW = params.filterW;
    p.filterH = params.filterH;
    p.dilationFilterW = params.dilationFilterW;
    p.dilationFilterH = params.dilationFilterH;
    p.enTranspose = params.transpose;
    p.padValue = params.padValue;
    p.filterSizeW = params.filterSizeW;
    p.filterSizeH = params.filterSizeH;
    p.fMatrixCtrl = params.fMatrixCtrl;
    LoadData(aclsim_te::plain(dst), aclsim_te::plain(src), p);
  }
};

ACLSIM_TE_OPERATION(CopyL12L0B)
struct CopyL12L0B {
  using aclsim_default = CopyL12L0BTraitDefault;
  template <typename Tp, const Tp& trait, typename Dst, typename Src>
  ACLSIM_THROUGH static void Copy(const Dst& dst, const Src& src) {
    aclsim_te::load_matrix<ZNLayoutPtn, NZLayoutPtn, false>(dst, src);
  }
};

namespace aclsim_te {
/* A block of 32 bytes has two scales of the depth for 16 rows or columns. */
template <bool of_a, typename Dst, typename Src>
ACLSIM_THROUGH void load_scales(const Dst& dst, const Src& src) {
  const Matrix to = matrix_of(dst.Layout());
  const Matrix from = matrix_of(src.Layout());
  const uint32_t across = of_a ? to.rows : to.cols;
  const uint32_t depth = of_a ? to.cols : to.rows;
  copy_blocks<fp8_e8m0_t>(plain(dst), plain(src), (across + 15) / 16, (depth + 1) / 2,
                          of_a ? from.row : from.col, of_a ? to.row : to.col);
}
}  // namespace aclsim_te

ACLSIM_TE_OPERATION(CopyL12L0ScaleA)
struct CopyL12L0ScaleA {
  using aclsim_default = CopyL12L0ScaleATraitDefault;
  template <typename Tp, const Tp& trait, typename Dst, typename Src>
  ACLSIM_THROUGH static void Copy(const Dst& dst, const Src& src) {
    aclsim_te::load_scales<true>(dst, src);
  }
};
ACLSIM_TE_OPERATION(CopyL12L0ScaleB)
struct CopyL12L0ScaleB {
  using aclsim_default = CopyL12L0ScaleBTraitDefault;
  template <typename Tp, const Tp& trait, typename Dst, typename Src>
  ACLSIM_THROUGH static void Copy(const Dst& dst, const Src& src) {
    aclsim_te::load_scales<false>(dst, src);
  }
};

namespace aclsim_te {
/* One row into a table, in units of `unit` bytes. */
template <typename Dst, typename Src>
ACLSIM_THROUGH void load_table(const Dst& dst, const Src& src, uint32_t unit) {
  const uint64_t bytes = static_cast<uint64_t>(size_of(dst.Shape())) * sizeof(TypeOf<Src>);
  DataCopy(plain(dst), plain(src),
           DataCopyParams(1, static_cast<uint16_t>((bytes + unit - 1) / unit), 0, 0));
}
}  // namespace aclsim_te

ACLSIM_TE_OPERATION(CopyL12BT)
struct CopyL12BT {
  using aclsim_default = CopyL12BTTraitDefault;
  template <typename Tp, const Tp& trait, typename Dst, typename Src>
  ACLSIM_THROUGH static void Copy(const Dst& dst, const Src& src) {
    aclsim_te::load_table(dst, src, static_cast<uint32_t>(aclsim_copy::unit_of(TPosition::C2)));
  }
};
ACLSIM_TE_OPERATION(CopyL12FB)
struct CopyL12FB {
  using aclsim_default = CopyL12FBTraitDefault;
  template <typename Tp, const Tp& trait, typename Dst, typename Src>
  ACLSIM_THROUGH static void Copy(const Dst& dst, const Src& src) {
    aclsim_te::load_table(dst, src,
                          static_cast<uint32_t>(aclsim_copy::unit_of(TPosition::C2PIPE2GM)));
  }
};

/* ---- products ---------------------------------------------------------------------------------
 */

enum class MmadType : uint8_t { NORMAL = 0, MX = 1 };
struct MmadTrait {
  constexpr MmadTrait(int32_t offset = 0, bool align = false, bool source = false,
                      bool withoutGemv = true, MmadType type = MmadType::NORMAL)
      : fmOffset(offset),
        kDirectionAlign(align),
        cmatrixSource(source),
        disableGemv(withoutGemv),
        mmadType(type) {}
  int32_t fmOffset;
  bool kDirectionAlign;
  bool cmatrixSource; /* the sums start from the bias table */
  bool disableGemv;
  MmadType mmadType;
};
struct MmadTraitDefault {
  using TraitType = MmadTrait;
  static constexpr const TraitType value{};
};
struct MmadParams {
  constexpr MmadParams() = default;
  constexpr MmadParams(uint16_t rows, uint16_t cols, uint16_t depth, uint8_t flag = 0,
                       bool init = false)
      : m(rows), n(cols), k(depth), unitFlag(flag), cmatrixInitVal(init) {}
  uint16_t m = 0;
  uint16_t n = 0;
  uint16_t k = 0;
  uint8_t unitFlag = 0;
  bool cmatrixInitVal = false; /* the sums start from 0 */
};

struct MmadOperation {
  using aclsim_default = MmadTraitDefault;

  template <typename Tp, const Tp& trait, typename Dst, typename Fm, typename Filter>
  ACLSIM_THROUGH static void Mmad(const Dst& dst, const Fm& fm, const Filter& filter,
                                  const MmadParams& params) {
    using namespace aclsim_te;
    if constexpr (trait.mmadType == MmadType::MX) {
      MmadMx(plain(dst), plain(fm), plain(filter), all_of(trait, params));
    } else {
      AscendC::Mmad(plain(dst), plain(fm), plain(filter), all_of(trait, params));
    }
  }
  template <typename Tp, const Tp& trait, typename Dst, typename Fm, typename Filter, typename Bias>
  ACLSIM_THROUGH static void Mmad(const Dst& dst, const Fm& fm, const Filter& filter,
                                  const Bias& bias, const MmadParams& params) {
    using namespace aclsim_te;
    if constexpr (trait.mmadType == MmadType::MX) {
      MmadMx(plain(dst), plain(fm), plain(filter), plain(bias), all_of(trait, params));
    } else {
      AscendC::Mmad(plain(dst), plain(fm), plain(filter), plain(bias), all_of(trait, params));
    }
  }

 private:
  static constexpr AscendC::MmadParams all_of(const MmadTrait& trait, const MmadParams& params) {
    AscendC::MmadParams all(params.m, params.n, params.k, params.unitFlag, trait.cmatrixSource,
                            params.cmatrixInitVal);
    all.kDirectionAlign = trait.kDirectionAlign;
    all.disableGemv = trait.disableGemv;
    return all;
  }
};

/* The operation of an atom that has its parameters already. */
struct MmadOpWith : MmadOperation {};

/* ---- out of L0C -------------------------------------------------------------------------------
 */

enum class RoundMode : uint8_t { DEFAULT = 0, HYBRID = 1 };
enum DualDstMode : uint8_t { DUAL_DST_DISABLE = 0, DUAL_DST_SPLIT_M = 1, DUAL_DST_SPLIT_N = 2 };

struct FixpipeParams {
  constexpr FixpipeParams() = default;
  constexpr explicit FixpipeParams(uint8_t flag, bool block = false)
      : unitFlag(flag), subBlockId(block) {}
  uint8_t unitFlag = 0;
  bool subBlockId = false; /* which vector core of the group gets the tensor */
};

struct CopyL0C2GMTrait {
  RoundMode roundMode = RoundMode::DEFAULT;
  bool enableRelu = false;
  bool enableChannelSplit = false;
};
struct CopyL0C2GMTraitDefault {
  using TraitType = CopyL0C2GMTrait;
  static constexpr const TraitType value{};
};
struct CopyL0C2UBTrait {
  RoundMode roundMode = RoundMode::DEFAULT;
  bool enableRelu = false;
  bool enableChannelSplit = false;
  DualDstMode dualDstCtl = DUAL_DST_DISABLE;
};
struct CopyL0C2UBTraitDefault {
  using TraitType = CopyL0C2UBTrait;
  static constexpr const TraitType value{};
};

namespace aclsim_te {
enum class Quant : uint8_t { none, one, per_column };

/* The mode of Fixpipe by the types and by how many parameters there are. */
template <typename From, typename To, Quant quant, RoundMode round>
constexpr QuantMode_t quant_mode() {
  constexpr bool kFloat = std::is_same_v<From, float>;
  constexpr bool kColumn = quant == Quant::per_column;
  constexpr bool kByte = std::is_same_v<To, int8_t> || std::is_same_v<To, uint8_t>;
  if constexpr (quant == Quant::none) {
    constexpr bool kHalf = kFloat && std::is_same_v<To, half>;
    constexpr bool kBfloat = kFloat && std::is_same_v<To, bfloat16_t>;
    static_assert(kHalf || kBfloat || std::is_same_v<From, To>,
                  "AscendC::Te::Copy from L0C: this type of dst needs a quantisation");
    return kHalf ? F322F16 : kBfloat ? F322BF16 : NoQuant;
  } else if constexpr (kFloat) {
    if constexpr (kByte) return kColumn ? VQF322B8_PRE : QF322B8_PRE;
    if constexpr (std::is_same_v<To, fp8_e4m3fn_t>) return kColumn ? VQF322FP8_PRE : QF322FP8_PRE;
    if constexpr (std::is_same_v<To, hifloat8_t>) {
      if constexpr (round == RoundMode::HYBRID) {
        return kColumn ? VQF322HIF8_PRE_HYBRID : QF322HIF8_PRE_HYBRID;
      }
      return kColumn ? VQF322HIF8_PRE : QF322HIF8_PRE;
    }
    if constexpr (std::is_same_v<To, half>) return kColumn ? VQF322F16_PRE : QF322F16_PRE;
    if constexpr (std::is_same_v<To, bfloat16_t>) return kColumn ? VQF322BF16_PRE : QF322BF16_PRE;
    return kColumn ? VQF322F32_PRE : QF322F32_PRE;
  } else {
    if constexpr (kByte) return kColumn ? VREQ8 : REQ8;
    if constexpr (std::is_same_v<To, bfloat16_t>) return kColumn ? VQS322BF16_PRE : QS322BF16_PRE;
    return kColumn ? VDEQF16 : DEQF16;
  }
}

/* The matrix of a feature map: a row for each pixel. */
template <typename P, typename L>
constexpr Matrix pixels_of(const L& layout) {
  Matrix made;
  const auto at = [](const auto& value) { return static_cast<int64_t>(value); };
  if constexpr (std::is_same_v<P, NHWCLayoutPtn>) {
    made.rows =
        static_cast<uint32_t>(at(std::get<1>(layout.Shape())) * at(std::get<2>(layout.Shape())));
    made.cols = static_cast<uint32_t>(at(std::get<3>(layout.Shape())));
    made.row = at(std::get<2>(layout.Stride()));
  } else if constexpr (std::is_same_v<P, NCHWLayoutPtn>) {
    made.rows =
        static_cast<uint32_t>(at(std::get<2>(layout.Shape())) * at(std::get<3>(layout.Shape())));
    made.cols = static_cast<uint32_t>(at(std::get<1>(layout.Shape())));
    made.col = at(std::get<1>(layout.Stride()));
  } else {
    made.rows =
        static_cast<uint32_t>(at(std::get<2>(layout.Shape())) * at(std::get<3>(layout.Shape())));
    made.cols =
        static_cast<uint32_t>(at(std::get<1>(layout.Shape())) * at(std::get<4>(layout.Shape())));
    made.col = at(std::get<1>(layout.Stride()));
  }
  return made;
}

template <Quant quant, typename Trait, const Trait& trait, typename Dst, typename Src,
          typename... Parameters>
ACLSIM_THROUGH void store(const Dst& dst, const Src& src, uint64_t scale,
                          const FixpipeParams& params, const void* site,
                          const Parameters&... parameters) {
  using To = PatternOf<Dst>;
  using T = TypeOf<Dst>;
  constexpr int64_t kBytes = sizeof(T);
  constexpr bool kMap = is_feature_map<To>;
  Matrix to;
  if constexpr (kMap) {
    to = pixels_of<To>(dst.Layout());
  } else {
    to = matrix_of(dst.Layout());
  }
  const Matrix from = matrix_of(src.Layout());
  auto fixpipe = aclsim_cube::params_of<aclsimFixpipe>("Copy");
  constexpr bool kRows = is_rows<To> || std::is_same_v<To, NHWCLayoutPtn>;
  constexpr bool kColumns = is_columns<To> || std::is_same_v<To, NCHWLayoutPtn>;
  constexpr bool kDual = std::is_same_v<Trait, CopyL0C2UBTrait>;
  fixpipe.rows = to.rows;
  fixpipe.cols = to.cols;
  if constexpr (!kRows && !kColumns) {
    static_assert(std::is_same_v<To, NZLayoutPtn> || std::is_same_v<To, NC1HWC0LayoutPtn>,
                  "AscendC::Te::Copy from L0C: the layout pattern of dst is not supported");
    fixpipe.rows = from.rows < to.rows ? from.rows : to.rows;
  }
  fixpipe.matrices = from.matrices;
  fixpipe.src_matrix = from.matrix * int64_t{sizeof(TypeOf<Src>)};
  fixpipe.dst_matrix = to.matrix * kBytes;
  fixpipe.src_stride = from.col / 16 * aclsim_cube::kRowOfSums;
  fixpipe.src_row = aclsim_cube::kRowOfSums;
  fixpipe.layout = kRows      ? ACLSIM_FIXPIPE_ROWS
                   : kColumns ? ACLSIM_FIXPIPE_COLUMNS
                              : ACLSIM_FIXPIPE_FRACTALS;
  fixpipe.dst_stride = (kRows ? to.row : to.col) * kBytes;
  fixpipe.quant = quant_mode<TypeOf<Src>, T, quant, trait.roundMode>();
  fixpipe.scale = scale;
  fixpipe.relu = trait.enableRelu ? 1 : 0;
  fixpipe.split = trait.enableChannelSplit ? 1 : 0;
  fixpipe.unit_flag = params.unitFlag;
  if constexpr (kDual) {
    fixpipe.dual = trait.dualDstCtl;
    fixpipe.sub_block = trait.dualDstCtl == DUAL_DST_DISABLE && params.subBlockId ? 1 : 0;
  }
  aclsim_cube::issue(ACLSIM_CUBE_FIXPIPE, PIPE_FIX, fixpipe, site,
                     plain(dst).aclsim_operand(ACLSIM_WRITES),
                     plain(src).aclsim_operand(ACLSIM_READS), parameters...);
}

/* The forms of both copies out of L0C. */
struct Store {
  template <typename Tp, const Tp& trait, typename Dst, typename Src>
  ACLSIM_THROUGH static void Copy(const Dst& dst, const Src& src,
                                  const FixpipeParams& params = {}) {
    store<Quant::none, Tp, trait>(dst, src, 0, params, ACLSIM_SITE);
  }
  template <typename Tp, const Tp& trait, typename Dst, typename Src>
  ACLSIM_THROUGH static void Copy(const Dst& dst, const Src& src, const uint64_t& quant,
                                  const FixpipeParams& params = {}) {
    store<Quant::one, Tp, trait>(dst, src, quant, params, ACLSIM_SITE);
  }
  template <typename Tp, const Tp& trait, typename Dst, typename Src, typename Q,
            Std::enable_if_t<IsAttrTensorV<Q>, int> = 0>
  ACLSIM_THROUGH static void Copy(const Dst& dst, const Src& src, const Q& quant,
                                  const FixpipeParams& params = {}) {
    static_assert(sizeof(TypeOf<Q>) == sizeof(uint64_t),
                  "AscendC::Te::Copy from L0C: a tensor of quantisations has the type uint64_t");
    store<Quant::per_column, Tp, trait>(dst, src, 0, params, ACLSIM_SITE,
                                        plain(quant).aclsim_operand(ACLSIM_READS));
  }
};
}  // namespace aclsim_te

struct CopyL0C2GM : aclsim_te::Store {
  using aclsim_default = CopyL0C2GMTraitDefault;
};
struct CopyL0C2UB : aclsim_te::Store {
  using aclsim_default = CopyL0C2UBTraitDefault;
};

#undef ACLSIM_TE_OPERATION

}  // namespace Te
}  // namespace AscendC

#endif /* ASCENDC_IMPL_TE_CUBE_H_ */
