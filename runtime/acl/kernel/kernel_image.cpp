// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/kernel/kernel_image.h"

#include <nlohmann/json.hpp>

#include "device_sim/base/files.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/kernel/elf_file.h"
#include "runtime/acl/kernel/shared_object.h"

namespace acl {
namespace {

constexpr std::size_t kMostBinary = std::size_t{1} << 30;

class EmptyImage final : public KernelImage {
 public:
  std::optional<KernelCode> find(const std::string&) const override { return {}; }
  std::optional<MemorySegment> find_variable(const std::string&) const override { return {}; }
  std::vector<std::string> functions() const override { return {}; }
  std::optional<MemorySegment> segment() const override { return {}; }
};

sim::Ref<KernelImage> load_shared_object(const BinarySource& source) {
  auto elf = ElfFile::read(source.bytes);
  if (!elf) return {};
  return open_shared_object(source, std::move(*elf));
}

// It names functions and the library that has them on a device; here the program registers them.
sim::Ref<KernelImage> load_cpu_description(const BinarySource& source) {
  if (!source.cpu_mode) return {};
  const auto description = nlohmann::json::parse(source.bytes, nullptr, false);
  return description.is_object() ? make_empty_image() : sim::Ref<KernelImage>();
}

/// One loader for each kind of binary: null when it is of another kind.
using Loader = sim::Ref<KernelImage> (*)(const BinarySource& source);
constexpr Loader kLoaders[] = {load_shared_object, load_cpu_description};

}  // namespace

sim::Ref<KernelImage> load_image(const BinarySource& source) {
  for (const Loader loader : kLoaders) {
    if (auto image = loader(source)) return image;
  }
  fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
       "kernel binaries of this kind are not emulated: {} holds {}; expected a shared object for "
       "this machine, or functions registered by aclsimRegisterKernel",
       source.path.empty() ? "the data" : "'" + source.path + "'", describe_file(source.bytes));
}

sim::Ref<KernelImage> make_empty_image() { return sim::Ref<KernelImage>::adopt(new EmptyImage); }

std::string read_binary_file(const std::string& path) {
  try {
    return sim::read_file(path, kMostBinary);
  } catch (const sim::FileError& error) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "binPath is '{}', which cannot be read ({}); expected a file",
         path, error.what());
  }
}

}  // namespace acl
