// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/driver/raw_access.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>

#include "device_sim/base/mutex.h"

namespace cuda::raw_access {
namespace {

/// Data for the signal handler: it neither allocates nor locks.
struct Watched {
  std::atomic<CUdeviceptr> begin{0};
  std::atomic<std::size_t> size{0};
  std::array<char, 256> what{};
};

std::array<Watched, 256> all_watched;
sim::Mutex mutex;
struct sigaction before;  // the previous handler of SIGSEGV
bool installed GUARDED_BY(mutex) = false;

const Watched* find(CUdeviceptr address) noexcept {
  for (const Watched& watched : all_watched) {
    const CUdeviceptr begin = watched.begin.load();
    if (begin != 0 && address - begin < watched.size.load()) return &watched;
  }
  return nullptr;
}

void explain(const Watched& watched, CUdeviceptr address) noexcept {
  std::array<char, 1024> text;
  const int length = std::snprintf(text.data(), text.size(),
                                   "aclsim: a plain load or store touched %#llx: byte %llu of %s. "
                                   "No memory lies there; store with "
                                   "a copy, a fill or multimem_st, which reach every replica.\n",
                                   address, address - watched.begin.load(), watched.what.data());
  const auto size = static_cast<std::size_t>(std::max(length, 0));
  [[maybe_unused]] const ssize_t written =
      write(STDERR_FILENO, text.data(), std::min(size, text.size() - 1));
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<CUdeviceptr>(info->si_addr);
  if (const Watched* const watched = find(address)) explain(*watched, address);
  if ((before.sa_flags & SA_SIGINFO) != 0) {
    before.sa_sigaction(signal, info, context);
  } else if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN) {
    ::signal(signal, SIG_DFL);  // the instruction faults again, now without us
  } else {
    before.sa_handler(signal);
  }
}

void install() REQUIRES(mutex) {
  if (installed) return;
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  installed = sigaction(SIGSEGV, &action, &before) == 0;
}

}  // namespace

void watch(CUdeviceptr begin, std::size_t size, const std::string& what) {
  const sim::LockGuard guard(mutex);
  install();
  for (Watched& watched : all_watched) {
    if (watched.begin.load() != 0) continue;
    std::snprintf(watched.what.data(), watched.what.size(), "%s", what.c_str());
    watched.size = size;
    watched.begin = begin;
    return;
  }
}

void forget(CUdeviceptr begin) {
  const sim::LockGuard guard(mutex);
  for (Watched& watched : all_watched) {
    if (watched.begin.load() == begin) watched.begin = 0;
  }
}

}  // namespace cuda::raw_access
