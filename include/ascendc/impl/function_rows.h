/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that kernels are written with, beside vector instructions (vector_rows.h); what
 * they require is in limit_rows.h. docs/kernel_functions.md is made from these rows, and
 * tests/ascendc/function_tests.tsv names the test of each. The headers of kernels do not include
 * this file.
 */
#ifndef ASCENDC_IMPL_FUNCTION_ROWS_H_
#define ASCENDC_IMPL_FUNCTION_ROWS_H_

/* R(class, name, architecture, difference to hardware) */
#define ACLSIM_FUNCTION_ROWS(R)                                             \
  /* functions and macros */                                                \
  R("", "ACLRT_LAUNCH_KERNEL", "both", "")                                  \
  R("", "ASCEND_IS_AIV", "both", "")                                        \
  R("", "AllocMutexID", "3510", "")                                         \
  R("", "AtomicAdd", "3510", "")                                            \
  R("", "AtomicCas", "3510", "")                                            \
  R("", "AtomicExch", "3510", "")                                           \
  R("", "AtomicMax", "3510", "")                                            \
  R("", "AtomicMin", "3510", "")                                            \
  R("", "BEGIN_TILING_DATA_DEF", "both", "")                                \
  R("", "CeilDivision", "both", "")                                         \
  R("", "ClearSpr", "both", "")                                             \
  R("", "CountBitsCntSameAsSignBit", "both", "")                            \
  R("", "CountLeadingZero", "both", "")                                     \
  R("", "CrossCoreSetFlag", "both", "")                                     \
  R("", "CrossCoreWaitFlag", "both", "the mode and the pipe are ignored")   \
  R("", "DataCacheCleanAndInvalid", "both", "changes nothing here")         \
  R("", "DataCachePreload", "both", "changes nothing here")                 \
  R("", "DataCopy", "both", "")                                             \
  R("", "DataCopyL1ToUB", "3510", "")                                       \
  R("", "DataCopyPad", "both", "")                                          \
  R("", "DataSyncBarrier", "both", "changes nothing here")                  \
  R("", "DeNormMin", "both", "")                                            \
  R("", "DisableDmaAtomic", "both", "")                                     \
  R("", "DumpAccChkPoint", "both", "")                                      \
  R("", "DumpTensor", "both", "")                                           \
  R("", "Fill", "both", "")                                                 \
  R("", "Fixpipe", "both", "")                                              \
  R("", "GET_TILING_DATA", "both", "")                                      \
  R("", "GET_TILING_DATA_MEMBER", "both", "")                               \
  R("", "GET_TILING_DATA_WITH_STRUCT", "both", "")                          \
  R("", "GetArchVersion", "both", "")                                       \
  R("", "GetBitCount", "both", "")                                          \
  R("", "GetBlockIdx", "both", "")                                          \
  R("", "GetBlockNum", "both", "")                                          \
  R("", "GetDataBlockSizeInBytes", "both", "")                              \
  R("", "GetDumpWorkSpacePtr", "both", "")                                  \
  R("", "GetHcclContext", "both", "")                                       \
  R("", "GetICachePreloadStatus", "both", "always 0")                       \
  R("", "GetProgramCounter", "both", "")                                    \
  R("", "GetRuntimeUBSize", "both", "0 on 2201")                            \
  R("", "GetSFFValue", "both", "")                                          \
  R("", "GetSaturationFlag", "both", "")                                    \
  R("", "GetSaturationStrategy", "both", "")                                \
  R("", "GetShapeSize", "both", "")                                         \
  R("", "GetSpr", "both", "")                                               \
  R("", "GetSubBlockIdx", "both", "")                                       \
  R("", "GetSubBlockNum", "both", "")                                       \
  R("", "GetSysWorkSpacePtr", "both", "")                                   \
  R("", "GetSystemCycle", "both", "ticks of 20 ns; on 3510 of 1 ns")        \
  R("", "GetTPipePtr", "both", "")                                          \
  R("", "GetTaskRatio", "both", "")                                         \
  R("", "GetTaskRation", "both", "older name of GetTaskRatio")              \
  R("", "GetUBSizeInBytes", "both", "0 on 2201")                            \
  R("", "GetUintDivMagicAndShift", "both", "")                              \
  R("", "GetUserWorkspace", "both", "")                                     \
  R("", "GetVecLen", "both", "0 on 2201")                                   \
  R("", "GmAlloc", "both", "")                                              \
  R("", "GmFree", "both", "")                                               \
  R("", "IBSet", "both", "")                                                \
  R("", "IBWait", "both", "")                                               \
  R("", "ICPU_RUN_KF", "both", "")                                          \
  R("", "ICPU_SET_TILING_KEY", "both", "")                                  \
  R("", "ICachePreLoad", "both", "changes nothing here")                    \
  R("", "Infinity", "both", "")                                             \
  R("", "InitConstValue", "both", "older name of Fill")                     \
  R("", "InitDetermineComputeWorkspace", "both", "changes nothing here")    \
  R("", "InitOutput", "both", "")                                           \
  R("", "InitSocState", "both", "changes nothing here")                     \
  R("", "KERNEL_TASK_TYPE_DEFAULT", "both", "")                             \
  R("", "Load3DSetFMatrixCal", "both", "older name of SetFmatrix")          \
  R("", "Load3DSetPaddingCal", "both", "as SetLoadDataPaddingValue")        \
  R("", "LoadData", "both", "")                                             \
  R("", "LoadDataWithSparse", "2201", "")                                   \
  R("", "LoadDataWithStride", "3510", "")                                   \
  R("", "LoadDataWithTranspose", "both", "")                                \
  R("", "Lowest", "both", "")                                               \
  R("", "MetricsProfStart", "both", "changes nothing here")                 \
  R("", "MetricsProfStop", "both", "changes nothing here")                  \
  R("", "Mmad", "both", "")                                                 \
  R("", "MmadMx", "3510", "")                                               \
  R("", "MmadWithSparse", "2201", "")                                       \
  R("", "NdDmaDci", "3510", "changes nothing here")                         \
  R("", "NegativeInfinity", "both", "")                                     \
  R("", "Nop", "both", "changes nothing here")                              \
  R("", "NotifyNextBlock", "both", "")                                      \
  R("", "PipeBarrier", "both", "")                                          \
  R("", "PopStackBuffer", "both", "the bytes are not taken")                \
  R("", "PrintTimeStamp", "both", "")                                       \
  R("", "QuietNaN", "both", "")                                             \
  R("", "REGISTER_TILING_DEFAULT", "both", "")                              \
  R("", "ReadGmByPassDCache", "both", "as one step")                        \
  R("", "ReleaseMutexID", "3510", "")                                       \
  R("", "ScalarCast", "both", "older name of Cast")                         \
  R("", "ScalarCountLeadingZero", "both", "older name of CountLeadingZero") \
  R("", "ScalarGetCountOfValue", "both", "older name of GetBitCount")       \
  R("", "ScalarGetSFFValue", "both", "older name of GetSFFValue")           \
  R("", "SetAtomicAdd", "both", "")                                         \
  R("", "SetAtomicMax", "both", "")                                         \
  R("", "SetAtomicMin", "both", "")                                         \
  R("", "SetAtomicNone", "both", "older name of DisableDmaAtomic")          \
  R("", "SetAtomicType", "both", "")                                        \
  R("", "SetDumpWorkSpacePtr", "both", "")                                  \
  R("", "SetFixPipeConfig", "both", "")                                     \
  R("", "SetFixpipeNz2ndFlag", "both", "")                                  \
  R("", "SetFixpipePreQuantFlag", "both", "")                               \
  R("", "SetFlag", "both", "")                                              \
  R("", "SetFmatrix", "both", "")                                           \
  R("", "SetHF32Mode", "both", "")                                          \
  R("", "SetHF32TransMode", "both", "")                                     \
  R("", "SetHcclContext", "both", "")                                       \
  R("", "SetKernelMode", "both", "")                                        \
  R("", "SetLoadDataBoundary", "both", "")                                  \
  R("", "SetLoadDataPaddingValue", "both", "")                              \
  R("", "SetLoadDataRepeat", "both", "a repeatTime of 1 only")              \
  R("", "SetLoadDataRepeatWithStride", "both", "a repeatTime of 1 only")    \
  R("", "SetMMColumnMajor", "both", "changes nothing here")                 \
  R("", "SetMMLayoutTransform", "both", "changes nothing here")             \
  R("", "SetMMRowMajor", "both", "changes nothing here")                    \
  R("", "SetNextTaskStart", "both", "changes nothing here")                 \
  R("", "SetOverflow", "both", "")                                          \
  R("", "SetPadValue", "both", "")                                          \
  R("", "SetSaturationFlag", "both", "")                                    \
  R("", "SetSaturationStrategy", "both", "")                                \
  R("", "SetSyncBaseAddr", "both", "changes nothing here")                  \
  R("", "SetSysWorkSpacePtr", "both", "")                                   \
  R("", "SetSysWorkspace", "both", "")                                      \
  R("", "SignalingNaN", "both", "")                                         \
  R("", "SyncAll", "both", "workspaces are not used")                       \
  R("", "TILING_KEY_IS", "both", "")                                        \
  R("", "ToFloat", "both", "")                                              \
  R("", "Trap", "both", "")                                                 \
  R("", "WaitEvent", "both", "older name of CrossCoreWaitFlag")             \
  R("", "WaitFlag", "both", "")                                             \
  R("", "WaitPreTaskEnd", "both", "changes nothing here")                   \
  R("", "WaitPreBlock", "both", "")                                         \
  R("", "WriteGmByPassDCache", "both", "as one step")                       \
  R("", "block_idx", "both", "")                                            \
  R("", "block_num", "both", "")                                            \
  R("", "create_cbuf_matrix", "both", "")                                   \
  R("", "dcci", "both", "changes nothing here")                             \
  R("", "get_block_idx", "both", "")                                        \
  R("", "pipe_barrier", "both", "")                                         \
  R("", "printf", "both", "")                                               \
  R("", "trap", "both", "")                                                 \
  /* LocalTensor */                                                         \
  R("LocalTensor", "GetLength", "both", "")                                 \
  R("LocalTensor", "GetPhyAddr", "both", "")                                \
  R("LocalTensor", "GetPosition", "both", "")                               \
  R("LocalTensor", "GetShapeInfo", "both", "")                              \
  R("LocalTensor", "GetSize", "both", "")                                   \
  R("LocalTensor", "GetUserTag", "both", "")                                \
  R("LocalTensor", "GetValue", "both", "")                                  \
  R("LocalTensor", "Print", "both", "")                                     \
  R("LocalTensor", "ReinterpretCast", "both", "")                           \
  R("LocalTensor", "SetAddrWithOffset", "both", "")                         \
  R("LocalTensor", "SetBufferLen", "both", "")                              \
  R("LocalTensor", "SetShapeInfo", "both", "")                              \
  R("LocalTensor", "SetSize", "both", "")                                   \
  R("LocalTensor", "SetUserTag", "both", "")                                \
  R("LocalTensor", "SetValue", "both", "")                                  \
  R("LocalTensor", "ToFile", "both", "")                                    \
  R("LocalTensor", "operator!=", "both", "")                                \
  R("LocalTensor", "operator&", "both", "")                                 \
  R("LocalTensor", "operator()", "both", "")                                \
  R("LocalTensor", "operator*", "both", "")                                 \
  R("LocalTensor", "operator+", "both", "")                                 \
  R("LocalTensor", "operator-", "both", "")                                 \
  R("LocalTensor", "operator/", "both", "")                                 \
  R("LocalTensor", "operator<", "both", "")                                 \
  R("LocalTensor", "operator<=", "both", "")                                \
  R("LocalTensor", "operator=", "both", "")                                 \
  R("LocalTensor", "operator==", "both", "")                                \
  R("LocalTensor", "operator>=", "both", "")                                \
  R("LocalTensor", "operator[]", "both", "")                                \
  R("LocalTensor", "operator|", "both", "")                                 \
  /* GlobalTensor */                                                        \
  R("GlobalTensor", "GetPhyAddr", "both", "")                               \
  R("GlobalTensor", "GetShapeInfo", "both", "")                             \
  R("GlobalTensor", "GetSize", "both", "")                                  \
  R("GlobalTensor", "GetValue", "both", "")                                 \
  R("GlobalTensor", "ReinterpretCast", "3510", "")                          \
  R("GlobalTensor", "SetGlobalBuffer", "both", "")                          \
  R("GlobalTensor", "SetL2CacheHint", "both", "changes nothing here")       \
  R("GlobalTensor", "SetShapeInfo", "both", "")                             \
  R("GlobalTensor", "SetValue", "both", "")                                 \
  R("GlobalTensor", "operator()", "both", "")                               \
  R("GlobalTensor", "operator[]", "both", "")                               \
  /* TQueBind */                                                            \
  R("TQueBind", "AllocTensor", "both", "")                                  \
  R("TQueBind", "DeQue", "both", "")                                        \
  R("TQueBind", "EnQue", "both", "")                                        \
  R("TQueBind", "FreeAllEvent", "both", "changes nothing here")             \
  R("TQueBind", "FreeBuffer", "both", "")                                   \
  R("TQueBind", "FreeTensor", "both", "")                                   \
  R("TQueBind", "GetBufferAddr", "both", "")                                \
  R("TQueBind", "GetState", "both", "")                                     \
  R("TQueBind", "GetTensorCountInQue", "both", "")                          \
  R("TQueBind", "HasIdleBuffer", "both", "")                                \
  R("TQueBind", "HasTensorInQue", "both", "")                               \
  R("TQueBind", "InitBufHandle", "both", "")                                \
  R("TQueBind", "InitStartBufHandle", "both", "")                           \
  R("TQueBind", "VacantInQue", "both", "")                                  \
  /* TQueSync */                                                            \
  R("TQueSync", "SetFlag", "both", "")                                      \
  R("TQueSync", "WaitFlag", "both", "")                                     \
  /* TBuf */                                                                \
  R("TBuf", "AllocTensor", "both", "")                                      \
  R("TBuf", "DeQue", "both", "")                                            \
  R("TBuf", "EnQue", "both", "")                                            \
  R("TBuf", "FreeBuffer", "both", "")                                       \
  R("TBuf", "FreeTensor", "both", "")                                       \
  R("TBuf", "Get", "both", "")                                              \
  R("TBuf", "GetBufferAddr", "both", "")                                    \
  R("TBuf", "GetState", "both", "")                                         \
  R("TBuf", "GetWithOffset", "both", "")                                    \
  R("TBuf", "InitStartBufHandle", "both", "")                               \
  /* TBufPool */                                                            \
  R("TBufPool", "Init", "2201", "")                                         \
  R("TBufPool", "InitBufPool", "2201", "")                                  \
  R("TBufPool", "InitBuffer", "2201", "")                                   \
  R("TBufPool", "Reset", "2201", "")                                        \
  /* TPipe */                                                               \
  R("TPipe", "AllocEventID", "both", "")                                    \
  R("TPipe", "Destroy", "both", "")                                         \
  R("TPipe", "DestroyWithoutPipeAll", "both", "")                           \
  R("TPipe", "FetchEventID", "both", "")                                    \
  R("TPipe", "GetAbsAddr", "both", "")                                      \
  R("TPipe", "GetBaseAddr", "both", "")                                     \
  R("TPipe", "Init", "both", "")                                            \
  R("TPipe", "InitBufPool", "both", "")                                     \
  R("TPipe", "InitBuffer", "both", "")                                      \
  R("TPipe", "ReleaseEventID", "both", "")                                  \
  R("TPipe", "Reset", "both", "")                                           \
  /* GroupBarrier */                                                        \
  R("GroupBarrier", "Arrive", "both", "")                                   \
  R("GroupBarrier", "GetWorkspaceLen", "both", "")                          \
  R("GroupBarrier", "Wait", "both", "")                                     \
  /* Mutex */                                                               \
  R("Mutex", "Lock", "3510", "")                                            \
  R("Mutex", "Unlock", "3510", "")                                          \
  /* LocalMemAllocator */                                                   \
  R("LocalMemAllocator", "Alloc", "both", "")                               \
  R("LocalMemAllocator", "GetCurAddr", "both", "")                          \
  /* Hccl */                                                                \
  R("Hccl", "AllGather", "both", "")                                        \
  R("Hccl", "AllReduce", "both", "")                                        \
  R("Hccl", "AlltoAll", "both", "")                                         \
  R("Hccl", "AlltoAllV", "both", "")                                        \
  R("Hccl", "Commit", "both", "")                                           \
  R("Hccl", "Finalize", "both", "")                                         \
  R("Hccl", "GetRankDim", "both", "")                                       \
  R("Hccl", "GetRankId", "both", "")                                        \
  R("Hccl", "GetWindowsInAddr", "2201", "")                                 \
  R("Hccl", "GetWindowsOutAddr", "2201", "")                                \
  R("Hccl", "Init", "both", "")                                             \
  R("Hccl", "InitV2", "both", "")                                           \
  R("Hccl", "Query", "2201", "")                                            \
  R("Hccl", "ReduceScatter", "both", "")                                    \
  R("Hccl", "SetCcTiling", "both", "")                                      \
  R("Hccl", "SetCcTilingV2", "both", "")                                    \
  R("Hccl", "Wait", "both", "")                                             \
  /* lists of tensors */                                                    \
  R("ListTensorDesc", "GetDataPtr", "both", "")                             \
  R("ListTensorDesc", "GetDesc", "both", "")                                \
  R("ListTensorDesc", "GetSize", "both", "")                                \
  R("ListTensorDesc", "Init", "both", "")                                   \
  R("TensorDesc", "GetDataObj", "both", "")                                 \
  R("TensorDesc", "GetDataPtr", "both", "")                                 \
  R("TensorDesc", "GetDim", "both", "")                                     \
  R("TensorDesc", "GetIndex", "both", "")                                   \
  R("TensorDesc", "GetShape", "both", "")                                   \
  R("TensorDesc", "SetShapeAddr", "both", "")

#endif /* ASCENDC_IMPL_FUNCTION_ROWS_H_ */
