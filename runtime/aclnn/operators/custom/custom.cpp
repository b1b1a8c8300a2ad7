// SPDX-License-Identifier: Apache-2.0
// aclnn/aclsim_operator.h: operators that programs bring.
#include "aclnn/aclsim_operator.h"

#include <cstring>
#include <memory>

#include "acl/acl_sim.h"
#include "runtime/aclnn/plan/planner.h"

namespace aclnn {
namespace {

constexpr TypeSet kAnyType = kEvery | TypeSet{ACL_INT4};

struct Attributes {
  explicit Attributes(const aclsimOperator& op)
      : bytes(new (std::align_val_t{16}) std::byte[std::max<std::size_t>(op.attributesSize, 1)]) {
    if (op.attributesSize != 0) std::memcpy(bytes, op.attributes, op.attributesSize);
  }
  ~Attributes() { ::operator delete[](bytes, std::align_val_t{16}); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  std::byte* const bytes;
};

aclsimOperandView view_of(Execution& run, const View& view) {
  aclsimOperandView result{};
  if (!view) return result;
  result.data = run.at(view).at;
  result.dataType = view.type;
  result.rank = static_cast<std::uint32_t>(view.rank());
  std::copy_n(view.shape.dims.begin(), view.rank(), result.dims);
  std::copy_n(view.strides.begin(), view.rank(), result.strides);
  return result;
}

View take_operand(Planner& p, const aclsimOperand& operand) {
  if (operand.optional != 0) {
    const bool reads = operand.access == ACLSIM_OPERAND_READ;
    return reads ? std::get<0>(p.take(OptIn{operand.tensor, operand.name, kAnyType}))
                 : std::get<0>(p.take(OptOut{operand.tensor, operand.name, kAnyType}));
  }
  switch (operand.access) {
    case ACLSIM_OPERAND_READ:
      return std::get<0>(p.take(In{operand.tensor, operand.name, kAnyType}));
    case ACLSIM_OPERAND_WRITE:
      return std::get<0>(p.take(Out{operand.tensor, operand.name, kAnyType}));
    default:
      return std::get<0>(p.take(Ref{operand.tensor, operand.name, kAnyType}));
  }
}

void plan_custom(Planner& p, const aclsimOperator& op) {
  if (!op.function) fail(kNullPointer, "function is null");
  if (!op.operands) fail(kNullPointer, "operands is null");
  if (!op.attributes && op.attributesSize != 0) fail(kNullPointer, "attributes is null");
  require(op.pieces >= 1, "pieces is 0; expected 1 or more");
  std::vector<View> views;
  for (std::uint32_t i = 0; i < op.numOperands; ++i) {
    const aclsimOperand& operand = op.operands[i];
    if (!operand.name) fail(kNullPointer, "the name of operand {} is null", i);
    views.push_back(take_operand(p, operand));
  }
  const auto attributes = std::make_shared<const Attributes>(op);
  p.job(op.pieces, [views, attributes, function = op.function, pieces = op.pieces, name = op.name](
                       Execution& run, std::int64_t piece) {
    std::vector<aclsimOperandView> bound;
    for (const View& view : views) bound.push_back(view_of(run, view));
    const aclsimOperatorCall call{sizeof call,
                                  bound.data(),
                                  static_cast<std::uint32_t>(bound.size()),
                                  static_cast<std::uint32_t>(piece),
                                  pieces,
                                  attributes->bytes};
    if (const std::int32_t code = function(&call)) {
      run.fail(fmt::format("{} returned {} for piece {} of {}", name, code, piece, pieces));
    }
  });
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclsimPlanOperator(const aclsimOperator* op, uint64_t* workspaceSize,
                               aclOpExecutor** executor) {
  const char* const name =
      op && op->size >= sizeof *op && op->name ? op->name : "aclsimPlanOperator";
  return first_phase(name, workspaceSize, executor, [&](Planner& p) {
    if (!op) fail(kNullPointer, "op is null");
    require(op->size >= sizeof *op, "op->size is {}; expected {}", op->size, sizeof *op);
    if (!op->name) fail(kNullPointer, "op->name is null");
    plan_custom(p, *op);
  });
}

ACLNN_SECOND_PHASE(aclsimRunOperator)

aclnnStatus aclsimRefuseOperator(const char* name, aclnnStatus code, const char* text) {
  aclsimReportError(name ? name : "operator", code, text ? text : "");
  return code;
}
