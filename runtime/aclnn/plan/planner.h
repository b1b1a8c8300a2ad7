// SPDX-License-Identifier: Apache-2.0
// The interface with which the first phase of an operator is written:
//
//   aclnnStatus aclnnAbsGetWorkspaceSize(const aclTensor* self, aclTensor* out,
//                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
//     return first_phase("aclnnAbs", workspaceSize, executor, [&](Planner& p) {
//       const auto [x, y] = p.take(In{self, "self", kReals}, Out{out, "out", kReals});
//       p.require_shape(y, x.shape);
//       p.job_over(x.count(), 1 << 14, [x = x, y = y](Execution& run, std::int64_t begin,
//       std::int64_t end) {
//         ...  // run.at(x), run.at(y)
//       });
//     });
//   }
//   ACLNN_SECOND_PHASE(aclnnAbs)
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/aclnn/base/error.h"
#include "runtime/aclnn/plan/executor.h"
#include "runtime/aclnn/plan/plan.h"

namespace aclnn {

// Arguments and their allowed types. Required arguments are checked before any type is: 161001.
struct In {
  const aclTensor* tensor;
  const char* name;
  TypeSet types;
};
struct Out {
  const aclTensor* tensor;
  const char* name;
  TypeSet types;
};
/// Read and written.
struct Ref {
  const aclTensor* tensor;
  const char* name;
  TypeSet types;
};
/// May be null; the view is then false.
struct OptIn {
  const aclTensor* tensor;
  const char* name;
  TypeSet types;
};
struct OptOut {
  const aclTensor* tensor;
  const char* name;
  TypeSet types;
};
/// Lists of tensors; null members give views that are false.
struct ListIn {
  const aclTensorList* list;
  const char* name;
  TypeSet types;
};
struct ListOut {
  const aclTensorList* list;
  const char* name;
  TypeSet types;
};
struct OptListIn {  // null: empty
  const aclTensorList* list;
  const char* name;
  TypeSet types;
};
struct OptListOut {
  const aclTensorList* list;
  const char* name;
  TypeSet types;
};
/// Host values.
struct Value {
  const aclScalar* scalar;
  const char* name;
  TypeSet types = kEvery;
};
struct OptValue {
  const aclScalar* scalar;
  const char* name;
  TypeSet types = kEvery;
};
struct Ints {
  const aclIntArray* array;
  const char* name;
};
struct OptInts {  // null: nothing
  const aclIntArray* array;
  const char* name;
};
struct Bools {
  const aclBoolArray* array;
  const char* name;
};

class Planner {
 public:
  explicit Planner(Plan& plan) noexcept : plan_(plan) {}

  /// Checks what is given, null pointers first, then types and ranks, and makes operands of
  /// tensors. In the order of the operator's arguments: View for tensors, vector<View> for lists,
  /// aclScalar for values (optional<aclScalar>), vector<int64_t> for arrays
  /// (optional<vector<int64_t>>).
  template <class... Arguments>
  auto take(const Arguments&... arguments) {
    (need(arguments), ...);
    return std::tuple{get(arguments)...};  // braces: from left to right
  }

  const char* name(const View& view) const;
  Operand& operand(const View& view) { return plan_.operands[static_cast<std::size_t>(view.slot)]; }

  // --- checks; each refuses with 161002 and a text that names the argument ---
  void require_shape(const View& view, const Shape& expected) const;
  void require_type(const View& view, aclDataType expected) const;
  void require_rank(const View& view, int least, int most) const;
  /// A result of type `from` goes into this output.
  void require_castable(aclDataType from, const View& out) const;
  /// The dim as 0 to rank - 1; negative ones count from the end. Rank 0 has a dim 0.
  int dim(std::int64_t dim, int rank, const char* name) const;
  /// Distinct dims, as a mask; all dims if none is given.
  std::array<bool, kMaxRank> dims(const std::vector<std::int64_t>& dims, int rank,
                                  const char* name) const;
  /// The shape that both broadcast to.
  Shape broadcast(const View& a, const View& b) const;
  /// `view` as the shape wants it.
  View expand(const View& view, const Shape& to) const;
  /// The type in which both are computed.
  aclDataType promote(const View& a, const View& b) const;

