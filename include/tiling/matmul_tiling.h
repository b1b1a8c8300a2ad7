/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tiling of a product: singleCoreM x singleCoreN for each core, baseM x baseN x baseK at once.
 * The parts are legal for the chip and even; the vendor's search may find other parts. C++11.
 */
#ifndef TILING_MATMUL_TILING_H_
#define TILING_MATMUL_TILING_H_

#include <stdarg.h>
#include <stdio.h>

#include "ascendc/impl/cube_tiling.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
#define ACLSIM_FIELD(name) TILING_DATA_FIELD_DEF(int32_t, name)
BEGIN_TILING_DATA_DEF(TCubeTiling)
ACLSIM_CUBE_TILING_FIELDS(ACLSIM_FIELD)
END_TILING_DATA_DEF;
#undef ACLSIM_FIELD
}  // namespace optiling

namespace matmul_tiling {

enum class DataType : int32_t {
  DT_FLOAT = 0,
  DT_FLOAT16 = 1,
  DT_INT8 = 2,
  DT_INT32 = 3,
  DT_UINT8 = 4,
  DT_INT16 = 6,
  DT_UINT16 = 7,
  DT_UINT32 = 8,
  DT_INT64 = 9,
  DT_UINT64 = 10,
  DT_DOUBLE = 11,
  DT_BOOL = 12,
  DT_BF16 = 27,
  DT_UNDEFINED = 28,
  DT_INT4 = 29,
  DT_BFLOAT16 = 33,
  DT_HIFLOAT8 = 34,
  DT_FLOAT8_E4M3FN = 35,
  DT_FLOAT8_E5M2 = 36,
  DT_FLOAT4_E2M1 = 37,
  DT_FLOAT8_E8M0 = 38,
  DT_FLOAT4_E1M2 = 39,
  DT_MAX = 40
};
enum class TPosition : int32_t {
  GM = 0,
  A1 = 1,
  A2 = 2,
  B1 = 3,
  B2 = 4,
  C1 = 5,
  C2 = 6,
  CO1 = 7,
  CO2 = 8,
  VECIN = 9,
  VECOUT = 10,
  VECCALC = 11,
  LCM = 11,
  SPM = 12,
  SHM = 12,
  TSCM = 13,
  MAX = 14
};
enum class CubeFormat : int32_t {
  ND = 0,
  NZ = 1,
  ZN = 2,
  ZZ = 3,
  NN = 4,
  ND_ALIGN = 5,
  SCALAR = 6,
  VECTOR = 7,
  ROW_MAJOR = 0,
  COLUMN_MAJOR = 8
};
enum class MatrixTraverse : int32_t { NOSET = 0, FIRSTM = 1, FIRSTN = 2 };
enum class MatrixMadType : int32_t { NORMAL = 0, HF32 = 1, MXMODE = 2 };
enum class DequantType : int32_t { SCALAR = 0, TENSOR = 1 };
enum class ScheduleType : int32_t { INNER_PRODUCT = 0, OUTER_PRODUCT = 1, N_BUFFER_33 = 2 };
enum class TilingPolicy : int32_t {
  FIXED_A_TSCM = 0,
  FIXED_B_TSCM = 1,
  FIXED_A_B_TSCM = 2,
  NO_POLICY = 3
};

struct PlatformInfo {
  platform_ascendc::SocVersion socVersion;
  uint64_t l1Size = 0;
  uint64_t l0CSize = 0;
  uint64_t ubSize = 0;
  uint64_t l0ASize = 0;
  uint64_t l0BSize = 0;
};
struct MatmulConfigParams {
  int32_t mmConfigType;
  bool enableL1CacheUB;
  ScheduleType scheduleType;
  MatrixTraverse traverse;
  bool enVecND2NZ;

