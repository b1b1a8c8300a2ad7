/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host code that describes the collectives that a kernel calls. C++11.
 */
#ifndef ASCENDC_IMPL_HCCL_TILING_H_
#define ASCENDC_IMPL_HCCL_TILING_H_

#include <string.h>

#include <string>

#include "ascendc/impl/hccl_names.h"
#include "ascendc/impl/hccl_tilings.h"
#include "ascendc/impl/tiling_names.h"
#include "register/tilingdata_base.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(Mc2ServerCfg)
TILING_DATA_FIELD_DEF(uint32_t, version);
TILING_DATA_FIELD_DEF(uint8_t, debugMode);
TILING_DATA_FIELD_DEF(uint8_t, sendArgIndex);
TILING_DATA_FIELD_DEF(uint8_t, recvArgIndex);
TILING_DATA_FIELD_DEF(uint8_t, commOutArgIndex);
TILING_DATA_FIELD_DEF_ARR(uint8_t, 8, reserved);
END_TILING_DATA_DEF;

BEGIN_TILING_DATA_DEF(Mc2HcommCfg)
TILING_DATA_FIELD_DEF(uint8_t, skipLocalRankCopy);
TILING_DATA_FIELD_DEF(uint8_t, skipBufferWindowCopy);
TILING_DATA_FIELD_DEF(uint8_t, stepSize);
TILING_DATA_FIELD_DEF_ARR(char, 13, reserved);
TILING_DATA_FIELD_DEF_ARR(char, 128, groupName);
TILING_DATA_FIELD_DEF_ARR(char, 128, algConfig);
TILING_DATA_FIELD_DEF(uint32_t, opType);
TILING_DATA_FIELD_DEF(uint32_t, reduceType);
END_TILING_DATA_DEF;

BEGIN_TILING_DATA_DEF(Mc2InitTiling)
TILING_DATA_FIELD_DEF_ARR(uint8_t, 64, reserved);
END_TILING_DATA_DEF;

BEGIN_TILING_DATA_DEF(Mc2CcTiling)
TILING_DATA_FIELD_DEF_ARR(uint8_t, 512, reserved);
END_TILING_DATA_DEF;
}  // namespace optiling

namespace AscendC {

/* Each function returns 0, or 1 for a value that is not one of the documented ones; then nothing
   changes. GetTiling returns 1 as long as a value of the constructor is wrong. */
class Mc2CcTilingConfig {
 public:
  explicit Mc2CcTilingConfig(const std::string& groupName, uint32_t opType,
                             const std::string& algConfig, uint32_t reduceType = 0,
                             uint8_t dstDataType = 0, uint8_t srcDataType = 0,
                             uint8_t commEngine = 0) {
    bad_ = SetGroupName(groupName) | SetOpType(opType) | SetAlgConfig(algConfig) |
           SetReduceType(reduceType, dstDataType, srcDataType) | SetCommEngine(commEngine);
  }
  virtual ~Mc2CcTilingConfig() = default;

  uint32_t GetTiling(::Mc2InitTiling& tiling) {
    if (bad_ != 0) return 1;
    aclsim_hccl::InitTiling init = {};
    init.version = aclsim_hccl::kTilingVersion;
    init.prepare_position = 1;
    init.debug_mode = task_.debug_mode;
    init.queues = queues_;
    init.blocks = blocks_;
    memcpy(tiling.reserved, &init, sizeof init);
    init_ = &tiling;
    return 0;
  }
  uint32_t GetTiling(::Mc2CcTiling& tiling) {
    if (bad_ != 0 || (init_ != nullptr && !add(tiling))) return 1;
    task_.version = aclsim_hccl::kTaskVersion;
    memcpy(tiling.reserved, &task_, sizeof task_);
    return 0;
  }

