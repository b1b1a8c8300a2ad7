// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_rt.h"

#include "runtime/acl/unsupported.h"

// label
ACL_UNSUPPORTED(aclError, aclrtCreateLabel, (aclrtLabel*), "labels");
ACL_UNSUPPORTED(aclError, aclrtSetLabel, (aclrtLabel, aclrtStream), "labels");
ACL_UNSUPPORTED(aclError, aclrtDestroyLabel, (aclrtLabel), "labels");
ACL_UNSUPPORTED(aclError, aclrtCreateLabelList, (aclrtLabel*, size_t, aclrtLabelList*), "labels");
ACL_UNSUPPORTED(aclError, aclrtDestroyLabelList, (aclrtLabelList), "labels");
ACL_UNSUPPORTED(aclError, aclrtSwitchLabelByIndex, (void*, uint32_t, aclrtLabelList, aclrtStream),
                "labels");

// graph capture and built models
ACL_UNSUPPORTED(aclError, aclmdlRITaskGetParams, (aclmdlRITask, aclmdlRITaskParams*),
                "inspection and update of graph tasks");
ACL_UNSUPPORTED(aclError, aclmdlRITaskSetParams, (aclmdlRITask, aclmdlRITaskParams*),
                "inspection and update of graph tasks");
ACL_UNSUPPORTED(aclError, aclmdlRIKernelTaskGetAttribute,
                (aclmdlRITask, aclrtLaunchKernelAttrId, aclrtLaunchKernelAttrValue*),
                "inspection and update of graph tasks");
ACL_UNSUPPORTED(aclError, aclmdlRIUpdate, (aclmdlRI), "inspection and update of graph tasks");
ACL_UNSUPPORTED(aclError, aclmdlRITaskDisable, (aclmdlRITask),
                "inspection and update of graph tasks");
ACL_UNSUPPORTED(aclError, aclmdlRICaptureBegin, (aclrtStream, aclmdlRICaptureMode),
                "graph capture");
ACL_UNSUPPORTED(aclError, aclmdlRICaptureGetInfo, (aclrtStream, aclmdlRICaptureStatus*, aclmdlRI*),
                "graph capture");
ACL_UNSUPPORTED(aclError, aclmdlRICaptureEnd, (aclrtStream, aclmdlRI*), "graph capture");
ACL_UNSUPPORTED(aclError, aclmdlRIDebugPrint, (aclmdlRI), "graph capture");
ACL_UNSUPPORTED(aclError, aclmdlRIDebugJsonPrint, (aclmdlRI, const char*, uint32_t),
                "graph capture");
ACL_UNSUPPORTED(aclError, aclmdlRICaptureThreadExchangeMode, (aclmdlRICaptureMode*),
                "graph capture");
ACL_UNSUPPORTED(aclError, aclmdlRIExecuteAsync, (aclmdlRI, aclrtStream), "graph capture");
ACL_UNSUPPORTED(aclError, aclmdlRIExecute, (aclmdlRI, int32_t), "graph capture");
ACL_UNSUPPORTED(aclError, aclmdlRIDestroy, (aclmdlRI), "graph capture");
ACL_UNSUPPORTED(aclError, aclmdlRICaptureTaskGrpBegin, (aclrtStream),
                "task groups of a captured graph");
ACL_UNSUPPORTED(aclError, aclmdlRICaptureTaskGrpEnd, (aclrtStream, aclrtTaskGrp*),
                "task groups of a captured graph");
ACL_UNSUPPORTED(aclError, aclmdlRICaptureTaskUpdateBegin, (aclrtStream, aclrtTaskGrp),
                "task groups of a captured graph");
ACL_UNSUPPORTED(aclError, aclmdlRICaptureTaskUpdateEnd, (aclrtStream),
                "task groups of a captured graph");
ACL_UNSUPPORTED(aclError, aclmdlRIBuildBegin, (aclmdlRI*, uint32_t), "built models");
ACL_UNSUPPORTED(aclError, aclmdlRIBindStream, (aclmdlRI, aclrtStream, uint32_t), "built models");
ACL_UNSUPPORTED(aclError, aclmdlRIEndTask, (aclmdlRI, aclrtStream), "built models");
ACL_UNSUPPORTED(aclError, aclmdlRIBuildEnd, (aclmdlRI, void*), "built models");
ACL_UNSUPPORTED(aclError, aclmdlRIUnbindStream, (aclmdlRI, aclrtStream), "built models");
ACL_UNSUPPORTED(aclError, aclmdlRISetName, (aclmdlRI, const char*), "graph capture");
ACL_UNSUPPORTED(aclError, aclmdlRIGetName, (aclmdlRI, uint32_t, char*), "graph capture");
ACL_UNSUPPORTED(aclError, aclmdlRIGetId, (aclmdlRI, uint32_t*), "graph capture");
ACL_UNSUPPORTED(aclError, aclmdlRIDestroyRegisterCallback, (aclmdlRI, aclrtCallback, void*),
                "graph capture");
ACL_UNSUPPORTED(aclError, aclmdlRIDestroyUnregisterCallback, (aclmdlRI, aclrtCallback),
                "graph capture");
ACL_UNSUPPORTED(aclError, aclmdlRIGetStreams, (aclmdlRI, aclrtStream*, uint32_t*),
                "inspection and update of graph tasks");
ACL_UNSUPPORTED(aclError, aclmdlRIGetTasksByStream, (aclrtStream, aclmdlRITask*, uint32_t*),
                "inspection and update of graph tasks");
ACL_UNSUPPORTED(aclError, aclmdlRITaskGetType, (aclmdlRITask, aclmdlRITaskType*),
                "inspection and update of graph tasks");
ACL_UNSUPPORTED(aclError, aclmdlRITaskGetSeqId, (aclmdlRITask, uint32_t*),
                "inspection and update of graph tasks");
ACL_UNSUPPORTED(aclError, aclmdlRIAbort, (aclmdlRI), "built models");
ACL_UNSUPPORTED(aclError, aclmdlRICondHandleCreate,
                (aclmdlRI, uint32_t, aclmdlRICondHandleFlag, aclmdlRICondHandle*),
                "conditional graphs");
ACL_UNSUPPORTED(aclError, aclmdlRICondHandleGetCondPtr, (aclmdlRICondHandle, uint64_t**),
                "conditional graphs");
ACL_UNSUPPORTED(aclError, aclmdlRIAddCondTask, (aclmdlRICondTaskParams, aclrtStream, uint32_t),
                "conditional graphs");
ACL_UNSUPPORTED(aclError, aclmdlRICaptureToModelRIBegin,
                (aclrtStream, aclmdlRI, aclmdlRICaptureMode), "conditional graphs");
