/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of CUDA's driver interface that the emulated libcuda.so.1 has, for machines without a
 * CUDA toolkit: multicast objects, virtual memory, and the functions that such programs also need.
 * Values, layouts and symbols are taken from CUDA 13.0; the two _v2 binds from 13.1. If the genuine
 * cuda.h was included before, this header declares only the names that cuda.h lacks.
 *
 * docs/cuda-multicast.md lists the error codes.
 */
#ifndef ACLSIM_CUDA_CUDA_MULTICAST_H_
#define ACLSIM_CUDA_CUDA_MULTICAST_H_

#include <stddef.h>
#include <stdint.h>

#ifndef CUDA_VERSION

#define CUDA_VERSION 13010
#include "cuda/cuda_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- names: what programs write, and the symbol that it is --------------------------------- */

#define cuCtxCreate cuCtxCreate_v4
#define cuCtxDestroy cuCtxDestroy_v2
#define cuCtxPopCurrent cuCtxPopCurrent_v2
#define cuCtxPushCurrent cuCtxPushCurrent_v2
#define cuDeviceGetUuid cuDeviceGetUuid_v2
#define cuDevicePrimaryCtxRelease cuDevicePrimaryCtxRelease_v2
#define cuDevicePrimaryCtxReset cuDevicePrimaryCtxReset_v2
#define cuDevicePrimaryCtxSetFlags cuDevicePrimaryCtxSetFlags_v2
#define cuDeviceTotalMem cuDeviceTotalMem_v2
#define cuEventDestroy cuEventDestroy_v2
#define cuEventElapsedTime cuEventElapsedTime_v2
#define cuGetProcAddress cuGetProcAddress_v2
#define cuMemAlloc cuMemAlloc_v2
#define cuMemAllocHost cuMemAllocHost_v2
#define cuMemFree cuMemFree_v2
#define cuMemGetAddressRange cuMemGetAddressRange_v2
#define cuMemGetInfo cuMemGetInfo_v2
#define cuMemHostGetDevicePointer cuMemHostGetDevicePointer_v2
#define cuMemHostRegister cuMemHostRegister_v2
#define cuMemcpy2D cuMemcpy2D_v2
#define cuMemcpy2DAsync cuMemcpy2DAsync_v2
#define cuMemcpy3D cuMemcpy3D_v2
#define cuMemcpy3DAsync cuMemcpy3DAsync_v2
#define cuMemcpyDtoD cuMemcpyDtoD_v2
#define cuMemcpyDtoDAsync cuMemcpyDtoDAsync_v2
#define cuMemcpyDtoH cuMemcpyDtoH_v2
#define cuMemcpyDtoHAsync cuMemcpyDtoHAsync_v2
#define cuMemcpyHtoD cuMemcpyHtoD_v2
#define cuMemcpyHtoDAsync cuMemcpyHtoDAsync_v2
#define cuMemsetD16 cuMemsetD16_v2
#define cuMemsetD2D16 cuMemsetD2D16_v2
#define cuMemsetD2D32 cuMemsetD2D32_v2
#define cuMemsetD2D8 cuMemsetD2D8_v2
#define cuMemsetD32 cuMemsetD32_v2
#define cuMemsetD8 cuMemsetD8_v2
#define cuStreamBatchMemOp cuStreamBatchMemOp_v2
#define cuStreamDestroy cuStreamDestroy_v2
#define cuStreamWaitValue32 cuStreamWaitValue32_v2
#define cuStreamWaitValue64 cuStreamWaitValue64_v2
#define cuStreamWriteValue32 cuStreamWriteValue32_v2
#define cuStreamWriteValue64 cuStreamWriteValue64_v2

/* ---- errors -------------------------------------------------------------------------------- */

CUresult CUDAAPI cuGetErrorString(CUresult error, const char** text);
CUresult CUDAAPI cuGetErrorName(CUresult error, const char** name);

/* ---- start --------------------------------------------------------------------------------- */

CUresult CUDAAPI cuInit(unsigned int flags);
CUresult CUDAAPI cuDriverGetVersion(int* version);
CUresult CUDAAPI cuGetProcAddress_v2(const char* symbol, void** function, int cudaVersion,
                                     cuuint64_t flags, CUdriverProcAddressQueryResult* found);
