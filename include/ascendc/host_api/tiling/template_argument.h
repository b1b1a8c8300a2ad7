/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Template parameters of operators. A header that the kernel and the host share declares the
 * parameters and the combinations of their values:
 *
 *   ASCENDC_TPL_ARGS_DECL(Add, ASCENDC_TPL_BOOL_DECL(SPLIT, 0, 1), ...);
 *   ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_BOOL_SEL(SPLIT, 0, 1), ...), ...);
 *
 * The host then computes the key of a combination with GET_TPL_TILING_KEY(values...), in the order
 * of the declaration. The first parameter is in the lowest bits of the key. C++11.
 */
#ifndef ASCENDC_HOST_API_TILING_TEMPLATE_ARGUMENT_H_
#define ASCENDC_HOST_API_TILING_TEMPLATE_ARGUMENT_H_

#include <stdint.h>
#include <stdio.h>

#include <iostream> /* public operators rely on it */
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "graph/c_types.h"

/* Kinds of parameters, and their widths in bits. */
#define ASCENDC_TPL_DTYPE 0
#define ASCENDC_TPL_FORMAT 1
#define ASCENDC_TPL_UINT 2
#define ASCENDC_TPL_BOOL 3
#define ASCENDC_TPL_KERNEL_TYPE 4
#define ASCENDC_TPL_DETERMINISTIC 5
#define ASCENDC_TPL_SHARED_KERNEL_TYPE 6
#define ASCENDC_TPL_1_BW 1
#define ASCENDC_TPL_2_BW 2
#define ASCENDC_TPL_3_BW 3
#define ASCENDC_TPL_4_BW 4
#define ASCENDC_TPL_8_BW 8

/* How ASCENDC_TPL_UINT_DECL lists values: ranges (their number, then first and last of each),
   single values, or ranges and then single values. */
#define ASCENDC_TPL_UI_RANGE 0
#define ASCENDC_TPL_UI_LIST 1
#define ASCENDC_TPL_UI_MIX 2

/* The type or format of an input or output of the operator. */
#define ACLSIM_TPL_OPERANDS 1000 /* larger values name an operand */
#define ASCENDC_TPL_INPUT(index) (ACLSIM_TPL_OPERANDS + (index))
#define ASCENDC_TPL_OUTPUT(index) (2 * ACLSIM_TPL_OPERANDS + (index))

/* Kernel types, as KERNEL_TYPE_. */
#define ASCENDC_TPL_AIV_ONLY 0
#define ASCENDC_TPL_AIC_ONLY 1
#define ASCENDC_TPL_MIX_AIV_1_0 2
#define ASCENDC_TPL_MIX_AIC_1_0 3
#define ASCENDC_TPL_MIX_AIC_1_1 4
#define ASCENDC_TPL_MIX_AIC_1_2 5

