/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The emulator's extensions of ACL: kernels that are host functions, and the state of the machine.
 * Every structure starts with its own size, set by the caller, so that later versions can grow it:
 * a library that knows more fields than the caller leaves them out, and the other way round.
 */
#ifndef ACL_INCLUDE_ACL_SIM_H_
#define ACL_INCLUDE_ACL_SIM_H_

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"
#include "acl/acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A model id for aclprofModelSubscribe: every task of every stream, as if all were one model. */
#define ACLSIM_ALL_TASKS 0xFFFFFFFFU

/* An attribute of aclrtLaunchKernelCfg: the tiling key that TILING_KEY_IS compares with in an
 * AscendC kernel. value.rsv[0] is its lower half and value.rsv[1] its upper half. */
#define ACLSIM_LAUNCH_KERNEL_ATTR_TILING_KEY ((aclrtLaunchKernelAttrId)15)

/* ---- kernels that are host functions --------------------------------------------------------- */

/* The position of a kernel's block in its launch. Valid during the call. */
typedef struct aclsimKernelContext {
  size_t size;         /* of this structure, in bytes */
  uint32_t blockIndex; /* 0 .. numBlocks - 1 */
  uint32_t numBlocks;
  int32_t deviceId;
  uint32_t streamId; /* as aclrtStreamGetId says */
  uint32_t taskId;   /* counts the tasks of the stream */
  /* Of launches with a grid (SIMT); numBlocks, 1, 1 and 1, 1, 1 for others. A block is one call:
   * the function goes through the block's threads itself. */
  uint32_t gridSize[3];
  uint32_t blockSize[3];
  uint32_t blockPosition[3]; /* in the grid, x running fastest */
  void *localMemory;         /* scratch of the block, NULL when none was asked for; not cleared */
  size_t localMemorySize;    /* bytes */
} aclsimKernelContext;

/*
 * One block of device work. `args` points at the copy of the argument bytes, aligned to 8 bytes.
 * Returns 0, or the device error code that the stream then reports (for example 507015, an AI core
 * exception); a negative value reports 507035 (vector core exception), and so does a thrown C++
 * exception. After a failing block the launch's other blocks do not run. It must not call ACL.
 */
typedef int32_t (*aclsimKernel)(const aclsimKernelContext *context, const void *args);

/* Called once, on any thread, when the emulator holds `data` no more. It must not call ACL nor
 * wait.
 */
typedef void (*aclsimRelease)(void *data);

#define ACLSIM_ACCESS_READ 0x1U
#define ACLSIM_ACCESS_WRITE 0x2U

/* Memory that a kernel touches. */
typedef struct aclsimMemRange {
  const void *ptr;
  size_t size;     /* bytes */
  uint32_t access; /* ACLSIM_ACCESS_READ, ACLSIM_ACCESS_WRITE or both */
} aclsimMemRange;

typedef struct aclsimLaunch {
  size_t size;      /* sizeof(aclsimLaunch) */
  const char *name; /* shown in traces and errors; NOT copied: a literal, or kept alive */
  aclsimKernel kernel;
  uint32_t numBlocks; /* at least 1; the blocks run one after the other */
  uint32_t numRanges;
  const void *args;             /* copied at the call; NULL when argsSize is 0 */
  size_t argsSize;              /* bytes */
  const aclsimMemRange *ranges; /* optional, copied at the call: what the kernel reads and writes */
  /* Optional: called with `owner` once, when the kernel will not run (again): it ran, its stream or
   * graph ended, or this call failed. A synchronise that waits for the kernel returns after that.
   */
  aclsimRelease release;
  void *owner;
} aclsimLaunch;

/*
 * Enqueues a kernel on `stream` (NULL: the default stream of the current context).
 * 100000: launch, name or kernel is NULL, size is smaller than up to `ranges`, numBlocks is 0, args
 * or ranges are NULL while their counts are not 0, or a range's access is unknown; 107002 without a
 * context; 107017 for a stale stream; 107003 for a stream of another context.
 */
ACL_FUNC_VISIBILITY aclError aclsimLaunchKernel(const aclsimLaunch *launch, aclrtStream stream);

/* ---- what a stream holds --------------------------------------------------------------------- */

/*
 * As aclrtLaunchCallback; `release` is called with `userData` once: when the callback has returned
 * for the last time, or will never run because its stream was aborted or ended before, or this call
 * failed. A synchronise that waits for a blocking callback returns after that. 100000 for a NULL
 * release.
 */
ACL_FUNC_VISIBILITY aclError aclsimLaunchCallback(aclrtCallback fn, void *userData,
                                                  aclsimRelease release,
                                                  aclrtCallbackBlockType blockType,
                                                  aclrtStream stream);

/*
 * Selects whether copies and fills check ordinary host memory before they access it (1) or not (0,
 * the default). With the check, a call returns 107000 if the host cannot read or write all of the
 * memory; without it the process ends with SIGSEGV, or with SIGBUS past the end of a mapped file.
 * Each check costs a system call. Applies to the whole process; needs no aclInit.
 */
ACL_FUNC_VISIBILITY aclError aclsimCheckHostMemory(int32_t on);

/* ---- kernels that are loaded by name --------------------------------------------------------- */

/*
 * aclrtBinaryLoad* can load:
 *  - a shared object for this machine, from a file or from memory: its exported functions are
 *    kernels of the type aclsimKernel. One file that is loaded twice shares its variables.
 *  - a binary whose functions were registered here: a path whose last part is `binary` need not
 *    exist, and a file of that name (for example a device binary) is not read.
 *  - with ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE also a JSON description; its functions are the
 *    functions registered here.
 * A name is looked up among the functions registered for the binary, then in the shared object,
 * then among those registered for every binary.
 */
