/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collectives that kernels call: what the templates of hccl.h fill in, and the functions of the
 * library. All of C, as machine.h. Each function ends the kernel if an argument is wrong.
 */
#ifndef ASCENDC_IMPL_HCCL_MACHINE_H_
#define ASCENDC_IMPL_HCCL_MACHINE_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The most tasks of one object. */
#define ACLSIM_HCCL_MOST_TASKS 63
/* HcclCMDType ends below. */
#define ACLSIM_HCCL_KINDS 32

/* An object of a kernel, one for each core. */
typedef struct aclsimHccl {
  uint32_t size;      /* of this structure */
  uint32_t server;    /* HcclServerType */
  uint32_t core_kind; /* that passes tasks on: an aclsimUnit; 0: the kind that calls */
  uint32_t prepared;  /* tasks of this object */
  int64_t core;       /* its index */
  uint64_t session;   /* 0: not initialised */
  const void* tiling;
  const void* tasks[ACLSIM_HCCL_KINDS];   /* the TaskTiling of each kind that has one */
  uint16_t waits[ACLSIM_HCCL_MOST_TASKS]; /* for each task */
} aclsimHccl;

typedef struct aclsimHcclRequest {
  uint32_t size;      /* of this structure */
  uint32_t kind;      /* HcclCMDType */
  uint32_t type;      /* HcclDataType */
  uint32_t reduction; /* HcclReduceOp */
  uint32_t repeat;
  uint32_t commit; /* each of its turns is committed */
  void* send;
  void* receive;
  uint64_t count;  /* elements of a block */
  uint64_t stride; /* elements from a block to the next; 0: count */
  /* For blocks of different sizes, by rank: elements, and where they begin. */
  const uint64_t* send_counts;
  const uint64_t* send_begins;
  const uint64_t* receive_counts;
  const uint64_t* receive_begins;
  uint32_t receive_type;
} aclsimHcclRequest;

/* `tiling` null: no tasks have one. `global`: it is in global memory. */
void aclsimHcclInit(aclsimHccl* object, const void* context, const void* tiling, int32_t global,
                    const void* site);
/* The TaskTiling at `tiling` is used from now on. 0; -1 if the bytes are no such tiling. */
int32_t aclsimHcclSetTask(aclsimHccl* object, const void* tiling, int32_t global, const void* site);
/* Returns the number of the task. */
int32_t aclsimHcclPrepare(aclsimHccl* object, const aclsimHcclRequest* request, const void* site);
void aclsimHcclCommit(aclsimHccl* object, int32_t task, const void* site);
/* Returns when one turn more of the task is over: 0; -1 if it has no more. */
int32_t aclsimHcclWait(aclsimHccl* object, int32_t task, const void* site);
/* How many turns of the task are over. */
int32_t aclsimHcclQuery(aclsimHccl* object, int32_t task, const void* site);
void aclsimHcclFinalize(aclsimHccl* object, const void* site);
uint32_t aclsimHcclRank(aclsimHccl* object, const void* site);
uint32_t aclsimHcclRanks(aclsimHccl* object, const void* site);
/* Null if there is no such rank. */
void* aclsimHcclWindow(aclsimHccl* object, uint32_t rank, int32_t out, const void* site);

#ifdef __cplusplus
}
#endif

#endif /* ASCENDC_IMPL_HCCL_MACHINE_H_ */
