// SPDX-License-Identifier: Apache-2.0
// Attention of inference: FusedInferAttentionScoreV2 and V3.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "aclnnop/aclnn_fused_infer_attention_score_v2.h"
#include "aclnnop/aclnn_fused_infer_attention_score_v3.h"
#include "runtime/aclnn/operators/attention/layouts.h"

namespace aclnn {
namespace {

constexpr TypeSet kMaskTypes{ACL_BOOL, ACL_INT8, ACL_UINT8};

/// A parameter that is refused when it is given, unless it is the table of a paged cache.
struct Unsupported {
  const void* given;
  const char* name;
  bool tensor = true;
  bool table = false;
};

struct FusedArguments {
  const aclTensor *query, *pse, *mask, *query_rope, *key_rope, *out, *lse;
  const aclTensorList *key, *value;
  const aclIntArray *lengths, *kv_lengths;
  std::int64_t heads, kv_heads;
  double scale;
  SparseRule sparse;
  std::int64_t inner_precise;
  const char* layout;
  bool with_lse;
  std::int64_t block_size;
};

struct FusedLayout {
  AttentionLayout in, out;
};

FusedLayout fused_layout(const char* name) {
  constexpr std::pair<std::string_view, FusedLayout> kLayouts[] = {
      {"BSH", {AttentionLayout::bsh, AttentionLayout::bsh}},
      {"BSND", {AttentionLayout::bsnd, AttentionLayout::bsnd}},
      {"BNSD", {AttentionLayout::bnsd, AttentionLayout::bnsd}},
      {"BNSD_BSND", {AttentionLayout::bnsd, AttentionLayout::bsnd}},
  };
  if (!name) fail(kNullPointer, "inputLayout is null");
  for (const auto& [text, layout] : kLayouts) {
    if (text == name) return layout;
  }
  refuse("inputLayout is {}; expected BSH, BSND, BNSD or BNSD_BSND", name);
}

/// How many tokens of each sequence count: one number for all, or one for each.
std::int64_t length_of(const std::optional<std::vector<std::int64_t>>& lengths, std::int64_t batch,
                       std::int64_t all, const char* name) {
  if (!lengths || lengths->empty()) return all;
  const std::size_t i = lengths->size() == 1 ? 0 : static_cast<std::size_t>(batch);
  require(i < lengths->size(), "{} has {} members; expected one for each batch", name,
          lengths->size());
  const std::int64_t length = (*lengths)[i];
  require(length >= 0 && length <= all, "{}[{}] is {}; expected 0 to {}", name, i, length, all);
  return length;
}

class FusedAttention {
 public:
  FusedAttention(Planner& p, const FusedArguments& a,
                 std::initializer_list<Unsupported> unsupported)
      : p_(p), a_(a), unsupported_(unsupported), layout_(fused_layout(a.layout)) {}

  void plan() {
    take();
    check();
    Attention attention;
    attention.scale = static_cast<float>(a_.scale);
    for (std::int64_t b = 0; b < q_.size(0); ++b) attention.sequences.push_back(sequence(b));
    plan_works(p_, {attention_work(std::move(attention))});
  }

