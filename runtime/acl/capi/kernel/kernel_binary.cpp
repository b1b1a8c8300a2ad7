// SPDX-License-Identifier: Apache-2.0
// Kernel binaries: loading, unloading, and queries about their content.
#include "runtime/acl/capi/kernel/kernel_lookup.h"

using namespace acl;

namespace {

constexpr std::int32_t kMostCpuMode = 2;

bool known_magic(std::uint32_t magic) {
  return magic == ACL_RT_BINARY_MAGIC_ELF_AICORE || magic == ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE ||
         magic == ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE;
}

/// Checks the options; true if they ask for CPU kernels. The other options have no effect: a binary
/// is loaded at once, and its content is read from the file.
bool cpu_mode_of(const aclrtBinaryLoadOptions* options) {
  if (!options || options->numOpt == 0) return false;
  require_input(options->options, "options->options");
  bool cpu_mode = false;
  for (std::size_t i = 0; i < options->numOpt; ++i) {
    const auto& [type, value] = options->options[i];
    bool valid = false;
    switch (type) {
      case ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD:
        valid = value.isLazyLoad <= 1;
        break;
      case ACL_RT_BINARY_LOAD_OPT_MAGIC:
        valid = known_magic(value.magic);
        break;
      case ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE:
        valid = value.cpuKernelMode >= 0 && value.cpuKernelMode <= kMostCpuMode;
        cpu_mode = true;
        break;
    }
    if (!valid) {
      fail(
          ACL_ERROR_RT_PARAM_INVALID,
          "options->options[{}] has type {} and value {:#x}; expected lazy load 0 or 1, one of the "
          "ACL_RT_BINARY_MAGIC_ELF_* or a CPU kernel mode 0 to {}",
          i, static_cast<int>(type), value.rsv[0], kMostCpuMode);
    }
  }
  return cpu_mode;
}

std::string_view data_of(Runtime& runtime, const void* data, std::size_t size,
                         const char* size_argument) {
  require_input(data, "data");
  if (size == 0) fail(ACL_ERROR_INVALID_PARAM, "{} is 0", size_argument);
  require_host_memory(runtime, data, size, "data");
  return {static_cast<const char*>(data), size};
}

}  // namespace

extern "C" {

aclrtBinary aclrtCreateBinary(const void* data, size_t dataLen) {
  aclrtBinary created = nullptr;
  guarded(__func__, [&](Runtime& runtime) {
    const std::string_view bytes = data_of(runtime, data, dataLen, "dataLen");
    created = kernels(runtime).data().add(sim::make_ref<BinaryData>(std::string(bytes)));
    if (!created) fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "the process has too many binaries");
  });
  return created;
}

aclError aclrtDestroyBinary(aclrtBinary binary) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(binary, "binary");
    BinaryDataTable& table = kernels(runtime).data();
    const BinaryDataTable::Pin found = table.find(binary);
    if (!found || !table.remove(found)) {
      fail_for_handle(binary, ACL_ERROR_RT_INVALID_HANDLE,
                      "binary is {}, which aclrtCreateBinary did not make", binary);
    }
  });
}

aclError aclrtBinaryLoad(const aclrtBinary binary, aclrtBinHandle* binHandle) {
  return guarded(__func__, [&](Runtime& runtime) {
    void*& out = require_handle_out(binHandle, "binHandle");
    require_input(binary, "binary");
    const BinaryDataTable::Pin found = kernels(runtime).data().find(binary);
    if (!found) {
      fail_for_handle(binary, ACL_ERROR_RT_INVALID_HANDLE,
                      "binary is {}, which aclrtCreateBinary did not make", binary);
    }
    out = kernels(runtime).load_data(found->bytes, false);
  });
}

aclError aclrtBinaryLoadFromFile(const char* binPath, aclrtBinaryLoadOptions* options,
                                 aclrtBinHandle* binHandle) {
  return guarded(__func__, [&](Runtime& runtime) {
    void*& out = require_handle_out(binHandle, "binHandle");
    require_input(binPath, "binPath");
    out = kernels(runtime).load_file(binPath, cpu_mode_of(options));
  });
}

