// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/operators/attention/attention.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "runtime/aclnn/loops/convert.h"
#include "runtime/aclnn/matrix/rows.h"
#include "runtime/aclnn/operators/matrix/nibbles.h"

namespace aclnn {
namespace {

constexpr std::int64_t kQueryBlock = 128;  // rows of scores that are computed together
constexpr std::int64_t kKeyBlock = 256;
constexpr float kHiddenScore = -std::numeric_limits<float>::infinity();

/// Some rows of the queries that share one head of keys: row r is query r % Sq of head r / Sq of
/// them.
struct AttentionUnit {
  std::size_t sequence;
  std::int64_t head, row, rows;
};

struct AttentionScratch {
  std::vector<float> q, q_rope, k, k_rope, v, scores, out, shift, scale, offset;
};

std::int64_t score_offset(const View& view, std::int64_t i, std::int64_t j, std::int64_t k) {
  return i * view.stride(0) + j * view.stride(1) + k * view.stride(2);
}

class AttentionBlock {
 public:
  AttentionBlock(Execution& run, const Attention& attention, const AttentionUnit& unit,
                 AttentionScratch& scratch)
      : run_(run),
        a_(attention),
        s_(attention.sequences[unit.sequence]),
        unit_(unit),
        to_(scratch) {
    group_ = s_.q.size(0) / key_heads(s_);
    depth_ = s_.v.size(s_.v.rank() - 1);
  }

  void compute() {
    begin();
    load_queries(s_.q, to_.q);
    if (s_.q_rope) load_queries(s_.q_rope, to_.q_rope);
    if (weight_scale_ != 0) {  // rounding needs the maximum of the whole row first
      for_keys([this] { add_to_maxima(); });
    }
    for_keys([this] { add_keys(); });
    for (std::int64_t r = 0; r < unit_.rows; ++r) store(r);
  }

 private:
  struct Row {
    std::int64_t head, query;
    std::int64_t first = 0, last = 0;  // keys that it sees
    float max = kHiddenScore, sum = 0;
  };

  /// The first of `count` tokens that count, of `all`; negative where there is no room for them.
  std::int64_t start_of(const View& padding, std::int64_t all, std::int64_t count) const {
    if (!padding) return 0;
    return all - load_one<std::int64_t>(run_.at(padding).at, ACL_INT64) - count;
  }

  template <class Step>
  void for_keys(const Step& step) {
    for (std::int64_t j = first_; j < last_; j += keys_) {
      key_ = j;
      const std::int64_t end = j < s_.prefix ? std::min(last_, s_.prefix) : last_;
      keys_ = std::min(kKeyBlock, end - j);
      step();
    }
  }

  float number(const View& view, float otherwise) const {
    if (!view) return otherwise;
    float value = 0;
    const std::byte* const at = run_.at(view).at;
    if (view.type != ACL_UINT64) return load_one<float>(at, view.type);
    std::memcpy(&value, at, sizeof value);
    return value;
  }

  void begin() {
    score_scale_ = number(a_.bytes.scores, 1);
    weight_scale_ = number(a_.bytes.weights, 0);
    sum_scale_ = number(a_.bytes.sums, 1);
    const std::int64_t query = start_of(s_.q_padding, s_.q.size(1), s_.queries);
    const std::int64_t key = start_of(s_.k_padding, s_.k.size(1), s_.keys);
    const bool fits = query >= 0 && query + s_.queries <= s_.q.size(1) && key >= 0 &&
                      (!s_.k_padding || key + s_.keys <= s_.k.size(1));
    first_ = std::numeric_limits<std::int64_t>::max();
    last_ = 0;
    for (std::int64_t r = 0; r < unit_.rows; ++r) {
      Row& row = rows_[r];
      row = Row{};
      row.head = unit_.head * group_ + (unit_.row + r) / s_.q.size(1);
      row.query = (unit_.row + r) % s_.q.size(1);
      const std::int64_t i = row.query - query;
      if (!fits || i < 0 || i >= s_.queries) continue;
      row.first = key + std::max<std::int64_t>(0, i - s_.before);
      row.last = key + std::min(s_.keys, i + s_.after + 1);
      first_ = std::min(first_, row.first);
      last_ = std::max(last_, row.last);
    }
    float* const out = room(to_.out, unit_.rows * depth_);
    std::fill(out, out + unit_.rows * depth_, 0.0F);
    room(to_.scores, unit_.rows * kKeyBlock);
    room(to_.shift, kKeyBlock);
  }

