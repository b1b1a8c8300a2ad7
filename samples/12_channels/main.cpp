// SPDX-License-Identifier: Apache-2.0
//
// Ranks write into each other's memory, without a collective: each rank has a channel to every
// other one, and writes its buffer into the buffer of its neighbour in three phases.
//
//   phase 0   both ranks are ready: the neighbour's buffer may be written
//   phase 1   the data has arrived
//   phase 2   the data was read: the buffer may be used again
//
// A phase is a notify of the channel: each side sets the notify of the other and waits for its own.
// All of this is enqueued on a stream. Only the call that acquires the channels waits for another
// rank. All notifies are set before the first wait; otherwise the ranks would wait for each other
// in a cycle.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "hccl/hccl.h"
#include "hccl/hccl_channel.h"
#include "hccl/hccl_res.h"
#include "hcomm/hcomm_primitives.h"

// Ends the program when a call fails, and prints the call and the reason.
#define CHECK(call) check((call), #call, __LINE__)
static void check(int code, const char* call, int line) {
  if (code == 0) return;
  const char* text = aclGetRecentErrMsg();
  std::fprintf(stderr, "line %d: %s gave %d: %s\n", line, call, code, text != nullptr ? text : "");
  std::exit(1);
}

static const uint32_t kPhases = 3;
static const uint32_t kTimeout = 60;  // seconds, for each wait
static const uint32_t kRounds = 4;
static const uint64_t kHalf = 1024 * 1024;  // half of the communicator's buffer

typedef struct {
  HcclMemType type;
  void* addr;
  uint64_t size;
} CommBuffer;

// Signals to all peers that this rank has reached the phase, and waits for the signals of all.
static void meet(ThreadHandle thread, const std::vector<ChannelHandle>& channels, uint32_t phase) {
  for (ChannelHandle channel : channels) {
    CHECK(HcommChannelNotifyRecordOnThread(thread, channel, phase));
  }
  for (ChannelHandle channel : channels) {
    CHECK(HcommChannelNotifyWaitOnThread(thread, channel, phase, kTimeout));
  }
}

// The first channel connects to the neighbour.
static std::vector<ChannelHandle> acquire_channels(HcclComm comm, uint32_t rank, uint32_t ranks) {
  const uint32_t count = ranks - 1;
  std::vector<HcclChannelDesc> descs(count);
  CHECK(HcclChannelDescInit(descs.data(), count));
  for (uint32_t i = 0; i < count; ++i) {
    descs[i].remoteRank = (rank + 1 + i) % ranks;
    descs[i].channelProtocol = COMM_PROTOCOL_HCCS;
    descs[i].notifyNum = kPhases;
  }
  std::vector<ChannelHandle> channels(count);
  CHECK(HcclChannelAcquire(comm, COMM_ENGINE_CPU_TS, descs.data(), count, channels.data()));
  return channels;
}

// One rank from beginning to end; `wrong` counts bytes.
static void run_rank(const HcclRootInfo* root, uint32_t rank, uint32_t ranks, uint64_t* wrong) {
  CHECK(aclrtSetDevice(static_cast<int32_t>(rank)));
  HcclCommConfig config;
  HcclCommConfigInit(&config);
  config.hcclBufferSize = 1;  // MB, for one half
  HcclComm comm = nullptr;
  CHECK(HcclCommInitRootInfoConfig(ranks, root, rank, &config, &comm));
  aclrtStream stream = nullptr;
  CHECK(aclrtCreateStream(&stream));
  ThreadHandle thread = 0;
  CHECK(HcclThreadAcquireWithStream(comm, COMM_ENGINE_CPU_TS, stream, 0, &thread));
  const std::vector<ChannelHandle> channels = acquire_channels(comm, rank, ranks);

  CommBuffer local = {HCCL_MEM_TYPE_DEVICE, nullptr, 0};
  CommBuffer remote = {HCCL_MEM_TYPE_DEVICE, nullptr, 0};
  CHECK(HcclGetHcclBuffer(comm, &local.addr, &local.size));
  CHECK(HcclChannelGetHcclBuffer(comm, channels[0], &remote.addr, &remote.size));
  // The data for the neighbour is sent from the first half, and arrives in the second half.
  char* const arrival = static_cast<char*>(remote.addr) + kHalf;
  for (uint32_t round = 0; round < kRounds; ++round) {
    CHECK(aclrtMemsetAsync(local.addr, kHalf, static_cast<int32_t>(rank + 16 * round), kHalf,
                           stream));
    meet(thread, channels, 0);
    CHECK(HcommWriteOnThread(thread, channels[0], arrival, local.addr, kHalf));
    meet(thread, channels, 1);
    meet(thread, channels, 2);
  }
  CHECK(aclrtSynchronizeStream(stream));

  std::vector<unsigned char> got(kHalf);
  CHECK(aclrtMemcpy(got.data(), kHalf, static_cast<char*>(local.addr) + kHalf, kHalf,
                    ACL_MEMCPY_DEVICE_TO_HOST));
  const unsigned expected = (rank + ranks - 1) % ranks + 16 * (kRounds - 1);
  for (unsigned char byte : got) *wrong += byte == expected ? 0 : 1;
  CHECK(HcclCommDestroy(comm));
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtResetDevice(static_cast<int32_t>(rank)));
}

static uint64_t run(uint32_t ranks) {
  HcclRootInfo root;
  CHECK(aclrtSetDevice(0));
  CHECK(HcclGetRootInfo(&root));
  std::vector<uint64_t> wrong(ranks, 0);
  std::vector<std::thread> threads;
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    threads.emplace_back(run_rank, &root, rank, ranks, &wrong[rank]);
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(aclrtResetDevice(0));
  uint64_t sum = 0;
  for (uint64_t each : wrong) sum += each;
  std::printf("%u ranks, %u rounds of %u KiB to the neighbour: %s\n", ranks, kRounds,
              static_cast<unsigned>(kHalf / 1024), sum == 0 ? "ok" : "WRONG");
  return sum;
}

int main() {
  CHECK(aclInit(nullptr));
  uint32_t devices = 0;
  CHECK(aclrtGetDeviceCount(&devices));
  uint64_t wrong = 0;
  for (uint32_t ranks : {2U, 8U}) {
    if (ranks <= devices) {
      wrong += run(ranks);
    } else {
      std::printf("skipped: %u ranks need as many devices\n", ranks);
    }
  }
  CHECK(aclFinalize());
  return wrong == 0 ? 0 : 1;
}
