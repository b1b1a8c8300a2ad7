// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/record/recorded_sites.h"

#include <fmt/format.h>

#include <filesystem>

namespace acl {

std::string RecordedSites::text(std::uint64_t site) {
  const auto [at, added] = texts_.try_emplace(site);
  if (!added) return at->second;
  if (!places_) places_ = std::make_unique<Places>();
  const order::Place place = places_->of(site);
  if (!place.file.empty()) {
    at->second = fmt::format("{}:{}", place.file, place.line);
  } else if (!place.module.empty()) {
    const auto module = std::filesystem::path(place.module).filename().string();
    at->second = fmt::format("{}+{:#x}", module, place.offset);
  }
  return at->second;
}

}  // namespace acl