 private:
  void take() {
    const auto [query, keys, values, pse, mask, lengths, kv_lengths] =
        p_.take(In{a_.query, "query", kHalves}, ListIn{a_.key, "key", kHalves},
                ListIn{a_.value, "value", kHalves}, OptIn{a_.pse, "pseShiftOptional", kHalves},
                OptIn{a_.mask, "attenMaskOptional", kMaskTypes},
                OptInts{a_.lengths, "actualSeqLengthsOptional"},
                OptInts{a_.kv_lengths, "actualSeqLengthsKvOptional"});
    for (const Unsupported& one : unsupported_) {  // they are counted as tensors
      const auto* const table = one.table ? static_cast<const aclTensor*>(one.given) : nullptr;
      if (!one.tensor) continue;
      const auto [taken] = p_.take(OptIn{table, one.name, {ACL_INT32}});
      if (taken) table_ = taken;
    }
    const auto [query_rope, key_rope, out, lse] = p_.take(
        OptIn{a_.query_rope, "queryRopeOptional", kHalves},
        OptIn{a_.key_rope, "keyRopeOptional", kHalves}, Out{a_.out, "attentionOut", kHalves},
        OptOut{a_.with_lse ? a_.lse : nullptr, "softmaxLse", {ACL_FLOAT}});
    if (a_.with_lse && !lse) fail(kNullPointer, "softmaxLse is null");
    require(a_.heads > 0, "numHeads is {}; expected 1 or more", a_.heads);
    kv_heads_ = a_.kv_heads == 0 ? a_.heads : a_.kv_heads;
    require(kv_heads_ > 0 && a_.heads % kv_heads_ == 0,
            "numKeyValueHeads is {}; expected what divides numHeads, {}", a_.kv_heads, a_.heads);
    require(a_.inner_precise >= 0 && a_.inner_precise <= 3, "innerPrecise is {}; expected 0 to 3",
            a_.inner_precise);
    SparseRule sparse = a_.sparse;
    sparse.masked = static_cast<bool>(mask);
    sparse.check();
    sparse_ = sparse;
    q_ = heads_first(p_, query, layout_.in, a_.heads);
    given_out_ = out;
    table_ ? take_pages(keys, values, query.type) : take_keys(keys, values, query.type);
    p_.require_type(out, query.type);
    if (pse) p_.require_type(pse, query.type);
    if (query_rope) take_rope(query_rope, key_rope, query.type);
    require(!key_rope || query_rope, "queryRopeOptional is null; keyRopeOptional is not");
    lengths_ = lengths;
    kv_lengths_ = kv_lengths;
    pse_ = pse;
    mask_ = mask;
    lse_ = lse;
  }

  void take_keys(const std::vector<View>& keys, const std::vector<View>& values, aclDataType type) {
    const auto batches = static_cast<std::size_t>(q_.size(0));
    require(keys.size() == 1 || keys.size() == batches,
            "key has {} members; expected one, or one for each of {} batches", keys.size(),
            batches);
    require(values.size() == keys.size(), "value has {} members; expected {}, as key has",
            values.size(), keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      require(keys[i] && values[i], "member {} of key or value is null", i);
      p_.require_type(keys[i], type);
      p_.require_type(values[i], type);
      k_.push_back(heads_first(p_, keys[i], layout_.in, kv_heads_));
      v_.push_back(heads_first(p_, values[i], layout_.in, kv_heads_));
    }
  }

  /// The blocks of a cache, [blocks, Nkv, tokens, D] or [blocks, tokens, Nkv * D], and which of
  /// them each sequence has.
  void take_pages(const std::vector<View>& keys, const std::vector<View>& values,
                  aclDataType type) {
    require(keys.size() == 1 && values.size() == 1 && keys[0] && values[0],
            "key has {} members and value {}; expected one with blockTableOptional", keys.size(),
            values.size());
    for (const View& view : {keys[0], values[0]}) {
      p_.require_type(view, type);
      p_.require_rank(view, 3, 4);
    }
    const auto blocks = [&](const View& view) {
      return view.rank() == 4 ? view : heads_first(p_, view, AttentionLayout::bsh, kv_heads_);
    };
    k_.push_back(blocks(keys[0]));
    v_.push_back(blocks(values[0]));
    require(a_.block_size > 0 && k_[0].size(2) == a_.block_size,
            "blockSize is {}, and key has blocks of {} tokens; expected the same", a_.block_size,
            k_[0].size(2));
    p_.require_rank(table_, 2, 2);
    require(table_.size(0) == q_.size(0),
            "blockTableOptional has the shape {}; expected a row for each of {} batches",
            table_.shape.text(), q_.size(0));
  }

