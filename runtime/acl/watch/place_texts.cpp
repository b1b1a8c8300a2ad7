// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/watch/place_texts.h"

#include "device_sim/base/mutex.h"

namespace acl {

std::string PlaceTexts::of(std::uint64_t site) {
  if (site == 0) return {};
  const sim::LockGuard guard(mutex_);
  const auto [known, added] = known_.try_emplace(site);
  if (!added) return known->second;
  if (!places_) places_ = std::make_unique<Places>();
  const order::Place place = places_->of(site);
  return known->second = here_ ? order::position_from_here(place) : order::position(place);
}

}  // namespace acl
