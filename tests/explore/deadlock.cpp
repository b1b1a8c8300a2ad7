// SPDX-License-Identifier: Apache-2.0
// Two streams that wait for each other's notify: a hang under every schedule.
#include "bug.h"

int main() {
  Machine machine;
  const aclrtStream streams[] = {machine.stream(), machine.stream()};
  aclrtNotify notifies[2];
  for (aclrtNotify& notify : notifies) MUST(aclrtCreateNotify(&notify, 0));
  for (int s = 0; s < 2; ++s) {
    MUST(aclrtWaitAndResetNotify(notifies[s], streams[s], 0));
    MUST(aclrtRecordNotify(notifies[1 - s], streams[s]));
  }
  synchronise(streams[0]);
  return 0;
}
