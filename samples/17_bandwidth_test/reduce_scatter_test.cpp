// SPDX-License-Identifier: Apache-2.0
#include "bandwidth_test.h"

using namespace bandwidth;

int main(int argc, char** argv) {
  Collective test = {};
  test.name = "ReduceScatter";
  test.sends_to_each = true;
  test.reduces = true;
  test.enqueue = [](const Call& c) {
    return HcclReduceScatter(c.send, c.recv, c.count, c.type, c.op, c.comm, c.stream);
  };
  test.expected = [](const Call& c, const Data& data, uint64_t index) {
    return data.reduced(c.rank * c.count + index);
  };
  return run(argc, argv, test);
}
