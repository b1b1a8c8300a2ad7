// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fabric {

/// Kinds of messages between processes, as UCX numbers them.
inline constexpr unsigned kOrders = 0x41;  // see Order
inline constexpr unsigned kAnswer = 0x42;  // a number and a value

}  // namespace fabric
