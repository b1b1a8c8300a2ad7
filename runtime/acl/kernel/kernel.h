// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/handle_table.h"
#include "runtime/acl/base/section.h"
#include "runtime/acl/kernel/host_kernel_registry.h"
#include "runtime/acl/kernel/kernel_image.h"

namespace acl {

class KernelArgs;
class Runtime;

/// A copy of the data, which aclrtCreateBinary keeps until it is loaded.
struct BinaryData : sim::RefCounted<BinaryData> {
  explicit BinaryData(std::string data) : bytes(std::move(data)) {}
  const std::string bytes;
};

/// The function that is called when a kernel of one binary fails.
struct OpExceptionCallback {
  aclrtOpExceptionCallback function = nullptr;
  void* user_data = nullptr;
};

/// A loaded kernel binary. It works on every device.
class Binary : public sim::RefCounted<Binary> {
 public:
  /// `name` is the last part of the path, empty without one.
  Binary(std::string name, sim::Ref<KernelImage> image, bool cpu_mode)
      : name_(std::move(name)), image_(std::move(image)), cpu_mode_(cpu_mode) {}

  const std::string& name() const noexcept { return name_; }
  const KernelImage& image() const noexcept { return *image_; }
  bool cpu_mode() const noexcept { return cpu_mode_; }
  /// Null once it was unloaded, and for functions without a binary.
  void* handle() const noexcept { return handle_.load(std::memory_order_acquire); }

  void set_exception_callback(OpExceptionCallback callback);
  OpExceptionCallback exception_callback() const;

 private:
  friend class Kernels;
  const std::string name_;
  const sim::Ref<KernelImage> image_;
  const bool cpu_mode_;
  std::atomic<void*> handle_{nullptr};
  std::atomic<bool> kept_{false};
  mutable sim::Mutex mutex_;
  bool ended_ GUARDED_BY(mutex_) = false;
  OpExceptionCallback exception_callback_ GUARDED_BY(mutex_);
  std::map<std::string, void*> functions_ GUARDED_BY(mutex_);  // handles, by name
};

/// One kernel of a binary.
class Function : public sim::RefCounted<Function> {
 public:
  Function(sim::Ref<Binary> binary, const std::string& name, KernelCode code);

  const Binary& binary() const noexcept { return *binary_; }
  const char* name() const noexcept { return name_; }
  const KernelCode& code() const noexcept { return code_; }
  void* handle() const noexcept { return handle_; }
  aclrtKernelType type() const noexcept;
  /// The sizes of its parameters; raises ACL_ERROR_RT_FEATURE_NOT_SUPPORT if the binary does not
  /// specify them.
  const std::vector<std::size_t>& parameters() const;

 private:
  friend class Kernels;
  const sim::Ref<Binary> binary_;
  const char* const name_;
  const KernelCode code_;
  void* handle_ = nullptr;
  sim::Mutex mutex_;
  std::deque<aclrtArgsHandle> argument_lists_ GUARDED_BY(mutex_);
};

using BinaryDataTable = HandleTable<BinaryData, HandleKind::binary_data>;
using BinaryTable = HandleTable<Binary, HandleKind::binary>;
using FunctionTable = HandleTable<Function, HandleKind::function>;
using KernelArgsTable = HandleTable<KernelArgs, HandleKind::arguments>;

/// Kernels by handle: binaries, their functions, and argument lists.
class Kernels final : public Section {
 public:
  explicit Kernels(Runtime&);
  ~Kernels() override;

  HostKernelRegistry& registry() noexcept { return registry_; }
  BinaryDataTable& data() noexcept { return data_; }
  BinaryTable& binaries() noexcept { return binaries_; }
  FunctionTable& functions() noexcept { return functions_; }

  aclrtBinHandle load_file(const std::string& path, bool cpu_mode);
  aclrtBinHandle load_data(std::string_view bytes, bool cpu_mode);
  /// The binary does not count as a live handle: a library loaded it for itself.
  void keep(const BinaryTable::Pin& binary) noexcept;
  /// Ends the handles of the binary, its functions and their argument lists; work that was launched
  /// keeps what it needs.
  void unload(const BinaryTable::Pin& binary);

  /// The function's handle. Raises ACL_ERROR_RT_PARAM_INVALID when the binary has no such function.
  aclrtFuncHandle function(Binary& binary, const std::string& name);
  /// The function whose name ends with "_entry".
  aclrtFuncHandle function_by_entry(Binary& binary, std::uint64_t entry);
  /// Gives a function a second name.
  aclrtFuncHandle register_cpu_function(Binary& binary, const std::string& function,
                                        const std::string& kernel_name);
  /// The handle of the registered kernel that is this host function, or null.
  aclrtFuncHandle function_by_symbol(const void* symbol);

  /// Argument lists belong to their function. It keeps the latest few thousand.
  aclrtArgsHandle add_args(Function& function, sim::Ref<KernelArgs> args);
  /// The same in memory of the user's, whose address is the handle.
  void add_args_at(Function& function, sim::Ref<KernelArgs> args, aclrtArgsHandle address);
  /// Null when the handle names no list.
  sim::Ref<KernelArgs> find_args(aclrtArgsHandle handle);

  void reset() override;
  std::size_t live_handles() const override {
    return data_.count() + binaries_.count() - kept_.load(std::memory_order_relaxed);
  }

 private:
  aclrtBinHandle add_binary(sim::Ref<Binary> binary);
  std::optional<KernelCode> find_code(const Binary& binary, const std::string& name) const;
  aclrtFuncHandle add_function(Binary& binary, const std::string& key, const std::string& name,
                               KernelCode code) REQUIRES(binary.mutex_);
  void keep_latest(Function& function, aclrtArgsHandle handle);
  void end_args(const Function& function, aclrtArgsHandle handle);
  void end_functions(Binary& binary);

  HostKernelRegistry registry_;
  std::atomic<std::size_t> kept_{0};
  BinaryDataTable data_;
  BinaryTable binaries_;
  FunctionTable functions_;
  KernelArgsTable args_;
  sim::Mutex mutex_;
  std::map<void*, sim::Ref<KernelArgs>> args_in_user_memory_ GUARDED_BY(mutex_);
  sim::Ref<Binary> program_ GUARDED_BY(mutex_);  // the functions that are found by symbol
};

}  // namespace acl
