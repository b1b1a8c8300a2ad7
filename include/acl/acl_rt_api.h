/* SPDX-License-Identifier: Apache-2.0 */
/* C++ only: overloads without casts and suffixes. All are inline and call the C functions. */
#ifndef ACL_INCLUDE_ACL_RT_API_H_
#define ACL_INCLUDE_ACL_RT_API_H_

#ifndef __cplusplus
#error "acl_rt_api.h is a C++ header"
#endif

#include <type_traits>

#include "acl_rt.h"

namespace acl_rt_api_detail {

template <typename T>
inline void **untyped(T **list) {
  return reinterpret_cast<void **>(const_cast<typename std::remove_cv<T>::type **>(list));
}

template <typename T>
inline const void *address_of(const T &symbol) {
  return reinterpret_cast<const void *>(&symbol);
}

}  // namespace acl_rt_api_detail

// ---- a timeout or a flag as one more argument -------------------------------------------------

inline aclError aclrtSynchronizeDevice(int32_t timeout) {
  return aclrtSynchronizeDeviceWithTimeout(timeout);
}

inline aclError aclrtSynchronizeStream(aclrtStream stream, int32_t timeout) {
  return aclrtSynchronizeStreamWithTimeout(stream, timeout);
}

inline aclError aclrtSynchronizeEvent(aclrtEvent event, int32_t timeout) {
  return aclrtSynchronizeEventWithTimeout(event, timeout);
}

inline aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event, int32_t timeout) {
  return aclrtStreamWaitEventWithTimeout(stream, event, timeout);
}

inline aclError aclrtCreateStream(aclrtStream *stream, uint32_t priority, uint32_t flag) {
  return aclrtCreateStreamWithConfig(stream, priority, flag);
}

inline aclError aclrtSetOpExecuteTimeOut(uint64_t timeout, uint64_t *actualTimeout) {
  return aclrtSetOpExecuteTimeOutV2(timeout, actualTimeout);
}

inline aclError aclrtCreateEvent(aclrtEvent *event, uint32_t flag) {
  return aclrtCreateEventExWithFlag(event, flag);
}

// ---- memory -----------------------------------------------------------------------------------

template <typename T>
inline aclError aclrtMalloc(T **devPtr, size_t size, aclrtMemMallocPolicy policy,
                            aclrtMallocConfig *cfg) {
  return aclrtMallocWithCfg(acl_rt_api_detail::untyped(devPtr), size, policy, cfg);
}

template <typename T>
inline aclError aclrtMalloc(T **devPtr, size_t size, aclrtMallocConfig *cfg) {
  return aclrtMallocWithCfg(acl_rt_api_detail::untyped(devPtr), size, ACL_MEM_MALLOC_HUGE_FIRST,
                            cfg);
}

template <typename T>
inline aclError aclrtMallocHost(T **hostPtr, size_t size, aclrtMallocConfig *cfg) {
  return aclrtMallocHostWithCfg(acl_rt_api_detail::untyped(hostPtr), size, cfg);
}

template <typename T>
inline aclError aclrtPointerGetAttributes(const T *ptr, aclrtPtrAttributes *attributes) {
  return aclrtPointerGetAttributes(static_cast<const void *>(ptr), attributes);
}

template <typename T>
inline aclError aclrtHostRegister(T *ptr, uint64_t size, aclrtHostRegisterType type, T **devPtr) {
  return aclrtHostRegister(static_cast<void *>(ptr), size, type,
                           acl_rt_api_detail::untyped(devPtr));
}

template <typename T>
inline aclError aclrtHostRegister(T *ptr, uint64_t size, uint32_t flag) {
  return aclrtHostRegisterV2(static_cast<void *>(ptr), size, flag);
}

template <typename T>
inline aclError aclrtHostGetDevicePointer(T *pHost, T **pDevice, uint32_t flag) {
  return aclrtHostGetDevicePointer(static_cast<void *>(pHost), acl_rt_api_detail::untyped(pDevice),
                                   flag);
}

template <typename T>
inline aclError aclrtHostUnregister(T *ptr) {
  return aclrtHostUnregister(static_cast<void *>(ptr));
}

// ---- copy -------------------------------------------------------------------------------------

