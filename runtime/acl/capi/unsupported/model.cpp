// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_mdl.h"

#include "runtime/acl/capi/unsupported.h"

// model descriptions
ACL_UNSUPPORTED(aclmdlDesc*, aclmdlCreateDesc, (), "offline models");
ACL_UNSUPPORTED(aclError, aclmdlDestroyDesc, (aclmdlDesc*), "offline models");
ACL_UNSUPPORTED(aclError, aclmdlGetDesc, (aclmdlDesc*, uint32_t), "offline models");
ACL_UNSUPPORTED(aclError, aclmdlGetDescFromFile, (aclmdlDesc*, const char*), "offline models");
ACL_UNSUPPORTED(aclError, aclmdlGetDescFromMem, (aclmdlDesc*, const void*, size_t),
                "offline models");
ACL_UNSUPPORTED(size_t, aclmdlGetNumInputs, (aclmdlDesc*), "offline models");
ACL_UNSUPPORTED(size_t, aclmdlGetNumOutputs, (aclmdlDesc*), "offline models");
ACL_UNSUPPORTED(size_t, aclmdlGetInputSizeByIndex, (aclmdlDesc*, size_t), "offline models");
ACL_UNSUPPORTED(size_t, aclmdlGetOutputSizeByIndex, (aclmdlDesc*, size_t), "offline models");
ACL_UNSUPPORTED(const char*, aclmdlGetOpAttr, (aclmdlDesc*, const char*, const char*),
                "offline models");
ACL_UNSUPPORTED(const char*, aclmdlGetInputNameByIndex, (const aclmdlDesc*, size_t),
                "offline models");
ACL_UNSUPPORTED(const char*, aclmdlGetOutputNameByIndex, (const aclmdlDesc*, size_t),
                "offline models");
ACL_UNSUPPORTED(aclFormat, aclmdlGetInputFormat, (const aclmdlDesc*, size_t), "offline models");
ACL_UNSUPPORTED(aclFormat, aclmdlGetOutputFormat, (const aclmdlDesc*, size_t), "offline models");
ACL_UNSUPPORTED(aclDataType, aclmdlGetInputDataType, (const aclmdlDesc*, size_t), "offline models");
ACL_UNSUPPORTED(aclDataType, aclmdlGetOutputDataType, (const aclmdlDesc*, size_t),
                "offline models");
ACL_UNSUPPORTED(aclError, aclmdlGetInputIndexByName, (const aclmdlDesc*, const char*, size_t*),
                "offline models");
ACL_UNSUPPORTED(aclError, aclmdlGetOutputIndexByName, (const aclmdlDesc*, const char*, size_t*),
                "offline models");
ACL_UNSUPPORTED(aclError, aclmdlCreateAndGetOpDesc,
                (uint32_t, uint32_t, uint32_t, char*, size_t, aclTensorDesc**, size_t*,
                 aclTensorDesc**, size_t*),
                "offline models");
ACL_UNSUPPORTED(const char*, aclmdlGetTensorRealName, (const aclmdlDesc*, const char*),
                "offline models");

// data sets
ACL_UNSUPPORTED(aclmdlDataset*, aclmdlCreateDataset, (), "model data sets");
ACL_UNSUPPORTED(aclError, aclmdlDestroyDataset, (const aclmdlDataset*), "model data sets");
ACL_UNSUPPORTED(aclError, aclmdlAddDatasetBuffer, (aclmdlDataset*, aclDataBuffer*),
                "model data sets");
ACL_UNSUPPORTED(aclError, aclmdlSetDatasetTensorDesc, (aclmdlDataset*, aclTensorDesc*, size_t),
                "model data sets");
ACL_UNSUPPORTED(aclTensorDesc*, aclmdlGetDatasetTensorDesc, (const aclmdlDataset*, size_t),
                "model data sets");
ACL_UNSUPPORTED(size_t, aclmdlGetDatasetNumBuffers, (const aclmdlDataset*), "model data sets");
ACL_UNSUPPORTED(aclDataBuffer*, aclmdlGetDatasetBuffer, (const aclmdlDataset*, size_t),
                "model data sets");

