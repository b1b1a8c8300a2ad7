// SPDX-License-Identifier: Apache-2.0
// Code and data that are generated from descriptions of operators.
#pragma once

#include <string>
#include <vector>

#include "tools/ascendc/operators/description.h"

namespace op_build {

struct File {
  std::string name;  // below the folder of generated files
  std::string text;
};

/// aclnn_NAME.h and .cpp: the two phases of the operator, which call the package.
std::vector<File> aclnn_files(const Operator& op, const std::string& package);

/// op_proto.h and op_proto.cc.
std::vector<File> prototype_files(const Description& description);

/// A kernel of an operator for one combination of types.
struct KernelSource {
  std::string name;  // AddCustom_0
  std::string text;  // includes ACLSIM_KERNEL_FILE
};
std::vector<KernelSource> kernel_sources(const Operator& op, const std::string& unit,
                                         const std::vector<Structure>& structures);

/// The kernels of an operator and their types, from which the library of operators chooses, as
/// JSON: the file kernel/config/UNIT/TYPE.json of a package.
std::string kernel_index(const Operator& op, const std::string& unit);

/// The template arguments of one instance of the kernel, and its key.
struct Instance {
  std::vector<std::uint64_t> values;  // in the order of the declaration
  std::uint64_t key = 0;
  int kernel_type = -1;  // ASCENDC_TPL_KERNEL_TYPE_SEL
};
std::vector<Instance> instances_of(const Operator& op);

}  // namespace op_build
