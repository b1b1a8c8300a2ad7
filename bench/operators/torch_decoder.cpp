// SPDX-License-Identifier: Apache-2.0
// The reference of samples/25_decoder: its model in libtorch, with the same weights from a seed but
// without rounding to halves, because libtorch has no products of halves on CPUs.
//
//   bench_torch_decoder [--size small|large] [--tokens N] [--threads N]
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "samples/25_decoder/shape.h"
#include "samples/25_decoder/weights.h"

namespace {

at::Tensor numbers(uint64_t seed, at::IntArrayRef shape, float scale, float offset = 0.0F) {
  at::Tensor values = at::empty(shape, at::kFloat);
  float* const to = values.data_ptr<float>();
  for (int64_t i = 0; i < values.numel(); ++i) {
    to[i] = aclFloat16ToFloat(half_of(offset + scale * number(seed, static_cast<uint64_t>(i))));
  }
  return values;
}

/// [out, in], the layout that libtorch uses.
at::Tensor matrix(uint64_t seed, int64_t in, int64_t out) {
  return numbers(seed, {in, out}, 1.7F / std::sqrt(static_cast<float>(in))).t().contiguous();
}

struct Layer {
  at::Tensor norm1, norm2, query, key, value, output, gate_up, down;
  at::Tensor keys, values;  // [kv_heads, positions, head]
};

class Model {
 public:
  Model(const Shape& s, uint64_t seed)
      : s_(s),
        embedding_(numbers(seed, {s.vocabulary, s.width}, 1.0F)),
        last_norm_(numbers(seed + 1, {s.width}, 0.1F, 1.0F)),
        head_(matrix(seed + 2, s.width, s.vocabulary)) {
    for (int64_t i = 0; i < s.layers; ++i) {
      layers_.push_back(layer(seed + 100 * static_cast<uint64_t>(i + 1)));
    }
    const at::Tensor pair = at::arange(s.head, at::kFloat).remainder(s.head / 2);
    rate_ = at::pow(10000.0F, pair * (-2.0F / static_cast<float>(s.head)));
  }

  int64_t step(int64_t token, int64_t position) {
    at::Tensor x = embedding_.narrow(0, token, 1);
    const at::Tensor angle = rate_ * static_cast<float>(position);
    const at::Tensor cos = at::cos(angle), sin = at::sin(angle);
    for (Layer& layer : layers_) {
      x = x + attend(layer, norm(x, layer.norm1), cos, sin, position);
      const std::vector<at::Tensor> parts =
          at::linear(norm(x, layer.norm2), layer.gate_up).chunk(2, -1);
      x = x + at::linear(at::silu(parts[0]) * parts[1], layer.down);
    }
    return at::linear(norm(x, last_norm_), head_).argmax(1).item<int64_t>();
  }

 private:
  Layer layer(uint64_t seed) const {
    const int64_t kv = s_.kv_heads * s_.head;
    const auto norm = [&](uint64_t with) { return numbers(with, {s_.width}, 0.1F, 1.0F); };
    return {norm(seed),
            norm(seed + 2),
            matrix(seed + 4, s_.width, s_.heads * s_.head),
            matrix(seed + 6, s_.width, kv),
            matrix(seed + 8, s_.width, kv),
            matrix(seed + 10, s_.heads * s_.head, s_.width),
            matrix(seed + 12, s_.width, 2 * s_.hidden),
            matrix(seed + 14, s_.hidden, s_.width),
            at::zeros({s_.kv_heads, s_.positions, s_.head}),
            at::zeros({s_.kv_heads, s_.positions, s_.head})};
  }

  static at::Tensor norm(const at::Tensor& x, const at::Tensor& gamma) {
    return x * at::rsqrt((x * x).mean(-1, true) + 1e-5) * gamma;
  }

  at::Tensor rotate(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin) const {
    const at::Tensor heads = x.view({-1, s_.head});
    const std::vector<at::Tensor> halves = heads.chunk(2, 1);
    return heads * cos + at::cat({-halves[1], halves[0]}, 1) * sin;
  }

  at::Tensor attend(Layer& layer, const at::Tensor& h, const at::Tensor& cos, const at::Tensor& sin,
                    int64_t position) const {
    const at::Tensor q = rotate(at::linear(h, layer.query), cos, sin);
    layer.keys.select(1, position).copy_(rotate(at::linear(h, layer.key), cos, sin));
    layer.values.select(1, position).copy_(at::linear(h, layer.value).view({-1, s_.head}));
    const at::Tensor keys = layer.keys.narrow(1, 0, position + 1);
    const at::Tensor values = layer.values.narrow(1, 0, position + 1);
    const at::Tensor scores = at::bmm(q.view({s_.kv_heads, -1, s_.head}), keys.transpose(1, 2)) *
                              (1.0 / std::sqrt(static_cast<double>(s_.head)));
    return at::linear(at::bmm(at::softmax(scores, -1), values).view({1, -1}), layer.output);
  }

  const Shape s_;
  at::Tensor embedding_, last_norm_, head_, rate_;
  std::vector<Layer> layers_;
};

}  // namespace

int main(int argc, char** argv) {
  int64_t tokens = 24;
  Shape shape;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i], value = argv[i + 1];
    if (option == "--tokens") tokens = std::atoll(value.c_str());
    if (option == "--size" && value == "large") shape = Shape::large();
    if (option == "--threads") at::set_num_threads(std::atoi(value.c_str()));
  }
  c10::InferenceMode guard;
  Model model(shape, 1);
  const auto begin = std::chrono::steady_clock::now();
  int64_t token = 1;
  std::printf("tokens:");
  for (int64_t position = 0; position < tokens; ++position) {
    token = model.step(token, position);
    std::printf(" %d", static_cast<int>(token));
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf("\n%.0f tokens/s\n", static_cast<double>(tokens) / took.count());
  return 0;
}
