// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sim {

/// Registers the process for the barrier below; false if the system does not support it. The first
/// call costs nothing while the process has one thread, and milliseconds if it has several.
bool can_order_all_processors() noexcept;

/// A full memory barrier in every thread of the process that runs (membarrier). So where two
/// threads write a word each and then read the other's, the one that does so often needs no fence:
/// the other one calls this between its write and its read. Costs microseconds.
void order_all_processors() noexcept;

}  // namespace sim
