/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ASCENDC_IMPL_MATMUL_OBJECT_H_
#define ASCENDC_IMPL_MATMUL_OBJECT_H_

#include "ascendc/impl/matmul.h"

namespace AscendC {

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE,
          const auto& MM_CFG = CFG_NORM,
          class MM_CB = MatmulCallBackFunc<nullptr, nullptr, nullptr>>
class Matmul {
 public:
  using SrcT = typename A_TYPE::T;
  using SrcAT = typename A_TYPE::T;
  using SrcBT = typename B_TYPE::T;
  using DstT = typename C_TYPE::T;
  using BiasT = typename BIAS_TYPE::T;

  static_assert(std::is_same_v<std::decay_t<decltype(MM_CFG)>, MatmulConfig>,
                "AscendC::Matmul with a constant tiling is not emulated");
  static_assert(MM_CB::aclsim_none, "AscendC::Matmul with callback functions is not emulated");
  static_assert(!MM_CFG.isNBatch && A_TYPE::layout == LayoutMode::NONE,
                "AscendC::Matmul of batches is not emulated");
  static_assert(!MM_CFG.enableMixDualMaster,
                "AscendC::Matmul with enableMixDualMaster is not emulated");
  static_assert(aclsim_matmul::knows(A_TYPE::format) && aclsim_matmul::knows(B_TYPE::format) &&
                    aclsim_matmul::knows(C_TYPE::format),
                "AscendC::Matmul: of the formats ND, NZ, ND_ALIGN and VECTOR are emulated");
  static_assert(std::is_same_v<SrcAT, SrcBT>, "AscendC::Matmul: A and B have one type");
  static_assert(
      (std::is_same_v<SrcAT, int8_t> && std::is_same_v<DstT, int32_t>) ||
          ((std::is_same_v<SrcAT, half> || std::is_same_v<SrcAT, bfloat16_t> ||
            std::is_same_v<SrcAT, float>)&&(std::is_same_v<DstT, half> ||
                                            std::is_same_v<DstT, bfloat16_t> ||
                                            std::is_same_v<DstT, float>)),
      "AscendC::Matmul: half, bfloat16_t and float make one of these, int8_t makes int32_t; "
      "others are not emulated");

