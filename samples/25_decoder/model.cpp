// SPDX-License-Identifier: Apache-2.0
#include "model.h"

#include <aclnnop/aclnn_add.h>
#include <aclnnop/aclnn_argmax.h>
#include <aclnnop/aclnn_cast.h>
#include <aclnnop/aclnn_fused_infer_attention_score_v2.h>
#include <aclnnop/aclnn_gather_v2.h>
#include <aclnnop/aclnn_index_copy.h>
#include <aclnnop/aclnn_mm.h>
#include <aclnnop/aclnn_rms_norm.h>
#include <aclnnop/aclnn_rotary_position_embedding.h>
#include <aclnnop/aclnn_swi_glu.h>
#include <aclnnop/aclnn_weight_quant_batch_matmul_v2.h>

#include <cmath>

#include "weights.h"

namespace {

constexpr int64_t kGroup = 32;  // rows of a matrix of bytes that share a scale
constexpr double kEpsilon = 1e-5;
constexpr size_t kHalf = sizeof(uint16_t);

Memory memory_of(const std::vector<uint16_t>& values) {
  Memory memory(values.size() * kHalf);
  memory.put(values.data(), memory.bytes());
  return memory;
}

Memory halves_for(int64_t count) { return Memory(static_cast<size_t>(count) * kHalf); }

Matrix matrix(Weights weights, uint64_t seed, int64_t in, int64_t out) {
  const float scale = 1.7F / std::sqrt(static_cast<float>(in));
  if (weights == Weights::f16) return {in, out, memory_of(halves(seed, in * out, scale)), nullptr};
  const std::vector<int8_t> values = bytes(seed, in * out);
  Memory memory(values.size());
  memory.put(values.data(), values.size());
  const auto scales = halves(seed + 1, in / kGroup * out, 0.1F * scale / 127.0F, scale / 127.0F);
  return {in, out, std::move(memory), std::make_unique<Memory>(memory_of(scales))};
}

Memory norm(uint64_t seed, int64_t width) { return memory_of(halves(seed, width, 0.1F, 1.0F)); }

Layer make_layer(const Shape& s, Weights weights, uint64_t seed) {
  const int64_t kv = s.kv_heads * s.head;
  return {norm(seed, s.width),
          norm(seed + 2, s.width),
          matrix(weights, seed + 4, s.width, s.heads * s.head),
          matrix(weights, seed + 6, s.width, kv),
          matrix(weights, seed + 8, s.width, kv),
          matrix(weights, seed + 10, s.heads * s.head, s.width),
          matrix(weights, seed + 12, s.width, 2 * s.hidden),
          matrix(weights, seed + 14, s.hidden, s.width),
          halves_for(s.positions * kv),
          halves_for(s.positions * kv)};
}

/// Angles of all positions, equal in both halves of a head.
Memory angles(const Shape& s, float (*f)(float)) {
  std::vector<float> values;
  for (int64_t position = 0; position < s.positions; ++position) {
    for (int64_t i = 0; i < s.head; ++i) {
      const auto pair = static_cast<float>(i % (s.head / 2));
      const float rate = std::pow(10000.0F, -2.0F * pair / static_cast<float>(s.head));
      values.push_back(f(static_cast<float>(position) * rate));
    }
  }
  Memory memory(values.size() * sizeof(float));
  memory.put(values.data(), memory.bytes());
  return memory;
}

void add(const Memory& sum, const Memory& other, int64_t count, aclrtStream stream) {
  float one = 1.0F;
  aclScalar* const alpha = aclCreateScalar(&one, ACL_FLOAT);
  RUN(aclnnInplaceAdd, stream, Tensor(sum, ACL_FLOAT16, {count}),
      Tensor(other, ACL_FLOAT16, {count}), alpha);
  aclDestroyScalar(alpha);
}

struct OnDevice {  // makes the device current while the members of a part are created
  explicit OnDevice(int device) { CHECK(aclrtSetDevice(device)); }
};

}  // namespace

void Matrix::multiply(const Memory& x, const Memory& y, aclrtStream stream) const {
  const Tensor from(x, ACL_FLOAT16, {1, in}), to(y, ACL_FLOAT16, {1, out});
  if (!scales) {
    RUN(aclnnMm, stream, from, Tensor(values, ACL_FLOAT16, {in, out}), to, 0);
    return;
  }
  RUN(aclnnWeightQuantBatchMatmulV2, stream, from, Tensor(values, ACL_INT8, {in, out}),
      Tensor(*scales, ACL_FLOAT16, {in / kGroup, out}), nullptr, nullptr, nullptr, nullptr,
      static_cast<int>(in == kGroup ? 0 : kGroup), to);
}

