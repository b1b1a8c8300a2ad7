// SPDX-License-Identifier: Apache-2.0
//
// The common parts of the bandwidth tests: options, ranks, data, the table. Each test is one
// program that describes its collective.
#pragma once

#include <cstdint>

#include "hccl/hccl.h"

namespace bandwidth {

// A call of one rank.
struct Call {
  void* send;
  void* recv;
  uint64_t count;  // elements of one block; see Collective
  uint32_t rank;
  uint32_t ranks;
  HcclDataType type;
  HcclReduceOp op;
  uint32_t root;
  HcclComm comm;
  aclrtStream stream;
};

// An element of the data that ranks send, and of the results.
class Data {
 public:
  Data(HcclDataType type, HcclReduceOp op, uint32_t ranks);
  // Element `index` of the data of `rank`. Small enough for sums over all ranks in the type.
  double value(uint32_t rank, uint64_t index) const;
  // The same element of all ranks, reduced.
  double reduced(uint64_t index) const;

 private:
  HcclReduceOp op_;
  uint32_t ranks_;
  uint32_t values_;
};

struct Collective {
  const char* name;
  // Blocks of `count` elements that a rank sends and receives: 1, or one for each rank.
  bool sends_to_each;
  bool receives_from_each;
  bool reduces;   // -o matters
  bool has_root;  // -r matters
  bool in_place;  // the data is sent from the buffer that receives it
  HcclResult (*enqueue)(const Call& call);
  // The expected element `index` of the data that the rank receives.
  double (*expected)(const Call& call, const Data& data, uint64_t index);
  bool only_root_receives;
};

// Runs the test as a program; returns 0 if every check passed.
int run(int argc, char** argv, const Collective& collective);

}  // namespace bandwidth