template <typename T, typename U>
inline aclError aclrtMemcpy(T *dst, size_t destMax, const U *src, size_t count,
                            aclrtMemcpyKind kind) {
  return aclrtMemcpy(static_cast<void *>(dst), destMax, static_cast<const void *>(src), count,
                     kind);
}

template <typename T, typename U>
inline aclError aclrtMemcpyAsync(T *dst, size_t destMax, const U *src, size_t count,
                                 aclrtMemcpyKind kind, aclrtStream stream) {
  return aclrtMemcpyAsync(static_cast<void *>(dst), destMax, static_cast<const void *>(src), count,
                          kind, stream);
}

template <typename T, typename U>
inline aclError aclrtMemcpy2d(T *dst, size_t dpitch, const U *src, size_t spitch, size_t width,
                              size_t height, aclrtMemcpyKind kind) {
  return aclrtMemcpy2d(static_cast<void *>(dst), dpitch, static_cast<const void *>(src), spitch,
                       width, height, kind);
}

template <typename T, typename U>
inline aclError aclrtMemcpy2dAsync(T *dst, size_t dpitch, const U *src, size_t spitch, size_t width,
                                   size_t height, aclrtMemcpyKind kind, aclrtStream stream) {
  return aclrtMemcpy2dAsync(static_cast<void *>(dst), dpitch, static_cast<const void *>(src),
                            spitch, width, height, kind, stream);
}

template <typename T, typename U>
inline aclError aclrtMemcpyBatch(T **dsts, size_t *destMaxs, U **srcs, size_t *sizes,
                                 size_t numBatches, aclrtMemcpyBatchAttr *attrs,
                                 size_t *attrsIndexes, size_t numAttrs, size_t *failIndex) {
  return aclrtMemcpyBatch(acl_rt_api_detail::untyped(dsts), destMaxs,
                          acl_rt_api_detail::untyped(srcs), sizes, numBatches, attrs, attrsIndexes,
                          numAttrs, failIndex);
}

// One attribute for the whole batch.
template <typename T, typename U>
inline aclError aclrtMemcpyBatch(T **dsts, size_t *destMaxs, U **srcs, size_t *sizes,
                                 size_t numBatches, aclrtMemcpyBatchAttr attr, size_t *failIndex) {
  size_t first = 0;
  return aclrtMemcpyBatch(acl_rt_api_detail::untyped(dsts), destMaxs,
                          acl_rt_api_detail::untyped(srcs), sizes, numBatches, &attr, &first, 1,
                          failIndex);
}

template <typename T, typename U>
inline aclError aclrtMemcpyBatchAsync(T **dsts, size_t *destMaxs, U **srcs, size_t *sizes,
                                      size_t numBatches, aclrtMemcpyBatchAttr *attrs,
                                      size_t *attrsIndexes, size_t numAttrs, size_t *failIndex,
                                      aclrtStream stream) {
  return aclrtMemcpyBatchAsync(acl_rt_api_detail::untyped(dsts), destMaxs,
                               acl_rt_api_detail::untyped(srcs), sizes, numBatches, attrs,
                               attrsIndexes, numAttrs, failIndex, stream);
}

template <typename T, typename U>
inline aclError aclrtMemcpyBatchAsync(T **dsts, size_t *destMaxs, U **srcs, size_t *sizes,
                                      size_t numBatches, aclrtMemcpyBatchAttr *attrs,
                                      size_t *attrsIndexes, size_t numAttrs, aclrtStream stream) {
  return aclrtMemcpyBatchAsyncV2(acl_rt_api_detail::untyped(dsts), destMaxs,
                                 acl_rt_api_detail::untyped(srcs), sizes, numBatches, attrs,
                                 attrsIndexes, numAttrs, stream);
}

template <typename T, typename U>
inline aclError aclrtMemcpyBatchAsync(T **dsts, size_t *destMaxs, U **srcs, size_t *sizes,
                                      size_t numBatches, aclrtMemcpyBatchAttr attr,
                                      size_t *failIndex, aclrtStream stream) {
  size_t first = 0;
  return aclrtMemcpyBatchAsync(acl_rt_api_detail::untyped(dsts), destMaxs,
                               acl_rt_api_detail::untyped(srcs), sizes, numBatches, &attr, &first,
                               1, failIndex, stream);
}

