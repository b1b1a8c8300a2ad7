// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ascendc {

struct Arch;
}  // namespace ascendc
struct aclsimKernelCode;
namespace ascendc {

/// How kernels run in this process: the machine, and variables that begin with ACLSIM_KERNEL_.
struct Settings {
  bool checks = true;
  bool seeded = false;
  std::uint64_t seed = 0;
  bool guarded = false;               // the host may not touch device memory, or not always
  bool guards_pages = false;          // it may not touch memory that tasks use
  bool prefix = false;                // output lines begin with the name of the block
  std::vector<std::uint32_t> blocks;  // only these, one after the other; empty: all
  const Arch* arch = nullptr;
  std::uint32_t cube_cores = 24;
  std::uint32_t vector_cores = 48;
  std::uint32_t workers = 1;
};

/// The settings at the first launch. Wrong values of variables are reported once.
const Settings& settings();

/// The cores of the architecture that a kernel was compiled for; the machine's cores if the kernel
/// does not say.
const Arch& arch_for(const aclsimKernelCode& code, const Settings& settings) noexcept;

}  // namespace ascendc
