// SPDX-License-Identifier: Apache-2.0
#include "tests/acl/world.h"
#include "version/asc_devkit_version.h"

using namespace world;

TEST_CASE("a package has a version, as a whole and in parts") {
  aclCANNPackageVersion version;
  std::memset(&version, 'x', sizeof version);
  for (int name = ACL_PKG_NAME_CANN; name <= ACL_PKG_NAME_DRIVER; ++name) {
    REQUIRE_ACL(aclsysGetCANNVersion(static_cast<aclCANNPackageName>(name), &version));
    const std::string whole = std::string(version.majorVersion) + "." + version.minorVersion + "." +
                              version.releaseVersion;
    CHECK(version.version == whole);
    CHECK(std::string(version.patchVersion).empty());
  }
}

TEST_CASE("the version of a package is the same as text, in parts and as a number") {
  aclCANNPackageVersion parts{};
  REQUIRE_ACL(aclsysGetCANNVersion(ACL_PKG_NAME_RUNTIME, &parts));
  std::string name = "runtime";
  char text[ACL_PKG_VERSION_MAX_SIZE];
  REQUIRE_ACL(aclsysGetVersionStr(name.data(), text));
  CHECK(std::string(text) == parts.version);
  std::int32_t number = 0;
  REQUIRE_ACL(aclsysGetVersionNum(name.data(), &number));
  CHECK(number / 10'000'000 == std::stoi(parts.majorVersion));
  CHECK(number / 100'000 % 100 == std::stoi(parts.minorVersion));
}

TEST_CASE("the header of the toolkit's version has the version that ACL returns") {
  aclCANNPackageVersion version{};
  REQUIRE_ACL(aclsysGetCANNVersion(ACL_PKG_NAME_CANN, &version));
  CHECK(std::string(version.version) == ASC_DEVKIT_VERSION_STR);
  CHECK(std::stoi(version.majorVersion) == ASC_DEVKIT_MAJOR);
  CHECK(std::stoi(version.minorVersion) == ASC_DEVKIT_MINOR);
  std::string name = "cann";
  std::int32_t number = 0;
  REQUIRE_ACL(aclsysGetVersionNum(name.data(), &number));
  CHECK(number / 1000 == ASC_DEVKIT_VERSION_NUM / 1000);
}

TEST_CASE("a version needs a package that exists and a place for the result") {
  aclCANNPackageVersion version{};
  CHECK_CODE(aclsysGetCANNVersion(ACL_PKG_NAME_CANN, nullptr), ACL_ERROR_INVALID_PARAM);
  for (const int unknown : {-1, 8, 1000}) {
    CHECK_CODE(aclsysGetCANNVersion(static_cast<aclCANNPackageName>(unknown), &version),
               ACL_ERROR_INVALID_PARAM);
  }
  std::string known = "cann";
  std::string unknown = "cannon";
  char text[ACL_PKG_VERSION_MAX_SIZE];
  std::int32_t number = 0;
  CHECK_CODE(aclsysGetVersionStr(nullptr, text), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclsysGetVersionStr(known.data(), nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclsysGetVersionStr(unknown.data(), text), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclsysGetVersionNum(nullptr, &number), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclsysGetVersionNum(known.data(), nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclsysGetVersionNum(unknown.data(), &number), ACL_ERROR_INVALID_PARAM);
  CHECK(recent_message().find("toolkit") != std::string::npos);  // what would have been right
}