  MatmulConfigParams(int32_t mmConfigTypeIn = 1, bool enableL1CacheUBIn = false,
                     ScheduleType scheduleTypeIn = ScheduleType::INNER_PRODUCT,
                     MatrixTraverse traverseIn = MatrixTraverse::NOSET, bool enVecND2NZIn = false)
      : mmConfigType(mmConfigTypeIn),
        enableL1CacheUB(enableL1CacheUBIn),
        scheduleType(scheduleTypeIn),
        traverse(traverseIn),
        enVecND2NZ(enVecND2NZIn) {}
};

/* A function that is not emulated: a call does not compile. */
#define ACLSIM_REFUSED_TILING(NAME)                                              \
  template <typename... T>                                                       \
  int32_t NAME(...) {                                                            \
    static_assert(sizeof...(T) > 1000,                                           \
                  "matmul_tiling::" #NAME " is not emulated (docs/kernels.md)"); \
    return 0;                                                                    \
  }

class MatmulApiTilingBase {
 public:
  ACLSIM_REFUSED_TILING(EnableL1BankConflictOptimise)

  MatmulApiTilingBase() : MatmulApiTilingBase(platform_ascendc::PlatformAscendC()) {}
  MatmulApiTilingBase(const platform_ascendc::PlatformAscendC& platform) {
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::L0_A, l0a_);
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::L0_B, l0b_);
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::L0_C, l0c_);
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::L1, l1_);
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_);
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::BT, bt_);
  }
  MatmulApiTilingBase(const PlatformInfo& platform)
      : l0a_(platform.l0ASize),
        l0b_(platform.l0BSize),
        l0c_(platform.l0CSize),
        l1_(platform.l1Size),
        ub_(platform.ubSize) {}
  virtual ~MatmulApiTilingBase() {}

  int32_t SetAType(TPosition position, CubeFormat, DataType type, bool isTrans = false) {
    (void)isTrans;
    in_l1_a_ = position == TPosition::TSCM;
    type_ = type;
    return 0;
  }
  int32_t SetBType(TPosition position, CubeFormat, DataType type, bool isTrans = false) {
    (void)isTrans;
    in_l1_b_ = position == TPosition::TSCM;
    type_b_ = type;
    return 0;
  }
  int32_t SetCType(TPosition position, CubeFormat, DataType type) {
    local_c_ = position == TPosition::VECIN || position == TPosition::VECOUT ||
               position == TPosition::VECCALC;
    type_c_ = type;
    return 0;
  }
  int32_t SetBiasType(TPosition, CubeFormat, DataType) { return 0; }
  int32_t SetScaleAType(TPosition, CubeFormat, bool isScaleTrans = false) {
    (void)isScaleTrans; /* no result depends on how scales are stored */
    return 0;
  }
  int32_t SetScaleBType(TPosition, CubeFormat, bool isScaleTrans = false) {
    (void)isScaleTrans;
    return 0;
  }
  int32_t SetDequantType(DequantType) { return 0; }
  virtual int32_t SetShape(int32_t m, int32_t n, int32_t k) {
    if (m <= 0 || n <= 0 || k <= 0) return -1;
    m_ = m;
    n_ = n;
    k_ = k;
    return 0;
  }
  int32_t SetOrgShape(int32_t m, int32_t n, int32_t k) { return SetOrgShape(m, n, k, k); }
  int32_t SetOrgShape(int32_t m, int32_t n, int32_t ka, int32_t kb) {
    if (m <= 0 || n <= 0 || ka <= 0 || kb <= 0) return -1;
    org_m_ = m;
    org_n_ = n;
    org_ka_ = ka;
    org_kb_ = kb;
    return 0;
  }
  int32_t EnableBias(bool isBiasIn = false) {
    bias_ = isBiasIn;
    return 0;
  }
  int32_t SetBias(bool isBiasIn = false) { return EnableBias(isBiasIn); }
  int32_t SetFixSplit(int32_t baseMIn = -1, int32_t baseNIn = -1, int32_t baseKIn = -1) {
    base_m_ = baseMIn;
    base_n_ = baseNIn;
    base_k_ = baseKIn;
    return 0;
  }
  int32_t SetBufferSpace(int32_t l1Size = -1, int32_t l0CSize = -1, int32_t ubSize = -1,
                         int32_t btSize = -1) {
    l1_most_ = l1Size;
    l0c_most_ = l0CSize;
    ub_most_ = ubSize;
    bt_most_ = btSize;
    return 0;
  }
  /* The axes of batches, for IterateBatch. -1: one of them is not positive. */
  int32_t SetALayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
    return set_axes(axes_a_, b, s, n, g, d);
  }
  int32_t SetBLayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
    return set_axes(axes_b_, b, s, n, g, d);
  }
  int32_t SetCLayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
    return set_axes(axes_c_, b, s, n, g, d);
  }
  int32_t SetBatchInfoForNormal(int32_t batchA, int32_t batchB, int32_t m, int32_t n, int32_t k) {
    if (set_axes(axes_a_, batchA, m, 1, 1, k) != 0 || set_axes(axes_b_, batchB, n, 1, 1, k) != 0)
      return -1;
    return set_axes(axes_c_, batchA > batchB ? batchA : batchB, m, 1, 1, n);
  }
  int32_t SetBatchNum(int32_t batch) {
    if (batch <= 0) return -1;
    batch_ = batch;
    return 0;
  }
  int32_t SetTraverse(MatrixTraverse traverse) {
    traverse_ = traverse;
    return 0;
  }
  int32_t SetMadType(MatrixMadType) { return 0; }
  int32_t SetSparse(bool isSparseIn = false) {
    (void)isSparseIn; /* the memories hold a sparse B where they hold a dense one */
    return 0;
  }
  int32_t SetSplitRange(int32_t maxBaseM = -1, int32_t maxBaseN = -1, int32_t maxBaseK = -1,
                        int32_t = -1, int32_t = -1, int32_t = -1) {
    max_m_ = maxBaseM;
    max_n_ = maxBaseN;
    max_k_ = maxBaseK;
    return 0;
  }
  int32_t SetDoubleBuffer(bool, bool, bool, bool, bool = true, bool = true) { return 0; }
  void SetMatmulConfigParams(int32_t = 1, bool = false, ScheduleType = ScheduleType::INNER_PRODUCT,
                             MatrixTraverse traverse = MatrixTraverse::NOSET, bool = false) {
    if (traverse != MatrixTraverse::NOSET) traverse_ = traverse;
  }
  void SetMatmulConfigParams(const MatmulConfigParams& params) {
    if (params.traverse != MatrixTraverse::NOSET) traverse_ = params.traverse;
  }
  int32_t GetBaseM() const { return made_.baseM; }
  int32_t GetBaseN() const { return made_.baseN; }
  int32_t GetBaseK() const { return made_.baseK; }

  /* 0, or -1 with the reason for aclGetRecentErrMsg: a shape is missing, types do not go together,
     a part that was asked for is illegal, or nothing fits the memories. */
  virtual int64_t GetTiling(AscendC::tiling::TCubeTiling& tiling) {
    const int64_t result = Compute();
    if (result == 0) tiling = made_;
    return result;
  }
  virtual int64_t GetTiling(optiling::TCubeTiling& tiling) {
    const int64_t result = Compute();
    if (result != 0) return result;
#define ACLSIM_FIELD(name) tiling.set_##name(made_.name);
    ACLSIM_CUBE_TILING_FIELDS(ACLSIM_FIELD)
#undef ACLSIM_FIELD
    return 0;
  }

 protected:
  /* Whether SetFixSplit fixes the columns of a tile. */
  bool fixes_columns() const { return base_n_ > 0; }
  /* The elements of a part. A part of a tile that SetFixSplit fixes takes as long as the tile. */
  int64_t in_whole_tiles(int64_t rows, int64_t cols) const {
    const int64_t m = base_m_ > 0 ? base_m_ : 1;
    const int64_t n = base_n_ > 0 ? base_n_ : 1;
    return (rows + m - 1) / m * m * ((cols + n - 1) / n * n);
  }
  /* A kernel that keeps A or B in L1 keeps all of it: rows or columns are not cut. */
  bool keeps_rows() const { return in_l1_a_; }
  bool keeps_columns() const { return in_l1_b_; }
  static int32_t cut(int32_t whole, int32_t part) { return (whole + part - 1) / part; }
  static int32_t up_to(int32_t value, int32_t multiple) { return cut(value, multiple) * multiple; }
  static int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }
  static int64_t refuse(const char* format, ...) __attribute__((format(printf, 1, 2))) {
    char text[320];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    aclsimReportError("GetTiling", 107000, text);
    return -1;
  }

  virtual int64_t Compute() { return fill(1, 1, -1, -1, -1); }

  /* For a product that is cut into `down` x `across` parts, or into parts of a given size. */
  int64_t fill(int32_t down, int32_t across, int32_t single_m, int32_t single_n, int32_t single_k) {
    const int32_t m = m_ > 0 ? m_ : org_m_;
    const int32_t n = n_ > 0 ? n_ : org_n_;
    const int32_t k = k_ > 0 ? k_ : org_ka_;
    if (m <= 0 || n <= 0 || k <= 0) {
      return refuse(
          "the shape is %d x %d x %d; expected SetShape or SetOrgShape with positive numbers", m, n,
          k);
    }
    memset(&made_, 0, sizeof made_);
    made_.M = org_m_ > 0 ? org_m_ : m;
    made_.N = org_n_ > 0 ? org_n_ : n;
    made_.Ka = org_ka_ > 0 ? org_ka_ : k;
    made_.Kb = org_kb_ > 0 ? org_kb_ : k;
    made_.singleCoreM = single_m > 0 ? single_m : down == 1 ? m : least(m, up_to(cut(m, down), 16));
    made_.singleCoreN = single_n > 0  ? single_n
                        : across == 1 ? n
                                      : least(n, up_to(cut(n, across), 16));
    made_.singleCoreK = single_k > 0 ? single_k : k;
    made_.usedCoreNum = cut(m, made_.singleCoreM) * cut(n, made_.singleCoreN);
    return fill_base();
  }

  int64_t fill_base() {
    if (const int64_t failed = refuse_wishes()) return failed;
    made_.baseM = base_m_ > 0 ? base_m_ : edge(made_.singleCoreM, max_m_, 128);
    made_.baseN = base_n_ > 0 ? base_n_ : edge(made_.singleCoreN, max_n_, 256);
    while (!holds_result() || !find_depth()) {
      const bool narrower = base_n_ <= 0 && made_.baseN > 16;
      const bool lower = base_m_ <= 0 && made_.baseM > 16;
      if (!narrower && !lower) return refuse_tile();
      if (narrower && (!lower || made_.baseN >= made_.baseM)) {
        made_.baseN -= 16;
      } else {
        made_.baseM -= 16;
      }
    }
    made_.stepM = made_.stepN = made_.stepKa = made_.stepKb = 1;
    made_.isBias = bias_ ? 1 : 0;
    made_.iterateOrder = traverse_ == MatrixTraverse::FIRSTN ? 1 : 0;
    made_.shareL1Size = static_cast<int32_t>(l1_bytes(made_.depthA1));
    made_.shareL0CSize = made_.baseM * made_.baseN * 4;
    made_.batchM = made_.batchN = made_.singleBatchM = made_.singleBatchN = 1;
    fill_batches();
    made_.dbL0C = 1;
    return 0;
  }

  AscendC::tiling::TCubeTiling made_;
  int32_t m_ = 0;
  int32_t n_ = 0;
  int32_t k_ = 0;
  int32_t org_m_ = 0;
  int32_t org_n_ = 0;
  int32_t org_ka_ = 0;
  int32_t org_kb_ = 0;

 private:
  struct Axes {
    int32_t b;
    int32_t s;
    int32_t n;
    int32_t g;
    int32_t d;
  };
  static int32_t set_axes(Axes& axes, int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
    if (b <= 0 || s <= 0 || n <= 0 || g <= 0 || d <= 0) return -1;
    axes = {b, s, n, g, d};
    return 0;
  }
  void fill_batches() {
    made_.ALayoutInfoB = axes_a_.b;
    made_.ALayoutInfoS = axes_a_.s;
    made_.ALayoutInfoN = axes_a_.n;
    made_.ALayoutInfoG = axes_a_.g;
    made_.ALayoutInfoD = axes_a_.d;
    made_.BLayoutInfoB = axes_b_.b;
    made_.BLayoutInfoS = axes_b_.s;
    made_.BLayoutInfoN = axes_b_.n;
    made_.BLayoutInfoG = axes_b_.g;
    made_.BLayoutInfoD = axes_b_.d;
    made_.CLayoutInfoB = axes_c_.b;
    made_.CLayoutInfoS1 = axes_c_.s;
    made_.CLayoutInfoN = axes_c_.n;
    made_.CLayoutInfoG = axes_c_.g;
    made_.CLayoutInfoS2 = axes_c_.d;
    made_.BatchNum = batch_;
  }
  static int32_t bits(DataType type) {
    switch (type) {
      case DataType::DT_INT4:
      case DataType::DT_FLOAT4_E2M1:
      case DataType::DT_FLOAT4_E1M2:
        return 4;
      case DataType::DT_INT8:
      case DataType::DT_UINT8:
      case DataType::DT_HIFLOAT8:
      case DataType::DT_FLOAT8_E4M3FN:
      case DataType::DT_FLOAT8_E5M2:
        return 8;
      case DataType::DT_FLOAT:
      case DataType::DT_INT32:
        return 32;
      default:
        return 16;
    }
  }
  /* Which types are multiplied with each other. */
  static int32_t family(DataType type) {
    if (type == DataType::DT_BFLOAT16) type = DataType::DT_BF16;
    if (type == DataType::DT_FLOAT8_E5M2) type = DataType::DT_FLOAT8_E4M3FN;
    if (type == DataType::DT_FLOAT4_E1M2) type = DataType::DT_FLOAT4_E2M1;
    return static_cast<int32_t>(type);
  }
  static uint64_t limit(uint64_t chip, int32_t most) {
    return most >= 0 && static_cast<uint64_t>(most) < chip ? static_cast<uint64_t>(most) : chip;
  }
  static int32_t edge(int32_t single, int32_t most, int32_t usual) {
    const int32_t wanted = most > 0 ? (most < 16 ? 16 : most / 16 * 16) : usual;
    return least(up_to(least(single, 1 << 20), 16), wanted);
  }

  uint64_t bytes(uint64_t elements) const {
    return elements * static_cast<uint64_t>(bits(type_)) / 8;
  }
  uint64_t l0_bytes(int32_t rows) const {
    return bytes(static_cast<uint64_t>(rows) * static_cast<uint64_t>(made_.baseK));
  }
  uint64_t bias_bytes() const { return bias_ ? static_cast<uint64_t>(made_.baseN) * 4 : 0; }
  uint64_t l1_bytes(int32_t depth) const {
    return static_cast<uint64_t>(depth) * (l0_bytes(made_.baseM) + l0_bytes(made_.baseN)) +
           bias_bytes();
  }
  uint64_t results() const {
    return static_cast<uint64_t>(made_.baseM) * static_cast<uint64_t>(made_.baseN);
  }
  uint64_t local_bytes() const {
    return local_c_ ? results() * static_cast<uint64_t>(bits(type_c_)) / 8 : 0;
  }

  /* The tile of C in L0C, in the unified buffer where it goes there, and its bias. */
  bool holds_result() const {
    return results() * 4 <= limit(l0c_, l0c_most_) && local_bytes() <= limit(ub_, ub_most_) &&
           bias_bytes() <= limit(bt_, bt_most_);
  }

  /* The largest baseK whose parts of A and B fit L0 and L1: twice, where there is room. */
  bool find_depth() {
    const int32_t block = 256 / bits(type_);
    const int32_t unit = block < 16 ? 16 : block;
    for (int32_t depth = 2; depth >= 1; --depth) {
      for (int32_t buffers = 2; buffers >= 1; --buffers) {
        made_.depthA1 = made_.depthB1 = depth;
        made_.dbL0A = made_.dbL0B = buffers;
        const int32_t most = max_k_ > 0 ? (max_k_ < unit ? unit : max_k_ / unit * unit) : 1 << 20;
        made_.baseK =
            base_k_ > 0 ? base_k_ : least(up_to(least(made_.singleCoreK, 1 << 20), unit), most);
        if (base_k_ <= 0) made_.baseK = least(made_.baseK, deepest(depth, buffers) / unit * unit);
        if (made_.baseK > 0 && holds_parts(depth, buffers)) return true;
      }
    }
    return false;
  }
  int32_t deepest(int32_t depth, int32_t buffers) const {
    const uint64_t m = static_cast<uint64_t>(made_.baseM);
    const uint64_t n = static_cast<uint64_t>(made_.baseN);
    const uint64_t l1 = limit(l1_, l1_most_);
    uint64_t each =
        (l1 > bias_bytes() ? l1 - bias_bytes() : 0) / static_cast<uint64_t>(depth) / (m + n);
    const uint64_t of_a = l0a_ / static_cast<uint64_t>(buffers) / m;
    const uint64_t of_b = l0b_ / static_cast<uint64_t>(buffers) / n;
    if (of_a < each) each = of_a;
    if (of_b < each) each = of_b;
    return static_cast<int32_t>(each * 8 / static_cast<uint64_t>(bits(type_)));
  }
  bool holds_parts(int32_t depth, int32_t buffers) const {
    const uint64_t times = static_cast<uint64_t>(buffers);
    return times * l0_bytes(made_.baseM) <= l0a_ && times * l0_bytes(made_.baseN) <= l0b_ &&
           l1_bytes(depth) <= limit(l1_, l1_most_);
  }

  /* The error in requests that no size of a memory can satisfy. */
  int64_t refuse_wishes() const {
    if (type_b_ != DataType::DT_UNDEFINED && family(type_) != family(type_b_)) {
      return refuse("A has type %d and B type %d; expected the same", static_cast<int>(type_),
                    static_cast<int>(type_b_));
    }
    const int32_t block = 256 / bits(type_);
    if ((base_m_ > 0 && base_m_ % 16 != 0) || (base_n_ > 0 && base_n_ % 16 != 0) ||
        (base_k_ > 0 && base_k_ % block != 0)) {
      return refuse(
          "SetFixSplit asks for tiles of %d x %d x %d; expected multiples of 16, 16 and %d",
          base_m_, base_n_, base_k_, block);
    }
    return 0;
  }

  /* Which memory is too small for the smallest tile. */
  int64_t refuse_tile() {
    made_.baseK = base_k_ > 0 ? base_k_ : 256 / bits(type_) < 16 ? 16 : 256 / bits(type_);
    const struct {
      const char* name;
      uint64_t needed;
      uint64_t there;
    } memories[] = {
        {"L0C", results() * 4, limit(l0c_, l0c_most_)}, {"UB", local_bytes(), limit(ub_, ub_most_)},
        {"BT", bias_bytes(), limit(bt_, bt_most_)},     {"L0A", l0_bytes(made_.baseM), l0a_},
        {"L0B", l0_bytes(made_.baseN), l0b_},           {"L1", l1_bytes(1), limit(l1_, l1_most_)}};
    for (const auto& memory : memories) {
      if (memory.needed <= memory.there) continue;
      return refuse("a tile of %d x %d x %d needs %llu bytes of %s, which has %llu", made_.baseM,
                    made_.baseN, made_.baseK, static_cast<unsigned long long>(memory.needed),
                    memory.name, static_cast<unsigned long long>(memory.there));
    }
    return -1;
  }

  Axes axes_a_ = {0, 0, 0, 0, 0};
  Axes axes_b_ = {0, 0, 0, 0, 0};
  Axes axes_c_ = {0, 0, 0, 0, 0};
  int32_t batch_ = 0;
  DataType type_ = DataType::DT_FLOAT16;
  DataType type_b_ = DataType::DT_UNDEFINED;
  DataType type_c_ = DataType::DT_FLOAT;
  bool in_l1_a_ = false;
  bool in_l1_b_ = false;
  bool local_c_ = false;
  bool bias_ = false;
  int32_t base_m_ = -1;
  int32_t base_n_ = -1;
  int32_t base_k_ = -1;
  int32_t max_m_ = -1;
  int32_t max_n_ = -1;
  int32_t max_k_ = -1;
  MatrixTraverse traverse_ = MatrixTraverse::FIRSTM;
  uint64_t l0a_ = 0;
  uint64_t l0b_ = 0;
  uint64_t l0c_ = 0;
  uint64_t l1_ = 0;
  uint64_t ub_ = 0;
  uint64_t bt_ = 1024;
  int32_t l1_most_ = -1; /* of SetBufferSpace */
  int32_t l0c_most_ = -1;
  int32_t ub_most_ = -1;
  int32_t bt_most_ = -1;
};