  void Init(const TCubeTiling* __restrict cubeTiling, TPipe* /*tpipe*/ = nullptr) {
    if (!cubeTiling) return;
    tiling_ = *cubeTiling;
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
  void SetTensorA(const Tensor<SrcAT>& tensor, bool isTransposeA = false) {
    take(a_, tensor, isTransposeA, A_TYPE::isTrans, "SetTensorA");
  }
  template <template <typename> class Tensor>
  void SetTensorB(const Tensor<SrcBT>& tensor, bool isTransposeB = false) {
    take(b_, tensor, isTransposeB, B_TYPE::isTrans, "SetTensorB");
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
  void DisableBias() { has_bias_ = false; }
  void ClearBias() { has_bias_ = false; }

  /* Selects the next tile of baseM x baseN; false after the last. GetTensorC computes the tile. */
  template <bool sync = true>
  ACLSIM_API bool Iterate(bool enPartialSum = false) {
    if (aclsim_matmul::serves()) return false;
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
  template <bool sync = true>
  ACLSIM_API void GetTensorC(const LocalTensor<DstT>& co2Local, uint8_t enAtomic = 0,
                             bool enSequentialWrite = false) {
    (void)enSequentialWrite; /* a tile of its own either way */
    if (!next_tile()) return;
    issue("GetTensorC", co2Local.aclsim_operand(ACLSIM_WRITES), tile_, local_tile(tile_), enAtomic,
          ACLSIM_SITE);
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
    issue("GetTensorC", co2Local.aclsim_operand(ACLSIM_WRITES), tile_, local_tile(tile_), 0,
          ACLSIM_SITE);
  }
  template <bool sync = true>
  ACLSIM_API void IterateAll(const GlobalTensor<DstT>& gm, uint8_t enAtomic = 0,
                             bool enSequentialWrite = false, bool /*waitIterateAll*/ = false,
                             bool /*fakeMsg*/ = false) {
    if (aclsim_matmul::serves()) return;
    aclsim_matmul::require_cube(ACLSIM_SITE);
    if (enSequentialWrite) {
      for (uint32_t tile = 0; tile < tiles(); ++tile) {
        store_tile("IterateAll", gm, tile, enAtomic, true, tile, ACLSIM_SITE);
      }
    } else {
      issue("IterateAll", gm.aclsim_operand(ACLSIM_WRITES), kWhole, global_c(), enAtomic,
            ACLSIM_SITE);
    }
    restart();
  }
  template <bool sync = true>
  ACLSIM_API void IterateAll(const LocalTensor<DstT>& ubCmatrix, uint8_t enAtomic = 0) {
    if (aclsim_matmul::serves()) return;
    aclsim_matmul::require_cube(ACLSIM_SITE);
    issue("IterateAll", ubCmatrix.aclsim_operand(ACLSIM_WRITES), kWhole, local_tile(kWhole),
          enAtomic, ACLSIM_SITE);
    restart();
  }
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
  template <class T>
  void SetWorkspace(__gm__ const T* /*addr*/, int /*size*/) {}
  template <class T>
  void SetWorkspace(GlobalTensor<T>& /*addr*/) {}
  void SetLocalWorkspace(const LocalTensor<uint8_t>& /*tmpBuffer*/) {}

#define ACLSIM_NO_MATMUL(NAME)                                                                  \
  template <typename... Args>                                                                   \
  void NAME(Args&&...) {                                                                        \
    static_assert(aclsim_matmul::never<Args...>, "AscendC::Matmul::" #NAME " is not emulated"); \
  }
  ACLSIM_NO_MATMUL(SetSelfDefineData)
  ACLSIM_NO_MATMUL(SetUserDefInfo)
  ACLSIM_NO_MATMUL(SetSparseIndex)
  ACLSIM_NO_MATMUL(SetAntiQuantScalar)
  ACLSIM_NO_MATMUL(SetAntiQuantVector)
  ACLSIM_NO_MATMUL(SetQuantScalar)
  ACLSIM_NO_MATMUL(SetQuantVector)
  ACLSIM_NO_MATMUL(SetBatchNum)
  ACLSIM_NO_MATMUL(IterateBatch)
  ACLSIM_NO_MATMUL(IterateNBatch)
  ACLSIM_NO_MATMUL(GetBatchTensorC)
  ACLSIM_NO_MATMUL(GetBatchC)
#undef ACLSIM_NO_MATMUL

 private:
  static constexpr uint32_t kWhole = ~0U; /* all tiles at once */

  struct Part {
    uint32_t row;
    uint32_t col;
    uint32_t rows;
    uint32_t cols;
  };

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
    if constexpr (MM_CFG.iterateOrder != IterateOrder::UNDEF) {
      return MM_CFG.iterateOrder == IterateOrder::ORDER_M;
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
    if (aclsim_matmul::serves()) return false;
    if (ahead_) tile_ = next_++;
    return true;
  }

  template <typename T, template <typename> class Tensor>
  ACLSIM_API void take(aclsim_matmul::Side<T>& side, const Tensor<T>& tensor, bool transposed,
                       bool may, const char* called) {
    if (transposed && !may) {
      aclsimViolation(
          called[9] == 'A'
              ? "Matmul: SetTensorA with isTransposeA; expected isTrans in the type of A"
              : "Matmul: SetTensorB with isTransposeB; expected isTrans in the type of B",
          0, 0, ACLSIM_SITE);
    }
    side.set(tensor, transposed);
    restart();
  }

  /* Results in fractals have 16 elements in a row of one. */
  static aclsimMatrix result(uint32_t rows, uint32_t cols) {
    aclsimMatrix made = aclsim_matmul::layout<C_TYPE::format, DstT>(rows, cols, false);
    if (!MM_CFG.isEnableChannelSplit) made.fractal = 16;
    return made;
  }
  aclsimMatrix global_c() const {
    return result(number(org_m_), number(org_kc_ != 0 ? org_kc_ : org_n_));
  }
  /* In local memory each row begins at a multiple of 32 bytes. */
  aclsimMatrix local_tile(uint32_t tile) const {
    const Part part = part_of(tile);
    return result(part.rows, aclsim_matmul::up_to(part.cols, aclsim_matmul::per_block<DstT>()));
  }
  aclsimMatrix layout_a() const {
    const uint32_t rows = number(a_.local ? single_m_ : org_m_);
    const uint32_t cols = number(a_.local ? single_k_ : org_ka_);
    return aclsim_matmul::layout<A_TYPE::format, SrcAT>(rows, cols, a_.transposed);
  }
  aclsimMatrix layout_b() const {
    const uint32_t rows = number(b_.local ? single_k_ : org_kb_);
    const uint32_t cols = number(b_.local ? single_n_ : org_n_);
    return aclsim_matmul::layout<B_TYPE::format, SrcBT>(rows, cols, b_.transposed);
  }

  void store_tile(const char* called, const GlobalTensor<DstT>& gm, uint32_t tile, uint8_t atomic,
                  bool sequential, uint32_t behind, const void* site) {
    aclsimOperand to = gm.aclsim_operand(ACLSIM_WRITES);
    if (sequential) {
      aclsim_matmul::Side<DstT>::advance(to, uint64_t(behind) * base_m() * base_n());
      return issue(called, to, tile, result(base_m(), base_n()), atomic, site);
    }
    const Part part = part_of(tile);
    aclsim_matmul::Side<DstT>::advance(to, aclsim_matmul::place(global_c(), part.row, part.col));
    issue(called, to, tile, global_c(), atomic, site);
  }

  void issue(const char* called, const aclsimOperand& to, uint32_t tile, const aclsimMatrix& c,
             uint8_t atomic, const void* site) {
    const Part part = part_of(tile);
    aclsimMatmul what{};
    what.size = sizeof what;
    what.rows = part.rows;
    what.cols = part.cols;
    what.depth = number(single_k_);
    what.a = layout_a();
    what.b = layout_b();
    what.c = c;
    what.atomic = atomic;
    what.relu = MM_CFG.enableRelu ? 1 : 0;
    what.called = called;
    aclsimInstruction instruction{};
    instruction.size = sizeof instruction;
    instruction.opcode = ACLSIM_CUBE_MATMUL;
    instruction.pipe = PIPE_M;
    instruction.operands = has_bias_ ? 4 : 3;
    instruction.site = site;
    instruction.more = &what;
    instruction.operand[0] = to;
    instruction.operand[1] = a_.operand;
    aclsim_matmul::Side<SrcAT>::advance(instruction.operand[1],
                                        aclsim_matmul::place(what.a, part.row, 0));
    instruction.operand[2] = b_.operand;
    aclsim_matmul::Side<SrcBT>::advance(instruction.operand[2],
                                        aclsim_matmul::place(what.b, 0, part.col));
    if (has_bias_) {
      instruction.operand[3] = bias_.operand;
      aclsim_matmul::Side<BiasT>::advance(instruction.operand[3], part.col);
    }
    aclsimPipeBarrier(PIPE_ALL, site);
    aclsimIssue(&instruction);
    aclsimPipeBarrier(PIPE_ALL, site);
  }

  TCubeTiling tiling_{};
  aclsim_matmul::Side<SrcAT> a_;
  aclsim_matmul::Side<SrcBT> b_;
  aclsim_matmul::Side<BiasT> bias_;
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
  bool ahead_ = false;
  uint8_t sub_block_ = 0;
};

/* The same, as kernels on cube cores name it. */
template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE,
          const auto& MM_CFG = CFG_NORM,
          class MM_CB = MatmulCallBackFunc<nullptr, nullptr, nullptr>>
using MatmulImpl = Matmul<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB>;

}  // namespace AscendC

#endif /* ASCENDC_IMPL_MATMUL_OBJECT_H_ */
