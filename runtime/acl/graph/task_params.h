// SPDX-License-Identifier: Apache-2.0
// The parameters of a model's tasks: reading and changing them.
#pragma once

#include "runtime/acl/graph/model.h"

namespace acl {

aclmdlRITaskParams params_of(Node& node);

/// Makes the node's op anew. Raises ACL_ERROR_RT_PARAM_INVALID when the type differs or a value is
/// wrong, ACL_ERROR_RT_FEATURE_NOT_SUPPORT for tasks that cannot be changed.
void set_params(Runtime& runtime, Node& node, const aclmdlRITaskParams& params);

}  // namespace acl
