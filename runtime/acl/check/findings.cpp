// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/findings.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace acl {
namespace {

bool same_place(const order::Deed& a, const order::Deed& b) {
  return a.site == b.site && std::string_view(a.what) == b.what;
}

bool same(const order::Finding& a, const order::Finding& b) {
  if (a.rule != b.rule || a.level != b.level || !same_place(a.deed, b.deed)) return false;
  if (a.other.has_value() != b.other.has_value()) return false;
  return !a.other || same_place(*a.other, *b.other);
}

}  // namespace

void Findings::add(order::Finding&& finding) {
  const std::lock_guard guard(mutex_);
  auto& among = finding.rule == expected_ ? met_ : findings_;
  const auto known = std::find_if(among.begin(), among.end(),
                                  [&](const order::Finding& f) { return same(f, finding); });
  if (known != among.end()) {
    ++known->times;
  } else if (among.size() < kMost) {
    among.push_back(std::move(finding));
  }
}

std::size_t Findings::count(order::Level at_least) const {
  const std::lock_guard guard(mutex_);
  return static_cast<std::size_t>(
      std::count_if(findings_.begin(), findings_.end(),
                    [&](const order::Finding& f) { return f.level >= at_least; }));
}

std::vector<order::Finding> Findings::all() const {
  const std::lock_guard guard(mutex_);
  return findings_;
}

void Findings::clear() {
  const std::lock_guard guard(mutex_);
  findings_.clear();
  met_.clear();
  expected_.reset();
}

bool Findings::expect(order::Rule rule) {
  const std::lock_guard guard(mutex_);
  if (expected_) return false;
  expected_ = rule;
  return true;
}

std::optional<std::size_t> Findings::end_expecting() {
  const std::lock_guard guard(mutex_);
  if (!expected_) return std::nullopt;
  expected_.reset();
  return std::exchange(met_, {}).size();
}

}  // namespace acl