enum {
  C_FORMAT_NCHW = 0,
  C_FORMAT_NHWC,
  C_FORMAT_ND,
  C_FORMAT_NC1HWC0,
  C_FORMAT_FRACTAL_Z,
  C_FORMAT_NC1C0HWPAD,
  C_FORMAT_NHWC1C0,
  C_FORMAT_FSR_NCHW,
  C_FORMAT_FRACTAL_DECONV,
  C_FORMAT_C1HWNC0,
  C_FORMAT_FRACTAL_DECONV_TRANSPOSE,
  C_FORMAT_FRACTAL_DECONV_SP_STRIDE_TRANS,
  C_FORMAT_NC1HWC0_C04,
  C_FORMAT_FRACTAL_Z_C04,
  C_FORMAT_CHWN,
  C_FORMAT_FRACTAL_DECONV_SP_STRIDE8_TRANS,
  C_FORMAT_HWCN,
  C_FORMAT_NC1KHKWHWC0,
  C_FORMAT_BN_WEIGHT,
  C_FORMAT_FILTER_HWCK,
  C_FORMAT_HASHTABLE_LOOKUP_LOOKUPS,
  C_FORMAT_HASHTABLE_LOOKUP_KEYS,
  C_FORMAT_HASHTABLE_LOOKUP_VALUE,
  C_FORMAT_HASHTABLE_LOOKUP_OUTPUT,
  C_FORMAT_HASHTABLE_LOOKUP_HITS,
  C_FORMAT_C1HWNCoC0,
  C_FORMAT_MD,
  C_FORMAT_NDHWC,
  C_FORMAT_FRACTAL_ZZ,
  C_FORMAT_FRACTAL_NZ,
  C_FORMAT_NCDHW,
  C_FORMAT_DHWCN,
  C_FORMAT_NDC1HWC0,
  C_FORMAT_FRACTAL_Z_3D,
  C_FORMAT_CN,
  C_FORMAT_NC,
  C_FORMAT_DHWNC,
  C_FORMAT_FRACTAL_Z_3D_TRANSPOSE,
  C_FORMAT_FRACTAL_ZN_LSTM,
  C_FORMAT_FRACTAL_Z_G,
  C_FORMAT_RESERVED,
  C_FORMAT_ALL,
  C_FORMAT_NULL,
  C_FORMAT_ND_RNN_BIAS,
  C_FORMAT_FRACTAL_ZN_RNN,
  C_FORMAT_NYUV,
  C_FORMAT_NYUV_A,
  C_FORMAT_NCL,
  C_FORMAT_FRACTAL_Z_WINO,
  C_FORMAT_C1HWC0,
  C_FORMAT_FRACTAL_NZ_C0_16,
  C_FORMAT_FRACTAL_NZ_C0_32,
  C_FORMAT_FRACTAL_NZ_C0_2,
  C_FORMAT_FRACTAL_NZ_C0_4,
  C_FORMAT_FRACTAL_NZ_C0_8
};

/* One parameter of a declaration or of a combination. */
struct ParamStruct {
  const char* name;
  uint32_t paramType;
  uint8_t bitWidth;
  std::vector<uint64_t> vals;
  const char* macroType; /* "DECL" or "SEL" */
  ParamStruct(const char* inName, uint32_t inParamType, uint8_t inBitWidth,
              std::vector<uint64_t> inVals, const char* inMacroType)
      : name(inName),
        paramType(inParamType),
        bitWidth(inBitWidth),
        vals(std::move(inVals)),
        macroType(inMacroType) {}
};
using TilingDeclareParams = std::vector<ParamStruct>;
using TilingSelectParams = std::vector<std::vector<ParamStruct>>;

#define ACLSIM_TPL(NAME, KIND, WIDTH, ROLE, ...) \
  ParamStruct { NAME, KIND, WIDTH, {__VA_ARGS__}, ROLE }
