// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_rt.h"

#include "runtime/acl/unsupported.h"

// device
ACL_UNSUPPORTED(aclError, aclrtSetTsDevice, (aclrtTsId), "choice of the task scheduler");
ACL_UNSUPPORTED(aclError, aclrtGetDeviceUtilizationRate, (int32_t, aclrtUtilizationInfo*),
                "utilisation rates");
ACL_UNSUPPORTED(aclError, aclrtDeviceTaskAbort, (int32_t, uint32_t),
                "abort of all tasks of a device");
ACL_UNSUPPORTED(aclError, aclrtGetDeviceCapability, (int32_t, aclrtDevFeatureType, int32_t*),
                "optional features of a device");
ACL_UNSUPPORTED(aclError, aclrtDeviceGetUuid, (int32_t, aclrtUuid*), "device UUID");
ACL_UNSUPPORTED(aclError, aclrtDeviceSetLimit, (aclrtDeviceLimit, size_t),
                "per-device limits of stacks and print buffers");
ACL_UNSUPPORTED(aclError, aclrtDeviceGetLimit, (aclrtDeviceLimit, size_t*),
                "per-device limits of stacks and print buffers");
ACL_UNSUPPORTED(aclError, aclrtDeviceGetPCIBusId, (int32_t, char*, int32_t), "PCI bus ids");
ACL_UNSUPPORTED(aclError, aclrtDeviceGetByPCIBusId, (const char*, int32_t*), "PCI bus ids");
ACL_UNSUPPORTED(aclError, aclrtGetDevicesTopo, (uint32_t, uint32_t, uint64_t*),
                "topology between two devices");
ACL_UNSUPPORTED(aclError, aclrtGetLogicDevIdByUserDevId, (const int32_t, int32_t* const),
                "user, logical and physical device ids");
ACL_UNSUPPORTED(aclError, aclrtGetUserDevIdByLogicDevId, (const int32_t, int32_t* const),
                "user, logical and physical device ids");
ACL_UNSUPPORTED(aclError, aclrtGetLogicDevIdByPhyDevId, (const int32_t, int32_t* const),
                "user, logical and physical device ids");
ACL_UNSUPPORTED(aclError, aclrtGetPhyDevIdByLogicDevId, (const int32_t, int32_t* const),
                "user, logical and physical device ids");
ACL_UNSUPPORTED(aclError, aclrtGetUserDevIdByPhyDevId, (const int32_t, int32_t* const),
                "user, logical and physical device ids");
ACL_UNSUPPORTED(aclError, aclrtGetPhyDevIdByUserDevId, (const int32_t, int32_t* const),
                "user, logical and physical device ids");
ACL_UNSUPPORTED(aclError, aclrtRegDeviceStateCallback,
                (const char*, aclrtDeviceStateCallback, void*), "device state callbacks");
ACL_UNSUPPORTED(aclError, aclrtSetDeviceTaskAbortCallback,
                (const char*, aclrtDeviceTaskAbortCallback, void*),
                "abort of all tasks of a device");

// system parameters
ACL_UNSUPPORTED(aclError, aclrtCtxGetSysParamOpt, (aclSysParamOpt, int64_t*), "system parameters");
ACL_UNSUPPORTED(aclError, aclrtCtxSetSysParamOpt, (aclSysParamOpt, int64_t), "system parameters");
ACL_UNSUPPORTED(aclError, aclrtGetSysParamOpt, (aclSysParamOpt, int64_t*), "system parameters");
ACL_UNSUPPORTED(aclError, aclrtSetSysParamOpt, (aclSysParamOpt, int64_t), "system parameters");

// core limits of a device, a stream and a thread
ACL_UNSUPPORTED(aclError, aclrtGetDeviceResLimit, (int32_t, aclrtDevResLimitType, uint32_t*),
                "core limits of a device");
ACL_UNSUPPORTED(aclError, aclrtSetDeviceResLimit, (int32_t, aclrtDevResLimitType, uint32_t),
                "core limits of a device");
ACL_UNSUPPORTED(aclError, aclrtResetDeviceResLimit, (int32_t), "core limits of a device");
ACL_UNSUPPORTED(aclError, aclrtGetStreamResLimit, (aclrtStream, aclrtDevResLimitType, uint32_t*),
                "core limits of a stream");
ACL_UNSUPPORTED(aclError, aclrtSetStreamResLimit, (aclrtStream, aclrtDevResLimitType, uint32_t),
                "core limits of a stream");
ACL_UNSUPPORTED(aclError, aclrtResetStreamResLimit, (aclrtStream), "core limits of a stream");
ACL_UNSUPPORTED(aclError, aclrtUseStreamResInCurrentThread, (aclrtStream),
                "core limits of a thread");
ACL_UNSUPPORTED(aclError, aclrtUnuseStreamResInCurrentThread, (aclrtStream),
                "core limits of a thread");
ACL_UNSUPPORTED(aclError, aclrtGetResInCurrentThread, (aclrtDevResLimitType, uint32_t*),
                "core limits of a thread");

// core groups
ACL_UNSUPPORTED(aclError, aclrtSetGroup, (int32_t), "core groups");
ACL_UNSUPPORTED(aclError, aclrtGetGroupCount, (uint32_t*), "core groups");
ACL_UNSUPPORTED(aclrtGroupInfo*, aclrtCreateGroupInfo, (), "core groups");
ACL_UNSUPPORTED(aclError, aclrtDestroyGroupInfo, (aclrtGroupInfo*), "core groups");
ACL_UNSUPPORTED(aclError, aclrtGetAllGroupInfo, (aclrtGroupInfo*), "core groups");
ACL_UNSUPPORTED(aclError, aclrtGetGroupInfoDetail,
                (const aclrtGroupInfo*, int32_t, aclrtGroupAttr, void*, size_t, size_t*),
                "core groups");

// peer access and atomics
ACL_UNSUPPORTED(aclError, aclrtDeviceGetHostAtomicCapabilities,
                (uint32_t*, const aclrtAtomicOperation*, const uint32_t, int32_t),
                "atomic capabilities of a link");
ACL_UNSUPPORTED(aclError, aclrtDeviceGetP2PAtomicCapabilities,
                (uint32_t*, const aclrtAtomicOperation*, const uint32_t, int32_t, int32_t),
                "atomic capabilities of a link");
ACL_UNSUPPORTED(aclError, aclrtMemP2PMap, (void*, size_t, int32_t, uint64_t),
                "peer mapping of one memory range");
