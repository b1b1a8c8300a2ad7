// SPDX-License-Identifier: Apache-2.0
// Two ranks with a channel between them, for tests of HCOMM's return codes.
#pragma once

#include <thread>

#include "hccl/hccl_channel.h"
#include "hccl/hccl_res.h"
#include "hcomm/hcomm_primitives.h"
#include "tests/hccl/world.h"

namespace hccltest {

inline void describe(HcclChannelDesc& desc, std::uint32_t peer, CommProtocol protocol) {
  HcclChannelDescInit(&desc, 1);
  desc.remoteRank = peer;
  desc.channelProtocol = protocol;
  desc.notifyNum = 2;
}

/// Two ranks of one thread, a channel between them, a thread of each over its stream.
struct Linked : OneThread {
  explicit Linked(CommProtocol protocol = COMM_PROTOCOL_HCCS) : OneThread(2) {
    const auto acquire = [&](std::uint32_t rank) {
      on(rank);
      HcclChannelDesc desc;
      describe(desc, 1 - rank, protocol);
      must(HcclChannelAcquire(comms[rank], COMM_ENGINE_CPU_TS, &desc, 1, &channels[rank]) == 0);
      must(HcclThreadAcquireWithStream(comms[rank], COMM_ENGINE_CPU_TS, streams[rank], 2,
                                       &threads[rank]) == 0);
    };
    std::thread other(acquire, 1);
    acquire(0);
    other.join();
    std::uint64_t size = 0;
    must(HcclChannelGetHcclBuffer(comms[0], channels[0], &theirs, &size) == 0);
    mine = ints(0, {1, 2, 3, 4});
    on(0);
    thread = threads[0];
    channel = channels[0];
  }
  ThreadHandle threads[2] = {};
  ChannelHandle channels[2] = {};
  ThreadHandle thread = 0;
  ChannelHandle channel = 0;
  void* theirs = nullptr;
  std::int32_t* mine = nullptr;
};

}  // namespace hccltest