CUresult CUDAAPI cuGetExportTable(const void** table, const CUuuid* id);

/* ---- devices ------------------------------------------------------------------------------- */

CUresult CUDAAPI cuDeviceGet(CUdevice* device, int ordinal);
CUresult CUDAAPI cuDeviceGetCount(int* count);
CUresult CUDAAPI cuDeviceGetName(char* name, int length, CUdevice device);
CUresult CUDAAPI cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device);
CUresult CUDAAPI cuDeviceTotalMem_v2(size_t* bytes, CUdevice device);
CUresult CUDAAPI cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device);
CUresult CUDAAPI cuDeviceGetPCIBusId(char* id, int length, CUdevice device);
CUresult CUDAAPI cuDeviceGetByPCIBusId(CUdevice* device, const char* id);
CUresult CUDAAPI cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer);
CUresult CUDAAPI cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attribute, CUdevice from,
                                         CUdevice to);

/* ---- contexts ------------------------------------------------------------------------------ */

CUresult CUDAAPI cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device);
CUresult CUDAAPI cuDevicePrimaryCtxRelease_v2(CUdevice device);
CUresult CUDAAPI cuDevicePrimaryCtxReset_v2(CUdevice device);
CUresult CUDAAPI cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned int flags);
CUresult CUDAAPI cuDevicePrimaryCtxGetState(CUdevice device, unsigned int* flags, int* active);
CUresult CUDAAPI cuCtxCreate_v2(CUcontext* context, unsigned int flags, CUdevice device);
CUresult CUDAAPI cuCtxCreate_v3(CUcontext* context, CUexecAffinityParam* affinity,
                                int affinityCount, unsigned int flags, CUdevice device);
CUresult CUDAAPI cuCtxCreate_v4(CUcontext* context, CUctxCreateParams* params, unsigned int flags,
                                CUdevice device);
CUresult CUDAAPI cuCtxDestroy_v2(CUcontext context);
CUresult CUDAAPI cuCtxPushCurrent_v2(CUcontext context);
CUresult CUDAAPI cuCtxPopCurrent_v2(CUcontext* context);
CUresult CUDAAPI cuCtxSetCurrent(CUcontext context);
CUresult CUDAAPI cuCtxGetCurrent(CUcontext* context);
CUresult CUDAAPI cuCtxGetDevice(CUdevice* device);
CUresult CUDAAPI cuCtxGetDevice_v2(CUdevice* device, CUcontext context);
CUresult CUDAAPI cuCtxGetFlags(unsigned int* flags);
CUresult CUDAAPI cuCtxSynchronize(void);
CUresult CUDAAPI cuCtxSynchronize_v2(CUcontext context);
CUresult CUDAAPI cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags);
CUresult CUDAAPI cuCtxDisablePeerAccess(CUcontext peer);

/* ---- memory -------------------------------------------------------------------------------- */

CUresult CUDAAPI cuMemGetInfo_v2(size_t* free, size_t* total);
CUresult CUDAAPI cuMemAlloc_v2(CUdeviceptr* address, size_t size);
CUresult CUDAAPI cuMemFree_v2(CUdeviceptr address);
CUresult CUDAAPI cuMemGetAddressRange_v2(CUdeviceptr* base, size_t* size, CUdeviceptr address);
CUresult CUDAAPI cuMemAllocHost_v2(void** address, size_t size);
CUresult CUDAAPI cuMemHostAlloc(void** address, size_t size, unsigned int flags);
CUresult CUDAAPI cuMemFreeHost(void* address);
CUresult CUDAAPI cuMemHostGetDevicePointer_v2(CUdeviceptr* device, void* host, unsigned int flags);
CUresult CUDAAPI cuMemHostRegister_v2(void* address, size_t size, unsigned int flags);
CUresult CUDAAPI cuMemHostUnregister(void* address);
CUresult CUDAAPI cuMemAllocAsync(CUdeviceptr* address, size_t size, CUstream stream);
CUresult CUDAAPI cuMemFreeAsync(CUdeviceptr address, CUstream stream);
CUresult CUDAAPI cuMemAllocFromPoolAsync(CUdeviceptr* address, size_t size, CUmemoryPool pool,
                                         CUstream stream);
