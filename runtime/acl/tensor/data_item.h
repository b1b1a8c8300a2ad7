// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "acl/acl_tdt.h"
#include "device_sim/base/mutex.h"
#include "runtime/acl/base/handle_table.h"

namespace acl {

class DataItem;
class DataSet;
class Runtime;

using ItemTable = HandleTable<DataItem, HandleKind::data_item>;
using SetTable = HandleTable<DataSet, HandleKind::data_set>;
/// The content of one send: items that own their data.
using Parcel = std::vector<sim::Ref<DataItem>>;

/// One tensor, or a mark in a row of tensors (the end of a sequence, ...). Never changes.
class DataItem : public sim::RefCounted<DataItem> {
 public:
  struct Description {
    acltdtTensorType type;
    aclDataType data_type;
    std::vector<std::int64_t> dims;
    std::size_t size;  // bytes
  };
  enum class Side : std::uint8_t { none, host, device };

  /// Describes `data`, which stays the program's; raises ACL_ERROR_RT_PARAM_INVALID when it passes
  /// the end of its allocation.
  DataItem(Runtime& runtime, Description description, void* data);
  /// An item of a received set, which owns its data.
  DataItem(Description description, std::unique_ptr<std::byte[]> data);

  const Description& description() const noexcept { return description_; }
  void* data() const noexcept { return data_; }
  /// The side that holds the data; `none` without data.
  Side side() const noexcept { return side_; }
  bool received() const noexcept { return received_; }
  /// A copy that owns its data, in host memory.
  sim::Ref<DataItem> copy(Runtime& runtime) const;

 private:
  const Description description_;
  const std::unique_ptr<std::byte[]> owned_;
  void* const data_;
  const bool received_;
  Side side_ = Side::none;
};

/// A set of items: either the program's, or received (then its items go with it).
class DataSet : public sim::RefCounted<DataSet> {
 public:
  explicit DataSet(ItemTable& items) : items_(items) {}
  ~DataSet();

  /// Raises ACL_ERROR_FEATURE_UNSUPPORTED for a received set, ACL_ERROR_INVALID_PARAM for a mix of
  /// host and device memory.
  void add(void* handle, const ItemTable::Pin& item);
  /// Null beyond the end.
  void* at(std::size_t index) const;
  std::size_t size() const;
  /// Empty unless received. Valid as long as the set.
  const char* name() const;
  /// Copies what is described; raises ACL_ERROR_RT_INVALID_HANDLE when an item is gone.
  Parcel pack(Runtime& runtime) const;

  /// Keeps an empty set for one receive: meanwhile no other thread may put anything in. Raises
  /// ACL_ERROR_INVALID_PARAM if the set is not empty.
  class Filling {
   public:
    explicit Filling(DataSet& set);
    ~Filling();
    Filling(const Filling&) = delete;
    Filling& operator=(const Filling&) = delete;
    void fill(Parcel parcel, const std::string& name);

   private:
    DataSet& set_;
  };

 private:
  ItemTable& items_;
  mutable sim::Mutex mutex_;
  std::vector<void*> handles_ GUARDED_BY(mutex_);
  DataItem::Side side_ GUARDED_BY(mutex_) = DataItem::Side::none;
  std::string name_ GUARDED_BY(mutex_);
  bool received_ GUARDED_BY(mutex_) = false;
  bool filling_ GUARDED_BY(mutex_) = false;
};

}  // namespace acl
