// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/packages/package.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "runtime/aclnn/base/error.h"
#include "runtime/aclnn/base/formats.h"
#include "runtime/aclnn/base/types.h"
#include "runtime/aclnn/plan/launch.h"

namespace aclnn::packages {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kKernels = "op_impl/ai_core/tbe";
constexpr const char* kTilings = "op_impl/ai_core/tbe/op_tiling/liboptiling.so";

/// Formats that store elements in blocks. The others differ only in the meaning of the dims.
bool is_blocked(aclFormat format) {
  switch (format) {
    case ACL_FORMAT_UNDEFINED:
    case ACL_FORMAT_NCHW:
    case ACL_FORMAT_NHWC:
    case ACL_FORMAT_ND:
    case ACL_FORMAT_HWCN:
    case ACL_FORMAT_NDHWC:
    case ACL_FORMAT_NCDHW:
    case ACL_FORMAT_NCL:
      return false;
    default:
      return true;
  }
}

bool fits(const OperandType& given, const OperandType& compiled) {
  if (given.absent) return true;
  if (given.type != ACL_DT_UNDEFINED && given.type != compiled.type) return false;
  return given.format == compiled.format ||
         (!is_blocked(given.format) && !is_blocked(compiled.format));
}

aclScalar scalar_of(const json& number) {
  if (number.is_number_float()) {
    const double value = number;
    return scalar_at(&value, ACL_DOUBLE);
  }
  const std::int64_t value = number;
  return scalar_at(&value, ACL_INT64);
}

void add_types(const json& from, Kernel& to) {
  for (const json& each : from) {
    to.operands.push_back({static_cast<aclDataType>(each.at("type").get<int>()),
                           static_cast<aclFormat>(each.at("format").get<int>())});
    if (each.contains("firstValue"))
      to.operands.back().first_value = scalar_of(each.at("firstValue"));
  }
}

OperatorIndex parse_index(const std::string& text) {
  const json read = json::parse(text);
  OperatorIndex index;
  for (const char* const part : {"inputs", "outputs"}) {
    for (const json& each : read.at(part)) index.operands.push_back(each.at("name"));
  }
  for (const json& each : read.at("binList")) {
    Kernel kernel;
    add_types(each.at("inputs"), kernel);
    add_types(each.at("outputs"), kernel);
    kernel.file = each.at("file");
    kernel.by_key = each.at("kernels").get<std::map<std::string, std::string>>();
    index.kernels.push_back(std::move(kernel));
  }
  return index;
}

/// The file that contains the description. It stays loaded, because the package is known by the
/// address of the description from now on.
std::string library_of(const aclsimOperatorPackage& described) {
  Dl_info library{};
  if (dladdr(&described, &library) == 0 || !library.dli_fname)
    fail(kInner, "the library of the package '{}' is not found", described.name);
  dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);  // fails for a program
  return library.dli_fname;
}

/// The folder of a package: its code is in FOLDER/op_api/lib/libcust_opapi.so.
std::string folder_of(const std::string& library) {
  std::error_code failed;
  const fs::path path = fs::canonical(library, failed);
  if (failed) fail(kInner, "'{}' is not found: {}", library, failed.message());
  return path.parent_path().parent_path().parent_path().string();
}

}  // namespace

const Kernel* OperatorIndex::find(const std::vector<OperandType>& given) const {
  for (const Kernel& kernel : kernels) {
    const bool all = std::equal(given.begin(), given.end(), kernel.operands.begin(),
                                kernel.operands.end(), fits);
    if (all) return &kernel;
  }
  return nullptr;
}

std::string OperatorIndex::expected() const {
  std::string text;
  for (const Kernel& kernel : kernels) {
    if (!text.empty()) text += " or ";
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const OperandType& each = kernel.operands[i];
      text += fmt::format("{}{} {}", i == 0 ? "" : ", ", operands[i], name_of(each.type));
      if (is_blocked(each.format)) text += fmt::format(" ({})", static_cast<int>(each.format));
    }
  }
  return text;
}

std::string last_failure() {
  const char* const text = aclGetRecentErrMsg();
  return text ? text : "";
}

std::string unit_of(std::string_view soc) {
  const auto digit = [&](std::size_t at) {
    return at < soc.size() && soc[at] >= '0' && soc[at] <= '9';
  };
  if (soc.starts_with("Ascend910B") && digit(10)) return "ascend910b";
  if (soc.starts_with("Ascend910_93")) return "ascend910_93";
  if (soc.starts_with("Ascend950")) return "ascend950";
  if (soc.starts_with("Ascend310P")) return "ascend310p";
  if (soc.starts_with("Ascend310B")) return "ascend310b";
  return soc.starts_with("Ascend910") ? "ascend910" : std::string(soc);
}

