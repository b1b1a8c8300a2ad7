// SPDX-License-Identifier: Apache-2.0
#include "bandwidth_test.h"

using namespace bandwidth;

int main(int argc, char** argv) {
  Collective test = {};
  test.name = "Reduce";
  test.reduces = true;
  test.has_root = true;
  test.only_root_receives = true;
  test.enqueue = [](const Call& c) {
    return HcclReduce(c.send, c.recv, c.count, c.type, c.op, c.root, c.comm, c.stream);
  };
  test.expected = [](const Call&, const Data& data, uint64_t index) { return data.reduced(index); };
  return run(argc, argv, test);
}
