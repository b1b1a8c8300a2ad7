// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cuda {

/// The version of CUDA that the library says it is: the first with the binds that name a device.
inline constexpr int kDriverVersion = 13010;

}  // namespace cuda
