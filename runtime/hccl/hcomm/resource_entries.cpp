// SPDX-License-Identifier: Apache-2.0
// hccl_res.h, hccl_channel.h: threads and channels of communicators.
#include <algorithm>
#include <set>

#include "hccl/hccl_channel.h"
#include "hccl/hccl_res.h"
#include "runtime/hccl/base/guard.h"
#include "runtime/hccl/comm/registry.h"
#include "runtime/hccl/hcomm/resources.h"

using namespace hccl;

namespace {

void require_engine(CommEngine engine, std::initializer_list<CommEngine> accepted) {
  for (const CommEngine each : accepted) {
    if (each == engine) return;
  }
  fail(HCCL_E_PARA, "engine is {}, which does not serve this call", static_cast<int>(engine));
}

constexpr std::uint32_t kMostThreadsOfCall = 200;
constexpr std::uint32_t kNotifiesBelow = 65536;
constexpr std::uint32_t kMostChannels = 1048576;
constexpr std::uint32_t kMostChannelNotifies = 64;

void require_notifies(std::uint32_t notifies) {
  if (notifies < kNotifiesBelow) return;
  fail(HCCL_E_PARA, "a thread is to have {} notifies; expected less than {}", notifies,
       kNotifiesBelow);
}

void acquire_threads(HcclComm comm, std::uint32_t count, std::uint32_t notifies,
                     ThreadHandle* threads) {
  if (count == 0 || count > kMostThreadsOfCall) {
    fail(HCCL_E_PARA, "threadNum is {}; expected 1 to {}", count, kMostThreadsOfCall);
  }
  require_notifies(notifies);
  const auto made = Resources::of(Registry::instance().find(comm))->new_threads(count, notifies);
  std::copy(made.begin(), made.end(), threads);
}

void require_sound(const HcclChannelDesc& desc, const Communicator& communicator) {
  if (desc.header.magicWord != HCCL_CHANNEL_MAGIC_WORD) {
    fail(HCCL_E_PARA, "channelDescs has the magic word {:#x}; expected {:#x} (HcclChannelDescInit)",
         desc.header.magicWord, HCCL_CHANNEL_MAGIC_WORD);
  }
  if (desc.remoteRank >= communicator.size() || desc.remoteRank == communicator.rank()) {
    fail(HCCL_E_PARA, "remoteRank is {}; expected another rank than {}, less than {}",
         desc.remoteRank, communicator.rank(), communicator.size());
  }
  if (desc.channelProtocol < COMM_PROTOCOL_HCCS || desc.channelProtocol > COMM_PROTOCOL_UB_RTP) {
    fail(HCCL_E_PARA, "channelProtocol is {}, which is none (CommProtocol)",
         static_cast<int>(desc.channelProtocol));
  }
  if (desc.channelProtocol == COMM_PROTOCOL_HCCS &&
      !communicator.same_server(desc.remoteRank, communicator.rank())) {
    fail(HCCL_E_PARA,
         "channelProtocol is HCCS, which connects no two servers; rank {} is on another one (the "
         "rank graph has a link in layer 1)",
         desc.remoteRank);
  }
  if (desc.notifyNum > kMostChannelNotifies) {
    fail(HCCL_E_PARA, "notifyNum is {}; expected {} or less", desc.notifyNum, kMostChannelNotifies);
  }
  if (desc.memHandleNum != 0 && !desc.memHandles) {
    fail(HCCL_E_PTR, "memHandles is null, but memHandleNum is {}", desc.memHandleNum);
  }
}

}  // namespace