Part::Part(int device, const Shape& s, Weights weights, uint64_t seed, int64_t first, int64_t count)
    : device_((OnDevice(device), device)),
      shape_(s),
      embedding_(memory_of(halves(seed, s.vocabulary * s.width, 1.0F))),
      last_norm_(norm(seed + 1, s.width)),
      head_(matrix(Weights::f16, seed + 2, s.width, s.vocabulary)),
      position_(sizeof(int64_t)),
      mask_(halves_for(s.positions)),
      sines_(angles(s, std::sin)),
      cosines_(angles(s, std::cos)),
      sine_(static_cast<size_t>(s.head) * sizeof(float)),
      cosine_(static_cast<size_t>(s.head) * sizeof(float)),
      state_(halves_for(s.width)),
      normed_(halves_for(s.width)),
      rstd_(sizeof(float)),
      query_(halves_for(s.heads * s.head)),
      key_(halves_for(s.kv_heads * s.head)),
      value_(halves_for(s.kv_heads * s.head)),
      attended_(halves_for(s.heads * s.head)),
      wide_(static_cast<size_t>(s.heads * s.head) * sizeof(float)),
      rotated_(static_cast<size_t>(s.heads * s.head) * sizeof(float)),
      gate_up_(halves_for(2 * s.hidden)),
      gated_(halves_for(s.hidden)),
      added_(halves_for(s.width)),
      logits_(static_cast<size_t>(s.vocabulary) * sizeof(float)) {
  CHECK(aclrtCreateStream(&stream_));
  for (int64_t i = first; i < first + count; ++i) {
    layers_.push_back(make_layer(s, weights, seed + 100 * static_cast<uint64_t>(i + 1)));
    for (const Memory* cache : {&layers_.back().keys, &layers_.back().values}) {
      CHECK(aclrtMemset(cache->data(), cache->bytes(), 0, cache->bytes()));
    }
  }
}

Part::~Part() {
  aclrtSetDevice(device_);
  if (graph_) aclmdlRIDestroy(graph_);
  aclrtDestroyStream(stream_);
}

void Part::set_position(int64_t position) const {
  CHECK(aclrtSetDevice(device_));
  position_.put(&position, sizeof position);
  std::vector<uint16_t> mask(static_cast<size_t>(shape_.positions), half_of(-INFINITY));
  std::fill_n(mask.begin(), position + 1, uint16_t{0});
  mask_.put(mask.data(), mask_.bytes());
}

void Part::embed(const Memory& token) const {
  RUN(aclnnGatherV2, stream_, Tensor(embedding_, ACL_FLOAT16, {shape_.vocabulary, shape_.width}), 0,
      Tensor(token, ACL_INT32, {1}), Tensor(state_, ACL_FLOAT16, {1, shape_.width}));
}

/// Rotates the heads of one position by its angles, in f32.
void Part::rotate(const Memory& vectors, int64_t heads) const {
  const std::vector<int64_t> dims{1, 1, heads, shape_.head}, angle{1, 1, 1, shape_.head};
  const Tensor halves(vectors, ACL_FLOAT16, dims), wide(wide_, ACL_FLOAT, dims),
      rotated(rotated_, ACL_FLOAT, dims);
  RUN(aclnnCast, stream_, halves, ACL_FLOAT, wide);
  RUN(aclnnRotaryPositionEmbedding, stream_, wide, Tensor(cosine_, ACL_FLOAT, angle),
      Tensor(sine_, ACL_FLOAT, angle), 0, rotated);
  RUN(aclnnCast, stream_, rotated, ACL_FLOAT16, halves);
}

