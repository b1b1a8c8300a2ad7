/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a product is cut: singleCoreM x singleCoreN for each core, baseM x baseN x baseK at once. The parts are
 * legal for the chip and even; they need not be those that the vendor's search finds. C++11.
 */
#ifndef TILING_MATMUL_TILING_H_
#define TILING_MATMUL_TILING_H_

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
  DT_FLOAT = 0, DT_FLOAT16 = 1, DT_INT8 = 2, DT_INT32 = 3, DT_UINT8 = 4, DT_INT16 = 6, DT_UINT16 = 7,
  DT_UINT32 = 8, DT_INT64 = 9, DT_UINT64 = 10, DT_DOUBLE = 11, DT_BOOL = 12, DT_BF16 = 27,
  DT_UNDEFINED = 28, DT_INT4 = 29, DT_BFLOAT16 = 33, DT_HIFLOAT8 = 34, DT_FLOAT8_E4M3FN = 35,
  DT_FLOAT8_E5M2 = 36, DT_FLOAT4_E2M1 = 37, DT_FLOAT8_E8M0 = 38, DT_FLOAT4_E1M2 = 39, DT_MAX = 40
};
enum class TPosition : int32_t {
  GM = 0, A1 = 1, A2 = 2, B1 = 3, B2 = 4, C1 = 5, C2 = 6, CO1 = 7, CO2 = 8, VECIN = 9, VECOUT = 10,
  VECCALC = 11, LCM = 11, SPM = 12, SHM = 12, TSCM = 13, MAX = 14
};
enum class CubeFormat : int32_t {
  ND = 0, NZ = 1, ZN = 2, ZZ = 3, NN = 4, ND_ALIGN = 5, SCALAR = 6, VECTOR = 7, ROW_MAJOR = 0,
  COLUMN_MAJOR = 8
};
enum class MatrixTraverse : int32_t { NOSET = 0, FIRSTM = 1, FIRSTN = 2 };
enum class MatrixMadType : int32_t { NORMAL = 0, HF32 = 1, MXMODE = 2 };
enum class DequantType : int32_t { SCALAR = 0, TENSOR = 1 };
enum class ScheduleType : int32_t { INNER_PRODUCT = 0, OUTER_PRODUCT = 1, N_BUFFER_33 = 2 };
enum class TilingPolicy : int32_t {
  FIXED_A_TSCM = 0, FIXED_B_TSCM = 1, FIXED_A_B_TSCM = 2, NO_POLICY = 3
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
  int32_t mmConfigType = 1;
  bool enableL1CacheUB = false;
  ScheduleType scheduleType = ScheduleType::INNER_PRODUCT;
  MatrixTraverse traverse = MatrixTraverse::NOSET;
  bool enVecND2NZ = false;
};

