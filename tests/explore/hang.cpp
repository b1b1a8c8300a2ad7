// SPDX-License-Identifier: Apache-2.0
// A stream waits for an event that nothing records: a hang under every schedule. With an argument,
// a thread of the program might still record it.
#include <poll.h>

#include <thread>

#include "bug.h"

int main(int argc, char**) {
  Machine machine;
  const aclrtStream stream = machine.stream();
  aclrtEvent event = nullptr;
  MUST(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
  if (argc > 1) std::thread([] { poll(nullptr, 0, 1'000'000); }).detach();
  MUST(aclrtStreamWaitEvent(stream, event));
  synchronise(stream);
  return 0;
}
