// SPDX-License-Identifier: Apache-2.0
// Blocking calls between two PEs (barriers: of all PEs), through aclshmem or OpenSHMEM. PE 0 prints
// a line for each: its name and the median time of a call in microseconds. Results are checked.
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#if defined(BENCH_ACLSHMEM)
#include "acl/acl.h"
#include "shmem/shmem_device.h"
#else
#include <shmem.h>
#endif

namespace {

constexpr std::size_t kLargest = std::size_t{16} << 20;

/// Between hosts each call is measured separately: on a loaded machine, most of a round is spent
/// waiting for a processor.
bool over_network = false;

#if defined(BENCH_ACLSHMEM)
int variable(const char* name, int otherwise) {
  const char* const text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}
void start() {
  aclshmemx_init_attr_t attributes;
  attributes.my_pe = variable("RANK", 0);
  attributes.n_pes = variable("WORLD_SIZE", 1);
  attributes.local_mem_size = 4 * kLargest;
  const char* const host = std::getenv("MASTER_ADDR");
  const std::string place = std::string("tcp://") + (host ? host : "127.0.0.1") + ":" +
                            std::to_string(variable("MASTER_PORT", 29500));
  std::strncpy(attributes.ip_port, place.c_str(), sizeof attributes.ip_port - 1);
  if (aclrtSetDevice(variable("LOCAL_RANK", 0)) != 0 ||
      aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attributes) != 0) {
    std::fprintf(stderr, "init: %s\n", aclGetRecentErrMsg());
    std::exit(1);
  }
}
int this_pe() { return aclshmem_my_pe(); }
void barrier() { aclshmem_barrier_all(); }
void* allocate(std::size_t bytes) { return aclshmem_malloc(bytes); }
void put(void* to, void* from, std::size_t bytes) {
  aclshmem_putmem(to, from, bytes, 1);
  if (over_network) aclshmem_quiet();  // a small put may still be on its way
}
void get(void* to, void* from, std::size_t bytes) { aclshmem_getmem(to, from, bytes, 1); }
void put_one(std::int64_t* to, std::int64_t value) {
  aclshmem_int64_p(to, value, 1);
  if (over_network) aclshmem_quiet();
}
std::int64_t get_one(std::int64_t* from) { return aclshmem_int64_g(from, 1); }
std::int64_t fetch_add(std::int64_t* at) { return aclshmem_int64_atomic_fetch_add(at, 1, 1); }
#else
void start() { shmem_init(); }
int this_pe() { return shmem_my_pe(); }
void barrier() { shmem_barrier_all(); }
void* allocate(std::size_t bytes) { return shmem_malloc(bytes); }
void put(void* to, void* from, std::size_t bytes) {
  shmem_putmem(to, from, bytes, 1);
  shmem_quiet();  // the emulator's call is complete when it returns
}
void get(void* to, void* from, std::size_t bytes) { shmem_getmem(to, from, bytes, 1); }
void put_one(std::int64_t* to, std::int64_t value) {
  shmem_int64_p(to, value, 1);
  if (over_network) shmem_quiet();
}
std::int64_t get_one(std::int64_t* from) { return shmem_int64_g(from, 1); }
std::int64_t fetch_add(std::int64_t* at) {
  return shmem_long_atomic_fetch_add(reinterpret_cast<long*>(at), 1, 1);
}
#endif

using Clock = std::chrono::steady_clock;

double microseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

/// On one host the best of short rounds, because other load doubles the time of short calls.
/// Between hosts the median.
double typical(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return over_network ? times[times.size() / 2] : times.front();
}

constexpr int kRounds = 20;

template <class Call>
void measure(const std::string& name, int calls, Call call) {
  std::vector<double> times;
  const int rounds = over_network ? calls : kRounds;
  const int of_round = over_network ? 1 : std::max(1, calls / kRounds);
  for (int round = 0; round < rounds; ++round) {
    const auto begin = Clock::now();
    for (int i = 0; i < of_round; ++i) call(i);
    if (round != 0) times.push_back(microseconds_since(begin) / of_round);
  }
  if (this_pe() != 0) return;
  std::printf("%s %.4f\n", name.c_str(), typical(std::move(times)));
  std::fflush(stdout);
}

/// Gives each PE a processor and a high priority, if the system permits it: Open MPI polls without
/// a pause, and two PEs that do so on one processor take 12 ms a call.
void settle_on_a_processor() {
  int rank = 0;
  for (const char* const name : {"RANK", "OMPI_COMM_WORLD_RANK"}) {
    if (const char* const text = std::getenv(name)) rank = std::atoi(text);
  }
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<unsigned>(rank) % std::thread::hardware_concurrency(), &one);
  sched_setaffinity(0, sizeof one, &one);
  setpriority(PRIO_PROCESS, 0, -20);
}

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::_Exit(1);
}

void measure_transfers(char* there, char* here) {
  auto* const words = reinterpret_cast<std::int64_t*>(there);
  const int calls = over_network ? 1000 : 400'000;
  measure("put_8", calls, [&](int) { put(there, here, 8); });
  measure("get_8", calls, [&](int) { get(here, there, 8); });
  measure("p_8", calls, [&](int i) { put_one(words + 1, i); });
  require(get_one(words + 1) == (over_network ? 0 : calls / kRounds - 1), "p");
  measure("g_8", calls, [&](int) { get_one(words + 1); });
  measure("fetch_add_8", calls, [&](int) { fetch_add(words + 2); });
  require(get_one(words + 2) == calls, "fetch_add");
  for (const std::size_t size :
       {std::size_t{4} << 10, std::size_t{64} << 10, std::size_t{1} << 20, kLargest}) {
    const auto copies = (std::size_t{256} << 20) / size;
    const int times = static_cast<int>(std::min<std::size_t>(over_network ? 300 : 2000, copies));
    measure("put_" + std::to_string(size), times, [&](int) { put(there, here, size); });
    measure("get_" + std::to_string(size), times, [&](int) { get(here, there, size); });
  }
  std::vector<char> one(kLargest);
  std::vector<char> two(kLargest, 1);
  measure("memcpy_" + std::to_string(kLargest), 16,
          [&](int) { std::memcpy(one.data(), two.data(), kLargest); });
}

}  // namespace

/// barriers: no transfers. two-hosts: few calls, one at a time.
int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  over_network = what == "two-hosts";
  settle_on_a_processor();
  start();
  auto* const there = static_cast<char*>(allocate(kLargest));
  auto* const here = static_cast<char*>(allocate(kLargest));
  if (this_pe() == 0 && what != "barriers") {
    for (int i = 0; i < 3; ++i) put_one(reinterpret_cast<std::int64_t*>(there) + i, 0);
    measure_transfers(there, here);
  }
  barrier();
  measure("barrier", over_network ? 1000 : 40'000, [](int) { barrier(); });
  std::fflush(stdout);
  barrier();
  _exit(0);  // Open MPI 4.1.4 of Debian 12 crashes in shmem_finalize
}
