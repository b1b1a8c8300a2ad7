// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "runtime/order/engine/op_info.h"

namespace acl {

class Event;

/// The last record of each event inside a capture, while a listener is registered: such a record
/// belongs to the graph, and does not record the event itself.
namespace captured_records {

/// Nothing: the event was never recorded inside a capture. `forget` the event before it ends.
std::optional<order::OpInfo> find(const Event& event);
void forget(const Event& event);

}  // namespace captured_records
}  // namespace acl