extern "C" {

HcclResult HcclThreadAcquire(HcclComm comm, CommEngine engine, uint32_t threadNum,
                             uint32_t notifyNumPerThread, ThreadHandle* threads) {
  const acl::embedding::Caller caller = __func__;
  return guarded(__func__, [&] {
    as_call_of(caller, [&] {
      require_input(comm, "comm");
      require_input(threads, "threads");
      require_engine(engine, {COMM_ENGINE_CPU_TS, COMM_ENGINE_AICPU_TS});
      acquire_threads(comm, threadNum, notifyNumPerThread, threads);
    });
  });
}

HcclResult HcclThreadAcquireWithConfig(HcclComm comm, CommEngine engine, uint32_t threadNum,
                                       ThreadType type, const ThreadConfig* config,
                                       ThreadHandle* threads) {
  const acl::embedding::Caller caller = __func__;
  return guarded(__func__, [&] {
    as_call_of(caller, [&] {
      require_input(comm, "comm");
      require_input(config, "config");
      require_input(threads, "threads");
      if (config->header.magicWord != THREAD_CONFIG_MAGIC_WORD) {
        fail(HCCL_E_PARA, "config has the magic word {:#x}; expected {:#x} (ThreadConfigInit)",
             config->header.magicWord, THREAD_CONFIG_MAGIC_WORD);
      }
      require_engine(engine, {COMM_ENGINE_CPU, COMM_ENGINE_AICPU});
      if (type != THREAD_TYPE_TS) {
        fail(HCCL_E_PARA, "type is {}; expected THREAD_TYPE_TS (0)", static_cast<int>(type));
      }
      acquire_threads(comm, threadNum, config->notifyNumPerThread, threads);
    });
  });
}

HcclResult HcclThreadAcquireWithStream(HcclComm comm, CommEngine engine, aclrtStream stream,
                                       uint32_t notifyNum, ThreadHandle* thread) {
  const acl::embedding::Caller caller = __func__;
  return guarded(__func__, [&] {
    as_call_of(caller, [&] {
      require_input(comm, "comm");
      require_input(stream, "stream");
      require_input(thread, "thread");
      require_engine(engine, {COMM_ENGINE_CPU, COMM_ENGINE_CPU_TS, COMM_ENGINE_CCU});
      require_notifies(notifyNum);
      *thread = Resources::of(Registry::instance().find(comm))->thread_of(stream, notifyNum);
    });
  });
}

HcclResult HcclThreadResGetInfo(HcclComm comm, ThreadHandle thread, ThreadResType resType,
                                uint32_t infoLen, void** info) {
  return guarded(__func__, [&] {
    require_input(comm, "comm");
    auto& out = require_out(info, "info");
    if (resType != THREAD_RES_TYPE_STREAM) {
      fail(HCCL_E_NOT_SUPPORT, "resType is {}; expected THREAD_RES_TYPE_STREAM (0)",
           static_cast<int>(resType));
    }
    if (infoLen != sizeof(aclrtStream)) {
      fail(HCCL_E_PARA, "infoLen is {}; expected {}", infoLen, sizeof(aclrtStream));
    }
    Registry::instance().find(comm);
    try {
      out = find_thread(thread)->stream();
    } catch (const Error& error) {
      fail(HCCL_E_NOT_FOUND, "{}", error.what());
    }
  });
}

HcclResult HcclGetNotifyNumInThread(HcclComm comm, ThreadHandle thread, CommEngine engine,
                                    uint32_t* notifyNum) {
  return guarded(__func__, [&] {
    require_input(comm, "comm");
    auto& out = require_out(notifyNum, "notifyNum");
    require_engine(engine, {COMM_ENGINE_CPU, COMM_ENGINE_CPU_TS, COMM_ENGINE_AICPU,
                            COMM_ENGINE_AICPU_TS, COMM_ENGINE_AIV, COMM_ENGINE_CCU});
    Registry::instance().find(comm);
    out = find_thread(thread)->notify_count();
  });
}

/* All engines have one address space in the emulator, so a thread has the same handle for all of
 * them. */
HcclResult HcclThreadExportToCommEngine(HcclComm comm, uint32_t threadNum,
                                        const ThreadHandle* threads, CommEngine dstCommEngine,
                                        ThreadHandle* exportedThreads) {
  return guarded(__func__, [&] {
    require_input(comm, "comm");
    require_input(threads, "threads");
    require_input(exportedThreads, "exportedThreads");
    require_engine(dstCommEngine, {COMM_ENGINE_CPU, COMM_ENGINE_CPU_TS, COMM_ENGINE_AICPU,
                                   COMM_ENGINE_AICPU_TS, COMM_ENGINE_AIV, COMM_ENGINE_CCU});
    Registry::instance().find(comm);
    for (std::uint32_t i = 0; i < threadNum; ++i) find_thread(threads[i]);
    std::copy(threads, threads + threadNum, exportedThreads);
  });
}

HcclResult HcclChannelAcquire(HcclComm comm, CommEngine engine, const HcclChannelDesc* channelDescs,
                              uint32_t channelNum, ChannelHandle* channels) {
  const acl::embedding::Caller caller = __func__;
  return guarded(__func__, [&] {
    as_call_of(caller, [&] {
      require_input(comm, "comm");
      require_input(channelDescs, "channelDescs");
      require_input(channels, "channels");
      if (channelNum == 0 || channelNum > kMostChannels) {
        fail(HCCL_E_PARA, "channelNum is {}; expected 1 to {}", channelNum, kMostChannels);
      }
      require_engine(engine, {COMM_ENGINE_CPU, COMM_ENGINE_CPU_TS, COMM_ENGINE_AICPU,
                              COMM_ENGINE_AICPU_TS, COMM_ENGINE_AIV});
      const auto communicator = Registry::instance().find(comm);
      std::set<std::pair<std::uint32_t, int>> seen;
      for (std::uint32_t i = 0; i < channelNum; ++i) {
        require_sound(channelDescs[i], *communicator);
        const auto protocol = static_cast<int>(channelDescs[i].channelProtocol);
        if (seen.insert({channelDescs[i].remoteRank, protocol}).second) continue;
        fail(HCCL_E_PARA, "channelDescs names rank {} twice with one protocol",
             channelDescs[i].remoteRank);
      }
      Resources::of(communicator)->acquire(engine, channelDescs, channelNum, channels);
    });
  });
}

HcclResult HcclChannelGetHcclBuffer(HcclComm comm, ChannelHandle channel, void** buffer,
                                    uint64_t* size) {
  return guarded(__func__, [&] {
    require_input(comm, "comm");
    auto& address = require_out(buffer, "buffer");
    auto& bytes = require_out(size, "size");
    const auto found = find_channel(channel);
    address = found->shown().front().addr;
    bytes = found->shown().front().size;
  });
}

/* The arrays live as long as the channel. A caller that changes them changes them for all callers.
 */
HcclResult HcclChannelGetRemoteMems(HcclComm comm, ChannelHandle channel, uint32_t* memNum,
                                    CommMem** remoteMems, char*** memTags) {
  return guarded(__func__, [&] {
    require_input(comm, "comm");
    auto& count = require_out(memNum, "memNum");
    auto& memories = require_out(remoteMems, "remoteMems");
    auto& tags = require_out(memTags, "memTags");
    const auto found = find_channel(channel);
    count = static_cast<std::uint32_t>(found->shown().size());
    memories = const_cast<CommMem*>(found->shown().data());
    tags = const_cast<char**>(found->shown_tags().data());
  });
}

HcclResult HcclChannelGetNotifyNum(HcclComm comm, ChannelHandle channel, uint32_t* notifyNum) {
  return guarded(__func__, [&] {
    require_input(comm, "comm");
    require_out(notifyNum, "notifyNum") = find_channel(channel)->notifies();
  });
}

}  // extern "C"
