/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Profiles, descriptions of operators, ranges and marks.
 *
 * A profile of this emulator is a folder PROF_<number>_<time>_<letters> below the result path. It
 * holds mindstudio_profiler_output/msprof_<digits>.json (a timeline of the interval),
 * device_<id>/op_statistic_<digits>.csv (count and times of each task by name) and info.json. See
 * docs/profiling.md. There are no counters of a core, so that the metrics of a configuration and
 * the ACL_PROF_ bits beyond calls, tasks and marks are accepted and add nothing.
 *
 * Configurations, stamps and steps are handles: one that was destroyed, or never was one, gives
 * 107017; null gives 100000.
 */
#ifndef ACL_INCLUDE_ACL_PROF_H_
#define ACL_INCLUDE_ACL_PROF_H_

#include "acl_base.h"

#define MSVP_PROF_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* ---- types ----------------------------------------------------------------------------------- */

#define ACL_PROF_ACL_API 0x0001ULL
#define ACL_PROF_TASK_TIME 0x0002ULL
#define ACL_PROF_AICORE_METRICS 0x0004ULL
#define ACL_PROF_AICPU 0x0008ULL
#define ACL_PROF_L2CACHE 0x0010ULL
#define ACL_PROF_HCCL_TRACE 0x0020ULL
#define ACL_PROF_TRAINING_TRACE 0x0040ULL
#define ACL_PROF_MSPROFTX 0x0080ULL
#define ACL_PROF_RUNTIME_API 0x0100ULL
#define ACL_PROF_GE_API_L0 0x0200ULL
#define ACL_PROF_TASK_TIME_L0 0x0800ULL
#define ACL_PROF_TASK_MEMORY 0x1000ULL
#define ACL_PROF_GE_API_L1 0x01000000ULL
#define ACL_PROF_TASK_TIME_L2 0x2000ULL
#define ACL_PROF_OP_ATTR 0x4000ULL
#define ACL_PROF_TASK_TIME_L3 0x8000ULL
#define ACL_PROF_API_STATS 0x400000000ULL
#define ACL_PROF_AICORE_SHAPE 0x800000000ULL
#define ACL_PROF_MAX_OP_NAME_LEN 257
#define ACL_PROF_MAX_OP_TYPE_LEN 65
#define ACL_PROF_TENSOR_DATA_SHAPE_LEN 8
#define ACL_PROF_EVENT_ATTR_VERSION 1

typedef enum aclprofAicoreMetrics {
  ACL_AICORE_ARITHMETIC_UTILIZATION = 0,
  ACL_AICORE_PIPE_UTILIZATION = 1,
  ACL_AICORE_MEMORY_BANDWIDTH = 2,
  ACL_AICORE_L0B_AND_WIDTH = 3,
  ACL_AICORE_RESOURCE_CONFLICT_RATIO = 4,
  ACL_AICORE_MEMORY_UB = 5,
  ACL_AICORE_L2_CACHE = 6,
  ACL_AICORE_PIPE_EXECUTE_UTILIZATION = 7,
  ACL_AICORE_MEMORY_ACCESS = 8,
  ACL_AICORE_NONE = 255
} aclprofAicoreMetrics;

typedef enum aclprofStepTag {
  ACL_STEP_START = 0,
  ACL_STEP_END = 1
} aclprofStepTag;

typedef enum aclprofSubscribeOpFlag {
  ACL_SUBSCRIBE_OP = 0,
  ACL_SUBSCRIBE_SUBGRAPH = 1,
  ACL_SUBSCRIBE_OP_THREAD = 2,
  ACL_SUBSCRIBE_NONE = 255
} aclprofSubscribeOpFlag;

typedef enum aclprofSubscribeOpAttri {
  ACL_SUBSCRIBE_ATTRI_THREADID = 0,
  ACL_SUBSCRIBE_ATTRI_NONE = 1
} aclprofSubscribeOpAttri;