template <typename T, typename U>
inline aclError aclrtMemcpyBatchAsync(T **dsts, size_t *destMaxs, U **srcs, size_t *sizes,
                                      size_t numBatches, aclrtMemcpyBatchAttr attr,
                                      aclrtStream stream) {
  size_t first = 0;
  return aclrtMemcpyBatchAsyncV2(acl_rt_api_detail::untyped(dsts), destMaxs,
                                 acl_rt_api_detail::untyped(srcs), sizes, numBatches, &attr, &first,
                                 1, stream);
}

// ---- managed memory ---------------------------------------------------------------------------

template <typename T>
inline aclError aclrtMemAllocManaged(T **devPtr, size_t size, uint32_t flags) {
  return aclrtMemAllocManaged(acl_rt_api_detail::untyped(devPtr), size, flags);
}

template <typename T>
inline aclError aclrtMemManagedPrefetchAsync(const T *ptr, size_t size,
                                             aclrtMemManagedLocation location, uint32_t flags,
                                             aclrtStream stream) {
  return aclrtMemManagedPrefetchAsync(static_cast<const void *>(ptr), size, location, flags,
                                      stream);
}

template <typename T>
inline aclError aclrtMemManagedPrefetchBatchAsync(const T **ptrs, size_t *sizes, size_t count,
                                                  aclrtMemManagedLocation *prefetchLocs,
                                                  size_t *prefetchLocIdxs, size_t numPrefetchLocs,
                                                  uint64_t flags, aclrtStream stream) {
  return aclrtMemManagedPrefetchBatchAsync(reinterpret_cast<const void **>(ptrs), sizes, count,
                                           prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags,
                                           stream);
}

// One location for all ranges.
template <typename T>
inline aclError aclrtMemManagedPrefetchBatchAsync(const T **ptrs, size_t *sizes, size_t count,
                                                  aclrtMemManagedLocation prefetchLoc,
                                                  uint64_t flags, aclrtStream stream) {
  size_t first = 0;
  return aclrtMemManagedPrefetchBatchAsync(reinterpret_cast<const void **>(ptrs), sizes, count,
                                           &prefetchLoc, &first, 1, flags, stream);
}

// ---- device symbols, named by the variable itself ---------------------------------------------

template <typename T>
inline aclError aclrtGetSymbolAddress(const T &symbol, void **devPtr) {
  return aclrtGetSymbolAddress(acl_rt_api_detail::address_of(symbol), devPtr);
}

template <typename T>
inline aclError aclrtGetSymbolSize(const T &symbol, size_t *size) {
  return aclrtGetSymbolSize(acl_rt_api_detail::address_of(symbol), size);
}

template <typename T>
inline aclError aclrtMemcpyFromSymbol(void *dst, size_t dstMax, const T &symbol, size_t count,
                                      size_t offset, aclrtMemcpyKind kind) {
  return aclrtMemcpyFromSymbol(dst, dstMax, acl_rt_api_detail::address_of(symbol), count, offset,
                               kind);
}

template <typename T>
inline aclError aclrtMemcpyFromSymbolAsync(void *dst, size_t dstMax, const T &symbol, size_t count,
                                           size_t offset, aclrtMemcpyKind kind,
                                           aclrtStream stream) {
  return aclrtMemcpyFromSymbolAsync(dst, dstMax, acl_rt_api_detail::address_of(symbol), count,
                                    offset, kind, stream);
}

template <typename T>
inline aclError aclrtMemcpyToSymbol(const T &symbol, const void *src, size_t count, size_t offset,
                                    aclrtMemcpyKind kind) {
  return aclrtMemcpyToSymbol(acl_rt_api_detail::address_of(symbol), src, count, offset, kind);
}

template <typename T>
inline aclError aclrtMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count,
                                         size_t offset, aclrtMemcpyKind kind, aclrtStream stream) {
  return aclrtMemcpyToSymbolAsync(acl_rt_api_detail::address_of(symbol), src, count, offset, kind,
                                  stream);
}

#endif  // ACL_INCLUDE_ACL_RT_API_H_
