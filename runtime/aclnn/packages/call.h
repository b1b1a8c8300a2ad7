// SPDX-License-Identifier: Apache-2.0
// One call of an operator of a package.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "acl/acl_rt.h"
#include "aclnn/aclsim_operator_package.h"
#include "runtime/aclnn/base/objects.h"
#include "runtime/aclnn/packages/package.h"

namespace aclnn::packages {

/// A tensor that the kernel is given: one of the program's, or values of the host.
struct Member {
  aclTensor* tensor = nullptr;  // the program's, during the first phase; null: of the host
  std::vector<std::int64_t> dims, strides, storage;
  std::int64_t offset = 0;
  aclDataType type = ACL_DT_UNDEFINED;
  aclFormat format = ACL_FORMAT_ND;
  std::vector<std::byte> values;  // of the host
  std::size_t slot = 0;           // of the plan's operands, of a tensor
  bool copied = false;            // into the workspace, because it is not contiguous
  std::uint64_t copy_at = 0;      // in the workspace
};

/// One input or output of the operator's description.
struct Passed {
  std::string name;
  bool output = false;
  bool list = false;                       // the kernel is given a list of tensors (ListTensorDesc)
  std::optional<aclScalar> first_value{};  // of its elements, before the kernel runs
  std::vector<Member> members;
};

/// The input of the second phase.
struct PreparedCall {
  Package* package = nullptr;
  std::string file, kernel;
  std::vector<Passed> operands;
  std::uint32_t blocks = 1;
  std::uint32_t schedule_mode = 0;
  std::uint32_t local_bytes = 0;
  std::uint64_t key = 0;
  std::uint64_t workspace = 0;        // of the kernel, in bytes
  std::uint64_t whole_workspace = 0;  // and of the copies after it
  std::vector<std::byte> tiling;
};

/// Everything but the slots of tensors.
PreparedCall prepare(const aclsimPackagedCall& call);

/// Copies what must be copied, and launches the kernel. `addresses`: of the plan's operands.
void enqueue(const PreparedCall& call, const std::vector<void*>& addresses, void* workspace,
             aclrtStream stream);

}  // namespace aclnn::packages