typedef struct aclsimKernelEntry {
  size_t size;              /* sizeof(aclsimKernelEntry) */
  const char *binary;       /* last part of the path that is loaded; NULL: every binary */
  const char *name;         /* the kernel's name; "name_7" is also entry 7 of its binary */
  aclsimKernel kernel;      /* NULL removes the registration */
  const size_t *paramSizes; /* bytes of each parameter; NULL if they are unknown */
  uint32_t numParams;       /* 0 with a paramSizes that is not NULL: no parameters */
} aclsimKernelEntry;

/*
 * Registers a host function as a kernel. It replaces an earlier function of the same names; all
 * arguments are copied. Existing function handles keep their function. Each parameter follows the
 * one before, aligned to the largest power of two that divides its size, at most 8. `kernel` also
 * becomes a symbol for aclrtGetFuncBySymbol and for launches that take a symbol. aclsimResetAll
 * removes the registration.
 * 100000: entry or name is NULL or empty, size is smaller than this version's, a parameter's size
 * is 0; 107000: nothing to take back.
 */
ACL_FUNC_VISIBILITY aclError aclsimRegisterKernel(const aclsimKernelEntry *entry);

/* ---- faults ---------------------------------------------------------------------------------- */

/*
 * Checks the syntax of `faults`, a value for ACLSIM_FAULTS: "KIND,KEY=VALUE,...", several entries
 * separated by semicolons. Injects nothing and needs no machine. 100000: NULL, or a mistake in the
 * text; aclGetRecentErrMsg names the mistake and the allowed values.
 */
ACL_FUNC_VISIBILITY aclError aclsimCheckFaults(const char *faults);

/* ---- a look at the machine ------------------------------------------------------------------- */

/* How the machine is configured. */
typedef struct aclsimMachine {
  size_t size;      /* sizeof(aclsimMachine), set by the caller */
  uint32_t devices; /* as many as the process sees */
  uint32_t workersPerDevice;
  uint64_t memoryBytes; /* per device */
  uint32_t aiCores;     /* per device */
  uint32_t vectorCores; /* per device */
  uint32_t seeded;      /* 1 under ACLSIM_SCHEDULE=seeded */
  uint32_t guarded;     /* 1 when the host may not touch device memory */
  uint64_t seed;
  char socName[32];
  char topology[32];
} aclsimMachine;

/* 100000: machine is NULL or its size is too small; 100000 too when the configuration is invalid.
 */
ACL_FUNC_VISIBILITY aclError aclsimGetMachine(aclsimMachine *machine);

/* The numbers of live objects in this process. Zeros after a test mean that it released everything.
 */
typedef struct aclsimStats {
  size_t size;       /* sizeof(aclsimStats), set by the caller */
  uint64_t contexts; /* primary ones included */
  uint64_t streams;  /* default ones not included */
  uint64_t events;
  uint64_t deviceAllocations;
  uint64_t deviceBytes;
  uint64_t hostAllocations; /* of aclrtMallocHost */
  uint64_t hostBytes;
  uint64_t subscriptions;    /* streams with a report or host function thread */
  uint64_t pendingTasks;     /* tasks that have not left their stream */
  uint64_t scheduleDiverged; /* 1 when a seeded run was no longer decided by its seed alone */
  uint64_t otherHandles;     /* notifies, labels, models, binaries, pools, ... */
  uint64_t injectedFaults;   /* how often configured faults have fired */
} aclsimStats;

/* 100000: stats is NULL or its size is too small. */
ACL_FUNC_VISIBILITY aclError aclsimGetStats(aclsimStats *stats);

/* Memory in use on one device, in bytes. 107001: no such device. 100000: a NULL output. */
ACL_FUNC_VISIBILITY aclError aclsimGetDeviceMemory(int32_t deviceId, uint64_t *used,
                                                   uint64_t *total);

/* The kind of the link between two devices, as a bit of the topology masks; 0: no path, or the same
 * device twice. 107001: no such device. 100000: kind is NULL. */
ACL_FUNC_VISIBILITY aclError aclsimGetLink(int32_t deviceId, int32_t peerDeviceId, uint32_t *kind);

/*
 * Puts the process back to where it started: every context, stream, event, subscription, callback
 * and allocation is gone, unfinished tasks are dropped, aclInit counts are 0. For test suites,
 * between cases. No other thread may be inside an ACL call, except in aclrtProcessReport.
 */
ACL_FUNC_VISIBILITY aclError aclsimResetAll(void);

/*
 * For bindings of other languages, as the result of a function that is not emulated: sets the text
 * of aclGetRecentErrMsg to "<function> is not emulated: <feature>" and returns 207000. 100000: an
 * argument is NULL.
 */
ACL_FUNC_VISIBILITY aclError aclsimRefuse(const char *function, const char *feature);

/*
 * For libraries beside this one, such as HCCL: leaves "<function>: <text> [<code>]" for
 * aclGetRecentErrMsg, as a failed call of ACL does. 100000: an argument is NULL.
 */
ACL_FUNC_VISIBILITY aclError aclsimReportError(const char *function, int32_t code,
                                               const char *text);

#ifdef __cplusplus
}
#endif

#endif /* ACL_INCLUDE_ACL_SIM_H_ */