void Part::attend(const Layer& layer) const {
  const Shape& s = shape_;
  const int64_t kv = s.kv_heads * s.head;
  RUN(aclnnRmsNorm, stream_, Tensor(state_, ACL_FLOAT16, {1, s.width}),
      Tensor(layer.norm1, ACL_FLOAT16, {s.width}), kEpsilon,
      Tensor(normed_, ACL_FLOAT16, {1, s.width}), Tensor(rstd_, ACL_FLOAT, {1, 1}));
  layer.query.multiply(normed_, query_, stream_);
  layer.key.multiply(normed_, key_, stream_);
  layer.value.multiply(normed_, value_, stream_);
  rotate(query_, s.heads);
  rotate(key_, s.kv_heads);

  const Tensor position(position_, ACL_INT64, {1});
  RUN(aclnnInplaceIndexCopy, stream_, Tensor(layer.keys, ACL_FLOAT16, {s.positions, kv}), 0,
      position, Tensor(key_, ACL_FLOAT16, {1, kv}));
  RUN(aclnnInplaceIndexCopy, stream_, Tensor(layer.values, ACL_FLOAT16, {s.positions, kv}), 0,
      position, Tensor(value_, ACL_FLOAT16, {1, kv}));

  // Lists own their tensors.
  const std::vector<int64_t> cache{1, s.positions, s.kv_heads, s.head};
  const auto list_of = [&](const Memory& memory) {
    const int64_t storage = s.positions * kv;
    const aclTensor* const tensor =
        aclCreateTensor(cache.data(), cache.size(), ACL_FLOAT16, nullptr, 0, ACL_FORMAT_ND,
                        &storage, 1, memory.data());
    return aclCreateTensorList(&tensor, 1);
  };
  aclTensorList *keys = list_of(layer.keys), *values = list_of(layer.values);
  char layout[] = "BSND";
  const Tensor mask(mask_, ACL_FLOAT16, {1, s.heads, 1, s.positions}, {0, 0, 0, 1});
  RUN(aclnnFusedInferAttentionScoreV2, stream_,
      Tensor(query_, ACL_FLOAT16, {1, 1, s.heads, s.head}), keys, values, mask, nullptr, nullptr,
      nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
      nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, s.heads,
      1.0 / std::sqrt(static_cast<double>(s.head)), 65535, 65535, layout, s.kv_heads, 0, 0, 0, 0,
      false, 0, 0, Tensor(attended_, ACL_FLOAT16, {1, 1, s.heads, s.head}), nullptr);
  aclDestroyTensorList(keys);
  aclDestroyTensorList(values);
  layer.output.multiply(attended_, added_, stream_);
  add(state_, added_, s.width, stream_);
}

void Part::feed_forward(const Layer& layer) const {
  const Shape& s = shape_;
  RUN(aclnnRmsNorm, stream_, Tensor(state_, ACL_FLOAT16, {1, s.width}),
      Tensor(layer.norm2, ACL_FLOAT16, {s.width}), kEpsilon,
      Tensor(normed_, ACL_FLOAT16, {1, s.width}), Tensor(rstd_, ACL_FLOAT, {1, 1}));
  layer.gate_up.multiply(normed_, gate_up_, stream_);
  RUN(aclnnSwiGlu, stream_, Tensor(gate_up_, ACL_FLOAT16, {1, 2 * s.hidden}), -1,
      Tensor(gated_, ACL_FLOAT16, {1, s.hidden}));
  layer.down.multiply(gated_, added_, stream_);
  add(state_, added_, s.width, stream_);
}

void Part::enqueue() const {
  const Shape& s = shape_;
  const Tensor position(position_, ACL_INT64, {1});
  RUN(aclnnGatherV2, stream_, Tensor(sines_, ACL_FLOAT, {s.positions, s.head}), 0, position,
      Tensor(sine_, ACL_FLOAT, {1, s.head}));
  RUN(aclnnGatherV2, stream_, Tensor(cosines_, ACL_FLOAT, {s.positions, s.head}), 0, position,
      Tensor(cosine_, ACL_FLOAT, {1, s.head}));
  for (const Layer& layer : layers_) {
    attend(layer);
    feed_forward(layer);
  }
}

void Part::predict(const Memory& token) const {
  const Shape& s = shape_;
  RUN(aclnnRmsNorm, stream_, Tensor(state_, ACL_FLOAT16, {1, s.width}),
      Tensor(last_norm_, ACL_FLOAT16, {s.width}), kEpsilon,
      Tensor(normed_, ACL_FLOAT16, {1, s.width}), Tensor(rstd_, ACL_FLOAT, {1, 1}));
  const Tensor logits(logits_, ACL_FLOAT, {1, s.vocabulary});
  RUN(aclnnMm, stream_, Tensor(normed_, ACL_FLOAT16, {1, s.width}),
      Tensor(head_.values, ACL_FLOAT16, {s.width, s.vocabulary}), logits, 0);
  RUN(aclnnArgMax, stream_, logits, 1, false, Tensor(token, ACL_INT32, {1}));
}

void Part::capture() {
  CHECK(aclrtSetDevice(device_));
  CHECK(aclmdlRICaptureBegin(stream_, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  enqueue();
  CHECK(aclmdlRICaptureEnd(stream_, &graph_));
}

void Part::run() const {
  if (graph_) {
    CHECK(aclmdlRIExecuteAsync(graph_, stream_));
  } else {
    enqueue();
  }
}
