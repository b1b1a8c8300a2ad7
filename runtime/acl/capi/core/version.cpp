// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <string_view>

#include "runtime/acl/capi/guard.h"

using namespace acl;

namespace {

struct Package {
  aclCANNPackageName id;
  const char* name;
};

// All packages of the emulated stack carry one version.
constexpr Package kPackages[] = {
    {ACL_PKG_NAME_CANN, "cann"},
    {ACL_PKG_NAME_RUNTIME, "runtime"},
    {ACL_PKG_NAME_COMPILER, "compiler"},
    {ACL_PKG_NAME_HCCL, "hccl"},
    {ACL_PKG_NAME_TOOLKIT, "toolkit"},
    {ACL_PKG_NAME_OPP, "opp"},
    {ACL_PKG_NAME_OPP_KERNEL, "opp_kernel"},
    {ACL_PKG_NAME_DRIVER, "driver"},
};
constexpr int kMajor = 9, kMinor = 1, kRelease = 0;

void require_package(aclCANNPackageName id) {
  for (const Package& package : kPackages) {
    if (package.id == id) return;
  }
  fail(ACL_ERROR_INVALID_PARAM, "name is {}, which is not a package", static_cast<int>(id));
}

void require_package(const char* name) {
  require_input(name, "pkgName");
  std::string known;
  for (const Package& package : kPackages) {
    if (std::string_view(package.name) == name) return;
    known += known.empty() ? package.name : fmt::format(", {}", package.name);
  }
  fail(ACL_ERROR_INVALID_PARAM, "pkgName is '{}'; expected one of {}", name, known);
}

/// The text must be shorter than the buffer.
void put(char* buffer, const std::string& text) {
  std::memcpy(buffer, text.c_str(), text.size() + 1);
}

std::string version_text() { return fmt::format("{}.{}.{}", kMajor, kMinor, kRelease); }

}  // namespace

extern "C" {

aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion* version) {
  return guarded(__func__, [&](Runtime&) {
    aclCANNPackageVersion& out = require_out(version, "version");
    require_package(name);
    out = {};
    put(out.version, version_text());
    put(out.majorVersion, std::to_string(kMajor));
    put(out.minorVersion, std::to_string(kMinor));
    put(out.releaseVersion, std::to_string(kRelease));
  });
}

aclError aclsysGetVersionStr(char* pkgName, char* versionStr) {
  return guarded(__func__, [&](Runtime&) {
    require_out(versionStr, "versionStr");
    require_package(pkgName);
    put(versionStr, version_text());
  });
}

aclError aclsysGetVersionNum(char* pkgName, int32_t* versionNum) {
  return guarded(__func__, [&](Runtime&) {
    int32_t& out = require_out(versionNum, "versionNum");
    require_package(pkgName);
    out = kMajor * 10'000'000 + kMinor * 100'000 + kRelease * 1'000;
  });
}

aclError aclrtGetVersion(int32_t* majorVersion, int32_t* minorVersion, int32_t* patchVersion) {
  return guarded(__func__, [&](Runtime&) {
    require_out(majorVersion, "majorVersion") = 1;
    require_out(minorVersion, "minorVersion") = 17;
    require_out(patchVersion, "patchVersion") = 0;
  });
}

const char* aclrtGetSocName() {
  const char* name = nullptr;
  guarded(__func__, [&](Runtime& runtime) { name = runtime.config().system.soc_name.c_str(); });
  return name;
}

}  // extern "C"