/* For one core. */
class MatmulApiTiling : public MatmulApiTilingBase {
 public:
  using MatmulApiTilingBase::MatmulApiTilingBase;
};

/* For up to SetDim cores. */
class MultiCoreMatmulTiling : public MatmulApiTilingBase {
 public:
  using MatmulApiTilingBase::MatmulApiTilingBase;

  int32_t SetDim(int32_t dim) {
    if (dim <= 0) return -1;
    dim_ = dim;
    return 0;
  }
  virtual int32_t SetSingleShape(int32_t singleMIn = -1, int32_t singleNIn = -1,
                                 int32_t singleKIn = -1) {
    single_m_ = singleMIn;
    single_n_ = singleNIn;
    single_k_ = singleKIn;
    return 0;
  }
  virtual int32_t SetSingleRange(int32_t = -1, int32_t = -1, int32_t = -1, int32_t = -1,
                                 int32_t = -1, int32_t = -1) {
    return 0;
  }
  int32_t SetAlignSplit(int32_t, int32_t, int32_t) { return 0; }
  int32_t GetSingleShape(int32_t& shapeM, int32_t& shapeN, int32_t& shapeK) {
    shapeM = made_.singleCoreM;
    shapeN = made_.singleCoreN;
    shapeK = made_.singleCoreK;
    return 0;
  }
  int32_t GetCoreNum(int32_t& dim, int32_t& mDim, int32_t& nDim) {
    dim = made_.usedCoreNum;
    mDim = made_.singleCoreM > 0 ? cut(m_ > 0 ? m_ : org_m_, made_.singleCoreM) : 0;
    nDim = made_.singleCoreN > 0 ? cut(n_ > 0 ? n_ : org_n_, made_.singleCoreN) : 0;
    return 0;
  }
  /* The depth is never cut here, which is always legal. */
  void EnableMultiCoreSplitK(bool) {}
  void SetSplitK(bool) {}

