/* SPDX-License-Identifier: Apache-2.0
 * Codes, limits and structures of SHMEM's host interface. */
#ifndef SHMEM_HOST_DEF_H
#define SHMEM_HOST_DEF_H

#include "../host_device/shmem_common_types.h"

#define ACLSHMEM_HOST_API __attribute__((visibility("default")))

#define ACLSHMEM_MAJOR_VERSION 1
#define ACLSHMEM_MINOR_VERSION 1
#define ACLSHMEM_VENDOR_MAJOR_VER 1
#define ACLSHMEM_VENDOR_MINOR_VER 1
#define ACLSHMEM_VENDOR_PATCH_VER 1
#define ACLSHMEM_MAX_NAME_LEN 256
#define ACLSHMEM_MAX_IP_PORT_LEN 64
#define ACLSHMEM_MAX_LOCAL_SIZE (40UL * 1024UL * 1024UL * 1024UL)
#define ACLSHMEM_UNIQUE_ID_INNER_LEN 124
#define ACLSHMEM_UNIQUEID_VERSION ((1 << 16) + 136)
#define ACLSHMEM_UNIQUEID_INITIALIZER      \
  {                                        \
    ACLSHMEM_UNIQUEID_VERSION, 0, 0, { 0 } \
  }
#ifdef __cplusplus
constexpr int DEFAULT_TIMEOUT = 120; /* seconds */
#else
#define DEFAULT_TIMEOUT 120
#endif

typedef enum {
  ACLSHMEM_SUCCESS = 0,
  ACLSHMEM_INVALID_PARAM = -1,
  ACLSHMEM_INVALID_VALUE = -2, /* out of range */
  ACLSHMEM_SMEM_ERROR = -3,
  ACLSHMEM_INNER_ERROR = -4,
  ACLSHMEM_NOT_INITED = -5,
  ACLSHMEM_BOOTSTRAP_ERROR = -6,
  ACLSHMEM_TIMEOUT_ERROR = -7,
  ACLSHMEM_MALLOC_FAILED = -8,
  ACLSHMEM_DL_FUNC_FAILED = -9,
  ACLSHMEM_INNER_TIMEOUT = -10,
  ACLSHMEM_UNDER_API_UNLOAD = -11,
  ACLSHMEM_NOT_SUPPORTED = -100,
} aclshmem_error_code_t;

typedef enum {
  ACLSHMEM_STATUS_NOT_INITIALIZED = 0,
  ACLSHMEM_STATUS_SHM_CREATED = 1,
  ACLSHMEM_STATUS_IS_INITIALIZED = 2,
  ACLSHMEM_STATUS_INVALID = 0x7fffffff,
} aclshmemx_init_status_t;

/* The bootstrap method. */
typedef enum {
  ACLSHMEMX_INIT_WITH_DEFAULT = 1,  /* attr.ip_port */
  ACLSHMEMX_INIT_WITH_MPI = 2,      /* attr.comm_args, an MPI_Comm*; NULL: MPI_COMM_WORLD */
  ACLSHMEMX_INIT_WITH_UNIQUEID = 8, /* attr.comm_args */
  ACLSHMEMX_INIT_MAX = (int)0x80000000,
} aclshmemx_bootstrap_t;

/* Decrypts the password of a private key: 0 means that plain_text holds the result. */
#ifdef __cplusplus
typedef int (*aclshmem_decrypt_handler)(const char* cipher_text, size_t cipher_text_len,
                                        char* plain_text, size_t& plain_text_len);
#else
typedef int (*aclshmem_decrypt_handler)(const char* cipher_text, size_t cipher_text_len,
                                        char* plain_text, size_t* plain_text_len);
#endif

/* All timeouts in seconds. */
typedef struct {
  int version;
  data_op_engine_type_t data_op_engine_type;
  uint32_t shm_init_timeout;          /* limit of the time that PEs wait for each other in init */
  uint32_t shm_create_timeout;        /* ignored */
  uint32_t control_operation_timeout; /* the same limit in allocations, barriers and finalize */
  int32_t sockFd;                     /* ignored */
} aclshmem_init_optional_attr_t;

#ifdef __cplusplus
struct aclshmemx_init_attr_t {
  int my_pe = 0;
  int n_pes = 0;
  char ip_port[ACLSHMEM_MAX_IP_PORT_LEN] = {};
  uint64_t local_mem_size = 0;
  aclshmem_init_optional_attr_t option_attr = {
      (1 << 16) + 120, ACLSHMEM_DATA_OP_MTE, 120, 120, 120, 0};
  void* comm_args = nullptr;
  uint64_t instance_id = 0;
};
#else
typedef struct {
  int my_pe;
  int n_pes;
  char ip_port[ACLSHMEM_MAX_IP_PORT_LEN]; /* "tcp://host:port", at which PE 0 listens */
  uint64_t local_mem_size;                /* of each PE's heap; equal on all PEs */
  aclshmem_init_optional_attr_t option_attr;
  void* comm_args; /* for ACLSHMEMX_INIT_WITH_UNIQUEID: an aclshmemx_uniqueid_t */
  uint64_t instance_id;
} aclshmemx_init_attr_t;
#endif

/* Opaque bytes that the program carries from PE 0 to the others. */
typedef struct {
  int32_t version;
  int my_pe;
  int n_pes;
  char internal[ACLSHMEM_UNIQUE_ID_INNER_LEN];
} aclshmemx_uniqueid_t;

#endif