  /// Rows of queries. They are multiplied by the scale, unless they are INT8: then the scores are.
  void load_queries(const View& view, std::vector<float>& scratch) const {
    const std::int64_t columns = view.size(2);
    float* const to = room(scratch, unit_.rows * columns);
    const Data data = run_.at(view);
    const auto bytes = static_cast<std::int64_t>(size_of(view.type));
    const LoadRow<float> load = load_row<float>(view.type);
    for (std::int64_t r = 0; r < unit_.rows; ++r) {
      load(data.at + score_offset(view, rows_[r].head, rows_[r].query, 0) * bytes,
           view.stride(2) * bytes, to + r * columns, columns);
    }
    if (a_.bytes.scores) return;
    for (std::int64_t i = 0; i < unit_.rows * columns; ++i) to[i] *= a_.scale;
  }

  /// One head's part of the keys or the values.
  struct Keys {
    const View &view, &prefix, &scale, &offset;
  };

  Matrix<float> load_keys(const Keys& keys, std::vector<float>& scratch) {
    const std::int64_t columns = keys.view.size(keys.view.rank() - 1);
    const Tile block{0, key_ - (key_ < s_.prefix ? 0 : s_.prefix), keys_, 0, columns};
    if (key_ < s_.prefix) {
      return load_block(run_.at(keys.prefix.selected(0, unit_.head)), block, scratch);
    }
    const Matrix<float> numbers = load_tokens(keys.view, block, scratch);
    if (keys.scale) scale_up(keys, block, numbers, scratch.data());
    return numbers;
  }

  Matrix<float> load_tokens(const View& view, const Tile& block, std::vector<float>& scratch) {
    if (view.type == ACL_INT4) return load_nibbles(view, scratch);
    if (s_.table) return load_pages(view, scratch);
    return load_block(run_.at(view.selected(0, unit_.head)), block, scratch);
  }

  Matrix<float> load_nibbles(const View& view, std::vector<float>& scratch) {
    const std::int64_t tokens = view.size(view.rank() - 2), columns = view.size(view.rank() - 1);
    float* const to = room(scratch, keys_ * columns);
    for (std::int64_t i = 0; i < keys_; ++i) {
      const std::int64_t token = key_ + i;  // without a table all are in one block
      const View heads = s_.table ? view.selected(0, page_at(token / tokens, view.size(0))) : view;
      Nibbles(heads.selected(0, unit_.head))
          .load(run_, token % tokens, 0, columns, false, to + i * columns);
    }
    return {to, columns, 1};
  }

  Matrix<float> load_scales(const View& view, const Tile& block, std::vector<float>& scratch) {
    if (view.rank() == 4) return load_pages(view, scratch);
    return load_block(run_.at(view.selected(0, unit_.head)), block, scratch);
  }

  /// Converts numbers of few bits in scratch memory to their values.
  void scale_up(const Keys& keys, const Tile& block, const Matrix<float>& numbers, float* to) {
    const Matrix<float> scale = load_scales(keys.scale, block, to_.scale);
    Matrix<float> offset{nullptr, 0, 0};
    if (keys.offset) offset = load_scales(keys.offset, block, to_.offset);
    for (std::int64_t i = 0; i < block.rows; ++i) {
      for (std::int64_t j = 0; j < block.columns; ++j) {
        const float more = offset.data ? offset.data[i * offset.row + j * offset.column] : 0.0F;
        float& number = to[i * numbers.row + j * numbers.column];
        number = (number + more) * scale.data[i * scale.row + j * scale.column];
      }
    }
  }

