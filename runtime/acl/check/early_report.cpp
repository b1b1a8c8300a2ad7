// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/early_report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>

#include "device_sim/base/files.h"
#include "device_sim/base/owned_fd.h"
#include "runtime/acl/watch/places.h"

namespace acl {

EarlyReport::EarlyReport(const std::string& folder)
    : path_(fmt::format("{}/{}.{}.found", folder, getpid(),
                        std::chrono::steady_clock::now().time_since_epoch().count())) {}

order::Place EarlyReport::place_of(std::uint64_t site) {
  const auto [at, added] = places_.try_emplace(site);
  if (added) at->second = Places::without_loader(site);
  return at->second;
}

// Nothing is kept open or in memory: whatever ends the process, what was found is in the file. What
// cannot be written is in the report at the end.
void EarlyReport::add(const order::Finding& finding) {
  if (finished_) return;
  order::Report report;
  report.findings.push_back(
      order::place(finding, [this](std::uint64_t site) { return place_of(site); }));
  const std::string text = to_json(report);
  const sim::OwnedFd file(sim::open_output(path_, O_WRONLY | O_CREAT | O_APPEND));
  if (file) sim::write_all(file.get(), text);
}

void EarlyReport::clear() { ::unlink(path_.c_str()); }

void EarlyReport::finish() {
  finished_ = true;
  clear();
}

}  // namespace acl
