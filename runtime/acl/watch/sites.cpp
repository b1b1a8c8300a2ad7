// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/watch/sites.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "device_sim/base/mutex.h"

namespace acl {
namespace {

constexpr std::uint64_t kNamed = std::uint64_t{1} << 63;  // not an address of code of a program

struct Table {
  sim::Mutex mutex;
  using Numbers = std::map<std::pair<std::string, std::uint32_t>, std::uint64_t>;
  Numbers numbers GUARDED_BY(mutex);
  std::vector<const Numbers::value_type*> rows GUARDED_BY(mutex);
};

Table& table() {
  static Table* const made = new Table;  // reports are written late
  return *made;
}

}  // namespace

std::uint64_t named_site(const char* file, std::uint32_t line) {
  Table& sites = table();
  const sim::LockGuard guard(sites.mutex);
  const auto [at, added] = sites.numbers.try_emplace({file, line}, kNamed | sites.rows.size());
  if (added) sites.rows.push_back(&*at);
  return at->second;
}

std::optional<order::Place> place_of_named_site(std::uint64_t site) {
  if ((site & kNamed) == 0) return std::nullopt;
  Table& sites = table();
  const sim::LockGuard guard(sites.mutex);
  const std::uint64_t row = site & ~kNamed;
  if (row >= sites.rows.size()) return std::nullopt;
  order::Place place;
  place.file = sites.rows[row]->first.first;
  place.line = sites.rows[row]->first.second;
  return place;
}

}  // namespace acl
