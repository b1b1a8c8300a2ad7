// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace acl {

class Runtime;

/// Tells the machine what it calls when kernels run, ops fail and schedules diverge.
void set_machine_hooks(Runtime& runtime);

}  // namespace acl
