/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arguments of operators (aclnnop/): descriptions of tensors in device memory, scalars and
 * lists of the host, and executors. Any thread may call all functions, but two threads must not use
 * one object at the same time. A program may declare the types itself and define ACLNN_META first.
 *
 * Codes (aclnnStatus): 0 success; 161001 a pointer is NULL; 161002 the operator does not accept a
 * type, shape or attribute; 361001 the runtime refused the call (no device, a stale stream, freed
 * memory); 561003 the operator does not exist; 561000 no live executor; 561103 an executor or one
 * of its tensors is NULL. aclGetRecentErrMsg() names the argument, its value and the expected
 * values.
 */
#ifndef ACLNN_INCLUDE_ACL_META_H_
#define ACLNN_INCLUDE_ACL_META_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifndef ACLNN_META
#define ACLNN_META

typedef struct aclOpExecutor aclOpExecutor;
typedef struct aclTensor aclTensor;
typedef struct aclScalar aclScalar;
typedef struct aclIntArray aclIntArray;
typedef struct aclFloatArray aclFloatArray;
typedef struct aclBoolArray aclBoolArray;
typedef struct aclTensorList aclTensorList;
typedef struct aclScalarList aclScalarList;
typedef int32_t aclnnStatus;
#ifdef __cplusplus
constexpr aclnnStatus OK = 0;
#else
static const aclnnStatus OK __attribute__((unused)) = 0;
#endif

#endif /* ACLNN_META */

#ifdef __cplusplus
extern "C" {
#endif

#define ACL_META_API __attribute__((visibility("default")))

/* ---- tensors --------------------------------------------------------------------------------- */

/*
 * A description of `viewDimsNum` dims of elements in memory of the device; it copies all arrays and
 * owns no memory. Element (i0..in) lies (offset + sum of i * stride) elements behind `tensorData`.
 * Dims, strides and the offset count elements (nibbles for ACL_INT4). `stride` NULL: contiguous.
 * Strides may be 0 and elements may overlap. `viewDimsNum` 0: one element. `storageDims` and
 * `format` are labels. NULL when `viewDims` or `storageDims` is NULL while its number is not 0, or
 * when a number is above 64; nothing else is looked at before an operator takes the tensor.
 */
ACL_META_API aclTensor* aclCreateTensor(const int64_t* viewDims, uint64_t viewDimsNum,
                                        aclDataType dataType, const int64_t* stride, int64_t offset,
                                        aclFormat format, const int64_t* storageDims,
                                        uint64_t storageDimsNum, void* tensorData);
/* Describes an existing object anew. 161001: tensor is NULL, or dims as in aclCreateTensor; 161002:
 * a number of dims is above 64. */
ACL_META_API aclnnStatus aclInitTensor(aclTensor* tensor, const int64_t* viewDims,
                                       uint64_t viewDimsNum, aclDataType dataType,
                                       const int64_t* stride, int64_t offset, aclFormat format,
                                       const int64_t* storageDims, uint64_t storageDimsNum,
                                       void* tensorDataAddr);
/* The memory stays. May follow the call that enqueues an operator at once, but for outputs whose
 * size the operator computes. 0, also for NULL. */
ACL_META_API aclnnStatus aclDestroyTensor(const aclTensor* tensor);

/* 161001: a NULL argument. Arrays are made with new[] and belong to the caller (delete[]). */
ACL_META_API aclnnStatus aclGetViewShape(const aclTensor* tensor, int64_t** viewDims,
                                         uint64_t* viewDimsNum);
ACL_META_API aclnnStatus aclGetStorageShape(const aclTensor* tensor, int64_t** storageDims,
                                            uint64_t* storageDimsNum);
/* The computed strides, if the caller gave none. */
ACL_META_API aclnnStatus aclGetViewStrides(const aclTensor* tensor, int64_t** stridesValue,
                                           uint64_t* stridesNum);
ACL_META_API aclnnStatus aclGetViewOffset(const aclTensor* tensor, int64_t* offset);
ACL_META_API aclnnStatus aclGetFormat(const aclTensor* tensor, aclFormat* format);
ACL_META_API aclnnStatus aclGetDataType(const aclTensor* tensor, aclDataType* dataType);
ACL_META_API aclnnStatus aclGetRawTensorAddr(const aclTensor* tensor, void** addr);
/* Before the first phase of an operator or after the second. 161001: tensor is NULL. */
ACL_META_API aclnnStatus aclSetRawTensorAddr(aclTensor* tensor, void* addr);

/* ---- scalars and lists of the host ----------------------------------------------------------- */

/* Copies the value. NULL when `value` is NULL. */
ACL_META_API aclScalar* aclCreateScalar(void* value, aclDataType dataType);
ACL_META_API aclnnStatus aclDestroyScalar(const aclScalar* scalar);

/* Copies `size` values; 0 with NULL is an empty list. NULL when `value` is NULL while `size` is not
 * 0, or when `size` is above 2^28; lists of tensors and scalars likewise. */
ACL_META_API aclIntArray* aclCreateIntArray(const int64_t* value, uint64_t size);
ACL_META_API aclnnStatus aclDestroyIntArray(const aclIntArray* array);
ACL_META_API aclnnStatus aclGetIntArraySize(const aclIntArray* array, uint64_t* size);
ACL_META_API aclFloatArray* aclCreateFloatArray(const float* value, uint64_t size);
ACL_META_API aclnnStatus aclDestroyFloatArray(const aclFloatArray* array);
ACL_META_API aclnnStatus aclGetFloatArraySize(const aclFloatArray* array, uint64_t* size);
ACL_META_API aclBoolArray* aclCreateBoolArray(const bool* value, uint64_t size);
ACL_META_API aclnnStatus aclDestroyBoolArray(const aclBoolArray* array);
ACL_META_API aclnnStatus aclGetBoolArraySize(const aclBoolArray* array, uint64_t* size);

/* A list of pointers: it owns the tensors, and destroying it destroys them. Entries may be NULL. */
ACL_META_API aclTensorList* aclCreateTensorList(const aclTensor* const* value, uint64_t size);
ACL_META_API aclnnStatus aclDestroyTensorList(const aclTensorList* array);
ACL_META_API aclnnStatus aclGetTensorListSize(const aclTensorList* tensorList, uint64_t* size);
ACL_META_API aclScalarList* aclCreateScalarList(const aclScalar* const* value, uint64_t size);
ACL_META_API aclnnStatus aclDestroyScalarList(const aclScalarList* array);
ACL_META_API aclnnStatus aclGetScalarListSize(const aclScalarList* scalarList, uint64_t* size);

/* ---- executors ------------------------------------------------------------------------------- */

/*
 * Between the first phase and the first second phase: the executor survives the second phase, and
 * may be run again until it is destroyed. It keeps what it knows of its tensors, and reads their
 * addresses when it is run. 561103: NULL; 561000: no live executor.
 */
ACL_META_API aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor* executor);
/* Destroys a repeatable executor, or an executor whose second phase never ran. */
ACL_META_API aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor);

