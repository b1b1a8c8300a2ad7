/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packages of operators that npu_op_package builds (docs/operators.md): what the generated code
 * passes to the library of operators, which computes the tiling and launches the kernel.
 */
#ifndef ACLNN_INCLUDE_ACLSIM_OPERATOR_PACKAGE_H_
#define ACLNN_INCLUDE_ACLSIM_OPERATOR_PACKAGE_H_

#include "aclnn/aclnn_base.h"
#include "register/impl/tiling_call.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A file of a package that is linked into a program. */
typedef struct aclsimPackagedFile {
  const char* path; /* below op_impl/ai_core/tbe */
  const void* begin;
  const void* end;
} aclsimPackagedFile;

typedef struct aclsimOperatorPackage {
  size_t size; /* of this structure */
  const char* name;
  /* NULL: the structure is in a library op_api/lib/libcust_opapi.so, and the package is the folder
   * above it. Otherwise the package is in the program: */
  aclsimTilingFunction tiling;
  const aclsimPackagedFile* files;
  uint64_t num_files;
} aclsimOperatorPackage;

enum aclsimPackagedOperandKind {
  ACLSIM_PACKAGED_TENSOR = 0,  /* aclTensor */
  ACLSIM_PACKAGED_TENSOR_LIST, /* aclTensorList */
  ACLSIM_PACKAGED_SCALAR,      /* aclScalar: a tensor of one element */
  ACLSIM_PACKAGED_SCALAR_LIST, /* aclScalarList: a tensor of one dimension */
  ACLSIM_PACKAGED_INT_ARRAY,   /* the same: tensors whose values the tiling knows */
  ACLSIM_PACKAGED_FLOAT_ARRAY,
  ACLSIM_PACKAGED_BOOL_ARRAY
};
#define ACLSIM_PACKAGED_OUTPUT 0x1U
#define ACLSIM_PACKAGED_OPTIONAL 0x2U   /* value may be NULL */
#define ACLSIM_PACKAGED_STRIDED 0x4U    /* a tensor need not be contiguous */
#define ACLSIM_PACKAGED_CONTIGUOUS 0x8U /* a tensor that is not is copied into the workspace */

typedef struct aclsimPackagedOperand {
  const char* name;
  const void* value;
  uint32_t kind;  /* aclsimPackagedOperandKind */
  uint32_t flags; /* ACLSIM_PACKAGED_OUTPUT and so on */
} aclsimPackagedOperand;

/* As aclsimAttribute; of a list `list` is an aclBoolArray, aclIntArray or aclFloatArray. */
typedef struct aclsimPackagedAttribute {
  const char* name;
  aclsimAttribute value;
} aclsimPackagedAttribute;

typedef struct aclsimPackagedCall {
  size_t size;          /* of this structure */
  const char* function; /* "aclnnAddCustom", a literal */
  const char* type;     /* "AddCustom" */
  const aclsimOperatorPackage* package;
  const aclsimPackagedOperand* operands; /* inputs, then outputs */
  const aclsimPackagedAttribute* attributes;
  uint32_t num_operands;
  uint32_t num_attributes;
} aclsimPackagedCall;

/*
 * The first phase. 161001: an operand that is not optional, workspaceSize or executor is NULL.
 * 161002: types, formats or a layout that no kernel of the package has. 561003: the package has no
 * kernel for the emulated chip. 561002: the tiling function failed.
 */
ACL_META_API aclnnStatus aclsimPlanPackaged(const aclsimPackagedCall* call, uint64_t* workspaceSize,
                                            aclOpExecutor** executor);

/* The second phase. */
ACL_META_API aclnnStatus aclsimRunPackaged(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNN_INCLUDE_ACLSIM_OPERATOR_PACKAGE_H_ */
