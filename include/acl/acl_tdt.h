/* SPDX-License-Identifier: Apache-2.0 */
/* Channels that carry sets of tensors between host and device. C++ only. */
#ifndef ACL_INCLUDE_ACL_TDT_H_
#define ACL_INCLUDE_ACL_TDT_H_

#ifndef __cplusplus
#error "acl_tdt.h is a C++ header"
#endif

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- tensor channels ------------------------------------------------------------------------- */

/* Everywhere here: 100000 for a null argument, 107017 for a handle that was destroyed or is none;
   functions that return pointers return null then. Timeouts are in ms: -1 waits for ever, 0 not at
   all, less than -1 is 100000. All functions may be called from any thread, with or without a
   context; channels outlive aclrtResetDevice. */

enum acltdtTensorType {
  ACL_TENSOR_DATA_UNDEFINED = -1,
  ACL_TENSOR_DATA_TENSOR = 0,
  ACL_TENSOR_DATA_END_OF_SEQUENCE = 1,
  ACL_TENSOR_DATA_ABNORMAL = 2,
  ACL_TENSOR_DATA_SLICE_TENSOR = 3,
  ACL_TENSOR_DATA_END_TENSOR = 4
};

typedef struct acltdtDataItem acltdtDataItem;
typedef struct acltdtDataset acltdtDataset;
typedef struct acltdtChannelHandle acltdtChannelHandle;

/* Type of an item; ACL_TENSOR_DATA_UNDEFINED for null. */
ACL_FUNC_VISIBILITY acltdtTensorType acltdtGetTensorTypeFromItem(const acltdtDataItem *dataItem);

/* Data type of an item; ACL_DT_UNDEFINED for null. */
ACL_FUNC_VISIBILITY aclDataType acltdtGetDataTypeFromItem(const acltdtDataItem *dataItem);

/* Data of an item; null for null. Received data are in host memory and are freed with their set. */
ACL_FUNC_VISIBILITY void *acltdtGetDataAddrFromItem(const acltdtDataItem *dataItem);

/* Bytes of an item; 0 for null. */
ACL_FUNC_VISIBILITY size_t acltdtGetDataSizeFromItem(const acltdtDataItem *dataItem);

/* Number of dimensions of an item; 0 for null. */
ACL_FUNC_VISIBILITY size_t acltdtGetDimNumFromItem(const acltdtDataItem *dataItem);

/* Stores number and index of slices: both 0, because no channel here cuts a tensor. */
ACL_FUNC_VISIBILITY aclError acltdtGetSliceInfoFromItem(const acltdtDataItem *dataItem,
                                                        size_t *sliceNum, size_t *sliceId);

/* Writes the dimensions of an item; 100000 when dimNum is less than their number. dims is null
   exactly when dimNum is 0. */
ACL_FUNC_VISIBILITY aclError acltdtGetDimsFromItem(const acltdtDataItem *dataItem, int64_t *dims,
                                                   size_t dimNum);

/* Describes one tensor without copying it; a send copies it. dims is null exactly when dimNum is 0;
   at most 128 dimensions, and none unless tdtType is ACL_TENSOR_DATA_TENSOR. data may be in host or
   device memory, and be null when size is 0. Null for bad arguments. */
ACL_FUNC_VISIBILITY acltdtDataItem *acltdtCreateDataItem(acltdtTensorType tdtType,
                                                         const int64_t *dims, size_t dimNum,
                                                         aclDataType dataType, void *data,
                                                         size_t size);

/* Destroys the description, not the data. 200006 for an item of a received set. */
ACL_FUNC_VISIBILITY aclError acltdtDestroyDataItem(acltdtDataItem *dataItem);

/* A new empty set of items. */
ACL_FUNC_VISIBILITY acltdtDataset *acltdtCreateDataset(void);

/* Destroys a set. Its items stay, unless it was received: then they go with their data. */
ACL_FUNC_VISIBILITY aclError acltdtDestroyDataset(acltdtDataset *dataset);

/* Item of a set; null beyond the end. */
ACL_FUNC_VISIBILITY acltdtDataItem *acltdtGetDataItem(const acltdtDataset *dataset, size_t index);

/* Appends an item, which must live as long as the set is sent. 200006 for a received set, 100000
   for a mix of host and device items. */
ACL_FUNC_VISIBILITY aclError acltdtAddDataItem(acltdtDataset *dataset, acltdtDataItem *dataItem);

/* Number of items in a set. */
ACL_FUNC_VISIBILITY size_t acltdtGetDatasetSize(const acltdtDataset *dataset);

/* Name of the channel that a received set came from; empty for any other set. Valid as long as the
   set. */
ACL_FUNC_VISIBILITY const char *acltdtGetDatasetName(const acltdtDataset *dataset);

/* Wakes waiting threads and accepts no further data: sends return 207014. Items in the channel can
   still be received, then receives return 207013. */
ACL_FUNC_VISIBILITY aclError acltdtStopChannel(acltdtChannelHandle *handle);

/* A channel between the program and its device: to the device or, when the name starts with
   TF_RECEIVE_, from it. Here the device's end is for kernels, which may call acltdtReceiveTensor
   and acltdtSendTensor; the program itself never receives what it sent. Timeouts must be -1
   (100000); a send waits while 128 sets wait in the channel. */
ACL_FUNC_VISIBILITY acltdtChannelHandle *acltdtCreateChannel(uint32_t deviceId, const char *name);

/* A channel of 2 to 8192 sets between any threads of the program; null for a bad device, name (at
   most 127 characters) or capacity. Two channels of one name are two channels. */
ACL_FUNC_VISIBILITY acltdtChannelHandle *acltdtCreateChannelWithCapacity(uint32_t deviceId,
                                                                         const char *name,
                                                                         size_t capacity);

/* Destroys a channel and the items in it. Threads that wait for it return 107017. */
ACL_FUNC_VISIBILITY aclError acltdtDestroyChannel(acltdtChannelHandle *handle);

/* Drops what waits in the channel. 200006 for one without a capacity of its own. */
ACL_FUNC_VISIBILITY aclError acltdtCleanChannel(acltdtChannelHandle *handle);

/* Sends a copy of a set, data included: the call reads the data, in order with no stream. 207014
   when the channel is still full at the end of the timeout; 107017 when an item was destroyed. */
ACL_FUNC_VISIBILITY aclError acltdtSendTensor(const acltdtChannelHandle *handle,
                                              const acltdtDataset *dataset, int32_t timeout);

/* Receives into an empty set (100000 otherwise). 207013 when the channel is still empty at the end
   of the timeout. */
ACL_FUNC_VISIBILITY aclError acltdtReceiveTensor(const acltdtChannelHandle *handle,
                                                 acltdtDataset *dataset, int32_t timeout);

/* Stores how many sets wait in the channel. 200006 for one without a capacity of its own. */
ACL_FUNC_VISIBILITY aclError acltdtQueryChannelSize(const acltdtChannelHandle *handle,
                                                    size_t *size);

#ifdef __cplusplus
}
#endif

#endif /* ACL_INCLUDE_ACL_TDT_H_ */
