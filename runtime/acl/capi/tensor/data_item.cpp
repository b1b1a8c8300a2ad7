// SPDX-License-Identifier: Apache-2.0
// acl_tdt.h: tensors and sets of them.
#include "runtime/acl/tensor/data_item.h"

#include <algorithm>

#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/tensor/tensor_channel.h"

using namespace acl;

namespace {

constexpr std::size_t kMaxDims = 128;

ItemTable& items(Runtime& runtime) { return runtime.section<TensorChannels>().items(); }
SetTable& sets(Runtime& runtime) { return runtime.section<TensorChannels>().sets(); }

ItemTable::Pin find_item(Runtime& runtime, const acltdtDataItem* item) {
  return find_handle(items(runtime), item, "dataItem", "a data item");
}

SetTable::Pin find_set(Runtime& runtime, const acltdtDataset* set) {
  return find_handle(sets(runtime), set, "dataset", "a data set");
}

void check_dims(acltdtTensorType type, const std::int64_t* dims, std::size_t count) {
  if (count > kMaxDims) {
    fail(ACL_ERROR_INVALID_PARAM, "dimNum is {}; expected at most {}", count, kMaxDims);
  }
  if ((dims == nullptr) != (count == 0)) {
    fail(ACL_ERROR_INVALID_PARAM, "dims is {} and dimNum {}; expected both or neither",
         dims ? "given" : "null", count);
  }
  if (type != ACL_TENSOR_DATA_TENSOR && dims) {
    fail(ACL_ERROR_INVALID_PARAM, "tdtType is {}, which has no dims; expected null",
         static_cast<int>(type));
  }
}

DataItem::Description describe(acltdtTensorType type, const std::int64_t* dims, std::size_t count,
                               aclDataType data_type, const void* data, std::size_t size) {
  if (type < ACL_TENSOR_DATA_TENSOR || type > ACL_TENSOR_DATA_END_TENSOR) {
    fail(ACL_ERROR_INVALID_PARAM, "tdtType is {}; expected 0 to 4", static_cast<int>(type));
  }
  check_dims(type, dims, count);
  if (data_type < ACL_DT_UNDEFINED || data_type > ACL_FLOAT4_E1M2) {
    fail(ACL_ERROR_INVALID_PARAM, "dataType is {}; expected an aclDataType",
         static_cast<int>(data_type));
  }
  if (!data && size != 0) {
    fail(ACL_ERROR_INVALID_PARAM, "data is null and size {}; expected 0", size);
  }
  return {type, data_type, std::vector<std::int64_t>(dims, dims + count), size};
}

/// The result of a getter: one field of an item's description.
template <class T>
T item_field(const char* function, const acltdtDataItem* item, T otherwise,
             T (*field)(const DataItem&)) {
  return guarded_value(function, otherwise,
                       [&](Runtime& runtime) { return field(*find_item(runtime, item)); });
}

}  // namespace

extern "C" {

acltdtDataItem* acltdtCreateDataItem(acltdtTensorType tdtType, const int64_t* dims, size_t dimNum,
                                     aclDataType dataType, void* data, size_t size) {
  return guarded_value(__func__, static_cast<acltdtDataItem*>(nullptr), [&](Runtime& runtime) {
    auto item = sim::make_ref<DataItem>(
        runtime, describe(tdtType, dims, dimNum, dataType, data, size), data);
    return static_cast<acltdtDataItem*>(add_handle(items(runtime), std::move(item), "a data item"));
  });
}

aclError acltdtDestroyDataItem(acltdtDataItem* dataItem) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto item = find_item(runtime, dataItem);
    if (item->received()) {
      fail(ACL_ERROR_FEATURE_UNSUPPORTED, "dataItem was received: its dataset destroys it");
    }
    end_handle(items(runtime), item, "dataItem");
  });
}

acltdtTensorType acltdtGetTensorTypeFromItem(const acltdtDataItem* dataItem) {
  return item_field<acltdtTensorType>(__func__, dataItem, ACL_TENSOR_DATA_UNDEFINED,
                                      [](const DataItem& item) { return item.description().type; });
}

