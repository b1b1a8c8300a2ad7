// SPDX-License-Identifier: Apache-2.0
#include "bandwidth_test.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "acl/acl.h"
#include "data.h"
#include "mpi_ranks.h"
#include "options.h"

namespace bandwidth {
namespace {

// Ends the program when a call fails, and prints the call and the reason.
#define CHECK(call) check((call), #call, __LINE__)
void check(int code, const char* call, int line) {
  if (code == 0) return;
  const char* text = aclGetRecentErrMsg();
  std::fprintf(stderr, "line %d: %s gave %d: %s\n", line, call, code, text != nullptr ? text : "");
  std::exit(1);
}

const unsigned char kPoison = 0x5a;

// A rank of this process: its device, its stream and its buffers.
struct Rank {
  int32_t device = 0;
  Call call = {};
  aclrtEvent begin = nullptr;
  aclrtEvent end = nullptr;
};

class Test {
 public:
  Test(const Collective& collective, const Options& options)
      : collective_(collective), options_(options) {}
  int run();

 private:
  void open_ranks();
  void use_device(uint32_t index);
  void open_table_rank(const char* table, uint32_t rank);
  void open_mpi_rank();
  void open_device_ranks();
  void allocate();
  void close();
  bool measure(uint64_t size);
  void enqueue(uint32_t times);
  void record(aclrtEvent Rank::*event);
  float microseconds();
  void fill(const Rank& rank);
  bool is_right(const Rank& rank) const;
  uint64_t send_count(uint64_t count) const {
    return collective_.sends_to_each ? count * ranks() : count;
  }
  uint64_t recv_count(uint64_t count) const {
    return collective_.receives_from_each ? count * ranks() : count;
  }
  uint32_t ranks() const { return ranks_.front().call.ranks; }
  bool prints() const { return ranks_.front().call.rank == 0; }

