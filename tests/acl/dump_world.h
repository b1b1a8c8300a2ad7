// SPDX-License-Identifier: Apache-2.0
// Common code of the tests of dumps: folders of .npy files, dumps for a scope, and a kernel to
// dump.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "acl/acl_dump.h"
#include "tests/acl/world.h"
#include "tests/support/temp_dir.h"

namespace dumptest {

using namespace world;
namespace fs = std::filesystem;

inline std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// All files below a folder, by their path in it.
inline std::map<std::string, std::string> files_in(const fs::path& folder) {
  std::map<std::string, std::string> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      files[fs::relative(entry.path(), folder).string()] = bytes_of(entry.path());
    }
  }
  return files;
}

/// The content of the one file whose name holds `part`.
inline std::string file_with(const std::map<std::string, std::string>& files,
                             const std::string& part) {
  std::vector<std::string> found;
  for (const auto& [name, content] : files) {
    if (name.find(part) != std::string::npos) found.push_back(content);
  }
  INFO(part);
  REQUIRE(found.size() == 1);
  return found[0];
}

/// A .npy file in pieces.
struct Array {
  std::string type;
  std::string shape;
  std::string data;

  explicit Array(const std::string& file) {
    REQUIRE(file.substr(0, 8) == std::string("\x93NUMPY\x01\x00", 8));
    const std::size_t size =
        static_cast<unsigned char>(file[8]) + 256u * static_cast<unsigned char>(file[9]);
    CHECK((10 + size) % 64 == 0);
    const std::string head = file.substr(10, size);
    CHECK(head.back() == '\n');
    type = between(head, "'descr': '", "'");
    shape = between(head, "'shape': (", ")");
    data = file.substr(10 + size);
  }
  static std::string between(const std::string& text, const std::string& from, const char* to) {
    const std::size_t start = text.find(from) + from.size();
    return text.substr(start, text.find(to, start) - start);
  }
};

/// A dump that a configuration turns on, for a scope.
struct Dumping {
  support::TempDir dir;
  explicit Dumping(const std::string& members) {
    REQUIRE_ACL(aclmdlInitDump());
    set(members);
  }
  ~Dumping() { aclmdlFinalizeDump(); }
  void set(const std::string& members) {
    const std::string text =
        R"({"dump": {"dump_path": ")" + folder().string() + "\", " + members + "}}";
    REQUIRE_ACL(aclmdlSetDump(dir.write("dump.json", text).c_str()));
  }
  fs::path folder() const { return dir.path() / "data"; }
  std::map<std::string, std::string> files() const { return files_in(folder()); }
};

/// out = in + 1, as a kernel that declares what it touches.
inline std::int32_t add_one(const aclsimKernelContext*, const void* args) {
  const auto* const pointers = static_cast<int* const*>(args);
  *pointers[1] = *pointers[0] + 1;
  return *pointers[1] == 13 ? ACL_ERROR_RT_VECTOR_CORE_EXCEPTION : 0;
}

inline void launch_add_one(const DeviceMemory& in, const DeviceMemory& out, const char* name) {
  void* const pointers[] = {in, out};
  const aclsimMemRange ranges[] = {{in, sizeof(int), ACLSIM_ACCESS_READ},
                                   {out, sizeof(int), ACLSIM_ACCESS_WRITE}};
  aclsimLaunch launch{};
  launch.size = sizeof launch;
  launch.name = name;
  launch.kernel = add_one;
  launch.numBlocks = 1;
  launch.args = pointers;
  launch.argsSize = sizeof pointers;
  launch.ranges = ranges;
  launch.numRanges = 2;
  REQUIRE_ACL(aclsimLaunchKernel(&launch, nullptr));
}

inline std::string bytes(int value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

}  // namespace dumptest
