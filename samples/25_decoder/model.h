// SPDX-License-Identifier: Apache-2.0
// A small language model of the usual kind: embedding, layers of attention with a cache and gated
// feed-forward networks, RMS norms, rotary positions. Its weights come from a seed, so its output
// has no meaning, but is reproducible.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "operators.h"
#include "shape.h"

enum class Weights { f16, int8 };

/// A matrix [in, out] that multiplies rows. Its values are halves, or bytes with one scale for each
/// group of 32 rows in each column.
struct Matrix {
  int64_t in, out;
  Memory values;
  std::unique_ptr<Memory> scales;  // null: values are halves

  /// y = x @ this, for one row; y has the type f16.
  void multiply(const Memory& x, const Memory& y, aclrtStream stream) const;
};

struct Layer {
  Memory norm1, norm2;  // ones with small variations
  Matrix query, key, value, output, gate_up, down;
  Memory keys, values;  // the cache: [positions, kv_heads * head] each
};

/// Consecutive layers on one device, with their weights and work memory.
class Part {
 public:
  Part(int device, const Shape& shape, Weights weights, uint64_t seed, int64_t first,
       int64_t count);
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
  ~Part();

  int device() const { return device_; }
  aclrtStream stream() const { return stream_; }
  const Memory& state() const { return state_; }  // [1, width], the input and output of the layers
  /// Sets the position of the current token for the operators: index, mask of later positions.
  void set_position(int64_t position) const;
  /// Enqueues state = embedding[token].
  void embed(const Memory& token) const;
  /// Enqueues all layers.
  void enqueue() const;
  /// Enqueues logits = norm(state) @ embedding-like matrix, and token = the largest.
  void predict(const Memory& token) const;
  const Memory& logits() const { return logits_; }
  /// Captures the same work once, to run it again for each token.
  void capture();
  void run() const;

 private:
  void attend(const Layer& layer) const;
  void feed_forward(const Layer& layer) const;
  void rotate(const Memory& vectors, int64_t heads) const;

  const int device_;
  const Shape shape_;
  aclrtStream stream_ = nullptr;
  aclmdlRI graph_ = nullptr;
  std::vector<Layer> layers_;
  Memory embedding_, last_norm_;
  Matrix head_;
  Memory position_, mask_, sines_, cosines_, sine_, cosine_;
  Memory state_, normed_, rstd_, query_, key_, value_, attended_, wide_, rotated_, gate_up_, gated_,
      added_, logits_;
};
