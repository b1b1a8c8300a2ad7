// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/early_report.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

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
  const sim::OwnedFd file(open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  for (std::size_t at = 0; file && at < text.size();) {
    const ssize_t written = ::write(file.get(), text.data() + at, text.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    at += static_cast<std::size_t>(written);
  }
}

void EarlyReport::clear() { ::unlink(path_.c_str()); }

void EarlyReport::finish() {
  finished_ = true;
  clear();
}

}  // namespace acl
