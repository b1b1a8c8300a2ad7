/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The emulator's extension of operators: a program defines its own operators as host functions. A
 * library of them is built under the name that clients look for, libcust_opapi.so
 * (docs/operators.md, samples/24_custom_operator).
 */
#ifndef ACLNN_INCLUDE_ACLSIM_OPERATOR_H_
#define ACLNN_INCLUDE_ACLSIM_OPERATOR_H_

#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACLSIM_OPERAND_READ 0x1U
#define ACLSIM_OPERAND_WRITE 0x2U

/* A tensor of the call. */
typedef struct aclsimOperand {
  const aclTensor* tensor; /* NULL: an optional one that was not given */
  const char* name;        /* in messages; a literal */
  uint32_t access;         /* ACLSIM_OPERAND_READ, ACLSIM_OPERAND_WRITE or both */
  uint32_t optional;       /* 0: a NULL tensor is refused */
} aclsimOperand;

/* A tensor while the operator runs: element (i0..in) is at data + (sum of i * strides) * size of an
 * element. */
typedef struct aclsimOperandView {
  void* data; /* NULL: it was not given */
  aclDataType dataType;
  uint32_t rank;
  int64_t dims[8];
  int64_t strides[8]; /* in elements */
} aclsimOperandView;

/* One piece of one run. Valid during the call. */
typedef struct aclsimOperatorCall {
  size_t size;                       /* of this structure, in bytes */
  const aclsimOperandView* operands; /* as many as were planned, in their order */
  uint32_t numOperands;
  uint32_t piece; /* 0 .. pieces - 1 */
  uint32_t pieces;
  const void* attributes; /* the copy of the attributes, aligned to 16 bytes */
} aclsimOperatorCall;

/* Does one piece; pieces may run at the same time, in any order, in threads of the devices. It must
 * not call ACL. 0, or anything else: the operator fails, and the stream reports 507015. */
typedef int32_t (*aclsimOperatorFunction)(const aclsimOperatorCall* call);

typedef struct aclsimOperator {
  size_t size;      /* sizeof(aclsimOperator) */
  const char* name; /* "aclnnScaledAdd"; a literal. Traces show it without aclnn */
  aclsimOperatorFunction function;
  const aclsimOperand* operands;
  uint32_t numOperands;
  uint32_t pieces;        /* 1 or more */
  const void* attributes; /* copied; NULL when attributesSize is 0 */
  size_t attributesSize;  /* in bytes */
} aclsimOperator;

/*
 * The first phase of an operator. Shapes and types are the operator's to check; what is refused
 * there is refused by aclsimRefuseOperator. 161001: op, its name, function, operands, a tensor that
 * is not optional, workspaceSize or executor is NULL; 161002: size is too small, pieces is 0, a
 * tensor has more than 8 dims.
 */
ACL_META_API aclnnStatus aclsimPlanOperator(const aclsimOperator* op, uint64_t* workspaceSize,
                                            aclOpExecutor** executor);

/* The second phase of it. */
ACL_META_API aclnnStatus aclsimRunOperator(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

/* Leaves "<name>: <text>" for aclGetRecentErrMsg and returns `code`, 161002 for instance. */
ACL_META_API aclnnStatus aclsimRefuseOperator(const char* name, aclnnStatus code, const char* text);

#ifdef __cplusplus
}
#endif

#endif /* ACLNN_INCLUDE_ACLSIM_OPERATOR_H_ */
