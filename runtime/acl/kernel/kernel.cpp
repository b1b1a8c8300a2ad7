// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/kernel/kernel.h"

#include <filesystem>
#include <set>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/kernel/ascendc_kernels.h"
#include "runtime/acl/kernel/host_kernel.h"
#include "runtime/acl/kernel/kernel_args.h"

namespace acl {
namespace {

constexpr std::size_t kListsPerFunction = 4096;

[[noreturn]] void fail_unloaded() {
  fail(ACL_ERROR_RT_INVALID_HANDLE, "the binary is being unloaded by another thread");
}

}  // namespace

// ---- one binary, one function ----

void Binary::set_exception_callback(OpExceptionCallback callback) {
  const sim::LockGuard guard(mutex_);
  exception_callback_ = callback;
}

OpExceptionCallback Binary::exception_callback() const {
  const sim::LockGuard guard(mutex_);
  return exception_callback_;
}

Function::Function(sim::Ref<Binary> binary, const std::string& name, KernelCode code)
    : binary_(std::move(binary)), name_(lasting_name(name)), code_(std::move(code)) {}

aclrtKernelType Function::type() const noexcept {
  if (binary_->cpu_mode()) return ACL_KERNEL_TYPE_AICPU;
  if (!code_.ascendc) return ACL_KERNEL_TYPE_VECTOR;
  switch (code_.ascendc->kind) {
    case ACLSIM_CORES_CUBE:
    case ACLSIM_CORES_MIX_1_0:
      return ACL_KERNEL_TYPE_CUBE;
    case ACLSIM_CORES_MIX_1_1:
    case ACLSIM_CORES_MIX_1_2:
      return ACL_KERNEL_TYPE_MIX;
    default:
      return ACL_KERNEL_TYPE_VECTOR;
  }
}

const std::vector<std::size_t>& Function::parameters() const {
  if (!code_.parameters) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
         "nothing tells the parameters of the kernel '{}'; expected paramSizes from "
         "aclsimRegisterKernel",
         name_);
  }
  return *code_.parameters;
}

// ---- loading ----

Kernels::Kernels(Runtime&) {}
Kernels::~Kernels() = default;

aclrtBinHandle Kernels::load_file(const std::string& path, bool cpu_mode) {
  std::string name = std::filesystem::path(path).filename().string();
  if (!name.empty() && registry_.knows(name)) {
    return add_binary(sim::make_ref<Binary>(name, make_empty_image(), cpu_mode));
  }
  const std::string bytes = read_binary_file(path);
  std::error_code ignored;
  auto image = load_image({std::filesystem::canonical(path, ignored).string(), bytes, cpu_mode});
  return add_binary(sim::make_ref<Binary>(std::move(name), std::move(image), cpu_mode));
}

aclrtBinHandle Kernels::load_data(std::string_view bytes, bool cpu_mode) {
  auto image = load_image({{}, bytes, cpu_mode});
  return add_binary(sim::make_ref<Binary>(std::string(), std::move(image), cpu_mode));
}

aclrtBinHandle Kernels::add_binary(sim::Ref<Binary> binary) {
  void* const handle = binaries_.add(binary);
  if (!handle) fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "the process has too many kernel binaries");
  binary->handle_.store(handle, std::memory_order_release);
  return handle;
}

void Kernels::keep(const BinaryTable::Pin& binary) noexcept {
  if (!binary->kept_.exchange(true)) kept_.fetch_add(1, std::memory_order_relaxed);
}

void Kernels::unload(const BinaryTable::Pin& binary) {
  if (!binaries_.remove(binary)) fail_unloaded();
  if (binary->kept_.exchange(false)) kept_.fetch_sub(1, std::memory_order_relaxed);
  end_functions(*binary);
}

void Kernels::end_functions(Binary& binary) {
  std::map<std::string, void*> functions;
  {
    const sim::LockGuard guard(binary.mutex_);
    binary.ended_ = true;
    binary.handle_.store(nullptr, std::memory_order_release);
    binary.exception_callback_ = {};
    functions.swap(binary.functions_);
  }
  for (const auto& [name, handle] : functions) {
    const FunctionTable::Pin function = functions_.find(handle);
    if (!function || !functions_.remove(function)) continue;
    std::deque<aclrtArgsHandle> lists;
    {
      const sim::LockGuard guard(function->mutex_);
      lists.swap(function->argument_lists_);
    }
    for (const aclrtArgsHandle list : lists) end_args(*function, list);
  }
}

// ---- functions ----

std::optional<KernelCode> Kernels::find_code(const Binary& binary, const std::string& name) const {
  std::optional<KernelCode> code;
  if (!binary.name().empty()) code = registry_.find(binary.name(), name);
  if (!code) code = binary.image().find(name);
  if (!code) code = registry_.find({}, name);
  return code;
}

aclrtFuncHandle Kernels::add_function(Binary& binary, const std::string& key,
                                      const std::string& name, KernelCode code) {
  if (binary.ended_) fail_unloaded();
  auto function = sim::make_ref<Function>(sim::Ref<Binary>::share(&binary), name, std::move(code));
  Function& added = *function;
  void* const handle = functions_.add(std::move(function));
  if (!handle) fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "the process has too many kernel functions");
  added.handle_ = handle;
  binary.functions_[key] = handle;
  return handle;
}