  const Collective& collective_;
  const Options options_;
  std::vector<Rank> ranks_;
  std::vector<unsigned char> host_;
  uint64_t most_ = 0;  // bytes of a buffer
  bool by_mpirun_ = false;
};

uint32_t number_of(const char* variable, uint32_t otherwise) {
  const char* const text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return otherwise;
  char* end = nullptr;
  const unsigned long value = std::strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || value > 1000000) {
    std::fprintf(stderr, "%s is '%s'; expected a number from 0 to 1000000\n", variable, text);
    std::exit(2);
  }
  return static_cast<uint32_t>(value);
}

// The device of a process that is one rank: DEVICE_ID, or `index` if that is not set.
void Test::use_device(uint32_t index) {
  uint32_t devices = 0;
  CHECK(aclrtGetDeviceCount(&devices));
  if (options_.devices != 0) devices = std::min(devices, options_.devices);
  ranks_.resize(1);
  ranks_[0].device = static_cast<int32_t>(number_of("DEVICE_ID", index % devices));
  CHECK(aclrtSetDevice(ranks_[0].device));
}

void Test::open_table_rank(const char* table, uint32_t rank) {
  use_device(rank);
  CHECK(HcclCommInitClusterInfo(table, rank, &ranks_[0].call.comm));
}

void Test::open_mpi_rank() {
  const MpiRank self = open_mpi();
  use_device(self.of_host);
  HcclRootInfo info = {};
  if (self.rank == 0) CHECK(HcclGetRootInfo(&info));
  share(info);
  CHECK(HcclCommInitRootInfo(self.ranks, &info, self.rank, &ranks_[0].call.comm));
}

void Test::open_device_ranks() {
  uint32_t devices = 0;
  CHECK(aclrtGetDeviceCount(&devices));
  const uint32_t used = options_.devices != 0 ? options_.devices : devices;
  if (used > devices) {
    std::fprintf(stderr, "-p is %u; this machine has %u devices\n", used, devices);
    std::exit(2);
  }
  ranks_.resize(used);
  std::vector<int32_t> ids;
  for (uint32_t i = 0; i < used; ++i) {
    ranks_[i].device = static_cast<int32_t>(i);
    ids.push_back(ranks_[i].device);
  }
  CHECK(aclrtSetDevice(0));
  std::vector<HcclComm> comms(used);
  CHECK(HcclCommInitAll(used, ids.data(), comms.data()));
  for (uint32_t i = 0; i < used; ++i) ranks_[i].call.comm = comms[i];
}

void Test::open_ranks() {
  const char* const table = std::getenv("RANK_TABLE_FILE");
  const char* const rank = std::getenv("RANK_ID");
  by_mpirun_ = (table == nullptr || rank == nullptr) && started_by_mpirun();
  if (table != nullptr && rank != nullptr) {
    open_table_rank(table, number_of("RANK_ID", 0));
  } else if (by_mpirun_) {
    open_mpi_rank();
  } else {
    open_device_ranks();
  }
  for (Rank& each : ranks_) {
    CHECK(aclrtSetDevice(each.device));
    CHECK(HcclGetRankId(each.call.comm, &each.call.rank));
    CHECK(HcclGetRankSize(each.call.comm, &each.call.ranks));
    CHECK(aclrtCreateStream(&each.call.stream));
    CHECK(aclrtCreateEvent(&each.begin));
    CHECK(aclrtCreateEvent(&each.end));
    each.call.type = options_.type;
    each.call.op = options_.op;
    each.call.root = options_.root;
  }
  if (collective_.has_root && options_.root >= ranks()) {
    std::fprintf(stderr, "-r is %u; expected 0 to %u\n", options_.root, ranks() - 1);
    std::exit(2);
  }
}

void Test::allocate() {
  // The last size, and at least one element for each rank.
  most_ =
      std::max<uint64_t>(options_.last, static_cast<uint64_t>(ranks()) * size_of(options_.type));
  for (Rank& each : ranks_) {
    CHECK(aclrtSetDevice(each.device));
    CHECK(aclrtMalloc(&each.call.send, most_, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMalloc(&each.call.recv, most_, ACL_MEM_MALLOC_HUGE_FIRST));
  }
  if (options_.check) host_.resize(most_);
}

void Test::close() {
  for (Rank& each : ranks_) {
    CHECK(aclrtSetDevice(each.device));
    CHECK(HcclCommDestroy(each.call.comm));
    CHECK(aclrtFree(each.call.send));
    CHECK(aclrtFree(each.call.recv));
    CHECK(aclrtDestroyEvent(each.begin));
    CHECK(aclrtDestroyEvent(each.end));
    CHECK(aclrtDestroyStream(each.call.stream));
    CHECK(aclrtResetDevice(each.device));
  }
}

void Test::fill(const Rank& rank) {
  const Call& call = rank.call;
  const uint32_t size = size_of(call.type);
  const Data data(call.type, call.op, call.ranks);
  const uint64_t count = send_count(call.count);
  for (uint64_t i = 0; i < count; ++i) store(call.type, data.value(call.rank, i), &host_[i * size]);
  CHECK(aclrtMemset(call.recv, most_, kPoison, recv_count(call.count) * size));
  const bool sends = !collective_.in_place || call.rank == call.root;
  void* const from = collective_.in_place ? call.recv : call.send;
  if (sends) CHECK(aclrtMemcpy(from, most_, host_.data(), count * size, ACL_MEMCPY_HOST_TO_DEVICE));
}

bool Test::is_right(const Rank& rank) const {
  const Call& call = rank.call;
  if (collective_.only_root_receives && call.rank != call.root) return true;
  const uint32_t size = size_of(call.type);
  const Data data(call.type, call.op, call.ranks);
  const uint64_t count = recv_count(call.count);
  std::vector<unsigned char> got(count * size);
  CHECK(aclrtMemcpy(got.data(), got.size(), call.recv, got.size(), ACL_MEMCPY_DEVICE_TO_HOST));
  for (uint64_t i = 0; i < count; ++i) {
    const double value = load(call.type, &got[i * size]);
    const double expected = collective_.expected(call, data, i);
    if (value == expected) continue;
    std::fprintf(stderr, "rank %u: element %llu is %g; expected %g\n", call.rank,
                 static_cast<unsigned long long>(i), value, expected);
    return false;
  }
  return true;
}

// One host thread drives all ranks of the process: no call waits for another rank.
void Test::enqueue(uint32_t times) {
  for (uint32_t i = 0; i < times; ++i) {
    for (const Rank& each : ranks_) {
      CHECK(aclrtSetDevice(each.device));
      CHECK(collective_.enqueue(each.call));
    }
  }
}

void Test::record(aclrtEvent Rank::*event) {
  for (const Rank& each : ranks_) {
    CHECK(aclrtSetDevice(each.device));
    CHECK(aclrtRecordEvent(each.*event, each.call.stream));
  }
}

// The time of one call on the slowest rank.
float Test::microseconds() {
  float slowest = 0;
  for (const Rank& each : ranks_) {
    CHECK(aclrtSetDevice(each.device));
    CHECK(aclrtSynchronizeStream(each.call.stream));
    float milliseconds = 0;
    CHECK(aclrtEventElapsedTime(&milliseconds, each.begin, each.end));
    slowest = std::max(slowest, milliseconds);
  }
  return slowest * 1000 / static_cast<float>(options_.iterations);
}

bool Test::measure(uint64_t size) {
  const bool blocks = collective_.sends_to_each || collective_.receives_from_each;
  const uint64_t elements = size / size_of(options_.type) / (blocks ? ranks() : 1);
  for (Rank& each : ranks_) {
    each.call.count = std::max<uint64_t>(elements, 1);
    CHECK(aclrtSetDevice(each.device));
    if (options_.check) fill(each);
  }
  bool right = true;
  if (options_.check) {
    enqueue(1);
    for (const Rank& each : ranks_) {
      CHECK(aclrtSetDevice(each.device));
      CHECK(aclrtSynchronizeStream(each.call.stream));
      right = is_right(each) && right;
    }
  }
  enqueue(options_.warmups);
  record(&Rank::begin);
  enqueue(options_.iterations);
  record(&Rank::end);
  const float time = microseconds();
  const uint64_t count = ranks_.front().call.count;
  const uint64_t bytes = std::max(send_count(count), recv_count(count)) * size_of(options_.type);
  if (prints()) {
    std::printf("%20llu | %14.2f | %20.5f | %s\n", static_cast<unsigned long long>(bytes),
                static_cast<double>(time),
                time > 0 ? static_cast<double>(bytes) / static_cast<double>(time) / 1000 : 0.0,
                !options_.check ? "-"
                : right         ? "success"
                                : "FAILED");
    std::fflush(stdout);
  }
  return right;
}

int Test::run() {
  CHECK(aclInit(nullptr));
  open_ranks();
  allocate();
  if (prints()) {
    std::printf("%s, %u ranks\n%20s | %14s | %20s | %s\n", collective_.name, ranks(),
                "data_size(Bytes)", "avg_time(us)", "alg_bandwidth(GB/s)", "check_result");
  }
  bool right = true;
  for (uint64_t size = options_.first; size <= options_.last;
       size = options_.step != 0 ? size + options_.step : size * options_.factor) {
    right = measure(size) && right;
  }
  close();
  CHECK(aclFinalize());
  if (by_mpirun_) close_mpi();
  return right ? 0 : 1;
}

}  // namespace

int run(int argc, char** argv, const Collective& collective) {
  return Test(collective, read_options(argc, argv, collective)).run();
}

}  // namespace bandwidth
