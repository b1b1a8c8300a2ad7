// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/plan/planner.h"

#include <fmt/ranges.h>

namespace aclnn {
namespace {

/// Whether the elements, their places and the cost of a loop over them fit into 64 bits. No memory
/// is as large, but strides may have any value.
bool countable(const View& view) {
  constexpr std::int64_t kMost = std::int64_t{1} << 55;
  const auto small = [](std::int64_t number) { return number >= -kMost && number <= kMost; };
  std::int64_t count = 1;
  bool good = small(view.offset);
  for (int d = 0; d < view.rank(); ++d) {
    if (view.size(d) == 0) return true;
    std::int64_t reach = 0;
    good = good && !__builtin_mul_overflow(count, view.size(d), &count) && small(count) &&
           !__builtin_mul_overflow(view.size(d) - 1, view.stride(d), &reach) && small(reach);
  }
  return good;
}

}  // namespace

void Planner::need(const void* pointer, const char* name) const {
  if (!pointer) fail(kNullPointer, "{} is null", name);
}

View Planner::operand(const aclTensor* tensor, const char* name, TypeSet types, Role role,
                      int member) {
  Operand operand;
  // The object changes only at the program's request: addresses, and shapes of outputs.
  operand.tensor = const_cast<aclTensor*>(tensor);
  operand.name = name;
  operand.role = role;
  operand.argument = arguments_;
  operand.member = member;
  if (tensor) {
    if (!(types.has(tensor->type))) [[unlikely]]
      refuse("{} has the type {}; expected {}", name, name_of(tensor->type), names_of(types));
    if (!(tensor->dims.size() <= kMaxRank)) [[unlikely]]
      refuse("{} has {} dims; expected at most {}", name, tensor->dims.size(), kMaxRank);
    View& view = operand.view;
    view.shape = Shape(std::span<const std::int64_t>(tensor->dims));
    std::copy(tensor->strides.begin(), tensor->strides.end(), view.strides.begin());
    view.offset = tensor->offset;
    view.type = tensor->type;
    view.slot = static_cast<int>(plan_.operands.size());
    for (int d = 0; d < view.rank(); ++d) {
      if (!(view.size(d) >= 0)) [[unlikely]]
        refuse("{} has the shape {}; expected no negative dims", name, view.shape.text());
    }
    if (!countable(view)) [[unlikely]]
      refuse(
          "{} has the shape {}, the strides [{}] and the offset {}; expected elements within "
          "2^55 of each other",
          name, view.shape.text(), fmt::join(tensor->strides, ", "), view.offset);
  }
  plan_.operands.push_back(operand);
  return operand.view;
}

View Planner::tensor(const aclTensor* tensor, const char* name, TypeSet types, Role role) {
  const View view = operand(tensor, name, types, role, -1);
  ++arguments_;
  return view;
}

std::vector<View> Planner::list(const aclTensorList* list, const char* name, TypeSet types,
                                Role role) {
  std::vector<View> views;
  if (list) {
    int member = 0;
    for (const aclTensor* tensor : list->tensors) {
      views.push_back(operand(tensor, name, types, role, member++));
    }
  }
  ++arguments_;
  return views;
}

aclScalar Planner::value(const aclScalar* scalar, const char* name, TypeSet types) const {
  if (!(types.has(scalar->type))) [[unlikely]]
    refuse("{} has the type {}; expected {}", name, name_of(scalar->type), names_of(types));
  return *scalar;
}

const char* Planner::name(const View& view) const {
  return view ? plan_.operands[static_cast<std::size_t>(view.slot)].name : "tensor";
}

void Planner::require_shape(const View& view, const Shape& expected) const {
  if (!(view.shape == expected)) [[unlikely]]
    refuse("{} has the shape {}; expected {}", name(view), view.shape.text(), expected.text());
}

void Planner::require_type(const View& view, aclDataType expected) const {
  if (!(view.type == expected)) [[unlikely]]
    refuse("{} has the type {}; expected {}", name(view), name_of(view.type), name_of(expected));
}

void Planner::require_rank(const View& view, int least, int most) const {
  if (!(view.rank() >= least && view.rank() <= most)) [[unlikely]]
    refuse("{} has the shape {}; expected {} to {} dims", name(view), view.shape.text(), least,
           most);
}

void Planner::require_castable(aclDataType from, const View& out) const {
  if (!(can_cast(from, out.type))) [[unlikely]]
    refuse("{} has the type {}; a result of type {} cannot be put there", name(out),
           name_of(out.type), name_of(from));
}

int Planner::dim(std::int64_t dim, int rank, const char* name) const {
  const int span = std::max(rank, 1);
  if (!(dim >= -span && dim < span)) [[unlikely]]
    refuse("{} is {}; expected {} to {}", name, dim, -span, span - 1);
  return static_cast<int>(dim < 0 ? dim + span : dim);
}

std::array<bool, kMaxRank> Planner::dims(const std::vector<std::int64_t>& dims, int rank,
                                         const char* name) const {
  std::array<bool, kMaxRank> mask{};
  for (const std::int64_t given : dims) {
    const auto d = static_cast<std::size_t>(dim(given, rank, name));
    if (!(!mask[d])) [[unlikely]]
      refuse("{} names the dim {} twice", name, given);
    mask[d] = true;
  }
  if (dims.empty()) std::fill(mask.begin(), mask.begin() + rank, true);
  return mask;
}

Shape Planner::broadcast(const View& a, const View& b) const {
  Shape shape;
  if (!(aclnn::broadcast(a.shape, b.shape, shape))) [[unlikely]]
    refuse("{} has the shape {} and {} has {}; they do not broadcast to one shape", name(a),
           a.shape.text(), name(b), b.shape.text());
  return shape;
}

View Planner::expand(const View& view, const Shape& to) const {
  Shape both;
  if (!(aclnn::broadcast(view.shape, to, both) && both == to)) [[unlikely]]
    refuse("{} has the shape {}, which does not broadcast to {}", name(view), view.shape.text(),
           to.text());
  return view.expanded(to);
}

aclDataType Planner::promote(const View& a, const View& b) const {
  aclDataType type = ACL_DT_UNDEFINED;
  if (!(aclnn::promote(a.type, b.type, type))) [[unlikely]]
    refuse("{} has the type {} and {} has {}; they do not mix", name(a), name_of(a.type), name(b),
           name_of(b.type));
  return type;
}

void Planner::enqueue(std::uint64_t workspace, Enqueue enqueue) {
  plan_.workspace = workspace;
  plan_.enqueue = std::move(enqueue);
}

void Planner::job(std::int64_t pieces, Job job) {
  plan_.pieces = pieces;
  plan_.job = std::move(job);
}

}  // namespace aclnn
