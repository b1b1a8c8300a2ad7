/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Matmul object. The vector core that asks for a part of the product computes it, between two
 * barriers; the cube core of its group has nothing to serve and leaves the kernel.
 */
#ifndef ASCENDC_IMPL_MATMUL_H_
#define ASCENDC_IMPL_MATMUL_H_

#include "ascendc/impl/cube.h"
#include "ascendc/impl/launch.h"
#include "ascendc/impl/matmul_config.h"
#include "ascendc/impl/opcodes.h"
#include "ascendc/impl/pipe.h"
#include "ascendc/impl/system.h"

namespace AscendC {

using TCubeTiling = tiling::TCubeTiling;

template <TPosition POSITION, CubeFormat FORMAT, typename TYPE, bool ISTRANS = false,
          LayoutMode LAYOUT = LayoutMode::NONE, bool IBSHARE = false,
          TPosition SRCPOS = TPosition::GM>
struct MatmulType {
  static constexpr TPosition pos = POSITION;
  static constexpr CubeFormat format = FORMAT;
  using T = TYPE;
  static constexpr bool isTrans = ISTRANS;
  static constexpr LayoutMode layout = LAYOUT;
  static constexpr bool ibShare = IBSHARE;
  static constexpr TPosition srcPos = SRCPOS;
};

#if ACLSIM_NPU_ARCH == 3510
/* A matrix in an MX format, and its scales. */
template <TPosition POSITION, TPosition SCALE_POSITION, CubeFormat FORMAT, typename TYPE,
          bool ISTRANS = false, TPosition SRCPOS = TPosition::GM, CubeFormat SCALE_FORMAT = FORMAT,
          bool SCALE_ISTRANS = ISTRANS, TPosition SCALE_SRCPOS = SRCPOS>
struct MatmulTypeWithScale
    : MatmulType<POSITION, FORMAT, TYPE, ISTRANS, LayoutMode::NONE, false, SRCPOS> {
  static constexpr TPosition scalePosition = SCALE_POSITION;
  static constexpr CubeFormat scaleFormat = SCALE_FORMAT;
  static constexpr bool isScaleTrans = SCALE_ISTRANS;
  static constexpr TPosition srcScalePos = SCALE_SRCPOS;
};
#endif

#if ACLSIM_NPU_ARCH == 2201
/* A sparse B, of which 2 of 4 numbers along the depth are stored, and its index. */
template <TPosition POSITION, TPosition INDEX_POSITION, CubeFormat FORMAT, typename TYPE,
          bool ISTRANS = false, LayoutMode LAYOUT = LayoutMode::NONE, bool IBSHARE = false>
struct SparseMatmulType : MatmulType<POSITION, FORMAT, TYPE, ISTRANS, LAYOUT, IBSHARE> {
  static constexpr TPosition indexPosition = INDEX_POSITION;
};
#endif

/* Functions of the program that copy C out, and A and B into L1; nullptr: as usual. */
template <auto copyOut = nullptr, auto copyA = nullptr, auto copyB = nullptr>
struct MatmulCallBackFunc {
  static_assert(std::is_same_v<decltype(copyOut), std::nullptr_t>,
                "AscendC::Matmul with a callback that copies C out is not emulated");
  static constexpr bool aclsim_has_a = !std::is_same_v<decltype(copyA), std::nullptr_t>;
  static constexpr bool aclsim_has_b = !std::is_same_v<decltype(copyB), std::nullptr_t>;
  static constexpr auto aclsim_a = copyA;
  static constexpr auto aclsim_b = copyB;
};

/* The type of sums in L0C. */
template <typename SrcT>
struct GetMmDstType {
  using Type = std::conditional_t<std::is_same_v<SrcT, int8_t> || std::is_same_v<SrcT, int4b_t>,
                                  int32_t, float>;
};

/* A queue of tensors in L1, which are sources of products. */
template <TPosition pos, int32_t depth, auto mask = 0>
using TSCM = TQueBind<pos, TPosition::TSCM, depth, mask>;

namespace Impl {
inline constexpr int32_t QUEUE_DEPTH = 1;
namespace Detail {

/* Which tiles an object computes, and where their halves go. */
enum class aclsimTiles { ALL, UPPER, LOWER, SPLIT_M, SPLIT_N };
#define ACLSIM_MATMUL_POLICY(NAME, TILES)             \
  template <const auto& = CFG_NORM, typename...>      \
  class NAME {                                        \
   public:                                            \
    static constexpr auto tiles = aclsimTiles::TILES; \
  };
ACLSIM_MATMUL_POLICY(MatmulPolicy, ALL)
ACLSIM_MATMUL_POLICY(NBuffer33MatmulPolicy, ALL)
ACLSIM_MATMUL_POLICY(TrianUpperMatmulPolicy, UPPER)
ACLSIM_MATMUL_POLICY(TrianLowerMatmulPolicy, LOWER)
#if ACLSIM_NPU_ARCH == 3510
ACLSIM_MATMUL_POLICY(SplitMMatmulPolicy, SPLIT_M)
ACLSIM_MATMUL_POLICY(SplitNMatmulPolicy, SPLIT_N)
ACLSIM_MATMUL_POLICY(MatmulWithScalePolicy, ALL)
#endif
#undef ACLSIM_MATMUL_POLICY

}  // namespace Detail
}  // namespace Impl

}  // namespace AscendC

