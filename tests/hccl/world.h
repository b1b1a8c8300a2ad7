// SPDX-License-Identifier: Apache-2.0
// What tests of HCCL have in common: ranks as threads, texts of errors, variables.
#pragma once

#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "hccl/hccl.h"
#include "tests/support/catch.h"

namespace hccltest {

/// The calling thread gets a device for as long as this lives.
struct OnDevice {
  explicit OnDevice(int device) : id(device) { REQUIRE(aclrtSetDevice(id) == ACL_SUCCESS); }
  ~OnDevice() { aclrtResetDevice(id); }
  const int id;
};

/// What the last failed call of this thread left.
inline std::string message() {
  const char* const text = aclGetRecentErrMsg();
  return text ? text : "";
}

/// A variable of the environment, while this lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* const name_;
};

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

}  // namespace hccltest
