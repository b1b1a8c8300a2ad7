/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shape of a tensor in host code of operators. C++11.
 */
#ifndef GRAPH_TENSOR_H_
#define GRAPH_TENSOR_H_

#include <stddef.h>
#include <stdint.h>

#include <vector>

#include "graph/types.h"

namespace ge {

class Shape {
 public:
  Shape() {}
  explicit Shape(const std::vector<int64_t>& dims) : dims_(dims) {}

  size_t GetDimNum() const { return dims_.size(); }
  /* 0 for a dimension that the shape does not have. */
  int64_t GetDim(size_t idx) const { return idx < dims_.size() ? dims_[idx] : 0; }
  std::vector<int64_t> GetDims() const { return dims_; }
  graphStatus SetDim(size_t idx, int64_t value) {
    if (idx >= dims_.size()) return GRAPH_FAILED;
    dims_[idx] = value;
    return GRAPH_SUCCESS;
  }
  /* The number of elements: 0 without dimensions, -1 if a dimension is unknown (negative). */
  int64_t GetShapeSize() const {
    int64_t size = dims_.empty() ? 0 : 1;
    for (size_t i = 0; i < dims_.size(); ++i) {
      if (dims_[i] < 0) return -1;
      size *= dims_[i];
    }
    return size;
  }

 private:
  std::vector<int64_t> dims_;
};

}  // namespace ge

#endif /* GRAPH_TENSOR_H_ */