  /// The keys of as many blocks of a cache as it takes.
  Matrix<float> load_pages(const View& view, std::vector<float>& scratch) const {
    const std::int64_t tokens = view.size(2), columns = view.size(3);
    const auto bytes = static_cast<std::int64_t>(size_of(view.type));
    const LoadRow<float> load = load_row<float>(view.type);
    const Data data = run_.at(view);
    float* const to = room(scratch, keys_ * columns);
    std::int64_t page = -1;
    const std::byte* block = nullptr;
    for (std::int64_t i = 0; i < keys_; ++i) {
      const std::int64_t token = (key_ + i) % tokens;
      if (page != (key_ + i) / tokens) {
        page = (key_ + i) / tokens;
        block =
            data.at +
            (page_at(page, view.size(0)) * view.stride(0) + unit_.head * view.stride(1)) * bytes;
      }
      load(block + token * view.stride(2) * bytes, view.stride(3) * bytes, to + i * columns,
           columns);
    }
    return {to, columns, 1};
  }

  std::int64_t page_at(std::int64_t page, std::int64_t blocks) const {
    const std::byte* const at = run_.at(s_.table).at + page * s_.table.stride(0) * 4;
    std::int32_t number = 0;
    std::memcpy(&number, at, sizeof number);
    if (number < 0 || number >= blocks) {
      refuse("member {} of a row of blockTableOptional is {}; expected 0 to {}", page, number,
             blocks - 1);
    }
    return number;
  }

  /// scores = or += queries @ keys^T
  void score(const View& queries, const std::vector<float>& from, const Keys& keys,
             std::vector<float>& scratch, bool add) {
    const std::int64_t columns = queries.size(2);
    const Matrix<float> k = load_keys(keys, scratch);
    multiply_rows<float>(unit_.rows, keys_, columns, {from.data(), columns, 1},
                         {k.data, k.column, k.row}, to_.scores.data(), keys_, add);
  }

  void score_keys() {
    const View none;
    score(s_.q, to_.q, {s_.k, s_.prefix_k, s_.k_scale, s_.k_offset}, to_.k, false);
    if (s_.q_rope) score(s_.q_rope, to_.q_rope, {s_.k_rope, none, none, none}, to_.k_rope, true);
    if (!a_.bytes.scores) return;
    const float scale = a_.scale * score_scale_;
    for (std::int64_t i = 0; i < unit_.rows * keys_; ++i) to_.scores[i] *= scale;
  }

  void add_to_maxima() {
    score_keys();
    for (std::int64_t r = 0; r < unit_.rows; ++r) {
      float* const scores = to_.scores.data() + r * keys_;
      if (!mask_scores(rows_[r], scores)) continue;
      for (std::int64_t j = 0; j < keys_; ++j) rows_[r].max = std::max(rows_[r].max, scores[j]);
    }
  }

  void add_keys() {
    score_keys();
    bool seen = false;
    for (std::int64_t r = 0; r < unit_.rows; ++r) seen |= weigh(r, to_.scores.data() + r * keys_);
    if (!seen) return;
    multiply_rows<float>(unit_.rows, depth_, keys_, {to_.scores.data(), keys_, 1},
                         load_keys({s_.v, s_.prefix_v, s_.v_scale, s_.v_offset}, to_.v),
                         to_.out.data(), depth_, true);
  }

  /// False where the row sees none of the keys.
  bool mask_scores(const Row& row, float* scores) {
    if (row.last <= key_ || row.first >= key_ + keys_) return false;
    if (s_.shift) add_shift(row, scores);
    hide(row, scores);
    return true;
  }