aclDataType acltdtGetDataTypeFromItem(const acltdtDataItem* dataItem) {
  return item_field<aclDataType>(__func__, dataItem, ACL_DT_UNDEFINED,
                                 [](const DataItem& item) { return item.description().data_type; });
}

void* acltdtGetDataAddrFromItem(const acltdtDataItem* dataItem) {
  return item_field<void*>(__func__, dataItem, nullptr,
                           [](const DataItem& item) { return item.data(); });
}

size_t acltdtGetDataSizeFromItem(const acltdtDataItem* dataItem) {
  return item_field<size_t>(__func__, dataItem, 0,
                            [](const DataItem& item) { return item.description().size; });
}

size_t acltdtGetDimNumFromItem(const acltdtDataItem* dataItem) {
  return item_field<size_t>(__func__, dataItem, 0,
                            [](const DataItem& item) { return item.description().dims.size(); });
}

aclError acltdtGetDimsFromItem(const acltdtDataItem* dataItem, int64_t* dims, size_t dimNum) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto item = find_item(runtime, dataItem);
    const std::vector<std::int64_t>& own = item->description().dims;
    if ((dims == nullptr) != (dimNum == 0)) {
      fail(ACL_ERROR_INVALID_PARAM, "dims is {} and dimNum {}; expected both or neither",
           dims ? "given" : "null", dimNum);
    }
    if (dimNum < own.size()) {
      fail(ACL_ERROR_INVALID_PARAM, "dimNum is {}, and dataItem has {} dims", dimNum, own.size());
    }
    std::copy(own.begin(), own.end(), dims);
  });
}

aclError acltdtGetSliceInfoFromItem(const acltdtDataItem* dataItem, size_t* sliceNum,
                                    size_t* sliceId) {
  return guarded(__func__, [&](Runtime& runtime) {
    size_t& number = require_out(sliceNum, "sliceNum");
    size_t& id = require_out(sliceId, "sliceId");
    find_item(runtime, dataItem);
    number = 0;  // no channel of this machine cuts a tensor into slices
    id = 0;
  });
}

acltdtDataset* acltdtCreateDataset() {
  return guarded_value(__func__, static_cast<acltdtDataset*>(nullptr), [&](Runtime& runtime) {
    auto set = sim::make_ref<DataSet>(items(runtime));
    return static_cast<acltdtDataset*>(add_handle(sets(runtime), std::move(set), "a data set"));
  });
}

aclError acltdtDestroyDataset(acltdtDataset* dataset) {
  return guarded(__func__, [&](Runtime& runtime) {
    end_handle(sets(runtime), find_set(runtime, dataset), "dataset");
  });
}

acltdtDataItem* acltdtGetDataItem(const acltdtDataset* dataset, size_t index) {
  return guarded_value(__func__, static_cast<acltdtDataItem*>(nullptr), [&](Runtime& runtime) {
    const auto set = find_set(runtime, dataset);
    void* const item = set->at(index);
    if (!item) {
      fail(ACL_ERROR_INVALID_PARAM, "index is {}, and dataset has {} items", index, set->size());
    }
    return static_cast<acltdtDataItem*>(item);
  });
}

aclError acltdtAddDataItem(acltdtDataset* dataset, acltdtDataItem* dataItem) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto set = find_set(runtime, dataset);
    set->add(dataItem, find_item(runtime, dataItem));
  });
}

size_t acltdtGetDatasetSize(const acltdtDataset* dataset) {
  return guarded_value(__func__, size_t{0},
                       [&](Runtime& runtime) { return find_set(runtime, dataset)->size(); });
}

const char* acltdtGetDatasetName(const acltdtDataset* dataset) {
  return guarded_value(__func__, static_cast<const char*>(nullptr),
                       [&](Runtime& runtime) { return find_set(runtime, dataset)->name(); });
}

}  // extern "C"
