// SPDX-License-Identifier: Apache-2.0
// Functions that are exported but not emulated: each reports that, but first reports a missing
// argument.
#include <dlfcn.h>

#include <fstream>
#include <regex>
#include <set>
#include <tuple>
#include <type_traits>

#include "hccl/hccl_channel.h"
#include "hccl/hccl_launch.h"
#include "hccl/hccl_rank_graph.h"
#include "hccl/hccl_res.h"
#include "hccl/hccl_res_expt.h"
#include "hccl/hccl_sym_win.h"
#include "hccl/hccl_team.h"
#include "hcomm/hcomm_channel.h"
#include "hcomm/hcomm_primitives.h"
#include "hcomm/hcomm_res.h"
#include "tests/hccl/world.h"

using namespace hccltest;
using catch_compat::ContainsSubstring;

namespace {

alignas(64) char something[64];

/// Something that is not null, and passes for a number.
template <class T>
T given() {
  if constexpr (std::is_same_v<T, HcclCommStateCallback>) {
    return [](HcclComm, HcclCommStatePhase, void*) { return HCCL_SUCCESS; };
  } else if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<T>(something);
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<T>(0);
  } else {
    return static_cast<T>(8);  // also the size of the result of HcommThreadResGetInfo
  }
}

/// Calls with all arguments return 5. Calls without one pointer, except those in `optional`, and
/// with 0 for one handle in `handles`, return 2.
template <class R, class... P>
void check_refused(const char* name, R (*function)(P...),
                   const std::set<std::size_t>& optional = {},
                   const std::set<std::size_t>& handles = {}) {
  INFO(name);
  CHECK(static_cast<int>(function(given<P>()...)) == HCCL_E_NOT_SUPPORT);
  CHECK_THAT(message(), ContainsSubstring(std::string(name) + " is not emulated: "));
  const auto without = [&]<std::size_t... I>(std::size_t index, std::index_sequence<I...>) {
    return static_cast<int>(function((I == index ? P{} : given<P>())...));
  };
  constexpr bool kPointer[] = {std::is_pointer_v<P>...};
  for (std::size_t i = 0; i < sizeof...(P); ++i) {
    if (kPointer[i] ? optional.count(i) != 0 : handles.count(i) == 0) continue;
    INFO("parameter " << i);
    CHECK(without(i, std::index_sequence_for<P...>()) == HCCL_E_PTR);
    CHECK_THAT(message(),
               ContainsSubstring(std::string(name) + ": ") && ContainsSubstring("is null"));
  }
}

}  // namespace

#define REFUSED(function, ...) check_refused(#function, function __VA_OPT__(, ) __VA_ARGS__)

TEST_CASE("what is not emulated says so, and first which argument is null: communicators",
          "[hccl][codes]") {
  const OnDevice device(0);
  REFUSED(HcclChannelConfigCreate);
  REFUSED(HcclChannelConfigDestroy);
  REFUSED(HcclChannelConfigSetInt);
  REFUSED(HcclChannelConfigSetStr);
  REFUSED(HcclChannelAcquireWithConfig);
  REFUSED(HcclChannelQuery);
  REFUSED(HcclChannelDestroy);
  REFUSED(HcclCommSuspend);
  REFUSED(HcclCommRegCommStateCallback, {2});
  REFUSED(HcclCommResume);
  REFUSED(HcclCommSetMemoryRange);
  REFUSED(HcclCommUnsetMemoryRange);
  REFUSED(HcclCommActivateCommMemory);
  REFUSED(HcclCommDeactivateCommMemory);
  REFUSED(HcclCommWorkingDevNicSet);
  REFUSED(HcclCommSymWinRegister);
  REFUSED(HcclCommSymWinDeregister);
  REFUSED(HcclCommSymWinGet);
  REFUSED(HcclConfigGetInfo);
  REFUSED(HcclAicpuKernelLaunch, {0, 1, 2, 4, 5});
  REFUSED(HcclRankGraphGetTopoInstsByLayer);
  REFUSED(HcclRankGraphGetTopoType);
  REFUSED(HcclRankGraphGetRanksByTopoInst);
  REFUSED(HcclGetHeterogMode);
  REFUSED(HcclRankGraphGetEndpointNum);
  REFUSED(HcclRankGraphGetEndpointDesc);
  REFUSED(HcclRankGraphGetEndpointInfo);
  REFUSED(HcclGetHcclBufferCleared);
  REFUSED(HcclDedicatedThreadAcquire);
  REFUSED(HcclGetRemoteIpcHcclBuf);
  REFUSED(HcclDevMemAcquire);
  REFUSED(HcclTaskRegister);
  REFUSED(HcclTaskUnRegister);
  REFUSED(HcclCommAddExchangeInfo);
  REFUSED(HcclCommGetExchangeInfo);
  REFUSED(HcclCommResetExchangeInfo);
  REFUSED(HcclSymWinGetPeerPointer);
  REFUSED(HcclWorldTeamCreate);
  REFUSED(HcclSubTeamCreate);
  REFUSED(HcclTeamDestroy);
  REFUSED(HcclTeamWindowRegister);
  REFUSED(HcclTeamWindowDeregister);
  REFUSED(HcclTeamChannelsCreate);
}

