/* SPDX-License-Identifier: Apache-2.0
 * Types and limits of SHMEM that host code and kernels share. */
#ifndef SHMEM_COMMON_TYPES_H
#define SHMEM_COMMON_TYPES_H

#include <stddef.h>
#include <stdint.h>

#define ACLSHMEM_MAX_PES 16384
#define ACLSHMEM_MAX_TEAMS 2048 /* at most 64 exist at a time */
#define ACLSHMEM_SIGNAL_SIZE 8
#define ACLSHMEM_PAGE_SIZE (1024UL * 1024UL * 2)
#define ACLSHMEM_HEAP_ALIGNMENT_SIZE (1024UL * 1024UL * 1024UL)
#define ACLSHMEM_EXTRA_SIZE (6UL * 1024UL * 1024UL)
#define ACLSHMEM_SYNCBIT_SIZE 64
#define ACLSHMEM_BARRIER_TG_DISSEM_KVAL 8
#define ACLSHMEM_MAX_AIV_PER_NPU 48
#define ACLSHMEM_CYCLE_PROF_MAX_BLOCK 64
#define ACLSHMEM_CYCLE_PROF_FRAME_CNT 1024
#define SYNC_ARRAY_SIZE (64 * 5 * 8)
#define SYNC_POOL_SIZE (SYNC_ARRAY_SIZE * ACLSHMEM_MAX_TEAMS)

/* The functions that exist once for each type: FUNC(name, type). */
#define ACLSHMEM_P2P_SYNC_TYPE_FUNC(FUNC) \
  FUNC(float, float)                      \
  FUNC(int8, int8_t)                      \
  FUNC(int16, int16_t)                    \
  FUNC(int32, int32_t)                    \
  FUNC(int64, int64_t)                    \
  FUNC(uint8, uint8_t)                    \
  FUNC(uint16, uint16_t)                  \
  FUNC(uint32, uint32_t)                  \
  FUNC(uint64, uint64_t)                  \
  FUNC(char, char)
#define ACLSHMEM_TYPE_FUNC(FUNC)    \
  ACLSHMEM_P2P_SYNC_TYPE_FUNC(FUNC) \
  FUNC(double, double)
/* The functions that exist once for each size: FUNC(bits). */
#define ACLSHMEM_SIZE_FUNC(FUNC) FUNC(8) FUNC(16) FUNC(32) FUNC(64) FUNC(128)

typedef int aclshmem_team_t;

typedef enum {
  ACLSHMEM_TEAM_INVALID = -1,
  ACLSHMEM_TEAM_WORLD = 0,
} aclshmem_team_index_t;

/* The engine that transfers the data. Emulated transfers are the same for all of them. */
typedef enum {
  ACLSHMEM_DATA_OP_MTE = 0x01,
  ACLSHMEM_DATA_OP_SDMA = 0x02,
  ACLSHMEM_DATA_OP_ROCE = 0x04,
  ACLSHMEM_DATA_OP_UDMA = 0x08,
  ACLSHMEM_DATA_OP_MAX = ACLSHMEM_DATA_OP_UDMA,
} data_op_engine_type_t;

/* The kind of memory of a symmetric heap. */
typedef enum {
  HOST_SIDE = 0,
  DEVICE_SIDE = 1,
} aclshmem_mem_type_t;

/* The effect of a signal on the word at the target. */
typedef enum {
  ACLSHMEM_SIGNAL_SET = 0,
  ACLSHMEM_SIGNAL_ADD = 1,
} aclshmem_signal_op_type_t;

/* How waits and tests compare the word with the value. */
typedef enum {
  ACLSHMEM_CMP_EQ = 0,
  ACLSHMEM_CMP_NE = 1,
  ACLSHMEM_CMP_GT = 2,
  ACLSHMEM_CMP_GE = 3,
  ACLSHMEM_CMP_LT = 4,
  ACLSHMEM_CMP_LE = 5,
} aclshmem_cmp_op_type_t;

typedef struct {
  int32_t version;
  int32_t num_contexts;
  uint64_t uniqueid;
  char padding[48];
} aclshmem_team_config_t;

/* Identifies the pending operations of a team. */
typedef struct {
  aclshmem_team_t team_id;
} aclshmem_handle_t;

typedef struct {
  uint64_t id;
  void* instance;
} aclshmem_instance_ctx;

typedef struct {
  int64_t ccount[ACLSHMEM_CYCLE_PROF_FRAME_CNT];
  int64_t cycles[ACLSHMEM_CYCLE_PROF_FRAME_CNT];
} aclshmem_prof_block_t;

typedef struct {
  int32_t pe_id;
  aclshmem_prof_block_t block_prof[ACLSHMEM_CYCLE_PROF_MAX_BLOCK];
} aclshmem_prof_pe_t;

#endif
