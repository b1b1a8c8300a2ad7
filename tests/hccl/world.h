// SPDX-License-Identifier: Apache-2.0
// Shared code of the tests of HCCL: ranks as threads, texts of errors, environment variables.
#pragma once

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "hccl/hccl.h"
#include "tests/support/catch.h"

namespace hccltest {

constexpr auto kInt = HCCL_DATA_TYPE_INT32;
constexpr auto kSum = HCCL_REDUCE_SUM;

/// ThreadSanitizer checks each process alone, and a process costs a second of processor time under
/// it. So tests whose ranks are processes use fewer of them, or give them less work.
#if defined(__SANITIZE_THREAD__)
constexpr bool kThreadSanitizer = true;
#else
constexpr bool kThreadSanitizer = false;
#endif

/// The calling thread gets a device for as long as this lives.
struct OnDevice {
  explicit OnDevice(int device) : id(device) { REQUIRE(aclrtSetDevice(id) == ACL_SUCCESS); }
  ~OnDevice() { aclrtResetDevice(id); }
  const int id;
};

/// The text of the last failed call of this thread.
inline std::string message() {
  const char* const text = aclGetRecentErrMsg();
  return text ? text : "";
}

/// A variable of the environment, while this lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    setenv(name, value, 1);
  }
  ~Variable() {
    if (before_) {
      setenv(name_, before_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* const name_;
  std::optional<std::string> before_;
};

/// Concurrent runs of these tests use equal rank tables; the secret keeps their ranks apart. Child
/// processes inherit it.
inline const bool kJobOfThisRun =
    setenv("ACLSIM_JOB_SECRET", std::to_string(getpid()).c_str(), 0) == 0;

/// Each rank in a thread of its own, on the device of its number; returns what each returned.
template <class Body>
auto as_threads(std::uint32_t ranks, Body&& body) {
  std::vector<decltype(body(0u))> results(ranks);
  std::vector<std::thread> threads;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      aclrtSetDevice(static_cast<int>(rank));
      results[rank] = body(rank);
      aclrtResetDevice(static_cast<int>(rank));
    });
  }
  for (std::thread& thread : threads) thread.join();
  return results;
}

/// For what has to work, where Catch2 may not be used.
inline void must(bool works) {
  if (!works) throw std::runtime_error("the test cannot go on: " + message());
}

/// All ranks of a communicator, driven by the calling thread: rank i on device i, with a stream.
class OneThread {
 public:
  explicit OneThread(std::uint32_t ranks) : comms(ranks), streams(ranks) {
    std::vector<std::int32_t> devices;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      devices.push_back(static_cast<std::int32_t>(rank));
      must(aclrtSetDevice(devices.back()) == ACL_SUCCESS);
      must(aclrtCreateStream(&streams[rank]) == ACL_SUCCESS);
    }
    must(HcclCommInitAll(ranks, devices.data(), comms.data()) == HCCL_SUCCESS);
  }
  ~OneThread() {
    for (std::uint32_t rank = 0; rank < comms.size(); ++rank) {
      on(rank);
      for (void* const memory : memories_[rank]) aclrtFree(memory);
      aclrtDestroyStreamForce(streams[rank]);
      HcclCommDestroy(comms[rank]);
      aclrtResetDevice(static_cast<std::int32_t>(rank));
    }
  }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(comms.size()); }
  void on(std::uint32_t rank) { aclrtSetDevice(static_cast<std::int32_t>(rank)); }
  /// Calls `body(rank, comm, stream)` on the device of each rank.
  template <class Body>
  void each(Body&& body) {
    for (std::uint32_t rank = 0; rank < ranks(); ++rank) {
      on(rank);
      body(rank, comms[rank], streams[rank]);
    }
  }
  /// Numbers in memory of the rank's device.
  std::int32_t* ints(std::uint32_t rank, const std::vector<std::int32_t>& values) {
    on(rank);
    void* memory = nullptr;
    const std::size_t bytes = values.size() * sizeof(std::int32_t);
    must(aclrtMalloc(&memory, bytes + 4, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
    memories_[rank].push_back(memory);
    must(aclrtMemcpy(memory, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE) ==
         ACL_SUCCESS);
    return static_cast<std::int32_t*>(memory);
  }
  static std::vector<std::int32_t> read(const std::int32_t* memory, std::size_t count) {
    std::vector<std::int32_t> values(count);
    const std::size_t bytes = count * sizeof(std::int32_t);
    must(aclrtMemcpy(values.data(), bytes, memory, bytes, ACL_MEMCPY_DEVICE_TO_HOST) ==
         ACL_SUCCESS);
    return values;
  }
  /// The code and text of the rank's next synchronise.
  std::pair<aclError, std::string> synchronize(std::uint32_t rank) {
    on(rank);
    const aclError code = aclrtSynchronizeStreamWithTimeout(streams[rank], 60000);
    return {code, code == ACL_SUCCESS ? "" : message()};
  }

  std::vector<HcclComm> comms;
  std::vector<aclrtStream> streams;

 private:
  std::array<std::vector<void*>, 64> memories_;
};

}  // namespace hccltest
