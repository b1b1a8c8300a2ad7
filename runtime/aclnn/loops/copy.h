// SPDX-License-Identifier: Apache-2.0
// Elements moved from one memory to another. Most operators that move data are a list of copies
// between views of operands (`Copies`).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/aclnn/base/objects.h"
#include "runtime/aclnn/plan/planner.h"
#include "runtime/aclnn/view/view.h"

namespace aclnn {

/// One loop of a copy: how often, and how many elements it goes on in both memories.
struct CopyLoop {
  std::int64_t size = 1, from = 0, to = 0;
};
/// The loops of a copy between views of one shape.
std::vector<CopyLoop> loops_of(const View& from, const View& to);

/// A host value in its memory format.
struct Element {
  alignas(16) std::array<std::byte, 16> bytes{};
};
/// Converted as a cast converts.
Element element_of(const aclScalar& value, aclDataType type);

/// Copies elements between addresses that are given late, and converts them where the types differ.
/// The order of the elements is chosen here: an output must not have two of them in one place.
class Transfer {
 public:
  Transfer(const std::vector<CopyLoop>& loops, aclDataType from, aclDataType to);
  Transfer(const View& from, const View& to) : Transfer(loops_of(from, to), from.type, to.type) {}

  std::int64_t count() const noexcept { return count_; }
  /// Its cost, in bytes of a plain copy.
  std::int64_t cost() const noexcept { return cost_; }
  void run(const std::byte* from, std::byte* to) const { run(from, to, 0, count_); }
  /// A part of it: [0, a), [a, b) ... [z, count) together are all of it.
  void run(const std::byte* from, std::byte* to, std::int64_t begin, std::int64_t end) const;

  /// The two inner loops, in bytes.
  struct Plane {
    std::int64_t rows, count;
    std::int64_t from_row, to_row;    // from one row to the next
    std::int64_t from_step, to_step;  // from one element to the next
    aclDataType from, to;
  };

 private:
  struct Loop {
    std::int64_t size, from, to;  // in bytes
  };
  static constexpr int kMostLoops = 2 * kMaxRank;
  using Work = void (*)(const std::byte* from, std::byte* to, const Plane& plane);

  void add(Loop loop);
  bool arrange(std::int64_t from_size, std::int64_t to_size);
  std::int64_t whole_strips(std::int64_t element) const noexcept;
  void part(const std::byte* from, std::byte* to, std::int64_t row, std::int64_t skip,
            std::int64_t count) const;
  void rows(const std::byte* from, std::byte* to, std::int64_t begin, std::int64_t end) const;

  std::array<Loop, kMostLoops> loops_{};  // outer ones first
  int rank_ = 0;
  Plane plane_{};
  Work work_ = nullptr;
  std::int64_t strip_ = 0;  // rows that a transposing copy takes at a time
  std::int64_t count_ = 1, cost_ = 0;
};

/// The copies that an operator consists of. They may not write one element twice.
class Copies {
 public:
  /// Views of one shape.
  void add(const View& from, const View& to);
  /// Loops from element 0 of both views.
  void add(const View& from, const View& to, const std::vector<CopyLoop>& loops);
  void fill(const Element& value, const View& to);
  /// As the work of the operator, in pieces.
  void plan(Planner& p);

 private:
  struct Item {
    Transfer transfer;
    View from, to;  // no slot in from: the value
    Element value;
    std::int64_t begin;  // in the costs of all
  };
  static void run(Execution& run, const Item& item, std::int64_t begin, std::int64_t end);
  void add(Item item);

  std::vector<Item> items_;
  std::int64_t cost_ = 0;
};

/// One copy as the work of an operator.
void plan_copy(Planner& p, const View& from, const View& to);

}  // namespace aclnn