// load, run and unload
ACL_UNSUPPORTED(aclError, aclmdlLoadFromFile, (const char*, uint32_t*), "offline models");
ACL_UNSUPPORTED(aclError, aclmdlLoadFromMem, (const void*, size_t, uint32_t*), "offline models");
ACL_UNSUPPORTED(aclError, aclmdlLoadFromFileWithMem,
                (const char*, uint32_t*, void*, size_t, void*, size_t), "offline models");
ACL_UNSUPPORTED(aclError, aclmdlLoadFromMemWithMem,
                (const void*, size_t, uint32_t*, void*, size_t, void*, size_t), "offline models");
ACL_UNSUPPORTED(aclError, aclmdlLoadFromFileWithQ,
                (const char*, uint32_t*, const uint32_t*, size_t, const uint32_t*, size_t),
                "offline models");
ACL_UNSUPPORTED(aclError, aclmdlLoadFromMemWithQ,
                (const void*, size_t, uint32_t*, const uint32_t*, size_t, const uint32_t*, size_t),
                "offline models");
ACL_UNSUPPORTED(aclError, aclmdlExecute, (uint32_t, const aclmdlDataset*, aclmdlDataset*),
                "offline models");
ACL_UNSUPPORTED(aclError, aclmdlExecuteV2,
                (uint32_t, const aclmdlDataset*, aclmdlDataset*, aclrtStream,
                 const aclmdlExecConfigHandle*),
                "offline models");
ACL_UNSUPPORTED(aclError, aclmdlExecuteAsyncV2,
                (uint32_t, const aclmdlDataset*, aclmdlDataset*, aclrtStream,
                 const aclmdlExecConfigHandle*),
                "offline models");
ACL_UNSUPPORTED(aclError, aclmdlExecuteAsync,
                (uint32_t, const aclmdlDataset*, aclmdlDataset*, aclrtStream), "offline models");
ACL_UNSUPPORTED(aclError, aclmdlUnload, (uint32_t), "offline models");
ACL_UNSUPPORTED(aclError, aclmdlQuerySize, (const char*, size_t*, size_t*), "offline models");
ACL_UNSUPPORTED(aclError, aclmdlQueryExeOMDesc, (const char*, aclmdlExeOMDesc*), "offline models");
ACL_UNSUPPORTED(aclError, aclmdlQuerySizeFromMem, (const void*, size_t, size_t*, size_t*),
                "offline models");
ACL_UNSUPPORTED(aclError, aclmdlLoadWithConfig, (const aclmdlConfigHandle*, uint32_t*),
                "offline models");
ACL_UNSUPPORTED(aclError, aclmdlLoadFromModel,
                (const aclmdlModel*, const aclmdlConfigHandle*, uint32_t*), "offline models");

// bundles
ACL_UNSUPPORTED(aclError, aclmdlBundleLoadFromFile, (const char*, uint32_t*), "model bundles");
ACL_UNSUPPORTED(aclError, aclmdlBundleLoadFromMem, (const void*, size_t, uint32_t*),
                "model bundles");
ACL_UNSUPPORTED(aclError, aclmdlBundleUnload, (uint32_t), "model bundles");
ACL_UNSUPPORTED(aclError, aclmdlBundleGetModelNum, (uint32_t, size_t*), "model bundles");
ACL_UNSUPPORTED(aclError, aclmdlBundleGetModelId, (uint32_t, size_t, uint32_t*), "model bundles");
ACL_UNSUPPORTED(aclmdlBundleQueryInfo*, aclmdlBundleCreateQueryInfo, (), "model bundles");
ACL_UNSUPPORTED(aclError, aclmdlBundleDestroyQueryInfo, (aclmdlBundleQueryInfo*), "model bundles");
ACL_UNSUPPORTED(aclError, aclmdlBundleQueryInfoFromFile, (const char*, aclmdlBundleQueryInfo*),
                "model bundles");
ACL_UNSUPPORTED(aclError, aclmdlBundleQueryInfoFromMem,
                (const void*, size_t, aclmdlBundleQueryInfo*), "model bundles");
ACL_UNSUPPORTED(aclError, aclmdlBundleGetQueryModelNum, (const aclmdlBundleQueryInfo*, size_t*),
                "model bundles");
ACL_UNSUPPORTED(aclError, aclmdlBundleGetVarWeightSize, (const aclmdlBundleQueryInfo*, size_t*),
                "model bundles");
