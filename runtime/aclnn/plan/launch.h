// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "runtime/acl/embedding/embedding.h"
#include "runtime/aclnn/plan/plan.h"

namespace aclnn {

namespace embedding = acl::embedding;

/// The runtime of this process. Raises 361001 if it cannot be started.
embedding::Runtime& runtime();

/// Enqueues one execution of the plan; `addresses` are the addresses of its operands, by slot.
void launch(embedding::Caller caller, const std::shared_ptr<const Plan>& plan,
            const std::vector<void*>& addresses, aclrtStream stream);

/// Enqueues what writes the operands where dumps of data go, under the name, which lives as long as
/// the process: the first `inputs` of them as inputs, the others as outputs.
void launch_dump(embedding::Caller caller, const char* name,
                 const std::shared_ptr<const Plan>& plan, std::size_t inputs,
                 const std::vector<void*>& addresses, aclrtStream stream);

}  // namespace aclnn
