// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/findings/early_report.h"

#include <chrono>
#include <utility>

#include "device_sim/sharing/mailbox.h"
#include "runtime/acl/watch/places.h"
#include "runtime/order/processes/process_group.h"

namespace acl {

namespace {

void send(const std::string& mailbox, order::GroupMail kind, std::uint64_t instance,
          const std::string& text) {
  sim::send_mail(mailbox, static_cast<std::uint32_t>(kind), instance, text);
}

}  // namespace

EarlyReport::EarlyReport(std::string mailbox)
    : mailbox_(std::move(mailbox)),
      instance_(
          static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count())) {
}

order::Place EarlyReport::place_of(std::uint64_t site) {
  const auto [at, added] = places_.try_emplace(site);
  if (added) at->second = Places::without_loader(site);
  return at->second;
}

// Nothing is kept open or in memory, so the findings have arrived in whichever way the process
// ends. A finding that cannot be sent is in the report at the end.
void EarlyReport::add(const order::Finding& finding) {
  if (finished_) return;
  order::Report report;
  report.findings.push_back(
      order::place(finding, [this](std::uint64_t site) { return place_of(site); }));
  sent_ = true;
  send(mailbox_, order::GroupMail::found, instance_, to_json(report));
}

void EarlyReport::clear() {
  if (std::exchange(sent_, false)) send(mailbox_, order::GroupMail::forget, instance_, {});
}

void EarlyReport::finish() {
  finished_ = true;
  clear();
}

}  // namespace acl
