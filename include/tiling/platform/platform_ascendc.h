/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queries of host code about the chip, for tiling: the properties of the emulated machine. C++11.
 */
#ifndef TILING_PLATFORM_PLATFORM_ASCENDC_H_
#define TILING_PLATFORM_PLATFORM_ASCENDC_H_

#include <stdint.h>
#include <string.h>

#include "acl/acl_sim.h"

namespace fe {
class PlatFormInfos;
}

namespace platform_ascendc {

enum class CoreMemType {
  L0_A = 0,
  L0_B = 1,
  L0_C = 2,
  L1 = 3,
  L2 = 4,
  UB = 5,
  HBM = 6,
  FB = 7,
  BT = 8,
  RESERVED = 9
};
enum class SocVersion {
  ASCEND910 = 0,
  ASCEND910B = 1,
  ASCEND310P = 2,
  ASCEND310B = 3,
  ASCEND950 = 4,
  ASCEND910_55 = 5,
  ASCEND910_95 = 4,
  ASCEND910_93 = 6,
  RESERVED_VERSION = 99999
};

class PlatformAscendC {
 public:
  /* Frameworks describe a chip; here it is the emulated one. */
  explicit PlatformAscendC(fe::PlatFormInfos* /*platform*/) : PlatformAscendC() {}
  explicit PlatformAscendC(const char* socVersion = nullptr) {
    aclsimMachine machine;
    memset(&machine, 0, sizeof machine);
    machine.size = sizeof machine;
    if (aclsimGetMachine(&machine) != 0) return;
    cubes_ = machine.aiCores;
    vectors_ = machine.vectorCores;
    const char* const name = socVersion && *socVersion ? socVersion : machine.socName;
    wide_ = strstr(name, "950") != nullptr;
  }

  /* The cube cores, as on chips with separate cube and vector cores. */
  uint32_t GetCoreNum() const { return cubes_; }
  uint32_t GetCoreNumAic() const { return cubes_; }
  uint32_t GetCoreNumAiv() const { return vectors_; }
  uint32_t GetCoreNumVector() const { return 0; } /* vector cores outside of AI cores */
  SocVersion GetSocVersion() const {
    return wide_ ? SocVersion::ASCEND950 : SocVersion::ASCEND910B;
  }
  uint32_t GetLibApiWorkSpaceSize() const { return 16 * 1024 * 1024; }
  uint32_t GetResGroupBarrierWorkSpaceSize() const { return 16 * 1024 * 1024; }
  void GetCoreMemSize(const CoreMemType& memType, uint64_t& size) const {
    switch (memType) {
      case CoreMemType::L0_A:
      case CoreMemType::L0_B:
        size = 64 * 1024;
        break;
      case CoreMemType::L0_C:
        size = (wide_ ? 256 : 128) * 1024;
        break;
      case CoreMemType::L1:
        size = wide_ ? 524288 : 524032;
        break;
      case CoreMemType::L2:
        size = 192ULL * 1024 * 1024;
        break;
      case CoreMemType::UB:
        size = wide_ ? 253952 : 196608;
        break;
      case CoreMemType::FB:
        size = wide_ ? 4096 : 2048;
        break;
      case CoreMemType::BT:
        size = wide_ ? 4096 : 1024;
        break;
      default:
        size = 0;
        break;
    }
  }
  /* Blocks of a launch for `sliceNum` pieces of work that vector cores take. */
  uint32_t CalcTschNumBlocks(uint32_t sliceNum, uint32_t aicCoreNum, uint32_t aivCoreNum) const {
    if (aicCoreNum == 0 || aivCoreNum == 0 || aicCoreNum > aivCoreNum) return sliceNum;
    const uint32_t ratio = aivCoreNum / aicCoreNum;
    return (sliceNum + ratio - 1) / ratio;
  }
  uint32_t CalcTschBlockDim(uint32_t sliceNum, uint32_t aicCoreNum, uint32_t aivCoreNum) const {
    return CalcTschNumBlocks(sliceNum, aicCoreNum, aivCoreNum);
  }

 private:
  uint32_t cubes_ = 0;
  uint32_t vectors_ = 0;
  bool wide_ = false;
};

class PlatformAscendCManager {
 public:
  static PlatformAscendC* GetInstance() { return GetInstance(nullptr); }
  static PlatformAscendC* GetInstance(const char* customSocVersion) {
    static PlatformAscendC platform(customSocVersion);
    return &platform;
  }
};

}  // namespace platform_ascendc

#endif /* TILING_PLATFORM_PLATFORM_ASCENDC_H_ */