typedef enum aclprofConfigType {
  ACL_PROF_ARGS_MIN = 0,
  ACL_PROF_STORAGE_LIMIT = 1,
  ACL_PROF_SYS_HARDWARE_MEM_FREQ = 3,
  ACL_PROF_LLC_MODE = 4,
  ACL_PROF_SYS_IO_FREQ = 5,
  ACL_PROF_SYS_INTERCONNECTION_FREQ = 6,
  ACL_PROF_DVPP_FREQ = 7,
  ACL_PROF_HOST_SYS = 8,
  ACL_PROF_HOST_SYS_USAGE = 9,
  ACL_PROF_HOST_SYS_USAGE_FREQ = 10,
  ACL_PROF_LOW_POWER_FREQ = 11,
  ACL_PROF_SYS_MEM_SERVICEFLOW = 12,
  ACL_PROF_SYS_CPU_FREQ = 13,
  ACL_PROF_OPTYPE = 14,
  ACL_PROF_NTS_METRICS = 15,
  ACL_PROF_PATH = 16,
  ACL_PROF_ARGS_MAX = 17
} aclprofConfigType;

typedef enum aclprofMessageType {
  ACL_PROF_MESSAGE_TYPE_TENSOR_INFO = 0
} aclprofMessageType;

typedef struct aclprofTensor {
  uint32_t type;
  uint32_t format;
  uint32_t dataType;
  uint32_t shapeDim;
  uint32_t shape[ACL_PROF_TENSOR_DATA_SHAPE_LEN];
} aclprofTensor;

typedef struct aclprofTensorInfo {
  uint64_t opNameId;
  uint64_t opTypeId;
  uint32_t resv;
  uint32_t tensorNum;
  uint32_t kernelType;
  uint32_t blockNums;
  void *stream;
  aclprofTensor *tensors;
} aclprofTensorInfo;

typedef struct aclprofEventAttributes {
  uint16_t version;
  uint16_t size;
  uint32_t messageType;
  union Message {
    aclprofTensorInfo *tensorInfo;
  } message;
} aclprofEventAttributes;

typedef struct aclprofConfig aclprofConfig;
typedef struct aclprofStopConfig aclprofStopConfig;
typedef struct aclprofAicoreEvents aclprofAicoreEvents;
typedef struct aclprofSubscribeConfig aclprofSubscribeConfig;
typedef struct aclprofStepInfo aclprofStepInfo;

/* ---- sessions -------------------------------------------------------------------------------- */

/*
 * Prepares profiling; profiles go below this folder, which is made with those above it. `length`
 * is the bytes of the path; fewer up to its NUL do as well. 100003: it cannot be made or written
 * to. 100042: prepared already. 148047: operators of a model are subscribed.
 */
ACL_FUNC_VISIBILITY aclError aclprofInit(const char *profilerResultPath, size_t length);

/* Ends profiling; profiles that are still being taken end too. 100043: not prepared. */
ACL_FUNC_VISIBILITY aclError aclprofFinalize(void);

/*
 * Starts to collect what the configuration names. Tasks, calls (ACL_PROF_ACL_API, _RUNTIME_API)
 * and marks (ACL_PROF_MSPROFTX) are collected; tasks need one of the ACL_PROF_TASK_TIME bits.
 * Ranges that are open already are left out. 100043: aclprofInit is missing. 100042: one of the
 * devices is being profiled. 500005: the result cannot be written.
 */
ACL_FUNC_VISIBILITY aclError aclprofStart(const aclprofConfig *profilerConfig);

/*
 * A configuration of devices, metrics and ACL_PROF_ bits. Null, and a recent error text, for a
 * device that is not there or named twice, unknown metrics or bits, no bits, or aicoreEvents that
 * is not null (it is reserved). No devices at all: a profile of the host's calls and marks.
 */
ACL_FUNC_VISIBILITY aclprofConfig *aclprofCreateConfig(uint32_t *deviceIdList, uint32_t deviceNums,
                                                       aclprofAicoreMetrics aicoreMetrics,
                                                       const aclprofAicoreEvents *aicoreEvents,
                                                       uint64_t dataTypeConfig);

/* Destroys a configuration; a profile that it started goes on. */
ACL_FUNC_VISIBILITY aclError aclprofDestroyConfig(const aclprofConfig *profilerConfig);

/*
 * Stops what this configuration, or an equal one, started, and writes the rest of the result.
 * 100043: there is no such profile. 500005: the result cannot be written.
 */
ACL_FUNC_VISIBILITY aclError aclprofStop(const aclprofConfig *profilerConfig);

