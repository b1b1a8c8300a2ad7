/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_IMPL_MATMUL_OBJECT_H_
#define ASCENDC_IMPL_MATMUL_OBJECT_H_

#include "ascendc/impl/cube_unit.h"
#include "ascendc/impl/matmul.h"

namespace AscendC {

template <
    class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE,
    const auto& MM_CFG = CFG_NORM, class MM_CB = MatmulCallBackFunc<nullptr, nullptr, nullptr>,
    template <const auto& = MM_CFG, typename...> class MATMUL_POLICY = Impl::Detail::MatmulPolicy>
class Matmul {
  using Tiles = Impl::Detail::aclsimTiles;
  using Quant = aclsim_matmul::Quant;
  static constexpr MatmulConfig kConfig = aclsim_matmul::config_of(MM_CFG);
  static constexpr Tiles kTiles = MATMUL_POLICY<MM_CFG>::tiles;

 public:
  using SrcT = typename A_TYPE::T;
  using SrcAT = typename A_TYPE::T;
  using SrcBT = typename B_TYPE::T;
  using DstT = typename C_TYPE::T;
  using BiasT = typename BIAS_TYPE::T;
  using SumT = typename GetMmDstType<SrcAT>::Type;

  static constexpr bool kCallbacks = MM_CB::aclsim_has_a || MM_CB::aclsim_has_b;
  static_assert(A_TYPE::layout == B_TYPE::layout,
                "AscendC::Matmul: A and B have different layouts of batches");
  static_assert(aclsim_matmul::knows(A_TYPE::format) && aclsim_matmul::knows(B_TYPE::format) &&
                    aclsim_matmul::knows(C_TYPE::format),
                "AscendC::Matmul: of the formats ND, NZ, ND_ALIGN, VECTOR and COLUMN_MAJOR are "
                "emulated");
  /* C has a type that needs SetQuantScalar or SetQuantVector. */
  static constexpr bool kQuantised = aclsim_matmul::quantises<SrcAT, SrcBT, DstT>();
  static_assert(aclsim_matmul::multiplies<SrcAT, SrcBT, DstT>() || kQuantised,
                "AscendC::Matmul: half, bfloat16_t, float, fp8, fp4 and hifloat8_t make half, "
                "bfloat16_t or float, and int8_t and int4b_t make int32_t; with SetQuantScalar or "
                "SetQuantVector, the former make int8_t, uint8_t, fp8_e4m3fn_t and hifloat8_t, and "
                "the latter half, bfloat16_t, int8_t and uint8_t; others are not emulated");
  static constexpr bool aclsim_dual = kConfig.enableMixDualMaster;
  static constexpr bool kScaled = aclsim_matmul::has_scales<A_TYPE>;
  static constexpr bool kSparse = aclsim_matmul::is_sparse<B_TYPE>;
  static_assert(!kSparse || (std::is_same_v<SrcBT, int8_t> && !kCallbacks),
                "AscendC::Matmul: a sparse B has numbers of int8_t, and no callbacks");
  static_assert(kScaled == aclsim_matmul::has_scales<B_TYPE>,
                "AscendC::Matmul: A and B both have scales (MatmulTypeWithScale), or none has");

  void Init(const TCubeTiling* __restrict cubeTiling, TPipe* /*tpipe*/ = nullptr) {
    if (!aclsim_matmul::take_tiling(MM_CFG, cubeTiling, tiling_)) return;
    batch_a_ = batch_b_ = 0;
    org_m_ = tiling_.M;
    org_n_ = tiling_.N;
    org_ka_ = tiling_.Ka;
    org_kb_ = tiling_.Kb;
    org_kc_ = 0;
    single_m_ = tiling_.singleCoreM;
    single_n_ = tiling_.singleCoreN;
    single_k_ = tiling_.singleCoreK;
    restart();
  }
  void SetOrgShape(int orgM, int orgN, int orgK) { SetOrgShape(orgM, orgN, orgK, orgK); }
  void SetOrgShape(int orgM, int orgN, int orgKa, int orgKb, int orgKc = 0) {
    org_m_ = orgM;
    org_n_ = orgN;
    org_ka_ = orgKa;
    org_kb_ = orgKb;
    org_kc_ = orgKc;
  }
  void SetSingleShape(int singleM, int singleN, int singleK) { SetTail(singleM, singleN, singleK); }
  void SetTail(int tailM = -1, int tailN = -1, int tailK = -1) {
    if (tailM != -1) single_m_ = tailM;
    if (tailN != -1) single_n_ = tailN;
    if (tailK != -1) single_k_ = tailK;
    restart();
  }

