// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/fabric/base/identity.h"
#include "runtime/fabric/store/store.h"
#include "runtime/fabric/store/tls.h"

namespace fabric {

/// A place where a store may be. Several addresses of one host mean "try each of them".
struct StorePlace {
  std::string host;  // a name or a numeric address
  std::uint16_t port = 0;
};

/// The pause between two rounds of attempts to join a store.
inline constexpr std::chrono::milliseconds kBetweenRounds{20};

/// Joins a store with this identity at one of the places. Retries until `end` if the store does not
/// exist yet, or if this rank has left it in order and needs the next one. Throws FabricError:
/// timed_out, with the failure at each place; refused. Returns null as soon as `elsewhere` returns
/// true, which is asked before each attempt.
std::unique_ptr<Store> join_tcp_store(const std::vector<StorePlace>& places,
                                      const Identity& identity, const RankPlace& as,
                                      const std::string& description, Moment end,
                                      Timekeeper& timekeeper = Timekeeper::real(),
                                      const std::shared_ptr<const Tls>& tls = nullptr,
                                      const std::function<bool()>& elsewhere = nullptr);

}  // namespace fabric
