// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/acl/kernel/elf_file.h"
#include "runtime/acl/kernel/host_kernel.h"
#include "runtime/acl/kernel/kernel_image.h"

namespace acl {

/// The kernels for NPU cores in a shared object: it exports an aclsimKernelCode for each.
class AscendcKernels {
 public:
  AscendcKernels() = default;
  /// `handle` is of dlopen(). Raises ACL_ERROR_RT_FEATURE_NOT_SUPPORT when nothing can run them.
  AscendcKernels(void* handle, const ElfFile& elf);

  bool empty() const noexcept { return codes_.empty(); }
  /// By its name in the source, with or without namespaces, or as the linker has it (_Z3addPhi). An
  /// instance of a template has only the latter name, and one with its arguments (add<float>).
  std::optional<KernelCode> find(const std::string& name) const;
  std::vector<std::string> names() const;

 private:
  void add_instances(void* handle, const ElfFile& elf);
  const aclsimKernelCode* code_of(const std::string& name) const;

  std::vector<const aclsimKernelCode*> codes_;
  std::map<std::string, const aclsimKernelCode*, std::less<>> by_symbol_;
  std::int32_t (*run_)(const aclsimKernelRun* run) = nullptr;
};

/// The kernel of the program whose function this is: compiled by bisheng, and launched by <<<>>>.
std::optional<KernelCode> ascendc_kernel_at(const void* function);

/// Runs a launch of an AscendC kernel. The arguments are packed as in a C structure, or each is at
/// a multiple of 8; their total size shows which. They may point into `attached`. Returns the
/// device's error code.
std::int32_t run_ascendc_kernel(const KernelCode& code, std::span<const std::byte> args,
                                std::span<const std::byte> attached, const LaunchShape& shape,
                                const sim::KernelRun& run);

/// Raises ACL_ERROR_RT_PARAM_INVALID when so many bytes are no arguments of the kernel.
void require_ascendc_args(const KernelCode& code, std::size_t size);

}  // namespace acl