/* A function that is not emulated: a call does not compile. */
#define ACLSIM_REFUSED_TILING(NAME)                                                               \
  template <typename... T>                                                                        \
  int32_t NAME(...) {                                                                             \
    static_assert(sizeof...(T) > 1000,                                                            \
                  "matmul_tiling::" #NAME " is not emulated: of tilings there are those of one product (docs/kernels.md)"); \
    return 0;                                                                                     \
  }

class MatmulApiTilingBase {
 public:
  ACLSIM_REFUSED_TILING(SetScaleAType)
  ACLSIM_REFUSED_TILING(SetScaleBType)
  ACLSIM_REFUSED_TILING(SetALayout)
  ACLSIM_REFUSED_TILING(SetBLayout)
  ACLSIM_REFUSED_TILING(SetCLayout)
  ACLSIM_REFUSED_TILING(SetBatchInfoForNormal)
  ACLSIM_REFUSED_TILING(SetBatchNum)
  ACLSIM_REFUSED_TILING(SetSparse)
  ACLSIM_REFUSED_TILING(EnableL1BankConflictOptimise)

  MatmulApiTilingBase() : MatmulApiTilingBase(platform_ascendc::PlatformAscendC()) {}
  MatmulApiTilingBase(const platform_ascendc::PlatformAscendC &platform) {
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::L0_A, l0a_);
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::L0_B, l0b_);
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::L0_C, l0c_);
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::L1, l1_);
  }
  MatmulApiTilingBase(const PlatformInfo &platform)
      : l0a_(platform.l0ASize), l0b_(platform.l0BSize), l0c_(platform.l0CSize), l1_(platform.l1Size) {}
  virtual ~MatmulApiTilingBase() {}

  int32_t SetAType(TPosition, CubeFormat, DataType type, bool isTrans = false) {
    (void)isTrans;
    type_ = type;
    return 0;
  }
  int32_t SetBType(TPosition, CubeFormat, DataType, bool isTrans = false) {
    (void)isTrans;
    return 0;
  }
  int32_t SetCType(TPosition, CubeFormat, DataType) { return 0; }
  int32_t SetBiasType(TPosition, CubeFormat, DataType) { return 0; }
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
    (void)ubSize;
    (void)btSize;
    if (l1Size > 0) l1_ = static_cast<uint64_t>(l1Size);
    if (l0CSize > 0) l0c_ = static_cast<uint64_t>(l0CSize);
    return 0;
  }
  int32_t SetTraverse(MatrixTraverse traverse) {
    traverse_ = traverse;
    return 0;
  }
  int32_t SetMadType(MatrixMadType) { return 0; }
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
  void SetMatmulConfigParams(const MatmulConfigParams &params) {
    if (params.traverse != MatrixTraverse::NOSET) traverse_ = params.traverse;
  }
  int32_t GetBaseM() const { return made_.baseM; }
  int32_t GetBaseN() const { return made_.baseN; }
  int32_t GetBaseK() const { return made_.baseK; }

  /* 0, or -1 where a shape is missing or a part too large for the chip. */
  virtual int64_t GetTiling(AscendC::tiling::TCubeTiling &tiling) {
    const int64_t result = Compute();
    if (result == 0) tiling = made_;
    return result;
  }
  virtual int64_t GetTiling(optiling::TCubeTiling &tiling) {
    const int64_t result = Compute();
    if (result != 0) return result;
#define ACLSIM_FIELD(name) tiling.set_##name(made_.name);
    ACLSIM_CUBE_TILING_FIELDS(ACLSIM_FIELD)
#undef ACLSIM_FIELD
    return 0;
  }

 protected:
  static int32_t cut(int32_t whole, int32_t part) { return (whole + part - 1) / part; }
  static int32_t up_to(int32_t value, int32_t multiple) { return cut(value, multiple) * multiple; }
  static int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }
  int32_t element() const {
    return type_ == DataType::DT_INT8 ? 1 : type_ == DataType::DT_FLOAT ? 4 : 2;
  }

  virtual int64_t Compute() { return fill(1, 1, -1, -1, -1); }

  /* For a product that is cut into `down` x `across` parts, or into parts of a given size. */
  int64_t fill(int32_t down, int32_t across, int32_t single_m, int32_t single_n, int32_t single_k) {
    const int32_t m = m_ > 0 ? m_ : org_m_;
    const int32_t n = n_ > 0 ? n_ : org_n_;
    const int32_t k = k_ > 0 ? k_ : org_ka_;
    if (m <= 0 || n <= 0 || k <= 0) return -1;
    memset(&made_, 0, sizeof made_);
    made_.M = org_m_ > 0 ? org_m_ : m;
    made_.N = org_n_ > 0 ? org_n_ : n;
    made_.Ka = org_ka_ > 0 ? org_ka_ : k;
    made_.Kb = org_kb_ > 0 ? org_kb_ : k;
    made_.singleCoreM = single_m > 0 ? single_m : down == 1 ? m : least(m, up_to(cut(m, down), 16));
    made_.singleCoreN = single_n > 0 ? single_n : across == 1 ? n : least(n, up_to(cut(n, across), 16));
    made_.singleCoreK = single_k > 0 ? single_k : k;
    made_.usedCoreNum = cut(m, made_.singleCoreM) * cut(n, made_.singleCoreN);
    return fill_base();
  }

  int64_t fill_base() {
    const int32_t block = 32 / element();
    const int32_t depth = block < 16 ? 16 : block;
    const int32_t rows = up_to(made_.singleCoreM, 16);
    const int32_t cols = up_to(made_.singleCoreN, 16);
    made_.baseM = base_m_ > 0 ? base_m_ : least(rows, max_m_ > 0 ? max_m_ : 128);
    const int32_t widest = static_cast<int32_t>(l0c_ / 4) / made_.baseM / 16 * 16;
    made_.baseN = base_n_ > 0 ? base_n_ : least(cols, least(max_n_ > 0 ? max_n_ : 256, widest));
    if (made_.baseN <= 0) return -1;
    const int32_t larger = made_.baseM > made_.baseN ? made_.baseM : made_.baseN;
    /* Two of each at once in L0A and L0B. */
    int32_t deepest = static_cast<int32_t>((l0a_ < l0b_ ? l0a_ : l0b_) / 2) / larger / element();
    deepest = deepest / depth * depth;
    if (deepest <= 0) deepest = depth;
    made_.baseK = base_k_ > 0 ? base_k_
                              : least(up_to(made_.singleCoreK, depth),
                                      least(max_k_ > 0 ? max_k_ : deepest, deepest));
    if (static_cast<uint64_t>(made_.baseM) * static_cast<uint64_t>(made_.baseN) * 4 > l0c_) return -1;
    made_.stepM = made_.stepN = made_.stepKa = made_.stepKb = 1;
    made_.depthA1 = made_.depthB1 = 2;
    made_.isBias = bias_ ? 1 : 0;
    made_.iterateOrder = traverse_ == MatrixTraverse::FIRSTN ? 1 : 0;
    made_.shareL1Size = 2 * (made_.baseM + made_.baseN) * made_.baseK * element();
    made_.shareL0CSize = made_.baseM * made_.baseN * 4;
    made_.batchM = made_.batchN = made_.singleBatchM = made_.singleBatchN = 1;
    made_.depthAL1CacheUB = made_.depthBL1CacheUB = 0;
    made_.dbL0A = made_.dbL0B = 2;
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
  DataType type_ = DataType::DT_FLOAT16;
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
  virtual int32_t SetSingleShape(int32_t singleMIn = -1, int32_t singleNIn = -1, int32_t singleKIn = -1) {
    single_m_ = singleMIn;
    single_n_ = singleNIn;
    single_k_ = singleKIn;
    return 0;
  }
  virtual int32_t SetSingleRange(int32_t = -1, int32_t = -1, int32_t = -1, int32_t = -1, int32_t = -1,
                                 int32_t = -1) {
    return 0;
  }
  int32_t SetAlignSplit(int32_t, int32_t, int32_t) { return 0; }
  int32_t GetSingleShape(int32_t &shapeM, int32_t &shapeN, int32_t &shapeK) {
    shapeM = made_.singleCoreM;
    shapeN = made_.singleCoreN;
    shapeK = made_.singleCoreK;
    return 0;
  }
  int32_t GetCoreNum(int32_t &dim, int32_t &mDim, int32_t &nDim) {
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
    return result == 0 && made_.usedCoreNum > dim_ ? -1 : result;
  }

 private:
  /* The cut whose largest part is smallest, of those the most square. */
  void split(int32_t &down, int32_t &across) const {
    const int64_t m = m_ > 0 ? m_ : org_m_;
    const int64_t n = n_ > 0 ? n_ : org_n_;
    int64_t best = INT64_MAX;
    int64_t best_edge = INT64_MAX;
    for (int32_t d = 1; d <= dim_; ++d) {
      const int32_t a = dim_ / d;
      const int64_t rows = part(m, d);
      const int64_t cols = part(n, a);
      if (rows * cols < best || (rows * cols == best && rows + cols < best_edge)) {
        best = rows * cols;
        best_edge = rows + cols;
        down = d;
        across = a;
      }
    }
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

class BatchMatmulTiling {
 public:
  template <typename... T>
  BatchMatmulTiling(const T &...) {
    static_assert(sizeof...(T) > 1000,
                  "matmul_tiling::BatchMatmulTiling is not emulated: of tilings there are those of one product "
                  "(docs/kernels.md)");
  }
  ACLSIM_REFUSED_TILING(GetCoreNum)
  ACLSIM_REFUSED_TILING(GetTiling)
  ACLSIM_REFUSED_TILING(SetBatch)
  ACLSIM_REFUSED_TILING(SetSingleBatch)
};
#undef ACLSIM_REFUSED_TILING

}  // namespace matmul_tiling

#endif /* TILING_MATMUL_TILING_H_ */
