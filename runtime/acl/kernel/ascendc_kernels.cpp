// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/kernel/ascendc_kernels.h"

#include <cxxabi.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "runtime/acl/base/error.h"
#include "runtime/acl/core/runtime.h"

namespace acl {
namespace {

constexpr std::string_view kPrefix = "aclsimKernelCode_";
constexpr const char* kRunner = "aclsimRunKernelCode";
constexpr const char* kByAddress = "aclsimKernelAt";

std::string last_part(const std::string& name) {
  const std::size_t at = name.rfind("::");
  return at == std::string::npos ? name : name.substr(at + 2);
}

/// "_Z3addPhi" is "add(unsigned char*, int)"; returns the part before the parameters.
std::string demangled(const std::string& name) {
  if (!name.starts_with("_Z")) return name;
  int status = 0;
  char* const text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string result = text ? text : name;
  std::free(text);
  return result.substr(0, result.find('('));
}

using Runner = std::int32_t (*)(const aclsimKernelRun* run);

KernelCode described(const aclsimKernelCode& code, Runner run) {
  KernelCode result;
  result.ascendc = &code;
  result.run = run;
  result.parameters.emplace(code.param_sizes, code.param_sizes + code.num_params);
  return result;
}

/// How the arguments of a kernel lie.
struct Layout {
  std::size_t slots = 0;   // bytes with each at a multiple of 8,
  std::size_t packed = 0;  // and as members of a structure

  explicit Layout(const aclsimKernelCode& code) {
    for (std::uint32_t i = 0; i < code.num_params; ++i) {
      slots += (code.param_sizes[i] + 7) / 8 * 8;
      packed = parameter_offset(packed, code.param_sizes[i]) + code.param_sizes[i];
    }
  }
  bool is_packed(std::size_t size) const noexcept {
    return size >= packed && size <= (packed + 7) / 8 * 8 && size + 7 < slots;
  }
  /// Behind the last argument there may be anything, as buffers that others point at.
  bool is_slots(std::size_t size) const noexcept { return size + 7 >= slots; }
};

/// The arguments, each at a multiple of 8.
std::vector<std::uint64_t> in_slots(const aclsimKernelCode& code, const void* args,
                                    std::size_t size) {
  const Layout layout(code);
  const bool packed = layout.is_packed(size);
  std::vector<std::uint64_t> slots(layout.slots / 8);
  std::size_t from = 0;
  std::size_t to = 0;
  for (std::uint32_t i = 0; i < code.num_params; ++i) {
    const std::size_t bytes = code.param_sizes[i];
    if (packed) from = parameter_offset(from, bytes);
    if (from + bytes > size) break;
    std::memcpy(reinterpret_cast<std::byte*>(slots.data()) + to,
                static_cast<const std::byte*>(args) + from, bytes);
    to += (bytes + 7) / 8 * 8;
    from = packed ? from + bytes : to;
  }
  return slots;
}

}  // namespace

AscendcKernels::AscendcKernels(void* handle, const ElfFile& elf) {
  for (const ElfFile::Symbol& symbol : elf.exported) {
    if (symbol.function || !symbol.name.starts_with(kPrefix)) continue;
    const auto* code = static_cast<const aclsimKernelCode*>(dlsym(handle, symbol.name.c_str()));
    if (code && code->size >= offsetof(aclsimKernelCode, arch) && code->entry)
      codes_.push_back(code);
  }
  add_instances(handle, elf);
  if (codes_.empty()) return;
  run_ = reinterpret_cast<decltype(run_)>(dlsym(handle, kRunner));
  if (!run_) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
         "the shared object holds kernels for NPU cores, but is not linked with "
         "libascendc_runtime.so, which runs them");
  }
}

// Instances of templates have no description of their own among the symbols. They are known by the
// address of the function.
void AscendcKernels::add_instances(void* handle, const ElfFile& elf) {
  const auto at = reinterpret_cast<decltype(&aclsimKernelAt)>(dlsym(handle, kByAddress));
  if (!at) return;
  for (const ElfFile::Symbol& symbol : elf.exported) {
    if (!symbol.function) continue;
    const aclsimKernelCode* const code = at(dlsym(handle, symbol.name.c_str()));
    if (!code) continue;
    by_symbol_[symbol.name] = code;
    const auto same = [code](const aclsimKernelCode* known) {
      return std::string_view(known->name) == code->name;
    };
    if (std::none_of(codes_.begin(), codes_.end(), same)) codes_.push_back(code);
  }
}

const aclsimKernelCode* AscendcKernels::code_of(const std::string& name) const {
  const auto symbol = by_symbol_.find(name);
  if (symbol != by_symbol_.end()) return symbol->second;
  const std::string wanted = demangled(name);
  const aclsimKernelCode* found = nullptr;
  for (const aclsimKernelCode* code : codes_) {
    if (code->name != wanted && last_part(code->name) != wanted) continue;
    if (code->name == wanted || !found) found = code;
    if (code->name == wanted) break;
  }
  return found;
}

std::optional<KernelCode> AscendcKernels::find(const std::string& name) const {
  const aclsimKernelCode* const found = code_of(name);
  if (!found) return {};
  return described(*found, run_);
}

std::optional<KernelCode> ascendc_kernel_at(const void* function) {
  const auto at = reinterpret_cast<decltype(&aclsimKernelAt)>(dlsym(RTLD_DEFAULT, kByAddress));
  const auto run = reinterpret_cast<Runner>(dlsym(RTLD_DEFAULT, kRunner));
  const aclsimKernelCode* const found = at && run ? at(function) : nullptr;
  if (!found) return {};
  return described(*found, run);
}

std::vector<std::string> AscendcKernels::names() const {
  std::vector<std::string> names;
  for (const aclsimKernelCode* code : codes_) names.emplace_back(code->name);
  return names;
}

void require_ascendc_args(const KernelCode& code, std::size_t size) {
  const Layout layout(*code.ascendc);
  if (layout.is_packed(size) || layout.is_slots(size)) return;
  fail(ACL_ERROR_RT_PARAM_INVALID,
       "the arguments have {} bytes, but the {} parameters of the kernel '{}' take {}", size,
       code.ascendc->num_params, code.ascendc->name, layout.packed);
}

std::int32_t run_ascendc_kernel(const KernelCode& code, std::span<const std::byte> args,
                                std::span<const std::byte> attached, const LaunchShape& shape,
                                const sim::KernelRun& run) {
  const std::vector<std::uint64_t> slots = in_slots(*code.ascendc, args.data(), args.size());
  aclsimKernelRun now{};
  now.size = sizeof now;
  now.blocks = run.blocks;
  now.code = code.ascendc;
  now.args = slots.data();
  now.args_size = slots.size() * sizeof(std::uint64_t);
  if (shape.threads()) {
    std::copy_n(shape.grid, 3, now.grid);
    std::copy_n(shape.block, 3, now.threads);
  }
  now.attached = attached.data();
  now.attached_size = attached.size();
  now.dynamic_ub_bytes = shape.local_bytes;
  now.limit_ns = shape.limit_ns;
  now.device = Runtime::existing()->logical(run.device);
  now.stream_id = run.stream_id;
  now.task_id = run.task_id;
  now.first_block = shape.first_block;
  now.tiling_key = shape.tiling_key;
  return code.run(&now);
}

}  // namespace acl