TEST_CASE("what is not emulated says so, and first which argument is null: HCOMM",
          "[hccl][codes]") {
  const OnDevice device(0);
  REFUSED(HcommChannelCreate);
  REFUSED(HcommChannelConfigCreate);
  REFUSED(HcommChannelConfigDestroy);
  REFUSED(HcommChannelConfigSetInt);
  REFUSED(HcommChannelCreateWithConfig);
  REFUSED(HcommChannelGetStatus);
  REFUSED(HcommChannelDestroy);
  REFUSED(HcommWriteNbiOnThread, {}, {1});
  REFUSED(HcommWriteNbi, {}, {0});
  REFUSED(HcommWriteWithNotifyNbiOnThread, {}, {1});
  REFUSED(HcommWriteWithNotifyNbi, {}, {0});
  REFUSED(HcommReadNbiOnThread, {}, {1});
  REFUSED(HcommReadNbi, {}, {0});
  REFUSED(HcommChannelNotifyRecord, {}, {0});
  REFUSED(HcommChannelNotifyWait, {}, {0});
  REFUSED(HcommAicpuTsTaskCacheLookup);
  REFUSED(HcommAicpuTsTaskCacheStart);
  REFUSED(HcommAicpuTsTaskCacheEnd);
  REFUSED(HcommAicpuTsTaskCacheExecute);
  REFUSED(HcommAicpuTsTaskCacheClear);
  REFUSED(HcommChannelFence, {}, {0});
  REFUSED(HcommThreadResAcquireTimeOut);
  REFUSED(HcommBatchTransferOnThread, {}, {0, 1});
  REFUSED(HcommEndpointCreate);
  REFUSED(HcommEndpointDestroy);
  REFUSED(HcommEndpointGetDescNum);
  REFUSED(HcommEndpointGetDescs);
  REFUSED(HcommMemReg);
  REFUSED(HcommMemUnreg);
  REFUSED(HcommMemExport);
  REFUSED(HcommMemImport);
  REFUSED(HcommMemUnimport);
  REFUSED(HcommThreadAlloc);
  REFUSED(HcommThreadFree);
  REFUSED(HcommEndpointGetListenPort);
  REFUSED(HcommEndpointCheckFeature);
  REFUSED(HcommMemAlloc);
  REFUSED(HcommMemFree);
  REFUSED(HcommThreadResGetInfo, {}, {0});
}

TEST_CASE("arguments of what is not emulated are looked at where the table says", "[hccl][codes]") {
  const OnDevice device(0);
  ThreadHandle thread = 0;
  const auto dedicated = [&](HcclDedicatedThreadType type) {
    return HcclDedicatedThreadAcquire(something, type, 1, &thread);
  };
  CHECK(dedicated(HCCL_DED_THREAD_TYPE_INVALID) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("useType is -1; expected 0 to 5"));
  CHECK(dedicated(static_cast<HcclDedicatedThreadType>(6)) == HCCL_E_PARA);
  CHECK(dedicated(HCCL_DED_THREAD_TYPE_AICPU_LAUNCH) == HCCL_E_NOT_SUPPORT);
  HcommBatchTransferDesc desc{};
  CHECK(HcommBatchTransferOnThread(1, 1, &desc, 0) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("transferDescNum is 0"));
  void* info = nullptr;
  CHECK(HcommThreadResGetInfo(1, THREAD_RES_TYPE_STREAM, 4, &info) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("infoLen is 4; expected 8"));
}

TEST_CASE("an AI CPU's kernel is refused in a group of calls too", "[hccl][codes]") {
  const OnDevice device(0);
  CHECK(HcclGroupStart() == HCCL_SUCCESS);
  REFUSED(HcclAicpuKernelLaunch, {0, 1, 2, 4, 5});
  CHECK(HcclGroupEnd() == HCCL_SUCCESS);
}

TEST_CASE("what is declared in no header is exported and says that it is not emulated",
          "[hccl][codes]") {
  const OnDevice device(0);
  std::ifstream source(ACLSIM_SOURCE_DIR "/runtime/hccl/capi/unsupported/undeclared.cpp");
  const std::regex row(R"(^HCCL_UNDECLARED(_AS)?\((?:\w+, )?(\w+))");
  int count = 0;
  for (std::string line; std::getline(source, line);) {
    std::smatch match;
    if (!std::regex_search(line, match, row)) continue;
    const std::string name = match[2];
    INFO(name);
    auto* const function = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, name.c_str()));
    REQUIRE(function != nullptr);
    const int code = function();
    if (!match[1].matched) CHECK(code == HCCL_E_NOT_SUPPORT);
    CHECK_THAT(message(), ContainsSubstring(name + " is not emulated: "));
    ++count;
  }
  CHECK(count > 150);
  auto* const find = reinterpret_cast<bool (*)(const char*)>(dlsym(RTLD_DEFAULT, "HcomFindGroup"));
  CHECK(!find("a group"));
}