  void take_rope(const View& query, const View& key, aclDataType type) {
    require(static_cast<bool>(key), "keyRopeOptional is null; queryRopeOptional is not");
    p_.require_type(query, type);
    p_.require_type(key, type);
    require(k_.size() == 1, "key has {} members; expected one with keyRopeOptional", k_.size());
    require(!table_, "keyRopeOptional is given; expected null with blockTableOptional");
    q_rope_ = heads_first(p_, query, layout_.in, a_.heads);
    k_rope_ = heads_first(p_, key, layout_.in, kv_heads_);
    const std::int64_t columns = q_rope_.size(3);
    require(q_rope_.shape == Shape({q_.size(0), q_.size(1), q_.size(2), columns}),
            "queryRopeOptional has the shape {}; expected that of query but for the last dim",
            query.shape.text());
    require(k_rope_.shape == Shape({k_[0].size(0), k_[0].size(1), k_[0].size(2), columns}),
            "keyRopeOptional has the shape {}; expected that of key, and {} numbers of a head",
            key.shape.text(), columns);
  }

  void check() {
    const std::int64_t b = q_.size(0), s = q_.size(2);
    require(q_.size(1) == a_.heads, "query has {} heads; expected numHeads, {}", q_.size(1),
            a_.heads);
    for (std::size_t i = 0; i < k_.size(); ++i) {
      const std::int64_t batches = table_ ? k_[0].size(0) : k_.size() == 1 ? b : 1;
      const std::int64_t keys = k_[i].size(2);
      require(k_[i].shape == Shape({batches, kv_heads_, keys, q_.size(3)}),
              "key has {} batches, {} heads and {} numbers of each; expected {}, {} and {}",
              k_[i].size(0), k_[i].size(1), k_[i].size(3), batches, kv_heads_, q_.size(3));
      require(
          v_[i].shape == Shape({batches, kv_heads_, keys, v_[0].size(3)}),
          "value has {} batches, {} heads, {} tokens and {} numbers; expected {}, {}, {} and {}",
          v_[i].size(0), v_[i].size(1), v_[i].size(2), v_[i].size(3), batches, kv_heads_, keys,
          v_[0].size(3));
      most_keys_ = std::max(most_keys_, keys);
    }
    if (table_) {
      most_keys_ = table_.size(1) * a_.block_size;
      require(kv_lengths_ && !kv_lengths_->empty(),
              "actualSeqLengthsKvOptional is not given; expected it with blockTableOptional");
    }
    p_.require_shape(given_out_, shape_in(layout_.out, b, a_.heads, s, v_[0].size(3)));
    out_ = heads_first(p_, given_out_, layout_.out, a_.heads);
    const Shape scores{b, a_.heads, s, most_keys_};
    if (pse_ && pse_.count() != 0) shift_ = scores_view(p_, pse_, scores);
    if (mask_ && !sparse_.reads_mask()) require_triangle(p_, mask_);
    if (mask_ && sparse_.reads_mask()) hidden_ = scores_view(p_, mask_, scores);
    if (lse_) p_.require_shape(lse_, Shape{b, a_.heads, s, 1});
  }

  Sequence sequence(std::int64_t b) const {
    const std::size_t member = k_.size() == 1 ? 0 : static_cast<std::size_t>(b);
    const std::int64_t inside = k_.size() == 1 ? b : 0;
    Sequence s;
    s.q = q_.selected(0, b);
    s.k = table_ ? k_[0] : k_[member].selected(0, inside);
    s.v = table_ ? v_[0] : v_[member].selected(0, inside);
    if (table_) s.table = table_.selected(0, b);
    s.out = out_.selected(0, b);
    if (q_rope_) {
      s.q_rope = q_rope_.selected(0, b);
      s.k_rope = k_rope_.selected(0, inside);
    }
    if (shift_) s.shift = shift_.selected(0, b);
    if (hidden_) s.mask = hidden_.selected(0, b);
    if (lse_) s.lse = lse_.selected(0, b);
    s.queries = length_of(lengths_, b, s.q.size(1), "actualSeqLengthsOptional");
    s.keys =
        length_of(kv_lengths_, b, table_ ? most_keys_ : s.k.size(1), "actualSeqLengthsKvOptional");
    sparse_.apply(s);
    return s;
  }