CUresult CUDAAPI cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* props);
CUresult CUDAAPI cuMemPoolDestroy(CUmemoryPool pool);
CUresult CUDAAPI cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device);
CUresult CUDAAPI cuPointerGetAttribute(void* data, CUpointer_attribute attribute,
                                       CUdeviceptr address);
CUresult CUDAAPI cuPointerGetAttributes(unsigned int count, CUpointer_attribute* attributes,
                                        void** data, CUdeviceptr address);
CUresult CUDAAPI cuPointerSetAttribute(const void* value, CUpointer_attribute attribute,
                                       CUdeviceptr address);

/* ---- virtual memory ------------------------------------------------------------------------ */

CUresult CUDAAPI cuMemAddressReserve(CUdeviceptr* address, size_t size, size_t alignment,
                                     CUdeviceptr wanted, unsigned long long flags);
CUresult CUDAAPI cuMemAddressFree(CUdeviceptr address, size_t size);
CUresult CUDAAPI cuMemCreate(CUmemGenericAllocationHandle* handle, size_t size,
                             const CUmemAllocationProp* prop, unsigned long long flags);
CUresult CUDAAPI cuMemRelease(CUmemGenericAllocationHandle handle);
CUresult CUDAAPI cuMemMap(CUdeviceptr address, size_t size, size_t offset,
                          CUmemGenericAllocationHandle handle, unsigned long long flags);
CUresult CUDAAPI cuMemUnmap(CUdeviceptr address, size_t size);
CUresult CUDAAPI cuMemSetAccess(CUdeviceptr address, size_t size, const CUmemAccessDesc* desc,
                                size_t count);
CUresult CUDAAPI cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location,
                                CUdeviceptr address);
CUresult CUDAAPI cuMemExportToShareableHandle(void* shareable, CUmemGenericAllocationHandle handle,
                                              CUmemAllocationHandleType type,
                                              unsigned long long flags);
CUresult CUDAAPI cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle,
                                                void* shareable, CUmemAllocationHandleType type);
CUresult CUDAAPI cuMemGetAllocationGranularity(size_t* granularity, const CUmemAllocationProp* prop,
                                               CUmemAllocationGranularity_flags option);
CUresult CUDAAPI cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* prop,
                                                        CUmemGenericAllocationHandle handle);
CUresult CUDAAPI cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* address);
CUresult CUDAAPI cuMemGetHandleForAddressRange(void* handle, CUdeviceptr address, size_t size,
                                               CUmemRangeHandleType type, unsigned long long flags);

/* ---- multicast ----------------------------------------------------------------------------- */

CUresult CUDAAPI cuMulticastCreate(CUmemGenericAllocationHandle* mcHandle,
                                   const CUmulticastObjectProp* prop);
CUresult CUDAAPI cuMulticastAddDevice(CUmemGenericAllocationHandle mcHandle, CUdevice device);
CUresult CUDAAPI cuMulticastBindMem(CUmemGenericAllocationHandle mcHandle, size_t mcOffset,
                                    CUmemGenericAllocationHandle memHandle, size_t memOffset,
                                    size_t size, unsigned long long flags);
CUresult CUDAAPI cuMulticastBindMem_v2(CUmemGenericAllocationHandle mcHandle, CUdevice device,
                                       size_t mcOffset, CUmemGenericAllocationHandle memHandle,
                                       size_t memOffset, size_t size, unsigned long long flags);
CUresult CUDAAPI cuMulticastBindAddr(CUmemGenericAllocationHandle mcHandle, size_t mcOffset,
                                     CUdeviceptr address, size_t size, unsigned long long flags);
CUresult CUDAAPI cuMulticastBindAddr_v2(CUmemGenericAllocationHandle mcHandle, CUdevice device,
                                        size_t mcOffset, CUdeviceptr address, size_t size,
                                        unsigned long long flags);
CUresult CUDAAPI cuMulticastUnbind(CUmemGenericAllocationHandle mcHandle, CUdevice device,
                                   size_t mcOffset, size_t size);
CUresult CUDAAPI cuMulticastGetGranularity(size_t* granularity, const CUmulticastObjectProp* prop,
                                           CUmulticastGranularity_flags option);

/* ---- copies -------------------------------------------------------------------------------- */

CUresult CUDAAPI cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size);
CUresult CUDAAPI cuMemcpyPeer(CUdeviceptr to, CUcontext toContext, CUdeviceptr from,
                              CUcontext fromContext, size_t size);
