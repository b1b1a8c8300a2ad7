// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_tdt.h"

#include "runtime/acl/unsupported.h"

// tensor channels
ACL_UNSUPPORTED(acltdtTensorType, acltdtGetTensorTypeFromItem, (const acltdtDataItem*),
                "tensor channels");
ACL_UNSUPPORTED(aclDataType, acltdtGetDataTypeFromItem, (const acltdtDataItem*), "tensor channels");
ACL_UNSUPPORTED(void*, acltdtGetDataAddrFromItem, (const acltdtDataItem*), "tensor channels");
ACL_UNSUPPORTED(size_t, acltdtGetDataSizeFromItem, (const acltdtDataItem*), "tensor channels");
ACL_UNSUPPORTED(size_t, acltdtGetDimNumFromItem, (const acltdtDataItem*), "tensor channels");
ACL_UNSUPPORTED(aclError, acltdtGetSliceInfoFromItem, (const acltdtDataItem*, size_t*, size_t*),
                "tensor channels");
ACL_UNSUPPORTED(aclError, acltdtGetDimsFromItem, (const acltdtDataItem*, int64_t*, size_t),
                "tensor channels");
ACL_UNSUPPORTED(acltdtDataItem*, acltdtCreateDataItem,
                (acltdtTensorType, const int64_t*, size_t, aclDataType, void*, size_t),
                "tensor channels");
ACL_UNSUPPORTED(aclError, acltdtDestroyDataItem, (acltdtDataItem*), "tensor channels");
ACL_UNSUPPORTED(acltdtDataset*, acltdtCreateDataset, (), "tensor channels");
ACL_UNSUPPORTED(aclError, acltdtDestroyDataset, (acltdtDataset*), "tensor channels");
ACL_UNSUPPORTED(acltdtDataItem*, acltdtGetDataItem, (const acltdtDataset*, size_t),
                "tensor channels");
ACL_UNSUPPORTED(aclError, acltdtAddDataItem, (acltdtDataset*, acltdtDataItem*), "tensor channels");
ACL_UNSUPPORTED(size_t, acltdtGetDatasetSize, (const acltdtDataset*), "tensor channels");
ACL_UNSUPPORTED(const char*, acltdtGetDatasetName, (const acltdtDataset*), "tensor channels");
ACL_UNSUPPORTED(aclError, acltdtStopChannel, (acltdtChannelHandle*), "tensor channels");
ACL_UNSUPPORTED(acltdtChannelHandle*, acltdtCreateChannel, (uint32_t, const char*),
                "tensor channels");
ACL_UNSUPPORTED(acltdtChannelHandle*, acltdtCreateChannelWithCapacity,
                (uint32_t, const char*, size_t), "tensor channels");
ACL_UNSUPPORTED(aclError, acltdtDestroyChannel, (acltdtChannelHandle*), "tensor channels");
ACL_UNSUPPORTED(aclError, acltdtCleanChannel, (acltdtChannelHandle*), "tensor channels");
ACL_UNSUPPORTED(aclError, acltdtSendTensor,
                (const acltdtChannelHandle*, const acltdtDataset*, int32_t), "tensor channels");
ACL_UNSUPPORTED(aclError, acltdtReceiveTensor,
                (const acltdtChannelHandle*, acltdtDataset*, int32_t), "tensor channels");
ACL_UNSUPPORTED(aclError, acltdtQueryChannelSize, (const acltdtChannelHandle*, size_t*),
                "tensor channels");