  template <template <typename> class Tensor>
  ACLSIM_API void SetTensorA(const Tensor<SrcAT>& tensor, bool isTransposeA = false) {
    take(a_, tensor, isTransposeA, A_TYPE::isTrans, "SetTensorA");
  }
  template <template <typename> class Tensor>
  ACLSIM_API void SetTensorB(const Tensor<SrcBT>& tensor, bool isTransposeB = false) {
    take(b_, tensor, isTransposeB, B_TYPE::isTrans, "SetTensorB");
  }
  /* The scales of MX matrices, as the guide's chapter MxMatmul stores them. */
  template <template <typename> class Tensor, typename T>
  void SetTensorScaleA(const Tensor<T>& scales, bool isTransposeScaleA = false) {
    static_assert(kScaled && sizeof(T) == 1, "AscendC::Matmul: A and B have no scales");
    scale_a_.operand = scales.aclsim_operand(ACLSIM_READS);
    scale_a_.transposed = isTransposeScaleA;
    scale_a_.local = std::is_same_v<Tensor<T>, LocalTensor<T>>;
  }
  template <template <typename> class Tensor, typename T>
  void SetTensorScaleB(const Tensor<T>& scales, bool isTransposeScaleB = false) {
    static_assert(kScaled && sizeof(T) == 1, "AscendC::Matmul: A and B have no scales");
    scale_b_.operand = scales.aclsim_operand(ACLSIM_READS);
    scale_b_.transposed = isTransposeScaleB;
    scale_b_.local = std::is_same_v<Tensor<T>, LocalTensor<T>>;
  }
  void SetTensorA(SrcAT) {
    static_assert(aclsim_matmul::never<A_TYPE>,
                  "AscendC::Matmul::SetTensorA of a scalar is not emulated");
  }
  void SetTensorB(SrcBT) {
    static_assert(aclsim_matmul::never<A_TYPE>,
                  "AscendC::Matmul::SetTensorB of a scalar is not emulated");
  }
  template <template <typename> class Tensor>
  void SetBias(const Tensor<BiasT>& bias) {
    bias_.set(bias, false);
    has_bias_ = true;
  }
  /* The parameter of all columns of C, or a vector with one for each, in the format of Fixpipe:
   * float bits of the factor in bits 13 to 31, for int8_t the offset in bits 37 to 45. */
  void SetQuantScalar(const uint64_t quantScalar) {
    require_quant();
    quant_ = Quant::scalar;
    quant_scalar_ = quantScalar;
  }
  template <template <typename> class Tensor>
  void SetQuantVector(const Tensor<uint64_t>& quantTensor) {
    require_quant();
    quant_ = Quant::columns;
    quant_vector_.set(quantTensor, false);
  }
  void DisableBias() { has_bias_ = false; }
  void ClearBias() { has_bias_ = false; }

  /* Selects the next tile of baseM x baseN; false after the last. GetTensorC computes the tile. */
  template <bool sync = true>
  ACLSIM_API bool Iterate(bool enPartialSum = false) {
    require_results<std::bool_constant<sync>>();
    if (idle()) return false;
    aclsim_matmul::require_cube(ACLSIM_SITE);
    if (enPartialSum) {
      aclsimViolation("Matmul: Iterate with enPartialSum is not emulated", 0, 0, ACLSIM_SITE);
    }
    if (!sync) {
      next_ = 0;
      ahead_ = true;
      return true;
    }
    if (next_ >= tiles()) {
      restart();
      return false;
    }
    tile_ = next_++;
    return true;
  }
  /* The same; the tile is in L0C behind the call. */
  ACLSIM_API bool Iterate(bool enPartialSum, const LocalTensor<DstT>& localCmatrix) {
    if (!Iterate(enPartialSum)) return false;
    if (!skips(tile_)) store_local("Iterate", localCmatrix, tile_, 0, ACLSIM_SITE);
    return true;
  }
  template <bool sync = true>
  ACLSIM_API void GetTensorC(const LocalTensor<DstT>& co2Local, uint8_t enAtomic = 0,
                             bool enSequentialWrite = false) {
    (void)enSequentialWrite; /* a tile of its own either way */
    if (!next_tile()) return;
    store_local("GetTensorC", co2Local, tile_, enAtomic, ACLSIM_SITE);
  }
  template <bool sync = true>
  ACLSIM_API void GetTensorC(const GlobalTensor<DstT>& gm, uint8_t enAtomic = 0,
                             bool enSequentialWrite = false) {
    if (!next_tile()) return;
    store_tile("GetTensorC", gm, tile_, enAtomic, enSequentialWrite, 0, ACLSIM_SITE);
  }
  template <bool sync = true>
  ACLSIM_API void GetTensorC(const GlobalTensor<DstT>& gm, const LocalTensor<DstT>& co2Local,
                             uint8_t enAtomic = 0, bool enSequentialWrite = false) {
    if (!next_tile()) return;
    store_tile("GetTensorC", gm, tile_, enAtomic, enSequentialWrite, 0, ACLSIM_SITE);
    store_local("GetTensorC", co2Local, tile_, 0, ACLSIM_SITE);
  }
  template <bool sync = true>
  ACLSIM_API void IterateAll(const GlobalTensor<DstT>& gm, uint8_t enAtomic = 0,
                             bool enSequentialWrite = false, bool /*waitIterateAll*/ = false,
                             bool /*fakeMsg*/ = false) {
    if (idle()) return;
    aclsim_matmul::require_cube(ACLSIM_SITE);
    if (enSequentialWrite || kCallbacks || kTiles == Tiles::UPPER || kTiles == Tiles::LOWER) {
      for (uint32_t tile = 0; tile < tiles(); ++tile) {
        if (skips(tile)) continue;
        store_tile("IterateAll", gm, tile, enAtomic, enSequentialWrite, tile, ACLSIM_SITE);
      }
    } else {
      store_tile("IterateAll", gm, kWhole, enAtomic, false, 0, ACLSIM_SITE);
    }
    restart();
  }
  template <bool sync = true>
  ACLSIM_API void IterateAll(const LocalTensor<DstT>& ubCmatrix, uint8_t enAtomic = 0) {
    require_results<std::bool_constant<sync>>();
    if (idle()) return;
    aclsim_matmul::require_cube(ACLSIM_SITE);
    store_local("IterateAll", ubCmatrix, kWhole, enAtomic, ACLSIM_SITE);
    restart();
  }