ACL_UNSUPPORTED(aclError, aclmdlBundleGetSize,
                (const aclmdlBundleQueryInfo*, size_t, size_t*, size_t*), "model bundles");
ACL_UNSUPPORTED(aclError, aclmdlBundleInitFromFile, (const char*, void*, size_t, uint32_t*),
                "model bundles");
ACL_UNSUPPORTED(aclError, aclmdlBundleInitFromMem, (const void*, size_t, void*, size_t, uint32_t*),
                "model bundles");
ACL_UNSUPPORTED(aclError, aclmdlBundleLoadModel, (uint32_t, size_t, uint32_t*), "model bundles");
ACL_UNSUPPORTED(aclError, aclmdlBundleLoadModelWithMem,
                (uint32_t, size_t, void*, size_t, void*, size_t, uint32_t*), "model bundles");
ACL_UNSUPPORTED(aclError, aclmdlBundleLoadModelWithConfig,
                (uint32_t, size_t, aclmdlConfigHandle*, uint32_t*), "model bundles");
ACL_UNSUPPORTED(aclError, aclmdlBundleUnloadModel, (uint32_t, uint32_t), "model bundles");

// dynamic shapes
ACL_UNSUPPORTED(aclError, aclmdlSetDynamicBatchSize, (uint32_t, aclmdlDataset*, size_t, uint64_t),
                "dynamic shapes of models");
ACL_UNSUPPORTED(aclError, aclmdlSetDynamicHWSize,
                (uint32_t, aclmdlDataset*, size_t, uint64_t, uint64_t), "dynamic shapes of models");
ACL_UNSUPPORTED(aclError, aclmdlSetInputDynamicDims,
                (uint32_t, aclmdlDataset*, size_t, const aclmdlIODims*),
                "dynamic shapes of models");
ACL_UNSUPPORTED(aclError, aclmdlGetInputDims, (const aclmdlDesc*, size_t, aclmdlIODims*),
                "dynamic shapes of models");
ACL_UNSUPPORTED(aclError, aclmdlGetInputDimsV2, (const aclmdlDesc*, size_t, aclmdlIODims*),
                "dynamic shapes of models");
ACL_UNSUPPORTED(aclError, aclmdlGetInputDimsRange, (const aclmdlDesc*, size_t, aclmdlIODimsRange*),
                "dynamic shapes of models");
ACL_UNSUPPORTED(aclError, aclmdlGetOutputDims, (const aclmdlDesc*, size_t, aclmdlIODims*),
                "dynamic shapes of models");
ACL_UNSUPPORTED(aclError, aclmdlGetCurOutputDims, (const aclmdlDesc*, size_t, aclmdlIODims*),
                "dynamic shapes of models");
ACL_UNSUPPORTED(aclError, aclmdlGetDynamicBatch, (const aclmdlDesc*, aclmdlBatch*),
                "dynamic shapes of models");
ACL_UNSUPPORTED(aclError, aclmdlGetDynamicHW, (const aclmdlDesc*, size_t, aclmdlHW*),
                "dynamic shapes of models");
ACL_UNSUPPORTED(aclError, aclmdlGetInputDynamicGearCount, (const aclmdlDesc*, size_t, size_t*),
                "dynamic shapes of models");
ACL_UNSUPPORTED(aclError, aclmdlGetInputDynamicDims,
                (const aclmdlDesc*, size_t, aclmdlIODims*, size_t), "dynamic shapes of models");

// image preprocessing
ACL_UNSUPPORTED(aclmdlAIPP*, aclmdlCreateAIPP, (uint64_t), "image preprocessing of models");
ACL_UNSUPPORTED(aclError, aclmdlDestroyAIPP, (const aclmdlAIPP*), "image preprocessing of models");
ACL_UNSUPPORTED(aclError, aclmdlGetAippDataSize, (uint64_t, size_t*),
                "image preprocessing of models");
ACL_UNSUPPORTED(aclError, aclmdlSetAIPPInputFormat, (aclmdlAIPP*, aclAippInputFormat),
                "image preprocessing of models");
ACL_UNSUPPORTED(aclError, aclmdlSetAIPPCscParams,
                (aclmdlAIPP*, int8_t, int16_t, int16_t, int16_t, int16_t, int16_t, int16_t, int16_t,
                 int16_t, int16_t, uint8_t, uint8_t, uint8_t, uint8_t, uint8_t, uint8_t),
                "image preprocessing of models");