#define ASCENDC_TPL_DTYPE_DECL(x, ...) \
  ACLSIM_TPL(#x, ASCENDC_TPL_DTYPE, ASCENDC_TPL_8_BW, "DECL", __VA_ARGS__)
#define ASCENDC_TPL_DATATYPE_DECL(x, ...) \
  ACLSIM_TPL(#x, ASCENDC_TPL_DTYPE, ASCENDC_TPL_8_BW, "DECL", __VA_ARGS__)
#define ASCENDC_TPL_FORMAT_DECL(x, ...) \
  ACLSIM_TPL(#x, ASCENDC_TPL_FORMAT, ASCENDC_TPL_8_BW, "DECL", __VA_ARGS__)
#define ASCENDC_TPL_UINT_DECL(x, bw, ...) ACLSIM_TPL(#x, ASCENDC_TPL_UINT, bw, "DECL", __VA_ARGS__)
#define ASCENDC_TPL_BOOL_DECL(x, ...) \
  ACLSIM_TPL(#x, ASCENDC_TPL_BOOL, ASCENDC_TPL_1_BW, "DECL", __VA_ARGS__)
#define ASCENDC_TPL_KERNEL_TYPE_DECL(x, ...) \
  ACLSIM_TPL(#x, ASCENDC_TPL_SHARED_KERNEL_TYPE, ASCENDC_TPL_8_BW, "DECL", __VA_ARGS__)

#define ASCENDC_TPL_DTYPE_SEL(x, ...) \
  ACLSIM_TPL(#x, ASCENDC_TPL_DTYPE, ASCENDC_TPL_8_BW, "SEL", __VA_ARGS__)
#define ASCENDC_TPL_DATATYPE_SEL(x, ...) \
  ACLSIM_TPL(#x, ASCENDC_TPL_DTYPE, ASCENDC_TPL_8_BW, "SEL", __VA_ARGS__)
#define ASCENDC_TPL_FORMAT_SEL(x, ...) \
  ACLSIM_TPL(#x, ASCENDC_TPL_FORMAT, ASCENDC_TPL_8_BW, "SEL", __VA_ARGS__)
#define ASCENDC_TPL_UINT_SEL(x, ...) ACLSIM_TPL(#x, ASCENDC_TPL_UINT, 0, "SEL", __VA_ARGS__)
#define ASCENDC_TPL_BOOL_SEL(x, ...) \
  ACLSIM_TPL(#x, ASCENDC_TPL_BOOL, ASCENDC_TPL_1_BW, "SEL", __VA_ARGS__)
#define ASCENDC_TPL_TILING_STRUCT_SEL(x, ...)
#define ASCENDC_TPL_KERNEL_TYPE_SEL(...) \
  ACLSIM_TPL("kernel_type", ASCENDC_TPL_KERNEL_TYPE, ASCENDC_TPL_8_BW, "SEL", __VA_ARGS__)
#define ASCENDC_TPL_DETERMINISTIC_SEL(...) \
  ACLSIM_TPL("deterministic", ASCENDC_TPL_DETERMINISTIC, ASCENDC_TPL_1_BW, "SEL", __VA_ARGS__)
#define ASCENDC_TPL_SHARED_KERNEL_TYPE_SEL(x, ...) \
  ACLSIM_TPL(#x, ASCENDC_TPL_SHARED_KERNEL_TYPE, ASCENDC_TPL_8_BW, "SEL", __VA_ARGS__)

/* npu_op_code_gen reads what is declared, with ACLSIM_DESCRIBES_OPERATORS defined. */
#ifdef ACLSIM_DESCRIBES_OPERATORS
#define ASCENDC_TPL_ARGS_DECL(x, ...)                            \
  static const char* const aclsim_tpl_operator = #x;             \
  static TilingDeclareParams g_tilingDeclareParams{__VA_ARGS__}; \
  static const int aclsim_tpl_declared __attribute__((unused)) = \
      (::aclsim_tpl::all()[#x].first = g_tilingDeclareParams, 0)
#define ASCENDC_TPL_SEL(...)                                     \
  static TilingSelectParams g_tilingSelectParams{__VA_ARGS__};   \
  static const int aclsim_tpl_selected __attribute__((unused)) = \
      (::aclsim_tpl::all()[aclsim_tpl_operator].second = g_tilingSelectParams, 0)
#else
#define ASCENDC_TPL_ARGS_DECL(x, ...) \
  __attribute__((unused)) static TilingDeclareParams g_tilingDeclareParams { __VA_ARGS__ }
#define ASCENDC_TPL_SEL(...) \
  __attribute__((unused)) static TilingSelectParams g_tilingSelectParams { __VA_ARGS__ }
#endif
#define ASCENDC_TPL_ARGS_SEL(...) \
  { __VA_ARGS__ }

#define GET_TPL_TILING_KEY(...) \
  AscendC::EncodeTilingKey(g_tilingDeclareParams, g_tilingSelectParams, {__VA_ARGS__})
#define ASCENDC_TPL_SEL_PARAM(context, ...)         \
  do {                                              \
    uint64_t key = GET_TPL_TILING_KEY(__VA_ARGS__); \
    (context)->SetTilingKey(key);                   \
  } while (0)

namespace aclsim_tpl {

/* By operator: the declaration and the selected combinations. */
__attribute__((visibility(
    "hidden"))) inline std::map<std::string, std::pair<TilingDeclareParams, TilingSelectParams>>&
all() {
  static std::map<std::string, std::pair<TilingDeclareParams, TilingSelectParams>> operators;
  return operators;
}

/* The values that the declaration or the combination lists. */
inline std::vector<uint64_t> values_of(const ParamStruct& param) {
  if (param.paramType != ASCENDC_TPL_UINT || param.vals.empty()) return param.vals;
  std::vector<uint64_t> values;
  size_t at = 1;
  if (param.vals[0] != ASCENDC_TPL_UI_LIST && param.vals.size() > 1) {
    const uint64_t ranges = param.vals[at++];
    for (uint64_t i = 0; i < ranges && at + 1 < param.vals.size(); ++i, at += 2)
      for (uint64_t value = param.vals[at]; value <= param.vals[at + 1]; ++value)
        values.push_back(value);
  }
  for (; at < param.vals.size(); ++at) values.push_back(param.vals[at]);
  return values;
}

/* `index` is the place of the value in the list. The type and the format of an operand may have any
   value. */
inline bool contains(const ParamStruct& param, uint64_t value, size_t& index) {
  const bool names_operands =
      param.paramType == ASCENDC_TPL_DTYPE || param.paramType == ASCENDC_TPL_FORMAT;
  const std::vector<uint64_t> values = values_of(param);
  for (index = 0; index < values.size(); ++index) {
    if (values[index] == value) return true;
    if (names_operands && values[index] >= ACLSIM_TPL_OPERANDS) return true;
  }
  return false;
}

inline bool selects(const std::vector<ParamStruct>& combination,
                    const TilingDeclareParams& declared, const std::vector<uint64_t>& values) {
  for (const ParamStruct& param : combination) {
    for (size_t i = 0; i < declared.size() && i < values.size(); ++i) {
      size_t index = 0;
      if (std::string(declared[i].name) == param.name && !contains(param, values[i], index))
        return false;
    }
  }
  return true;
}

}  // namespace aclsim_tpl

namespace AscendC {

/* The key of a combination of values. The key of values that no combination selects is UINT64_MAX,
   and a message on stderr names the parameter. */
inline uint64_t EncodeTilingKey(TilingDeclareParams declareParams,
                                TilingSelectParams selectParamsVec,
                                std::vector<uint64_t> tilingParams) {
  if (tilingParams.size() != declareParams.size()) {
    fprintf(stderr, "aclsim: GET_TPL_TILING_KEY has %zu values; expected %zu\n",
            tilingParams.size(), declareParams.size());
    return UINT64_MAX;
  }
  uint64_t key = 0;
  unsigned shift = 0;
  for (size_t i = 0; i < declareParams.size(); ++i) {
    size_t index = 0;
    if (!aclsim_tpl::contains(declareParams[i], tilingParams[i], index)) {
      fprintf(stderr,
              "aclsim: GET_TPL_TILING_KEY: %s is %llu, which its declaration does not list\n",
              declareParams[i].name, static_cast<unsigned long long>(tilingParams[i]));
      return UINT64_MAX;
    }
    const uint64_t code = declareParams[i].paramType == ASCENDC_TPL_UINT ? index : tilingParams[i];
    key |= code << shift;
    shift += declareParams[i].bitWidth;
  }
  for (const std::vector<ParamStruct>& combination : selectParamsVec)
    if (aclsim_tpl::selects(combination, declareParams, tilingParams)) return key;
  if (selectParamsVec.empty()) return key;
  fprintf(stderr, "aclsim: GET_TPL_TILING_KEY: no ASCENDC_TPL_ARGS_SEL selects these values\n");
  return UINT64_MAX;
}

}  // namespace AscendC

#endif /* ASCENDC_HOST_API_TILING_TEMPLATE_ARGUMENT_H_ */