  /// Scores of a row become weights; what was summed before is scaled to the new maximum. False
  /// where no key is seen.
  bool weigh(std::int64_t r, float* scores) {
    Row& row = rows_[r];
    if (!mask_scores(row, scores)) {
      std::fill(scores, scores + keys_, 0.0F);
      return false;
    }
    float most = kHiddenScore;
    for (std::int64_t j = 0; j < keys_; ++j) most = scores[j] > most ? scores[j] : most;
    if (most == kHiddenScore && !has_nan(scores)) {
      std::fill(scores, scores + keys_, 0.0F);
      return false;
    }
    const float max = std::max(row.max, most == kHiddenScore ? 0.0F : most);
    const float before = row.max == kHiddenScore ? 0.0F : std::exp(row.max - max);
    row.sum = row.sum * before + exp_row(scores, max, keys_);
    row.max = max;
    float* const out = to_.out.data() + r * depth_;
    if (before != 1.0F) {
      for (std::int64_t d = 0; d < depth_; ++d) out[d] *= before;
    }
    if (s_.keep) drop(row, scores);
    if (weight_scale_ != 0) {
      for (std::int64_t j = 0; j < keys_; ++j) scores[j] = to_byte(scores[j] * weight_scale_);
    }
    return true;
  }

  static float to_byte(float value) { return std::clamp(std::nearbyint(value), -128.0F, 127.0F); }

  bool has_nan(const float* scores) const {
    return std::any_of(scores, scores + keys_, [](float score) { return std::isnan(score); });
  }

  void add_shift(const Row& row, float* scores) {
    const auto bytes = static_cast<std::int64_t>(size_of(s_.shift.type));
    float* const shift = to_.shift.data();
    load_row<float>(s_.shift.type)(
        run_.at(s_.shift).at + score_offset(s_.shift, row.head, row.query, key_) * bytes,
        s_.shift.stride(2) * bytes, shift, keys_);
    for (std::int64_t j = 0; j < keys_; ++j) scores[j] += a_.shift_scale * shift[j];
  }

  void hide(const Row& row, float* scores) const {
    if (s_.mask) {  // elements of one byte
      const std::byte* const mask =
          run_.at(s_.mask).at + score_offset(s_.mask, row.head, row.query, key_);
      const std::int64_t step = s_.mask.stride(2);
      for (std::int64_t j = 0; j < keys_; ++j) {
        if (mask[j * step] != std::byte{0}) scores[j] = kHiddenScore;
      }
    }
    const std::int64_t first = std::clamp<std::int64_t>(row.first - key_, 0, keys_);
    const std::int64_t last = std::clamp<std::int64_t>(row.last - key_, 0, keys_);
    std::fill(scores, scores + first, kHiddenScore);
    std::fill(scores + last, scores + keys_, kHiddenScore);
  }

  void drop(const Row& row, float* weights) const {
    const std::int64_t first =
        s_.first_bit + (row.head * s_.q.size(1) + row.query) * s_.k.size(1) + key_;
    const std::byte* const bits = run_.at(s_.keep).at;
    const std::int64_t step = s_.keep.stride(0);
    for (std::int64_t j = 0; j < keys_; ++j) {
      const std::int64_t bit = first + j;
      const bool kept = (std::to_integer<int>(bits[bit / 8 * step]) >> (bit % 8) & 1) != 0;
      weights[j] = kept ? weights[j] / a_.keep_prob : 0.0F;
    }
  }

  /// A row of which every key is hidden gives 0.
  void store(std::int64_t r) {
    const Row& row = rows_[r];
    float* const out = to_.out.data() + r * depth_;
    const bool hidden = row.max == kHiddenScore;
    for (std::int64_t d = 0; d < depth_; ++d) {
      out[d] = hidden ? 0.0F : out[d] / row.sum * sum_scale_;
    }
    if (a_.bytes.result) round_result(row, out);
    put(s_.out, row, out, depth_);
    fill(s_.lse, row, hidden ? -kHiddenScore : row.max + std::log(row.sum));
    fill(s_.max, row, hidden ? std::numeric_limits<float>::lowest() : row.max);
    fill(s_.sum, row, row.sum);
  }

