// SPDX-License-Identifier: Apache-2.0
// op_build DESCRIPTION FOLDER --package NAME [--unit UNIT]...: writes the code of a package of
// operators. npu_op_code_gen calls it.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include "tools/ascendc/operators/generate.h"
#include "tools/ascendc/operators/names.h"

namespace {

namespace fs = std::filesystem;
using namespace op_build;

/// A file keeps its time if its text is the same, so that nothing is built again for it.
void write(const fs::path& path, const std::string& text) {
  {
    std::ifstream in(path, std::ios::binary);
    const std::string there{std::istreambuf_iterator<char>(in), {}};
    if (in && there == text) return;
  }
  fs::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text;
  if (!out.flush()) throw std::runtime_error("'" + path.string() + "' cannot be written");
}

/// For CMake: the kernels, and the files of data.
class Lists {
 public:
  void add_kernel(const std::string& unit, const Operator& op, const std::string& name,
                  const fs::path& source) {
    kernels_ += "  \"" + unit + "|" + op.type + "|" + snake_case(op.type) + "|" + name + "|" +
                source.string() + "\"\n";
  }
  void add_data(const std::string& name, const fs::path& path) {
    data_ += "  \"" + name + "|" + path.string() + "\"\n";
  }
  std::string text() const {
    return "set(_npu_op_kernels\n" + kernels_ + ")\nset(_npu_op_data\n" + data_ + ")\n";
  }

 private:
  std::string kernels_, data_;
};

void generate(const std::string& description_path, const fs::path& folder,
              const std::string& package, const std::vector<std::string>& units) {
  const Description description = read_description(description_path);
  Lists lists;
  for (const File& each : prototype_files(description)) write(folder / each.name, each.text);
  for (const Operator& op : description.operators) {
    for (const File& each : aclnn_files(op, package)) write(folder / each.name, each.text);
    std::vector<std::string> chosen = units;
    if (chosen.empty()) {
      for (const auto& [unit, operands] : op.units) chosen.push_back(unit);
    }
    for (const std::string& unit : chosen) {
      if (!op.runs_on(unit)) continue;
      const fs::path below = folder / "aclsim" / unit;
      for (const KernelSource& each : kernel_sources(op, unit, description.structures)) {
        const fs::path path = below / (each.name + ".cpp");
        write(path, each.text);
        lists.add_kernel(unit, op, each.name, path);
      }
      const fs::path index = below / (op.type + ".json");
      write(index, kernel_index(op, unit));
      lists.add_data("kernel/config/" + unit + "/" + op.type + ".json", index);
    }
  }
  write(folder / "aclsim" / "lists.cmake", lists.text());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Generates the code of a package of operators from their descriptions.");
  std::string description, folder, package;
  std::vector<std::string> units;
  app.add_option("description", description, "what the description program printed")->required();
  app.add_option("folder", folder, "where the files go")->required();
  app.add_option("--package", package, "the name of the package")->required();
  app.add_option("--unit", units,
                 "a chip, such as ascend910b; without: the chips of the operators");
  CLI11_PARSE(app, argc, argv);
  try {
    generate(description, folder, package, units);
  } catch (const std::exception& error) {
    std::cerr << "op_build: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