/*
 * Sets another address for the next executions of a repeatable executor, and in the tensor. The
 * handle of the tensor identifies the argument (or arguments), among all of them, the inputs or the
 * outputs; `index` is ignored. 561103: executor or tensor is NULL (if only the executor is, the
 * address is set in the tensor); 561000: no live executor; 161002: the tensor is no such argument.
 */
ACL_META_API aclnnStatus aclSetTensorAddr(aclOpExecutor* executor, const size_t index,
                                          aclTensor* tensor, void* addr);
ACL_META_API aclnnStatus aclSetInputTensorAddr(aclOpExecutor* executor, const size_t index,
                                               aclTensor* tensor, void* addr);
ACL_META_API aclnnStatus aclSetOutputTensorAddr(aclOpExecutor* executor, const size_t index,
                                                aclTensor* tensor, void* addr);
/* The same for member `relativeIndex` of a list; `irIndex` is ignored. */
ACL_META_API aclnnStatus aclSetDynamicTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                                 const size_t relativeIndex, aclTensorList* tensors,
                                                 void* addr);
ACL_META_API aclnnStatus aclSetDynamicInputTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                                      const size_t relativeIndex,
                                                      aclTensorList* tensors, void* addr);
ACL_META_API aclnnStatus aclSetDynamicOutputTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                                       const size_t relativeIndex,
                                                       aclTensorList* tensors, void* addr);
/* Older spellings. */
ACL_META_API aclnnStatus AclSetTensorAddr(aclOpExecutor* executor, const size_t index,
                                          aclTensor* tensor, void* addr);
ACL_META_API aclnnStatus AclSetInputTensorAddr(aclOpExecutor* executor, const size_t index,
                                               aclTensor* tensor, void* addr);
ACL_META_API aclnnStatus AclSetOutputTensorAddr(aclOpExecutor* executor, const size_t index,
                                                aclTensor* tensor, void* addr);
ACL_META_API aclnnStatus AclSetDynamicTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                                 const size_t relativeIndex, aclTensorList* tensors,
                                                 void* addr);
ACL_META_API aclnnStatus AclSetDynamicInputTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                                      const size_t relativeIndex,
                                                      aclTensorList* tensors, void* addr);
ACL_META_API aclnnStatus AclSetDynamicOutputTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                                       const size_t relativeIndex,
                                                       aclTensorList* tensors, void* addr);

/* 0, and nothing is written: where a dump is configured, operators are dumped with their tasks. */
ACL_META_API aclnnStatus aclDumpOpTensors(const char* opType, const char* opName,
                                          aclTensor** tensors, size_t inputTensorNum,
                                          size_t outputTensorNum, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNN_INCLUDE_ACL_META_H_ */
