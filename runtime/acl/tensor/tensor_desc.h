// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "acl/acl_base_mdl.h"
#include "device_sim/base/ref.h"
#include "runtime/acl/base/handle_table.h"
#include "runtime/acl/base/section.h"

namespace acl {

/// Describes a tensor: plain data of the host. Never changes once it is made.
struct TensorDesc : sim::RefCounted<TensorDesc> {
  TensorDesc(aclDataType data_type, std::vector<std::int64_t> extents, aclFormat layout)
      : type(data_type), dims(std::move(extents)), format(layout) {}

  /// The only dimension of a tensor whose rank is not known.
  static constexpr std::int64_t kUnknownRank = -2;

  /// 0 where a dimension is not known, or the product does not fit.
  std::size_t elements() const noexcept;
  std::size_t bytes() const noexcept;
  bool rank_known() const noexcept { return dims.empty() || dims.front() != kUnknownRank; }

  const aclDataType type;
  const std::vector<std::int64_t> dims;
  const aclFormat format;
};

class TensorDescs final : public Section {
 public:
  using Table = HandleTable<TensorDesc, HandleKind::tensor_desc>;
  explicit TensorDescs(Runtime&) {}

  Table& table() noexcept { return table_; }
  void reset() override {
    table_.for_each([this](const Table::Pin& desc) { table_.remove(desc); });
  }
  std::size_t live_handles() const override { return table_.count(); }

 private:
  Table table_;
};

}  // namespace acl
