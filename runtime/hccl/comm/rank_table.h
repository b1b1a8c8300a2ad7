// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/fabric/base/bytes.h"

namespace hccl {

/// Which ranks there are, on which servers and devices: what a rank table says that matters here.
struct RankTable {
  struct Rank {
    std::string server{};  // its id; ranks of one server share it
    std::uint32_t device = 0;
  };
  std::vector<Rank> ranks{};  // by rank

  /// Versions 1.0 and 2.0. Raises HCCL_E_INTERNAL for a file that cannot be read or is no JSON,
  /// HCCL_E_PARA for content that does not fit together.
  static RankTable read(const std::string& path);
  static RankTable parse(const std::string& text, const std::string& where);

  /// The same for all ranks, whatever the file's layout.
  fabric::Bytes canonical() const;
  /// Where the store of rank 0 may be.
  std::vector<std::string> store_addresses() const;
};

}  // namespace hccl
