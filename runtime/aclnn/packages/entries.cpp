// SPDX-License-Identifier: Apache-2.0
// aclnn/aclsim_operator_package.h: the two phases of operators of packages.
#include "aclnn/aclsim_operator_package.h"

#include "runtime/aclnn/packages/call.h"
#include "runtime/aclnn/plan/planner.h"

namespace aclnn::packages {
namespace {

constexpr TypeSet kAnyType =
    kEvery | TypeSet{ACL_INT4, ACL_HIFLOAT8, ACL_FLOAT8_E5M2, ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E8M0};

/// Makes the call's tensors operands of the plan.
void add_operands(Planner& p, const aclsimPackagedCall& from, PreparedCall& call) {
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    const char* const name = from.operands[i].name;  // as long-lived as the plan
    for (Member& member : call.operands[i].members) {
      if (!member.tensor) continue;
      const View view = call.operands[i].output
                            ? std::get<0>(p.take(Out{member.tensor, name, kAnyType}))
                            : std::get<0>(p.take(In{member.tensor, name, kAnyType}));
      member.slot = static_cast<std::size_t>(view.slot);
    }
  }
}

}  // namespace
}  // namespace aclnn::packages

using namespace aclnn;

aclnnStatus aclsimPlanPackaged(const aclsimPackagedCall* call, uint64_t* workspaceSize,
                               aclOpExecutor** executor) {
  const bool known = call && call->size >= sizeof *call && call->function;
  return first_phase(
      known ? call->function : "aclsimPlanPackaged", workspaceSize, executor, [&](Planner& p) {
        if (!call) fail(kNullPointer, "call is null");
        require(known, "call->size is {}; expected {}", call->size, sizeof *call);
        const auto prepared = std::make_shared<packages::PreparedCall>(packages::prepare(*call));
        packages::add_operands(p, *call, *prepared);
        p.enqueue(prepared->whole_workspace, [prepared](const std::vector<void*>& addresses,
                                                        void* workspace, aclrtStream stream) {
          packages::enqueue(*prepared, addresses, workspace, stream);
        });
      });
}

ACLNN_SECOND_PHASE(aclsimRunPackaged)
