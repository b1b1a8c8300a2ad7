/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels as host code, started by a function call: for tests that g++ builds without a launch
 * syntax. Memory comes from GmAlloc; the kernel runs on the emulated device 0, with all of its
 * checks.
 */
#ifndef ASCENDC_TIKICPULIB_H_
#define ASCENDC_TIKICPULIB_H_

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "acl/acl.h"
#include "ascendc/impl/launcher.h"
#include "kernel_operator.h"

/* Which cores a launch of ICPU_RUN_KF starts for each of its blocks. */
enum class KernelMode {
  MIX_MODE = 0, /* by default one cube core and two vector cores */
  AIC_MODE = 1,
  AIV_MODE = 2,
  MIX_AIC_1_1 = 3
};

namespace aclsim {
namespace cpu {

inline KernelMode& kernel_mode() {
  static KernelMode mode = KernelMode::MIX_MODE;
  return mode;
}

inline uint64_t& tiling_key() {
  static uint64_t key = 0;
  return key;
}

template <typename... P>
void enter(const void* args) {
  aclsimThisCore()->tiling_key = tiling_key();
  launch::ByPointer<P...>::enter(args);
}

inline void stop(const char* what) {
  const char* const reason = aclGetRecentErrMsg();
  fprintf(stderr, "[ERROR] %s: %s\n", what, reason ? reason : "no reason is known");
  exit(EXIT_FAILURE);
}

/* The process needs no aclInit of its own. */
inline void start_device() {
  static const bool started = aclrtSetDevice(0) == ACL_SUCCESS;
  if (!started) stop("the emulated device does not start");
}

inline uint32_t kind_of(KernelMode mode) {
  switch (mode) {
    case KernelMode::AIC_MODE:
      return ACLSIM_CORES_CUBE;
    case KernelMode::AIV_MODE:
      return ACLSIM_CORES_VECTOR;
    case KernelMode::MIX_AIC_1_1:
      return ACLSIM_CORES_MIX_1_1;
    default:
      return ACLSIM_CORES_MIX_1_2;
  }
}

/* A line for each core, as programs that read the output of the original look for. */
inline void tell_success(uint32_t blocks) {
  const KernelMode mode = kernel_mode();
  const uint32_t cubes = mode == KernelMode::AIV_MODE ? 0 : blocks;
  const uint32_t vectors = mode == KernelMode::AIC_MODE   ? 0
                           : mode == KernelMode::MIX_MODE ? 2 * blocks
                                                          : blocks;
  const int pid = static_cast<int>(getpid());
  for (uint32_t i = 0; i < cubes; ++i) {
    printf("[SUCCESS][AIC_%u][pid %d] exit success!\n", i, pid);
  }
  for (uint32_t i = 0; i < vectors; ++i) {
    printf("[SUCCESS][AIV_%u][pid %d] exit success!\n", i, pid);
  }
}

/* Runs the kernel and waits for it. The process ends where it fails, as in the original. */
template <typename... P, typename... Args>
void run(const char* name, const char* file, uint32_t line, void (*kernel)(P...), uint32_t blocks,
         Args&&... args) {
  static_assert(sizeof...(P) == sizeof...(Args), "the kernel takes another number of arguments");
  using Function = void (*)(P...);
  using Packed = launch::Kernel<void(Function, P...)>;
  start_device();
  /* Never freed: reports of launches use the kernel's description. */
  const auto* const code = new aclsimKernelCode(
      Packed::describe(&enter<P...>, name, file, line, kind_of(kernel_mode())));
  const launch::At at = launch::at(file, line, blocks);
  if (Packed::launch(at, *code, kernel, launch::convert<P>(std::forward<Args>(args))...) != 0 ||
      aclrtSynchronizeStream(nullptr) != ACL_SUCCESS) {
    stop(name);
  }
  tell_success(blocks);
}

}  // namespace cpu
}  // namespace aclsim

namespace AscendC {

/* Which cores the next kernels run on. */
inline void SetKernelMode(KernelMode mode) { aclsim::cpu::kernel_mode() = mode; }

/* Device memory that the program can also read and write; NULL if the memory is exhausted. */
inline void* GmAlloc(size_t size) {
  aclsim::cpu::start_device();
  void* memory = nullptr;
  return aclrtMemAllocManaged(&memory, size, ACL_RT_MEM_ATTACH_GLOBAL) == ACL_SUCCESS ? memory
                                                                                      : nullptr;
}

inline void GmFree(void* memory) {
  if (memory) aclrtFree(memory);
}

}  // namespace AscendC

using AscendC::SetKernelMode;

/* Sets the tiling key for TILING_KEY_IS in the kernels of later ICPU_RUN_KF calls. */
#define ICPU_SET_TILING_KEY(key) (::aclsim::cpu::tiling_key() = static_cast<uint64_t>(key))

/* Calls `func` on each core; a template needs parentheses around it. */
#define ICPU_RUN_KF(func, numBlocks, ...)                                                \
  ::aclsim::cpu::run(#func, __FILE__, __LINE__, &func, static_cast<uint32_t>(numBlocks), \
                     ##__VA_ARGS__)

#endif /* ASCENDC_TIKICPULIB_H_ */
