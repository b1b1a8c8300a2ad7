// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/hcomm/kernel_context.h"

#include <cstring>
#include <map>

#include "ascendc/impl/hccl_context.h"
#include "device_sim/base/mutex.h"
#include "runtime/hccl/base/error.h"

namespace hccl {
namespace {

std::shared_ptr<void> allocate(int device, std::uint64_t bytes, const char* what) {
  void* memory = nullptr;
  if (const auto error = embedding().allocate(device, bytes, memory)) {
    fail(HCCL_E_MEMORY, "device {} has no {} bytes left for {}: {}", device, bytes, what,
         error.text);
  }
  return {memory, [device](void* mine) { embedding().free(device, mine); }};
}

}  // namespace

KernelWindows::KernelWindows(Links& links, std::uint64_t bytes) : bytes_(bytes) {
  for (int rank = 0; rank < links.ranks(); ++rank)
    memories_.push_back(allocate(*links.device_of(rank), 2 * bytes, "the windows of a rank"));
}

std::shared_ptr<KernelWindows> KernelWindows::of(Communicator& communicator) {
  Links& links = *communicator.links();
  if (!links.one_process()) {
    fail(HCCL_E_NOT_SUPPORT,
         "communicator {} has ranks in other processes: collectives that kernels call are emulated "
         "if all ranks are threads of one process",
         communicator.name());
  }
  struct All {
    sim::Mutex mutex;
    std::map<std::uint64_t, std::weak_ptr<KernelWindows>> windows GUARDED_BY(mutex);
  };
  static auto& all = *new All;
  const sim::LockGuard guard(all.mutex);
  std::erase_if(all.windows, [](const auto& each) { return each.second.expired(); });
  std::weak_ptr<KernelWindows>& known = all.windows[links.id()];
  auto found = known.lock();
  if (!found) {
    const std::uint64_t bytes = std::uint64_t{communicator.options().buffer_mb} << 20;
    known = found = std::make_shared<KernelWindows>(links, bytes);
  }
  return found;
}

std::vector<std::uint64_t> KernelWindows::addresses() const {
  std::vector<std::uint64_t> all;
  for (const auto& memory : memories_) {
    const auto begin = reinterpret_cast<std::uintptr_t>(memory.get());
    all.push_back(begin);
    all.push_back(begin + bytes_);
  }
  return all;
}

KernelContext::KernelContext(Communicator& communicator)
    : windows_(KernelWindows::of(communicator)) {
  const std::vector<std::uint64_t> addresses = windows_->addresses();
  aclsimHcclContext context{};
  context.mark = ACLSIM_HCCL_CONTEXT_MARK;
  context.size = sizeof context + addresses.size() * sizeof addresses[0];
  context.group = communicator.links()->id();
  context.rank = communicator.rank();
  context.ranks = communicator.size();
  context.limit_ns = communicator.exec_limit_ns();
  context.window_bytes = windows_->bytes();
  std::strncpy(context.name, communicator.name().c_str(), sizeof context.name - 1);
  memory_ = allocate(communicator.physical_device(), context.size, "a context of kernels");
  auto* const to = static_cast<std::byte*>(embedding().engine(memory_.get()));
  std::memcpy(to, &context, sizeof context);
  std::memcpy(to + sizeof context, addresses.data(), addresses.size() * sizeof addresses[0]);
}

}  // namespace hccl
