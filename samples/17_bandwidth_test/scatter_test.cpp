// SPDX-License-Identifier: Apache-2.0
#include "bandwidth_test.h"

using namespace bandwidth;

int main(int argc, char** argv) {
  Collective test = {};
  test.name = "Scatter";
  test.sends_to_each = true;
  test.has_root = true;
  test.enqueue = [](const Call& c) {
    return HcclScatter(c.send, c.recv, c.count, c.type, c.root, c.comm, c.stream);
  };
  test.expected = [](const Call& c, const Data& data, uint64_t index) {
    return data.value(c.root, c.rank * c.count + index);
  };
  return run(argc, argv, test);
}
