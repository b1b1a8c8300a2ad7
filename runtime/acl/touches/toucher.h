// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace acl {

/// Whose code touches a guarded page.
enum class Toucher : std::uint8_t {
  device,  // the machine's: a kernel. It may touch what its task uses, and nothing is reported
  host     // the program's, in a function of a stream or not: the order decides
};

/// `runs_kernel`: the thread is in a kernel. `in_function`: in a function that a stream runs.
/// `own_thread`: the emulator started the thread. Such a thread runs kernels, parts of kernels,
/// and functions of the program. A host thread that waits may run a kernel, also in a function.
constexpr Toucher toucher_of(bool runs_kernel, bool in_function, bool own_thread) {
  return runs_kernel || (own_thread && !in_function) ? Toucher::device : Toucher::host;
}

/// Whether a function of a stream may touch the bytes of a use. `blocks`: its stream waits for it.
/// `is_over`: the function is ordered after the task. `is_behind`: the task can begin only after
/// the stream has passed the function.
constexpr bool admits_function(bool blocks, bool is_over, bool is_behind) {
  return is_over || (blocks && is_behind);
}

}  // namespace acl
