// SPDX-License-Identifier: Apache-2.0
// Packages of operators: where their kernels and tilings are, and which kernel a call takes.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "acl/acl_rt.h"
#include "aclnn/aclsim_operator_package.h"
#include "device_sim/base/mutex.h"
#include "runtime/aclnn/base/objects.h"

namespace aclnn::packages {

/// The element type and the format of an operand.
struct OperandType {
  aclDataType type = ACL_DT_UNDEFINED;  // undefined: any; the kernel's type is taken
  aclFormat format = ACL_FORMAT_ND;
  bool absent = false;  // an optional one that was not given fits everywhere
  // Of a kernel's output: the value of its elements before the kernel runs.
  std::optional<aclScalar> first_value{};
};

/// A compiled kernel: the types that it was compiled for.
struct Kernel {
  std::vector<OperandType> operands;          // inputs, then outputs
  std::string file;                           // below op_impl/ai_core/tbe
  std::map<std::string, std::string> by_key;  // names of its functions; "": for all keys
};

/// The entry of one operator on one chip in the package's index.
struct OperatorIndex {
  std::vector<std::string> operands;  // their names
  std::vector<Kernel> kernels;

  /// The first kernel for these types; null if no kernel has them.
  const Kernel* find(const std::vector<OperandType>& given) const;
  /// "x float16, z float16 or x float, z float", for messages.
  std::string expected() const;
};

/// The text of the last failure of ACL, or an empty one.
std::string last_failure();

/// The chip of the emulated machine as packages call it: "ascend910b" of "Ascend910B1".
std::string unit_of(std::string_view soc);

class Package {
 public:
  /// The package that generated code describes. Raises an error if its folder is not found.
  static Package& of(const aclsimOperatorPackage& described);

  const std::string& name() const noexcept { return name_; }
  /// Raises kNoKernel if the package has nothing for the operator on this chip.
  const OperatorIndex& index_of(const std::string& type, const std::string& unit);
  /// The function that computes tilings. Raises kNoKernel if the package has none.
  aclsimTilingFunction tiling();
  /// A function of a kernel, which stays loaded. Raises kRuntimeError.
  aclrtFuncHandle function(const std::string& file, const std::string& kernel);

 private:
  explicit Package(const aclsimOperatorPackage& described);

  std::optional<std::string> read(const std::string& file) const;
  const aclsimPackagedFile* embedded(const std::string& file) const;
  aclrtBinHandle load(const std::string& file) REQUIRES(mutex_);

  const aclsimOperatorPackage& described_;
  const std::string name_;
  std::string folder_;  // empty: it is in the program
  sim::Mutex mutex_;
  std::map<std::string, std::unique_ptr<OperatorIndex>> indexes_ GUARDED_BY(mutex_);
  std::map<std::string, aclrtBinHandle> binaries_ GUARDED_BY(mutex_);
  std::map<std::string, aclrtFuncHandle> functions_ GUARDED_BY(mutex_);
  aclsimTilingFunction tiling_ GUARDED_BY(mutex_) = nullptr;
};

}  // namespace aclnn::packages