namespace aclsim_matmul {

using namespace AscendC;

/* False, but not before the function around it is used. */
template <typename... T>
inline constexpr bool never = sizeof...(T) > 1000;

/* Whether this core serves other cores. The user code that follows then runs only on the vector
 * cores; on the cube core if the program defines ASCENDC_CUBE_ONLY. */
static inline bool serves() {
  const aclsimCore* const core = aclsimThisCore();
#ifdef ASCENDC_CUBE_ONLY
  return core->kind != ACLSIM_AIC;
#else
  return core->kind == ACLSIM_AIC && !aclsimIsCubeAlone(core->cores);
#endif
}

/* Whether an object has enableMixDualMaster: user code then runs on all cores of the group. */
template <typename T, typename = void>
inline constexpr bool is_dual = false;
template <typename T>
inline constexpr bool is_dual<T, std::void_t<decltype(T::aclsim_dual)>> = T::aclsim_dual;

inline void require_cube(const void* site) {
  const uint32_t cores = aclsimThisCore()->cores;
  if (cores == ACLSIM_CORES_INFERRED || cores == ACLSIM_CORES_VECTOR ||
      cores == ACLSIM_CORES_MIX_0_1) {
    aclsimViolation(
        "Matmul needs cube cores: the kernel is launched on vector cores alone; expected "
        "__mix__(1, 2) or KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2)",
        0, 0, site);
  }
}

/* Whether this core leaves a kernel that registers these objects and tilings. */
template <typename... Args>
ACLSIM_API bool leaves(const Args&...) {
  require_cube(ACLSIM_SITE);
  if constexpr ((is_dual<Args> || ...)) return false;
  return serves();
}

template <typename Object>
void start(TPipe* pipe, Object& object) {
  object.Init(static_cast<const TCubeTiling*>(nullptr), pipe);
}
template <typename Object, typename Next, typename... Rest>
void start(TPipe* pipe, Object& object, Next&& next, Rest&&... rest) {
  if constexpr (std::is_convertible_v<Next, const TCubeTiling*>) {
    object.Init(static_cast<const TCubeTiling*>(next), pipe);
    if constexpr (sizeof...(rest) > 0) start(pipe, rest...);
  } else {
    start(pipe, object);
    start(pipe, next, rest...);
  }
}

template <typename Workspace, typename... Args>
ACLSIM_API void regist(TPipe* pipe, Workspace* workspace, Args&&... args) {
  require_cube(ACLSIM_SITE);
  if (workspace == nullptr && !aclsimIsCubeAlone(aclsimThisCore()->cores)) {
    aclsimViolation(
        "REGIST_MATMUL_OBJ: the workspace is null; expected SetSysWorkspace before it, or a "
        "build with HAVE_WORKSPACE",
        0, 0, ACLSIM_SITE);
  }
  start(pipe, args...);
}

template <typename T>
constexpr uint32_t per_block() {
  return static_cast<uint32_t>(32 / sizeof(T)) * aclsim_element::per_byte<T>;
}
constexpr uint32_t up_to(uint32_t value, uint32_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/* One side of the product: an address, and where its tensor ends. */
template <typename T>
struct Side {
  aclsimOperand operand{};
  bool transposed = false;
  bool local = false;

  void set(const GlobalTensor<T>& tensor, bool trans) {
    operand = tensor.aclsim_operand(ACLSIM_READS);
    transposed = trans;
    local = false;
  }
  void set(const LocalTensor<T>& tensor, bool trans) {
    operand = tensor.aclsim_operand(ACLSIM_READS);
    transposed = trans;
    local = true;
  }
  /* Moved by elements. */
  static void advance(aclsimOperand& moved, uint64_t elements) {
    const uint64_t bytes = elements * sizeof(T) / aclsim_element::per_byte<T>;
    moved.address = static_cast<uint8_t*>(moved.address) + bytes;
    moved.bytes = aclsim_left_behind(moved.bytes, bytes);
  }
};

template <CubeFormat format, typename T>
aclsimMatrix layout(uint32_t rows, uint32_t cols, bool transposed) {
  aclsimMatrix made{};
  if constexpr (format == CubeFormat::COLUMN_MAJOR) transposed = !transposed;
  made.transposed = transposed ? 1 : 0;
  if (transposed) std::swap(rows, cols);
  if constexpr (format == CubeFormat::NZ) {
    made.format = ACLSIM_MATRIX_FRACTALS;
    made.fractal = per_block<T>();
    made.stride = up_to(rows, 16);
  } else {
    made.format = ACLSIM_MATRIX_ROWS;
    made.stride = format == CubeFormat::ND_ALIGN ? up_to(cols, per_block<T>()) : cols;
  }
  return made;
}

/* Whether a type of A or B has scales: MatmulTypeWithScale. */
template <typename Type, typename = void>
inline constexpr bool has_scales = false;
template <typename Type>
inline constexpr bool has_scales<Type, std::void_t<decltype(Type::scalePosition)>> = true;

/* Whether a type of B is sparse: SparseMatmulType. */
template <typename Type, typename = void>
inline constexpr bool is_sparse = false;
template <typename Type>
inline constexpr bool is_sparse<Type, std::void_t<decltype(Type::indexPosition)>> = true;

/* The scales of a matrix with that many rows of A, or columns of B: MxMatmul of the guide. */
template <typename Type>
aclsimScales scales(uint32_t rows, uint32_t depth, bool by_pairs) {
  const uint64_t pairs = (depth + 63) / 64;
  if (Type::scaleFormat == CubeFormat::NZ) return {2, 32, 32 * pairs};
  if (by_pairs) return {2, uint64_t{rows} * 2, 0};
  return {pairs * 2, 2, 0};
}

template <typename A, typename B, typename C>
constexpr bool multiplies() {
  constexpr uint8_t a = aclsim_element::of<A>, b = aclsim_element::of<B>, c = aclsim_element::of<C>;
  constexpr auto is_wide = [](uint8_t of) {
    return of == ACLSIM_HALF || of == ACLSIM_BFLOAT16 || of == ACLSIM_FLOAT;
  };
  constexpr auto is_fp8 = [](uint8_t of) {
    return of == ACLSIM_FP8_E4M3FN || of == ACLSIM_FP8_E5M2;
  };
  constexpr auto is_fp4 = [](uint8_t of) { return of == ACLSIM_FP4_E2M1 || of == ACLSIM_FP4_E1M2; };
  if (a == ACLSIM_INT8 || a == ACLSIM_INT4) return a == b && c == ACLSIM_INT32;
  if ((is_fp8(a) && is_fp8(b)) || (is_fp4(a) && is_fp4(b))) return is_wide(c);
  return a == b && (is_wide(a) || a == ACLSIM_HIFLOAT8) && is_wide(c);
}

/* How Fixpipe turns sums into results: without a parameter, with one, or with one for each column
 * (quant_rows.h). NoQuant if it cannot. */
enum class Quant : uint8_t { none, scalar, columns };
constexpr uint32_t quant_mode(uint8_t sum, uint8_t to, Quant quant) {
  const auto either = [quant](QuantMode_t one, QuantMode_t columns) -> uint32_t {
    return quant == Quant::columns ? columns : one;
  };
  const bool bytes = to == ACLSIM_INT8 || to == ACLSIM_UINT8;
  if (sum == ACLSIM_INT32) {
    if (quant == Quant::none) return NoQuant;
    if (bytes) return either(REQ8, VREQ8);
    if (to == ACLSIM_HALF) return either(DEQF16, VDEQF16);
  } else {
    if (quant == Quant::none && to == ACLSIM_HALF) return F322F16;
    if (quant == Quant::none) return to == ACLSIM_BFLOAT16 ? F322BF16 : NoQuant;
    if (bytes) return either(QF322B8_PRE, VQF322B8_PRE);
  }
#if ACLSIM_NPU_ARCH == 3510
  if (sum == ACLSIM_INT32) {
    if (to == ACLSIM_BFLOAT16) return either(QS322BF16_PRE, VQS322BF16_PRE);
    return NoQuant;
  }
  if (to == ACLSIM_HALF) return either(QF322F16_PRE, VQF322F16_PRE);
  if (to == ACLSIM_BFLOAT16) return either(QF322BF16_PRE, VQF322BF16_PRE);
  if (to == ACLSIM_FLOAT) return either(QF322F32_PRE, VQF322F32_PRE);
  if (to == ACLSIM_FP8_E4M3FN) return either(QF322FP8_PRE, VQF322FP8_PRE);
  if (to == ACLSIM_HIFLOAT8) return either(QF322HIF8_PRE, VQF322HIF8_PRE);
#endif
  return NoQuant;
}
/* Whether results of a type that no sum has are made with a parameter. */
template <typename A, typename B, typename C>
constexpr bool quantises() {
  using Sum = typename GetMmDstType<A>::Type;
  return !multiplies<A, B, C>() && multiplies<A, B, Sum>() &&
         quant_mode(aclsim_element::of<Sum>, aclsim_element::of<C>, Quant::scalar) != NoQuant;
}

constexpr bool knows(CubeFormat format) {
  return format == CubeFormat::ND || format == CubeFormat::NZ || format == CubeFormat::ND_ALIGN ||
         format == CubeFormat::VECTOR || format == CubeFormat::COLUMN_MAJOR;
}

/* The matrices of a batch, as the layout of a tensor has them: B, S, N, G and D of the tiling. */
struct Axes {
  int32_t b;
  int32_t s;
  int32_t n;
  int32_t g;
  int32_t d;

  constexpr uint64_t row() const { return uint64_t{unsigned(n)} * unsigned(g) * unsigned(d); }
  /* From a row of a matrix to its next row, in elements. */
  constexpr uint64_t stride(LayoutMode layout) const {
    return layout == LayoutMode::BSNGD   ? row()
           : layout == LayoutMode::SBNGD ? row() * unsigned(b)
                                         : unsigned(d);
  }
  /* The offset of matrix `index` in elements. */
  constexpr uint64_t begin(LayoutMode layout, uint64_t index) const {
    if (layout == LayoutMode::BNGS1S2) return index * unsigned(s) * unsigned(d);
    if (layout == LayoutMode::SBNGD) return index * unsigned(d);
    const uint64_t in_row = uint64_t{unsigned(n)} * unsigned(g);
    return index / in_row * unsigned(s) * row() + index % in_row * unsigned(d);
  }
};

/* The offset of (row, col) of the matrix, in elements. */
inline uint64_t place(const aclsimMatrix& in, uint64_t row, uint64_t col) {
  if (in.transposed) std::swap(row, col);
  if (in.format == ACLSIM_MATRIX_ROWS) return row * in.stride + col;
  return col / in.fractal * in.stride * in.fractal + row * in.fractal + col % in.fractal;
}

}  // namespace aclsim_matmul

#include "ascendc/impl/matmul_object.h"

/* The translator knows a kernel that needs cube cores by the name of the function that is called
 * here. */
#define REGIST_MATMUL_OBJ(tpipe, workspace, ...)    \
  if (::aclsim_matmul::leaves(__VA_ARGS__)) return; \
  ::aclsim_matmul::regist(tpipe, workspace, __VA_ARGS__)

/* Older sources name them so. */
namespace matmul {
using namespace AscendC;
}
using AscendC::TCubeTiling;

#endif /* ASCENDC_IMPL_MATMUL_H_ */
