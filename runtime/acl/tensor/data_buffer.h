// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>

#include "acl/acl_base_rt.h"
#include "device_sim/base/ref.h"
#include "runtime/acl/base/handle_table.h"
#include "runtime/acl/base/section.h"

namespace acl {

/// Describes memory of the program's: an address and a size, neither checked nor owned.
struct DataBuffer : sim::RefCounted<DataBuffer> {
  DataBuffer(void* address, std::size_t bytes) : data(address), size(bytes) {}
  std::atomic<void*> data;
  std::atomic<std::size_t> size;
};

class DataBuffers final : public Section {
 public:
  using Table = HandleTable<DataBuffer, HandleKind::data_buffer>;
  explicit DataBuffers(Runtime&) {}

  Table& table() noexcept { return table_; }
  void reset() override {
    table_.for_each([this](const Table::Pin& buffer) { table_.remove(buffer); });
  }
  std::size_t live_handles() const override { return table_.count(); }

 private:
  Table table_;
};

}  // namespace acl
