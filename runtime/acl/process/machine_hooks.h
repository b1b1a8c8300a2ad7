// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace acl {

class Runtime;

/// Registers the functions that the machine calls when kernels run, ops fail and schedules diverge.
/// Behind the registration of listeners: what these want decides which hooks there are.
void set_machine_hooks(Runtime& runtime);

}  // namespace acl
