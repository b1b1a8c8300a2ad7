// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/api/api_rows.h"

namespace aclsim {

const std::vector<ApiRow>& all_api_rows() {
  static const std::vector<ApiRow> rows{
#include "api_table.inc"
  };
  return rows;
}

}  // namespace aclsim
