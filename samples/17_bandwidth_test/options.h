// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hccl/hccl.h"

namespace bandwidth {

struct Collective;

struct Options {
  uint64_t first = 8;                       // -b
  uint64_t last = 64ULL << 20;              // -e
  uint64_t factor = 2;                      // -f
  uint64_t step = 0;                        // -i; 0: by the factor
  uint32_t iterations = 20;                 // -n
  uint32_t warmups = 5;                     // -w
  HcclDataType type = HCCL_DATA_TYPE_FP32;  // -d
  HcclReduceOp op = HCCL_REDUCE_SUM;        // -o
  uint32_t root = 0;                        // -r
  bool check = true;                        // -c
  uint32_t devices = 0;                     // -p; 0: all
};

// Ends the program with a text if an argument is wrong, and after -h.
Options read_options(int argc, char** argv, const Collective& collective);

uint32_t size_of(HcclDataType type);

}  // namespace bandwidth