  // --- the work; without one of these there is nothing to do ---
  void job(std::int64_t pieces, Job job);
  /// job(run, begin, end) over [0, count), in pieces of `least` or more.
  template <class F>
  void job_over(std::int64_t count, std::int64_t least, F job) {
    if (count <= 0) return;
    const std::int64_t pieces = std::clamp<std::int64_t>(count / least, 1, kMostPieces);
    this->job(pieces, [job = std::move(job), count, pieces](Execution& run, std::int64_t piece) {
      job(run, count * piece / pieces, count * (piece + 1) / pieces);
    });
  }
  /// The second phase enqueues the work itself, with so many bytes of workspace.
  void enqueue(std::uint64_t workspace, Enqueue enqueue);
  /// The second phase copies data of the host: such an executor cannot be repeated.
  void copies_host_data() { plan_.copies_host_data = true; }

 private:
  static constexpr std::int64_t kMostPieces = 64;

  void need(const void* pointer, const char* name) const;
  void need(const In& a) const { need(a.tensor, a.name); }
  void need(const Out& a) const { need(a.tensor, a.name); }
  void need(const Ref& a) const { need(a.tensor, a.name); }
  void need(const OptIn&) const {}
  void need(const OptOut&) const {}
  void need(const ListIn& a) const { need(a.list, a.name); }
  void need(const ListOut& a) const { need(a.list, a.name); }
  void need(const OptListIn&) const {}
  void need(const OptListOut&) const {}
  void need(const Value& a) const { need(a.scalar, a.name); }
  void need(const OptValue&) const {}
  void need(const Ints& a) const { need(a.array, a.name); }
  void need(const OptInts&) const {}
  void need(const Bools& a) const { need(a.array, a.name); }

  View get(const In& a) { return tensor(a.tensor, a.name, a.types, Role::in); }
  View get(const Out& a) { return tensor(a.tensor, a.name, a.types, Role::out); }
  View get(const Ref& a) { return tensor(a.tensor, a.name, a.types, Role::in_out); }
  View get(const OptIn& a) { return tensor(a.tensor, a.name, a.types, Role::in); }
  View get(const OptOut& a) { return tensor(a.tensor, a.name, a.types, Role::out); }
  std::vector<View> get(const ListIn& a) { return list(a.list, a.name, a.types, Role::in); }
  std::vector<View> get(const ListOut& a) { return list(a.list, a.name, a.types, Role::out); }
  std::vector<View> get(const OptListIn& a) { return list(a.list, a.name, a.types, Role::in); }
  std::vector<View> get(const OptListOut& a) { return list(a.list, a.name, a.types, Role::out); }
  aclScalar get(const Value& a) const { return value(a.scalar, a.name, a.types); }
  std::optional<aclScalar> get(const OptValue& a) const {
    if (!a.scalar) return std::nullopt;
    return value(a.scalar, a.name, a.types);
  }
  std::vector<std::int64_t> get(const Ints& a) const { return a.array->values; }
  std::optional<std::vector<std::int64_t>> get(const OptInts& a) const {
    if (!a.array) return std::nullopt;
    return a.array->values;
  }
  std::vector<char> get(const Bools& a) const { return a.array->values; }

  View tensor(const aclTensor* tensor, const char* name, TypeSet types, Role role);
  View operand(const aclTensor* tensor, const char* name, TypeSet types, Role role, int member);
  std::vector<View> list(const aclTensorList* list, const char* name, TypeSet types, Role role);
  aclScalar value(const aclScalar* scalar, const char* name, TypeSet types) const;

  Plan& plan_;
  int arguments_ = 0;
};

}  // namespace aclnn
