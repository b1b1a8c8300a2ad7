// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device_sim/op.h"

namespace acl {

class Runtime;

/// Raises ACL_ERROR_RT_PARAM_INVALID unless 8 aligned bytes of device memory are there.
void require_value_address(Runtime& runtime, void* address);

/// A write of 8 bytes of device memory, which sets free who waits for the value.
sim::Op make_value_write(Runtime& runtime, void* address, std::uint64_t value);
/// Holds a stream until the 8 bytes meet the condition `flag` (ACL_STREAM_WAIT_VALUE_...). Raises
/// ACL_ERROR_RT_PARAM_INVALID for an unknown one.
sim::Op make_value_wait(Runtime& runtime, void* address, std::uint64_t value, std::uint32_t flag);

}  // namespace acl
