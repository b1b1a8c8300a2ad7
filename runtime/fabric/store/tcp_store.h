// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/fabric/base/identity.h"
#include "runtime/fabric/store/store.h"
#include "runtime/fabric/store/tls.h"

namespace fabric {

/// A place where a store may be: all that several addresses of one host say is "try there".
struct StorePlace {
  std::string host;  // a name or a numeric address
  std::uint16_t port = 0;
};

/// Between two rounds of attempts to join a store.
inline constexpr std::chrono::milliseconds kBetweenRounds{20};

/// Joins the store that one of these places has, and that has this identity. Tries again until
/// `end`, for a store that is not there yet, and for the next one where this rank has left in
/// order. Throws FabricError: timed_out, with what was wrong at each place; refused.
std::unique_ptr<Store> join_tcp_store(const std::vector<StorePlace>& places,
                                      const Identity& identity, int rank,
                                      const std::string& description, Moment end,
                                      Timekeeper& timekeeper = Timekeeper::real(),
                                      const std::shared_ptr<const Tls>& tls = nullptr);

}  // namespace fabric