  /* Batches. A matrix of the smaller side belongs to as many neighbours of the other. */
  void SetBatchNum(int32_t batchA, int32_t batchB) {
    batch_a_ = batchA;
    batch_b_ = batchB;
  }
  template <bool sync = true, bool waitIterateBatch = false>
  ACLSIM_API void IterateBatch(const GlobalTensor<DstT>& gm, uint32_t batchA, uint32_t batchB,
                               bool enSequentialWrite, uint32_t matrixStrideA = 0,
                               uint32_t matrixStrideB = 0, uint32_t /*matrixStrideC*/ = 0,
                               bool enPartialSum = false, uint8_t enAtomic = 0) {
    if (idle()) return;
    const Batches batches{batchA, batchB, matrixStrideA, matrixStrideB, enSequentialWrite};
    batch("IterateBatch", gm, batches, 0, enPartialSum, enAtomic, ACLSIM_SITE);
  }
  template <bool sync = true>
  ACLSIM_API void IterateBatch(const LocalTensor<DstT>& ubCmatrix, uint32_t batchA, uint32_t batchB,
                               bool /*enSequentialWrite*/, uint32_t matrixStrideA = 0,
                               uint32_t matrixStrideB = 0, uint32_t /*matrixStrideC*/ = 0,
                               bool enPartialSum = false, uint8_t enAtomic = 0) {
    if (idle()) return;
    const Batches batches{batchA, batchB, matrixStrideA, matrixStrideB, true};
    batch("IterateBatch", ubCmatrix, batches, 0, enPartialSum, enAtomic, ACLSIM_SITE);
  }
  /* The numbers of matrices come from SetBatchNum. */
  template <template <typename> class Tensor, typename Partial,
            std::enable_if_t<std::is_same_v<Partial, bool>, int> = 0>
  ACLSIM_API void IterateBatch(const Tensor<DstT>& to, Partial enPartialSum, uint8_t enAtomic,
                               bool enSequentialWrite, uint32_t matrixStrideA = 0,
                               uint32_t matrixStrideB = 0, uint32_t /*matrixStrideC*/ = 0) {
    if (idle()) return;
    const Batches batches{number(batch_a_), number(batch_b_), matrixStrideA, matrixStrideB,
                          enSequentialWrite};
    batch("IterateBatch", to, batches, 0, enPartialSum, enAtomic, ACLSIM_SITE);
  }
  /* batchLoop times IterateBatch, into the memory of SetWorkspace. */
  template <bool sync = true, bool waitIterateBatch = false>
  ACLSIM_API void IterateNBatch(uint32_t batchLoop, uint32_t batchA, uint32_t batchB,
                                bool enSequentialWrite, uint32_t matrixStrideA = 0,
                                uint32_t matrixStrideB = 0, uint32_t /*matrixStrideC*/ = 0) {
    static_assert(kConfig.isNBatch, "AscendC::Matmul::IterateNBatch needs isNBatch");
    if (idle()) return;
    const Batches batches{batchA, batchB, matrixStrideA, matrixStrideB, enSequentialWrite};
    for (uint32_t i = 0; i < batchLoop; ++i) {
      batch("IterateNBatch", workspace_, batches, i, false, 0, ACLSIM_SITE);
    }
    next_batch_ = 0;
  }
  /* The results of one turn of IterateNBatch<false>, in the memory of SetWorkspace. */
  template <bool sync = true>
  GlobalTensor<DstT> GetBatchTensorC(uint32_t batchA, uint32_t batchB,
                                     bool /*enSequentialWrite*/ = false) {
    const uint64_t first = uint64_t{next_batch_++} * (batchA > batchB ? batchA : batchB);
    return workspace_[begin_of(C_TYPE::layout, axes_c(), 0, elements_of(global_c(), kWhole),
                               first)];
  }
  template <bool sync = true>
  void GetBatchTensorC(const LocalTensor<DstT>&, uint32_t, uint32_t, bool = false) {
    static_assert(aclsim_matmul::never<A_TYPE, std::bool_constant<sync>>,
                  "AscendC::Matmul::GetBatchTensorC into local memory is not emulated");
  }
  template <bool sync = true>
  GlobalTensor<DstT> GetBatchC(uint32_t batchA, uint32_t batchB, bool enSequentialWrite = false) {
    return GetBatchTensorC<sync>(batchA, batchB, enSequentialWrite);
  }
  void WaitIterateBatch() {}
  void WaitIterateAll() {} /* all is computed at the call */
  void WaitGetTensorC() {}
  template <bool isTurnOnDebug = true>
  MatrixOffset GetOffsetC() {
    const Part part = part_of(tile_);
    const int32_t stride = static_cast<int32_t>(global_c().stride);
    return {static_cast<int32_t>(part.row) * stride + static_cast<int32_t>(part.col),
            static_cast<int32_t>(part.row), static_cast<int32_t>(part.col),
            static_cast<int32_t>(part.rows), static_cast<int32_t>(part.cols)};
  }
  void End() { restart(); }

