// SPDX-License-Identifier: Apache-2.0
// The vocabulary of the tests of the public functions. Every case starts in an empty process and
// must leave one behind; a listener sees to both.
#pragma once

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_sim.h"
#include "tests/support/catch.h"
#include "tests/support/waiting.h"

// The tests cover the deprecated functions too.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define REQUIRE_ACL(call) REQUIRE((call) == ACL_SUCCESS)
#define REQUIRE_CODE(call, code) REQUIRE((call) == (code))
#define CHECK_CODE(call, code) CHECK((call) == (code))

namespace world {

using namespace std::chrono_literals;

using support::Caller;
using support::eventually;
using support::eventually_blocked;
using support::kDeadline;
using support::let_time_pass;
using support::this_thread_number;

/// The machine under test, and whether its schedule is the seeded one.
aclsimMachine machine();
/// The numbers of live objects.
aclsimStats stats();

// ---- kernels
// -------------------------------------------------------------------------------------

namespace detail {
aclError enqueue(aclrtStream stream, const char* name, std::function<std::int32_t()> work);
}

/// Enqueues a host function as device work; it may return a device error code.
template <class Work>
aclError try_launch(aclrtStream stream, Work work, const char* name = "work") {
  return detail::enqueue(stream, name, [work = std::move(work)]() mutable -> std::int32_t {
    if constexpr (std::is_void_v<decltype(work())>) {
      work();
      return 0;
    } else {
      return static_cast<std::int32_t>(work());
    }
  });
}

template <class Work>
void launch(aclrtStream stream, Work work, const char* name = "work") {
  REQUIRE_ACL(try_launch(stream, std::move(work), name));
}

/// Holds streams: a kernel that returns when the gate is opened. Declare it after the streams, so
/// that it opens before they are destroyed.
class Gate {
 public:
  Gate() : state_(std::make_shared<State>()) {}
  ~Gate() { open(); }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  /// Enqueues the kernel and returns once it runs.
  void hold(aclrtStream stream);
  /// Enqueues the kernel.
  void hold_later(aclrtStream stream);
  void open();
  bool entered() const { return state_->entered; }
  bool left() const { return state_->left; }

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable opened;
    bool open = false;
    std::atomic<bool> entered{false};
    std::atomic<bool> left{false};
    void pass();
  };
  std::shared_ptr<State> state_;
};

// ---- what lives as long as a scope
// -----------------------------------------------------------------

class Device {
 public:
  explicit Device(int id = 0) : id_(id) { REQUIRE_ACL(aclrtSetDevice(id)); }
  ~Device() { aclrtResetDevice(id_); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  int id() const { return id_; }

 private:
  int id_;
};

/// An explicit context; current in the thread that makes it.
class Context {
 public:
  explicit Context(int device = 0) { REQUIRE_ACL(aclrtCreateContext(&handle_, device)); }
  ~Context() { aclrtDestroyContext(handle_); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  operator aclrtContext() const { return handle_; }
  void use() const { REQUIRE_ACL(aclrtSetCurrentContext(handle_)); }

 private:
  aclrtContext handle_ = nullptr;
};

/// Makes a context current for a scope.
class Within {
 public:
  explicit Within(aclrtContext context) {
    aclrtGetCurrentContext(&before_);
    REQUIRE_ACL(aclrtSetCurrentContext(context));
  }
  ~Within() {
    if (before_ != nullptr) aclrtSetCurrentContext(before_);
  }
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;

 private:
  aclrtContext before_ = nullptr;
};

class Stream {
 public:
  Stream() { REQUIRE_ACL(aclrtCreateStream(&handle_)); }
  Stream(std::uint32_t priority, std::uint32_t flags) {
    REQUIRE_ACL(aclrtCreateStreamWithConfig(&handle_, priority, flags));
  }
  ~Stream() {
    if (handle_ != nullptr) aclrtDestroyStream(handle_);
  }
  Stream(Stream&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Stream& operator=(Stream&&) = delete;
  operator aclrtStream() const { return handle_; }
  /// Gives the handle up; the caller destroys the stream.
  aclrtStream release() { return std::exchange(handle_, nullptr); }

 private:
  aclrtStream handle_ = nullptr;
};

class Event {
 public:
  Event() { REQUIRE_ACL(aclrtCreateEvent(&handle_)); }
  static Event old(std::uint32_t flags) { return Event(aclrtCreateEventWithFlag, flags); }
  static Event ex(std::uint32_t flags = ACL_EVENT_SYNC) {
    return Event(aclrtCreateEventExWithFlag, flags);
  }
  ~Event() {
    if (handle_ != nullptr) aclrtDestroyEvent(handle_);
  }
  Event(Event&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Event& operator=(Event&&) = delete;
  operator aclrtEvent() const { return handle_; }
  aclrtEvent release() { return std::exchange(handle_, nullptr); }

 private:
  Event(aclError (*create)(aclrtEvent*, std::uint32_t), std::uint32_t flags) {
    REQUIRE_ACL(create(&handle_, flags));
  }
  aclrtEvent handle_ = nullptr;
};

class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t size, aclrtMemMallocPolicy policy = ACL_MEM_MALLOC_HUGE_FIRST)
      : size_(size) {
    REQUIRE_ACL(aclrtMalloc(&address_, size, policy));
  }
  ~DeviceMemory() {
    if (address_ != nullptr) aclrtFree(address_);
  }
  DeviceMemory(DeviceMemory&& other) noexcept
      : address_(std::exchange(other.address_, nullptr)), size_(other.size_) {}
  DeviceMemory& operator=(DeviceMemory&&) = delete;
  operator void*() const { return address_; }
  /// For kernels: the host must not touch device memory.
  template <class T = char>
  T* as() const {
    return static_cast<T*>(address_);
  }
  std::size_t size() const { return size_; }