  uint32_t SetOpType(uint32_t opType) {
    switch (static_cast<HcclCMDType>(opType)) {
      case HcclCMDType::HCCL_CMD_ALLREDUCE:
      case HcclCMDType::HCCL_CMD_ALLGATHER:
      case HcclCMDType::HCCL_CMD_REDUCE_SCATTER:
      case HcclCMDType::HCCL_CMD_ALLTOALLV:
      case HcclCMDType::HCCL_CMD_ALLTOALL:
      case HcclCMDType::HCCL_CMD_BATCH_WRITE:
      case HcclCMDType::HCCL_CMD_HALF_ALLTOALLV:
        task_.op = opType;
        return 0;
      default:
        return 1;
    }
  }
  uint32_t SetGroupName(const std::string& groupName) {
    return groupName.empty() ? 1 : keep(groupName, task_.group);
  }
  uint32_t SetAlgConfig(const std::string& algConfig) { return keep(algConfig, task_.algorithm); }
  uint32_t SetReduceType(uint32_t reduceType, uint8_t dstDataType = 0, uint8_t srcDataType = 0) {
    if (reduceType > HCCL_REDUCE_RESERVED || !is_type(dstDataType) || !is_type(srcDataType)) {
      return 1;
    }
    task_.reduce = reduceType;
    task_.to_type = dstDataType;
    task_.from_type = srcDataType;
    return 0;
  }
  uint32_t SetStepSize(uint8_t stepSize) {
    task_.step = stepSize;
    return 0;
  }
  uint32_t SetSkipLocalRankCopy(uint8_t skipLocalRankCopy) {
    return keep_up_to(1, skipLocalRankCopy, task_.skip_own);
  }
  uint32_t SetSkipBufferWindowCopy(uint8_t skipBufferWindowCopy) {
    return keep_up_to(2, skipBufferWindowCopy, task_.skip_window);
  }
  uint32_t SetDebugMode(uint8_t debugMode) {
    return debugMode == 0 ? 1 : keep_up_to(4, debugMode, task_.debug_mode);
  }
  uint32_t SetQueueNum(uint16_t num) {
    if (uint32_t{num} * (blocks_ == 0 ? 1U : blocks_) > kMostQueues) return 1;
    queues_ = num;
    return 0;
  }
  uint32_t SetCommBlockNum(uint16_t num) {
    if (uint32_t{num} * queues_ > kMostQueues) return 1;
    blocks_ = num;
    return 0;
  }
  uint32_t SetCommEngine(uint8_t commEngine) {
    task_.engine = commEngine;
    return 0;
  }

 private:
  static const uint32_t kMostQueues = 40; /* of all cores together */

  static bool is_type(uint8_t type) {
    return type <= HCCL_DATA_TYPE_MXFP8 || type == HCCL_DATA_TYPE_RESERVED;
  }
  static uint32_t keep(const std::string& text, char (&into)[aclsim_hccl::kNameBytes]) {
    if (text.size() > sizeof into) return 1;
    memset(into, 0, sizeof into);
    memcpy(into, text.data(), text.size());
    return 0;
  }
  static uint32_t keep_up_to(uint8_t most, uint8_t value, uint8_t& into) {
    if (value > most) return 1;
    into = value;
    return 0;
  }
  bool add(const ::Mc2CcTiling& tiling) {
    const char* const begin = reinterpret_cast<const char*>(init_);
    const char* const at = reinterpret_cast<const char*>(&tiling);
    aclsim_hccl::InitTiling init;
    memcpy(&init, init_->reserved, sizeof init);
    if (at < begin || init.tasks >= aclsim_hccl::kMostTasks) return false;
    init.offsets[init.tasks++] = static_cast<uint32_t>(at - begin);
    memcpy(init_->reserved, &init, sizeof init);
    return true;
  }

  aclsim_hccl::TaskTiling task_ = {};
  uint16_t queues_ = 0;
  uint16_t blocks_ = 0;
  uint32_t bad_ = 0;
  ::Mc2InitTiling* init_ = nullptr; /* the last one */
};

}  // namespace AscendC

#endif /* ASCENDC_IMPL_HCCL_TILING_H_ */
