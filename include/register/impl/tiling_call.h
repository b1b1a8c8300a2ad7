/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the library of operators asks a package for the tiling of a call. Both may have been built at
 * different times, so these are C structures with their size. C99.
 */
#ifndef REGISTER_IMPL_TILING_CALL_H_
#define REGISTER_IMPL_TILING_CALL_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct aclsimTilingTensor {
  const int64_t* dims;
  const int64_t* storage_dims; /* the extents in memory */
  uint32_t rank;
  uint32_t storage_rank;
  int32_t data_type; /* as aclDataType */
  int32_t format;    /* as aclFormat */
  const void* data;  /* the values, where the host knows them; or null */
} aclsimTilingTensor;

/* One input or output of the operator's description. */
typedef struct aclsimTilingOperand {
  const aclsimTilingTensor* tensors;
  uint32_t count; /* 0: an optional one that is absent */
  uint32_t reserved;
} aclsimTilingOperand;

enum aclsimAttributeKind {
  ACLSIM_ATTRIBUTE_BOOL = 0,
  ACLSIM_ATTRIBUTE_INT,
  ACLSIM_ATTRIBUTE_FLOAT,
  ACLSIM_ATTRIBUTE_STRING,
  ACLSIM_ATTRIBUTE_LIST_BOOL, /* bool */
  ACLSIM_ATTRIBUTE_LIST_INT,  /* int64_t */
  ACLSIM_ATTRIBUTE_LIST_FLOAT /* float */
};
typedef struct aclsimAttribute {
  uint32_t kind; /* aclsimAttributeKind */
  uint32_t reserved;
  int64_t whole;    /* of a bool or an int */
  double real;      /* of a float */
  const char* text; /* of a string */
  const void* list; /* of a list, */
  uint64_t count;   /* and the number of its elements */
} aclsimAttribute;

typedef struct aclsimTilingCall {
  size_t size;      /* of this structure */
  const char* type; /* of the operator */
  const aclsimTilingOperand* inputs;
  const aclsimTilingOperand* outputs;
  const aclsimAttribute* attributes;
  uint32_t num_inputs;
  uint32_t num_outputs;
  uint32_t num_attributes;
  /* The results. */
  uint32_t blocks;
  uint64_t key;
  uint32_t schedule_mode;
  uint32_t local_bytes;
  uint64_t workspace;     /* in bytes */
  void* tiling;           /* a buffer of the caller */
  uint64_t tiling_size;   /* its size; then the size of the tiling data */
  uint32_t tiling_status; /* the result of the tiling function */
  uint32_t needs_atomic;  /* outputs get their first values */
} aclsimTilingCall;

/* Why there is no tiling. */
enum aclsimTilingError {
  ACLSIM_TILING_DONE = 0,
  ACLSIM_TILING_OTHER_VERSION,
  ACLSIM_TILING_UNKNOWN_OPERATOR,
  ACLSIM_TILING_WITHOUT_FUNCTION,
  ACLSIM_TILING_FAILED,
  ACLSIM_TILING_TOO_LARGE
};

/* Each package has one of these, aclsimComputeTiling. */
typedef int32_t (*aclsimTilingFunction)(aclsimTilingCall* call);

#ifdef __cplusplus
}
#endif

#endif /* REGISTER_IMPL_TILING_CALL_H_ */
