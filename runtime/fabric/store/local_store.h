// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "runtime/fabric/store/calls.h"
#include "runtime/fabric/store/store.h"

namespace fabric {

/// A store for ranks that are threads of the process that holds the hub. A rank whose store is
/// destroyed without `leave` has given up. Throws FabricError as Hub::join.
std::unique_ptr<Store> make_local_store(std::shared_ptr<Hub> hub, const RankPlace& place,
                                        const std::string& description,
                                        Timekeeper& timekeeper = Timekeeper::real());

}  // namespace fabric
