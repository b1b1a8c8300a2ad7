// SPDX-License-Identifier: Apache-2.0
// Shared code of the tests of SHMEM: PEs as processes, each of which prints its result in a line.
#pragma once

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "shmem/shmem.h"
#include "tests/support/catch.h"
#include "tests/support/child.h"
#include "tests/support/two_hosts.h"
#include "tests/support/waiting.h"

namespace shmemtest {

using support::RunningChild;

/// A free port below the range that the system uses for connections: a port of that range could be
/// taken before the test listens.
inline int free_port() {
  std::random_device draw;
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const int port = 10000 + static_cast<int>(draw() % 10000);
    const int socket_fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    const bool free = bind(socket_fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    close(socket_fd);
    if (free) return port;
  }
  std::abort();
}

/// The address of PE 0, for a PE and for a test.
inline std::string address_of(int port) {
  const char* const host = std::getenv("TEST_HOST");
  return fmt::format("tcp://{}:{}", host ? host : "127.0.0.1", port);
}

/// With ACLSIM_TEST_TWO_HOSTS the PEs of a job alternate between two hosts. Null: they are on one
/// host.
inline const support::TwoHosts* two_hosts() {
  static const auto hosts =
      std::getenv("ACLSIM_TEST_TWO_HOSTS") ? support::TwoHosts::make() : nullptr;
  return hosts.get();
}

inline aclshmemx_init_attr_t attributes(int me, int pes, const std::string& address,
                                        std::uint64_t bytes = 1 << 20) {
  aclshmemx_init_attr_t attr;
  attr.my_pe = me;
  attr.n_pes = pes;
  std::strncpy(attr.ip_port, address.c_str(), sizeof attr.ip_port - 1);
  attr.local_mem_size = bytes;
  attr.option_attr.shm_init_timeout = 60;
  attr.option_attr.control_operation_timeout = 60;
  return attr;
}

/// The text of the last failed call of this thread.
inline std::string message() {
  const char* const text = aclGetRecentErrMsg();
  return text ? text : "";
}

// --- in the process of the test ---

struct OnDevice {
  OnDevice() { REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS); }
  ~OnDevice() { aclrtResetDevice(0); }
};

/// This process as the only PE of a job.
struct Alone {
  explicit Alone(std::uint64_t bytes = 1 << 20) {
    auto attr = attributes(0, 1, address_of(free_port()), bytes);
    REQUIRE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr) == ACLSHMEM_SUCCESS);
  }
  ~Alone() { aclshmem_finalize(); }
  OnDevice device;
};

// --- in a PE ---

inline bool on_two_hosts() { return std::getenv("TEST_HOST") != nullptr; }

inline int number(const char* name, int otherwise = 0) {
  const char* const text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

/// Thrown by a PE if a check fails.
struct Wrong {
  std::string text;
};

inline void expect(bool holds, const std::string& text) {
  if (!holds) throw Wrong{text};
}

/// This process as PE TEST_PE of TEST_PES.
struct InJob {
  explicit InJob(std::uint64_t bytes = 1 << 20, std::uint32_t init_seconds = 60) {
    expect(aclrtSetDevice(0) == ACL_SUCCESS, "no device");
    auto attr = attributes(me, pes, address_of(number("TEST_PORT", number("MASTER_PORT"))), bytes);
    attr.option_attr.shm_init_timeout = init_seconds;
    attr.option_attr.control_operation_timeout =
        static_cast<std::uint32_t>(number("TEST_CONTROL_TIMEOUT", 60));
    const int code = aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr);
    expect(code == 0, fmt::format("init: {} {}", code, message()));
  }
  bool reaches(int pe) const { return !on_two_hosts() || pe % 2 == me % 2; }
  // As a test starts it, or `aclsim run`.
  const int me = number("TEST_PE", number("RANK"));
  const int pes = number("TEST_PES", number("WORLD_SIZE"));
};

/// Runs a PE's body, prints "ok" or the failed check, and returns the exit status.
template <class Body>
int as_pe(Body&& body) {
  try {
    body();
    std::cout << "ok" << std::endl;
    return 0;
  } catch (const Wrong& wrong) {
    std::cout << "PE " << number("TEST_PE") << ": " << wrong.text << std::endl;
    return 1;
  }
}

template <class T>
std::vector<T> read(const T* from, std::size_t count) {
  std::vector<T> values(count);
  const std::size_t bytes = count * sizeof(T);
  expect(aclrtMemcpy(values.data(), bytes, from, bytes, ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS,
         "cannot read: " + message());
  return values;
}

template <class T>
void write(T* to, const std::vector<T>& values) {
  const std::size_t bytes = values.size() * sizeof(T);
  expect(aclrtMemcpy(to, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE) == ACL_SUCCESS,
         "cannot write: " + message());
}

// --- in the test ---

/// The PEs of a job, each a process that runs the program.
class Job {
 public:
  Job(const std::string& program, int pes, support::Environment environment = {})
      : port(free_port()) {
    environment.emplace_back("TEST_PES", std::to_string(pes));
    environment.emplace_back("TEST_PORT", std::to_string(port));
    for (int pe = 0; pe < pes; ++pe) {
      auto own = environment;
      own.emplace_back("TEST_PE", std::to_string(pe));
      if (const auto* const hosts = two_hosts()) {
        own.emplace_back("TEST_HOST", support::TwoHosts::kAddresses[0]);
        processes.push_back(hosts->start(pe % 2, program, own));
      } else {
        processes.push_back(std::make_unique<RunningChild>(program, own));
      }
    }
  }
  void check_all_say(const std::string& expected) {
    for (auto& pe : processes) CHECK(pe->hear() == expected);
  }
  const int port;
  std::vector<std::unique_ptr<RunningChild>> processes;
};

}  // namespace shmemtest
