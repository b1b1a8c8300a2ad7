// SPDX-License-Identifier: Apache-2.0
#include "bandwidth_test.h"

using namespace bandwidth;

int main(int argc, char** argv) {
  Collective test = {};
  test.name = "AlltoAll";
  test.sends_to_each = true;
  test.receives_from_each = true;
  test.enqueue = [](const Call& c) {
    return HcclAlltoAll(c.send, c.count, c.type, c.recv, c.count, c.type, c.comm, c.stream);
  };
  test.expected = [](const Call& c, const Data& data, uint64_t index) {
    return data.value(static_cast<uint32_t>(index / c.count), c.rank * c.count + index % c.count);
  };
  return run(argc, argv, test);
}
