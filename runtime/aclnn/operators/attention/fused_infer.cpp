// SPDX-License-Identifier: Apache-2.0
// Attention of inference: what FusedInferAttentionScore takes, and its checks.
#include "runtime/aclnn/operators/attention/fused_infer.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "runtime/aclnn/operators/matrix/nibbles.h"

namespace aclnn {
namespace {

constexpr TypeSet kMaskTypes{ACL_BOOL, ACL_INT8, ACL_UINT8};
constexpr TypeSet kHalvesOrBytes = kHalves | TypeSet{ACL_INT8};
constexpr TypeSet kCaches =
    kHalvesOrBytes | TypeSet{ACL_INT4, ACL_INT32};  // INT32: eight of four bits

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
  FusedAttention(Planner& p, const FusedArguments& a, std::initializer_list<ExtraTensor> extras)
      : p_(p), a_(a), extras_(extras), layout_(fused_layout(a.layout)) {}

  void plan() {
    take();
    check();
    Attention attention;
    attention.scale = static_cast<float>(a_.scale);
    attention.bytes = bytes_of_all();
    for (std::int64_t b = 0; b < q_.size(0); ++b) attention.sequences.push_back(sequence(b));
    plan_works(p_, {attention_work(std::move(attention))});
  }

 private:
  void take() {
    auto [query, keys, values, pse, mask, lengths, kv_lengths] =
        p_.take(In{a_.query, "query", kHalvesOrBytes}, ListIn{a_.key, "key", kCaches},
                ListIn{a_.value, "value", kCaches}, OptIn{a_.pse, "pseShiftOptional", kHalves},
                OptIn{a_.mask, "attenMaskOptional", kMaskTypes},
                OptInts{a_.lengths, "actualSeqLengthsOptional"},
                OptInts{a_.kv_lengths, "actualSeqLengthsKvOptional"});
    for (const ExtraTensor& one : extras_) {
      const auto [taken] = p_.take(OptIn{one.given, one.name, one.types()});
      extra_[static_cast<std::size_t>(one.use)] = taken;
    }
    table_ = extra(Extra::table);
    const auto [query_rope, key_rope, out, lse] = p_.take(
        OptIn{a_.query_rope, "queryRopeOptional", kHalves},
        OptIn{a_.key_rope, "keyRopeOptional", kHalves}, Out{a_.out, "attentionOut", kHalvesOrBytes},
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
    require(!keys.empty() && keys[0], "member 0 of key is null");
    for (auto* const list : {&keys, &values}) {
      for (View& view : *list) {
        if (view && view.type == ACL_INT32) view = as_nibbles(p_, view);
      }
    }
    const bool nibbles = keys[0].type == ACL_INT4 && query.type != ACL_INT8;
    scaled_ = nibbles || keys[0].type == ACL_INT8 || query.type == ACL_INT8;
    const aclDataType type = nibbles ? ACL_INT4 : scaled_ ? ACL_INT8 : query.type;
    table_ ? take_pages(keys, values, type) : take_keys(keys, values, type);
    query.type == ACL_INT8 ? check_all_bytes() : take_scales(query.type);
    take_prefix(query.type);
    const aclDataType numbers = query.type == ACL_INT8 ? ACL_FLOAT16 : query.type;
    p_.require_type(out, extra(Extra::result) ? ACL_INT8 : numbers);
    if (pse) p_.require_type(pse, numbers);
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

  const View& extra(Extra use) const { return extra_[static_cast<std::size_t>(use)]; }

  /// Queries of eight bits: the keys have no scales of their own.
  void check_all_bytes() const {
    for (const Extra use : {Extra::scores, Extra::weights, Extra::sums}) {
      require(static_cast<bool>(extra(use)),
              "deqScale1Optional, quantScale1Optional or deqScale2Optional is null; expected all "
              "three, as query is INT8");
      require(extra(use).count() == 1, "{} has the shape {}; expected one number",
              p_.name(extra(use)), extra(use).shape.text());
    }
    for (const Extra use : {Extra::scale, Extra::offset, Extra::key_scale, Extra::key_offset,
                            Extra::value_scale, Extra::value_offset}) {
      require(!extra(use), "{} is given; expected null, as query is INT8", p_.name(extra(use)));
    }
    require(!a_.query_rope, "queryRopeOptional is given; expected null, as query is INT8");
  }

  EightBits bytes_of_all() const {
    EightBits bytes;
    bytes.scores = extra(Extra::scores);
    bytes.weights = extra(Extra::weights);
    bytes.sums = extra(Extra::sums);
    const auto result = [&](const View& given) {
      const std::int64_t n = a_.heads, d = v_[0].size(3);
      View view;
      if (!given) return view;
      require(given.reshaped(given.count() == 1 ? Shape{1, 1} : Shape{n, d}, view),
              "{} has the shape {}; expected one number, or {} for each of {} heads",
              p_.name(given), given.shape.text(), d, n);
      return view.expanded(Shape{n, d});
    };
    bytes.result = result(extra(Extra::result));
    bytes.result_offset = result(extra(Extra::result_offset));
    return bytes;
  }

  /// The scales of keys and values in eight or four bits, and the offsets that are added before, as
  /// [B, Nkv, Skv, D] of the keys (member 0) or the values.
  void take_scales(aclDataType type) {
    const bool split = static_cast<bool>(extra(Extra::key_scale));
    for (const Extra use : {Extra::scale, Extra::offset, Extra::key_scale, Extra::key_offset,
                            Extra::value_scale, Extra::value_offset}) {
      require(scaled_ || !extra(use), "{} is given; expected null, as key has the type {}",
              p_.name(extra(use)), name_of(type));
    }
    if (!scaled_) return;
    require(
        split || extra(Extra::scale),
        "keyAntiquantScaleOptional and antiquantScaleOptional are null; expected one, as key is {}",
        name_of(k_[0].type));
    require(split == static_cast<bool>(extra(Extra::value_scale)),
            "keyAntiquantScaleOptional or valueAntiquantScaleOptional is null; expected both");
    require(k_.size() == 1, "key has {} members; expected one, as it is {}", k_.size(),
            name_of(k_[0].type));
    for (const int which : {0, 1}) {
      const View& shaped = which == 0 ? k_[0] : v_[0];
      const std::int64_t mode = !split ? a_.modes.both : which == 0 ? a_.modes.key : a_.modes.value;
      paged_[which] = split && mode >= 4;
      const auto view = [&](Extra both, Extra key, Extra value) {
        if (split) return scale_view(extra(which == 0 ? key : value), shaped, mode, -1);
        return scale_view(extra(both), shaped, mode, which);
      };
      scales_[which] = view(Extra::scale, Extra::key_scale, Extra::value_scale);
      offsets_[which] = view(Extra::offset, Extra::key_offset, Extra::value_offset);
    }
  }

  /// Mode 0: one number, or one for each number of a head; 1: one for each token; 2: for each head;
  /// 3: for each token of each head; 4 and 5: as 1 and 3, in the blocks of a cache. With `half`,
  /// keys have the first half and values the second.
  View scale_view(const View& given, const View& keys, std::int64_t mode, int half) const {
    if (!given) return {};
    const std::int64_t b = q_.size(0), n = kv_heads_, s = keys.size(2), d = keys.size(3);
    require(mode >= 0 && mode <= 5 && (half < 0 || mode <= 1),
            "{} has the mode {}; expected 0 to {}", p_.name(given), mode, half < 0 ? 5 : 1);
    const bool pages = mode >= 4;
    require(table_ ? mode % 2 == 0 || mode == 5 : !pages, "{} has the mode {}; expected {}",
            p_.name(given), mode,
            table_ ? "0, 2, 4 or 5 with blockTableOptional" : "0 to 3 without blockTableOptional");
    if (pages) return page_scales(given, keys, mode == 5 ? kv_heads_ : 1);
    const bool one = mode == 0 && given.count() == (half < 0 ? 1 : 2);
    const Shape sizes = one         ? Shape{1, 1, 1, 1}
                        : mode == 0 ? Shape{1, n, 1, d}
                        : mode == 1 ? Shape{b, 1, s, 1}
                        : mode == 2 ? Shape{1, n, 1, 1}
                                    : Shape{b, n, s, 1};
    Shape whole = sizes;
    if (half >= 0) {
      whole = Shape{2};
      for (int i = 0; i < 4; ++i) whole.append(sizes[i]);
    }
    View view;
    require(given.reshaped(whole, view), "{} has the shape {}; expected {} numbers in rows",
            p_.name(given), given.shape.text(), whole.count());
    if (half >= 0) view = view.selected(0, half);
    const std::int64_t tokens = table_ ? table_.size(1) * a_.block_size : s;
    return view.expanded(Shape{b, n, tokens, d});
  }

  /// As [blocks, Nkv, tokens of a block, D].
  View page_scales(const View& given, const View& keys, std::int64_t heads) const {
    const Shape whole{keys.size(0), heads, keys.size(2), 1};
    View view;
    require(given.reshaped(whole, view), "{} has the shape {}; expected {} numbers in blocks",
            p_.name(given), given.shape.text(), whole.count());
    return view.expanded(keys.shape);
  }

  void take_prefix(aclDataType type) {
    const View &key = extra(Extra::key_prefix), &value = extra(Extra::value_prefix);
    require(static_cast<bool>(key) == static_cast<bool>(value),
            "keySharedPrefixOptional or valueSharedPrefixOptional is null; expected both or none");
    const auto [lengths] = p_.take(OptInts{a_.prefix_length, "actualSharedPrefixLenOptional"});
    if (!key) return;
    p_.require_type(key, type);
    p_.require_type(value, type);
    require(
        !table_ && !scaled_ && !a_.query_rope && k_.size() == 1 && !extra(Extra::kv_padding),
        "keySharedPrefixOptional is given; expected null with blockTableOptional, "
        "kvPaddingSizeOptional, queryRopeOptional, keys of INT8 or INT4, or a key for each batch");
    const View k = heads_first(p_, key, layout_.in, kv_heads_);
    const View v = heads_first(p_, value, layout_.in, kv_heads_);
    const std::int64_t tokens = k.size(2);
    require(k.shape == Shape({1, kv_heads_, tokens, k_[0].size(3)}),
            "keySharedPrefixOptional has the shape {}; expected one batch, else as key",
            key.shape.text());
    require(v.shape == Shape({1, kv_heads_, tokens, v_[0].size(3)}),
            "valueSharedPrefixOptional has the shape {}; expected one batch and {} tokens, else as "
            "value",
            value.shape.text(), tokens);
    prefix_ = length_of(lengths, 0, tokens, "actualSharedPrefixLenOptional");
    prefix_k_ = k.selected(0, 0);
    prefix_v_ = v.selected(0, 0);
  }

  /// If tokens are at the end of their dim, the number of valid tokens must be known.
  void check_padding() const {
    const auto check = [&](Extra use, const auto& lengths, const char* name) {
      const View& padding = extra(use);
      if (!padding) return;
      p_.require_rank(padding, 0, 1);
      require(padding.count() == 1, "{} has the shape {}; expected one number", p_.name(padding),
              padding.shape.text());
      require(lengths && !lengths->empty(), "{} is not given; expected it with {}", name,
              p_.name(padding));
      require(!table_ && k_.size() == 1,
              "{} is given; expected null with blockTableOptional or a key for each batch",
              p_.name(padding));
    };
    check(Extra::query_padding, lengths_, "actualSeqLengthsOptional");
    check(Extra::kv_padding, kv_lengths_, "actualSeqLengthsKvOptional");
  }

  /// Which scales go with which others.
  void check_bytes() const {
    const bool all = q_.type == ACL_INT8;
    for (const Extra use : {Extra::scores, Extra::weights, Extra::sums}) {
      require(all || !extra(use), "{} is given; expected null, as query has the type {}",
              p_.name(extra(use)), name_of(q_.type));
    }
    require(extra(Extra::result) || !extra(Extra::result_offset),
            "quantScale2Optional is null; quantOffset2Optional is not");
  }

  void check() {
    check_padding();
    check_bytes();
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
    most_keys_ += prefix_;
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
    const auto batch = [b](const View& view) { return view ? view.selected(0, b) : View{}; };
    s.k_scale = paged_[0] ? scales_[0] : batch(scales_[0]);
    s.v_scale = paged_[1] ? scales_[1] : batch(scales_[1]);
    s.k_offset = paged_[0] ? offsets_[0] : batch(offsets_[0]);
    s.v_offset = paged_[1] ? offsets_[1] : batch(offsets_[1]);
    s.prefix = prefix_;
    s.prefix_k = prefix_k_;
    s.prefix_v = prefix_v_;
    s.q_padding = extra(Extra::query_padding);
    s.k_padding = extra(Extra::kv_padding);
    if (shift_) s.shift = shift_.selected(0, b);
    if (hidden_) s.mask = hidden_.selected(0, b);
    if (lse_) s.lse = lse_.selected(0, b);
    s.queries = length_of(lengths_, b, s.q.size(1), "actualSeqLengthsOptional");
    s.keys =
        length_of(kv_lengths_, b, table_ ? most_keys_ : s.k.size(1), "actualSeqLengthsKvOptional") +
        prefix_;
    sparse_.apply(s);
    return s;
  }

  Planner& p_;
  const FusedArguments& a_;
  const std::initializer_list<ExtraTensor> extras_;
  const FusedLayout layout_;
  SparseRule sparse_;
  std::int64_t kv_heads_ = 0, most_keys_ = 0;
  View q_, q_rope_, k_rope_, out_, given_out_, pse_, mask_, shift_, hidden_, lse_, table_;
  std::array<View, static_cast<std::size_t>(Extra::kCount)> extra_;
  std::array<View, 2> scales_, offsets_;  // for keys and values in few bits
  std::array<bool, 2> paged_{};           // stored in the blocks of a cache
  bool scaled_ = false;
  View prefix_k_, prefix_v_;
  std::int64_t prefix_ = 0;
  std::vector<View> k_, v_;
  std::optional<std::vector<std::int64_t>> lengths_, kv_lengths_;
};

}  // namespace

TypeSet ExtraTensor::types() const {
  switch (use) {
    case Extra::table:
      return {ACL_INT32};
    case Extra::query_padding:
    case Extra::kv_padding:
      return {ACL_INT64};
    case Extra::scores:
    case Extra::sums:
      return {ACL_FLOAT, ACL_UINT64};
    default:
      return kFloats;
  }
}

void plan_fused(Planner& p, const FusedArguments& arguments,
                std::initializer_list<ExtraTensor> extras) {
  if (!arguments.query) fail(kNullPointer, "query is null");
  if (!arguments.key) fail(kNullPointer, "key is null");
  if (!arguments.value) fail(kNullPointer, "value is null");
  if (!arguments.out) fail(kNullPointer, "attentionOut is null");
  for (const ExtraTensor& one : extras) {
    require(!one.given || one.use != Extra::refused,
            "{} is given; it is not supported: expected null", one.name);
  }
  FusedAttention(p, arguments, extras).plan();
}

}  // namespace aclnn
