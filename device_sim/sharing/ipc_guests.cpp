// SPDX-License-Identifier: Apache-2.0
#include "device_sim/sharing/ipc_guests.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <utility>

namespace sim {

bool ipc_may_ask(uid_t user) noexcept { return user == geteuid() || user == 0; }

std::optional<IpcGuests::Guest> IpcGuests::add(OwnedFd connection, pid_t process, Time now) {
  std::map<pid_t, std::size_t> counts;
  for (const Guest& guest : guests_) ++counts[guest.process];
  std::optional<Guest> leaves;
  const bool process_full = counts[process] >= kMostOfOneProcess;
  if (process_full || guests_.size() >= kMost) {
    const auto most =
        std::max_element(counts.begin(), counts.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    const pid_t of = process_full ? process : most->first;
    const auto oldest = std::find_if(guests_.begin(), guests_.end(),
                                     [of](const Guest& guest) { return guest.process == of; });
    leaves = take(static_cast<std::size_t>(oldest - guests_.begin()));
  }
  guests_.push_back({std::move(connection), process, now + kPatience});
  return leaves;
}

std::vector<IpcGuests::Guest> IpcGuests::take_late(Time now) {
  std::vector<Guest> late;
  while (!guests_.empty() && guests_.front().leave <= now) late.push_back(take(0));
  return late;
}

IpcGuests::Guest IpcGuests::take(std::size_t index) {
  Guest guest = std::move(guests_[index]);
  guests_.erase(guests_.begin() + static_cast<std::ptrdiff_t>(index));
  return guest;
}

int IpcGuests::patience_ms(Time now) const noexcept {
  if (guests_.empty()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(guests_.front().leave - now);
  return static_cast<int>(std::max<std::int64_t>(left.count(), 0));
}

}  // namespace sim
