/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The description of a chip that a framework gives to an operator's host functions. Here it
 * describes the emulated machine, whichever chip a program names. C++11.
 */
#ifndef PLATFORM_PLATFORM_INFO_H_
#define PLATFORM_PLATFORM_INFO_H_

#include <stddef.h>
#include <stdint.h>

#include <map>
#include <string>

#include "tiling/platform/platform_ascendc.h"

namespace fe {

enum class LocalMemType {
  L0_A = 0,
  L0_B = 1,
  L0_C = 2,
  L1 = 3,
  L2 = 4,
  UB = 5,
  HBM = 6,
  RESERVED = 7
};

class PlatFormInfos {
 public:
  bool Init() { return true; }
  /* The cube cores; by type: "AiCore" or "VectorCore". */
  uint32_t GetCoreNum() const { return chip_.GetCoreNumAic(); }
  uint32_t GetCoreNumWithLock() const { return GetCoreNum(); }
  uint32_t GetCoreNumByType(const std::string& core_type) const {
    return core_type == "VectorCore" ? chip_.GetCoreNumAiv() : chip_.GetCoreNumAic();
  }
  void SetCoreNumByCoreType(const std::string& /*core_type*/) {}
  void GetLocalMemSize(const LocalMemType& mem_type, uint64_t& size) const {
    chip_.GetCoreMemSize(static_cast<platform_ascendc::CoreMemType>(mem_type), size);
  }
  /* A property as text. Returns false and leaves `val` if it is not known here. */
  bool GetPlatformRes(const std::string& label, const std::string& key, std::string& val) const {
    const std::map<std::string, std::string> known = resources(label);
    const std::map<std::string, std::string>::const_iterator found = known.find(key);
    if (found == known.end()) return false;
    val = found->second;
    return true;
  }
  bool GetPlatformRes(const std::string& label, std::map<std::string, std::string>& res) const {
    res = resources(label);
    return !res.empty();
  }
  bool GetPlatformResWithLock(const std::string& label, const std::string& key,
                              std::string& val) const {
    return GetPlatformRes(label, key, val);
  }
  bool GetPlatformResWithLock(const std::string& label,
                              std::map<std::string, std::string>& res) const {
    return GetPlatformRes(label, res);
  }

 private:
  std::string bytes(platform_ascendc::CoreMemType memory) const {
    uint64_t size = 0;
    chip_.GetCoreMemSize(memory, size);
    return std::to_string(size);
  }
  std::map<std::string, std::string> resources(const std::string& label) const {
    typedef platform_ascendc::CoreMemType Memory;
    const bool wide = chip_.GetSocVersion() == platform_ascendc::SocVersion::ASCEND950;
    std::map<std::string, std::string> all;
    if (label == "version") {
      aclsimMachine machine;
      memset(&machine, 0, sizeof machine);
      machine.size = sizeof machine;
      if (aclsimGetMachine(&machine) == 0) all["SoC_version"] = machine.socName;
      all["Short_SoC_version"] = wide ? "Ascend950" : "Ascend910B";
      all["NpuArch"] = wide ? "3510" : "2201";
    } else if (label == "SoCInfo") {
      all["ai_core_cnt"] = all["cube_core_cnt"] = std::to_string(chip_.GetCoreNumAic());
      all["vector_core_cnt"] = std::to_string(chip_.GetCoreNumAiv());
      all["l2_size"] = bytes(Memory::L2);
    } else if (label == "AICoreSpec") {
      all["l0_a_size"] = bytes(Memory::L0_A);
      all["l0_b_size"] = bytes(Memory::L0_B);
      all["l0_c_size"] = bytes(Memory::L0_C);
      all["l1_size"] = bytes(Memory::L1);
      all["ub_size"] = bytes(Memory::UB);
      all["cube_vector_split"] = "1";
    }
    return all;
  }
  platform_ascendc::PlatformAscendC chip_;
};

class OptionalInfos {
 public:
  bool Init() { return true; }
  std::string GetSocVersion() const { return soc_; }
  void SetSocVersion(const std::string& soc_version) { soc_ = soc_version; }
  std::string GetCoreType() const { return core_type_; }
  void SetCoreType(const std::string& core_type) { core_type_ = core_type; }
  uint32_t GetAICoreNum() const { return PlatFormInfos().GetCoreNum(); }

 private:
  std::string soc_;
  std::string core_type_ = "AiCore";
};

/* Its functions return 0. */
class PlatformInfoManager {
 public:
  static PlatformInfoManager& Instance() {
    static PlatformInfoManager manager;
    return manager;
  }
  static PlatformInfoManager& GeInstance() { return Instance(); }
  uint32_t InitializePlatformInfo() { return 0; }
  uint32_t Finalize() { return 0; }
  uint32_t GetPlatformInfos(const std::string& soc_version, PlatFormInfos& infos,
                            OptionalInfos& optional) {
    infos = PlatFormInfos();
    optional.SetSocVersion(soc_version);
    return 0;
  }
  uint32_t GetPlatformInfoWithOutSocVersion(PlatFormInfos& infos, OptionalInfos& optional) {
    std::string soc;
    infos = PlatFormInfos();
    infos.GetPlatformRes("version", "SoC_version", soc);
    optional.SetSocVersion(soc);
    return 0;
  }
};

}  // namespace fe

#endif /* PLATFORM_PLATFORM_INFO_H_ */
