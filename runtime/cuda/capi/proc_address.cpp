// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/capi/proc_address.h"

#include "runtime/cuda/capi/entry.h"
#include "runtime/cuda/capi/version.h"

using namespace cuda;

#undef cuGetProcAddress  // the older function beside the newer one

namespace {

FoundSymbol look_up(const char* symbol, void** function, int version, cuuint64_t flags) {
  require_input(symbol, "symbol");
  require_out(function, "pfn");
  if (version > kDriverVersion) {
    refuse("cudaVersion is {}; this driver is of version {}", version, kDriverVersion);
  }
  if (flags > 3 || flags == 3) refuse("flags is {:#x}; expected 0, 1 or 2", flags);
  const bool per_thread = (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0;
  const FoundSymbol found = find_symbol(symbol, version, per_thread);
  *function = found.address;
  return found;
}

}  // namespace

CUDA_EARLY_ENTRY(cuGetProcAddress,
                 (const char* symbol, void** function, int version, cuuint64_t flags), {
                   if (look_up(symbol, function, version, flags).address) return;
                   fail(CUDA_ERROR_NOT_FOUND, "there is no function {} of version {} or older",
                        symbol, version);
                 });

CUDA_EARLY_ENTRY(cuGetProcAddress_v2,
                 (const char* symbol, void** function, int version, cuuint64_t flags,
                  CUdriverProcAddressQueryResult* result),
                 {
                   const FoundSymbol found = look_up(symbol, function, version, flags);
                   if (!result) return;
                   *result = found.address      ? CU_GET_PROC_ADDRESS_SUCCESS
                             : found.name_known ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                                                : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
                 });
