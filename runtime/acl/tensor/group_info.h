// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "acl/acl_rt.h"
#include "device_sim/base/ref.h"
#include "runtime/acl/base/handle_table.h"
#include "runtime/acl/base/section.h"

namespace acl {

/// A program's view of the core groups of a device: empty until it is filled. An emulated device
/// has one group, number 0, that holds all its cores.
struct GroupInfo : sim::RefCounted<GroupInfo> {
  std::atomic<std::int32_t> count{0};
};

class GroupInfos final : public Section {
 public:
  using Table = HandleTable<GroupInfo, HandleKind::group_info>;
  explicit GroupInfos(Runtime&) {}

  Table& table() noexcept { return table_; }
  void reset() override {
    table_.for_each([this](const Table::Pin& info) { table_.remove(info); });
  }
  std::size_t live_handles() const override { return table_.count(); }

 private:
  Table table_;
};

}  // namespace acl
