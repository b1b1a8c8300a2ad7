/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tilings of collectives in kernels: the structures that programs declare, and their
 * bytes.
 * C++11.
 */
#ifndef ASCENDC_IMPL_HCCL_TILINGS_H_
#define ASCENDC_IMPL_HCCL_TILINGS_H_

#include <stdint.h>

namespace AscendC {
namespace tiling {

/* The first member of a program's tiling. */
struct Mc2InitTiling {
  uint8_t reserved[64];
};
/* One collective. */
struct Mc2CcTiling {
  uint8_t reserved[512];
};
/* Parts of the tilings of earlier versions. */
struct Mc2ServerCfg {
  uint32_t version;
  uint8_t debugMode;
  uint8_t sendArgIndex;
  uint8_t recvArgIndex;
  uint8_t commOutArgIndex;
  uint8_t reserved[8];
};
struct Mc2HcommCfg {
  uint8_t skipLocalRankCopy;
  uint8_t skipBufferWindowCopy;
  uint8_t stepSize;
  char reserved[13];
  char groupName[128];
  char algConfig[128];
  uint32_t opType;
  uint32_t reduceType;
};

}  // namespace tiling
}  // namespace AscendC

namespace aclsim_hccl {

constexpr uint32_t kTilingVersion = 100;
constexpr uint8_t kTaskVersion = 1;
constexpr uint32_t kMostTasks = 8;
constexpr uint32_t kNameBytes = 128;

struct InitTiling {
  uint32_t version; /* kTilingVersion */
  uint32_t tasks;
  uint32_t offsets[kMostTasks]; /* of TaskTilings, from here */
  uint8_t debug_mode;
  uint8_t prepare_position;
  uint16_t queues;
  uint16_t blocks;
  uint8_t reserved[18];
};
struct TaskTiling {
  uint8_t skip_own; /* the rank's own block is not copied */
  uint8_t skip_window;
  uint8_t step;
  uint8_t version; /* kTaskVersion */
  uint8_t reserved[9];
  uint8_t engine;
  uint8_t from_type; /* HcclDataType */
  uint8_t to_type;
  char group[kNameBytes];
  char algorithm[kNameBytes];
  uint32_t op;     /* HcclCMDType */
  uint32_t reduce; /* HcclReduceOp */
  uint8_t debug_mode;
  uint8_t more[231];
};
static_assert(sizeof(InitTiling) == sizeof(AscendC::tiling::Mc2InitTiling), "its bytes");
static_assert(sizeof(TaskTiling) == sizeof(AscendC::tiling::Mc2CcTiling), "its bytes");

}  // namespace aclsim_hccl

#endif /* ASCENDC_IMPL_HCCL_TILINGS_H_ */
