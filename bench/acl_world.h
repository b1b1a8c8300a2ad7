// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "acl/acl.h"
#include "acl/acl_sim.h"
#include "bench/support.h"

namespace bench {

inline void ok(aclError code, const char* call) {
  if (code == ACL_SUCCESS) [[likely]]
    return;
  const char* text = aclGetRecentErrMsg();
  throw std::runtime_error(std::string(call) + " returned " + std::to_string(code) + ": " +
                           (text ? text : "no text"));
}
#define ACL_OK(call) ::bench::ok((call), #call)

/// Initialises once per process and makes the device current.
inline void use_device(int device) {
  static const aclError initialised = aclInit(nullptr);
  ok(initialised, "aclInit");
  ACL_OK(aclrtSetDevice(device));
}

inline int device_count() {
  use_device(0);
  std::uint32_t count = 0;
  ACL_OK(aclrtGetDeviceCount(&count));
  return static_cast<int>(count);
}

class Stream {
 public:
  Stream() {
    ACL_OK(aclrtGetCurrentContext(&context_));
    ACL_OK(aclrtCreateStream(&handle_));
  }
  ~Stream() {
    if (!handle_) return;
    aclrtSetCurrentContext(context_);
    aclrtDestroyStream(handle_);
  }
  Stream(Stream&& other) noexcept : handle_(other.handle_), context_(other.context_) {
    other.handle_ = nullptr;
  }
  Stream& operator=(Stream&&) = delete;
  operator aclrtStream() const { return handle_; }
  aclrtContext context() const { return context_; }
  void make_current() const { ACL_OK(aclrtSetCurrentContext(context_)); }
  void synchronize() const { ACL_OK(aclrtSynchronizeStream(handle_)); }

 private:
  aclrtStream handle_ = nullptr;
  aclrtContext context_ = nullptr;
};

class Event {
 public:
  Event() { ACL_OK(aclrtCreateEvent(&handle_)); }
  ~Event() { aclrtDestroyEvent(handle_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  operator aclrtEvent() const { return handle_; }

 private:
  aclrtEvent handle_ = nullptr;
};

/// A launch whose argument is one pointer. Its data is prepared, so enqueueing it is one call.
class Launch {
 public:
  explicit Launch(aclsimKernel kernel, void* argument = nullptr) : argument_(argument) {
    launch_.size = sizeof launch_;
    launch_.name = "bench";
    launch_.kernel = kernel;
    launch_.numBlocks = 1;
    if (argument) {
      launch_.args = &argument_;
      launch_.argsSize = sizeof argument_;
    }
  }
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;
  void on(aclrtStream stream) const { ACL_OK(aclsimLaunchKernel(&launch_, stream)); }

 private:
  void* argument_;
  aclsimLaunch launch_{};
};

inline std::int32_t nothing(const aclsimKernelContext*, const void*) { return 0; }

/// The object that the launch's argument points to.
template <class T>
T& argument(const void* args) {
  return **static_cast<T* const*>(args);
}

/// Adds one to a std::uint64_t.
inline std::int32_t count_one(const aclsimKernelContext*, const void* args) {
  ++argument<std::uint64_t>(args);
  return 0;
}

/// The number of tasks that the stream has had; enqueues one task to find out.
inline std::uint32_t tasks_of(const Stream& stream) {
  std::uint32_t id = 0;
  const Launch look(
      [](const aclsimKernelContext* context, const void* args) {
        argument<std::uint32_t>(args) = context->taskId;
        return std::int32_t{0};
      },
      &id);
  look.on(stream);
  stream.synchronize();
  return id;
}

/// A kernel that runs until `open` is called. The ops after it stay queued meanwhile.
class Gate {
 public:
  /// Returns once the kernel runs.
  void close(const Stream& stream) {
    started_ = false;
    open_ = false;
    launch_.on(stream);
    spin_until([&] { return started_.load(std::memory_order_acquire); });
  }
  void open() { open_.store(true, std::memory_order_release); }

 private:
  static std::int32_t hold(const aclsimKernelContext*, const void* args) {
    Gate& gate = argument<Gate>(args);
    gate.started_.store(true, std::memory_order_release);
    spin_until([&] { return gate.open_.load(std::memory_order_acquire); });
    return 0;
  }
  std::atomic<bool> started_{false};
  std::atomic<bool> open_{false};
  Launch launch_{&Gate::hold, this};
};

}  // namespace bench
