// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace aclsim {

/// One public function. `feature` is the missing feature if the state is "unsupported".
struct ApiRow {
  const char* name;
  const char* header;
  const char* section;
  const char* tier;
  const char* state;
  const char* feature;
  const char* interface;  // acl, hccl, shmem, cuda or aclnn
};

/// All public functions, grouped by interface, in the order of the headers.
const std::vector<ApiRow>& all_api_rows();

/// The generated part of docs/api.md.
std::string api_markdown(const std::vector<ApiRow>& rows);

}  // namespace aclsim
