// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/redundant_waits.h"

#include <utility>

#include "runtime/acl/check/actors.h"

namespace acl {

void RedundantWaits::add_first() {
  const order::OpInfo what = op_info_of_call();
  report(what, 1);
  counted_.begin(what, [&](const auto& other, std::uint64_t times) {
    check_lock.assert_held();
    report(other, times);
  });
}

void RedundantWaits::report(const order::OpInfo& what, std::uint64_t times) {
  order::Finding finding(order::Rule::redundant_wait);
  finding.op_info = what;
  finding.text = "{it} adds no order; everything that it waits for already happens before the call";
  reporter_.add(std::move(finding), times);
}

void RedundantWaits::report_counted() {
  counted_.end([&](const auto& what, std::uint64_t times) {
    check_lock.assert_held();
    report(what, times);
  });
}

}  // namespace acl
