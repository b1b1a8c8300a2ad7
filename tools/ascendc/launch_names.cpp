// SPDX-License-Identifier: Apache-2.0
//
// Each object has a folder OBJECT.launchers beside it, with one file for each kernel name: a line
// `symbol TAB location` for each kernel of that name, an empty line, and the header.
#include "tools/ascendc/launch_names.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

#include "tools/ascendc/translate.h"

namespace kernel_compiler {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".launchers";

/// Locks the folder of the objects while headers are generated from OBJECT.launchers: several
/// compilers may run at the same time.
class Lock {
 public:
  explicit Lock(const fs::path& folder)
      : file_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (file_ >= 0) flock(file_, LOCK_EX);
  }
  ~Lock() {
    if (file_ >= 0) close(file_);
  }
  Lock(const Lock&) = delete;

 private:
  const int file_;
};

struct Named {
  std::vector<std::pair<std::string, std::string>> kernels;  // symbol, location
  std::string header;
};

Named read(const fs::path& path) {
  Named named;
  std::ifstream in(path, std::ios::binary);
  for (std::string line; std::getline(in, line) && !line.empty();) {
    const std::size_t tab = line.find('\t');
    if (tab != std::string::npos)
      named.kernels.emplace_back(line.substr(0, tab), line.substr(tab + 1));
  }
  named.header.assign(std::istreambuf_iterator<char>(in), {});
  return named;
}

/// Leaves a file that already has this content unchanged, for build tools that compare file times.
void write(const fs::path& path, const std::string& text) {
  {
    std::ifstream old(path, std::ios::binary);
    if (old && std::string{std::istreambuf_iterator<char>(old), {}} == text) return;
  }
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text;
  if (!out.flush()) throw std::runtime_error("'" + path.string() + "' cannot be written");
}

std::string location_of(const KernelHead& kernel, const std::string& source) {
  std::string location = kernel.location.file + ":" + std::to_string(kernel.location.line);
  if (kernel.location.file != source) location += kernel.inline_ ? "" : " in " + source;
  return location;
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    names.insert(entry.path().filename().string());
  return names;
}

/// Updates the header of a name after a folder OBJECT.launchers has changed.
void renew(const fs::path& objects, const std::string& folder, const std::string& name) {
  std::set<std::string> locations;
  std::string header;
  for (const auto& entry : fs::directory_iterator(objects)) {
    if (!entry.path().string().ends_with(kEnding) || !fs::exists(entry.path() / name)) continue;
    const Named named = read(entry.path() / name);
    for (const auto& kernel : named.kernels) locations.insert(kernel.second);
    header = named.header;
  }
  const fs::path file = folder + "/aclrtlaunch_" + name + ".h";
  if (locations.empty()) {
    fs::remove(file);
  } else if (locations.size() == 1) {
    write(file, header);
  } else {
    std::string all;
    for (const std::string& location : locations) all += (all.empty() ? "" : " and at ") + location;
    write(file, "#error the kernel name '" + name + "' is defined at " + all + ": aclrtlaunch_" +
                    name + " can launch one only; expected other names, or launches by <<<>>>\n");
  }
}

}  // namespace

void write_launch_headers(const std::string& folder, const std::string& object,
                          const std::string& source, const std::vector<KernelHead>& kernels) {
  std::map<std::string, Named> fresh;
  for (const KernelHead& kernel : kernels) {
    if (kernel.internal) continue;
    Named& named = fresh[kernel.name];
    named.kernels.emplace_back(kernel.inline_ ? "" : symbol_of(kernel),
                               location_of(kernel, source));
    named.header = launch_header(kernel);
  }
  const fs::path beside = object + kEnding;
  const fs::path objects = fs::absolute(beside).parent_path();
  fs::create_directories(folder);
  fs::create_directories(beside);
  const Lock lock(objects);
  std::set<std::string> names = names_in(beside);
  for (const std::string& name : names) {
    if (!fresh.contains(name)) fs::remove(beside / name);
  }
  for (const auto& [name, named] : fresh) {
    std::string text;
    for (const auto& [symbol, location] : named.kernels) text += symbol + "\t" + location + "\n";
    write(beside / name, text + "\n" + named.header);
    names.insert(name);
  }
  for (const std::string& name : names) renew(objects, folder, name);
}

void require_one_definition(const std::vector<std::string>& objects) {
  std::map<std::string, std::string> locations;  // of the symbols
  for (const std::string& object : objects) {
    const fs::path beside = object + kEnding;
    for (const std::string& name : names_in(beside)) {
      for (const auto& [symbol, location] : read(beside / name).kernels) {
        if (symbol.empty()) continue;
        const auto [first, added] = locations.emplace(symbol, location);
        if (!added) {
          throw std::runtime_error("the kernel '" + name + "' is defined at " + first->second +
                                   " and at " + location +
                                   "; expected one definition in a library");
        }
      }
    }
  }
}

}  // namespace kernel_compiler
