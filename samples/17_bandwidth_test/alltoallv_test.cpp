// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "bandwidth_test.h"

using namespace bandwidth;

int main(int argc, char** argv) {
  Collective test = {};
  test.name = "AlltoAllV";
  test.sends_to_each = true;
  test.receives_from_each = true;
  test.enqueue = [](const Call& c) {
    const std::vector<uint64_t> counts(c.ranks, c.count);
    std::vector<uint64_t> offsets;
    for (uint32_t rank = 0; rank < c.ranks; ++rank) offsets.push_back(rank * c.count);
    return HcclAlltoAllV(c.send, counts.data(), offsets.data(), c.type, c.recv, counts.data(),
                         offsets.data(), c.type, c.comm, c.stream);
  };
  test.expected = [](const Call& c, const Data& data, uint64_t index) {
    return data.value(static_cast<uint32_t>(index / c.count), c.rank * c.count + index % c.count);
  };
  return run(argc, argv, test);
}
