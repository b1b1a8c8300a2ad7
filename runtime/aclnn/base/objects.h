// SPDX-License-Identifier: Apache-2.0
// The objects behind the handles of aclnn/acl_meta.h.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "aclnn/acl_meta.h"
#include "runtime/aclnn/base/types.h"

struct aclTensor {
  std::vector<std::int64_t> dims;
  std::vector<std::int64_t> strides;  // as many
  std::vector<std::int64_t> storage;
  std::int64_t offset = 0;
  aclDataType type = ACL_DT_UNDEFINED;
  aclFormat format = ACL_FORMAT_ND;
  void* data = nullptr;
};

struct aclScalar {
  aclDataType type = ACL_DT_UNDEFINED;
  // The value in all forms that readers need, for any type.
  std::int64_t integer = 0;
  std::complex<double> number;

  double real() const noexcept { return number.real(); }
  template <class T>
  T as() const noexcept {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(integer);
    } else if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(number.real());
    } else {
      return T(number);
    }
  }
};

struct aclIntArray {
  std::vector<std::int64_t> values;
};
struct aclFloatArray {
  std::vector<float> values;
};
struct aclBoolArray {
  std::vector<char> values;
};
struct aclTensorList {
  std::vector<const aclTensor*> tensors;
};
struct aclScalarList {
  std::vector<const aclScalar*> scalars;
};

namespace aclnn {

/// The value of a scalar at `value`; undefined where the type has none.
aclScalar scalar_at(const void* value, aclDataType type) noexcept;

}  // namespace aclnn
