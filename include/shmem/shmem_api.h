/* SPDX-License-Identifier: Apache-2.0
 * SHMEM with the names and structures of its first versions. shmem.h describes the functions; most
 * names there begin with aclshmem_ instead of shmem_. A program includes one of the two headers. */
#ifndef SHMEM_API_H
#define SHMEM_API_H

#ifdef ACLSHMEM_SHMEM_H
#error "shmem.h and shmem_api.h are two versions of one interface: include one of them"
#endif

#ifndef __cplusplus
#include <stdbool.h>
#endif
#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

#define SHMEM_HOST_API __attribute__((visibility("default")))
#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 1
#define SHMEM_VENDOR_MAJOR_VER 1
#define SHMEM_VENDOR_MINOR_VER 1
#define SHMEM_VENDOR_PATCH_VER 1
#define SHMEM_MAX_NAME_LEN 256
#define SHMEM_MAX_RANKS 16384
#define SHMEM_MAX_TEAMS 2048 /* at most 64 exist at a time */
#define SHMEM_MAX_LOCAL_SIZE (40UL * 1024UL * 1024UL * 1024UL)
#define SHMEM_SIGNAL_SIZE 8
#define SHMEM_PAGE_SIZE (1024UL * 1024UL * 2)
#define SHMEM_SYNCBIT_SIZE 64
#define SHMEM_MAX_IP_PORT_LEN 64
#define SHMEM_HEAP_ALIGNMENT_SIZE (1024UL * 1024UL * 1024UL)
#define SHMEM_EXTRA_SIZE (6UL * 1024UL * 1024UL)
#define SHMEM_BARRIER_TG_DISSEM_KVAL 8
#define SHMEM_MAX_AIV_PER_NPU 48
#define SHMEM_CYCLE_PROF_MAX_BLOCK 64
#define SHMEM_CYCLE_PROF_FRAME_CNT 1024
#define SYNC_ARRAY_SIZE (64 * 5 * 8)
#define SYNC_POOL_SIZE (SYNC_ARRAY_SIZE * SHMEM_MAX_TEAMS)
/* For unique ids; only shmem.h has functions for them. */
#define SHMEM_UNIQUE_ID_INNER_LEN 124
#define SHMEM_UNIQUEID_VERSION ((1 << 16) + 136)
#define SHMEM_UNIQUEID_INITIALIZER \
  {                                \
    SHMEM_UNIQUEID_VERSION, { 0 }  \
  }
#ifdef __cplusplus
constexpr int DEFAULT_TIMEOUT = 120; /* seconds */
#else
#define DEFAULT_TIMEOUT 120
#endif

/* The functions that exist once for each type: FUNC(name, type). */
#define SHMEM_P2P_SYNC_TYPE_FUNC(FUNC) \
  FUNC(float, float)                   \
  FUNC(int8, int8_t)                   \
  FUNC(int16, int16_t)                 \
  FUNC(int32, int32_t)                 \
  FUNC(int64, int64_t)                 \
  FUNC(uint8, uint8_t)                 \
  FUNC(uint16, uint16_t)               \
  FUNC(uint32, uint32_t)               \
  FUNC(uint64, uint64_t)               \
  FUNC(char, char)
#define SHMEM_TYPE_FUNC(FUNC)    \
  SHMEM_P2P_SYNC_TYPE_FUNC(FUNC) \
  FUNC(double, double)
/* The functions that exist once for each size: FUNC(bits). */
#define SHMEM_SIZE_FUNC(FUNC) FUNC(8) FUNC(16) FUNC(32) FUNC(64) FUNC(128)

typedef enum {
  SHMEM_SUCCESS = 0,
  SHMEM_INVALID_PARAM = -1,
  SHMEM_INVALID_VALUE = -2,
  SHMEM_SMEM_ERROR = -3,
  SHMEM_INNER_ERROR = -4,
  SHMEM_NOT_INITED = -5,
} shmem_error_code_t;

typedef enum {
  SHMEM_STATUS_NOT_INITIALIZED = 0,
  SHMEM_STATUS_SHM_CREATED = 1,
  SHMEM_STATUS_IS_INITIALIZED = 2,
  SHMEM_STATUS_INVALID = 0x7fffffff,
} shmem_init_status_t;

