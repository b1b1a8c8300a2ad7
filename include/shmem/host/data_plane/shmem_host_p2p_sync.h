/* SPDX-License-Identifier: Apache-2.0
 * Waits for words that other PEs change. */
#ifndef SHMEM_HOST_P2P_SYNC_H
#define SHMEM_HOST_P2P_SYNC_H

#include "../shmem_host_def.h"
#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An opaque number that is passed to kernels and not read; 0 before init. */
ACLSHMEM_HOST_API uint64_t util_get_ffts_config(void);
/* The stream waits for the operations of this PE with a team. */
ACLSHMEM_HOST_API void aclshmemx_handle_wait(aclshmem_handle_t handle, aclrtStream stream);

/* cmp: an aclshmem_cmp_op_type_t; other values are logged. If a PE dies, the wait ends and an error
 * is logged. */
ACLSHMEM_HOST_API void aclshmem_signal_wait_until(int32_t* sig_addr, int cmp, int32_t cmp_val);
ACLSHMEM_HOST_API void aclshmemx_signal_wait_until_on_stream(int32_t* sig_addr, int cmp,
                                                             int32_t cmp_val, aclrtStream stream);

/* wait: until the word is not cmp_value. Element i is left out if status[i] is not 0; with a NULL
 * status all elements are used. any: returns the index, SIZE_MAX if all elements are left out.
 * some: returns a number of elements; their indices are in `indices`. vector: each element has a
 * value of its own. test: checks once. */
#define ACLSHMEM_DECLARE(NAME, TYPE)                                                               \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_wait(TYPE* ivar, TYPE cmp_value);                       \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_wait_until(TYPE* ivar, int cmp, TYPE cmp_value);        \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_wait_until_all(                                         \
      TYPE* ivars, size_t nelems, const int* status, int cmp, TYPE cmp_value);                     \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_wait_until_any(                                         \
      TYPE* ivars, size_t nelems, const int* status, int cmp, TYPE cmp_value, size_t* res_out);    \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_wait_until_some(                                        \
      TYPE* ivars, size_t nelems, size_t* indices, const int* status, int cmp, TYPE cmp_value,     \
      size_t* res_out);                                                                            \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_wait_until_all_vector(                                  \
      TYPE* ivars, size_t nelems, const int* status, int cmp, TYPE* cmp_values);                   \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_wait_until_any_vector(                                  \
      TYPE* ivars, size_t nelems, const int* status, int cmp, TYPE* cmp_values, size_t* res_out);  \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_wait_until_some_vector(                                 \
      TYPE* ivars, size_t nelems, size_t* indices, const int* status, int cmp, TYPE* cmp_values,   \
      size_t* res_out);                                                                            \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_test(TYPE* ivars, int cmp, TYPE cmp_value,              \
                                                int* res_out);                                     \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_test_any(TYPE* ivars, size_t nelems, const int* status, \
                                                    int cmp, TYPE cmp_value, size_t* res_out);     \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_test_some(TYPE* ivars, size_t nelems, size_t* indices,  \
                                                     const int* status, int cmp, TYPE cmp_value,   \
                                                     size_t* res_out);                             \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_test_all_vector(                                        \
      TYPE* ivars, size_t nelems, const int* status, int cmp, TYPE* cmp_values, int* res_out);     \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_test_any_vector(                                        \
      TYPE* ivars, size_t nelems, const int* status, int cmp, TYPE* cmp_values, size_t* res_out);  \
  ACLSHMEM_HOST_API void aclshmem_##NAME##_test_some_vector(                                       \
      TYPE* ivars, size_t nelems, size_t* indices, const int* status, int cmp, TYPE* cmp_values,   \
      size_t* res_out);
ACLSHMEM_P2P_SYNC_TYPE_FUNC(ACLSHMEM_DECLARE)
#undef ACLSHMEM_DECLARE

#ifdef __cplusplus
}
#endif

#endif