 protected:
  int64_t Compute() override {
    int32_t down = 1;
    int32_t across = 1;
    split(down, across);
    const int64_t result = fill(down, across, single_m_, single_n_, single_k_);
    if (result != 0 || made_.usedCoreNum <= dim_) return result;
    return refuse("parts of %d x %d need %d cores, and SetDim gives %d", made_.singleCoreM,
                  made_.singleCoreN, made_.usedCoreNum, dim_);
  }

 private:
  /* The cut whose largest part is smallest, or a cut into equal parts if those are at most twice as
     large: public kernels without code for a smaller last part rely on it. If several cuts are
     equal, it prefers columns if SetFixSplit fixes the tile, else the most square parts, else rows;
     public kernels rely on that, too. */
  void split(int32_t& down, int32_t& across) const {
    Cut best, even;
    for (int32_t d = 1; d <= (keeps_rows() ? 1 : dim_); ++d) {
      for (int32_t a = keeps_columns() ? 1 : dim_ / d; a >= 1; --a) {
        const Cut cut = cut_of(d, a);
        if (is_better(cut, best)) best = cut;
        if (cut.even && is_better(cut, even)) even = cut;
      }
    }
    const Cut& chosen = even.part <= best.part * 2 ? even : best;
    down = chosen.down;
    across = chosen.across;
  }
  struct Cut {
    int32_t down = 1;
    int32_t across = 1;
    int64_t part = INT64_MAX / 4; /* elements of the largest part, in whole tiles */
    int64_t edge = INT64_MAX;
    bool even = false; /* all parts are equal */
  };
  Cut cut_of(int32_t down, int32_t across) const {
    const int64_t m = m_ > 0 ? m_ : org_m_;
    const int64_t n = n_ > 0 ? n_ : org_n_;
    const int64_t rows = part(m, down);
    const int64_t cols = part(n, across);
    Cut cut;
    cut.down = down;
    cut.across = across;
    cut.part = in_whole_tiles(rows, cols);
    cut.edge = fixes_columns() ? cols : rows + cols;
    cut.even = rows * down == m && cols * across == n;
    return cut;
  }
  /* The cut with more rows of parts is better if two cuts are equal in all. */
  bool is_better(const Cut& cut, const Cut& than) const {
    if (cut.part != than.part) return cut.part < than.part;
    if (cut.edge != than.edge) return cut.edge < than.edge;
    return !fixes_columns() && cut.down > than.down;
  }
  static int64_t part(int64_t whole, int64_t parts) {
    const int64_t size = ((whole + parts - 1) / parts + 15) / 16 * 16;
    return parts == 1 || size > whole ? whole : size;
  }

  int32_t dim_ = 1;
  int32_t single_m_ = -1;
  int32_t single_n_ = -1;
  int32_t single_k_ = -1;
};

/* For the batches of one core. */
class BatchMatmulTiling : public MatmulApiTilingBase {
 public:
  using MatmulApiTilingBase::MatmulApiTilingBase;
  ACLSIM_REFUSED_TILING(GetCoreNum)
  ACLSIM_REFUSED_TILING(SetBatch)
  ACLSIM_REFUSED_TILING(SetSingleBatch)
};
#undef ACLSIM_REFUSED_TILING

}  // namespace matmul_tiling

#endif /* TILING_MATMUL_TILING_H_ */
