// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sim {

/// Registers the process for the barrier below; false where the system has none. The first call costs
/// nothing while the process has one thread, and milliseconds where it has several.
bool can_order_all_processors() noexcept;

/// After this, other threads of the process have done what stands before some point of their code and see what
/// the caller did before, or they see it at all later points. So of two threads that write one word and read
/// the other's, the frequent one needs no fence of its own. Costs microseconds.
void order_all_processors() noexcept;

}  // namespace sim
