/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dump of tensors and of operator arguments. Operators are kernels; their data is the memory that
 * their launches declare. Arrays are written as .npy files, which NumPy loads; arrays of unknown
 * element type are written as bytes. docs/profiling.md lists the files.
 */
#ifndef ACL_INCLUDE_ACL_DUMP_H_
#define ACL_INCLUDE_ACL_DUMP_H_

#include "acl_base.h"

/* How functions of dumps are declared: visible, and weak where a program may go without. */
#define ACL_DUMP_API __attribute__((visibility("default")))
#define ACL_DUMP_WEAK __attribute__((weak))

#ifdef __cplusplus
extern "C" {
#endif

/* ---- dump ------------------------------------------------------------------------------------ */

#define ACL_DUMP_MAX_FILE_PATH_LENGTH 4096
#define ACL_OP_DUMP_OP_AICORE_ARGS 0x00000001U
#define ACL_DUMP_MAX_SHAPE_NUM 25

typedef enum acldumpType {
  AIC_ERR_BRIEF_DUMP = 1,
  AIC_ERR_NORM_DUMP = 2,
  AIC_ERR_DETAIL_DUMP = 3,
  DATA_DUMP = 4,
  OVERFLOW_DUMP = 5
} acldumpType;

typedef enum acldumpTensorType {
  ACL_DUMP_TENSOR_INPUT = 0,
  ACL_DUMP_TENSOR_OUTPUT = 1,
  ACL_DUMP_TENSOR_WORKSPACE = 2
} acldumpTensorType;

typedef enum acldumpTensorAddressType {
  ACL_DUMP_ADDR_PTR = 0,
  ACL_DUMP_ADDR_PTR_PTR = 1,
  ACL_DUMP_ADDR_RAW = 2
} acldumpTensorAddressType;

typedef enum acldumpTensorPlacement {
  ACL_DUMP_PLACEMENT_DEVICE = 0,
  ACL_DUMP_PLACEMENT_HOST = 1,
  ACL_DUMP_PLACEMENT_END = 2
} acldumpTensorPlacement;

typedef struct acldumpChunk {
  char fileName[ACL_DUMP_MAX_FILE_PATH_LENGTH];
  uint32_t bufLen;
  uint32_t isLastChunk;
  int64_t offset;
  int32_t flag;
  __extension__ uint8_t dataBuf[0];
} acldumpChunk;

typedef struct acldumpTensorInfo {
  acldumpTensorType type;
  size_t tensorSize;
  int32_t format;
  int32_t dataType;
  int64_t *tensorAddr;
  acldumpTensorAddressType addrType;
  acldumpTensorPlacement placement;
  uint32_t argsOffset;
  uint32_t shapeNum;
  uint32_t originShapeNum;
  uint64_t shape[ACL_DUMP_MAX_SHAPE_NUM];
  uint64_t originShape[ACL_DUMP_MAX_SHAPE_NUM];
} acldumpTensorInfo;

/*
 * Sets the function that receives dumped arrays in chunks instead of files: the bytes that the
 * file fileName would have, in order, the last one marked. Its second argument is the bytes of
 * the structure and its data, flag is handed through in each chunk. It is called in the thread
 * that dumps (one of the runtime's for data of operators, several at once), must not call dump
 * functions, and returns 0; anything else ends that dump. 100000: null.
 */
ACL_FUNC_VISIBILITY aclError
acldumpRegCallback(int32_t (*const messageCallback)(const acldumpChunk *, int32_t), int32_t flag);

/* Removes the function that receives dump data. */
ACL_FUNC_VISIBILITY void acldumpUnregCallback(void);

/*
 * Starts to write the arguments of kernels as they are launched by the device: a line of JSON each
 * in <path>/op_args_<time>_<process>.jsonl. The folder is made. 100000: dumpType is not
 * ACL_OP_DUMP_OP_AICORE_ARGS, path null or empty. 100003: it cannot be written to. 100044: on.
 */
ACL_FUNC_VISIBILITY aclError aclopStartDumpArgs(uint32_t dumpType, const char *path);

/* Stops the dump of operator arguments. 100045: it is off. 100003: launches are missing in the
 * file. */
ACL_FUNC_VISIBILITY aclError aclopStopDumpArgs(uint32_t dumpType);

/* Folder of one kind of dump, readable while the process lives; null if it is off. */
ACL_FUNC_VISIBILITY const char *acldumpGetPath(acldumpType dumpType);

/*
 * Saves tensors of a failed operator as <fileName>[.<userTag>].<input|output|workspace>.<n>.npy in
 * the folder of acldumpGetExceptionInfoPath; characters that do not belong into a file name become
 * '_'. The kind of address: RAW is the address of the data, PTR the address of a pointer to the
 * data, PTR_PTR the address of a pointer to a pointer to the data. The placement applies to the
 * data and to the pointers. 100000: null or empty arguments, fields out of range. 107000: beyond an
 * allocation, or host memory with the placement of device memory. 100003: the file cannot be
 * written. 500000: the program's function that receives the data returned an error.
 */
ACL_FUNC_VISIBILITY aclError acldumpSaveExceptionInfo(const char *fileName, const char *userTag,
                                                      const acldumpTensorInfo *tensors,
                                                      size_t tensorCount);

/*
 * Writes the path of the folder for these files. If aclmdlSetDump has set "dump_scene", it is the
 * folder given there, otherwise extra-info/data-dump below $ASCEND_WORK_PATH or the working folder.
 * The last part of the path is the id of the calling thread's device (0 without a context).
 * 100000: null, or maxLen is too small for the path and its NUL.
 */
ACL_FUNC_VISIBILITY aclError acldumpGetExceptionInfoPath(char *path, size_t maxLen);

#ifdef __cplusplus
}
#endif

#endif /* ACL_INCLUDE_ACL_DUMP_H_ */