/*
 * Sets one option for profiles that start later, until aclprofFinalize. ACL_PROF_PATH moves their
 * results to another folder; the others have nothing to steer here and are kept in info.json.
 */
ACL_FUNC_VISIBILITY aclError aclprofSetConfig(aclprofConfigType configType, const char *config,
                                              size_t configLength);

/* ---- subscription of model operators --------------------------------------------------------- */

/*
 * Sends a record of each task of a model to the descriptor of the configuration, once it has run.
 * A model is a graph by its id (aclmdlRIGetId), which need not exist yet, or ACLSIM_ALL_TASKS of
 * acl_sim.h. Records wait for a reader who is late and hold up no task. 148046: subscribed
 * already. 148047: aclprofInit is in force. 100000: the descriptor is not open.
 */
ACL_FUNC_VISIBILITY aclError
aclprofModelSubscribe(uint32_t modelId, const aclprofSubscribeConfig *profSubscribeConfig);

/*
 * Ends the subscription of a model. Records that are left are sent as long as the reader takes one
 * a second. The descriptor that was given at the subscription is closed too, unless another
 * subscription uses it: a reader then gets the end of the data. 100000: not subscribed.
 */
ACL_FUNC_VISIBILITY aclError aclprofModelUnSubscribe(uint32_t modelId);

/*
 * A subscription; `fd` points to the number (an int) of the descriptor that records are written
 * to. With timeInfoSwitch 0 the times in them are 0. Null for unknown metrics or a null fd.
 */
ACL_FUNC_VISIBILITY aclprofSubscribeConfig *aclprofCreateSubscribeConfig(
    int8_t timeInfoSwitch, aclprofAicoreMetrics aicoreMetrics, void *fd);

/* Destroys a subscription. */
ACL_FUNC_VISIBILITY aclError
aclprofDestroySubscribeConfig(const aclprofSubscribeConfig *profSubscribeConfig);

/*
 * Stores the bytes of one record. The functions below take any number of whole records that were
 * read from the descriptor, at any address. 100000: null, no whole records, bytes that are no
 * record of this runtime, or an index beyond the last.
 */
ACL_FUNC_VISIBILITY aclError aclprofGetOpDescSize(size_t *opDescSize);

/* Stores the number of records in opInfoLen bytes read from the pipe. */
ACL_FUNC_VISIBILITY aclError aclprofGetOpNum(const void *opInfo, size_t opInfoLen,
                                             uint32_t *opNumber);

/* Stores the length of an operator's type with its NUL. */
ACL_FUNC_VISIBILITY aclError aclprofGetOpTypeLen(const void *opInfo, size_t opInfoLen,
                                                 uint32_t index, size_t *opTypeLen);

/* Writes an operator's type with its NUL; 100000 when opTypeLen bytes are too few. */
ACL_FUNC_VISIBILITY aclError aclprofGetOpType(const void *opInfo, size_t opInfoLen, uint32_t index,
                                              char *opType, size_t opTypeLen);

/* Stores the length of an operator's name with its NUL; names longer than 256 bytes are cut. */
ACL_FUNC_VISIBILITY aclError aclprofGetOpNameLen(const void *opInfo, size_t opInfoLen,
                                                 uint32_t index, size_t *opNameLen);

/* Writes an operator's name with its NUL; 100000 when opNameLen bytes are too few. */
ACL_FUNC_VISIBILITY aclError aclprofGetOpName(const void *opInfo, size_t opInfoLen, uint32_t index,
                                              char *opName, size_t opNameLen);

/* Start of an operator in nanoseconds of the device clock; 0 if unknown. */
ACL_FUNC_VISIBILITY uint64_t aclprofGetOpStart(const void *opInfo, size_t opInfoLen,
                                               uint32_t index);

/* End of an operator in nanoseconds of the device clock; 0 if unknown. */
ACL_FUNC_VISIBILITY uint64_t aclprofGetOpEnd(const void *opInfo, size_t opInfoLen, uint32_t index);

/* Duration of an operator in nanoseconds; 0 if unknown. */
ACL_FUNC_VISIBILITY uint64_t aclprofGetOpDuration(const void *opInfo, size_t opInfoLen,
                                                  uint32_t index);

/* The model that the record belongs to; 0 if the data are not a record. */
ACL_FUNC_VISIBILITY size_t aclprofGetModelId(const void *opInfo, size_t opInfoLen, uint32_t index);

