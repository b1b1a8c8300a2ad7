// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_base_rt.h"

#include "runtime/acl/unsupported.h"

// data types and formats
ACL_UNSUPPORTED(float, aclFloat16ToFloat, (aclFloat16), "half precision conversion");
ACL_UNSUPPORTED(aclFloat16, aclFloatToFloat16, (float), "half precision conversion");

// data buffers
ACL_UNSUPPORTED(aclDataBuffer*, aclCreateDataBuffer, (void*, size_t), "data buffers");
ACL_UNSUPPORTED(aclError, aclDestroyDataBuffer, (const aclDataBuffer*), "data buffers");
ACL_UNSUPPORTED(aclError, aclUpdateDataBuffer, (aclDataBuffer*, void*, size_t), "data buffers");
ACL_UNSUPPORTED(void*, aclGetDataBufferAddr, (const aclDataBuffer*), "data buffers");
ACL_UNSUPPORTED(uint32_t, aclGetDataBufferSize, (const aclDataBuffer*), "data buffers");
ACL_UNSUPPORTED(size_t, aclGetDataBufferSizeV2, (const aclDataBuffer*), "data buffers");

// chip name and capabilities
ACL_UNSUPPORTED(aclError, aclGetCannAttributeList, (const aclCannAttr**, size_t*),
                "attributes of the software stack");
ACL_UNSUPPORTED(aclError, aclGetCannAttribute, (aclCannAttr, int32_t*),
                "attributes of the software stack");
ACL_UNSUPPORTED(aclError, aclGetDeviceCapability, (uint32_t, aclDeviceInfo, int64_t*),
                "capabilities of a device by number");