  /* How data flow, which changes no result. HF32 rounds sources on hardware; here they keep all
   * bits. */
  void SetHF32(bool /*enableHF32*/ = false, int32_t /*transMode*/ = 0) {}
  void SetSubBlockIdx(uint8_t subBlockIdx) { sub_block_ = subBlockIdx; }
  uint8_t GetSubBlockIdx() { return sub_block_; }
  /* Only IterateNBatch writes there. size: bytes */
  template <class T>
  void SetWorkspace(__gm__ const T* addr, int size) {
    workspace_.SetGlobalBuffer(reinterpret_cast<__gm__ DstT*>(const_cast<__gm__ T*>(addr)),
                               number(size) / sizeof(DstT));
  }
  template <class T>
  void SetWorkspace(GlobalTensor<T>& addr) {
    if constexpr (std::is_same_v<T, DstT>) {
      workspace_ = addr;
    } else {
      workspace_.SetGlobalBuffer(
          reinterpret_cast<__gm__ DstT*>(const_cast<__gm__ T*>(addr.GetPhyAddr())));
    }
  }
  /* In fractals of 16 columns of B and 8 bytes, each with the index of 4 numbers. */
  void SetSparseIndex(const GlobalTensor<uint8_t>& indexGlobal) {
    static_assert(kSparse, "AscendC::Matmul::SetSparseIndex: B is not sparse (SparseMatmulType)");
    index_ = indexGlobal.aclsim_operand(ACLSIM_READS);
  }
  /* The last two arguments of callbacks. */
  void SetUserDefInfo(const uint64_t tilingPtr) { user_info_ = tilingPtr; }
  void SetSelfDefineData(const uint64_t dataPtr) { self_data_ = dataPtr; }
  void SetLocalWorkspace(const LocalTensor<uint8_t>& /*tmpBuffer*/) {}

#define ACLSIM_NO_MATMUL(NAME)                                                                  \
  template <typename... Args>                                                                   \
  void NAME(Args&&...) {                                                                        \
    static_assert(aclsim_matmul::never<Args...>, "AscendC::Matmul::" #NAME " is not emulated"); \
  }
  ACLSIM_NO_MATMUL(SetAntiQuantScalar)
  ACLSIM_NO_MATMUL(SetAntiQuantVector)
#undef ACLSIM_NO_MATMUL

 private:
  static constexpr uint32_t kWhole = ~0U; /* all tiles at once */

  struct Part {
    uint32_t row;
    uint32_t col;
    uint32_t rows;
    uint32_t cols;
  };
  /* One product: a part of C, how the matrices are stored, and where they begin, in elements. */
  struct Work {
    Part part;
    aclsimMatrix a;
    aclsimMatrix b;
    aclsimMatrix c;
    uint64_t a_at = 0;
    uint64_t b_at = 0;
    uint64_t bias_at = 0;
  };

  /* Whether calls of this core have no effect: another core of its group computes. */
  static bool idle() {
    return aclsim_dual ? aclsimThisCore()->kind != ACLSIM_AIC : aclsim_matmul::serves();
  }
  /* With enableMixDualMaster only IterateAll into global memory has results. */
  template <typename T>
  static constexpr void require_results() {
    static_assert(
        !aclsim_dual || aclsim_matmul::never<T>,
        "AscendC::Matmul with enableMixDualMaster has IterateAll into a GlobalTensor alone");
  }

  static uint32_t cut(uint32_t whole, uint32_t part) {
    return part == 0 ? 0 : (whole + part - 1) / part;
  }
  static uint32_t number(int32_t value) { return value < 0 ? 0 : static_cast<uint32_t>(value); }
  uint32_t base_m() const { return number(tiling_.baseM); }
  uint32_t base_n() const { return number(tiling_.baseN); }
  uint32_t tiles() const {
    return cut(number(single_m_), base_m()) * cut(number(single_n_), base_n());
  }
  bool rows_first() const {
    if constexpr (kConfig.iterateOrder != IterateOrder::UNDEF) {
      return kConfig.iterateOrder == IterateOrder::ORDER_M;
    }
    return tiling_.iterateOrder == 0;
  }
  Part part_of(uint32_t tile) const {
    const uint32_t m = number(single_m_);
    const uint32_t n = number(single_n_);
    if (tile == kWhole) return {0, 0, m, n};
    const uint32_t down = cut(m, base_m());
    const uint32_t across = cut(n, base_n());
    if (down == 0 || across == 0) return {0, 0, 0, 0};
    const uint32_t row = (rows_first() ? tile % down : tile / across) * base_m();
    const uint32_t col = (rows_first() ? tile / down : tile % across) * base_n();
    return {row, col, m - row < base_m() ? m - row : base_m(),
            n - col < base_n() ? n - col : base_n()};
  }
  void restart() {
    next_ = 0;
    ahead_ = false;
  }
  /* With Iterate<false>() the tiles come one after the other. */
  bool next_tile() {
    require_results<DstT>();
    if (idle()) return false;
    if (ahead_) tile_ = next_++;
    return !skips(tile_);
  }
  /* Whether a triangular policy leaves the tile as it was. */
  bool skips(uint32_t tile) const {
    if constexpr (kTiles == Tiles::UPPER || kTiles == Tiles::LOWER) {
      const Part part = part_of(tile);
      const uint32_t row = part.row / base_m(), col = part.col / base_n();
      return kTiles == Tiles::UPPER ? row > col : row < col;
    }
    return false;
  }
  /* The part of a tile that this vector core of two gets in its unified buffer. */
  Part half_of(Part part) const {
    const bool second = aclsimThisCore()->sub_block != 0;
    if constexpr (kTiles == Tiles::SPLIT_M) {
      const uint32_t first = (part.rows + 1) / 2;
      return second ? Part{part.row + first, part.col, part.rows - first, part.cols}
                    : Part{part.row, part.col, first, part.cols};
    } else if constexpr (kTiles == Tiles::SPLIT_N) {
      const uint32_t first = (part.cols + 1) / 2;
      return second ? Part{part.row, part.col + first, part.rows, part.cols - first}
                    : Part{part.row, part.col, part.rows, first};
    }
    return part;
  }

  template <typename T, template <typename> class Tensor>
  ACLSIM_API void take(aclsim_matmul::Side<T>& side, const Tensor<T>& tensor, bool transposed,
                       bool may, const char* called) {
    if (transposed && !may) {
      aclsimForbidden(
          called[9] == 'A'
              ? "Matmul: SetTensorA with isTransposeA; expected isTrans in the type of A"
              : "Matmul: SetTensorB with isTransposeB; expected isTrans in the type of B",
          ACLSIM_SITE);
    }
    side.set(tensor, transposed);
    restart();
  }

  /* Results in fractals have 16 elements in a row of one, or 32 of a byte. */
  static aclsimMatrix result(uint32_t rows, uint32_t cols) {
    aclsimMatrix made = aclsim_matmul::layout<C_TYPE::format, DstT>(rows, cols, false);
    if (!kConfig.isEnableChannelSplit && sizeof(DstT) != 1) made.fractal = 16;
    return made;
  }
  static constexpr uint32_t quant_mode(Quant quant) {
    return aclsim_matmul::quant_mode(aclsim_element::of<SumT>, aclsim_element::of<DstT>, quant);
  }
  template <typename T = DstT>
  static constexpr void require_quant() {
    static_assert(quant_mode(Quant::scalar) != NoQuant && sizeof(T) != 0,
                  "AscendC::Matmul: results of this type have no parameter of quantisation");
  }
  aclsimMatrix global_c() const {
    return result(number(org_m_), number(org_kc_ != 0 ? org_kc_ : org_n_));
  }
  /* In local memory each row begins at a multiple of 32 bytes. */
  static aclsimMatrix local_result(uint32_t rows, uint32_t cols) {
    constexpr uint32_t kBlock = aclsim_matmul::per_block<DstT>();
    if constexpr (C_TYPE::format == CubeFormat::COLUMN_MAJOR) {
      return result(aclsim_matmul::up_to(rows, kBlock), cols);
    }
    return result(rows, aclsim_matmul::up_to(cols, kBlock));
  }
  template <typename TYPE, typename T>
  static aclsimMatrix operand(uint32_t rows, uint32_t cols, bool transposed, bool local) {
    aclsimMatrix made = aclsim_matmul::layout<TYPE::format, T>(rows, cols, transposed);
    if (local && made.format == ACLSIM_MATRIX_ROWS) {
      made.stride =
          aclsim_matmul::up_to(static_cast<uint32_t>(made.stride), aclsim_matmul::per_block<T>());
    }
    return made;
  }
  aclsimMatrix layout_a() const {
    const uint32_t rows = number(a_.local ? single_m_ : org_m_);
    const uint32_t cols = number(a_.local ? single_k_ : org_ka_);
    return operand<A_TYPE, SrcAT>(rows, cols, a_.transposed, a_.local);
  }
  aclsimMatrix layout_b() const {
    const uint32_t rows = number(b_.local ? single_k_ : org_kb_) / (kSparse ? 2 : 1);
    const uint32_t cols = number(b_.local ? single_n_ : org_n_);
    return operand<B_TYPE, SrcBT>(rows, cols, b_.transposed, b_.local);
  }

  void store_tile(const char* called, const GlobalTensor<DstT>& gm, uint32_t tile, uint8_t atomic,
                  bool sequential, uint32_t behind, const void* site) {
    aclsimOperand to = gm.aclsim_operand(ACLSIM_WRITES);
    Work work{part_of(tile), layout_a(), layout_b(), global_c()};
    if (sequential) {
      aclsim_matmul::Side<DstT>::advance(to, uint64_t(behind) * base_m() * base_n());
      work.c = result(base_m(), base_n());
    } else {
      aclsim_matmul::Side<DstT>::advance(
          to, aclsim_matmul::place(work.c, work.part.row, work.part.col));
    }
    if constexpr (kCallbacks) return store_by_blocks(called, to, work, atomic, site);
    issue(called, to, work, atomic, site);
  }
  /* The product of a tile whose sources callbacks copy into L1, block by block along the depth. The
   * sums are in L0C. */
  void store_by_blocks(const char* called, const aclsimOperand& to, Work work, uint8_t atomic,
                       const void* site) {
    static_assert(!kScaled, "AscendC::Matmul with callbacks and scales is not emulated");
    const Part& part = work.part;
    const uint32_t depth = number(single_k_);
    const uint32_t blocks = kConfig.doMultiDataLoad ? number(tiling_.stepKa) : 1;
    const uint32_t step = tiling_.baseK > 0 ? number(tiling_.baseK) * (blocks ? blocks : 1) : depth;
    const aclsimMatrix c = work.c;
    const LocalTensor<SumT> sums(TPosition::CO1, 0, padded(part.rows, part.cols));
    work.c = {ACLSIM_MATRIX_FRACTALS, 0, aclsim_matmul::up_to(part.rows, 16), 16, 0};
    for (uint32_t k = 0, block = 0; k < depth; k += step, ++block) {
      const uint32_t here = depth - k < step ? depth - k : step;
      aclsimOperand a = source(a_, work.a, part.row, k), b = source(b_, work.b, k, part.col);
      Work of_block = work;
      uint64_t top = aclsimLocalSize(static_cast<uint32_t>(TPosition::A1));
      if constexpr (MM_CB::aclsim_has_a) {
        const auto l1 = block_in_l1<SrcAT>(top, part.rows, here, a_.transposed, of_block.a, a);
        MM_CB::aclsim_a(l1, static_cast<const __gm__ void*>(a_.operand.address),
                        static_cast<int>(part.row / base_m()), static_cast<int>(block),
                        static_cast<int>(part.rows), static_cast<int>(here), user_info_,
                        self_data_);
      }
      if constexpr (MM_CB::aclsim_has_b) {
        const auto l1 = block_in_l1<SrcBT>(top, here, part.cols, b_.transposed, of_block.b, b);
        MM_CB::aclsim_b(l1, static_cast<const __gm__ void*>(b_.operand.address),
                        static_cast<int>(block), static_cast<int>(part.col / base_n()),
                        static_cast<int>(here), static_cast<int>(part.cols), user_info_,
                        self_data_);
      }
      multiply(called, sums.aclsim_operand(ACLSIM_WRITES), of_block, here, a, b, k == 0, k != 0,
               false, site);
    }
    store_sums(sums.aclsim_operand(ACLSIM_READS), to, part, c, atomic, site);
  }
  static uint32_t padded(uint32_t rows, uint32_t cols) {
    return aclsim_matmul::up_to(rows, 16) * aclsim_matmul::up_to(cols, 16);
  }
  template <typename T>
  static aclsimOperand source(const aclsim_matmul::Side<T>& side, const aclsimMatrix& in,
                              uint32_t row, uint32_t col) {
    aclsimOperand moved = side.operand;
    aclsim_matmul::Side<T>::advance(moved, aclsim_matmul::place(in, row, col));
    return moved;
  }
  /* Room for a block below `top` in L1, and the block as a source. */
  template <typename T>
  static LocalTensor<int8_t> block_in_l1(uint64_t& top, uint32_t rows, uint32_t cols,
                                         bool transposed, aclsimMatrix& layout,
                                         aclsimOperand& operand) {
    layout = aclsim_matmul::layout<CubeFormat::NZ, T>(rows, cols, transposed);
    const uint32_t across = aclsim_matmul::up_to(transposed ? rows : cols, layout.fractal);
    const uint64_t bytes = layout.stride * across * sizeof(T) / aclsim_element::per_byte<T>;
    top -= bytes < top ? (bytes + 31) / 32 * 32 : top;
    const LocalTensor<int8_t> block(TPosition::A1, static_cast<uint32_t>(top),
                                    static_cast<uint32_t>(bytes));
    operand = block.template ReinterpretCast<T>().aclsim_operand(ACLSIM_READS);
    return block;
  }
  void store_sums(const aclsimOperand& sums, aclsimOperand to, const Part& part,
                  const aclsimMatrix& c, uint8_t atomic, const void* site) {
    constexpr int64_t kBytes = sizeof(DstT);
#if ACLSIM_NPU_ARCH == 2201
    /* Results reach the unified buffer through global memory, which is left out. */
    if (to.position != static_cast<uint8_t>(TPosition::GM)) {
      to.position = static_cast<uint8_t>(TPosition::A1);
    }
#endif
    auto fixpipe = aclsim_cube::params_of<aclsimFixpipe>("Matmul");
    fixpipe.rows = part.rows;
    fixpipe.cols = part.cols;
    fixpipe.matrices = 1;
    fixpipe.src_stride = aclsim_matmul::up_to(part.rows, 16) * aclsim_cube::kRowOfSums;
    fixpipe.src_row = aclsim_cube::kRowOfSums;
    fixpipe.quant = quant_mode(quant_);
    fixpipe.scale = quant_scalar_;
    fixpipe.relu = kConfig.enableRelu ? 1 : 0;
    fixpipe.layout = c.format != ACLSIM_MATRIX_ROWS ? ACLSIM_FIXPIPE_FRACTALS
                     : c.transposed                 ? ACLSIM_FIXPIPE_COLUMNS
                                                    : ACLSIM_FIXPIPE_ROWS;
    fixpipe.dst_stride = static_cast<int64_t>(c.stride) * kBytes;
    if (fixpipe.layout == ACLSIM_FIXPIPE_FRACTALS) fixpipe.dst_stride *= c.fractal;
    if (atomic != 0) SetAtomicAdd<DstT>();
    aclsimPipeBarrier(PIPE_ALL, site);
    if (quant_ == Quant::columns) {
      /* The object leaves out the copy into the fixpipe buffer, as the copies of the sources. */
      aclsimOperand columns = quant_vector_.operand;
      columns.position = static_cast<uint8_t>(TPosition::C2PIPE2GM);
      aclsim_matmul::Side<uint64_t>::advance(columns, part.col);
      aclsim_cube::issue(ACLSIM_CUBE_FIXPIPE, PIPE_FIX, fixpipe, site, to, sums, columns);
    } else {
      aclsim_cube::issue(ACLSIM_CUBE_FIXPIPE, PIPE_FIX, fixpipe, site, to, sums);
    }
    aclsimPipeBarrier(PIPE_ALL, site);
    if (atomic != 0) SetAtomicNone();
  }
  void store_local(const char* called, const LocalTensor<DstT>& to, uint32_t tile, uint8_t atomic,
                   const void* site) {
    static_assert(!kCallbacks || aclsim_matmul::never<A_TYPE>,
                  "AscendC::Matmul with callbacks has results in a GlobalTensor alone");
    const Part part = half_of(part_of(tile));
    if (part.rows == 0 || part.cols == 0) return;
    issue(called, to.aclsim_operand(ACLSIM_WRITES),
          {part, layout_a(), layout_b(), local_result(part.rows, part.cols)}, atomic, site);
  }

  struct Batches {
    uint32_t a;
    uint32_t b;
    uint32_t stride_a; /* elements from a matrix to the next; 0: as the layout has them */
    uint32_t stride_b;
    bool sequential;
  };
  aclsim_matmul::Axes axes_a() const {
    return {tiling_.ALayoutInfoB, tiling_.ALayoutInfoS, tiling_.ALayoutInfoN, tiling_.ALayoutInfoG,
            tiling_.ALayoutInfoD};
  }
  aclsim_matmul::Axes axes_b() const {
    return {tiling_.BLayoutInfoB, tiling_.BLayoutInfoS, tiling_.BLayoutInfoN, tiling_.BLayoutInfoG,
            tiling_.BLayoutInfoD};
  }
  aclsim_matmul::Axes axes_c() const {
    return {tiling_.CLayoutInfoB, tiling_.CLayoutInfoS1, tiling_.CLayoutInfoN, tiling_.CLayoutInfoG,
            tiling_.CLayoutInfoS2};
  }
  static constexpr bool has_axes(LayoutMode layout) {
    return layout != LayoutMode::NONE && layout != LayoutMode::NORMAL;
  }
  /* Elements of a matrix that is not part of a layout of several. */
  static uint64_t elements_of(const aclsimMatrix& in, uint64_t rows, uint64_t cols) {
    if (in.transposed) std::swap(rows, cols);
    return in.stride * (in.format == ACLSIM_MATRIX_ROWS
                            ? rows
                            : (cols + in.fractal - 1) / in.fractal * in.fractal);
  }
  uint64_t elements_of(const aclsimMatrix& c, uint32_t tile) const {
    const Part part = part_of(tile);
    return elements_of(c, part.rows, part.cols);
  }
  static uint64_t begin_of(LayoutMode layout, const aclsim_matmul::Axes& axes, uint32_t stride,
                           uint64_t alone, uint64_t index) {
    return has_axes(layout) ? axes.begin(layout, index) : index * (stride != 0 ? stride : alone);
  }
  aclsimMatrix with_axes(aclsimMatrix in, LayoutMode layout,
                         const aclsim_matmul::Axes& axes) const {
    if (has_axes(layout) && in.format == ACLSIM_MATRIX_ROWS) in.stride = axes.stride(layout);
    return in;
  }

  template <template <typename> class Tensor>
  void batch(const char* called, const Tensor<DstT>& to, const Batches& batches, uint64_t turn,
             bool partial, uint8_t atomic, const void* site) {
    constexpr bool kLocal = std::is_same_v<Tensor<DstT>, LocalTensor<DstT>>;
    require_results<Tensor<DstT>>();
    aclsim_matmul::require_cube(site);
    const uint32_t most = batches.a > batches.b ? batches.a : batches.b;
    const uint32_t least = batches.a > batches.b ? batches.b : batches.a;
    if (least == 0 || most % least != 0) {
      aclsimViolation("Matmul: batchA and batchB are not multiples of each other", 0, 0, site);
    }
    if (partial) aclsimViolation("Matmul: enPartialSum is not emulated", 0, 0, site);
    if (has_axes(C_TYPE::layout) &&
        axes_c().g < (axes_a().g > axes_b().g ? axes_a().g : axes_b().g)) {
      aclsimViolation("Matmul: a sum over the axis G is not emulated", 0, 0, site);
    }
    Work work{part_of(kWhole),
              with_axes(layout_a(), A_TYPE::layout, axes_a()),
              with_axes(layout_b(), B_TYPE::layout, axes_b()),
              {}};
    const uint64_t alone_a = elements_of(work.a, number(org_m_), number(org_ka_));
    const uint64_t alone_b = elements_of(work.b, number(org_kb_), number(org_n_));
    const Part part = work.part;
    const bool close = kLocal || batches.sequential;
    work.c = kLocal               ? local_result(part.rows, part.cols)
             : batches.sequential ? result(part.rows, part.cols)
                                  : with_axes(global_c(), C_TYPE::layout, axes_c());
    const uint64_t alone_c =
        close ? elements_of(work.c, kWhole) : elements_of(work.c, number(org_m_), number(org_n_));
    for (uint64_t i = 0; i < most; ++i) {
      const uint64_t index = turn * most + i;
      work.a_at =
          begin_of(A_TYPE::layout, axes_a(), batches.stride_a, alone_a, index / (most / batches.a));
      work.b_at =
          begin_of(B_TYPE::layout, axes_b(), batches.stride_b, alone_b, index / (most / batches.b));
      work.bias_at = kConfig.isBiasBatch ? index * part.cols : 0;
      aclsimOperand at = to.aclsim_operand(ACLSIM_WRITES);
      aclsim_matmul::Side<DstT>::advance(
          at, close ? index * alone_c : begin_of(C_TYPE::layout, axes_c(), 0, alone_c, index));
      issue(called, at, work, atomic, site);
    }
  }

  void issue(const char* called, const aclsimOperand& to, const Work& work, uint8_t atomic,
             const void* site) {
    if constexpr (kQuantised) {
      if (quant_ == Quant::none) {
        aclsimViolation("Matmul: expected SetQuantScalar or SetQuantVector", 0, 0, site);
      }
    }
    if (quant_ != Quant::none) return issue_by_sums(called, to, work, atomic, site);
    aclsimOperand a = a_.operand, b = b_.operand;
    aclsim_matmul::Side<SrcAT>::advance(a,
                                        work.a_at + aclsim_matmul::place(work.a, work.part.row, 0));
    aclsim_matmul::Side<SrcBT>::advance(b,
                                        work.b_at + aclsim_matmul::place(work.b, 0, work.part.col));
    multiply(called, to, work, number(single_k_), a, b, true, atomic, kConfig.enableRelu, site);
  }
  /* The same for results that Fixpipe makes, tile by tile: the sums are in L0C. */
  void issue_by_sums(const char* called, const aclsimOperand& to, const Work& work, uint8_t atomic,
                     const void* site) {
    const Part whole = work.part;
    const uint32_t rows = base_m() != 0 ? base_m() : whole.rows;
    const uint32_t cols = base_n() != 0 ? base_n() : whole.cols;
    for (uint32_t row = 0; row < whole.rows; row += rows) {
      for (uint32_t col = 0; col < whole.cols; col += cols) {
        Work tile = work;
        tile.part = {whole.row + row, whole.col + col,
                     whole.rows - row < rows ? whole.rows - row : rows,
                     whole.cols - col < cols ? whole.cols - col : cols};
        const Part& part = tile.part;
        const LocalTensor<SumT> sums(TPosition::CO1, 0, padded(part.rows, part.cols));
        tile.c = {ACLSIM_MATRIX_FRACTALS, 0, aclsim_matmul::up_to(part.rows, 16), 16, 0};
        aclsimOperand a = a_.operand, b = b_.operand, at = to;
        aclsim_matmul::Side<SrcAT>::advance(a,
                                            work.a_at + aclsim_matmul::place(work.a, part.row, 0));
        aclsim_matmul::Side<SrcBT>::advance(b,
                                            work.b_at + aclsim_matmul::place(work.b, 0, part.col));
        aclsim_matmul::Side<DstT>::advance(at, aclsim_matmul::place(work.c, row, col));
        multiply(called, sums.aclsim_operand(ACLSIM_WRITES), tile, number(single_k_), a, b, true, 0,
                 false, site);
        store_sums(sums.aclsim_operand(ACLSIM_READS), at, part, work.c, atomic, site);
      }
    }
  }
  /* A product over a part of the depth. */
  void multiply(const char* called, const aclsimOperand& to, const Work& work, uint32_t depth,
                const aclsimOperand& a, const aclsimOperand& b, bool with_bias, uint8_t atomic,
                bool relu, const void* site) {
    aclsimMatmul what{};
    what.size = sizeof what;
    what.rows = work.part.rows;
    what.cols = work.part.cols;
    what.depth = depth;
    what.a = work.a;
    what.b = work.b;
    what.c = work.c;
    what.atomic = atomic;
    what.relu = relu ? 1 : 0;
    what.called = called;
    aclsimInstruction instruction{};
    instruction.size = sizeof instruction;
    instruction.opcode = ACLSIM_CUBE_MATMUL;
    instruction.pipe = PIPE_M;
    const bool biased = has_bias_ && with_bias;
    instruction.operands = kScaled || kSparse ? 6 : biased ? 4 : 3;
    if constexpr (kSparse) {
      if (index_.address == nullptr) {
        aclsimViolation("Matmul: expected SetSparseIndex", 0, 0, site);
      }
      what.index_stride = uint64_t{aclsim_matmul::up_to(number(org_n_), 16)} * 8;
      instruction.operand[5] = index_;
      aclsim_matmul::Side<uint8_t>::advance(instruction.operand[5], uint64_t{work.part.col} * 8);
    }
    instruction.site = site;
    instruction.more = &what;
    instruction.operand[0] = to;
    instruction.operand[1] = a;
    instruction.operand[2] = b;
    if (biased) {
      instruction.operand[3] = bias_.operand;
      aclsim_matmul::Side<BiasT>::advance(instruction.operand[3], work.bias_at + work.part.col);
    }
    if constexpr (kScaled) add_scales(what, instruction, work.part, site);
    aclsimPipeBarrier(PIPE_ALL, site);
    aclsimIssue(&instruction);
    aclsimPipeBarrier(PIPE_ALL, site);
  }

  /* scaleA goes by pairs if it is transposed, scaleB if it is not. */
  void add_scales(aclsimMatmul& what, aclsimInstruction& instruction, const Part& part,
                  const void* site) const {
    if (scale_a_.operand.address == nullptr || scale_b_.operand.address == nullptr) {
      aclsimViolation("Matmul: expected SetTensorScaleA and SetTensorScaleB", 0, 0, site);
    }
    what.a_scales = aclsim_matmul::scales<A_TYPE>(number(scale_a_.local ? single_m_ : org_m_),
                                                  number(scale_a_.local ? single_k_ : org_ka_),
                                                  scale_a_.transposed);
    what.b_scales = aclsim_matmul::scales<B_TYPE>(number(scale_b_.local ? single_n_ : org_n_),
                                                  number(scale_b_.local ? single_k_ : org_kb_),
                                                  !scale_b_.transposed);
    instruction.operand[4] = at_row(scale_a_.operand, what.a_scales, part.row);
    instruction.operand[5] = at_row(scale_b_.operand, what.b_scales, part.col);
  }
  static aclsimOperand at_row(aclsimOperand scales, const aclsimScales& layout, uint64_t row) {
    const uint64_t bytes =
        layout.band != 0 ? row / 16 * layout.band + row % 16 * layout.row : row * layout.row;
    scales.address = static_cast<uint8_t*>(scales.address) + bytes;
    scales.bytes = aclsim_left_behind(scales.bytes, bytes);
    return scales;
  }

  TCubeTiling tiling_{};
  aclsim_matmul::Side<SrcAT> a_;
  aclsim_matmul::Side<SrcBT> b_;
  aclsim_matmul::Side<BiasT> bias_;
  aclsim_matmul::Side<uint8_t> scale_a_;
  aclsim_matmul::Side<uint8_t> scale_b_;
  aclsim_matmul::Side<uint64_t> quant_vector_;
  uint64_t quant_scalar_ = 0;
  Quant quant_ = Quant::none;
  bool has_bias_ = false;
  int32_t org_m_ = 0;
  int32_t org_n_ = 0;
  int32_t org_ka_ = 0;
  int32_t org_kb_ = 0;
  int32_t org_kc_ = 0;
  int32_t single_m_ = 0;
  int32_t single_n_ = 0;
  int32_t single_k_ = 0;
  uint32_t next_ = 0;
  uint32_t tile_ = 0;
  int32_t batch_a_ = 0;
  int32_t batch_b_ = 0;
  GlobalTensor<DstT> workspace_;
  uint32_t next_batch_ = 0;
  aclsimOperand index_{};
  uint64_t user_info_ = 0;
  uint64_t self_data_ = 0;
  bool ahead_ = false;
  uint8_t sub_block_ = 0;
};

/* The same, as kernels on cube cores name it. */
template <
    class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE,
    const auto& MM_CFG = CFG_NORM, class MM_CB = MatmulCallBackFunc<nullptr, nullptr, nullptr>,
    template <const auto& = MM_CFG, typename...> class MATMUL_POLICY = Impl::Detail::MatmulPolicy>
using MatmulImpl = Matmul<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB, MATMUL_POLICY>;

}  // namespace AscendC

#endif /* ASCENDC_IMPL_MATMUL_OBJECT_H_ */