ACL_UNSUPPORTED(aclError, aclmdlSetAIPPRbuvSwapSwitch, (aclmdlAIPP*, int8_t),
                "image preprocessing of models");
ACL_UNSUPPORTED(aclError, aclmdlSetAIPPAxSwapSwitch, (aclmdlAIPP*, int8_t),
                "image preprocessing of models");
ACL_UNSUPPORTED(aclError, aclmdlSetAIPPSrcImageSize, (aclmdlAIPP*, int32_t, int32_t),
                "image preprocessing of models");
ACL_UNSUPPORTED(aclError, aclmdlSetAIPPScfParams,
                (aclmdlAIPP*, int8_t, int32_t, int32_t, int32_t, int32_t, uint64_t),
                "image preprocessing of models");
ACL_UNSUPPORTED(aclError, aclmdlSetAIPPCropParams,
                (aclmdlAIPP*, int8_t, int32_t, int32_t, int32_t, int32_t, uint64_t),
                "image preprocessing of models");
ACL_UNSUPPORTED(aclError, aclmdlSetAIPPPaddingParams,
                (aclmdlAIPP*, int8_t, int32_t, int32_t, int32_t, int32_t, uint64_t),
                "image preprocessing of models");
ACL_UNSUPPORTED(aclError, aclmdlSetAIPPDtcPixelMean,
                (aclmdlAIPP*, int16_t, int16_t, int16_t, int16_t, uint64_t),
                "image preprocessing of models");
ACL_UNSUPPORTED(aclError, aclmdlSetAIPPDtcPixelMin,
                (aclmdlAIPP*, float, float, float, float, uint64_t),
                "image preprocessing of models");
ACL_UNSUPPORTED(aclError, aclmdlSetAIPPPixelVarReci,
                (aclmdlAIPP*, float, float, float, float, uint64_t),
                "image preprocessing of models");
ACL_UNSUPPORTED(aclError, aclmdlSetInputAIPP, (uint32_t, aclmdlDataset*, size_t, const aclmdlAIPP*),
                "image preprocessing of models");
ACL_UNSUPPORTED(aclError, aclmdlSetAIPPByInputIndex,
                (uint32_t, aclmdlDataset*, size_t, const aclmdlAIPP*),
                "image preprocessing of models");
ACL_UNSUPPORTED(aclError, aclmdlGetAippType, (uint32_t, size_t, aclmdlInputAippType*, size_t*),
                "image preprocessing of models");
ACL_UNSUPPORTED(aclError, aclmdlGetFirstAippInfo, (uint32_t, size_t, aclAippInfo*),
                "image preprocessing of models");

// configuration and the rest
ACL_UNSUPPORTED(aclmdlExecConfigHandle*, aclmdlCreateExecConfigHandle, (), "offline models");
ACL_UNSUPPORTED(aclError, aclmdlDestroyExecConfigHandle, (const aclmdlExecConfigHandle*),
                "offline models");
ACL_UNSUPPORTED(aclError, aclmdlSetAttribute, (uint32_t, aclmdlAttr, aclmdlAttrValue_t*),
                "offline models");
ACL_UNSUPPORTED(aclError, aclmdlGetAttribute, (uint32_t, aclmdlAttr, aclmdlAttrValue_t*),
                "offline models");
ACL_UNSUPPORTED(aclmdlConfigHandle*, aclmdlCreateConfigHandle, (), "offline models");
ACL_UNSUPPORTED(aclError, aclmdlDestroyConfigHandle, (aclmdlConfigHandle*), "offline models");
ACL_UNSUPPORTED(aclError, aclmdlSetConfigOpt,
                (aclmdlConfigHandle*, aclmdlConfigAttr, const void*, size_t), "offline models");
ACL_UNSUPPORTED(aclError, aclmdlSetExecConfigOpt,
                (aclmdlExecConfigHandle*, aclmdlExecConfigAttr, const void*, size_t),
                "offline models");
ACL_UNSUPPORTED(aclError, aclmdlSetExternalWeightAddress,
                (aclmdlConfigHandle*, const char*, void*, size_t), "offline models");
ACL_UNSUPPORTED(aclError, aclRecoverAllHcclTasks, (int32_t), "recovery of collective tasks");
