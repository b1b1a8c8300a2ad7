// SPDX-License-Identifier: Apache-2.0
// many_ops [OPS [KERNELS]]: enqueues OPS ops (1000) on four streams: copies, records and waits in
// turn, and KERNELS percent of kernels (25). The benchmark of exploring uses it.
#include "bug.h"

int main(int argc, char** argv) {
  const int ops = argc > 1 ? std::atoi(argv[1]) : 1000;
  const int kernels = argc > 2 ? std::atoi(argv[2]) : 25;
  Machine machine;
  aclrtStream streams[4];
  std::int32_t* buffers[4];
  aclrtEvent events[4];
  for (int s = 0; s < 4; ++s) {
    streams[s] = machine.stream();
    buffers[s] = machine.device();
    events[s] = machine.event();
  }
  const std::int32_t* const source = machine.host(7);
  for (int i = 0; i < ops; ++i) {
    const int s = i % 4;
    const int round = i / 4;
    if (round * kernels / 100 != (round + 1) * kernels / 100 || kernels >= 100) {
      add(buffers[s], buffers[s], nullptr, streams[s]);
    } else if (round % 3 == 0) {
      record(events[s], streams[s]);
    } else if (round % 3 == 1 && round > 3) {
      wait(streams[s], events[(s + 1) % 4]);
    } else {
      to_device(buffers[s], source, streams[s]);
    }
  }
  return 0;
}
