// SPDX-License-Identifier: Apache-2.0
// Attention of training: FlashAttentionScore.
#include <string_view>
#include <utility>

#include "aclnnop/aclnn_flash_attention_score.h"
#include "runtime/aclnn/operators/attention/layouts.h"

namespace aclnn {
namespace {

constexpr std::int64_t kStatistics = 8;  // how often each maximum and sum is written

AttentionLayout flash_layout(const char* name) {
  constexpr std::pair<std::string_view, AttentionLayout> kLayouts[] = {
      {"BSH", AttentionLayout::bsh},   {"SBH", AttentionLayout::sbh},
      {"BSND", AttentionLayout::bsnd}, {"BNSD", AttentionLayout::bnsd},
      {"TND", AttentionLayout::tnd},
  };
  if (!name) fail(kNullPointer, "inputLayout is null");
  for (const auto& [text, layout] : kLayouts) {
    if (text == name) return layout;
  }
  refuse("inputLayout is {}; expected BSH, SBH, BSND, BNSD or TND", name);
}

/// Queries, keys and values as [B, N, S, D]. The heads of keys follow from the numbers of a head.
struct FlashOperands {
  View q, k, v;
};

FlashOperands flash_operands(const Planner& p, const View& query, const View& key,
                             const View& value, AttentionLayout layout, std::int64_t heads) {
  require(heads > 0, "headNum is {}; expected 1 or more", heads);
  const View q = heads_first(p, query, layout, heads);
  require(q.size(1) == heads, "query has {} heads; expected headNum, {}", q.size(1), heads);
  const bool joined = layout == AttentionLayout::bsh || layout == AttentionLayout::sbh;
  std::int64_t kv_heads = 0;
  if (joined) {
    p.require_rank(key, 3, 3);
    const std::int64_t numbers = q.size(3);
    require(numbers > 0 && key.size(2) % numbers == 0,
            "key has the shape {}; expected a last dim that is a multiple of {}", key.shape.text(),
            numbers);
    kv_heads = key.size(2) / numbers;
  }
  const View k = heads_first(p, key, layout, kv_heads);
  const View v = heads_first(p, value, layout, kv_heads);
  require(k.size(1) > 0 && heads % k.size(1) == 0,
          "key has {} heads; expected what divides headNum, {}", k.size(1), heads);
  require(k.size(0) == q.size(0) && k.size(3) == q.size(3),
          "key has {} batches and {} numbers of a head; expected {} and {}, as query has",
          k.size(0), k.size(3), q.size(0), q.size(3));
  require(v.size(0) == k.size(0) && v.size(1) == k.size(1) && v.size(2) == k.size(2),
          "value has {} batches, {} heads and {} tokens; expected {}, {} and {}, as key has",
          v.size(0), v.size(1), v.size(2), k.size(0), k.size(1), k.size(2));
  return {q, k, v};
}

/// [B, N, S, 8], or [T, N, 8].
View statistics_of(const Planner& p, const View& given, AttentionLayout layout,
                   const Shape& scores) {
  const bool tokens = layout == AttentionLayout::tnd;
  p.require_shape(given, tokens ? Shape{scores[2], scores[1], kStatistics}
                                : Shape{scores[0], scores[1], scores[2], kStatistics});
  return tokens ? given.transposed(0, 1).with_unit(0) : given;
}

void require_keep_bits(const View& bits, double keep, std::int64_t scores) {
  require(keep > 0 && keep <= 1, "keepProb is {}; expected more than 0, at most 1", keep);
  require(keep == 1 || bits, "dropMaskOptional is null; expected a mask, as keepProb is {}", keep);
  if (!bits) return;
  require(bits.rank() == 1 && bits.count() * 8 >= scores,
          "dropMaskOptional has the shape {}; expected one dim, with a bit for each of {} scores",
          bits.shape.text(), scores);
}

/// The tensors of the sequences of a batch; an empty view was not given.
struct FlashViews {
  View q, k, v, out, max, sum;
  View mask = {}, shift = {}, keep = {};
};

Sequence flash_sequence(const FlashViews& of, std::int64_t batch, const Shape& scores) {
  const auto part = [&](const View& view) { return view ? view.selected(0, batch) : View{}; };
  Sequence s;
  s.q = part(of.q);
  s.k = part(of.k);
  s.v = part(of.v);
  s.out = part(of.out);
  s.max = part(of.max);
  s.sum = part(of.sum);
  s.mask = part(of.mask);
  s.shift = part(of.shift);
  s.keep = of.keep;
  s.first_bit = batch * scores[1] * scores[2] * scores[3];
  s.queries = scores[2];
  s.keys = scores[3];
  return s;
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

// softmaxOutOut is reserved: nothing is written there.
aclnnStatus aclnnFlashAttentionScoreGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key, const aclTensor* value,
    const aclTensor* realShiftOptional, const aclTensor* dropMaskOptional,
    const aclTensor* paddingMaskOptional, const aclTensor* attenMaskOptional,
    const aclIntArray* prefixOptional, double scaleValue, double keepProb, int64_t preTokens,
    int64_t nextTokens, int64_t headNum, char* inputLayout, int64_t innerPrecise,
    int64_t sparseMode, const aclTensor* softmaxMaxOut, const aclTensor* softmaxSumOut,
    const aclTensor* softmaxOutOut, const aclTensor* attentionOutOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return first_phase("aclnnFlashAttentionScore", workspaceSize, executor, [&](Planner& p) {
    const auto [query_given, key_given, value_given, shift, bits, padding, mask, max, sum, softmax,
                out] =
        p.take(In{query, "query", kFloats}, In{key, "key", kFloats}, In{value, "value", kFloats},
               OptIn{realShiftOptional, "realShiftOptional", kFloats},
               OptIn{dropMaskOptional, "dropMaskOptional", {ACL_UINT8}},
               OptIn{paddingMaskOptional, "paddingMaskOptional", kEvery},
               OptIn{attenMaskOptional, "attenMaskOptional", {ACL_UINT8, ACL_BOOL}},
               Out{softmaxMaxOut, "softmaxMaxOut", {ACL_FLOAT}},
               Out{softmaxSumOut, "softmaxSumOut", {ACL_FLOAT}},
               OptOut{softmaxOutOut, "softmaxOutOut", kFloats},
               Out{attentionOutOut, "attentionOutOut", kFloats});
    require(!padding, "paddingMaskOptional is given; padding is not supported: expected null");
    require(!prefixOptional, "prefixOptional is given; prefixes are not supported: expected null");
    require(innerPrecise >= 0 && innerPrecise <= 4, "innerPrecise is {}; expected 0 to 4",
            innerPrecise);
    for (const View& view : {key_given, value_given, out}) p.require_type(view, query_given.type);
    const SparseRule sparse{sparseMode, preTokens, nextTokens, static_cast<bool>(mask)};
    sparse.check();
    const AttentionLayout layout = flash_layout(inputLayout);
    const FlashOperands a = flash_operands(p, query_given, key_given, value_given, layout, headNum);
    const Shape scores{a.q.size(0), headNum, a.q.size(2), a.k.size(2)};
    p.require_shape(out, shape_in(layout, scores[0], headNum, scores[2], a.v.size(3)));
    require_keep_bits(bits, keepProb, scores.count());
    FlashViews views{a.q,
                     a.k,
                     a.v,
                     heads_first(p, out, layout, headNum),
                     statistics_of(p, max, layout, scores),
                     statistics_of(p, sum, layout, scores)};
    if (mask && !sparse.reads_mask()) require_triangle(p, mask);
    if (mask && sparse.reads_mask()) views.mask = scores_view(p, mask, scores);
    if (shift) views.shift = scores_view(p, shift, scores);
    if (keepProb < 1) views.keep = bits;
    Attention attention;
    attention.scale = attention.shift_scale = static_cast<float>(scaleValue);  // it is added before
    attention.keep_prob = static_cast<float>(keepProb);
    for (std::int64_t b = 0; b < scores[0]; ++b) {
      attention.sequences.push_back(flash_sequence(views, b, scores));
      sparse.apply(attention.sequences.back());
    }
    plan_works(p, {attention_work(std::move(attention))});
  });
}
ACLNN_SECOND_PHASE(aclnnFlashAttentionScore)