typedef enum {
  SHMEM_DATA_OP_MTE = 0x01,
  SHMEM_DATA_OP_SDMA = 0x02,
  SHMEM_DATA_OP_ROCE = 0x04,
} data_op_engine_type_t;

typedef enum {
  SHMEM_TEAM_INVALID = -1,
  SHMEM_TEAM_WORLD = 0,
} shmem_team_index_t;

enum {
  SHMEM_SIGNAL_SET = 0,
  SHMEM_SIGNAL_ADD = 1,
};

enum {
  SHMEM_CMP_EQ = 0,
  SHMEM_CMP_NE = 1,
  SHMEM_CMP_GT = 2,
  SHMEM_CMP_GE = 3,
  SHMEM_CMP_LT = 4,
  SHMEM_CMP_LE = 5,
};

typedef int shmem_team_t;

typedef struct {
  int num_contexts;
} shmem_team_config_t;

/* All timeouts in seconds. */
typedef struct {
  int version;
  data_op_engine_type_t data_op_engine_type;
  uint32_t shm_init_timeout;
  uint32_t shm_create_timeout;
  uint32_t control_operation_timeout;
} shmem_init_optional_attr_t;

typedef struct {
  int my_rank;
  int n_ranks;
  const char* ip_port;
  uint64_t local_mem_size;
  shmem_init_optional_attr_t option_attr;
} shmem_init_attr_t;

#ifdef __cplusplus
typedef int (*shmem_decrypt_handler)(const char* cipher_text, size_t cipher_text_len,
                                     char* plain_text, size_t& plain_text_len);