  void round_result(const Row& row, float* out) {
    const auto load = [&](const View& view, std::vector<float>& scratch) {
      const auto bytes = static_cast<std::int64_t>(size_of(view.type));
      float* const to = room(scratch, depth_);
      load_row<float>(view.type)(run_.at(view).at + row.head * view.stride(0) * bytes,
                                 view.stride(1) * bytes, to, depth_);
      return to;
    };
    const EightBits& bytes = a_.bytes;
    const float* const scale = load(bytes.result, to_.scale);
    const float* const offset =
        bytes.result_offset ? load(bytes.result_offset, to_.offset) : nullptr;
    for (std::int64_t d = 0; d < depth_; ++d) {
      out[d] = to_byte(out[d] * scale[d] + (offset ? offset[d] : 0.0F));
    }
  }

  void put(const View& view, const Row& row, const float* from, std::int64_t count) const {
    const auto bytes = static_cast<std::int64_t>(size_of(view.type));
    store_row<float>(view.type)(
        from, run_.at(view).at + score_offset(view, row.head, row.query, 0) * bytes,
        view.stride(2) * bytes, count);
  }

  void fill(const View& view, const Row& row, float value) const {
    if (!view) return;
    float values[8];
    std::fill(std::begin(values), std::end(values), value);
    put(view, row, values, std::min<std::int64_t>(view.size(2), 8));
  }

  Execution& run_;
  const Attention& a_;
  const Sequence& s_;
  const AttentionUnit unit_;
  AttentionScratch& to_;
  std::int64_t group_ = 1, depth_ = 0;
  float score_scale_ = 1, weight_scale_ = 0, sum_scale_ = 1;
  std::int64_t first_ = 0, last_ = 0;  // keys that any row sees
  std::int64_t key_ = 0, keys_ = 0;    // the block of keys
  Row rows_[kQueryBlock];
};

/// Without keys there are rows of zeros.
std::vector<AttentionUnit> units_of(const Attention& attention, std::int64_t& work) {
  std::vector<AttentionUnit> units;
  for (std::size_t s = 0; s < attention.sequences.size(); ++s) {
    const Sequence& sequence = attention.sequences[s];
    const std::int64_t heads = key_heads(sequence);
    if (sequence.out.count() == 0 || heads == 0) continue;
    const std::int64_t rows = sequence.q.size(0) / heads * sequence.q.size(1);
    work += sequence.q.count() * std::max<std::int64_t>(sequence.keys, 1) * 2;
    for (std::int64_t head = 0; head < heads; ++head) {
      for (std::int64_t row = 0; row < rows; row += kQueryBlock) {
        units.push_back({s, head, row, std::min(kQueryBlock, rows - row)});
      }
    }
  }
  return units;
}

}  // namespace

Work attention_work(Attention attention) {
  std::int64_t work = 0;
  std::vector<AttentionUnit> units = units_of(attention, work);
  if (units.empty()) return {};
  const auto count = static_cast<std::int64_t>(units.size());
  const std::int64_t pieces =
      std::clamp<std::int64_t>(work >> 18, 1, std::min<std::int64_t>(count, 256));
  return {
      pieces, [attention = std::move(attention), units = std::move(units), count, pieces](
                  Execution& run, std::int64_t piece) {
        thread_local AttentionScratch scratch;
        const std::int64_t end = count * (piece + 1) / pieces;
        for (std::int64_t unit = count * piece / pieces; unit < end; ++unit) {
          AttentionBlock(run, attention, units[static_cast<std::size_t>(unit)], scratch).compute();
        }
      }};
}

}  // namespace aclnn