aclrtFuncHandle Kernels::function(Binary& binary, const std::string& name) {
  const sim::LockGuard guard(binary.mutex_);
  const auto known = binary.functions_.find(name);
  if (known != binary.functions_.end()) return known->second;
  std::optional<KernelCode> code = find_code(binary, name);
  if (!code) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "kernelName is '{}': the binary has no such function, and none was registered for it",
         name);
  }
  return add_function(binary, name, name, std::move(*code));
}

aclrtFuncHandle Kernels::function_by_entry(Binary& binary, std::uint64_t entry) {
  std::set<std::string> names;
  const std::string suffix = "_" + std::to_string(entry);
  for (const auto& some :
       {binary.image().functions(), registry_.functions(binary.name()), registry_.functions({})}) {
    for (const std::string& name : some) {
      if (name.ends_with(suffix)) names.insert(name);
    }
  }
  if (names.size() != 1) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "funcEntry is {}: {} functions of the binary have names ending with '{}'; expected one",
         entry, names.size(), suffix);
  }
  return function(binary, *names.begin());
}

aclrtFuncHandle Kernels::register_cpu_function(Binary& binary, const std::string& function,
                                               const std::string& kernel_name) {
  const sim::LockGuard guard(binary.mutex_);
  std::optional<KernelCode> code = find_code(binary, function);
  if (!code) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "funcName is '{}': the binary has no such function, and none was registered for it",
         function);
  }
  const auto known = binary.functions_.find(kernel_name);
  if (known == binary.functions_.end()) {
    return add_function(binary, kernel_name, kernel_name, std::move(*code));
  }
  const KernelCode& before = functions_.find(known->second)->code();
  if (before.function != code->function || before.ascendc != code->ascendc) {
    fail(ACL_ERROR_RT_KERNEL_DUPLICATE, "kernelName is '{}', which names another function already",
         kernel_name);
  }
  return known->second;
}

aclrtFuncHandle Kernels::function_by_symbol(const void* symbol) {
  auto registered = registry_.find(symbol);
  if (!registered) {
    std::optional<KernelCode> compiled = ascendc_kernel_at(symbol);
    if (!compiled) return nullptr;
    const std::string name = compiled->ascendc->name;
    registered = HostKernelRegistry::Named{name, std::move(*compiled)};
  }
  sim::Ref<Binary> program;
  {
    const sim::LockGuard guard(mutex_);
    if (!program_) program_ = sim::make_ref<Binary>(std::string(), make_empty_image(), false);
    program = program_;
  }
  const std::string key = fmt::format("{}", symbol);
  const sim::LockGuard guard(program->mutex_);
  const auto known = program->functions_.find(key);
  if (known != program->functions_.end()) return known->second;
  return add_function(*program, key, registered->name, std::move(registered->code));
}

// ---- argument lists ----

aclrtArgsHandle Kernels::add_args(Function& function, sim::Ref<KernelArgs> args) {
  void* const handle = args_.add(std::move(args));
  if (!handle) fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "the process has too many argument lists");
  keep_latest(function, handle);
  return handle;
}

void Kernels::add_args_at(Function& function, sim::Ref<KernelArgs> args, aclrtArgsHandle address) {
  {
    const sim::LockGuard guard(mutex_);
    std::swap(args_in_user_memory_[address], args);  // an earlier list is released after the lock
  }
  {
    const sim::LockGuard guard(function.mutex_);
    std::erase(function.argument_lists_, address);
  }
  keep_latest(function, address);
}

void Kernels::keep_latest(Function& function, aclrtArgsHandle handle) {
  aclrtArgsHandle oldest = nullptr;
  {
    const sim::LockGuard guard(function.mutex_);
    auto& lists = function.argument_lists_;
    lists.push_back(handle);
    if (lists.size() > kListsPerFunction) {
      oldest = lists.front();
      lists.pop_front();
    }
  }
  if (oldest) end_args(function, oldest);
}

sim::Ref<KernelArgs> Kernels::find_args(aclrtArgsHandle handle) {
  if (const KernelArgsTable::Pin pin = args_.find(handle)) {
    return sim::Ref<KernelArgs>::share(pin.get());
  }
  const sim::LockGuard guard(mutex_);
  const auto found = args_in_user_memory_.find(handle);
  return found != args_in_user_memory_.end() ? found->second : nullptr;
}

void Kernels::end_args(const Function& function, aclrtArgsHandle handle) {
  if (const KernelArgsTable::Pin pin = args_.find(handle)) {
    args_.remove(pin);
    return;
  }
  sim::Ref<KernelArgs> ended;
  const sim::LockGuard guard(mutex_);
  const auto found = args_in_user_memory_.find(handle);
  if (found == args_in_user_memory_.end() || &found->second->function() != &function) return;
  ended = std::move(found->second);
  args_in_user_memory_.erase(found);
}

// ---- starting over ----

void Kernels::reset() {
  binaries_.for_each([&](const BinaryTable::Pin& binary) { unload(binary); });
  data_.for_each([&](const BinaryDataTable::Pin& data) { data_.remove(data); });
  sim::Ref<Binary> program;
  {
    const sim::LockGuard guard(mutex_);
    program = std::exchange(program_, nullptr);
  }
  if (program) end_functions(*program);
  registry_.clear();
}

}  // namespace acl
