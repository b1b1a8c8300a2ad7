// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/embedding/call_sites.h"

#include <cstdint>
#include <string>

#include "device_sim/base/mutex.h"
#include "runtime/acl/watch/places.h"
#include "runtime/order/report/dwarf_lines.h"

namespace acl::embedding {

order::Place place_of_call(const void* site) {
  static sim::Mutex mutex;
  static auto& places = *new Places;  // used until the process exits
  const sim::LockGuard guard(mutex);
  return places.of(reinterpret_cast<std::uintptr_t>(site));
}

const void* own_site_of(std::span<const void* const> stack, const void* code) {
  const std::string module = Places::roughly(reinterpret_cast<std::uintptr_t>(code) + 1).module;
  const void* first = nullptr;
  for (const void* const site : stack) {
    const order::Place place = place_of_call(site);
    if (place.module != module) continue;
    if (!place.file.empty() && !order::in_interface(place.file)) return site;
    if (!first) first = site;
  }
  return first || stack.empty() ? first : stack.front();
}

}  // namespace acl::embedding
