/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tensor API of vector cores: copies between global memory, the unified buffer and L1.
 */
#ifndef ASCENDC_IMPL_TE_COPY_H_
#define ASCENDC_IMPL_TE_COPY_H_

#include "ascendc/impl/te_cube.h"

namespace AscendC {
namespace Te {
namespace aclsim_te {

/* Rows of a matrix as pieces: `count` pieces of `length` elements. */
struct Pieces {
  uint32_t count;
  uint32_t length;
  int64_t from_step;
  int64_t to_step;
};
/* Both matrices are stored row by row, column by column, or in the same fractals. */
template <typename T, typename To, typename From>
constexpr Pieces pieces_of(const Matrix& to, const Matrix& from) {
  constexpr bool kNz = std::is_same_v<To, NZLayoutPtn>;
  constexpr bool kZn = std::is_same_v<To, ZNLayoutPtn>;
  constexpr auto kWide = static_cast<uint32_t>(kRow<T>);
  static_assert((is_rows<To> && is_rows<From>) || (is_columns<To> && is_columns<From>) ||
                    ((kNz || kZn) && std::is_same_v<To, From>),
                "AscendC::Te::Copy: dst and src have different layout patterns");
  if constexpr (kNz) {
    return {from.cols / kWide, from.rows * kWide, from.col, to.col};
  } else if constexpr (kZn) {
    return {from.rows / kWide, from.cols * kWide, from.row, to.row};
  } else if constexpr (is_rows<To>) {
    return {from.rows, from.cols, from.row, to.row};
  } else {
    return {from.cols, from.rows, from.col, to.col};
  }
}
/* The same for DataCopyPad, in which a piece in local memory has whole blocks of 32 bytes. */
template <typename T>
DataCopyExtParams padded(const Pieces& all, bool from_global) {
  constexpr int64_t kUnit = 32;
  const auto bytes = [](int64_t elements) {
    return elements * int64_t{sizeof(T)} / aclsim_element::per_byte<T>;
  };
  const int64_t length = bytes(all.length);
  const int64_t whole = (length + kUnit - 1) / kUnit * kUnit;
  const auto gap = [&](int64_t step, bool global) {
    return global ? bytes(step) - length : (bytes(step) - whole) / kUnit;
  };
  return DataCopyExtParams(static_cast<uint16_t>(all.count), static_cast<uint32_t>(length),
                           gap(all.from_step, from_global), gap(all.to_step, !from_global), 0);
}

template <typename Dst, typename Src>
constexpr Pieces pieces_of_both(const Dst& dst, const Src& src) {
  return pieces_of<TypeOf<Dst>, PatternOf<Dst>, PatternOf<Src>>(matrix_of(dst.Layout()),
                                                                matrix_of(src.Layout()));
}
template <typename Dst, typename Src>
ACLSIM_THROUGH void from_global(const Dst& dst, const Src& src) {
  using T = TypeOf<Dst>;
  DataCopyPad(plain(dst), plain(src), padded<T>(pieces_of_both(dst, src), true),
              DataCopyPadExtParams<T>());
}
template <typename Dst, typename Src>
ACLSIM_THROUGH void to_global(const Dst& dst, const Src& src) {
  DataCopyPad(plain(dst), plain(src), padded<TypeOf<Dst>>(pieces_of_both(dst, src), false));
}
template <typename Dst, typename Src>
ACLSIM_THROUGH void between_local(const Dst& dst, const Src& src) {
  using T = TypeOf<Dst>;
  const Pieces all = pieces_of_both(dst, src);
  copy_blocks<T>(plain(dst), plain(src), all.count, (all.length + kRow<T> - 1) / kRow<T>,
                 all.from_step, all.to_step);
}
}  // namespace aclsim_te

#define ACLSIM_TE_COPY(NAME, FUNCTION)                                                \
  struct NAME##TraitDefault {                                                         \
    using TraitType = NoTrait;                                                        \
    static constexpr TraitType value{};                                               \
  };                                                                                  \
  struct NAME {                                                                       \
    using aclsim_default = NAME##TraitDefault;                                        \
    template <typename Tp, const Tp& trait, typename Dst, typename Src>               \
    ACLSIM_THROUGH static void Copy(const Dst& dst, const Src& src) {                 \
      static_assert(std::is_same_v<typename Dst::valueType, typename Src::valueType>, \
                    "AscendC::Te::Copy: dst and src have one type");                  \
      aclsim_te::FUNCTION(dst, src);                                                  \
    }                                                                                 \
  };
ACLSIM_TE_COPY(CopyGM2UB, from_global)
ACLSIM_TE_COPY(CopyUB2GM, to_global)
ACLSIM_TE_COPY(CopyUB2UB, between_local)
ACLSIM_TE_COPY(CopyUB2L1, between_local)
ACLSIM_TE_COPY(CopyL12UB, between_local)
#undef ACLSIM_TE_COPY

}  // namespace Te
}  // namespace AscendC

#endif /* ASCENDC_IMPL_TE_COPY_H_ */