Package& Package::of(const aclsimOperatorPackage& described) {
  struct All {
    sim::Mutex mutex;
    std::map<const aclsimOperatorPackage*, std::unique_ptr<Package>> by_place GUARDED_BY(mutex);
  };
  static auto& all = *new All;  // used until the process exits
  if (described.size < sizeof described)
    fail(kInner, "the package was built for another version of the library");
  const sim::LockGuard guard(all.mutex);
  std::unique_ptr<Package>& package = all.by_place[&described];
  if (!package) package.reset(new Package(described));
  return *package;
}

Package::Package(const aclsimOperatorPackage& described)
    : described_(described), name_(described.name ? described.name : "") {
  const std::string library = library_of(described);
  if (!described.tiling) folder_ = folder_of(library);
}

const aclsimPackagedFile* Package::embedded(const std::string& file) const {
  const auto* const end = described_.files + described_.num_files;
  const auto* const found = std::find_if(
      described_.files, end, [&](const aclsimPackagedFile& each) { return file == each.path; });
  return found == end ? nullptr : found;
}

std::optional<std::string> Package::read(const std::string& file) const {
  if (folder_.empty()) {
    const aclsimPackagedFile* const found = embedded(file);
    if (!found) return {};
    return std::string(static_cast<const char*>(found->begin),
                       static_cast<const char*>(found->end));
  }
  std::ifstream in(fs::path(folder_) / kKernels / file, std::ios::binary);
  if (!in) return {};
  return std::string{std::istreambuf_iterator<char>(in), {}};
}

const OperatorIndex& Package::index_of(const std::string& type, const std::string& unit) {
  const std::string file = "kernel/config/" + unit + "/" + type + ".json";
  const sim::LockGuard guard(mutex_);
  std::unique_ptr<OperatorIndex>& index = indexes_[file];
  if (index) return *index;
  const std::optional<std::string> text = read(file);
  if (!text) {
    fail(kNoKernel, "the package '{}' has no kernel of {} for {}: {} is not there", name_, type,
         unit, folder_.empty() ? file : folder_ + "/" + kKernels + "/" + file);
  }
  try {
    index = std::make_unique<OperatorIndex>(parse_index(*text));
  } catch (const json::exception& error) {
    fail(kInner, "the package '{}': {}: {}", name_, file, error.what());
  }
  return *index;
}

aclsimTilingFunction Package::tiling() {
  if (described_.tiling) return described_.tiling;
  const sim::LockGuard guard(mutex_);
  if (tiling_) return tiling_;
  const std::string path = folder_ + "/" + kTilings;
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) fail(kNoKernel, "the package '{}' has no tilings: {}", name_, dlerror());
  tiling_ = reinterpret_cast<aclsimTilingFunction>(dlsym(library, "aclsimComputeTiling"));
  if (!tiling_) {
    fail(kNoKernel, "'{}' was not built by npu_op_library(NAME TILING ...) of this toolkit", path);
  }
  return tiling_;
}

aclrtBinHandle Package::load(const std::string& file) {
  const auto known = binaries_.find(file);
  if (known != binaries_.end()) return known->second;
  aclrtBinHandle binary = nullptr;
  aclError code = ACL_SUCCESS;
  if (folder_.empty()) {
    const aclsimPackagedFile* const found = embedded(file);
    if (!found) fail(kNoKernel, "the package '{}' has no file {}", name_, file);
    const auto size = static_cast<std::size_t>(static_cast<const char*>(found->end) -
                                               static_cast<const char*>(found->begin));
    code = aclrtBinaryLoadFromData(found->begin, size, nullptr, &binary);
  } else {
    const std::string path = folder_ + "/" + kKernels + "/" + file;
    if (std::error_code ignored; !fs::exists(path, ignored)) {
      fail(kNoKernel, "the package '{}' has no compiled kernel {}; its build skipped it", name_,
           path);
    }
    code = aclrtBinaryLoadFromFile(path.c_str(), nullptr, &binary);
  }
  if (code != ACL_SUCCESS)
    fail(kRuntimeError, "the package '{}': {}: {}", name_, file, last_failure());
  runtime().keep_binary(binary);
  binaries_[file] = binary;
  return binary;
}

aclrtFuncHandle Package::function(const std::string& file, const std::string& kernel) {
  const sim::LockGuard guard(mutex_);
  aclrtFuncHandle& known = functions_[file + ":" + kernel];
  char name[512];
  if (known && aclrtGetFunctionName(known, sizeof name, name) == ACL_SUCCESS) return known;
  if (known) binaries_.erase(file);  // aclFinalize has unloaded it
  known = nullptr;
  aclrtFuncHandle found = nullptr;
  if (aclrtBinaryGetFunction(load(file), kernel.c_str(), &found) != ACL_SUCCESS)
    fail(kRuntimeError, "the package '{}': {}: {}", name_, file, last_failure());
  return known = found;
}

}  // namespace aclnn::packages
