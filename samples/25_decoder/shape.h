// SPDX-License-Identifier: Apache-2.0
// The size of a model.
#pragma once

#include <cstdint>

struct Shape {
  int64_t vocabulary = 256;
  int64_t width = 128;
  int64_t heads = 4;
  int64_t kv_heads = 2;
  int64_t head = 32;  // width of one head
  int64_t hidden = 256;
  int64_t layers = 4;
  int64_t positions = 64;

  /// A hundred million weights: most of the work is in the products, as in real models.
  static Shape large() { return {8192, 1024, 16, 4, 64, 2816, 8, 256}; }
};
