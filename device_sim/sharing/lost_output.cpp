// SPDX-License-Identifier: Apache-2.0
#include "device_sim/sharing/lost_output.h"

#include <cstdlib>

#include "device_sim/sharing/mailbox.h"

namespace sim {

void report_lost_output(const std::string& what) noexcept {
  const char* const mailbox = std::getenv(kRunMark);
  if (mailbox) send_mail(mailbox, kLostOutputMail, 0, what);
}

}  // namespace sim
