/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The structures that a translated launch, a generated launcher or a loaded binary passes to the
 * emulator.
 */
#ifndef ASCENDC_IMPL_LAUNCH_H_
#define ASCENDC_IMPL_LAUNCH_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum aclsimCoreKind {
  ACLSIM_CORES_INFERRED =
      0, /* only __aicore__: vector cores unless the kernel turns out to need cubes */
  ACLSIM_CORES_VECTOR,
  ACLSIM_CORES_CUBE,
  ACLSIM_CORES_MIX_1_1, /* groups of one cube core and one vector core */
  ACLSIM_CORES_MIX_1_2, /* groups of one cube core and two vector cores */
  ACLSIM_CORES_MIX_1_0, /* cube cores alone, with barriers and flags between them */
  ACLSIM_CORES_MIX_0_1  /* vector cores alone, with barriers and flags between them */
};

/* Whether a launch of that aclsimCoreKind has cube cores and no others. */
static inline int aclsimIsCubeAlone(uint32_t kind) {
  return kind == ACLSIM_CORES_CUBE || kind == ACLSIM_CORES_MIX_1_0;
}

/* The memories of a core in which functions may declare arrays. */
enum aclsimMemory {
  ACLSIM_MEMORY_UB = 0,
  ACLSIM_MEMORY_L1,
  ACLSIM_MEMORY_L0A,
  ACLSIM_MEMORY_L0B,
  ACLSIM_MEMORY_L0C,
  ACLSIM_MEMORY_BIAS,
  ACLSIM_MEMORY_FIXPIPE
};

/* Calls the kernel once with the arguments stored at `args`, on the core that calls it. */
typedef void (*aclsimKernelEntryPoint)(const void* args);

/* A kernel as its source declares it. Lives as long as the code that holds it. */
typedef struct aclsimKernelCode {
  uint32_t size;    /* bytes of this structure */
  uint32_t kind;    /* aclsimCoreKind */
  const char* name; /* as in the source, with its template arguments */
  const char* file; /* the file of its declaration */
  uint32_t line;
  uint32_t num_params;
  const uint32_t* param_sizes; /* bytes of each; at multiples of 8 in `args` */
  aclsimKernelEntryPoint entry;
  uint32_t arch; /* __NPU_ARCH__ of its cores; 0: as the machine */
  /* Bytes of the unified buffer that options of the compiler take from the toolkit: 0, 2048, 6144
     or 8192. */
  uint32_t ub_claimed;
} aclsimKernelCode;

typedef struct aclsimKernelLaunchRequest {
  uint32_t size; /* of this structure */
  uint32_t blocks;
  const aclsimKernelCode* code;
  const char* file; /* of the launch; NULL: not known */
  uint32_t line;
  uint32_t grid[3]; /* SIMT launches; zeros for others */
  uint32_t threads[3];
  uint64_t dynamic_ub_bytes;
  const void* args; /* copied at the call */
  size_t args_size;
} aclsimKernelLaunchRequest;

/*
 * Enqueues a launch on `stream` (an aclrtStream; NULL: the default stream of the current context).
 * 0, or the code that an ACL launch would return; aclGetRecentErrMsg has the text.
 */
uint32_t aclsimLaunchKernelCode(const aclsimKernelLaunchRequest* request, void* stream);

/*
 * Kernels by address, for launches through a pointer. A kernel is known from aclsimKnowKernel() on
 * until aclsimForgetKernel() with the same code; NULL: an address that is not known.
 */
void aclsimKnowKernel(const void* address, const aclsimKernelCode* code);
void aclsimForgetKernel(const void* address, const aclsimKernelCode* code);
const aclsimKernelCode* aclsimKernelAt(const void* address);
/* The same text, which stays until the process ends; equal texts are kept once. */
const char* aclsimKeepText(const char* text);

/* A launch that the runtime has enqueued itself, of a kernel that was loaded as a binary. */
typedef struct aclsimKernelRun {
  uint32_t size; /* of this structure */
  uint32_t blocks;
  const aclsimKernelCode* code;
  const void* args; /* at multiples of 8; valid during the call */
  size_t args_size;
  uint32_t grid[3]; /* SIMT launches; zeros for others */
  uint32_t threads[3];
  uint64_t dynamic_ub_bytes;
  uint64_t limit_ns; /* a launch that runs longer fails; 0: no limit */
  /* Data beside the arguments, to which they may point; NULL: none. */
  const void* attached;
  size_t attached_size;
  int32_t device; /* as the program counts */
  uint32_t stream_id;
  uint32_t task_id;
  uint32_t first_block; /* the index of the first one */
  uint64_t tiling_key;  /* for TILING_KEY_IS */
} aclsimKernelRun;

/* Runs it, in a thread of the device. 0, or the code that the stream reports. */
int32_t aclsimRunKernelCode(const aclsimKernelRun* run);

#ifdef __cplusplus
}
#endif

#endif /* ASCENDC_IMPL_LAUNCH_H_ */