CUresult CUDAAPI cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, size_t size);
CUresult CUDAAPI cuMemcpyDtoH_v2(void* to, CUdeviceptr from, size_t size);
CUresult CUDAAPI cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t size);
CUresult CUDAAPI cuMemcpy2D_v2(const CUDA_MEMCPY2D* copy);
CUresult CUDAAPI cuMemcpy3D_v2(const CUDA_MEMCPY3D* copy);
CUresult CUDAAPI cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream);
CUresult CUDAAPI cuMemcpyPeerAsync(CUdeviceptr to, CUcontext toContext, CUdeviceptr from,
                                   CUcontext fromContext, size_t size, CUstream stream);
CUresult CUDAAPI cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, size_t size,
                                      CUstream stream);
CUresult CUDAAPI cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, size_t size, CUstream stream);
CUresult CUDAAPI cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t size,
                                      CUstream stream);
CUresult CUDAAPI cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* copy, CUstream stream);
CUresult CUDAAPI cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* copy, CUstream stream);
CUresult CUDAAPI cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count);
CUresult CUDAAPI cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t count);
CUresult CUDAAPI cuMemsetD32_v2(CUdeviceptr to, unsigned int value, size_t count);
CUresult CUDAAPI cuMemsetD2D8_v2(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                                 size_t height);
CUresult CUDAAPI cuMemsetD2D16_v2(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                                  size_t height);
CUresult CUDAAPI cuMemsetD2D32_v2(CUdeviceptr to, size_t pitch, unsigned int value, size_t width,
                                  size_t height);
CUresult CUDAAPI cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count,
                                 CUstream stream);
CUresult CUDAAPI cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count,
                                  CUstream stream);
CUresult CUDAAPI cuMemsetD32Async(CUdeviceptr to, unsigned int value, size_t count,
                                  CUstream stream);

/* ---- streams and events -------------------------------------------------------------------- */

CUresult CUDAAPI cuStreamCreate(CUstream* stream, unsigned int flags);
CUresult CUDAAPI cuStreamCreateWithPriority(CUstream* stream, unsigned int flags, int priority);
CUresult CUDAAPI cuStreamDestroy_v2(CUstream stream);
CUresult CUDAAPI cuStreamSynchronize(CUstream stream);
CUresult CUDAAPI cuStreamQuery(CUstream stream);
CUresult CUDAAPI cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags);
CUresult CUDAAPI cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data);
CUresult CUDAAPI cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value,
                                         unsigned int flags);
CUresult CUDAAPI cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr address, cuuint64_t value,
                                         unsigned int flags);
CUresult CUDAAPI cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value,
                                        unsigned int flags);
CUresult CUDAAPI cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address, cuuint64_t value,
                                        unsigned int flags);
CUresult CUDAAPI cuStreamBatchMemOp_v2(CUstream stream, unsigned int count,
                                       CUstreamBatchMemOpParams* ops, unsigned int flags);
CUresult CUDAAPI cuEventCreate(CUevent* event, unsigned int flags);
CUresult CUDAAPI cuEventDestroy_v2(CUevent event);
CUresult CUDAAPI cuEventRecord(CUevent event, CUstream stream);
CUresult CUDAAPI cuEventQuery(CUevent event);
CUresult CUDAAPI cuEventSynchronize(CUevent event);
CUresult CUDAAPI cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end);

#ifdef __cplusplus
}
#endif

#elif CUDA_VERSION < 13010 /* the genuine header, from before these two */

#ifdef __cplusplus
extern "C" {
#endif

CUresult cuMulticastBindMem_v2(CUmemGenericAllocationHandle mcHandle, CUdevice device,
                               size_t mcOffset, CUmemGenericAllocationHandle memHandle,
                               size_t memOffset, size_t size, unsigned long long flags);
CUresult cuMulticastBindAddr_v2(CUmemGenericAllocationHandle mcHandle, CUdevice device,
                                size_t mcOffset, CUdeviceptr address, size_t size,
                                unsigned long long flags);

#ifdef __cplusplus
}
#endif

#endif /* CUDA_VERSION */

#endif /* ACLSIM_CUDA_CUDA_MULTICAST_H_ */
