// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device_sim/streams/word.h"
#include "runtime/order/engine/variable.h"

namespace acl {

/// The change that a task makes to a value, in terms of the order engine.
order::Variable::Update update_of(sim::WordChange how, std::uint64_t value);
order::Variable::Test test_of(const sim::WordTest& test);

}  // namespace acl
