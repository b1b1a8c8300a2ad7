// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/driver/machine.h"

#include <atomic>

#include "acl/acl.h"
#include "device_sim/base/mutex.h"
#include "runtime/cuda/base/guard.h"
#include "runtime/cuda/base/settings.h"

namespace cuda {
namespace {

std::atomic<Machine*> the_machine{nullptr};
sim::Mutex start_mutex;

}  // namespace

KeepAclContext::KeepAclContext() {
  if (aclrtGetCurrentContext(&context_) != ACL_SUCCESS) context_ = nullptr;
}

KeepAclContext::~KeepAclContext() {
  if (context_) aclrtSetCurrentContext(context_);
}

void require(const embedding::Error& error, const char* what) {
  if (!error) return;
  try {
    require_acl(error.code, what);
  } catch (const Error& translated) {
    throw Error(translated.code(), error.text);
  }
}

Machine::Machine(Caller caller) : runtime_(aclsimEmbedding(embedding::kVersion)) {
  if (!runtime_) {
    fail(CUDA_ERROR_SYSTEM_NOT_READY,
         "the emulated machine cannot be started: its configuration is wrong, libascendcl is of "
         "another version, or this is a forked child");
  }
  const embedding::LibraryCall call(runtime_, caller);
  std::uint32_t count = 0;
  require_acl(aclrtGetDeviceCount(&count), "the number of devices");
  if (count == 0) fail(CUDA_ERROR_NO_DEVICE, "no device is visible");
  for (std::uint32_t device = 0; device < count; ++device) {
    int number = 0;
    require(runtime_->physical_device(static_cast<int>(device), number), "a device's number");
    physical_.push_back(number);
  }
  held_.resize(count);
}

void Machine::start(Caller caller) {
  const sim::LockGuard guard(start_mutex);
  read_settings();
  if (!the_machine.load()) the_machine = new Machine(caller);
}

Machine& Machine::get() {
  Machine* const machine = the_machine.load();
  if (!machine) fail(CUDA_ERROR_NOT_INITIALIZED, "cuInit was not called");
  return *machine;
}

bool Machine::started() noexcept { return the_machine.load() != nullptr; }

embedding::Runtime* Machine::runtime_if_started() noexcept {
  Machine* const machine = the_machine.load();
  return machine ? machine->runtime_ : nullptr;
}

void Machine::require_device(int device) const {
  if (device < 0 || device >= device_count()) {
    fail(CUDA_ERROR_INVALID_DEVICE, "device is {}; expected 0 to {}", device, device_count() - 1);
  }
}

int Machine::logical(int physical) const noexcept {
  for (std::size_t i = 0; i < physical_.size(); ++i) {
    if (physical_[i] == physical) return static_cast<int>(i);
  }
  return -1;
}

void Machine::hold(int device) {
  const sim::LockGuard guard(mutex_);
  const auto index = static_cast<std::size_t>(device);
  if (held_[index]) return;
  const KeepAclContext keep;
  require_acl(aclrtSetDevice(device), "the device");
  held_[index] = true;
}

}  // namespace cuda