extern "C" {
#else
typedef int (*shmem_decrypt_handler)(const char* cipher_text, size_t cipher_text_len,
                                     char* plain_text, size_t* plain_text_len);
#endif

/* Fills a structure that the process has once, and stores its address. -1: NULL. -2: a value above
 * its limit. */
SHMEM_HOST_API int shmem_set_attr(int my_rank, int n_ranks, uint64_t local_mem_size,
                                  const char* ip_port, shmem_init_attr_t** attributes);
/* -1: attributes is NULL. */
SHMEM_HOST_API int shmem_set_data_op_engine_type(shmem_init_attr_t* attributes,
                                                 data_op_engine_type_t value);
/* All three timeouts, in seconds; above 600 with a notice on standard error. -1: attributes is
 * NULL. */
SHMEM_HOST_API int shmem_set_timeout(shmem_init_attr_t* attributes, uint32_t value);
SHMEM_HOST_API int shmem_init_status(void);
SHMEM_HOST_API int shmem_init_attr(shmem_init_attr_t* attributes);
SHMEM_HOST_API int shmem_finalize(void);
SHMEM_HOST_API void shmem_info_get_version(int* major, int* minor);
SHMEM_HOST_API void shmem_info_get_name(char* name);
SHMEM_HOST_API void shmem_global_exit(int status);
SHMEM_HOST_API int32_t shmem_set_conf_store_tls(bool enable, const char* tls_info,
                                                const uint32_t tls_info_len);
SHMEM_HOST_API int32_t shmem_set_config_store_tls_key(const char* tls_pk, const uint32_t tls_pk_len,
                                                      const char* tls_pk_pw,
                                                      const uint32_t tls_pk_pw_len,
                                                      const shmem_decrypt_handler decrypt_handler);
/* The handler that decrypts the password of the private key if shmem_set_config_store_tls_key gets
 * none. Called before or after that function, and before init. NULL removes the handler. Returns 0.
 */
SHMEM_HOST_API int32_t shmem_register_decrypt_handler(const shmem_decrypt_handler handler);
SHMEM_HOST_API int32_t shmem_set_log_level(int level);
SHMEM_HOST_API int32_t shmem_set_extern_logger(void (*func)(int level, const char* msg));

SHMEM_HOST_API void* shmem_malloc(size_t size);
SHMEM_HOST_API void* shmem_calloc(size_t nmemb, size_t size);
SHMEM_HOST_API void* shmem_align(size_t alignment, size_t size);
SHMEM_HOST_API void shmem_free(void* ptr);

SHMEM_HOST_API int shmem_my_pe(void);
SHMEM_HOST_API int shmem_n_pes(void);
SHMEM_HOST_API int shmem_team_my_pe(shmem_team_t team);
SHMEM_HOST_API int shmem_team_n_pes(shmem_team_t team);
SHMEM_HOST_API int shmem_team_split_strided(shmem_team_t parent_team, int pe_start, int pe_stride,
                                            int pe_size, shmem_team_t* new_team);
SHMEM_HOST_API int shmem_team_split_2d(shmem_team_t parent_team, int x_range, shmem_team_t* x_team,
                                       shmem_team_t* y_team);
SHMEM_HOST_API int shmem_team_translate_pe(shmem_team_t src_team, int src_pe,
                                           shmem_team_t dest_team);
SHMEM_HOST_API void shmem_team_destroy(shmem_team_t team);
SHMEM_HOST_API int shmem_team_get_config(shmem_team_t team, shmem_team_config_t* config);

SHMEM_HOST_API void* shmem_ptr(void* ptr, int pe);
SHMEM_HOST_API void shmem_putmem(void* dst, void* src, size_t elem_size, int32_t pe);
SHMEM_HOST_API void shmem_getmem(void* dst, void* src, size_t elem_size, int32_t pe);
SHMEM_HOST_API void shmem_putmem_nbi(void* dst, void* src, size_t elem_size, int32_t pe);
SHMEM_HOST_API void shmem_getmem_nbi(void* dst, void* src, size_t elem_size, int32_t pe);
SHMEM_HOST_API void shmem_putmem_signal(void* dst, void* src, size_t elem_size, void* sig_addr,
                                        int32_t signal, int sig_op, int pe);
SHMEM_HOST_API void shmem_putmem_signal_nbi(void* dst, void* src, size_t elem_size, void* sig_addr,
                                            int32_t signal, int sig_op, int pe);
SHMEM_HOST_API int shmem_mte_set_ub_params(uint64_t offset, uint32_t ub_size, uint32_t event_id);
/* Returns when the stream is synchronised. */
SHMEM_HOST_API void shmemx_getmem_on_stream(void* dst, void* src, size_t elem_size, int32_t pe,
                                            aclrtStream stream);

#define SHMEM_DECLARE(NAME, TYPE)                                                                  \
  SHMEM_HOST_API void shmem_put_##NAME##_mem(TYPE* dest, TYPE* source, size_t nelems, int pe);     \
  SHMEM_HOST_API void shmem_put_##NAME##_mem_nbi(TYPE* dest, TYPE* source, size_t nelems, int pe); \
  SHMEM_HOST_API void shmem_get_##NAME##_mem(TYPE* dest, TYPE* source, size_t nelems, int pe);     \
  SHMEM_HOST_API void shmem_get_##NAME##_mem_nbi(TYPE* dest, TYPE* source, size_t nelems, int pe); \
  SHMEM_HOST_API void shmem_##NAME##_p(TYPE* dst, const TYPE value, int pe);                       \
  SHMEM_HOST_API TYPE shmem_##NAME##_g(TYPE* src, int32_t pe);                                     \
  SHMEM_HOST_API void shmem_put_##NAME##_mem_signal(TYPE* dst, TYPE* src, size_t elem_size,        \
                                                    uint8_t* sig_addr, int32_t signal, int sig_op, \
                                                    int pe);                                       \
  SHMEM_HOST_API void shmem_put_##NAME##_mem_signal_nbi(TYPE* dst, TYPE* src, size_t elem_size,    \
                                                        uint8_t* sig_addr, int32_t signal,         \
                                                        int sig_op, int pe);
SHMEM_TYPE_FUNC(SHMEM_DECLARE)
#undef SHMEM_DECLARE

SHMEM_HOST_API uint64_t shmemx_get_ffts_config(void);
SHMEM_HOST_API void shmem_barrier(shmem_team_t team);
SHMEM_HOST_API void shmem_barrier_all(void);
/* Return when the stream is synchronised. */
SHMEM_HOST_API void shmemx_barrier_on_stream(shmem_team_t team, aclrtStream stream);
SHMEM_HOST_API void shmemx_barrier_all_on_stream(aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
