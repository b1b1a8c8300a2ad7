// SPDX-License-Identifier: Apache-2.0
// The elements that tensors of indices select.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/aclnn/loops/copy.h"
#include "runtime/aclnn/plan/planner.h"

namespace aclnn {

/// The dim that an index tensor chooses from.
struct Chosen {
  std::int64_t size;
  std::int64_t step;  // bytes from one index to the next
};

/// Index tensors of one shape: each of their elements is an offset in the tensor that is indexed,
/// in bytes, the sum over all of them.
class Places {
 public:
  /// `shape`: what the index tensors broadcast to.
  Places(const Shape& shape, bool from_end) : shape_(shape), from_end_(from_end) {}

  /// Numbers, as an integer view that broadcasts to the shape.
  void add(const View& index, const char* name, Chosen dim);
  /// Selects the nonzero elements of a mask over several dims. Their number, the last dim of the
  /// shape, becomes known when the mask is read.
  void add_mask(const View& mask, const char* name, std::vector<Chosen> dims);

  std::int64_t count() const noexcept { return shape_.count(); }
  /// Gives the offsets.
  class Reading;

 private:
  struct Numbers {
    View view;
    Chosen dim;
    const char* name;
  };
  struct Mask {
    View view;
    std::vector<Chosen> dims;
    const char* name;
  };
  Shape shape_;
  bool beside_numbers_ = false;  // some numbers have the last dim of the shape
  bool from_end_;                // negative indices count from the end
  std::vector<Numbers> numbers_;
  std::vector<Mask> masks_;
};

class Places::Reading {
 public:
  Reading(Execution& run, const Places& places);
  /// The offsets of [begin, begin + count), kChunk at most. False where the run has failed: an
  /// index is outside of its dim.
  bool get(std::int64_t begin, std::int64_t count, std::int64_t* offsets);

 private:
  bool add_numbers(const Numbers& numbers, std::int64_t begin, std::int64_t count,
                   std::int64_t* offsets);

  Execution& run_;
  const Places& places_;
  std::vector<std::vector<std::int64_t>>
      masked_;  // offsets of the selected elements, for each mask
};

/// Copies between the blocks of an indexed tensor and the blocks of a dense one.
struct IndexedCopy {
  Places places;
  View indexed;                 // begins at index 0
  View dense;                   // the dims of the places only
  std::vector<CopyLoop> outer;  // loops around the places: from the indexed to the dense one
  std::vector<CopyLoop> block;  // loops inside of them
};
/// From the indexed tensor to the dense one, or back.
enum class Direction { gather, scatter };
void plan_indexed(Planner& p, IndexedCopy copy, Direction direction);
/// All of it, where the number of places becomes known when the operator runs.
void run_indexed(Execution& run, IndexedCopy copy, Direction direction);

/// How many elements are not 0.
std::int64_t count_true(const Execution& run, const View& mask);

/// "index[1, 2]": an element by its number, `first` elements of a dim further.
std::string element_text(const char* name, const Shape& shape, std::int64_t element, int dim = 0,
                         std::int64_t first = 0);

}  // namespace aclnn