aclError aclrtBinaryLoadFromData(const void* data, size_t length,
                                 const aclrtBinaryLoadOptions* options, aclrtBinHandle* binHandle) {
  return guarded(__func__, [&](Runtime& runtime) {
    void*& out = require_handle_out(binHandle, "binHandle");
    const std::string_view bytes = data_of(runtime, data, length, "length");
    out = kernels(runtime).load_data(bytes, cpu_mode_of(options));
  });
}

aclError aclrtBinaryUnLoad(aclrtBinHandle binHandle) {
  return guarded(__func__, [&](Runtime& runtime) {
    kernels(runtime).unload(find_binary(runtime, binHandle));
  });
}

aclError aclrtBinaryGetFunction(const aclrtBinHandle binHandle, const char* kernelName,
                                aclrtFuncHandle* funcHandle) {
  return guarded(__func__, [&](Runtime& runtime) {
    void*& out = require_handle_out(funcHandle, "funcHandle");
    require_input(kernelName, "kernelName");
    out = kernels(runtime).function(*find_binary(runtime, binHandle), kernelName);
  });
}

aclError aclrtBinaryGetFunctionByEntry(aclrtBinHandle binHandle, uint64_t funcEntry,
                                       aclrtFuncHandle* funcHandle) {
  return guarded(__func__, [&](Runtime& runtime) {
    void*& out = require_handle_out(funcHandle, "funcHandle");
    out = kernels(runtime).function_by_entry(*find_binary(runtime, binHandle), funcEntry);
  });
}

aclError aclrtRegisterCpuFunc(const aclrtBinHandle handle, const char* funcName,
                              const char* kernelName, aclrtFuncHandle* funcHandle) {
  return guarded(__func__, [&](Runtime& runtime) {
    void*& out = require_handle_out(funcHandle, "funcHandle");
    require_input(funcName, "funcName");
    require_input(kernelName, "kernelName");
    const BinaryTable::Pin binary = find_binary(runtime, handle, "handle");
    if (!binary->cpu_mode()) {
      fail(ACL_ERROR_RT_PARAM_INVALID,
           "handle was loaded without ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE");
    }
    out = kernels(runtime).register_cpu_function(*binary, funcName, kernelName);
  });
}

aclError aclrtGetFuncBySymbol(const void* symbol, aclrtFuncHandle* funcHandle) {
  return guarded(__func__, [&](Runtime& runtime) {
    void*& out = require_handle_out(funcHandle, "funcHandle");
    require_input(symbol, "symbol");
    out = kernels(runtime).function_by_symbol(symbol);
    if (!out) {
      fail(ACL_ERROR_RT_PARAM_INVALID,
           "symbol is {}; expected a kernel of the program, or a host function registered by "
           "aclsimRegisterKernel",
           symbol);
    }
  });
}

aclError aclrtBinaryGetGlobal(aclrtBinHandle binHandle, const char* name, void** dptr,
                              size_t* size) {
  return guarded(__func__, [&](Runtime& runtime) {
    void*& address_out = require_handle_out(dptr, "dptr");
    size_t& size_out = require_out(size, "size");
    require_input(name, "name");
    const auto variable = find_binary(runtime, binHandle)->image().find_variable(name);
    if (!variable) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "name is '{}': the binary exports no such variable", name);
    }
    address_out = variable->address;
    size_out = variable->size;
  });
}

aclError aclrtBinaryGetDevAddress(const aclrtBinHandle binHandle, void** binAddr, size_t* binSize) {
  return guarded(__func__, [&](Runtime& runtime) {
    void*& address_out = require_handle_out(binAddr, "binAddr");
    size_t& size_out = require_out(binSize, "binSize");
    const auto segment = find_binary(runtime, binHandle)->image().segment();
    if (!segment) {
      fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
           "binHandle has registered host functions only, which lie in no place of their own");
    }
    address_out = segment->address;
    size_out = segment->size;
  });
}

aclError aclrtBinarySetExceptionCallback(aclrtBinHandle binHandle,
                                         aclrtOpExceptionCallback callback, void* userData) {
  return guarded(__func__, [&](Runtime& runtime) {
    find_binary(runtime, binHandle)->set_exception_callback({callback, userData});
  });
}

}  // extern "C"
