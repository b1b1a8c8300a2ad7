// SPDX-License-Identifier: Apache-2.0
#include "aclnnop/aclnn_fused_infer_attention_score_v2.h"
#include "aclnnop/aclnn_fused_infer_attention_score_v3.h"
#include "runtime/aclnn/operators/attention/fused_infer.h"

using namespace aclnn;

#define ACLNN_REFUSED(parameter) \
  { parameter, #parameter }
#define ACLNN_EXTRA(parameter, use) \
  { parameter, #parameter, Extra::use }
// In the order of the arguments, which is how executors count tensors.
#define ACLNN_FUSED_EXTRAS                                                                      \
  ACLNN_EXTRA(deqScale1Optional, scores), ACLNN_EXTRA(quantScale1Optional, weights),            \
      ACLNN_EXTRA(deqScale2Optional, sums), ACLNN_EXTRA(quantScale2Optional, result),           \
      ACLNN_EXTRA(quantOffset2Optional, result_offset),                                         \
      ACLNN_EXTRA(antiquantScaleOptional, scale), ACLNN_EXTRA(antiquantOffsetOptional, offset), \
      ACLNN_EXTRA(blockTableOptional, table),                                                   \
      ACLNN_EXTRA(queryPaddingSizeOptional, query_padding),                                     \
      ACLNN_EXTRA(kvPaddingSizeOptional, kv_padding),                                           \
      ACLNN_EXTRA(keyAntiquantScaleOptional, key_scale),                                        \
      ACLNN_EXTRA(keyAntiquantOffsetOptional, key_offset),                                      \
      ACLNN_EXTRA(valueAntiquantScaleOptional, value_scale),                                    \
      ACLNN_EXTRA(valueAntiquantOffsetOptional, value_offset),                                  \
      ACLNN_EXTRA(keySharedPrefixOptional, key_prefix),                                         \
      ACLNN_EXTRA(valueSharedPrefixOptional, value_prefix)

aclnnStatus aclnnFusedInferAttentionScoreV2GetWorkspaceSize(
    const aclTensor* query, const aclTensorList* key, const aclTensorList* value,
    const aclTensor* pseShiftOptional, const aclTensor* attenMaskOptional,
    const aclIntArray* actualSeqLengthsOptional, const aclIntArray* actualSeqLengthsKvOptional,
    const aclTensor* deqScale1Optional, const aclTensor* quantScale1Optional,
    const aclTensor* deqScale2Optional, const aclTensor* quantScale2Optional,
    const aclTensor* quantOffset2Optional, const aclTensor* antiquantScaleOptional,
    const aclTensor* antiquantOffsetOptional, const aclTensor* blockTableOptional,
    const aclTensor* queryPaddingSizeOptional, const aclTensor* kvPaddingSizeOptional,
    const aclTensor* keyAntiquantScaleOptional, const aclTensor* keyAntiquantOffsetOptional,
    const aclTensor* valueAntiquantScaleOptional, const aclTensor* valueAntiquantOffsetOptional,
    const aclTensor* keySharedPrefixOptional, const aclTensor* valueSharedPrefixOptional,
    const aclIntArray* actualSharedPrefixLenOptional, int64_t numHeads, double scaleValue,
    int64_t preTokens, int64_t nextTokens, char* inputLayout, int64_t numKeyValueHeads,
    int64_t sparseMode, int64_t innerPrecise, int64_t blockSize, int64_t antiquantMode,
    bool softmaxLseFlag, int64_t keyAntiquantMode, int64_t valueAntiquantMode,
    const aclTensor* attentionOut, const aclTensor* softmaxLse, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return first_phase("aclnnFusedInferAttentionScoreV2", workspaceSize, executor, [&](Planner& p) {
    plan_fused(p,
               {query,
                pseShiftOptional,
                attenMaskOptional,
                nullptr,
                nullptr,
                attentionOut,
                softmaxLse,
                key,
                value,
                actualSeqLengthsOptional,
                actualSeqLengthsKvOptional,
                numHeads,
                numKeyValueHeads,
                scaleValue,
                {sparseMode, preTokens, nextTokens},
                innerPrecise,
                inputLayout,
                softmaxLseFlag,
                blockSize,
                actualSharedPrefixLenOptional,
                {antiquantMode, keyAntiquantMode, valueAntiquantMode}},
               {ACLNN_FUSED_EXTRAS});
  });
}
ACLNN_SECOND_PHASE(aclnnFusedInferAttentionScoreV2)

aclnnStatus aclnnFusedInferAttentionScoreV3GetWorkspaceSize(
    const aclTensor* query, const aclTensorList* key, const aclTensorList* value,
    const aclTensor* pseShiftOptional, const aclTensor* attenMaskOptional,
    const aclIntArray* actualSeqLengthsOptional, const aclIntArray* actualSeqLengthsKvOptional,
    const aclTensor* deqScale1Optional, const aclTensor* quantScale1Optional,
    const aclTensor* deqScale2Optional, const aclTensor* quantScale2Optional,
    const aclTensor* quantOffset2Optional, const aclTensor* antiquantScaleOptional,
    const aclTensor* antiquantOffsetOptional, const aclTensor* blockTableOptional,
    const aclTensor* queryPaddingSizeOptional, const aclTensor* kvPaddingSizeOptional,
    const aclTensor* keyAntiquantScaleOptional, const aclTensor* keyAntiquantOffsetOptional,
    const aclTensor* valueAntiquantScaleOptional, const aclTensor* valueAntiquantOffsetOptional,
    const aclTensor* keySharedPrefixOptional, const aclTensor* valueSharedPrefixOptional,
    const aclIntArray* actualSharedPrefixLenOptional, const aclTensor* queryRopeOptional,
    const aclTensor* keyRopeOptional, const aclTensor* keyRopeAntiquantScaleOptional,
    int64_t numHeads, double scaleValue, int64_t preTokens, int64_t nextTokens, char* inputLayout,
    int64_t numKeyValueHeads, int64_t sparseMode, int64_t innerPrecise, int64_t blockSize,
    int64_t antiquantMode, bool softmaxLseFlag, int64_t keyAntiquantMode,
    int64_t valueAntiquantMode, const aclTensor* attentionOut, const aclTensor* softmaxLse,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnFusedInferAttentionScoreV3", workspaceSize, executor, [&](Planner& p) {
    plan_fused(p,
               {query,
                pseShiftOptional,
                attenMaskOptional,
                queryRopeOptional,
                keyRopeOptional,
                attentionOut,
                softmaxLse,
                key,
                value,
                actualSeqLengthsOptional,
                actualSeqLengthsKvOptional,
                numHeads,
                numKeyValueHeads,
                scaleValue,
                {sparseMode, preTokens, nextTokens},
                innerPrecise,
                inputLayout,
                softmaxLseFlag,
                blockSize,
                actualSharedPrefixLenOptional,
                {antiquantMode, keyAntiquantMode, valueAntiquantMode}},
               {ACLNN_FUSED_EXTRAS, ACLNN_REFUSED(keyRopeAntiquantScaleOptional)});
  });
}
ACLNN_SECOND_PHASE(aclnnFusedInferAttentionScoreV3)
#undef ACLNN_FUSED_EXTRAS
#undef ACLNN_EXTRA
#undef ACLNN_REFUSED
