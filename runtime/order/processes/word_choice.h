// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "runtime/order/processes/process_group.h"

namespace order {

/// The facts about the changes that a wait has seen, by their index.
struct KnownChanges {
  std::function<bool(std::size_t)> before;     // it happens before the wait anyway
  std::function<bool(std::size_t)> rewritten;  // since then the word was written in another way
};

/// The changes of a word that happen before the end of a wait for it because of this wait alone.
/// They do not depend on how many changes came before the wait looked: it counts as ended by the
/// first change that ends it, and by the changes on which the value of that one depends. If a value
/// is not known, all changes that the wait has seen count.
std::vector<std::size_t> chosen_changes(std::span<const WordChange> changes,
                                        const KnownChanges& known);

}  // namespace order
