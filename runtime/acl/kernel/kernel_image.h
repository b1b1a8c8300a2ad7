// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "acl/acl_sim.h"
#include "ascendc/impl/launch.h"
#include "device_sim/base/ref.h"

namespace acl {

/// A function that can be launched.
struct KernelCode {
  aclsimKernel function = nullptr;
  std::size_t size = 0;                                     // bytes of code; 0: not known
  std::optional<std::vector<std::size_t>> parameters = {};  // their sizes, if known
  // Of a kernel for NPU cores, instead of `function`: its description, and the function that runs
  // it.
  const aclsimKernelCode* ascendc = nullptr;
  std::int32_t (*run)(const aclsimKernelRun* run) = nullptr;
};

/// A segment of the memory of the process.
struct MemorySegment {
  void* address = nullptr;
  std::size_t size = 0;
};

/// The loaded form of a kernel binary. One class for each kind of binary; unloads when it goes, so
/// functions and launches hold a reference.
class KernelImage : public sim::RefCounted<KernelImage> {
 public:
  virtual ~KernelImage() = default;
  virtual std::optional<KernelCode> find(const std::string& name) const = 0;
  virtual std::optional<MemorySegment> find_variable(const std::string& name) const = 0;
  /// The names of all functions.
  virtual std::vector<std::string> functions() const = 0;
  /// The memory at which it is loaded; nullopt if it has no memory of its own.
  virtual std::optional<MemorySegment> segment() const = 0;
};

/// The source of a binary.
struct BinarySource {
  std::string path;        // absolute; empty when it is in memory only
  std::string_view bytes;  // its content
  bool cpu_mode = false;
};

/// Finds out the kind of the binary and loads it. Raises ACL_ERROR_RT_FEATURE_NOT_SUPPORT for a
/// binary that cannot run here, with a text that describes its content, and
/// ACL_ERROR_RT_PARAM_INVALID for a damaged one.
sim::Ref<KernelImage> load_image(const BinarySource& source);

/// An image without functions of its own: they are registered by the program.
sim::Ref<KernelImage> make_empty_image();

/// The content of a file; raises ACL_ERROR_RT_PARAM_INVALID when it cannot be read.
std::string read_binary_file(const std::string& path);

}  // namespace acl
