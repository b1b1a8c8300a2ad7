// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace acl {

class Recorder;
class Runtime;

/// Tells the machine what it calls when kernels run, ops fail and schedules diverge. `recorder`:
/// null, or the one that is told which functions of the program run.
void set_machine_hooks(Runtime& runtime, Recorder* recorder);

}  // namespace acl