 private:
  void* address_ = nullptr;
  std::size_t size_;
};

class HostMemory {
 public:
  explicit HostMemory(std::size_t size) : size_(size) {
    REQUIRE_ACL(aclrtMallocHost(&address_, size));
  }
  ~HostMemory() { aclrtFreeHost(address_); }
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;
  operator void*() const { return address_; }
  template <class T = char>
  T* as() const {
    return static_cast<T*>(address_);
  }
  std::size_t size() const { return size_; }

 private:
  void* address_ = nullptr;
  std::size_t size_;
};

/// A number in device memory, as the host may see it.
template <class T>
T fetch(const void* device) {
  T value{};
  REQUIRE_ACL(aclrtMemcpy(&value, sizeof value, device, sizeof value, ACL_MEMCPY_DEVICE_TO_HOST));
  return value;
}

template <class T>
void store(void* device, T value) {
  REQUIRE_ACL(aclrtMemcpy(device, sizeof value, &value, sizeof value, ACL_MEMCPY_HOST_TO_DEVICE));
}

// ---- answers as values
// -----------------------------------------------------------------------------

aclrtStreamStatus query(aclrtStream stream);
aclrtEventRecordedStatus recorded(aclrtEvent event);
aclrtEventWaitStatus waited(aclrtEvent event);
std::int32_t id_of(aclrtStream stream);
int current_device();
aclrtContext current_context();
aclrtStream default_stream();
/// The recent error text of this thread; empty if it has none.
std::string recent_message();

// ---- threads
// ---------------------------------------------------------------------------------------

std::uint64_t this_thread_id();

/// Runs a function in a new thread, to its end, and returns its result.
template <class Function>
auto in_thread(Function function) {
  decltype(function()) result{};
  std::thread([&] { result = function(); }).join();
  return result;
}

/// A thread that serves callbacks (or host functions) in rounds of some milliseconds.
class ReportThread {
 public:
  explicit ReportThread(aclError (*serve)(std::int32_t) = aclrtProcessReport);
  ~ReportThread() { stop(); }
  ReportThread(const ReportThread&) = delete;
  ReportThread& operator=(const ReportThread&) = delete;
  std::uint64_t id() const { return id_; }
  /// Returns when the thread has ended.
  void stop();

 private:
  std::atomic<bool> stopping_{false};
  std::atomic<std::uint64_t> id_{0};
  std::thread thread_;
};

/// A stream's subscription to a report thread, for a scope.
class Subscription {
 public:
  Subscription(std::uint64_t thread, aclrtStream stream) : thread_(thread), stream_(stream) {
    REQUIRE_ACL(aclrtSubscribeReport(thread, stream));
  }
  ~Subscription() { aclrtUnSubscribeReport(thread_, stream_); }
  Subscription(const Subscription&) = delete;
  Subscription& operator=(const Subscription&) = delete;

 private:
  std::uint64_t thread_;
  aclrtStream stream_;
};

/// Assertions for threads other than the test's: collects what went wrong.
class Problems {
 public:
  void expect(aclError got, aclError wanted, const char* what);
  void expect(bool holds, const char* what);
  std::string text() const;

 private:
  mutable std::mutex mutex_;
  std::string text_;
};

#define EXPECT_ACL(problems, call) (problems).expect((call), ACL_SUCCESS, #call)
#define EXPECT_TRUE(problems, condition) (problems).expect(static_cast<bool>(condition), #condition)

/// Runs a function in `count` threads at once and waits for them.
template <class Function>
void in_threads(int count, Function function) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([&function, i] { function(i); });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace world