/* ACL_SUBSCRIBE_OP, the only kind of record; ACL_SUBSCRIBE_NONE if the data are not a record. */
ACL_FUNC_VISIBILITY aclprofSubscribeOpFlag aclprofGetOpFlag(const void *opInfo, size_t opInfoLen,
                                                            uint32_t index);

/*
 * ACL_SUBSCRIBE_ATTRI_THREADID: the host thread that enqueued the operator, in digits; the text
 * is stored in the record itself. Null for another attribute.
 */
ACL_FUNC_VISIBILITY const char *aclprofGetOpAttriValue(const void *opInfo, size_t opInfoLen,
                                                       uint32_t index,
                                                       aclprofSubscribeOpAttri attri);

/* ---- steps, stamps and ranges ---------------------------------------------------------------- */

/*
 * Ranges and marks of host threads appear in the timeline of the run (ACLSIM_TIMELINE) and in
 * profiles with ACL_PROF_MSPROFTX, in a track beside the track of their thread. They need no
 * profile, and cost little while nothing records. If a range is open when a profile begins, the
 * profile shows the rest of it. Texts have 1 to 4096 bytes. The call that opens the range copies
 * the text, so the stamp may be changed or destroyed at once.
 */

/*
 * Marks the start or the end of a step on a stream with a task. The stream's track shows it as
 * "step N start", N from 1. 100000: a start in a step that has not ended, an end without a start.
 */
ACL_FUNC_VISIBILITY aclError aclprofGetStepTimestamp(aclprofStepInfo *stepInfo, aclprofStepTag tag,
                                                     aclrtStream stream);

/* A new step; null when out of memory. */
ACL_FUNC_VISIBILITY aclprofStepInfo *aclprofCreateStepInfo(void);

/* Destroys a step. */
ACL_FUNC_VISIBILITY void aclprofDestroyStepInfo(aclprofStepInfo *stepinfo);

/* A new stamp, without a text; null when out of memory. */
ACL_FUNC_VISIBILITY void *aclprofCreateStamp(void);

/* Destroys a stamp. */
ACL_FUNC_VISIBILITY void aclprofDestroyStamp(void *stamp);

/* Opens a range of this thread; ranges nest. */
ACL_FUNC_VISIBILITY aclError aclprofPush(void *stamp);

/* Closes the innermost range of this thread; any call may have opened it. 500005: no range is open.
 */
ACL_FUNC_VISIBILITY aclError aclprofPop(void);

/* Opens a range that any thread may close and stores its id. */
ACL_FUNC_VISIBILITY aclError aclprofRangeStart(void *stamp, uint32_t *rangeId);

/* Closes that range. 100000: no such range is open. */
ACL_FUNC_VISIBILITY aclError aclprofRangeStop(uint32_t rangeId);

/* Sets the text of a stamp: msgLen bytes, or fewer up to a NUL. Copied. */
ACL_FUNC_VISIBILITY aclError aclprofSetStampTraceMessage(void *stamp, const char *msg,
                                                         uint32_t msgLen);

/* Records one moment of this thread. */
ACL_FUNC_VISIBILITY aclError aclprofMark(void *stamp);

/* Records a moment of a stream (null: the default stream) with a task in the stream's track. */
ACL_FUNC_VISIBILITY aclError aclprofMarkEx(const char *msg, size_t msgLen, aclrtStream stream);

/* An id for a text, the same for equal texts while the process lives; 0 for null or empty ones. */
ACL_FUNC_VISIBILITY uint64_t aclprofStr2Id(const char *message);

/*
 * Opens a range of this thread for an operator: named by opNameId, with its type, blocks and
 * tensors as details. 100000: another version, size or type, a null, an id that no text has, more
 * than 1024 tensors, more than ACL_PROF_TENSOR_DATA_SHAPE_LEN dimensions.
 */
ACL_FUNC_VISIBILITY aclError aclprofRangePushEx(aclprofEventAttributes *attr);

/* As aclprofPop. */
ACL_FUNC_VISIBILITY aclError aclprofRangePop(void);

#ifdef __cplusplus
}
#endif

#endif /* ACL_INCLUDE_ACL_PROF_H_ */