  Planner& p_;
  const FusedArguments& a_;
  const std::initializer_list<Unsupported> unsupported_;
  const FusedLayout layout_;
  SparseRule sparse_;
  std::int64_t kv_heads_ = 0, most_keys_ = 0;
  View q_, q_rope_, k_rope_, out_, given_out_, pse_, mask_, shift_, hidden_, lse_, table_;
  std::vector<View> k_, v_;
  std::optional<std::vector<std::int64_t>> lengths_, kv_lengths_;
};

void plan_fused(Planner& p, const FusedArguments& arguments,
                std::initializer_list<Unsupported> unsupported) {
  if (!arguments.query) fail(kNullPointer, "query is null");
  if (!arguments.key) fail(kNullPointer, "key is null");
  if (!arguments.value) fail(kNullPointer, "value is null");
  if (!arguments.out) fail(kNullPointer, "attentionOut is null");
  for (const Unsupported& one : unsupported) {
    require(!one.given || one.table,
            "{} is given; quantised attention is not supported: expected null", one.name);
  }
  FusedAttention(p, arguments, unsupported).plan();
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

#define ACLNN_UNSUPPORTED(parameter) \
  { parameter, #parameter }
// Parameters that both versions refuse, and the table among them.
#define ACLNN_FUSED_UNSUPPORTED                                                                    \
  ACLNN_UNSUPPORTED(deqScale1Optional), ACLNN_UNSUPPORTED(quantScale1Optional),                    \
      ACLNN_UNSUPPORTED(deqScale2Optional), ACLNN_UNSUPPORTED(quantScale2Optional),                \
      ACLNN_UNSUPPORTED(quantOffset2Optional), ACLNN_UNSUPPORTED(antiquantScaleOptional),          \
      ACLNN_UNSUPPORTED(antiquantOffsetOptional),                                                  \
      {blockTableOptional, "blockTableOptional", true, true},                                      \
      ACLNN_UNSUPPORTED(queryPaddingSizeOptional), ACLNN_UNSUPPORTED(kvPaddingSizeOptional),       \
      ACLNN_UNSUPPORTED(keyAntiquantScaleOptional), ACLNN_UNSUPPORTED(keyAntiquantOffsetOptional), \
      ACLNN_UNSUPPORTED(valueAntiquantScaleOptional),                                              \
      ACLNN_UNSUPPORTED(valueAntiquantOffsetOptional), ACLNN_UNSUPPORTED(keySharedPrefixOptional), \
      ACLNN_UNSUPPORTED(valueSharedPrefixOptional), {                                              \
    actualSharedPrefixLenOptional, "actualSharedPrefixLenOptional", false                          \
  }

// The kinds of quantisation say nothing where there is none.
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
    int64_t sparseMode, int64_t innerPrecise, int64_t blockSize, int64_t, bool softmaxLseFlag,
    int64_t, int64_t, const aclTensor* attentionOut, const aclTensor* softmaxLse,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
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
                blockSize},
               {ACLNN_FUSED_UNSUPPORTED});
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
    int64_t numKeyValueHeads, int64_t sparseMode, int64_t innerPrecise, int64_t blockSize, int64_t,
    bool softmaxLseFlag, int64_t, int64_t, const aclTensor* attentionOut,
    const aclTensor* softmaxLse, uint64_t* workspaceSize, aclOpExecutor** executor) {
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
                blockSize},
               {ACLNN_FUSED_UNSUPPORTED, ACLNN_UNSUPPORTED(keyRopeAntiquantScaleOptional)});
  });
}
ACLNN_SECOND_PHASE(aclnnFusedInferAttentionScoreV3)
#undef ACLNN_FUSED_UNSUPPORTED
#undef ACLNN_UNSUPPORTED
