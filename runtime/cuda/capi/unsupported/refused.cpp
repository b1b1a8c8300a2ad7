// SPDX-License-Identifier: Apache-2.0
// The functions that are always refused.
#include "runtime/cuda/capi/unsupported/unsupported.h"

using namespace cuda;

CUDA_EARLY_UNSUPPORTED_AFTER(CUresult, cuGetExportTable, (const void** table, const CUuuid*),
                             "private tables between parts of the vendor's software",
                             require_out(table, "ppExportTable"););

CUDA_UNSUPPORTED_AFTER(CUresult, cuStreamWaitValue32_v2,
                       (CUstream, CUdeviceptr, cuuint32_t, unsigned int),
                       "waits of streams for values of 4 bytes", );
CUDA_UNSUPPORTED_AFTER(CUresult, cuStreamWaitValue32_v2_ptsz,
                       (CUstream, CUdeviceptr, cuuint32_t, unsigned int),
                       "waits of streams for values of 4 bytes", );

CUDA_UNSUPPORTED_AFTER(CUresult, cuMemGetHandleForAddressRange,
                       (void* handle, CUdeviceptr, size_t, CUmemRangeHandleType,
                        unsigned long long),
                       "descriptors for other drivers (dma-buf)", require_input(handle, "handle"););
