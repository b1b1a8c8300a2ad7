// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "acl/acl_base_mdl.h"
#include "tests/acl/world.h"

using namespace world;

namespace {

/// A description that ends with the test.
class TensorDesc {
 public:
  TensorDesc(aclDataType type, const std::vector<std::int64_t>& dims,
             aclFormat format = ACL_FORMAT_ND)
      : desc_(aclCreateTensorDesc(type, static_cast<int>(dims.size()), dims.data(), format)) {
    REQUIRE(desc_ != nullptr);
  }
  ~TensorDesc() { aclDestroyTensorDesc(desc_); }
  TensorDesc(const TensorDesc&) = delete;
  TensorDesc& operator=(const TensorDesc&) = delete;
  operator const aclTensorDesc*() const { return desc_; }

 private:
  aclTensorDesc* const desc_;
};

}  // namespace

TEST_CASE("a tensor description says what it was made of") {
  std::vector<std::int64_t> dims{2, 3, 5};
  const TensorDesc desc(ACL_FLOAT16, dims, ACL_FORMAT_NHWC);
  dims.assign(3, 0);  // it has its own
  CHECK(aclGetTensorDescType(desc) == ACL_FLOAT16);
  CHECK(aclGetTensorDescFormat(desc) == ACL_FORMAT_NHWC);
  CHECK(aclGetTensorDescNumDims(desc) == 3);
  CHECK(aclGetTensorDescElementCount(desc) == 30);
  CHECK(aclGetTensorDescSize(desc) == 60);
  const std::int64_t expected[] = {2, 3, 5};
  for (std::size_t i = 0; i < 3; ++i) {
    std::int64_t dim = 0;
    REQUIRE_ACL(aclGetTensorDescDimV2(desc, i, &dim));
    CHECK(dim == expected[i]);
    CHECK(aclGetTensorDescDim(desc, i) == expected[i]);
  }
  CHECK(stats().otherHandles == 1);
}

TEST_CASE("a tensor without dimensions is one number") {
  const TensorDesc desc(ACL_INT64, {});
  CHECK(aclGetTensorDescNumDims(desc) == 0);
  CHECK(aclGetTensorDescElementCount(desc) == 1);
  CHECK(aclGetTensorDescSize(desc) == 8);
  CHECK(aclGetTensorDescDim(desc, 0) == -1);
}

TEST_CASE("a tensor of unknown or impossible size has no elements") {
  const TensorDesc dynamic(ACL_FLOAT, {4, -1});
  CHECK(aclGetTensorDescNumDims(dynamic) == 2);
  CHECK(aclGetTensorDescDim(dynamic, 1) == -1);
  CHECK(aclGetTensorDescElementCount(dynamic) == 0);
  CHECK(aclGetTensorDescSize(dynamic) == 0);
  const TensorDesc unknown(ACL_FLOAT, {-2});
  CHECK(aclGetTensorDescNumDims(unknown) == ACL_UNKNOWN_RANK);
  const TensorDesc huge(ACL_FLOAT, {std::int64_t{1} << 62, 8});
  CHECK(aclGetTensorDescElementCount(huge) == 0);
  const TensorDesc wide(ACL_DOUBLE, {std::int64_t{1} << 62});
  CHECK(aclGetTensorDescSize(wide) == 0);
}

TEST_CASE("a tensor description that cannot be made is null, with the reason") {
  CHECK(aclCreateTensorDesc(ACL_FLOAT, -1, nullptr, ACL_FORMAT_ND) == nullptr);
  CHECK(recent_message().find("numDims") != std::string::npos);
  CHECK(aclCreateTensorDesc(ACL_FLOAT, 1, nullptr, ACL_FORMAT_ND) == nullptr);
  CHECK(recent_message().find("dims") != std::string::npos);
}

TEST_CASE("what is no tensor description says nothing") {
  const std::int64_t dim = 1;
  aclTensorDesc* const destroyed = aclCreateTensorDesc(ACL_FLOAT, 1, &dim, ACL_FORMAT_ND);
  aclDestroyTensorDesc(destroyed);
  aclDestroyTensorDesc(destroyed);
  aclDestroyTensorDesc(nullptr);
  std::int64_t out = 7;
  for (const aclTensorDesc* const bad : {destroyed, static_cast<aclTensorDesc*>(nullptr),
                                         reinterpret_cast<aclTensorDesc*>(std::uintptr_t{12345})}) {
    CHECK(aclGetTensorDescType(bad) == ACL_DT_UNDEFINED);
    CHECK(aclGetTensorDescFormat(bad) == ACL_FORMAT_UNDEFINED);
    CHECK(aclGetTensorDescSize(bad) == 0);
    CHECK(aclGetTensorDescElementCount(bad) == 0);
    CHECK(aclGetTensorDescNumDims(bad) == 0);
    CHECK(aclGetTensorDescDim(bad, 0) == -1);
    CHECK_CODE(aclGetTensorDescDimV2(bad, 0, &out),
               bad ? ACL_ERROR_RT_INVALID_HANDLE : ACL_ERROR_INVALID_PARAM);
    CHECK_FALSE(recent_message().empty());
  }
  const TensorDesc desc(ACL_FLOAT, {1});
  CHECK_CODE(aclGetTensorDescDimV2(desc, 1, &out), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclGetTensorDescDimV2(desc, 0, nullptr), ACL_ERROR_INVALID_PARAM);
}
