// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/tensor/data_item.h"

#include <cstring>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/memory/transfer.h"

namespace acl {

DataItem::DataItem(Runtime& runtime, Description description, void* data)
    : description_(std::move(description)), data_(data), received_(false) {
  if (!data_ || description_.size == 0) return;
  const MemoryLocation place = locate(runtime, data_, description_.size, "data");
  side_ = place.on_device() ? Side::device : Side::host;
}

DataItem::DataItem(Description description, std::unique_ptr<std::byte[]> data)
    : description_(std::move(description)),
      owned_(std::move(data)),
      data_(owned_.get()),
      received_(true),
      side_(data_ ? Side::host : Side::none) {}

sim::Ref<DataItem> DataItem::copy(Runtime& runtime) const {
  std::unique_ptr<std::byte[]> bytes;
  if (side_ != Side::none) {
    locate(runtime, data_, description_.size, "the data of an item");  // may be freed by now
    bytes = std::make_unique_for_overwrite<std::byte[]>(description_.size);
    std::memcpy(bytes.get(), runtime.memory().engine(data_), description_.size);
  }
  return sim::make_ref<DataItem>(description_, std::move(bytes));
}

// ---- sets ----

DataSet::~DataSet() {
  if (!received_) return;
  for (void* const handle : handles_) {
    if (const auto item = items_.find(handle)) items_.remove(item);
  }
}

void DataSet::add(void* handle, const ItemTable::Pin& item) {
  const sim::LockGuard guard(mutex_);
  if (received_) {
    fail(ACL_ERROR_FEATURE_UNSUPPORTED, "dataset was received: nothing can be added to it");
  }
  if (filling_) fail(ACL_ERROR_INVALID_PARAM, "another thread receives into dataset");
  const DataItem::Side side = item->side();
  if (side_ != DataItem::Side::none && side != DataItem::Side::none && side != side_) {
    const bool device = side == DataItem::Side::device;
    fail(ACL_ERROR_INVALID_PARAM,
         "dataItem lies in {} memory, and the items that dataset has in {} memory",
         device ? "device" : "host", device ? "host" : "device");
  }
  handles_.push_back(handle);
  if (side != DataItem::Side::none) side_ = side;
}

void* DataSet::at(std::size_t index) const {
  const sim::LockGuard guard(mutex_);
  return index < handles_.size() ? handles_[index] : nullptr;
}

std::size_t DataSet::size() const {
  const sim::LockGuard guard(mutex_);
  return handles_.size();
}

const char* DataSet::name() const {
  const sim::LockGuard guard(mutex_);
  return name_.c_str();
}

Parcel DataSet::pack(Runtime& runtime) const {
  const sim::LockGuard guard(mutex_);
  Parcel parcel;
  parcel.reserve(handles_.size());
  for (void* const handle : handles_) {
    const auto item = items_.find(handle);
    if (!item) {
      fail(ACL_ERROR_RT_INVALID_HANDLE, "item {} of dataset was destroyed", parcel.size());
    }
    parcel.push_back(item->copy(runtime));
  }
  return parcel;
}

DataSet::Filling::Filling(DataSet& set) : set_(set) {
  const sim::LockGuard guard(set_.mutex_);
  if (!set_.handles_.empty()) {
    fail(ACL_ERROR_INVALID_PARAM, "dataset has {} items; expected an empty one",
         set_.handles_.size());
  }
  if (set_.filling_) fail(ACL_ERROR_INVALID_PARAM, "another thread receives into dataset");
  set_.filling_ = true;
}

DataSet::Filling::~Filling() {
  const sim::LockGuard guard(set_.mutex_);
  set_.filling_ = false;
}

void DataSet::Filling::fill(Parcel parcel, const std::string& name) {
  const sim::LockGuard guard(set_.mutex_);
  set_.handles_.reserve(parcel.size());
  set_.received_ = true;
  set_.name_ = name;
  for (sim::Ref<DataItem>& item : parcel) {
    void* const handle = set_.items_.add(std::move(item));
    if (!handle) fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "there is no handle left for an item");
    set_.handles_.push_back(handle);
  }
}

}  // namespace acl
